/* complex_oracle.c -- products of complex matrices in 113 bits, and the error bound.
 *
 * Each part of y = alpha op(A) x + beta b is a sum of real products:
 *
 *     s    = sum a x            Re s = sum (ar xr - ai xi),  Im s = sum (ar xi + ai xr)
 *     Re y = alpha_r Re s - alpha_i Im s + beta_r br - beta_i bi
 *     Im y = alpha_r Im s + alpha_i Re s + beta_r bi + beta_i br
 *
 * The bound. Let a row have n entries. A part of s has 2n products, added in any order, fused or not. A product
 * is rounded once, and takes part in at most 2n - 1 additions, each with one rounding (those of zeros are exact), so
 * the computed part is sum t (1 + d) with |d| <= gamma_{2n} (Higham, Accuracy and Stability, lemma 3.1). The factor
 * alpha adds a product and the addition of its pair of terms, beta at most two additions more: 4 roundings.
 * A term of beta b has 3. So, with u and gamma_k = k u / (1 - k u) of the type of a part,
 *
 *     |error of Re y| <= gamma_{2n+4} (|alpha_r| S_r + |alpha_i| S_i + |beta_r||br| + |beta_i||bi|) + e
 *     S_r = sum (|ar||xr| + |ai||xi|),  S_i = sum (|ar||xi| + |ai||xr|)
 *
 * and likewise for Im y. e is the underflow: each product may lose eta / 2, where eta is the least subnormal
 * number. The 2n products of each part of s are multiplied by a part of alpha, and there are four more; the rounding
 * that follows makes them larger by less than a factor of 2: e = (2n (|alpha_r| + |alpha_i|) + 4) eta.
 *
 * A factor without an imaginary part is a real number: there is no product with its 0. That matters where
 * inputs are NaN or Inf, and y must be what they give in any order. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "inner.h"
#include "wide.h"

typedef struct {
	kit_wide re, im;
} wide_pair;

/* Of a row of op(A): the sum, and the sums of sizes S_r and S_i. */
typedef struct {
	wide_pair sum, sizes;
	int64_t n;
} row_sums;

struct kit_complex_oracle {
	int64_t rows;
	int single;
	row_sums *row;
};

static kit_complex number(int single, const void *a, int64_t k)
{
	return single ? (kit_complex){ (double)((const float *)a)[2 * k],
		                           (double)((const float *)a)[2 * k + 1] }
	              : (kit_complex){ ((const double *)a)[2 * k], ((const double *)a)[2 * k + 1] };
}

static int64_t at(tulle_index_type type, const void *a, int64_t k)
{
	return type == TULLE_I32 ? ((const int32_t *)a)[k] : ((const int64_t *)a)[k];
}

static kit_wide magnitude(kit_wide v)
{
	return v < 0 ? -v : v;
}

static void add_entry(row_sums *r, const kit_complex *a, kit_complex x)
{
	r->n++;
	if (!a) { /* a real one */
		r->sum.re += (kit_wide)x.re;
		r->sum.im += (kit_wide)x.im;
		r->sizes.re += magnitude(x.re);
		r->sizes.im += magnitude(x.im);
		return;
	}
	const kit_wide rr = (kit_wide)a->re * (kit_wide)x.re, ii = (kit_wide)a->im * (kit_wide)x.im;
	const kit_wide ri = (kit_wide)a->re * (kit_wide)x.im, ir = (kit_wide)a->im * (kit_wide)x.re;
	r->sum.re += rr - ii;
	r->sum.im += ri + ir;
	r->sizes.re += magnitude(rr) + magnitude(ii);
	r->sizes.im += magnitude(ri) + magnitude(ir);
}

kit_complex_oracle *kit_complex_oracle_create(const tulle_csr_view *a, tulle_op op, const void *x)
{
	kit_complex_oracle *o = kit__alloc(1, sizeof *o);
	if (!o)
		return NULL;
	o->single = a->value_type == TULLE_C64;
	o->rows = op == TULLE_NORMAL ? a->rows : a->cols;
	o->row = kit__alloc(o->rows, sizeof *o->row);
	if (!o->row) {
		free(o);
		return NULL;
	}
	for (int64_t i = 0; i < a->rows; i++)
		for (int64_t k = at(a->offset_type, a->row_ptr, i);
		     k < at(a->offset_type, a->row_ptr, i + 1); k++) {
			const int64_t j = at(a->column_type, a->col, k);
			kit_complex v = { 1, 0 };
			if (a->val)
				v = number(o->single, a->val, k);
			if (op == TULLE_CONJUGATE)
				v.im = -v.im;
			add_entry(&o->row[op == TULLE_NORMAL ? i : j], a->val ? &v : NULL,
			          number(o->single, x, op == TULLE_NORMAL ? j : i));
		}
	return o;
}

