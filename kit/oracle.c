/* oracle.c -- the product in about 100 bits, and for each row the error bound.
 *
 * Rows are computed as a double and its error (Ogita, Rump, Oishi 2005, Dot2), which is fifty times as fast
 * as 113-bit arithmetic in software. Where this is not proven to be accurate enough, because of underflow,
 * NaN, Inf, huge numbers or huge rows, they are computed in 113 bits.
 *
 * The bound (Higham, Accuracy and Stability, sec. 3.1, with a term for underflow) holds for every
 * order of summation, with or without fma, so one oracle judges every format and instruction set.
 * A larger error is always a bug. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "inner.h"
#include "wide.h"

/* Special values of a row's bound. */
static const double overflows = INFINITY; /* not to be checked */
static const double special = 0;          /* NaN or Inf among the inputs: reference is that */

/* The number high + low. */
typedef struct {
	double high, low;
} pair;

struct kit_oracle {
	int64_t rows;
	tulle_value_type type;
	pair *reference;
	double *bound;
};

/* The entries of op(A), row by row. Normal: those of the view. Transposed: columns gathered first.
 */
typedef struct {
	const tulle_csr_view *a;
	int64_t rows;
	int64_t *ptr, *row, *k; /* transposed only: offsets, and each entry's row and place in A */
} entries;

static double value(tulle_value_type type, const void *a, int64_t k)
{
	return type == TULLE_F32 ? (double)((const float *)a)[k] : ((const double *)a)[k];
}

static int64_t at(tulle_index_type type, const void *a, int64_t k)
{
	return type == TULLE_I32 ? ((const int32_t *)a)[k] : ((const int64_t *)a)[k];
}

static int64_t offset(const tulle_csr_view *a, int64_t i)
{
	return at(a->offset_type, a->row_ptr, i);
}

static void free_entries(entries *e)
{
	free(e->ptr);
	free(e->row);
	free(e->k);
}

static int transpose(entries *e)
{
	const tulle_csr_view *a = e->a;
	e->ptr = kit__alloc(a->cols + 2, sizeof *e->ptr);
	e->row = kit__alloc(a->nnz, sizeof *e->row);
	e->k = kit__alloc(a->nnz, sizeof *e->k);
	if (!e->ptr || !e->row || !e->k)
		return -1;
	/* Counts are stored two places ahead, so that after filling ptr[j] is the beginning of column j. */
	for (int64_t k = offset(a, 0); k < offset(a, a->rows); k++)
		e->ptr[at(a->column_type, a->col, k) + 2]++;
	for (int64_t j = 1; j < a->cols; j++)
		e->ptr[j + 1] += e->ptr[j];
	for (int64_t i = 0; i < a->rows; i++)
		for (int64_t k = offset(a, i); k < offset(a, i + 1); k++) {
			int64_t t = e->ptr[at(a->column_type, a->col, k) + 1]++;
			e->row[t] = i;
			e->k[t] = k;
		}
	return 0;
}

/* The terms of the bound of a row: n entries, sum |a||x|, and |alpha| times that + |beta||b|, which is NaN if
 * an input is NaN or Inf. */
typedef struct {
	pair reference;
	int64_t n;
	double sizes, all;
} judged;

/* The error bound. The factor covers the oracle's own rounding: 2^-30 of the bound for the sum of sum_fast,
 * 2^-30 for its sizes, and a few 2^-52 for arithmetic in compute_fast, here and in ratio(). Three products
 * here and the low part of a reference may be subnormal and off by eta / 2 each: the last two eta cover
 * that. */
static double bound_of(tulle_value_type type, double alpha, const judged *r)
{
	const int single = type == TULLE_F32;
	const double factor = 1 + 0x1p-28;
	const double ku = (double)(r->n + 2) * (single ? 0x1p-24 : 0x1p-53), gamma = ku / (1 - ku);
	const double largest = single ? (double)FLT_MAX : DBL_MAX;
	const double eta = single ? 0x1p-149 : 0x1p-1074;

	if (isnan(r->all))
		return special;
	if (ku >= 1)
		return overflows; /* too long: there is no bound */
	if (fmax(r->sizes, r->all) * factor * (1 + gamma) > largest)
		return overflows;
	return gamma * r->all * factor + ((double)r->n * fabs(alpha) + 4) * eta;
}

