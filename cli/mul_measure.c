/* mul_measure.c -- how long a multiplication takes, and whether its result is right. */
#include "mul.h"

#include <math.h>
#include <stdlib.h>

/* ---- times ----------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
	const double u = *(const double *)a, v = *(const double *)b;
	return (u > v) - (u < v);
}

/* Seconds of `times` multiplications. */
static double sample(void (*multiply)(void *work, int times), void *work, int times)
{
	const double start = cli_now();

	multiply(work, times);
	return cli_now() - start;
}

/* The first multiplication wakes the threads and fills the caches, so it is not timed. */
static int repeats_for(const cli_timed *of)
{
	enum { MOST = 1 << 20 };
	const double least = 1e-3;
	int repeats = 1;

	of->multiply(of->work, 1);
	while (repeats < MOST && sample(of->multiply, of->work, repeats) < least)
		repeats *= 2;
	return repeats;
}

double cli_median(double *value, int count)
{
	qsort(value, (size_t)count, sizeof *value, by_size);
	return (value[(count - 1) / 2] + value[count / 2]) / 2;
}

void cli_measure_in_turn(const cli_timed *of, int count, double seconds, cli_timing *out)
{
	enum { FEWEST = 5, MOST = 100000 };
	double *const taken = cli_alloc((int64_t)count * MOST, sizeof *taken);
	int rounds = 0;

	for (int n = 0; n < count; n++)
		out[n] = (cli_timing){ .repeats = repeats_for(&of[n]) };
	const double start = cli_now();
	for (double now = start; rounds < MOST && (rounds < FEWEST || now - start < seconds);
	     rounds++) {
		for (int n = 0; n < count; n++)
			taken[(int64_t)n * MOST + rounds] =
			    sample(of[n].multiply, of[n].work, out[n].repeats) / out[n].repeats;
		now = cli_now();
		cli_progress_set(NULL, (now - start) / seconds);
	}
	for (int n = 0; n < count; n++) {
		out[n].samples = rounds;
		out[n].median = cli_median(taken + (int64_t)n * MOST, rounds);
		out[n].best = taken[(int64_t)n * MOST]; /* in ascending order now */
	}
	cli_free(taken);
}

cli_timing cli_measure(void (*multiply)(void *work, int times), void *work, double seconds)
{
	cli_timing t;

	cli_measure_in_turn(&(cli_timed){ multiply, work }, 1, seconds, &t);
	return t;
}

static double gflops(int64_t nnz, double seconds)
{
	return seconds > 0 ? 2e-9 * (double)nnz / seconds : 0;
}

static double gbytes(const cli_timing *t, double seconds)
{
	return seconds > 0 ? 1e-9 * t->bytes / seconds : 0;
}

void cli_print_timing(const cli_timing *t, int64_t nnz)
{
	printf("measured    median %.6f ms, best %.6f ms; %d samples of %d", 1e3 * t->median,
	       1e3 * t->best, t->samples, t->repeats);
	if (t->threads >= 0)
		printf(", %d thread%s", t->threads, t->threads == 1 ? "" : "s");
	printf("\nspeed       %.3f GFlop/s, %.3f GB/s by the median (matrix, x and y once each)\n",
	       gflops(nnz, t->median), gbytes(t, t->median));
}

void cli_json_timing(const cli_timing *t, int64_t nnz)
{
	cli_json_open("time", '{');
	cli_json_integer("samples", t->samples);
	cli_json_integer("multiplications_a_sample", t->repeats);
	if (t->threads >= 0)
		cli_json_integer("threads", t->threads);
	cli_json_number("median_seconds", t->median);
	cli_json_number("best_seconds", t->best);
	cli_json_number("gflops", gflops(nnz, t->median));
	cli_json_number("gbytes_per_second", gbytes(t, t->median));
	cli_json_close();
}

/* ---- the result ------------------------------------------------------------------------------ */

void cli_spoil(tulle_value_type type, void *y, int64_t n)
{
	for (int64_t i = 0; i < n; i++) {
		if (type == TULLE_F32)
			((float *)y)[i] = NAN;
		else
			((double *)y)[i] = NAN;
	}
}

kit_oracle *cli_oracle(const tulle_csr_view *a, tulle_op op, const void *x)
{
	kit_oracle *const oracle = kit_oracle_create(a, op, 1, x, 0, NULL);

	if (!oracle)
		cli_fail(CLI_MEMORY, "%s", kit_error());
	return oracle;
}

kit_verdict cli_verdict(const tulle_csr_view *a, tulle_op op, const void *x, const void *y)
{
	if (cli_parts(a->value_type) == 2) {
		kit_complex_oracle *const o = kit_complex_oracle_create(a, op, x);

		if (!o)
			cli_fail(CLI_MEMORY, "%s", kit_error());
		const kit_verdict of_parts =
		    kit_complex_oracle_check(o, (kit_complex){ 1, 0 }, (kit_complex){ 0, 0 }, NULL, y);
		kit_complex_oracle_free(o);
		return of_parts;
	}
	kit_oracle *const oracle = cli_oracle(a, op, x);
	const kit_verdict v = kit_oracle_check(oracle, y);
	kit_oracle_free(oracle);
	return v;
}

void cli_print_verdict(const kit_verdict *v)
{
	if (v->violations)
		printf("check       %sWRONG%s: %s of %s rows beyond their error bound, worst is row %s\n",
		       cli_bold(), cli_plain(), cli_commas(v->violations), cli_commas(v->rows),
		       cli_commas(v->worst_row + 1));
	else
		printf("check       right: %s rows within their error bound, the worst at %.3f of it\n",
		       cli_commas(v->rows), v->worst);
	if (v->overflowed)
		printf("            %s rows may overflow and were not checked\n",
		       cli_commas(v->overflowed));
}

void cli_json_verdict(const kit_verdict *v)
{
	cli_json_open("check", '{');
	cli_json_bool("right", !v->violations);
	cli_json_integer("rows", v->rows);
	cli_json_integer("violations", v->violations);
	cli_json_integer("overflowed", v->overflowed);
	cli_json_number("worst_error_over_bound", v->worst);
	cli_json_close();
}
