/* halves.c -- values of 16 bits: every one of the 65536 patterns is widened to its number by each word that widens,
 * products have their bound and the same bits at any number of threads, and what has no place for such values
 * refuses them. test_mixed compares products in all formats. */
#include "kit.h"
#include "support.h"

#include "core/halves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERNS = 65536 };

static const tulle_value_type halves[] = { TULLE_F16, TULLE_BF16 };

/* ---- all patterns ---- */

/* The number that a pattern stands for, by the definition of the type. */
static double number_of(tulle_value_type type, unsigned bits)
{
	const int fraction = type == TULLE_F16 ? 10 : 7, exponents = 15 - fraction;
	const int bias = (1 << (exponents - 1)) - 1, most = (1 << exponents) - 1;
	const int exponent = (int)(bits >> fraction) & most;
	const double digits = (double)(bits & ((1U << fraction) - 1));
	const double sign = bits >> 15 ? -1 : 1;

	if (exponent == most)
		return digits == 0 ? sign * INFINITY : NAN;
	return exponent == 0
	           ? sign * ldexp(digits, 1 - bias - fraction)
	           : sign * ldexp(digits + (double)(1 << fraction), exponent - bias - fraction);
}

static int same_number(double a, double b)
{
	return isnan(b) ? isnan(a) : a == b;
}

/* Which word widens depends on where an entry stands: near columns, strips, a stencil, a long row, several vectors,
 * and A^T x. */
typedef enum { DIAGONAL, REVERSED, ONE_ROW, PLACES } place;

static const char *const place_names[PLACES] = { "strips", "near columns", "a long row" };

typedef struct {
	int64_t rows, cols;
	int32_t *row_ptr, *col;
	uint16_t *bits;
} patterns;

static patterns patterns_at(place at)
{
	patterns p = { .rows = at == ONE_ROW ? 1 : PATTERNS, .cols = PATTERNS };

	p.row_ptr = grab(p.rows + 1, sizeof *p.row_ptr);
	p.col = grab(PATTERNS, sizeof *p.col);
	p.bits = grab(PATTERNS, sizeof *p.bits);
	for (int64_t i = 0; i <= p.rows; i++)
		p.row_ptr[i] = (int32_t)(at == ONE_ROW ? i * PATTERNS : i);
	for (int i = 0; i < PATTERNS; i++) {
		p.col[i] = at == REVERSED ? PATTERNS - 1 - i : i;
		p.bits[i] = (uint16_t)i;
	}
	return p;
}

static void patterns_free(patterns *p)
{
	free(p->row_ptr);
	free(p->col);
	free(p->bits);
}

/* y(i) is the value at x(j) = 1: of y = A x for one entry per row, of y = A^T x for one row. */
static void check_widened(const tulle_plan *plan, const patterns *p, place at,
                          tulle_value_type type, tulle_value_type vectors, int columns)
{
	const int64_t n = PATTERNS * (int64_t)columns;
	void *x = grab(n, sizeof(double)), *y = grab(n, sizeof(double));
	int wrong = 0;

	value_fill(vectors, x, n, 1);
	if (columns > 1)
		CHECK_OK(
		    vectors == TULLE_F32
		        ? tulle_mul_many_f32(plan, columns, TULLE_ROW_MAJOR, 1, x, columns, 0, y, columns)
		        : tulle_mul_many_f64(plan, columns, TULLE_ROW_MAJOR, 1, x, columns, 0, y, columns));
	else if (at == ONE_ROW)
		CHECK_OK(vectors == TULLE_F32 ? tulle_mul_transposed_f32(plan, 1, x, 0, y)
		                              : tulle_mul_transposed_f64(plan, 1, x, 0, y));
	else
		CHECK_OK(mul(plan, vectors, 1, x, 0, y));
	for (int64_t i = 0; i < n; i++) {
		const unsigned bits = p->bits[i / columns];

		wrong += !same_number(value_at(vectors, y, i), number_of(type, bits));
	}
	CHECK_THAT(wrong == 0, "%s, %d vectors: %d of %lld numbers are wrong", place_names[at], columns,
	           wrong, (long long)n);
	free(x);
	free(y);
}

