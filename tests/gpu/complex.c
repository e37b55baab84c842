/* complex.c -- c64 and c128 in the formats that have kernels for them on devices, against the oracle of complex
 * arithmetic and its bound.
 *
 * Usage: as device.h says, --type c64 or c128. Each plan multiplies by real and by complex factors, whole numbers with
 * the result of the CPU, NaN and Inf, several vectors, and, in plans that can be updated, by other values. */
#include "../complex_problem.h"
#include "core/types.h"
#include "device.h"
#include "matrices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FACTORS = 5, VECTORS = 3 };

/* Real ones, imaginary ones, and some of neither kind; a float holds them all. */
static const kit_complex factors[FACTORS] = {
	{ 1, 0 }, { 0, 0 }, { -0.5, 0 }, { 0, 2 }, { 1.75, -0.625 }
};
static const kit_complex one = { 1, 0 }, zero = { 0, 0 };

static int64_t plans;

static size_t size_of(tulle_value_type type)
{
	return tulle__value_size(type);
}

static tulle_value_type part_type(tulle_value_type type)
{
	return type == TULLE_C64 ? TULLE_F32 : TULLE_F64;
}

/* ---- products ---- */

typedef struct {
	const complex_problem *p;
	const tulle_matrix *a;
	const char *format;
	tulle_op op;
	tulle_device_plan *plan;
} subject;

static int64_t rows_of(const subject *s)
{
	return complex_rows(s->p, s->op);
}

static int64_t cols_of(const subject *s)
{
	return s->p->m.rows + s->p->m.cols - rows_of(s);
}

static tulle_vector *vector(tulle_value_type type, int64_t count, const void *from)
{
	tulle_vector *v = NULL;

	if (CHECK_OK(tulle_vector_create(gpu.device, type, count, NULL, &v)))
		CHECK_OK(tulle_vector_write(gpu.queue, v, 0, count, from));
	return v;
}

static tulle_status queue_product(const subject *s, int64_t k, kit_complex alpha,
                                  const tulle_vector *x, kit_complex beta, tulle_vector *y)
{
	const tulle_c128 a = { alpha.re, alpha.im }, b = { beta.re, beta.im };

	if (k > 1)
		return tulle_device_mul_many_complex(s->plan, gpu.queue, k, a, x, k, b, y, k);
	return alpha.im == 0 && beta.im == 0
	           ? tulle_device_mul(s->plan, gpu.queue, alpha.re, x, beta.re, y)
	           : tulle_device_mul_complex(s->plan, gpu.queue, a, x, b, y);
}

/* y = alpha A x + beta y for k vectors, row-major. */
static int product(const subject *s, int64_t k, kit_complex alpha, const void *x, kit_complex beta,
                   void *y)
{
	tulle_vector *dx = vector(s->p->type, k * cols_of(s), x);
	tulle_vector *dy = vector(s->p->type, k * rows_of(s), y);
	const int right = dx && dy && CHECK_OK(queue_product(s, k, alpha, dx, beta, dy)) &&
	                  CHECK_OK(tulle_vector_read(gpu.queue, dy, 0, k * rows_of(s), y));

	tulle_vector_destroy(dx);
	tulle_vector_destroy(dy);
	return right;
}

/* ---- checks of one plan ---- */

static void check_bound(const subject *s, const kit_complex_oracle *o, int turn)
{
	const int side = complex_side(s->op);
	const kit_complex alpha = factors[turn % FACTORS], beta = factors[turn / FACTORS % FACTORS];
	const size_t bytes = (size_t)rows_of(s) * size_of(s->p->type);
	void *y = s->p->y[side].at;

	if (beta.re == 0 && beta.im == 0)
		memset(y, 0xff, bytes); /* NaN */
	else
		memcpy(y, s->p->b[side].at, bytes);
	if (product(s, 1, alpha, s->p->x[side].at, beta, y))
		complex_judge(o, "mul", alpha, beta, s->p->b[side].at, y);
}

