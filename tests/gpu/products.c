/* products.c -- every format and kernel for GPUs on one device, against the oracle and its bound.
 *
 * Usage: test_gpu_products [--device NAME] [--width N] [--local] [--format TEXT] [--type f32|f64]
 *                          [--offsets 32|64] [--brief | --tiny | --least] [--bits] [--launches FILE]
 *
 * --width N, --local: the options of tulle_device_open(). --format TEXT: only formats whose name begins so,
 * in whole words. --launches FILE: for the names of the kernels that were launched; OpenCL only. --bits: print a hash of each result that is promised to have the same bits every time; who runs the
 * program in several orders of threads compares them. Without a device the test is skipped. */
#include "core/hash.h"
#include "device.h"
#include "kit.h"
#include "matrices.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t plans;

/* ---- one product ---- */

/* y = alpha A x + beta y with all of it on the device; y is read back. */
static int product(const tulle_device_plan *plan, tulle_value_type type, int64_t rows, int64_t cols,
                   double alpha, const void *x, double beta, void *y)
{
	tulle_vector *dx = NULL, *dy = NULL;
	const int right = CHECK_OK(tulle_vector_create(gpu.device, type, cols, NULL, &dx)) &&
	                  CHECK_OK(tulle_vector_create(gpu.device, type, rows, NULL, &dy)) &&
	                  CHECK_OK(tulle_vector_write(gpu.queue, dx, 0, cols, x)) &&
	                  CHECK_OK(tulle_vector_write(gpu.queue, dy, 0, rows, y)) &&
	                  CHECK_OK(tulle_device_mul(plan, gpu.queue, alpha, dx, beta, dy)) &&
	                  CHECK_OK(tulle_vector_read(gpu.queue, dy, 0, rows, y));

	tulle_vector_destroy(dx);
	tulle_vector_destroy(dy);
	return right;
}

/* ---- checks of one plan ---- */

typedef struct {
	matrix m;
	tulle_value_type type;
	arrays a;
	tulle_matrix *handle;
	const tulle_device_plan *plan;
	void *x, *y;
} problem;

/* Within the bound for this alpha and beta; NaN in y where beta is 0. */
static void check_bound(problem *p, double alpha, double beta)
{
	const tulle_csr_view a = csr_view_of(&p->m, p->type, &p->a);
	void *b = grab(p->m.rows, value_size(p->type));
	kit_oracle *oracle;

	kit_random_fill(KIT_UNIFORM, 7, p->type, p->m.rows, b);
	oracle = kit_oracle_create(&a, TULLE_NORMAL, alpha, p->x, beta, b);
	memcpy(p->y, b, (size_t)p->m.rows * value_size(p->type));
	if (beta == 0)
		value_fill(p->type, p->y, p->m.rows, NAN);
	if (CHECK_THAT(oracle, "the oracle: %s", kit_error()) &&
	    product(p->plan, p->type, p->m.rows, p->m.cols, alpha, p->x, beta, p->y))
		check_within(oracle, p->type, p->y, alpha, beta);
	kit_oracle_free(oracle);
	free(b);
}

/* The same call again gives the same bits, if that is promised. */
static void check_bits(problem *p, const char *format)
{
	const size_t bytes = (size_t)p->m.rows * value_size(p->type);
	void *again = grab(p->m.rows, value_size(p->type));

	if (product(p->plan, p->type, p->m.rows, p->m.cols, 1, p->x, 0, p->y) &&
	    product(p->plan, p->type, p->m.rows, p->m.cols, 1, p->x, 0, again))
		CHECK_THAT(memcmp(p->y, again, bytes) == 0, "two calls, two results");
	if (gpu.bits)
		printf("bits %s %s %d %016" PRIx64 " %s\n", format, type_name(p->type), gpu.offsets,
		       tulle__hash(1, p->y, bytes), p->m.name);
	free(again);
}

/* Two elements of x are Inf, the first and another: only rows that hold their columns may notice. Padding often
 * has column 0. */
static void check_neighbours(problem *p)
{
	const int64_t rows = p->m.rows;
	int64_t at = -1, wrong = -1;

	for (int64_t i = rows / 3; i < rows && at < 0; i++)
		if (p->m.row_ptr[i + 1] - p->m.row_ptr[i] > 0)
			at = i;
	if (at >= 0) {
		const int64_t j = p->m.col[p->m.row_ptr[at]];
		const double kept = value_at(p->type, p->x, j), first = value_at(p->type, p->x, 0);

		value_set(p->type, p->x, j, INFINITY);
		value_set(p->type, p->x, 0, INFINITY);
		if (product(p->plan, p->type, rows, p->m.cols, 1, p->x, 0, p->y))
			for (int64_t i = 0; i < rows && wrong < 0; i++) {
				int touched = 0;

				for (int64_t k = p->m.row_ptr[i]; k < p->m.row_ptr[i + 1]; k++)
					touched |= p->m.col[k] == j || p->m.col[k] == 0;
				if (touched != !isfinite(value_at(p->type, p->y, i)))
					wrong = i;
			}
		CHECK_THAT(wrong < 0, "Inf in x[0] and x[%" PRId64 "]: y[%" PRId64 "] = %g", j, wrong,
		           wrong < 0 ? 0 : value_at(p->type, p->y, wrong));
		value_set(p->type, p->x, 0, first);
		value_set(p->type, p->x, j, kept);
	}
}

