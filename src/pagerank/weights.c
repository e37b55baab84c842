/* weights.c -- checks and sums the weights of each node's links, in one parallel pass. */
#include "core/exact.h"
#include "core/split.h"
#include "core/status.h"
#include "core/threads.h"
#include "pagerank/graph.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

/* r / W and w (r / W) cannot overflow, and anything that underflows is negligible compared with a
 * rank. */
static const double smallest = 0x1p-900, largest = 0x1p900;

typedef struct {
	const tulle__csr *a;
	double *weight;
	int64_t parts;
	int64_t *first_bad; /* of each part: a node; a->rows when there is none */
	int64_t *dangling;  /* of each part */
} adding;

static double value_of(const tulle__csr *a, int64_t k)
{
	return tulle__value_real(a->value_type, a->val, k);
}

static int is_weight(double w)
{
	return w >= 0 && w <= DBL_MAX; /* NaN is neither */
}

/* The sum of the weights of node i; NaN if one of them is invalid. */
static double add_up(const tulle__csr *a, int64_t i)
{
	const int64_t end = tulle__csr_offset(a, i + 1);
	tulle__exact s = { 0, 0 };

	if (!a->val)
		return (double)tulle__csr_length(a, i);
	for (int64_t k = tulle__csr_offset(a, i); k < end; k++) {
		const double w = value_of(a, k);

		if (!is_weight(w))
			return (double)NAN;
		if (s.sum <= largest) /* the sum itself must not overflow */
			tulle__exact_add(&s, w);
	}
	return tulle__exact_sum(&s);
}

static void add_part(const void *arg, int64_t part)
{
	const adding *d = arg;
	const int64_t end = tulle__csr_cut(d->a, d->parts, part + 1);
	int64_t dangling = 0;

	d->first_bad[part] = d->a->rows;
	for (int64_t i = tulle__csr_cut(d->a, d->parts, part); i < end; i++) {
		const double w = add_up(d->a, i);

		if (w == 0) {
			d->weight[i] = -1;
			dangling++;
		} else if (w >= smallest && w <= largest) {
			d->weight[i] = w;
		} else {
			d->first_bad[part] = i;
			return;
		}
	}
	d->dangling[part] = dangling;
}

static tulle_status refuse(const tulle__csr *a, int64_t i)
{
	const int64_t end = tulle__csr_offset(a, i + 1);

	for (int64_t k = tulle__csr_offset(a, i); k < end; k++)
		if (!is_weight(value_of(a, k)))
			return tulle__fail(
			    TULLE_E_MATRIX,
			    "the link from node %" PRId64 " to node %" PRId64
			    " has weight %g: weights are finite and not negative (nodes count from 0)",
			    i, tulle__csr_column(a, k), value_of(a, k));
	return tulle__fail(TULLE_E_MATRIX,
	                   "the weights of node %" PRId64
	                   " (nodes count from 0) add up to %g, which is not in %g .. %g",
	                   i, add_up(a, i), smallest, largest);
}

tulle_status tulle__out_weights(tulle__env *env, const tulle__csr *a, double *weight,
                                int64_t *dangling)
{
	int64_t first_bad[TULLE__MAX_PARTS], count[TULLE__MAX_PARTS];
	const int64_t work = a->rows + (a->val ? a->nnz : 0), parts = tulle__parts(work);
	const adding d = { a, weight, parts, first_bad, count };

	*dangling = 0;
	tulle__run_parts(env, add_part, &d, parts, work);
	for (int64_t part = 0; part < parts; part++) {
		if (first_bad[part] < a->rows)
			return refuse(a, first_bad[part]);
		*dangling += count[part];
	}
	return TULLE_OK;
}
