/* kit_oracle.c -- the oracle accepts every right sum and no wrong one.
 *
 * Right sums are computed here by the plainest loops, in several orders; a wrong one is a right one
 * with an error of twice the bound planted in a single row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kit.h"
#include "wide.h"

static double get(tulle_value_type type, const void *a, int64_t k)
{
	return type == TULLE_F32 ? (double)((const float *)a)[k] : ((const double *)a)[k];
}

static void put(tulle_value_type type, void *a, int64_t k, double v)
{
	if (type == TULLE_F32)
		((float *)a)[k] = (float)v;
	else
		((double *)a)[k] = v;
}

/* y = alpha op(A) x + beta b with every operation rounded to the type; `backwards` turns the order
 * of the entries round. (float)(double op double) of two floats is one correctly rounded op.) */
static void multiply(const tulle_csr_view *a, tulle_op op, double alpha, const void *x, double beta,
                     const void *b, void *y, int backwards)
{
	const int64_t *ptr = a->row_ptr;
	const int32_t *col = a->col;
	tulle_value_type t = a->value_type;
	int64_t n = op == TULLE_NORMAL ? a->rows : a->cols;
	double *sum = calloc((size_t)n + 1, sizeof *sum);
	for (int64_t s = 0; s < a->rows; s++) {
		int64_t i = backwards ? a->rows - 1 - s : s;
		for (int64_t r = ptr[i]; r < ptr[i + 1]; r++) {
			int64_t k = backwards ? ptr[i] + ptr[i + 1] - 1 - r : r;
			int64_t to = op == TULLE_NORMAL ? i : col[k];
			int64_t from = op == TULLE_NORMAL ? col[k] : i;
			double v = a->val ? get(t, a->val, k) : 1;
			if (t == TULLE_F32)
				sum[to] = (float)(sum[to] + (double)(float)(v * get(t, x, from)));
			else
				sum[to] += v * get(t, x, from);
		}
	}
	for (int64_t i = 0; i < n; i++) {
		double scaled = t == TULLE_F32 ? (float)(alpha * sum[i]) : alpha * sum[i];
		double term = beta == 0 ? 0 : beta * get(t, b, i);
		put(t, y, i, scaled + (t == TULLE_F32 ? (float)term : term));
	}
	free(sum);
}

typedef struct {
	kit_matrix m;
	tulle_csr_view a;
	void *val, *x, *b, *y;
} problem;

/* x and b are long enough for A and for its transpose. */
static problem make(const char *spec, kit_values values, tulle_value_type type)
{
	problem p;
	if (kit_generate(spec, &p.m)) {
		printf("%s\n", kit_error());
		exit(1);
	}
	size_t n = (size_t)(p.m.rows > p.m.cols ? p.m.rows : p.m.cols);
	p.val = malloc((size_t)p.m.nnz * 8 + 8);
	p.x = malloc(n * 8 + 8);
	p.b = malloc(n * 8 + 8);
	p.y = malloc(n * 8 + 8);
	p.a = kit_view(&p.m);
	p.a.value_type = type;
	kit_random_fill(values == KIT_CANCEL ? KIT_UNIFORM : values, 5, type, (int64_t)n, p.x);
	kit_random_fill(values, 6, type, (int64_t)n, p.b);
	kit_random_system(values, 7, &p.a, p.val, p.x);
	p.a.val = p.val;
	return p;
}

static void drop(problem *p)
{
	kit_free(&p->m);
	free(p->val);
	free(p->x);
	free(p->b);
	free(p->y);
}

static const char *const specs[] = {
	"random:rows=2000,cols=1500,mean=9",
	"dense:rows=20,cols=700",
	"empty:rows=3000,cols=200",
	"circuit:rows=1000",
	"banded:rows=1,width=0",
	"random:rows=0,cols=0",
	"dense:rows=3,cols=0",
	"dense:rows=0,cols=3",
};