/* Whole numbers: exact in any order. */
static void check_exact(problem *p)
{
	int64_t wrong = -1;
	double want = 0;

	value_fill(p->type, p->y, p->m.rows, 3);
	if (!product(p->plan, p->type, p->m.rows, p->m.cols, 2, p->x, -1, p->y))
		return;
	for (int64_t i = 0; i < p->m.rows && wrong < 0; i++) {
		want = 0;
		for (int64_t k = p->m.row_ptr[i]; k < p->m.row_ptr[i + 1]; k++)
			want += p->m.val[k] * value_at(p->type, p->x, p->m.col[k]);
		if (value_at(p->type, p->y, i) != 2 * want - 3)
			wrong = i;
	}
	CHECK_THAT(wrong < 0, "whole numbers: y[%" PRId64 "] = %.17g, not %.17g", wrong,
	           wrong < 0 ? 0 : value_at(p->type, p->y, wrong), 2 * want - 3);
}

/* ---- the walk ---- */

/* Every fourth matrix is multiplied without values, too: all of them ones. */
enum { PATTERN_EACH = 4, PATTERN_FIRST = 2 };

static void check_info(const problem *p, const tulle_device_format_info *f)
{
	tulle_device_plan_info info = { .size = sizeof info };

	if (!CHECK_OK(tulle_device_plan_describe(p->plan, &info)))
		return;
	CHECK_THAT(strcmp(info.format, f->format) == 0, "format is %s", info.format);
	CHECK_EQUAL(info.rows, p->m.rows);
	CHECK_EQUAL(info.cols, p->m.cols);
	CHECK_EQUAL(info.nnz, p->m.nnz);
	CHECK_EQUAL(info.same_bits, f->same_bits);
	CHECK(info.peak >= info.bytes && info.bytes > 0);
}

static tulle_device_plan *plan_of(const problem *p, const char *format)
{
	const tulle_device_plan_options o = { .size = sizeof o,
		                                  .format = format,
		                                  .offset_bits = gpu.offsets };
	tulle_device_plan *plan = NULL;

	CHECK_OK(tulle_device_plan_create(gpu.device, p->handle, &o, &plan));
	plans += plan != NULL;
	return plan;
}

static void make_handle(problem *p, int pattern)
{
	p->a = cast(&p->m, pairs[0], p->type, 0);
	if (pattern) {
		free(p->a.val);
		p->a.val = NULL;
	}
	p->handle = borrow(NULL, &p->m, pairs[0], p->type, &p->a);
}

static void drop_handle(problem *p)
{
	tulle_matrix_destroy(p->handle);
	arrays_free(&p->a);
}

static void check_values(problem *p, const tulle_device_format_info *f)
{
	static const double factor[][2] = { { 1, 0 }, { -0.5, 2 }, { 0, 1 }, { 2, 1 } };
	tulle_device_plan *plan;
	uint64_t state = 5;

	/* Rows of very different size: sums that are differences of prefix sums lose the small ones. */
	for (int64_t i = 0; i < p->m.rows; i++)
		for (int64_t k = p->m.row_ptr[i]; k < p->m.row_ptr[i + 1]; k++)
			p->m.val[k] = (double)(float)(random_unit(&state) * (i % 5 == 2 ? 0x1p40 : 1));
	kit_random_fill(KIT_UNIFORM, 3, p->type, p->m.cols, p->x);
	make_handle(p, 0);
	plan = p->handle ? plan_of(p, f->format) : NULL;
	p->plan = plan;
	if (plan) {
		check_info(p, f);
		for (int n = 0; n < (gpu.terse >= 2 ? 2 : 4); n++)
			check_bound(p, factor[n][0], factor[n][1]);
		if (f->same_bits && (gpu.terse < 2 || gpu.bits))
			check_bits(p, f->format);
		check_neighbours(p);
	}
	tulle_device_plan_destroy(plan);
	drop_handle(p);
}

static void check_whole_numbers(problem *p, const tulle_device_format_info *f, int pattern)
{
	tulle_device_plan *plan;
	uint64_t state = 9;

	matrix_whole_values(&p->m, &state, 8);
	for (int64_t k = 0; pattern && k < p->m.nnz; k++)
		p->m.val[k] = 1;
	for (int64_t j = 0; j < p->m.cols; j++)
		value_set(p->type, p->x, j, (double)random_below(&state, 17) - 8);
	make_handle(p, pattern);
	plan = p->handle ? plan_of(p, f->format) : NULL;
	p->plan = plan;
	if (plan)
		check_exact(p);
	tulle_device_plan_destroy(plan);
	drop_handle(p);
}

static void check_format(const tulle_device_format_info *f, tulle_value_type type)
{
	problem p = { .type = type };

	for (int n = 0; gpu_matrix(n, gpu.terse, &p.m); n++) {
		check_about("%s, %s, %s", f->format, type_name(type), p.m.name);
		p.x = grab(p.m.cols, value_size(type));
		p.y = grab(p.m.rows, value_size(type));
		check_values(&p, f);
		check_whole_numbers(&p, f, 0);
		if (n % PATTERN_EACH == PATTERN_FIRST)
			check_whole_numbers(&p, f, 1);
		free(p.x);
		free(p.y);
		matrix_free(&p.m);
	}
	check_group("%s, %s", f->format, type_name(type));
}

int main(int argc, char **argv)
{
	tulle_device_format_info f = { .size = sizeof f };

	if (!gpu_open(argc, argv))
		return check_end();
	for (int n = 0; tulle_device_format(n, &f); n++)
		for (int t = TULLE_F32; t <= TULLE_F64; t++)
			if ((f.width == 0 || f.width <= gpu.width) && gpu_wants(f.format, (tulle_value_type)t))
				check_format(&f, (tulle_value_type)t);
	gpu_close();
	CHECK_THAT(plans > 0, "no plan was made");
	return check_end();
}
