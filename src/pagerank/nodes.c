/* nodes.c -- passes over the nodes by a team. Parts depend on the number of nodes alone and sums are
 * added in order, so the bits are the same at any number of threads. */
#include "pagerank/nodes.h"

#include "core/kernel_table.h"
#include "core/split.h"
#include "core/threads.h"

#include <math.h>

TULLE__KERNEL_TABLE_F64(kernels, pagerank);

static int find_kernels(const void *of, tulle__isa isa, const tulle__kernel **kernel)
{
	(void)of;
	if (!kernels[isa])
		return 0;
	kernel[TULLE__PASS_START] = &kernels[isa][TULLE__PASS_START];
	kernel[TULLE__PASS_STEP] = &kernels[isa][TULLE__PASS_STEP];
	return 1;
}

tulle_status tulle__nodes_prepare(tulle__nodes *n)
{
	n->passes.work = n->nodes;
	return tulle__executable_prepare(n->env, &n->passes, "pagerank", find_kernels, NULL,
	                                 (int64_t[TULLE__PHASES]){ n->parts });
}

static tulle__found over_all(const tulle__pass *p, int pass)
{
	const tulle__nodes *n = p->n;
	tulle__exact difference = { 0, 0 }, dangling = { 0, 0 };

	tulle__execute(n->env, &n->passes, pass, p);
	for (int64_t part = 0; part < n->parts; part++) {
		tulle__exact_add(&difference, n->found[part].difference);
		tulle__exact_add(&dangling, n->found[part].dangling);
	}
	return (tulle__found){ tulle__exact_sum(&difference), tulle__exact_sum(&dangling) };
}

tulle__found tulle__nodes_start(const tulle__nodes *n)
{
	return over_all(&(tulle__pass){ n, 0, 0 }, TULLE__PASS_START);
}

tulle__found tulle__nodes_step(const tulle__nodes *n, double d, double c)
{
	return over_all(&(tulle__pass){ n, d, c }, TULLE__PASS_STEP);
}

/* ---- the result ---- */

typedef struct {
	const tulle__nodes *n;
	double *ranks;
} result;

static void ranks_part(const void *arg, int64_t part)
{
	const result *to = arg;
	const tulle__nodes *n = to->n;
	const int64_t end = tulle__cut(n->nodes, n->parts, part + 1);

	for (int64_t i = tulle__cut(n->nodes, n->parts, part); i < end; i++)
		to->ranks[i] = n->s[i] * fabs(n->weight[i]);
}

void tulle__nodes_ranks(const tulle__nodes *n, double *ranks)
{
	tulle__run_parts(n->env, ranks_part, &(result){ n, ranks }, n->parts, n->nodes);
}