/* Vector v is i^v x, so that result v is i^v y: turned back, it has the bound of y. */
static void check_many(const subject *s, const kit_complex_oracle *o, int turn)
{
	const int side = complex_side(s->op);
	const tulle_value_type type = s->p->type;
	const kit_complex alpha = factors[turn % FACTORS];
	const int64_t k = VECTORS;
	void *x = grab(k * cols_of(s), size_of(type)), *y = grab(k * rows_of(s), size_of(type));

	for (int64_t v = 0; v < k; v++)
		for (int64_t i = 0; i < cols_of(s); i++)
			complex_turn(type, x, i * k + v, s->p->x[side].at, i, (int)v);
	memset(y, 0xff, (size_t)(k * rows_of(s)) * size_of(type));
	if (product(s, k, alpha, x, zero, y))
		for (int64_t v = 0; v < k; v++) {
			for (int64_t i = 0; i < rows_of(s); i++)
				complex_turn(type, s->p->y[side].at, i, y, i * k + v, (int)(4 * k - v));
			complex_judge(o, "mul_many", alpha, zero, NULL, s->p->y[side].at);
		}
	free(x);
	free(y);
}

/* A part of x that is Inf or NaN: rows that meet it give what the product gives, the others stay as they are. */
static void check_nonfinite(const subject *s, int turn)
{
	static const double odd[] = { INFINITY, -INFINITY, NAN };
	const int side = complex_side(s->op);
	const tulle_value_type part = part_type(s->p->type);
	void *const x = s->p->x[side].at;
	const int64_t at = cols_of(s) > 0 ? turn % (2 * cols_of(s)) : 0;
	kit_complex_oracle *o;
	double kept;

	if (cols_of(s) == 0 || s->p->m.nnz > 4096) /* the oracle takes its time */
		return;
	kept = value_at(part, x, at);
	value_set(part, x, at, odd[turn % 3]);
	o = complex_oracle(s->p, s->op);
	if (o && product(s, 1, one, x, zero, s->p->y[side].at))
		complex_judge(o, "mul with Inf or NaN", one, zero, NULL, s->p->y[side].at);
	kit_complex_oracle_free(o);
	value_set(part, x, at, kept);
}

/* Whole numbers are exact in any order: the CPU's result. */
static void check_exact(const subject *s)
{
	const int side = complex_side(s->op);
	const tulle_value_type part = part_type(s->p->type);
	const tulle_plan_options csr = { .size = sizeof csr, .format = "csr", .op = s->op };
	const size_t bytes = (size_t)rows_of(s) * size_of(s->p->type);
	void *y = grab((int64_t)bytes, 1), *want = s->p->y[side].at;
	tulle_plan *cpu = NULL;
	int64_t wrong = -1;

	memcpy(y, s->p->b[side].at, bytes);
	memcpy(want, y, bytes);
	if (CHECK_OK(tulle_plan_create(s->a, &csr, &cpu)) &&
	    CHECK_OK(complex_mul(cpu, s->p->type, factors[3], s->p->x[side].at, one, want)) &&
	    product(s, 1, factors[3], s->p->x[side].at, one, y))
		for (int64_t i = 0; i < 2 * rows_of(s) && wrong < 0; i++)
			if (value_at(part, y, i) != value_at(part, want, i)) /* zeros of either sign */
				wrong = i;
	CHECK_THAT(wrong < 0, "whole numbers: part %lld is %g, on the CPU %g", (long long)wrong,
	           wrong < 0 ? 0 : value_at(part, y, wrong),
	           wrong < 0 ? 0 : value_at(part, want, wrong));
	tulle_plan_destroy(cpu);
	free(y);
}

/* ---- updates ---- */