static tulle_matrix *matrix_of(tulle_context *context, const patterns *p, tulle_value_type type)
{
	tulle_matrix *a = NULL;

	CHECK_OK(tulle_matrix_from_csr(context, p->rows, p->cols, TULLE_I32, p->row_ptr, TULLE_I32,
	                               p->col, type, p->bits, NULL, &a));
	return a;
}

/* The bits come back; of a NaN any NaN. */
static void check_returned(const tulle_plan *plan, const patterns *p, tulle_value_type type)
{
	tulle_csr_view view = { .size = sizeof view };
	tulle_matrix *back = NULL;

	if (CHECK_OK(tulle_matrix_from_plan(plan, &back)) &&
	    CHECK_OK(tulle_matrix_view_csr(back, &view))) {
		const uint16_t *bits = view.val;
		int wrong = 0;

		CHECK_EQUAL(view.value_type, type);
		for (int64_t k = 0; k < view.nnz; k++)
			wrong += isnan(number_of(type, p->bits[k])) ? !isnan(number_of(type, bits[k]))
			                                            : bits[k] != p->bits[k];
		CHECK_THAT(wrong == 0, "%d patterns come back as others", wrong);
	}
	tulle_matrix_destroy(back);
}

static void check_patterns(tulle_context *context, tulle_value_type type, tulle_value_type vectors)
{
	static const char *const formats[] = { "csr", "sell", "ell" };

	for (int at = 0; at < PLACES; at++) {
		patterns p = patterns_at((place)at);
		tulle_matrix *a = matrix_of(context, &p, type);

		for (int f = 0; f < (at == DIAGONAL ? 3 : 2); f++) {
			const tulle_plan_options o = { .size = sizeof o,
				                           .format = formats[f],
				                           .op = at == ONE_ROW ? TULLE_BOTH : TULLE_NORMAL,
				                           .stores = at == ONE_ROW,
				                           .vector_type = vectors };
			tulle_plan *plan = NULL;

			check_about("%s, %s times %s", formats[f], type_name(type), type_name(vectors));
			if (CHECK_OK(tulle_plan_create(a, &o, &plan))) {
				check_widened(plan, &p, (place)at, type, vectors, 1);
				if (at != ONE_ROW)
					check_widened(plan, &p, (place)at, type, vectors, 3);
				check_returned(plan, &p, type);
			}
			tulle_plan_destroy(plan);
		}
		tulle_matrix_destroy(a);
		patterns_free(&p);
	}
}

/* A stencil has one value per step for all rows: it goes through a word of its own. 64 rows per pattern would be
 * too many for all; these are the edges of the ranges. */
static void check_stencil(tulle_context *context, tulle_value_type type, tulle_value_type vectors)
{
	enum { ROWS = 64, WIDTH = 20 };
	static const uint16_t bits[WIDTH] = { 0x0001, 0x8001, 0x03ff, 0x0400, 0x007f, 0x0080, 0x7bff,
		                                  0xfbff, 0x3c00, 0x3f80, 0x3555, 0xb555, 0x4248, 0x0000,
		                                  0x0fff, 0x1234, 0x2345, 0x3456, 0x8765, 0x9876 };
	int32_t row_ptr[ROWS + 1], col[ROWS * WIDTH];
	uint16_t val[ROWS * WIDTH];
	double x[ROWS + WIDTH] = { 0 }, y[ROWS];
	const tulle_plan_options o = { .size = sizeof o, .format = "sell", .vector_type = vectors };
	tulle_matrix *a = NULL;
	tulle_plan *plan = NULL;

	for (int i = 0; i <= ROWS; i++)
		row_ptr[i] = i * WIDTH;
	for (int k = 0; k < ROWS * WIDTH; k++) {
		col[k] = k / WIDTH + k % WIDTH;
		val[k] = bits[k % WIDTH];
	}
	check_about("stencil, %s times %s", type_name(type), type_name(vectors));
	CHECK_OK(tulle_matrix_from_csr(context, ROWS, ROWS + WIDTH, TULLE_I32, row_ptr, TULLE_I32, col,
	                               type, val, NULL, &a));
	if (CHECK_OK(tulle_plan_create(a, &o, &plan))) {
		tulle_plan_info info = { .size = sizeof info, .note = "" };

		CHECK_OK(tulle_plan_describe(plan, &info));
		CHECK_WORDS(info.note, type_name(type));
		for (int j = 0; j < WIDTH; j++) { /* row 0 has value j in column j */
			memset(x, 0, sizeof x);
			value_set(vectors, x, j, 1);
			CHECK_OK(mul(plan, vectors, 1, x, 0, y));
			CHECK_THAT(value_at(vectors, y, 0) == number_of(type, bits[j]), "%04x is %g", bits[j],
			           value_at(vectors, y, 0));
		}
	}
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
}