/* The t-th entry: a, and the element of x. */
static inline double factors(const entries *e, const void *x, int64_t t, double *xj)
{
	const tulle_csr_view *a = e->a;
	int64_t k = e->ptr ? e->k[t] : t;
	*xj = value(a->value_type, x, e->ptr ? e->row[t] : at(a->column_type, a->col, k));
	return a->val ? value(a->value_type, a->val, k) : 1;
}

typedef struct {
	const kit_oracle *o;
	const entries *e;
	double alpha, beta;
	const void *x, *b;
} product;

/* The entries of a row of op(A), and its b; 0 if b is not to be read. */
typedef struct {
	int64_t from, to;
	double b;
} row_inputs;

/* ---- in 113 bits ---- */

static kit_wide magnitude(kit_wide v)
{
	return v < 0 ? -v : v;
}

/* Not NaN and not Inf, without libquadmath. */
static int finite_wide(kit_wide v)
{
	return v - v == 0;
}

/* The smallest double that is not below v >= 0. */
static double up(kit_wide v)
{
	double d = (double)v;
	if ((kit_wide)d >= v)
		return d;
	uint64_t bits;
	memcpy(&bits, &d, sizeof bits);
	bits++;
	memcpy(&d, &bits, sizeof d);
	return d;
}

static judged compute_slowly(const product *p, const row_inputs *r)
{
	kit_wide sum = 0, sizes = 0;
	for (int64_t t = r->from; t < r->to; t++) {
		double xj;
		kit_wide ax = (kit_wide)factors(p->e, p->x, t, &xj) * (kit_wide)xj;
		sum += ax;
		sizes += magnitude(ax);
	}
	kit_wide term = (kit_wide)p->beta * (kit_wide)r->b;
	kit_wide reference = (kit_wide)p->alpha * sum + term;
	kit_wide all = magnitude(p->alpha) * sizes + magnitude(term);
	double high = (double)reference;
	return (judged){ { high, (double)(reference - (kit_wide)high) },
		             r->to - r->from,
		             up(sizes),
		             finite_wide(all) && finite_wide(sizes) ? up(all) : NAN };
}

/* ---- in pairs of doubles ---- */

/* a + b exactly. */
static inline pair exact_sum(double a, double b)
{
	double sum = a + b, part = sum - a;
	return (pair){ sum, (a - (sum - part)) + (b - part) };
}

/* a b exactly, except for an error of 2^-1074 if it is below 2^-960. */
static inline pair exact_product(double a, double b)
{
	double high = a * b;
	return (pair){ high, fma(a, b, -high) };
}

/* Every step is exact except the sum of the errors, so the sum is off by at most gamma_n^2 sizes: gamma_n <
 * 2^-30 of the bound if n < 2^23. 0: this is not proven for this row. */
static int sum_fast(const product *p, const row_inputs *r, pair *out, double *out_sizes)
{
	pair sum = { 0, 0 };
	double sizes = 0;
	if (r->to - r->from >= 1 << 23)
		return 0;
	for (int64_t t = r->from; t < r->to; t++) {
		double xj, v = factors(p->e, p->x, t, &xj);
		pair term = exact_product(v, xj);
		/* Below this the error of the product may be too small for a double. */
		if (fabs(term.high) < 0x1p-960) {
			if (v != 0 && xj != 0)
				return 0;
			continue;
		}
		pair next = exact_sum(sum.high, term.high);
		sum = (pair){ next.high, sum.low + (next.low + term.low) };
		sizes += fabs(term.high);
	}
	*out = sum;
	*out_sizes = sizes;
	return sizes < 0x1p1000; /* NaN is not */
}

/* Low parts are at most 2 gamma_{n+2} all, so each of the five operations on them rounds by some 2^-52 of
 * the bound, or by 2^-1074. The latter is less than 2^-52 of the bound, too, if all > 2^-900. */
