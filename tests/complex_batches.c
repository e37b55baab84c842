/* complex_batches.c -- batches of complex matrices at the public functions: what a call takes and refuses, factors of
 * problems, and allocations that fail. */
#include "complex_problem.h"
#include "heap.h"
#include "tulle_batch.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { COUNT = 3, ENTRIES = 4 };

static const int64_t rows[COUNT] = { 2, 2, 2 };
static const int32_t row_ptr[] = { 0, 2, 4 }, col[] = { 0, 1, 1, 0 };

/* Three matrices of one pattern. */
static tulle_batch_source source_of(const double _Complex *val, const double *scale)
{
	return (tulle_batch_source){ .size = sizeof(tulle_batch_source),
		                         .count = COUNT,
		                         .rows = rows,
		                         .cols = rows,
		                         .offset_type = TULLE_I32,
		                         .column_type = TULLE_I32,
		                         .value_type = TULLE_C128,
		                         .shared = TULLE_SHARED_ROWS | TULLE_SHARED_COLUMNS,
		                         .row_ptr = row_ptr,
		                         .col = col,
		                         .val = val,
		                         .scale = scale };
}

static const double _Complex values[COUNT * ENTRIES] = { 1 + 2 * I, 3, -I, 2 + 2 * I, 5,     1 - I,
	                                                     I,         4, -2, 3 * I,     1 + I, 1 };
static const double _Complex x[2 * COUNT] = { 1, I, 2 - I, 1 + I, 3, -2 * I };

static tulle_batch *batch_of(const double *scale, const char *kernel)
{
	const tulle_batch_source s = source_of(values, scale);
	tulle_batch *b = NULL;

	CHECK_OK(tulle_batch_create(
	    NULL, &s, &(tulle_batch_options){ .size = sizeof(tulle_batch_options), .kernel = kernel },
	    &b));
	return b;
}

/* C's complex numbers, by a cast of the pointers; small whole numbers are exact. */
static void check_example(const char *kernel)
{
	const double scale[COUNT] = { 1, -2, 4 };
	double _Complex y[2 * COUNT];
	tulle_batch *b = batch_of(scale, kernel);

	check_about("an example, %s", kernel);
	for (int i = 0; i < 2 * COUNT; i++)
		y[i] = 1;
	CHECK_OK(tulle_batch_mul_c128(b, TULLE_PACKED, (tulle_c128){ 0, 2 }, (const tulle_c128 *)x,
	                              (tulle_c128){ 0, 1 }, (tulle_c128 *)y));
	for (int i = 0; i < COUNT; i++) {
		const double _Complex *v = values + ENTRIES * i, *xi = x + 2 * i;

		CHECK(y[2 * i] == 2 * I * (scale[i] * (v[0] * xi[0] + v[1] * xi[1])) + I);
		CHECK(y[2 * i + 1] == 2 * I * (scale[i] * (v[2] * xi[1] + v[3] * xi[0])) + I);
	}
	tulle_batch_destroy(b);
	check_group("an example, %s", kernel);
}

/* A real alpha times a factor Inf of a problem stays real: no part is multiplied by 0. */
static void check_infinite_scale(const char *kernel)
{
	const double scale[COUNT] = { 1, INFINITY, 1 };
	double _Complex y[2 * COUNT];
	tulle_batch *b = batch_of(scale, kernel);

	check_about("scale Inf, %s", kernel);
	CHECK_OK(tulle_batch_mul_c128(b, TULLE_PACKED, (tulle_c128){ 1, 0 }, (const tulle_c128 *)x,
	                              (tulle_c128){ 0, 0 }, (tulle_c128 *)y));
	CHECK(creal(y[2]) == INFINITY && cimag(y[2]) == -INFINITY); /* of 12 - 5i */
	CHECK(y[0] == 1 + 5 * I && y[5] == -2 * I * (1 + I) + 3);
	tulle_batch_destroy(b);
	check_group("scale Inf, %s", kernel);
}

