/* complex_api.c -- complex values at the public functions: what is refused and how, what the planner chooses,
 * and allocations that fail. */
#include "complex_problem.h"
#include "heap.h"
#include "tulle_pagerank.h"

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int32_t row_ptr[] = { 0, 2, 3, 4 }, col[] = { 0, 2, 1, 0 };
static const tulle_c128 val[] = { { 1, 2 }, { 3, 0 }, { 0, -1 }, { 2, 2 } };

static tulle_matrix *small_matrix(void)
{
	tulle_matrix *a = NULL;

	CHECK_OK(tulle_matrix_from_csr(NULL, 3, 3, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_C128, val,
	                               NULL, &a));
	return a;
}

static tulle_plan *plan_by(const tulle_matrix *a, const char *format)
{
	tulle_plan *plan = NULL;

	CHECK_OK(tulle_plan_create(
	    a, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .format = format }, &plan));
	return plan;
}

/* C's complex numbers, by a cast of the pointers. */
static void check_example(void)
{
	const double _Complex x[] = { 1, I, 2 - I };
	double _Complex y[] = { 1, 1, 1 };
	tulle_matrix *a = small_matrix();
	tulle_plan *plan = plan_by(a, NULL);

	check_about("an example");
	CHECK_OK(tulle_mul_c128(plan, (tulle_c128){ 2, 0 }, (const tulle_c128 *)x, (tulle_c128){ 0, 1 },
	                        (tulle_c128 *)y));
	CHECK(y[0] == 2 * ((1 + 2 * I) + 3 * (2 - I)) + I);
	CHECK(y[1] == 2 * (-I * I) + I);
	CHECK(y[2] == 2 * (2 + 2 * I) + I);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	check_group("an example");
}

static void check_calls(void)
{
	const tulle_c128 one = { 1, 0 }, beta = { 0.5, 2 };
	tulle_c128 x[4] = { { 1, 1 } }, y[4];
	double d[8] = { 0 };
	float f[8] = { 0 };
	tulle_matrix *a = small_matrix();
	tulle_plan *plan = plan_by(a, "sell");

	check_about("calls");
	CHECK_STATUS(tulle_mul_f64(plan, 1, d, 0, d + 4), TULLE_E_TYPE);
	CHECK_WORDS(tulle_last_error(), "c128 f64");
	CHECK_STATUS(tulle_mul_c64(plan, (tulle_c64){ 1, 0 }, (const tulle_c64 *)f, (tulle_c64){ 0, 0 },
	                           (tulle_c64 *)f + 4),
	             TULLE_E_TYPE);
	CHECK_STATUS(tulle_mul_c128(plan, one, NULL, one, y), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_mul_c128(plan, one, x, one, x + 1), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "overlap");
	CHECK_STATUS(tulle_mul_add_c128(plan, one, x, beta, NULL, y), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "b NULL beta 0.5+2i");
	/* A multiple of a part, not of a number, is as good as C's own arrays are. */
	memcpy((double *)x + 1, (double[]){ 1, 0, 0, 0, 0, 0 }, 6 * sizeof(double));
	CHECK_OK(tulle_mul_c128(plan, one, (const tulle_c128 *)((double *)x + 1), (tulle_c128){ 0, 0 },
	                        (tulle_c128 *)((double *)y + 1)));
	CHECK(((double *)y)[1] == 1 && ((double *)y)[2] == 2);
	CHECK_STATUS(tulle_mul_c128(plan, one, (const tulle_c128 *)((char *)x + 4), one, y),
	             TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "multiple 8 bytes");
	CHECK_STATUS(tulle_plan_get(plan, 0, 0, d), TULLE_E_UNSUPPORTED);
	CHECK_STATUS(tulle_plan_set(plan, 0, 0, 1), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "complex");
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	check_group("calls");
}

static void count_warnings(void *user, tulle_log_level level, const char *line)
{
	(void)line;
	*(int *)user += level == TULLE_LOG_WARNING;
}

