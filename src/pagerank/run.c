/* run.c -- the iteration: multiply, one pass over the nodes, stop or go on. */
#include "api/handles.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "pagerank/graph.h"
#include "pagerank/nodes.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

/* ---- options ---- */

static const double default_damping = 0.85, default_tolerance = 1e-8;

/* Does x lie in (0, above)? */
static int within(double x, double above)
{
	return x > 0 && x < above;
}

int64_t tulle_pagerank_iterations(double damping, double tolerance)
{
	const double d = damping == 0 ? default_damping : damping;
	const double t = tolerance == 0 ? default_tolerance : tolerance;

	if (!within(d, 1) || !within(t, INFINITY))
		return -1;
	/* At most 745 / 2^-53 = 6.8e18, which 64 bits hold. */
	return t > 2 ? 1 : 2 + (int64_t)floor((log(t) - log(2)) / log(d));
}

static tulle_status read_options(const tulle_pagerank_options *given, tulle_pagerank_options *o)
{
	const tulle_status s = tulle__read_options("tulle_pagerank_options", given, o, sizeof *o);

	if (s != TULLE_OK)
		return s;
	if (o->damping == 0)
		o->damping = default_damping;
	if (o->tolerance == 0)
		o->tolerance = default_tolerance;
	if (!within(o->damping, 1))
		return tulle__fail(TULLE_E_ARGUMENT, "options.damping = %g is not between 0 and 1",
		                   o->damping);
	if (!within(o->tolerance, INFINITY))
		return tulle__fail(TULLE_E_ARGUMENT, "options.tolerance = %g is not above 0", o->tolerance);
	if (o->max_iterations < 0)
		return tulle__fail(TULLE_E_ARGUMENT, "options.max_iterations = %" PRId64 " is negative",
		                   o->max_iterations);
	if (o->max_iterations == 0)
		o->max_iterations = tulle_pagerank_iterations(o->damping, o->tolerance);
	return TULLE_OK;
}

/* The factor that makes the teleport vector sum to 1. */
static tulle_status find_scale(const double *teleport, int64_t nodes, double *scale)
{
	tulle__exact sum = { 0, 0 };

	*scale = nodes > 0 ? 1 / (double)nodes : 1;
	if (!teleport || nodes == 0)
		return TULLE_OK;
	for (int64_t i = 0; i < nodes; i++) {
		if (!(teleport[i] >= 0 && teleport[i] <= DBL_MAX))
			return tulle__fail(TULLE_E_ARGUMENT,
			                   "options.teleport[%" PRId64
			                   "] = %g: its elements are finite and not negative",
			                   i, teleport[i]);
		tulle__exact_add(&sum, teleport[i]);
	}
	*scale = 1 / tulle__exact_sum(&sum);
	if (!within(*scale, INFINITY))
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "options.teleport adds up to %g: its elements cannot be divided by that",
		                   tulle__exact_sum(&sum));
	return TULLE_OK;
}

/* ---- the iteration ---- */

static tulle_status make_room(const tulle_pagerank *g, tulle__nodes *n)
{
	tulle_status s;

	n->env = g->env;
	n->nodes = g->nodes;
	n->parts = tulle__parts(g->nodes);
	n->weight = g->weight;
	s = tulle__nodes_prepare(n);
	if (s == TULLE_OK)
		s = tulle__alloc(g->env, g->nodes, sizeof *n->s, &n->s);
	if (s == TULLE_OK)
		s = tulle__alloc(g->env, g->nodes, sizeof *n->z, &n->z);
	if (s == TULLE_OK)
		s = tulle__alloc(g->env, n->parts, sizeof *n->found, &n->found);
	return s;
}

static void free_room(const tulle__nodes *n)
{
	tulle__free(n->env, n->s);
	tulle__free(n->env, n->z);
	tulle__free(n->env, n->found);
}

/* Iterates until convergence, a stop by the caller, or the limit of iterations; `info` says
 * which. */
static void iterate(const tulle_pagerank *g, const tulle_pagerank_options *o, const tulle__nodes *n,
                    void *scratch, tulle_pagerank_info *info)
{
	double dangling = tulle__nodes_start(n).dangling;
	const double begin = tulle__seconds();

	while (!info->converged && !info->stopped && info->iterations < o->max_iterations) {
		tulle__found found;

		tulle__multiply(g->plan, tulle__real(1), n->s, tulle__real(0), n->z, n->z, scratch);
		found = tulle__nodes_step(n, o->damping, o->damping * dangling + (1 - o->damping));
		dangling = found.dangling;
		info->residual = found.difference;
		info->converged = info->residual < o->tolerance;
		info->iterations++;
		if (o->progress)
			info->stopped = o->progress(o->user, info->iterations, info->residual) != 0;
	}
	info->seconds_per_iteration = (tulle__seconds() - begin) / (double)info->iterations;
}

static tulle_status check_arguments(const tulle_pagerank *g, const tulle_pagerank_options *o,
                                    const double *ranks)
{
	if (!ranks && g->nodes > 0)
		return tulle__fail(TULLE_E_ARGUMENT, "ranks is NULL");
	if (((uintptr_t)ranks | (uintptr_t)o->teleport) % sizeof *ranks != 0)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "ranks = %p or options.teleport = %p is not a multiple of a double's "
		                   "8 bytes",
		                   (const void *)ranks, (const void *)o->teleport);
	return TULLE_OK;
}

tulle_status tulle_pagerank_run(const tulle_pagerank *graph, const tulle_pagerank_options *options,
                                double *ranks, tulle_pagerank_info *info)
{
	const double begin = tulle__seconds();
	const tulle_pagerank *g = graph;
	tulle_pagerank_options o;
	tulle_pagerank_info found = { .size = 0 };
	tulle__nodes n = { .s = NULL };
	void *scratch = NULL;
	tulle_status s;

	if (!g)
		return tulle__fail(TULLE_E_ARGUMENT, "graph is NULL");
	s = read_options(options, &o);
	if (s == TULLE_OK)
		s = check_arguments(g, &o, ranks);
	if (s == TULLE_OK)
		s = find_scale(o.teleport, g->nodes, &n.scale);
	if (s != TULLE_OK)
		return s;
	n.teleport = o.teleport;
	s = make_room(g, &n);
	if (s == TULLE_OK)
		s = tulle__take_scratch(g->env, &g->plan->run, &scratch);
	if (s == TULLE_OK)
		iterate(g, &o, &n, scratch, &found);
	if (s == TULLE_OK && info) {
		found.nodes = g->nodes;
		found.links = g->links->a.nnz;
		found.dangling = g->dangling;
		found.error_bound = o.damping / (1 - o.damping) * found.residual;
		found.damping = o.damping;
		found.tolerance = o.tolerance;
		found.max_iterations = o.max_iterations;
		found.create_seconds = g->create_seconds;
		found.seconds = tulle__seconds() - begin;
		s = tulle__write_info("tulle_pagerank_info", info, &found, sizeof found);
	}
	if (s == TULLE_OK)
		tulle__nodes_ranks(&n, ranks);
	tulle__give_scratch(g->env, &g->plan->run, scratch);
	free_room(&n);
	return s;
}
