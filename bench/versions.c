/* versions.c -- tulle-versions: two builds of libtulle side by side, for "speed is unchanged".
 *
 * Both libraries are loaded into one process and multiply in turn, so that noise hits them alike. They
 * are known by the public header only, whose structs grow at the end: an older library may be one of
 * them. */
#include "suite.h"
#include "timing.h"
#include "tulle.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMATS = 16, OLD = 0, NEW = 1 };

static const char usage[] =
    "usage: tulle-versions [OPTIONS] OLD.so NEW.so [MATRIX...]\n"
    "  --suite NAME     matrices of a suite instead of named ones (default: quick)\n"
    "  --formats LIST   formats, also \"auto\" (default: csr,csr2,csr5,sell,bsell,sym,hot,auto)\n"
    "  --threads N      (default: 2)\n"
    "  --isa NAME       instruction set of both\n"
    "  --budget SECONDS per matrix and format (default: .4)\n"
    "Prints the time of OLD over the time of NEW: above 1, NEW is faster.\n";

typedef struct {
	__typeof__(tulle_context_create) *context_create;
	__typeof__(tulle_context_destroy) *context_destroy;
	__typeof__(tulle_matrix_from_csr) *matrix_from_csr;
	__typeof__(tulle_matrix_destroy) *matrix_destroy;
	__typeof__(tulle_plan_create) *plan_create;
	__typeof__(tulle_plan_destroy) *plan_destroy;
	__typeof__(tulle_mul_f64) *mul;
	tulle_context *context;
} library;

typedef struct {
	const library *by;
	tulle_plan *plan;
} planned;

static int multiply(void *state, const double *x, double *y)
{
	const planned *p = state;
	return p->by->mul(p->plan, 1, x, 0, y) != TULLE_OK;
}

static const bench_competitor version = { .name = "version", .multiply = multiply };

/* Sets one function pointer of the library; dlsym gives a pointer to an object. */
static int find(void *handle, const char *name, void *function)
{
	void *symbol = dlsym(handle, name);
	memcpy(function, &symbol, sizeof symbol);
	return symbol ? 0 : -1;
}

static int library_open(library *l, const char *path, const tulle_context_options *options)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle || find(handle, "tulle_context_create", &l->context_create) ||
	    find(handle, "tulle_context_destroy", &l->context_destroy) ||
	    find(handle, "tulle_matrix_from_csr", &l->matrix_from_csr) ||
	    find(handle, "tulle_matrix_destroy", &l->matrix_destroy) ||
	    find(handle, "tulle_plan_create", &l->plan_create) ||
	    find(handle, "tulle_plan_destroy", &l->plan_destroy) ||
	    find(handle, "tulle_mul_f64", &l->mul)) {
		fprintf(stderr, "%s: %s\n", path, dlerror());
		return -1;
	}
	if (l->context_create(options, &l->context) == TULLE_OK)
		return 0;
	fprintf(stderr, "%s: no context\n", path);
	return -1;
}

/* A plan, NULL when the format does not take the matrix. */
static tulle_plan *plan(const library *l, const bench_matrix *a, const char *format)
{
	const tulle_plan_options options = { .size = sizeof options,
		                                 .format = strcmp(format, "auto") ? format : NULL,
		                                 .multiplies = 1000 };
	tulle_matrix *matrix = NULL;
	tulle_plan *p = NULL;
	if (l->matrix_from_csr(l->context, a->rows, a->cols, TULLE_I32, a->row_ptr, TULLE_I32, a->col,
	                       TULLE_F64, a->val, NULL, &matrix) == TULLE_OK)
		l->plan_create(matrix, &options, &p);
	l->matrix_destroy(matrix);
	return p;
}

typedef struct {
	const char *format;
	double sum_of_logs, least, most;
	int count;
} result;