/* i A, whose product is that of A turned once; -A of a Hermitian A, which is Hermitian, too. */
static void check_update(const subject *s, const kit_complex_oracle *o)
{
	const int side = complex_side(s->op), turns = s->p->m.kind == TULLE_HERMITIAN ? 2 : 1;
	const int back = s->op == TULLE_CONJUGATE ? turns : 4 - turns; /* (i A)^H = -i A^H */
	const int64_t nnz = s->p->m.nnz;
	void *val = grab(nnz, size_of(s->p->type)), *y = s->p->y[side].at;
	tulle_vector *dv;

	if (product(s, 1, one, s->p->x[side].at, zero, y))
		complex_judge(o, "mul before an update", one, zero, NULL, y);
	for (int64_t k = 0; k < nnz; k++)
		complex_turn(s->p->type, val, k, s->p->val.at, k, turns);
	dv = vector(s->p->type, nnz, val);
	if (CHECK_OK(tulle_device_plan_update(s->plan, gpu.queue, dv)) &&
	    product(s, 1, one, s->p->x[side].at, zero, y)) {
		for (int64_t i = 0; i < rows_of(s); i++)
			complex_turn(s->p->type, y, i, y, i, back);
		complex_judge(o, "mul after an update", one, zero, NULL, y);
	}
	tulle_vector_destroy(dv);
	free(val);
}

/* ---- the walk ---- */

static tulle_status make_plan(subject *s, int updates)
{
	const tulle_device_plan_options wanted = { .size = sizeof wanted,
		                                       .format = s->format,
		                                       .op = s->op,
		                                       .offset_bits = gpu.offsets,
		                                       .updates = updates };

	s->plan = NULL;
	return tulle_device_plan_create(gpu.device, s->a, &wanted, &s->plan);
}

/* On a device a complex matrix without values is for sell alone, and has no updates. */
static int takes_ones(const char *format, int updates)
{
	return strncmp(format, "sell", 4) == 0 && !updates;
}

static void check_plan(subject *s, int updates, int exact, int turn)
{
	kit_complex_oracle *o = complex_oracle(s->p, s->op);
	const tulle_status made = make_plan(s, updates);
	int several;

	if (s->p->ones && !takes_ones(s->format, updates)) {
		CHECK_STATUS(made, TULLE_E_UNSUPPORTED);
		CHECK_WORDS(tulle_last_error(), "without values");
	} else if (o && CHECK_OK(made)) {
		plans++;
		several = strcmp(s->format, "csr:kernel=padded") != 0;
		if (updates)
			check_update(s, o);
		else if (exact)
			check_exact(s);
		for (int n = 0; !updates && !exact && n < (gpu.terse >= 2 ? 1 : 3); n++)
			check_bound(s, o, turn + 7 * n);
		if (!updates && !exact)
			check_nonfinite(s, turn);
		if (!updates && !exact && several)
			check_many(s, o, turn);
	}
	tulle_device_plan_destroy(s->plan);
	kit_complex_oracle_free(o);
}

/* Whole numbers or others; A, A^T and A^H in turn. */
static void check_problem(matrix m, const char *format, tulle_value_type type, int exact, int turn)
{
	static const kit_values classes[] = { KIT_UNIFORM, KIT_CANCEL, KIT_MIXED };
	complex_problem p =
	    complex_problem_new(m, type, pairs[turn % PAIRS], turn % 7 == 6 && !exact,
	                        exact ? KIT_INTEGER : classes[turn % 3], (uint64_t)turn);
	subject s = { .p = &p, .a = complex_matrix(&p, NULL), .format = format };

	check_about("%s, %s, %s", format, tulle__type_of(type)->name, p.m.name);
	s.op = complex_ops[exact ? 0 : turn % COMPLEX_OPS];
	if (s.a) {
		check_plan(&s, 0, exact, turn);
		if (!exact && turn % 2 == 0)
			check_plan(&s, 1, 0, turn);
	}
	tulle_matrix_destroy((tulle_matrix *)s.a);
	complex_problem_free(&p);
}

static void check_format(const char *format, tulle_value_type type, int start)
{
	matrix m;

	for (int n = 0; gpu_matrix(n, gpu.terse, &m); n++) {
		check_problem(m, format, type, 0, start + n);
		if (gpu_matrix(n, gpu.terse, &m))
			check_problem(m, format, type, 1, start + n);
	}
	check_group("%s, %s", format, tulle__type_of(type)->name);
}

/* ---- one triangle ---- */

