/* versions.c -- tulle-versions: two builds of libtulle side by side, for "speed is unchanged".
 *
 * Both libraries are loaded into one process and multiply in turn, so that noise affects both alike.
 * Only the public header is used, whose structs grow at the end, so one of them may be an older
 * version. */
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
    "  --type f32|f64   of values and vectors (default: f64)\n"
    "  --vectors K      row-major vectors at once (default: 1)\n"
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
	__typeof__(tulle_mul_f32) *mul_f32;
	__typeof__(tulle_mul_f64) *mul_f64;
	__typeof__(tulle_mul_many_f32) *mul_many_f32;
	__typeof__(tulle_mul_many_f64) *mul_many_f64;
	tulle_context *context;
} library;

/* A matrix whose values and vectors are of one type. */
typedef struct {
	const bench_matrix *a;
	tulle_value_type type;
	int64_t vectors;
	const void *val;
} product;

typedef struct {
	const library *by;
	const product *of;
	tulle_plan *plan;
} planned;

/* x and y are of the product's type, whatever the bench calls them. */
static int multiply(void *state, const double *x, double *y)
{
	const planned *p = state;
	const int64_t k = p->of->vectors;
	const void *in = x;
	void *out = y;
	if (p->of->type == TULLE_F32)
		return k == 1 ? p->by->mul_f32(p->plan, 1, in, 0, out)
		              : p->by->mul_many_f32(p->plan, k, TULLE_ROW_MAJOR, 1, in, k, 0, out, k);
	return k == 1 ? p->by->mul_f64(p->plan, 1, in, 0, out)
	              : p->by->mul_many_f64(p->plan, k, TULLE_ROW_MAJOR, 1, in, k, 0, out, k);
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
	/* RTLD_DEEPBIND: the program links a libtulle as well, and calls inside this library must not be
	 * resolved to that one. */
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
	if (!handle || find(handle, "tulle_context_create", &l->context_create) ||
	    find(handle, "tulle_context_destroy", &l->context_destroy) ||
	    find(handle, "tulle_matrix_from_csr", &l->matrix_from_csr) ||
	    find(handle, "tulle_matrix_destroy", &l->matrix_destroy) ||
	    find(handle, "tulle_plan_create", &l->plan_create) ||
	    find(handle, "tulle_plan_destroy", &l->plan_destroy) ||
	    find(handle, "tulle_mul_f32", &l->mul_f32) || find(handle, "tulle_mul_f64", &l->mul_f64) ||
	    find(handle, "tulle_mul_many_f32", &l->mul_many_f32) ||
	    find(handle, "tulle_mul_many_f64", &l->mul_many_f64)) {
		fprintf(stderr, "%s: %s\n", path, dlerror());
		return -1;
	}
	if (l->context_create(options, &l->context) == TULLE_OK)
		return 0;
	fprintf(stderr, "%s: no context\n", path);
	return -1;
}

/* A plan, NULL when the format does not take the matrix. */
static tulle_plan *plan(const library *l, const product *of, const char *format)
{
	const bench_matrix *a = of->a;

	const tulle_plan_options options = { .size = sizeof options,
		                                 .format = strcmp(format, "auto") ? format : NULL,
		                                 .multiplies = 1000 };
	tulle_matrix *matrix = NULL;
	tulle_plan *p = NULL;
	if (l->matrix_from_csr(l->context, a->rows, a->cols, TULLE_I32, a->row_ptr, TULLE_I32, a->col,
	                       of->type, of->val, NULL, &matrix) == TULLE_OK)
		l->plan_create(matrix, &options, &p);
	l->matrix_destroy(matrix);
	return p;
}

typedef struct {
	const char *format;
	double sum_of_logs, least, most;
	int count;
} result;

/* n numbers of this type: those of `from`, or various numbers. NULL: memory is exhausted. */
static void *numbers(tulle_value_type type, int64_t n, const double *from)
{
	void *out = malloc((size_t)(n + 1) * sizeof(double));
	for (int64_t i = 0; out && i < n; i++) {
		const double value = from ? from[i] : 1 / (double)(i % 97 + 3);
		if (type == TULLE_F32)
			((float *)out)[i] = (float)value;
		else
			((double *)out)[i] = value;
	}
	return out;
}

static int compare(const library *l, const product *of, result *r, double budget)
{
	void *x = numbers(of->type, of->a->cols * of->vectors, NULL);
	void *y = numbers(of->type, of->a->rows * of->vectors, NULL);
	planned p[2] = { { &l[OLD], of, plan(&l[OLD], of, r->format) },
		             { &l[NEW], of, plan(&l[NEW], of, r->format) } };
	bench_runner run[2] = { { .table = &version, .state = &p[OLD] },
		                    { .table = &version, .state = &p[NEW] } };
	int failed = !x || !y;
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
	product of = { .type = TULLE_F64, .vectors = 1 };
	bench_suite suite = { 0 };
	library l[2];
	result results[FORMATS] = { { 0 } };
	int n = 1, failed = 0;

	for (; n + 1 < argc && argv[n][0] == '-'; n += 2) {
		if (strcmp(argv[n], "--suite") == 0)
			suite_name = argv[n + 1];
		else if (strcmp(argv[n], "--formats") == 0)
			snprintf(formats, sizeof formats, "%s", argv[n + 1]);
		else if (strcmp(argv[n], "--type") == 0)
			of.type = strcmp(argv[n + 1], "f32") ? TULLE_F64 : TULLE_F32;
		else if (strcmp(argv[n], "--vectors") == 0)
			of.vectors = atoi(argv[n + 1]);
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
		void *val = numbers(of.type, m.a.nnz, m.a.val);
		of.a = &m.a;
		of.val = val;
		printf("%-36.36s", m.name);
		for (int f = 0; val && f < count; f++)
			failed |= compare(l, &of, &results[f], budget) < 0;
		printf("\n");
		failed |= !val;
		free(val);
		bench_unload(&m);
	}
	print_means(results, count);
	for (int i = 0; i < 2; i++)
		l[i].context_destroy(l[i].context);
	bench_suite_free(&suite);
	return failed;
}