/* ---- one matrix: bound, threads, figures ---- */

typedef struct {
	matrix m;
	arrays arr;
	uint16_t *bits;
	double *x, *y, *want;
} problem;

static problem problem_new(tulle_value_type type, tulle_value_type vectors)
{
	problem p = { .m = matrix_large(3) };
	uint64_t state = 5;

	p.bits = grab(p.m.nnz, sizeof *p.bits);
	for (int64_t k = 0; k < p.m.nnz; k++) {
		p.m.val[k] = tulle__rounded_half(random_unit(&state), type == TULLE_BF16);
		p.bits[k] = type == TULLE_F16 ? tulle__to_f16(p.m.val[k]) : tulle__to_bf16(p.m.val[k]);
	}
	p.arr = cast(&p.m, pairs[0], vectors, 0);
	p.x = grab(p.m.cols, sizeof *p.x);
	p.y = grab(p.m.rows, sizeof *p.y);
	p.want = grab(p.m.rows, sizeof *p.want);
	for (int64_t j = 0; j < p.m.cols; j++)
		value_set(vectors, p.x, j, random_unit(&state));
	return p;
}

static void problem_free(problem *p)
{
	matrix_free(&p->m);
	arrays_free(&p->arr);
	free(p->bits);
	free(p->x);
	free(p->y);
	free(p->want);
}

static tulle_matrix *borrow_halves(tulle_context *context, const problem *p, tulle_value_type type)
{
	const arrays arr = { p->arr.row_ptr, p->arr.col, p->bits };

	return borrow(context, &p->m, pairs[0], type, &arr);
}

/* The error of a sum in the type of the vectors: that of the values is 0. */
static void check_bound(tulle_context *context, const problem *p, const tulle_plan *plan,
                        tulle_value_type vectors)
{
	tulle_csr_view view = { .size = sizeof view };
	tulle_matrix *wide = borrow(context, &p->m, pairs[0], vectors, &p->arr);
	kit_oracle *oracle;

	CHECK_OK(tulle_matrix_view_csr(wide, &view));
	oracle = kit_oracle_create(&view, TULLE_NORMAL, 1, p->x, 0, NULL);
	CHECK_OK(mul(plan, vectors, 1, p->x, 0, p->y));
	CHECK_THAT(oracle && kit_oracle_check(oracle, p->y).violations == 0, "beyond the bound");
	kit_oracle_free(oracle);
	tulle_matrix_destroy(wide);
}

static void check_threads(const problem *p, const char *isa, const char *format,
                          tulle_value_type type, tulle_value_type vectors)
{
	const tulle_plan_options o = { .size = sizeof o, .format = format, .vector_type = vectors };

	for (int threads = 1; threads <= 3; threads += 2) {
		tulle_context *context = context_for(isa, threads, threads > 1 ? -1 : 0);
		tulle_matrix *a = borrow_halves(context, p, type);
		tulle_plan *plan = NULL;

		if (CHECK_OK(tulle_plan_create(a, &o, &plan)))
			CHECK_OK(mul(plan, vectors, 1, p->x, 0, threads == 1 ? p->want : p->y));
		tulle_plan_destroy(plan);
		tulle_matrix_destroy(a);
		tulle_context_destroy(context);
	}
	CHECK_THAT(memcmp(p->y, p->want, (size_t)p->m.rows * value_size(vectors)) == 0,
	           "%s: three threads give other bits", format);
}

