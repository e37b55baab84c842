/* nodes_kernels.c -- the vector work of an iteration: one pass over the nodes.
 *
 * One pass computes the new ranks, their difference from the old ones, the rank of the dangling
 * nodes and the vector of the next multiplication, so that each array is read or written once.
 *
 * Sums have eight lanes for every instruction set, and nothing is fused, so the bits are the same
 * everywhere. Sums of runs are added with compensation, so that a sum of nonnegative terms is off
 * by at most RUN / LANES + LANES roundings, whatever its length. */
#include "core/kernel.h"
#include "core/split.h"
#include "pagerank/nodes.h"

#include <string.h>

enum { LANES = 8, RUN = 512 };

typedef double lanes __attribute__((vector_size(64)));
typedef int64_t bits __attribute__((vector_size(64)));
typedef lanes nodes __attribute__((aligned(8), may_alias)); /* eight doubles of an array */

typedef struct {
	lanes difference, dangling;
} sums;

/* Eight nodes; only `live` nodes contribute. v NULL: uniform; z NULL: r' = v. */
TULLE_INLINE void eight(const tulle__pass *p, const double *z, double *s, const double *weight,
                        const double *v, const bits *live, sums *run)
{
	const bits magnitude = (bits){ 0 } + INT64_MAX;
	const lanes given = *(const nodes *)weight, w = (lanes)((bits)given & magnitude);
	lanes r = (lanes){ 0 } + p->n->scale;

	if (v)
		r *= *(const nodes *)v;
	if (z)
		r = r * p->c + *(const nodes *)z * p->d;
	if (live)
		r = (lanes)((bits)r & *live);
	if (z)
		run->difference += (lanes)((bits)(r - *(const nodes *)s * w) & magnitude);
	run->dangling += (lanes)((bits)r & (given < 0));
	*(nodes *)s = r / w;
}

/* The last nodes of a part, padded to eight lanes. Lanes without a node have rank 0. */
TULLE_INLINE void fewer(const tulle__pass *p, int64_t i, int64_t count, int given, int start,
                        sums *run)
{
	const tulle__nodes *n = p->n;
	const size_t bytes = (size_t)count * sizeof(double);
	double z[LANES] = { 0 }, s[LANES] = { 0 }, v[LANES] = { 0 };
	double weight[LANES] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	bits live = { 0 };

	for (int l = 0; l < count; l++)
		live[l] = -1;
	memcpy(weight, n->weight + i, bytes);
	if (given)
		memcpy(v, n->teleport + i, bytes);
	if (!start) {
		memcpy(z, n->z + i, bytes);
		memcpy(s, n->s + i, bytes);
	}
	eight(p, start ? NULL : z, s, weight, given ? v : NULL, &live, run);
	memcpy(n->s + i, s, bytes);
}

/* The flags are constants where this is inlined. */
TULLE_INLINE void pass(const tulle__pass *p, int64_t part, int given, int start)
{
	const tulle__nodes *n = p->n;
	const int64_t end = tulle__cut(n->nodes, n->parts, part + 1);
	int64_t i = tulle__cut(n->nodes, n->parts, part);
	tulle__exact difference = { 0, 0 }, dangling = { 0, 0 };

	while (i < end) {
		const int64_t stop = i + RUN < end ? i + RUN : end;
		sums run = { { 0 }, { 0 } };

		for (; i + LANES <= stop; i += LANES)
			eight(p, start ? NULL : n->z + i, n->s + i, n->weight + i,
			      given ? n->teleport + i : NULL, NULL, &run);
		if (i < stop)
			fewer(p, i, stop - i, given, start, &run);
		i = stop;
		for (int l = 1; l < LANES; l++) {
			run.difference[0] += run.difference[l];
			run.dangling[0] += run.dangling[l];
		}
		tulle__exact_add(&difference, run.difference[0]);
		tulle__exact_add(&dangling, run.dangling[0]);
	}
	n->found[part] = (tulle__found){ tulle__exact_sum(&difference), tulle__exact_sum(&dangling) };
}

static void start_part(const void *arg, int64_t part)
{
	const tulle__pass *p = arg;

	if (p->n->teleport)
		pass(p, part, 1, 1);
	else
		pass(p, part, 0, 1);
}

static void step_part(const void *arg, int64_t part)
{
	const tulle__pass *p = arg;

	if (p->n->teleport)
		pass(p, part, 1, 0);
	else
		pass(p, part, 0, 0);
}

TULLE_KERNELS(pagerank) = {
	[TULLE__PASS_START] = { "start", { start_part } },
	[TULLE__PASS_STEP] = { "step", { step_part } },
};