/* The planted error goes where a result has not already the sign that helps it. */
static void plant(const kit_oracle *o, problem *p, int64_t rows, const char *what)
{
	tulle_value_type t = p->a.value_type;
	for (int64_t i = 0; i < rows; i += 1 + rows / 7) {
		double reference, bound, right = get(t, p->y, i);
		kit_oracle_row(o, i, &reference, &bound);
		put(t, p->y, i, reference + 2.5 * bound);
		/* 2.5: rounding reference + 2 bound to the type must not bring it inside. */
		kit_verdict v = kit_oracle_check(o, p->y);
		CHECK_THAT(v.violations == 1 && v.worst_row == i && v.worst > 1.9, "%s row %lld: %g", what,
		           (long long)i, v.worst);
		put(t, p->y, i, NAN);
		v = kit_oracle_check(o, p->y);
		CHECK_THAT(v.violations == 1 && v.worst_row == i && isinf(v.worst), "%s: NaN", what);
		put(t, p->y, i, -INFINITY);
		v = kit_oracle_check(o, p->y);
		CHECK_THAT(v.violations == 1 && v.worst_row == i && isinf(v.worst), "%s: Inf", what);
		put(t, p->y, i, right);
	}
}

static void test_right_and_wrong(tulle_value_type type)
{
	static const double scale[][2] = { { 1, 0 }, { 1, 1 }, { -0.5, 2 }, { 0, 1 }, { 0.3, -0.7 } };
	double worst = 0;
	for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
		for (int c = 0; c < KIT_VALUES; c++) {
			problem p = make(specs[s], (kit_values)c, type);
			for (size_t f = 0; f < sizeof scale / sizeof *scale; f++)
				for (int op = TULLE_NORMAL; op <= TULLE_TRANSPOSED; op++) {
					double alpha = scale[f][0], beta = scale[f][1];
					if (type == TULLE_F32)
						alpha = (float)alpha, beta = (float)beta;
					int64_t rows = op == TULLE_NORMAL ? p.a.rows : p.a.cols;
					char what[128];
					snprintf(what, sizeof what, "%s %s op %d alpha %g beta %g", specs[s],
					         kit_values_name((kit_values)c), op, alpha, beta);
					kit_oracle *o = kit_oracle_create(&p.a, (tulle_op)op, alpha, p.x, beta, p.b);
					CHECK_THAT(o, "%s: %s", what, kit_error());
					for (int backwards = 0; backwards <= 1; backwards++) {
						multiply(&p.a, (tulle_op)op, alpha, p.x, beta, p.b, p.y, backwards);
						kit_verdict v = kit_oracle_check(o, p.y);
						CHECK_THAT(v.violations == 0 && v.overflowed == 0, "%s: %g row %lld", what,
						           v.worst, (long long)v.worst_row);
						CHECK_THAT(v.rows == rows && (v.worst_row >= 0) == (rows > 0),
						           "%s: %lld rows", what, (long long)v.rows);
						worst = v.worst > worst ? v.worst : worst;
					}
					if (f == 2)
						plant(o, &p, rows, what);
					kit_oracle_free(o);
				}
			drop(&p);
		}
	/* A bound that nothing ever comes near would accept anything. */
	CHECK_THAT(worst > 0.1 && worst <= 1, "worst error / bound %g", worst);
}

/* The reference against sums in 113 bits: it may be off by its rounding to a double here, and by
 * gamma_n^2 sum |a||x|, some 2^-96. */