/* sell keeps 2 bytes per value, csr copies the values to floats; nothing is rounded. */
static void check_figures(const tulle_plan *plan, const problem *p, tulle_value_type type,
                          tulle_value_type vectors)
{
	tulle_plan_info info = { .size = sizeof info };
	const size_t nnz = (size_t)p->m.nnz;
	char text[4096], words[80];

	CHECK_OK(tulle_plan_describe(plan, &info));
	CHECK_EQUAL(info.value_type, type);
	CHECK_EQUAL(info.vector_type, vectors);
	CHECK_EQUAL(info.borrows_values, 0);
	CHECK_THAT(info.value_error == 0, "value_error = %g", info.value_error);
	tulle_plan_explain(plan, text, sizeof text);
	snprintf(words, sizeof words, "%s values, %s vectors and sums", type_name(type),
	         type_name(vectors));
	CHECK_WORDS(text, words);
	if (strcmp(info.format, "csr") == 0) {
		CHECK_WORDS(info.stored_values, "f32");
		CHECK_WORDS(text, "widened to f32");
		CHECK_THAT(info.bytes >= 8 * nnz && info.extra_bytes >= 4 * nnz, "%zu bytes", info.bytes);
	} else {
		CHECK_WORDS(info.stored_values, type_name(type));
		CHECK_THAT(info.bytes < 8 * nnz, "%zu bytes", info.bytes);
	}
}

static void check_problem(tulle_context *context, const char *isa, tulle_value_type type,
                          tulle_value_type vectors)
{
	static const char *const formats[] = { "csr", "sell" };
	problem p = problem_new(type, vectors);
	tulle_matrix *a = borrow_halves(context, &p, type);

	for (int f = 0; f < 2; f++) {
		const tulle_plan_options o = { .size = sizeof o,
			                           .format = formats[f],
			                           .vector_type = vectors };
		tulle_plan *plan = NULL;

		check_about("%s, %s times %s", formats[f], type_name(type), type_name(vectors));
		if (CHECK_OK(tulle_plan_create(a, &o, &plan))) {
			check_bound(context, &p, plan, vectors);
			check_figures(plan, &p, type, vectors);
		}
		tulle_plan_destroy(plan);
		check_threads(&p, isa, formats[f], type, vectors);
	}
	tulle_matrix_destroy(a);
	problem_free(&p);
}

/* ---- sources, options, refusals ---- */

static const int32_t three[] = { 0, 1, 2, 3 };
static const uint16_t ones_of[2][4] = { { 0x3c00, 0x4000, 0x4200, 0 },
	                                    { 0x3f80, 0x4000, 0x4040, 0 } };

/* diag(1, 2, 3) from each kind of array; vectors are f32 unless asked. */
static void check_sources(tulle_context *context, int half)
{
	const tulle_value_type type = halves[half];
	const tulle_matrix_options copy = { .size = sizeof copy, .ownership = TULLE_COPY };
	const uint16_t *val = ones_of[half];
	tulle_matrix *a[4] = { NULL };

	check_about("sources, %s", type_name(type));
	CHECK_OK(tulle_matrix_from_csr(context, 3, 3, TULLE_I32, three, TULLE_I32, three, type, val,
	                               &copy, &a[0]));
	CHECK_OK(tulle_matrix_from_csc(context, 3, 3, TULLE_I32, three, TULLE_I32, three, type, val,
	                               NULL, &a[1]));
	CHECK_OK(
	    tulle_matrix_from_coo(context, 3, 3, 3, TULLE_I32, three, three, type, val, NULL, &a[2]));
	CHECK_OK(tulle_matrix_from_bsr(context, 3, 3, 1, 1, TULLE_ROW_MAJOR, TULLE_I32, three,
	                               TULLE_I32, three, type, val, NULL, &a[3]));
	for (int n = 0; n < 4; n++) {
		const tulle_plan_options o = { .size = sizeof o, .online = n == 3, .multiplies = 1e6 };
		const float x[] = { 1, 1, 1 };
		float y[3] = { 0 };
		tulle_plan *plan = NULL;

		if (CHECK_OK(tulle_plan_create(a[n], &o, &plan)))
			CHECK_OK(tulle_mul_f32(plan, 1, x, 0, y));
		CHECK_THAT(y[0] == 1 && y[1] == 2 && y[2] == 3, "source %d: %g %g %g", n, (double)y[0],
		           (double)y[1], (double)y[2]);
		tulle_plan_destroy(plan);
		tulle_matrix_destroy(a[n]);
	}
}