/* Sets that differ in how they gather share the kernels of complex types: that is no reason to warn. */
static void check_no_warning(void)
{
	static const char *const sets[] = { "avx2_loads", "avx512_loads" };

	check_about("log");
	for (int n = 0; n < 2; n++) {
		int warnings = 0;
		tulle_context *context = NULL;
		tulle_matrix *a = NULL;
		tulle_plan *plan = NULL;

		if (tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
		                                                   .isa = sets[n],
		                                                   .log = count_warnings,
		                                                   .user = &warnings },
		                         &context))
			continue; /* not on this machine, or not in this build */
		CHECK_OK(tulle_matrix_from_csr(context, 3, 3, TULLE_I32, row_ptr, TULLE_I32, col,
		                               TULLE_C128, val, NULL, &a));
		plan = plan_by(a, "sell");
		CHECK_EQUAL(warnings, 0);
		tulle_plan_destroy(plan);
		tulle_matrix_destroy(a);
		tulle_context_destroy(context);
	}
	check_group("log");
}

static const char *const complex_formats[] = { "csr", "sell", "csr5", "bsell", "sym", "hot" };
enum { COMPLEX_FORMATS = sizeof complex_formats / sizeof *complex_formats };

static int has_complex(const char *format)
{
	for (int n = 0; n < COMPLEX_FORMATS; n++)
		if (strcmp(format, complex_formats[n]) == 0)
			return 1;
	return 0;
}

/* Has it kernels for symmetric and Hermitian matrices alone? */
static int is_restricted(const char *format)
{
	return strcmp(format, "sym") == 0;
}

/* Formats have kernels, or say that they have none. The planner leaves those out. */
static void check_formats(void)
{
	tulle_matrix *a = small_matrix();
	tulle_plan *plan = NULL;
	tulle_plan_info info = { .size = sizeof info };
	const char *format;

	check_about("formats");
	for (int n = 0; (format = tulle_formats(n)); n++) {
		const int restricted = is_restricted(format);
		const int has = has_complex(format) && !restricted;
		const tulle_status s = tulle_plan_create(
		    a, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .format = format },
		    &plan);

		CHECK_STATUS(s, has ? TULLE_OK : TULLE_E_UNSUPPORTED);
		if (!has)
			CHECK_WORDS(tulle_last_error(),
			            restricted ? "sym: a(0,2) = 3+0i but a(2,0) = 2+2i" : "no kernel c128");
		tulle_plan_destroy(plan);
	}
	plan = plan_by(a, NULL);
	CHECK_OK(tulle_plan_describe(plan, &info));
	CHECK(info.candidates > 2);
	for (int n = 0; n < info.candidates; n++) {
		tulle_candidate_info c = { .size = sizeof c };

		CHECK_OK(tulle_plan_candidate(plan, n, &c));
		if (!has_complex(c.format)) {
			CHECK_THAT(c.out, "%s is a candidate", c.format);
			CHECK_WORDS(c.because, "no kernels");
		} else if (c.out) {
			CHECK_THAT(!strstr(c.because, "no kernels"), "%s: %s", c.format, c.because);
			if (is_restricted(c.format))
				CHECK_WORDS(c.because, "neither symmetric nor Hermitian");
		}
	}
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	check_group("formats");
}

static void check_others(void)
{
	tulle_matrix *a = small_matrix();
	tulle_pagerank *ranks = NULL;
	tulle_matrix *none = NULL;

	check_about("what has no complex values");
	CHECK_STATUS(tulle_pagerank_create(a, NULL, &ranks), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "PageRank complex");
	CHECK_STATUS(tulle_matrix_from_csr(NULL, 3, 3, TULLE_I32, row_ptr, TULLE_I32, col,
	                                   (tulle_value_type)99, val, NULL, &none),
	             TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "value_type TULLE_C64");
	tulle_matrix_destroy(a);
	check_group("what has no complex values");
}

/* ---- kinds ---- */