static void test_reference(tulle_value_type type)
{
	for (int c = 0; c < KIT_VALUES; c++) {
		problem p = make("random:rows=2000,cols=1500,mean=40", (kit_values)c, type);
		kit_oracle *o = kit_oracle_create(&p.a, TULLE_NORMAL, 3, p.x, 0, NULL);
		for (int64_t i = 0; i < p.m.rows; i++) {
			kit_wide sum = 0, sizes = 0;
			for (int64_t k = p.m.row_ptr[i]; k < p.m.row_ptr[i + 1]; k++) {
				kit_wide product =
				    (kit_wide)get(type, p.val, k) * (kit_wide)get(type, p.x, p.m.col[k]);
				sum += product;
				sizes += product < 0 ? -product : product;
			}
			double n = (double)(p.m.row_ptr[i + 1] - p.m.row_ptr[i]);
			double lost = 3 * n * n * 0x1p-105 * (double)sizes;
			double reference, bound, expected = (double)(3 * sum);
			kit_oracle_row(o, i, &reference, &bound);
			CHECK_THAT(fabs(reference - expected) <= 0x1p-52 * fabs(expected) + lost,
			           "%s row %lld: %a %a", kit_values_name((kit_values)c), (long long)i,
			           reference, expected);
		}
		kit_oracle_free(o);
		drop(&p);
	}
}

/* A matrix of one row, by hand. */
static kit_oracle *one_row(tulle_value_type type, int64_t n, const void *val, double alpha,
                           const void *x, double beta, const void *b)
{
	static const int32_t col[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	int32_t ptr[2] = { 0, (int32_t)n };
	tulle_csr_view a = { sizeof a, 1, n, n, TULLE_I32, TULLE_I32, type, ptr, col, val };
	return kit_oracle_create(&a, TULLE_NORMAL, alpha, x, beta, b);
}

static void test_bound_itself(void)
{
	double x[3] = { 1, -2, 4 }, val[3] = { 3, 5, 0.5 }, b = 8, reference, bound;
	kit_oracle *o = one_row(TULLE_F64, 3, val, 2, x, -1, &b);
	kit_oracle_row(o, 0, &reference, &bound);
	CHECK_THAT(reference == 2 * (3 - 10 + 2) - 8, "%g", reference);
	/* gamma_5 (2 * 15 + 8), to the factor 1 + 2^-28 the oracle allows itself */
	double expected = 5 * 0x1p-53 / (1 - 5 * 0x1p-53) * 38;
	CHECK_THAT(bound >= expected && bound < expected * (1 + 0x1p-27), "%g %g", bound, expected);
	kit_oracle_free(o);

	float fx[3] = { 1, -2, 4 }, fval[3] = { 3, 5, 0.5f };
	o = one_row(TULLE_F32, 3, fval, 2, fx, 0, NULL);
	kit_oracle_row(o, 0, &reference, &bound);
	expected = 5 * 0x1p-24 / (1 - 5 * 0x1p-24) * 30;
	CHECK_THAT(bound >= expected && bound < expected * (1 + 0x1p-27), "%g %g", bound, expected);
	kit_oracle_free(o);

	/* Nothing but the underflow term: (n |alpha| + 4) eta. */
	double zero[3] = { 0, 0, 0 };
	o = one_row(TULLE_F64, 3, zero, -4, x, 0, NULL);
	kit_oracle_row(o, 0, &reference, &bound);
	CHECK_THAT(reference == 0 && bound == 16 * 0x1p-1074, "%g", bound);
	kit_oracle_free(o);

	/* What double cannot see: 1e300 * 1e300 - 1e300 * 1e300 + 1 does not overflow in 113 bits,
	 * but it does on the way, so the row is not judged. */
	double big[3] = { 1e300, -1e300, 1 }, bigx[3] = { 1e300, 1e300, 1 }, y = NAN;
	o = one_row(TULLE_F64, 3, big, 1, bigx, 0, NULL);
	kit_verdict v = kit_oracle_check(o, &y);
	CHECK_THAT(v.overflowed == 1 && v.rows == 0 && v.violations == 0 && v.worst_row == -1,
	           "overflow");
	kit_oracle_free(o);
	double half[3] = { 1e200, -1e200, 1 }, halfx[3] = { 1e100, 1e100, 1 };
	o = one_row(TULLE_F64, 3, half, 1, halfx, 0, NULL);
	kit_oracle_row(o, 0, &reference, &bound);
	CHECK_THAT(reference == 1, "%g", reference);
	kit_oracle_free(o);
	CHECK_THAT(!kit_oracle_create(NULL, TULLE_NORMAL, 1, x, 0, NULL) && *kit_error(), "no matrix");
}

/* NaN and Inf among the inputs must come out as what any order makes of them. */
static void test_special(void)
{
	static const struct {
		double a, b, out;
	} cases[] = {
		{ INFINITY, 1, INFINITY }, { -INFINITY, 1, -INFINITY }, { INFINITY, -INFINITY, NAN },
		{ NAN, 1, NAN },           { NAN, INFINITY, NAN },
	};
	double val[2] = { 1, 1 };
	for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
		double x[2] = { cases[n].a, cases[n].b };
		kit_oracle *o = one_row(TULLE_F64, 2, val, 1, x, 0, NULL);
		const double tries[] = { 0, 1, INFINITY, -INFINITY, NAN };
		for (int t = 0; t < 5; t++) {
			int same = isnan(cases[n].out) ? isnan(tries[t]) : tries[t] == cases[n].out;
			kit_verdict v = kit_oracle_check(o, &tries[t]);
			CHECK_THAT(v.violations == !same && v.rows == 1, "case %zu, %g", n, tries[t]);
		}
		kit_oracle_free(o);
	}
	/* beta == 0 does not read b, so a NaN there is no excuse. */
	double x[2] = { 1, 2 }, b = NAN, y = 3;
	kit_oracle *o = one_row(TULLE_F64, 2, val, 1, x, 0, &b);
	CHECK_THAT(kit_oracle_check(o, &y).violations == 0, "b is read");
	kit_oracle_free(o);
	/* val == NULL means ones. */
	o = one_row(TULLE_F64, 2, NULL, 1, x, 0, NULL);
	CHECK_THAT(kit_oracle_check(o, &y).violations == 0, "ones");
	kit_oracle_free(o);
}