/* Values begin at any multiple of 2 bytes; these do not begin at a multiple of 4. */
static void check_alignment(tulle_context *context, int half)
{
	_Alignas(float) uint16_t given[4] = { 0 };
	const float x[] = { 1, 1, 1 };
	tulle_matrix *a = NULL;

	check_about("alignment, %s", type_name(halves[half]));
	memcpy(given + 1, ones_of[half], 3 * sizeof *given);
	if (!CHECK_OK(tulle_matrix_from_csr(context, 3, 3, TULLE_I32, three, TULLE_I32, three,
	                                    halves[half], given + 1, NULL, &a)))
		return;
	for (int sell = 0; sell < 2; sell++) {
		tulle_plan *plan = plan_for(a, sell ? "sell" : "csr", TULLE_NORMAL);
		float y[3] = { 0 };

		CHECK_OK(tulle_plan_update(plan, given + 1));
		CHECK_OK(tulle_mul_f32(plan, 1, x, 0, y));
		CHECK(y[0] == 1 && y[1] == 2 && y[2] == 3);
		tulle_plan_destroy(plan);
	}
	tulle_matrix_destroy(a);
}

/* One entry is rounded to the nearest number of the type. */
static void check_set(tulle_context *context, int half)
{
	static const double values[] = { 1.2345678, 3e-6, -1e9, 65520, 65519.9, 0, 1e-30, -0.333 };
	const tulle_value_type type = halves[half];
	const tulle_plan_options o = { .size = sizeof o, .format = "csr5" };
	tulle_matrix *a = NULL;
	tulle_plan *plan = NULL;

	check_about("set, %s", type_name(type));
	CHECK_OK(tulle_matrix_from_csr(context, 3, 3, TULLE_I32, three, TULLE_I32, three, type,
	                               ones_of[half], NULL, &a));
	if (CHECK_OK(tulle_plan_create(a, &o, &plan)))
		for (size_t n = 0; n < sizeof values / sizeof *values; n++) {
			double got = 0, off = INFINITY, least = INFINITY;

			CHECK_OK(tulle_plan_set(plan, 1, 1, values[n]));
			CHECK_OK(tulle_plan_get(plan, 1, 1, &got));
			for (unsigned b = 0; b < PATTERNS; b++)
				if (isfinite(number_of(type, b)))
					least = fmin(least, fabs(number_of(type, b) - values[n]));
			off = fabs(got - values[n]);
			CHECK_THAT(isinf(got) ? type == TULLE_F16 && fabs(values[n]) >= 65520 : off == least,
			           "%g is set to %g, which is off by %g, not %g", values[n], got, off, least);
		}
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
}