static void check_calls(void)
{
	const tulle_c128 one = { 1, 0 };
	double d[32] = { 0 };
	float f[32] = { 0 };
	const tulle_c128 *xs[COUNT];
	tulle_c128 *ys[COUNT];
	const tulle_c128 *from = (const tulle_c128 *)(d + 1); /* a multiple of a part is enough */
	tulle_c128 *to = (tulle_c128 *)(d + 15);
	tulle_batch *b = batch_of(NULL, "csr");

	check_about("calls");
	CHECK_STATUS(tulle_batch_mul_f64(b, TULLE_PACKED, 1, d, 0, d + 16), TULLE_E_TYPE);
	CHECK_WORDS(tulle_last_error(), "c128 f64");
	CHECK_STATUS(tulle_batch_mul_c64(b, TULLE_PACKED, (tulle_c64){ 1, 0 }, (const tulle_c64 *)f,
	                                 (tulle_c64){ 0, 0 }, (tulle_c64 *)f + 8),
	             TULLE_E_TYPE);
	CHECK_WORDS(tulle_last_error(), "c128 c64");
	memcpy(d + 1, x, sizeof x);
	CHECK_OK(tulle_batch_mul_c128(b, TULLE_PACKED, one, from, (tulle_c128){ 0, 0 }, to));
	CHECK(to[0].re == 1 && to[0].im == 5);
	CHECK_STATUS(tulle_batch_mul_c128(b, TULLE_PACKED, one, from, one, to - 2), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "overlap");
	CHECK_STATUS(tulle_batch_mul_c128(b, TULLE_PACKED, one, (const tulle_c128 *)(f + 1), one, to),
	             TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "multiple 8 bytes");
	for (int i = 0; i < COUNT; i++) {
		xs[i] = from + 2 * i;
		ys[i] = to + 2 * i;
	}
	CHECK_OK(tulle_batch_mul_list_c128(b, one, xs, one, ys));
	CHECK(to[0].re == 2 && to[0].im == 10);
	ys[1] = (tulle_c128 *)(d + 4);
	CHECK_STATUS(tulle_batch_mul_list_c128(b, one, xs, one, ys), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "problem 1: overlap");
	CHECK_STATUS(tulle_batch_update(b, (const char *)values + 4), TULLE_E_ARGUMENT);
	CHECK_OK(tulle_batch_update(b, values));
	tulle_batch_destroy(b);
	check_group("calls of batches");
}

/* ---- allocations that fail ---- */

static tulle_status live(const char *kernel, double _Complex *y)
{
	const tulle_batch_source s = source_of(values, NULL);
	const tulle_batch_options o = { .size = sizeof o, .kernel = kernel };
	tulle_context *context = NULL;
	tulle_batch *b = NULL;
	tulle_status status =
	    tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                   .threads = 1,
	                                                   .alloc = heap_alloc,
	                                                   .free = heap_free,
	                                                   .user = &heap },
	                         &context);

	if (status == TULLE_OK)
		status = tulle_batch_create(context, &s, &o, &b);
	if (status == TULLE_OK)
		status = tulle_batch_update(b, values);
	if (status == TULLE_OK)
		status = tulle_batch_mul_c128(b, TULLE_PACKED, (tulle_c128){ 1, 0 }, (const tulle_c128 *)x,
		                              (tulle_c128){ 0, 0 }, (tulle_c128 *)y);
	tulle_batch_destroy(b);
	tulle_context_destroy(context);
	return status;
}

static void check_failing(const char *kernel)
{
	double _Complex y[2 * COUNT];
	tulle_status s;
	int failed = 0;

	check_about("allocations, %s", kernel);
	for (heap.fail_at = 1;; heap.fail_at++) {
		heap.asked = 0;
		s = live(kernel, y);
		CHECK_EQUAL(heap.live_blocks, 0);
		if (heap.asked < heap.fail_at)
			break;
		failed++;
		CHECK_STATUS(s, TULLE_E_MEMORY);
	}
	heap.fail_at = 0;
	CHECK_STATUS(s, TULLE_OK);
	CHECK(failed > 10);
	CHECK(y[0] == 1 + 5 * I);
	check_group("%d allocations of a batch, %s", failed, kernel);
}

void check_complex_batches(void)
{
	static const char *const kernels[] = { "csr", "sell", "ell", "interleaved" };

	for (int k = 0; k < 4; k++) {
		check_example(kernels[k]);
		check_infinite_scale(kernels[k]);
		check_failing(kernels[k]);
	}
	check_calls();
}