/* y = op(A) x of the triangle above, from a dense matrix. */
static void multiply_dense(tulle_kind kind, tulle_op op, const double _Complex *lower,
                           const double _Complex *x, double _Complex *y)
{
	for (int i = 0; i < 3; i++) {
		y[i] = 0;
		for (int j = 0; j < 3; j++) {
			const int r = op == TULLE_NORMAL ? i : j, c = op == TULLE_NORMAL ? j : i;
			double _Complex a = r >= c ? lower[3 * r + c] : lower[3 * c + r];

			if (r < c)
				a = kind == TULLE_SKEW ? -a : kind == TULLE_HERMITIAN ? conj(a) : a;
			y[i] += (op == TULLE_CONJUGATE ? conj(a) : a) * x[j];
		}
	}
}

static void check_op(const tulle_matrix *a, tulle_kind kind, tulle_op op,
                     const double _Complex *lower)
{
	const double _Complex x[] = { 1 + 2 * I, -I, 3 - 1 * I };
	double _Complex y[3], want[3];
	tulle_plan_info info = { .size = sizeof info };
	tulle_plan *plan = NULL;

	check_about("kind %d, op %d", (int)kind, (int)op);
	if (!CHECK_OK(tulle_plan_create(
	        a, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .op = op }, &plan)))
		return;
	multiply_dense(kind, op, lower, x, want);
	CHECK_OK(tulle_mul_c128(plan, (tulle_c128){ 1, 0 }, (const tulle_c128 *)x, (tulle_c128){ 0, 0 },
	                        (tulle_c128 *)y));
	for (int i = 0; i < 3; i++)
		CHECK_THAT(y[i] == want[i], "y[%d] = %g%+gi, not %g%+gi", i, creal(y[i]), cimag(y[i]),
		           creal(want[i]), cimag(want[i]));
	CHECK_OK(tulle_plan_describe(plan, &info));
	CHECK_EQUAL(info.op, op);
	if ((kind == TULLE_SYMMETRIC && op == TULLE_TRANSPOSED) ||
	    (kind == TULLE_HERMITIAN && op == TULLE_CONJUGATE))
		CHECK_THAT(strcmp(info.way, "as is") == 0, "%s", info.way);
	else if (op == TULLE_CONJUGATE)
		CHECK_THAT(strcmp(info.way, "built") == 0, "%s", info.way);
	tulle_plan_destroy(plan);
}

/* Both directions of a matrix that equals its other direction are one stored matrix. */
static void check_mirrored(const tulle_matrix *a, tulle_op both, int stores)
{
	tulle_plan_info info = { .size = sizeof info };
	tulle_plan *plan = NULL;

	if (!CHECK_OK(tulle_plan_create(
	        a, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .op = both }, &plan)))
		return;
	CHECK_OK(tulle_plan_describe(plan, &info));
	CHECK_EQUAL(info.op, both);
	CHECK_EQUAL(info.stores, stores);
	tulle_plan_destroy(plan);
}

static void check_kinds(void)
{
	static const tulle_kind kinds[] = { TULLE_SYMMETRIC, TULLE_SKEW, TULLE_HERMITIAN };

	for (int k = 0; k < 3; k++) {
		const int skew = kinds[k] == TULLE_SKEW;
		const double _Complex lower[] = { skew ? 0 : 2, 0, 0,      1 + 3 * I,
			                              skew ? 0 : 5, 0, -2 + I, 4 * I,
			                              skew ? 0 : 7 };
		const int32_t row[] = { 1, 2, 2, 0, 1, 2 }, column[] = { 0, 0, 1, 0, 1, 2 };
		double _Complex given[6];
		tulle_matrix *a = NULL;
		tulle_matrix_info info = { .size = sizeof info };

		for (int n = 0; n < 6; n++)
			given[n] = lower[3 * row[n] + column[n]];
		CHECK_OK(tulle_matrix_from_coo(
		    NULL, 3, 3, skew ? 3 : 6, TULLE_I32, row, column, TULLE_C128, given,
		    &(tulle_matrix_options){ .size = sizeof(tulle_matrix_options), .kind = kinds[k] }, &a));
		CHECK_OK(tulle_matrix_describe(a, &info));
		CHECK_EQUAL(info.kind, kinds[k]);
		for (int op = 0; op < COMPLEX_OPS; op++)
			check_op(a, kinds[k], complex_ops[op], lower);
		check_mirrored(a, TULLE_BOTH_CONJUGATE, kinds[k] == TULLE_HERMITIAN ? 1 : 2);
		if (kinds[k] == TULLE_SYMMETRIC)
			check_mirrored(a, TULLE_BOTH, 1);
		tulle_matrix_destroy(a);
	}
	check_group("kinds");
}

