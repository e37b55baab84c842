/* reference.c -- the power iteration, link by link, in long double. */
#include "reference.h"

#include "support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static int64_t index_at(tulle_index_type type, const void *a, int64_t k)
{
	return type == TULLE_I32 ? ((const int32_t *)a)[k] : ((const int64_t *)a)[k];
}

static long double weight_at(const tulle_csr_view *a, int64_t k)
{
	return a->val ? (long double)value_at(a->value_type, a->val, k) : 1;
}

/* next = P^T r; returns the rank of the dangling nodes. */
static long double follow_links(const tulle_csr_view *a, const long double *r, long double *next)
{
	long double dangling = 0;

	for (int64_t j = 0; j < a->rows; j++)
		next[j] = 0;
	for (int64_t i = 0; i < a->rows; i++) {
		const int64_t begin = index_at(a->offset_type, a->row_ptr, i),
		              end = index_at(a->offset_type, a->row_ptr, i + 1);
		long double all = 0;

		for (int64_t k = begin; k < end; k++)
			all += weight_at(a, k);
		if (all == 0)
			dangling += r[i];
		for (int64_t k = begin; k < end && all > 0; k++)
			next[index_at(a->column_type, a->col, k)] += weight_at(a, k) * (r[i] / all);
	}
	return dangling;
}

long double *reference_ranks(const tulle_csr_view *links, const double *teleport, double d)
{
	const int64_t n = links->rows, steps = 1 + (int64_t)(log(1e-17 / 2) / log(d)); /* 2 d^k */
	long double *r = grab(n, sizeof *r), *next = grab(n, sizeof *next), *v = grab(n, sizeof *v);
	long double all = 0;

	for (int64_t j = 0; j < n; j++)
		all += teleport ? (long double)teleport[j] : 1;
	for (int64_t j = 0; j < n; j++)
		r[j] = v[j] = (teleport ? (long double)teleport[j] : 1) / all;
	for (int64_t k = 0; k < steps; k++) { /* rounding may keep it from standing still */
		const long double dangling = follow_links(links, r, next);
		long double *old = r;

		for (int64_t j = 0; j < n; j++)
			next[j] = d * (next[j] + dangling * v[j]) + (1 - (long double)d) * v[j];
		r = next;
		next = old;
	}
	free(next);
	free(v);
	return r;
}

double reference_distance(const long double *reference, const double *ranks, int64_t nodes)
{
	long double distance = 0;

	for (int64_t j = 0; j < nodes; j++)
		distance += fabsl((long double)ranks[j] - reference[j]);
	return (double)distance;
}

double reference_bound(const tulle_csr_view *links, double d, double residual)
{
	int64_t *in = grab(links->rows, sizeof *in), most = 0;
	double rounding;

	for (int64_t k = 0; k < links->nnz; k++)
		in[index_at(links->column_type, links->col, k)]++;
	for (int64_t j = 0; j < links->rows; j++)
		most = in[j] > most ? in[j] : most;
	free(in);
	rounding = (double)(most + 200) * (DBL_EPSILON / 2);
	return (d * residual + 1.01 * rounding) / (1 - d);
}
