/* oracle.c -- the product in some 100 bits, and for each row the error that is allowed.
 *
 * Rows are summed as a double and its error (Ogita, Rump, Oishi 2005, Dot2), which is fifty times
 * faster than 113-bit arithmetic in software; where that is not proven to be good enough, because
 * of underflow, NaN, Inf, huge numbers or huge rows, they are summed in 113 bits.
 *
 * The bound (Higham, Accuracy and Stability, sec. 3.1, with a term for underflow) holds for every
 * order of summation, with or without fma, so one oracle judges every format and instruction set.
 * An error beyond it is a bug, never bad luck. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "inner.h"
#include "wide.h"

/* A row's bound says what kind of row it is. */
static const double overflows = INFINITY; /* not to be checked */
static const double special = 0;          /* NaN or Inf among the inputs: reference is that */

struct kit_oracle {
	int64_t rows;
	tulle_value_type type;
	kit_wide *reference;
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
	/* Counted two places ahead, so that filling leaves ptr[j] where column j begins. */
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

/* n entries, sum of a x, sum of |a||x|, and |alpha| times that + |beta||b|: the allowed error. */
static double bound_of(tulle_value_type type, int64_t n, kit_wide alpha, kit_wide sizes,
                       kit_wide all)
{
	int single = type == TULLE_F32;
	kit_wide ku = (kit_wide)(n + 2) * (single ? 0x1p-24 : 0x1p-53);
	kit_wide largest = single ? (kit_wide)FLT_MAX : (kit_wide)DBL_MAX;
	double eta = single ? 0x1p-149 : 0x1p-1074;
	if (!finite_wide(all) || !finite_wide(sizes))
		return special;
	if (ku >= 1)
		return overflows; /* so long that nothing can be promised */
	kit_wide gamma = ku / (1 - ku);
	if (sizes * (1 + gamma) > largest || all * (1 + gamma) > largest)
		return overflows;
	/* The factor pays for the oracle's own rounding: sum_fast's sum 2^-30, its sizes 2^-30. */
	return up(gamma * all * (1 + 0x1p-28) + ((kit_wide)n * magnitude(alpha) + 2) * (kit_wide)eta);
}

/* Sum of a x and of |a||x| over entries of A or of a column of it. */
typedef struct {
	kit_wide sum, sizes;
} sums;

/* The numbers of the t-th entry: a, and the x it meets. */
static inline double factors(const entries *e, const void *x, int64_t t, double *xj)
{
	const tulle_csr_view *a = e->a;
	int64_t k = e->ptr ? e->k[t] : t;
	*xj = value(a->value_type, x, e->ptr ? e->row[t] : at(a->column_type, a->col, k));
	return a->val ? value(a->value_type, a->val, k) : 1;
}

static sums sum_slowly(const entries *e, const void *x, int64_t from, int64_t to)
{
	sums s = { 0, 0 };
	for (int64_t t = from; t < to; t++) {
		double xj;
		kit_wide product = (kit_wide)factors(e, x, t, &xj) * (kit_wide)xj;
		s.sum += product;
		s.sizes += magnitude(product);
	}
	return s;
}

/* Every step is exact but for the sum of the errors, so the sum is off by at most gamma_n^2 sizes:
 * a part gamma_n < 2^-30 of the bound when n < 2^23. 0: that is not proven for this row. */
static int sum_fast(const entries *e, const void *x, int64_t from, int64_t to, sums *s)
{
	double sum = 0, rest = 0, sizes = 0;
	if (to - from >= 1 << 23)
		return 0;
	for (int64_t t = from; t < to; t++) {
		double xj, v = factors(e, x, t, &xj);
		double product = v * xj;
		/* Below this the error of the product may be too small for a double. */
		if (fabs(product) < 0x1p-960) {
			if (v != 0 && xj != 0)
				return 0;
			continue;
		}
		double low = fma(v, xj, -product);
		double next = sum + product, part = next - sum;
		rest += ((sum - (next - part)) + (product - part)) + low;
		sum = next;
		sizes += fabs(product);
	}
	*s = (sums){ (kit_wide)sum + rest, sizes };
	return sizes < 0x1p1000; /* NaN is not */
}

typedef struct {
	const kit_oracle *o;
	const entries *e;
	double alpha, beta;
	const void *x, *b;
} product;

static void judge_row(const void *self, int64_t i)
{
	const product *p = self;
	const kit_oracle *o = p->o;
	const entries *e = p->e;
	int64_t from = e->ptr ? e->ptr[i] : offset(e->a, i);
	int64_t to = e->ptr ? e->ptr[i + 1] : offset(e->a, i + 1);
	sums s;
	if (!sum_fast(e, p->x, from, to, &s))
		s = sum_slowly(e, p->x, from, to);
	kit_wide term = p->beta != 0 ? (kit_wide)p->beta * (kit_wide)value(o->type, p->b, i) : 0;
	o->reference[i] = (kit_wide)p->alpha * s.sum + term;
	o->bound[i] = bound_of(o->type, to - from, p->alpha, s.sizes,
	                       magnitude(p->alpha) * s.sizes + magnitude(term));
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
	kit_wide reference = o->reference[i];
	if (o->bound[i] == special)
		return (reference != reference ? y != y : (kit_wide)y == reference) ? 0 : INFINITY;
	if (!isfinite(y))
		return INFINITY;
	return (double)(magnitude((kit_wide)y - reference) / (kit_wide)o->bound[i]);
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
	*reference = (double)o->reference[row];
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