/* Of real matrices A^H is A^T, and a Hermitian matrix is a symmetric one. */
static void check_real(void)
{
	static const double real[] = { 1, 2, 3, 4 };
	const double x[] = { 1, 10, 100 };
	double y[3], z[3];
	tulle_plan_info info = { .size = sizeof info };
	tulle_matrix_info about = { .size = sizeof about };
	tulle_matrix *a = NULL, *symmetric = NULL;
	tulle_plan *plan = NULL;

	check_about("real matrices");
	CHECK_OK(tulle_matrix_from_csr(NULL, 3, 3, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F64, real,
	                               NULL, &a));
	CHECK_OK(tulle_plan_create(
	    a, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .op = TULLE_CONJUGATE },
	    &plan));
	CHECK_OK(tulle_plan_describe(plan, &info));
	CHECK_EQUAL(info.op, TULLE_TRANSPOSED);
	CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
	CHECK(y[0] == 401 && y[1] == 30 && y[2] == 2);
	tulle_plan_destroy(plan);
	CHECK_OK(tulle_plan_create(
	    a, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .op = TULLE_BOTH_CONJUGATE },
	    &plan));
	CHECK_OK(tulle_mul_transposed_f64(plan, 1, x, 0, z));
	CHECK(memcmp(y, z, sizeof y) == 0);
	tulle_plan_destroy(plan);
	CHECK_OK(tulle_matrix_from_coo(
	    NULL, 3, 3, 2, TULLE_I32, (const int32_t[]){ 1, 2 }, (const int32_t[]){ 0, 2 }, TULLE_F64,
	    real,
	    &(tulle_matrix_options){ .size = sizeof(tulle_matrix_options), .kind = TULLE_HERMITIAN },
	    &symmetric));
	CHECK_OK(tulle_matrix_describe(symmetric, &about));
	CHECK_EQUAL(about.kind, TULLE_SYMMETRIC);
	tulle_matrix_destroy(symmetric);
	tulle_matrix_destroy(a);
	check_group("real matrices");
}

/* ---- files ---- */

static void check_file(const tulle_matrix *a, const char *path, tulle_kind kind)
{
	tulle_csr_view was = { .size = sizeof was }, is = { .size = sizeof is };
	tulle_matrix_info info = { .size = sizeof info };
	tulle_read_options how = { .size = sizeof how, .value_type = TULLE_C128 };
	tulle_matrix *back = NULL;

	check_about("%s, kind %d", path, (int)kind);
	CHECK_OK(tulle_matrix_write(a, path, NULL));
	if (!CHECK_OK(tulle_matrix_read(NULL, path, &how, &back)))
		return;
	CHECK_OK(tulle_matrix_describe(back, &info));
	CHECK_EQUAL(info.value_type, TULLE_C128);
	CHECK_EQUAL(info.kind, kind);
	CHECK_OK(tulle_matrix_view_csr(a, &was));
	CHECK_OK(tulle_matrix_view_csr(back, &is));
	if (CHECK_EQUAL(is.nnz, was.nnz))
		CHECK(memcmp(is.val, was.val, (size_t)was.nnz * sizeof(tulle_c128)) == 0);
	tulle_matrix_destroy(back);
	how.value_type = TULLE_F64;
	CHECK_STATUS(tulle_matrix_read(NULL, path, &how, &back), TULLE_E_UNSUPPORTED);
	how.value_type = TULLE_C64;
	CHECK_OK(tulle_matrix_read(NULL, path, &how, &back));
	tulle_matrix_destroy(back);
	remove(path);
}