static int compute_fast(const product *p, const row_inputs *r, judged *out)
{
	pair sum;
	double sizes;
	if (!sum_fast(p, r, &sum, &sizes))
		return 0;
	pair scaled = exact_product(p->alpha, sum.high), term = exact_product(p->beta, r->b);
	pair whole = exact_sum(scaled.high, term.high);
	double rest = scaled.low + p->alpha * sum.low + term.low;
	double all = fabs(p->alpha) * sizes + fabs(term.high);
	int zero = (p->alpha == 0 || sizes == 0) && (p->beta == 0 || r->b == 0);
	*out = (judged){ { whole.high, whole.low + rest }, r->to - r->from, sizes, all };
	return zero || (all > 0x1p-900 && all < 0x1p1000);
}

static void judge_row(const void *self, int64_t i)
{
	const product *p = self;
	const kit_oracle *o = p->o;
	const entries *e = p->e;
	const row_inputs r = { e->ptr ? e->ptr[i] : offset(e->a, i),
		                   e->ptr ? e->ptr[i + 1] : offset(e->a, i + 1),
		                   p->beta != 0 ? value(o->type, p->b, i) : 0 };
	judged j;
	if (!compute_fast(p, &r, &j))
		j = compute_slowly(p, &r);
	o->reference[i] = j.reference;
	o->bound[i] = bound_of(o->type, p->alpha, &j);
}

kit_oracle *kit_oracle_create(const tulle_csr_view *a, tulle_op op, double alpha, const void *x,
                              double beta, const void *b)
{
	if (!a || (!x && (op == TULLE_NORMAL ? a->cols : a->rows) > 0) ||
	    (beta != 0 && !b && (op == TULLE_NORMAL ? a->rows : a->cols) > 0)) {
		kit__fail("the oracle needs a matrix, an x, and a b unless beta is 0");
		return NULL;
	}
	if (a->value_type == TULLE_F32) {
		alpha = (float)alpha;
		beta = (float)beta;
	}
	entries e = { .a = a, .rows = op == TULLE_NORMAL ? a->rows : a->cols };
	kit_oracle *o = kit__alloc(1, sizeof *o);
	if (!o || (op == TULLE_TRANSPOSED && transpose(&e)))
		goto fail;
	o->rows = e.rows;
	o->type = a->value_type;
	o->reference = kit__alloc(o->rows, sizeof *o->reference);
	o->bound = kit__alloc(o->rows, sizeof *o->bound);
	if (!o->reference || !o->bound)
		goto fail;
	kit__each(o->rows, judge_row, &(product){ o, &e, alpha, beta, x, b });
	free_entries(&e);
	return o;
fail:
	free_entries(&e);
	kit_oracle_free(o);
	return NULL;
}

/* Error over bound of one row; infinity where a NaN or an Inf is wrong or missing. */
static double ratio(const kit_oracle *o, int64_t i, double y)
{
	const pair reference = o->reference[i];
	if (o->bound[i] == special)
		return (isnan(reference.high) ? isnan(y) : y == reference.high) ? 0 : INFINITY;
	pair error = exact_sum(y, -reference.high);
	if (!isfinite(error.high)) /* y is not finite, or far beyond any bound */
		return INFINITY;
	return fabs(error.high + (error.low - reference.low)) / o->bound[i];
}

kit_verdict kit_oracle_check(const kit_oracle *o, const void *y)
{
	kit_verdict v = { .worst_row = -1 };
	for (int64_t i = 0; i < o->rows; i++) {
		if (o->bound[i] == overflows) {
			v.overflowed++;
			continue;
		}
		double r = ratio(o, i, value(o->type, y, i));
		v.rows++;
		v.violations += r > 1;
		if (v.worst_row < 0 || r > v.worst) {
			v.worst = r;
			v.worst_row = i;
		}
	}
	return v;
}

void kit_oracle_row(const kit_oracle *o, int64_t row, double *reference, double *bound)
{
	*reference = o->reference[row].high + o->reference[row].low;
	*bound = o->bound[row];
}

void kit_oracle_free(kit_oracle *o)
{
	if (!o)
		return;
	free(o->reference);
	free(o->bound);
	free(o);
}
