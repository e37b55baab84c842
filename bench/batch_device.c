/* batch_device.c -- tulle-batch --device: every batch on one GPU. */
#include "batch_device.h"

#include "batch_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of all rows of all problems. */
static double length_variation(const bench_batch *b)
{
	const double mean = (double)b->total_nnz / (double)b->total_rows;
	double squares = 0;
	for (int64_t i = 0; i < b->count; i++)
		squares += bench_length_squares(b->row_ptr + b->row_at[i], b->rows[i], mean);
	return sqrt(squares / (double)b->total_rows) / mean;
}

/* x, y0 and the arrays stay those of the case. */
static int one(bench_device_session *s, const bench_case *c)
{
	const bench_batch *b = &c->b;
	const bench_device_subject subject = { .name = c->name,
		                                   .a = { .rows = b->total_rows,
		                                          .cols = b->total_cols,
		                                          .nnz = b->total_nnz,
		                                          .f32 = b->f32,
		                                          .adds = 1,
		                                          .batch = b },
		                                   .longest = bench_longest_row(b),
		                                   .variation = length_variation(b),
		                                   .x = c->x,
		                                   .start = c->y0,
		                                   .oracle = bench_case_oracle(c) };
	if (!subject.oracle) {
		fprintf(stderr, "%s: out of memory\n", c->name);
		return -1;
	}
	bench_device_one(s, &subject);
	kit_oracle_free(subject.oracle);
	return 0;
}

int bench_batch_device(const bench_device_wishes *wishes, char **spec, int count, int64_t problems)
{
	enum { EXIT_USAGE = 2 };
	bench_device_session *s = bench_device_begin(wishes);
	if (!s)
		return EXIT_USAGE;
	for (int n = 0; n < count; n++) {
		bench_case c;
		const int left_out = bench_case_make(spec[n], problems, !strcmp(wishes->type, "f32"), &c);
		if (left_out > 0)
			printf("%s: left out, $TULLE_MATRICES does not have it\n", spec[n]);
		if (left_out < 0 || (!left_out && one(s, &c)))
			bench_device_failed(s);
		if (!left_out)
			bench_case_free(&c);
	}
	return bench_device_end(s);
}