static void check_files(void)
{
	static const tulle_kind kinds[] = { TULLE_GENERAL, TULLE_SYMMETRIC, TULLE_SKEW,
		                                TULLE_HERMITIAN };
	const int32_t row[] = { 1, 2, 2 }, column[] = { 0, 0, 1 };
	const tulle_c128 given[] = { { 1.0 / 3, -2e-300 }, { -0.0, 1e30 }, { 0, 0.1 } };

	for (int k = 0; k < 4; k++) {
		tulle_matrix *a = NULL;

		CHECK_OK(tulle_matrix_from_coo(
		    NULL, 3, 3, 3, TULLE_I32, row, column, TULLE_C128, given,
		    &(tulle_matrix_options){ .size = sizeof(tulle_matrix_options), .kind = kinds[k] }, &a));
		if (kinds[k] == TULLE_GENERAL)
			check_file(a, "complex_api.tulle", TULLE_GENERAL);
		check_file(a, "complex_api.mtx", kinds[k]);
		check_file(a, "complex_api.mtx.gz", kinds[k]);
		tulle_matrix_destroy(a);
	}
	check_group("files");
}

/* ---- allocations that fail ---- */

/* All of a life: what fails says TULLE_E_MEMORY, and everything is given back. */
static tulle_status live(const complex_problem *p, const char *format, tulle_op op)
{
	const tulle_plan_options wanted = { .size = sizeof wanted, .format = format, .op = op };
	const int side = complex_side(op);
	tulle_context *context = NULL;
	tulle_matrix *a = NULL, *back = NULL;
	tulle_plan *plan = NULL;
	tulle_status s =
	    tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                   .threads = 1,
	                                                   .alloc = heap_alloc,
	                                                   .free = heap_free,
	                                                   .user = &heap },
	                         &context);

	if (s == TULLE_OK)
		s = tulle_matrix_from_csr(context, p->m.rows, p->m.cols, p->pair.offset, p->row_ptr.at,
		                          p->pair.column, p->col.at, p->type, p->val.at, NULL, &a);
	if (s == TULLE_OK)
		s = tulle_plan_create(a, &wanted, &plan);
	if (s == TULLE_OK)
		s = tulle_plan_update(plan, p->val.at);
	if (s == TULLE_OK)
		s = complex_mul_many(plan, p->type, 1, TULLE_COLUMN_MAJOR, (kit_complex){ 1, 1 },
		                     p->x[side].at, p->m.rows + p->m.cols, (kit_complex){ 0, 0 },
		                     p->y[side].at, p->m.rows + p->m.cols);
	if (s == TULLE_OK)
		s = tulle_matrix_from_plan(plan, &back);
	tulle_matrix_destroy(back);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	tulle_context_destroy(context);
	return s;
}

static void check_failing(void)
{
	complex_problem general =
	    complex_problem_new(matrix_large(3), TULLE_C64, pairs[0], 0, KIT_UNIFORM, 5);
	complex_problem hermitian =
	    complex_problem_new(matrix_nodes(3), TULLE_C64, pairs[0], 0, KIT_UNIFORM, 5);

	for (int n = -1; n < COMPLEX_FORMATS; n++)
		for (int op = 0; op < COMPLEX_OPS; op++) {
			const char *format = n < 0 ? NULL : complex_formats[n];
			int failed = 0;

			check_about("allocations, %s, op %d", format ? format : "any format", op);
			for (heap.fail_at = 1;; heap.fail_at++) {
				tulle_status s;

				heap.asked = 0;
				s = live(format && is_restricted(format) ? &hermitian : &general, format,
				         complex_ops[op]);
				CHECK_EQUAL(heap.live_blocks, 0);
				if (heap.asked < heap.fail_at) {
					CHECK_STATUS(s, TULLE_OK);
					break;
				}
				failed += s != TULLE_OK;
				CHECK_THAT(s == TULLE_OK || s == TULLE_E_MEMORY, "allocation %ld: %s", heap.fail_at,
				           tulle_status_name(s));
			}
			heap.fail_at = 0;
			CHECK(failed > 0);
		}
	complex_problem_free(&general);
	complex_problem_free(&hermitian);
	check_group("allocations");
}

int main(void)
{
	check_example();
	check_calls();
	check_no_warning();
	check_formats();
	check_others();
	check_complex_blocks();
	check_complex_batches();
	check_complex_online();
	check_complex_limits();
	check_kinds();
	check_real();
	check_files();
	check_failing();
	return check_end();
}