static int compare(const library *l, const bench_loaded *m, result *r, double budget)
{
	double *x = malloc((size_t)(m->a.cols + 1) * sizeof *x);
	double *y = malloc((size_t)(m->a.rows + 1) * sizeof *y);
	planned p[2] = { { &l[OLD], plan(&l[OLD], &m->a, r->format) },
		             { &l[NEW], plan(&l[NEW], &m->a, r->format) } };
	bench_runner run[2] = { { .table = &version, .state = &p[OLD] },
		                    { .table = &version, .state = &p[NEW] } };
	int failed = !x || !y;
	for (int64_t j = 0; x && j < m->a.cols; j++)
		x[j] = 1 / (double)(j % 97 + 3);
	if (!failed && p[OLD].plan && p[NEW].plan) {
		failed = bench_sample(run, 2, x, y, bench_protocol_at(0), budget) || run[OLD].failed ||
		         run[NEW].failed;
		const double ratio = run[OLD].median / run[NEW].median;
		printf(" %8.3f%c", ratio, run[OLD].disturbed || run[NEW].disturbed ? '?' : ' ');
		r->sum_of_logs += log(ratio);
		r->least = r->count == 0 || ratio < r->least ? ratio : r->least;
		r->most = r->count == 0 || ratio > r->most ? ratio : r->most;
		r->count++;
	} else {
		printf(" %8s ", "-");
	}
	fflush(stdout);
	for (int n = 0; n < 2; n++)
		l[n].plan_destroy(p[n].plan);
	free(x);
	free(y);
	return failed ? -1 : 0;
}

static void print_means(const result *results, int count)
{
	static const char *const title[] = { "geomean", "least", "most" };
	for (int line = 0; line < 3; line++) {
		printf("%-36s", title[line]);
		for (int n = 0; n < count; n++) {
			const result *r = &results[n];
			const double mean = exp(r->sum_of_logs / r->count);
			if (r->count > 0)
				printf(" %8.3f ", line == 0 ? mean : line == 1 ? r->least : r->most);
			else
				printf(" %8s ", "-");
		}
		printf("\n");
	}
}

static int split(char *list, result *results)
{
	int count = 0;
	for (char *word = strtok(list, ","); word && count < FORMATS; word = strtok(NULL, ","))
		results[count++].format = word;
	return count;
}

int main(int argc, char **argv)
{
	char formats[256] = "csr,csr2,csr5,sell,bsell,sym,hot,auto";
	const char *suite_name = NULL;
	tulle_context_options options = { .size = sizeof options, .threads = 2 };
	double budget = .4;
	bench_suite suite = { 0 };
	library l[2];
	result results[FORMATS] = { { 0 } };
	int n = 1, failed = 0;

	for (; n + 1 < argc && argv[n][0] == '-'; n += 2) {
		if (strcmp(argv[n], "--suite") == 0)
			suite_name = argv[n + 1];
		else if (strcmp(argv[n], "--formats") == 0)
			snprintf(formats, sizeof formats, "%s", argv[n + 1]);
		else if (strcmp(argv[n], "--threads") == 0)
			options.threads = atoi(argv[n + 1]);
		else if (strcmp(argv[n], "--isa") == 0)
			options.isa = argv[n + 1];
		else if (strcmp(argv[n], "--budget") == 0)
			budget = atof(argv[n + 1]);
		else
			break;
	}
	if (argc - n < 2 || argv[n][0] == '-') {
		fputs(usage, stderr);
		return 2;
	}
	if (library_open(&l[OLD], argv[n], &options) || library_open(&l[NEW], argv[n + 1], &options) ||
	    bench_suite_choose(suite_name, argv + n + 2, argc - n - 2, &suite))
		return 2;

	const int count = split(formats, results);
	printf("%-36s", "old time / new time");
	for (int f = 0; f < count; f++)
		printf(" %8s ", results[f].format);
	printf("\n");
	for (int i = 0; i < suite.count; i++) {
		bench_loaded m;
		const int status = bench_load(&suite.item[i], &m);
		failed |= status < 0;
		if (status != 0)
			continue;
		printf("%-36.36s", m.name);
		for (int f = 0; f < count; f++)
			failed |= compare(l, &m, &results[f], budget) < 0;
		printf("\n");
		bench_unload(&m);
	}
	print_means(results, count);
	for (int i = 0; i < 2; i++)
		l[i].context_destroy(l[i].context);
	bench_suite_free(&suite);
	return failed;
}