/* Given as the lower triangle, a Hermitian, symmetric or skew matrix is that of all its entries, also after an update. */
static void check_triangle(tulle_kind kind, tulle_op op, tulle_value_type type)
{
	enum { N = 5, STORED = 4 };
	static const int32_t row[] = { 1, 2, 4, 4 }, col[] = { 0, 1, 0, 3 };
	static const double val[2][2 * STORED] = { { 1, 2, 3, -4, -5, 6, 7, 8 },
		                                       { -2, 5, 1, 1, 4, -3, 2, -9 } };
	static const double x[2 * N] = { 1, -1, 2, 3, -2, 1, 0, 4, 3, -3 };
	const tulle_value_type part = part_type(type);
	const tulle_matrix_options lower = { .size = sizeof lower, .kind = kind };
	const tulle_device_plan_options wanted = {
		.size = sizeof wanted, .format = "sell", .op = op, .updates = 1
	};
	const tulle_plan_options csr = { .size = sizeof csr, .format = "csr", .op = op };
	void *v[2], *dense = cast_values(x, 2 * N, part), *y = grab(N, size_of(type)),
	            *want = grab(N, size_of(type));
	tulle_vector *dx = vector(type, N, dense), *dy = vector(type, N, y), *dv = NULL;
	tulle_matrix *a = NULL;
	tulle_device_plan *plan = NULL;
	tulle_plan *cpu = NULL;

	for (int n = 0; n < 2; n++)
		v[n] = cast_values(val[n], 2 * STORED, part);
	if (CHECK_OK(tulle_matrix_from_coo(NULL, N, N, STORED, TULLE_I32, row, col, type, v[0], &lower,
	                                   &a)) &&
	    CHECK_OK(tulle_device_plan_create(gpu.device, a, &wanted, &plan)) &&
	    CHECK_OK(tulle_plan_create(a, &csr, &cpu)))
		for (int n = 0; n < 2; n++) {
			dv = vector(type, STORED, v[n]);
			CHECK_OK(tulle_device_plan_update(plan, gpu.queue, dv));
			CHECK_OK(tulle_plan_update(cpu, v[n]));
			CHECK_OK(tulle_device_mul(plan, gpu.queue, 1, dx, 0, dy));
			CHECK_OK(tulle_vector_read(gpu.queue, dy, 0, N, y));
			CHECK_OK(complex_mul(cpu, type, one, dense, zero, want));
			for (int i = 0; i < 2 * N; i++)
				CHECK_EQUAL(value_at(part, y, i), value_at(part, want, i));
			tulle_vector_destroy(dv);
		}
	tulle_vector_destroy(dx);
	tulle_vector_destroy(dy);
	tulle_device_plan_destroy(plan);
	tulle_plan_destroy(cpu);
	tulle_matrix_destroy(a);
	for (int n = 0; n < 2; n++)
		free(v[n]);
	free(dense);
	free(y);
	free(want);
}

static void check_triangles(tulle_value_type type)
{
	static const tulle_kind kinds[] = { TULLE_SYMMETRIC, TULLE_SKEW, TULLE_HERMITIAN };

	for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
		check_about("kind %d, %s", (int)kinds[n], tulle__type_of(type)->name);
		check_triangle(kinds[n], TULLE_NORMAL, type);
		check_triangle(kinds[n], TULLE_CONJUGATE, type);
	}
	check_group("one triangle, %s", tulle__type_of(type)->name);
}

/* ---- refusals ---- */

static int has_complex(const char *format)
{
	return strcspn(format, ":") == strlen("csr")
	           ? strncmp(format, "csr", 3) == 0
	           : strncmp(format, "sell", 4) == 0 && strcspn(format, ":") == strlen("sell");
}