/* One part of a factor times a number: f.re v.re - f.im v.im, or the other part of the product. */
static kit_wide part_of(kit_complex f, wide_pair v, int im)
{
	const kit_wide first = (kit_wide)f.re * (im ? v.im : v.re);
	if (f.im == 0)
		return first;
	const kit_wide second = (kit_wide)f.im * (im ? v.re : v.im);
	return im ? first + second : first - second;
}

static kit_wide size_of(kit_complex f, wide_pair v, int im)
{
	const kit_wide first = magnitude(f.re) * (im ? v.im : v.re);
	return f.im == 0 ? first : first + magnitude(f.im) * (im ? v.re : v.im);
}

/* Error over bound of a part; infinity where a NaN or an Inf is wrong or missing, -1 where a right sum
 * may overflow. */
static double ratio(const kit_complex_oracle *o, const row_sums *r, kit_complex alpha,
                    kit_complex beta, wide_pair b, int im, double y)
{
	const double u = o->single ? 0x1p-24 : 0x1p-53, eta = o->single ? 0x1p-149 : 0x1p-1074;
	const double largest = o->single ? (double)FLT_MAX : DBL_MAX;
	const double ku = (double)(2 * r->n + 4) * u, gamma = ku / (1 - ku);
	const wide_pair b_sizes = { magnitude(b.re), magnitude(b.im) };
	const int reads_b = beta.re != 0 || beta.im != 0;
	const kit_wide reference =
	    part_of(alpha, r->sum, im) + (reads_b ? part_of(beta, b, im) : (kit_wide)0);
	const kit_wide all =
	    size_of(alpha, r->sizes, im) + (reads_b ? size_of(beta, b_sizes, im) : (kit_wide)0);
	/* Of the sum, a real alpha uses this part alone. */
	const kit_wide sizes = alpha.im != 0 ? r->sizes.re + r->sizes.im
	                       : im          ? r->sizes.im
	                                     : r->sizes.re;
	if (all - all != 0) { /* NaN or Inf */
		const double special = (double)reference;
		return (isnan(special) ? isnan(y) : y == special) ? 0 : INFINITY;
	}
	if (ku >= 1 || all * (1 + gamma) > largest || sizes * (1 + gamma) > largest)
		return -1;
	if (!isfinite(y))
		return INFINITY;
	/* 113 bits are exact enough: their rounding is below 2^-50 of the bound. */
	const kit_wide e = (2 * (kit_wide)r->n * (magnitude(alpha.re) + magnitude(alpha.im)) + 4) * eta;
	const kit_wide bound = (gamma * all + e) * (1 + 0x1p-40);
	return (double)(magnitude((kit_wide)y - reference) / bound);
}

kit_verdict kit_complex_oracle_check(const kit_complex_oracle *o, kit_complex alpha,
                                     kit_complex beta, const void *b, const void *y)
{
	kit_verdict v = { .worst_row = -1 };
	for (int64_t i = 0; i < 2 * o->rows; i++) {
		const kit_complex yi = number(o->single, y, i / 2);
		const kit_complex bi = b ? number(o->single, b, i / 2) : (kit_complex){ 0, 0 };
		const double r = ratio(o, &o->row[i / 2], alpha, beta, (wide_pair){ bi.re, bi.im },
		                       (int)(i % 2), i % 2 ? yi.im : yi.re);
		if (r < 0) {
			v.overflowed++;
			continue;
		}
		v.rows++;
		v.violations += r > 1;
		if (v.worst_row < 0 || r > v.worst) {
			v.worst = r;
			v.worst_row = i / 2;
		}
	}
	return v;
}

void kit_complex_oracle_free(kit_complex_oracle *o)
{
	if (!o)
		return;
	free(o->row);
	free(o);
}