/* The view's index types must not matter. */
static void test_index_types(void)
{
	problem p = make("random:rows=300,cols=200,mean=9", KIT_UNIFORM, TULLE_F64);
	int32_t *ptr32 = malloc((size_t)(p.m.rows + 1) * 4);
	int64_t *col64 = malloc((size_t)p.m.nnz * 8);
	for (int64_t i = 0; i <= p.m.rows; i++)
		ptr32[i] = (int32_t)p.m.row_ptr[i];
	for (int64_t k = 0; k < p.m.nnz; k++)
		col64[k] = p.m.col[k];
	tulle_csr_view small = p.a, large = p.a;
	small.offset_type = TULLE_I32;
	small.row_ptr = ptr32;
	large.column_type = TULLE_I64;
	large.col = col64;
	for (int op = TULLE_NORMAL; op <= TULLE_TRANSPOSED; op++) {
		kit_oracle *a = kit_oracle_create(&small, (tulle_op)op, 1, p.x, 0, NULL);
		kit_oracle *b = kit_oracle_create(&large, (tulle_op)op, 1, p.x, 0, NULL);
		multiply(&p.a, (tulle_op)op, 1, p.x, 0, NULL, p.y, 0);
		kit_verdict va = kit_oracle_check(a, p.y), vb = kit_oracle_check(b, p.y);
		CHECK_THAT(!va.violations && !vb.violations && va.worst == vb.worst, "op %d", op);
		kit_oracle_free(a);
		kit_oracle_free(b);
	}
	free(ptr32);
	free(col64);
	drop(&p);
}

int main(void)
{
	test_right_and_wrong(TULLE_F64);
	test_right_and_wrong(TULLE_F32);
	test_reference(TULLE_F64);
	test_reference(TULLE_F32);
	test_bound_itself();
	test_special();
	test_index_types();
	return check_end();
}