/* The choice weighs csr and sell, and rules out the others with a reason. */
static void check_choice(const tulle_matrix *a)
{
	tulle_device_model model = { .size = sizeof model };
	tulle_device_candidate_info c = { .size = sizeof c };
	tulle_device_ranking *ranking = NULL;

	if (!CHECK(tulle_device_preset(0, &model)) ||
	    !CHECK_OK(tulle_device_ranking_create(a, &model, NULL, &ranking)))
		return;
	for (int n = 0; tulle_device_ranking_candidate(ranking, n, &c); n++) {
		CHECK_EQUAL(c.out, !has_complex(c.format));
		if (c.out)
			CHECK_WORDS(c.because, "complex");
		CHECK(n > 0 || !c.out);
	}
	tulle_device_ranking_destroy(ranking);
}

static void check_refusals(tulle_value_type type)
{
	tulle_device_format_info f = { .size = sizeof f };
	const tulle_c128 i = { 0, 1 };
	matrix m;
	subject s;

	for (int n = 0; gpu_matrix(n, 3, &m) && m.nnz == 0; n++)
		matrix_free(&m);

	complex_problem p = complex_problem_new(m, type, pairs[0], 0, KIT_UNIFORM, 1);
	arrays real = cast(&p.m, pairs[0], part_type(type), 0);
	tulle_vector *x = vector(type, p.m.cols, p.x[0].at), *y = vector(type, p.m.rows, p.b[0].at);
	tulle_matrix *b = borrow(NULL, &p.m, pairs[0], part_type(type), &real);

	s = (subject){ .p = &p, .a = complex_matrix(&p, NULL) };
	check_choice(s.a);
	for (int n = 0; tulle_device_format(n, &f); n++)
		if (!has_complex(f.format)) {
			s.format = f.format;
			CHECK_STATUS(make_plan(&s, 0), TULLE_E_UNSUPPORTED);
			CHECK_WORDS(tulle_last_error(), "complex");
		}
	s.format = NULL;
	CHECK_OK(make_plan(&s, 0)); /* the first of the ranking */
	CHECK_OK(tulle_device_mul_complex(s.plan, gpu.queue, i, x, i, y));
	tulle_device_plan_destroy(s.plan);
	tulle_matrix_destroy((tulle_matrix *)s.a);
	s.a = b;
	CHECK_OK(make_plan(&s, 0));
	CHECK_STATUS(tulle_device_mul_complex(s.plan, gpu.queue, i, x, i, y), TULLE_E_TYPE);
	CHECK_STATUS(tulle_device_mul_many_complex(s.plan, gpu.queue, 1, i, x, 1, i, y, 1),
	             TULLE_E_TYPE);
	CHECK_STATUS(tulle_device_mul(s.plan, gpu.queue, 1, x, 0, y), TULLE_E_TYPE);
	CHECK_STATUS(tulle_device_mul_complex(NULL, gpu.queue, i, x, i, y), TULLE_E_ARGUMENT);
	tulle_device_plan_destroy(s.plan);
	tulle_matrix_destroy(b);
	tulle_vector_destroy(x);
	tulle_vector_destroy(y);
	arrays_free(&real);
	complex_problem_free(&p);
	check_group("what is refused, %s", tulle__type_of(type)->name);
}

/* The least test has one of the variants that differ in the number of lanes alone. */
static int wants_variant(const tulle_device_format_info *f, tulle_value_type type)
{
	const char *const lanes = strstr(f->format, "lanes=");

	if (!has_complex(f->format) || f->width > gpu.width || !gpu_wants(f->format, type))
		return 0;
	return gpu.format || gpu.terse < 3 || !lanes || strcmp(lanes, "lanes=8") == 0;
}

int main(int argc, char **argv)
{
	tulle_device_format_info f = { .size = sizeof f };

	if (!gpu_open(argc, argv))
		return check_end();
	for (int t = TULLE_C64; t <= TULLE_C128; t++) {
		const tulle_value_type type = (tulle_value_type)t;

		if (!gpu_wants_type(type))
			continue;
		if (!gpu.format) {
			check_triangles(type);
			check_refusals(type);
		}
		for (int n = 0; tulle_device_format(n, &f); n++)
			if (wants_variant(&f, type))
				check_format(f.format, type, n);
	}
	gpu_close();
	CHECK_THAT(plans > 0, "no plan was made");
	return check_end();
}