/* csr has a copy of the values, for which max_bytes is the limit, also where no format is compared. */
static void check_limits(tulle_context *context, tulle_value_type type, tulle_value_type vectors)
{
	static const tulle_plan_options requests[] = { { .multiplies = 5 },
		                                           { .multiplies = 1e6, .online = 1 },
		                                           { .multiplies = 1e6 } };
	static const tulle_op ops[] = { TULLE_NORMAL, TULLE_TRANSPOSED, TULLE_BOTH };
	problem p = problem_new(type, vectors);
	tulle_matrix *a = borrow_halves(context, &p, type);
	const size_t copy = (size_t)p.m.nnz * sizeof(float);

	for (int n = 0; n < 9; n++) {
		tulle_plan_options o = requests[n / 3];
		tulle_plan *plan = NULL;

		o.size = sizeof o;
		o.op = ops[n % 3];
		if (o.online && o.op == TULLE_BOTH) /* these exclude each other */
			continue;
		o.vector_type = vectors;
		o.max_bytes = 1;
		check_about("max_bytes, %s times %s, request %d, op %d", type_name(type),
		            type_name(vectors), n / 3, (int)o.op);
		CHECK_STATUS(tulle_plan_create(a, &o, &plan), TULLE_E_LIMIT);
		CHECK_WORDS(tulle_last_error(), "max_bytes = 1");
		tulle_plan_destroy(plan);
		plan = NULL;
		o.max_bytes = copy + copy / 8;
		CHECK_OK(tulle_plan_create(a, &o, &plan));
		tulle_plan_destroy(plan);
	}
	tulle_matrix_destroy(a);
	problem_free(&p);
}

static void check_refused(tulle_context *context, int half)
{
	const tulle_value_type type = halves[half];
	const char *name = type_name(type);
	const tulle_plan_options as_vectors = { .size = sizeof as_vectors, .vector_type = type };
	const tulle_read_options read = { .size = sizeof read, .value_type = type };
	const double x[3] = { 0 };
	double y[3];
	tulle_matrix *a = NULL, *none = NULL;
	tulle_plan *plan = NULL, *no_plan = NULL;

	check_about("refusals, %s", name);
	CHECK_STATUS(tulle_matrix_from_csr(context, 3, 3, TULLE_I32, three, TULLE_I32, three, type,
	                                   (const char *)ones_of[half] + 1, NULL, &none),
	             TULLE_E_ARGUMENT);
	CHECK_THAT(strstr(tulle_last_error(), "element's 2 bytes") != NULL, "\"%s\"",
	           tulle_last_error());
	CHECK_OK(tulle_matrix_from_csr(context, 3, 3, TULLE_I32, three, TULLE_I32, three, type,
	                               ones_of[half], NULL, &a));
	CHECK_STATUS(tulle_plan_create(a, &as_vectors, &no_plan), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "options.vector_type");
	CHECK_WORDS(tulle_last_error(), name);
	CHECK_STATUS(tulle_matrix_read(context, "none.mtx", &read, &none), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "options.value_type f32");
	CHECK_STATUS(tulle_matrix_write(a, "halves.mtx", NULL), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), name);
	if (CHECK_OK(tulle_plan_create(a, NULL, &plan))) {
		CHECK_STATUS(tulle_mul_f64(plan, 1, x, 0, y), TULLE_E_TYPE);
		CHECK_WORDS(tulle_last_error(), "f32 vectors f64");
		CHECK_STATUS(tulle_plan_save(plan, "halves.tulle", NULL), TULLE_E_UNSUPPORTED);
		CHECK_WORDS(tulle_last_error(), name);
		CHECK_STATUS(tulle_plan_update(plan, (const char *)ones_of[half] + 1), TULLE_E_ARGUMENT);
	}
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);

	for (int i = 0; i < ISAS; i++) {
		tulle_context *context;

		if (!wants_isa(&o, isas[i]))
			continue;
		context = context_for(isas[i], 0, 0);
		for (int n = 0; n < 4; n++) {
			const tulle_value_type vectors = n / 2 ? TULLE_F64 : TULLE_F32;

			check_patterns(context, halves[n % 2], vectors);
			check_stencil(context, halves[n % 2], vectors);
			check_problem(context, isas[i], halves[n % 2], vectors);
			check_limits(context, halves[n % 2], vectors);
		}
		for (int half = 0; half < 2; half++) {
			check_sources(context, half);
			check_alignment(context, half);
			check_set(context, half);
			check_refused(context, half);
		}
		CHECK_EQUAL(context_info(context).blocks_held, 0);
		tulle_context_destroy(context);
		check_group("halves, %s", isas[i]);
	}
	return check_end();
}
