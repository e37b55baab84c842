/* steps.c -- the steps of the conversion to csr5 (CSR5 paper, Fig. 10): the time of each, in
 * multiplications by the result, as the library's log reports it. */
#include "suite.h"
#include "tulle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 4, ROUNDS = 5 };

static const char *const names[STEPS] = { "allocation", "tile_ptr", "tile_desc", "transposition" };

typedef struct {
	double seconds[STEPS];
} steps;

/* "csr5: allocation 0.1 s, tile_ptr 0.2 s, ..." */
static void read_line(void *user, tulle_log_level level, const char *line)
{
	steps *s = user;

	(void)level;
	if (strncmp(line, "csr5: allocation ", 17) != 0)
		return;
	for (int n = 0; n < STEPS; n++) {
		const char *at = strstr(line, names[n]);

		if (at)
			s->seconds[n] = strtod(at + strlen(names[n]), NULL);
	}
}

static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The best of several multiplications. */
static double multiply(const tulle_plan *plan, const bench_matrix *a)
{
	double *x = calloc((size_t)a->cols + 1, sizeof *x), *y = calloc((size_t)a->rows + 1, sizeof *y);
	double best = 1e9;

	for (int n = 0; x && y && n < 20; n++) {
		const double begin = seconds_now();
		double took;

		tulle_mul_f64(plan, 1, x, 0, y);
		took = seconds_now() - begin;
		best = took < best ? took : best;
	}
	free(x);
	free(y);
	return best;
}

static int measure(const bench_item *item, int threads)
{
	steps best = { { 1e9, 1e9, 1e9, 1e9 } }, now = { { 0 } };
	tulle_context *context;
	tulle_matrix *matrix = NULL;
	double unit = 1e9, total = 0;
	bench_loaded m;
	const int left_out = bench_load(item, &m);

	if (left_out)
		return left_out < 0 ? -1 : 0;
	tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                               .threads = threads,
	                                               .log = read_line,
	                                               .user = &now },
	                     &context);
	tulle_matrix_from_csr(context, m.a.rows, m.a.cols, TULLE_I32, m.a.row_ptr, TULLE_I32, m.a.col,
	                      TULLE_F64, m.a.val, NULL, &matrix);
	for (int r = 0; matrix && r < ROUNDS; r++) {
		tulle_plan *plan = NULL;
		double took;

		if (tulle_plan_create(
		        matrix,
		        &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .format = "csr5" },
		        &plan) != TULLE_OK)
			break;
		took = multiply(plan, &m.a);
		unit = took < unit ? took : unit;
		for (int n = 0; n < STEPS; n++)
			best.seconds[n] = now.seconds[n] < best.seconds[n] ? now.seconds[n] : best.seconds[n];
		tulle_plan_destroy(plan);
	}
	if (!matrix)
		fprintf(stderr, "%s: %s\n", m.name, tulle_last_error());
	printf("%-36.36s %10lld", m.name, (long long)m.a.nnz);
	for (int n = 0; n < STEPS; n++) {
		total += best.seconds[n];
		printf(" %13.2f", best.seconds[n] / unit);
	}
	printf(" %8.2f\n", total / unit);
	tulle_matrix_destroy(matrix);
	tulle_context_destroy(context);
	bench_unload(&m);
	return 0;
}

int main(int argc, char **argv)
{
	const char *suite_name = NULL;
	bench_suite suite = { 0 };
	int threads = 0, status = 0, n = 1;

	for (; n < argc; n++) {
		if (strcmp(argv[n], "--suite") == 0 && n + 1 < argc)
			suite_name = argv[++n];
		else if (strcmp(argv[n], "--threads") == 0 && n + 1 < argc)
			threads = atoi(argv[++n]);
		else if (strncmp(argv[n], "--", 2) == 0) {
			printf("usage: tulle-steps [--threads N] [--suite NAME | MATRIX...]\n");
			return strcmp(argv[n], "--help") == 0 ? 0 : 2;
		} else
			break;
	}
	if (bench_suite_choose(suite_name, argv + n, argc - n, &suite) != 0)
		return 2;
	printf("Conversion to csr5 by its steps, in multiplications by the result; best of "
	       "%d.\n\n%-36s %10s",
	       ROUNDS, "matrix", "nnz");
	for (n = 0; n < STEPS; n++)
		printf(" %13s", names[n]);
	printf(" %8s\n", "all");
	for (n = 0; n < suite.count; n++)
		status |= measure(&suite.item[n], threads) != 0 ? 2 : 0;
	bench_suite_free(&suite);
	return status;
}
