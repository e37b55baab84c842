/* graph.c -- prepares a graph for runs: counts its links and plans the multiplication by A^T. */
#include "pagerank/graph.h"
#include "api/handles.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "core/threads.h"

#include <inttypes.h>

typedef struct {
	const tulle__csr *a;
	double *to;
	int64_t parts;
} widening;

static void widen_part(const void *arg, int64_t part)
{
	const widening *w = arg;
	const int64_t end = tulle__cut(w->a->nnz, w->parts, part + 1);

	for (int64_t k = tulle__cut(w->a->nnz, w->parts, part); k < end; k++)
		w->to[k] = tulle__value_real(w->a->value_type, w->a->val, k);
}

static tulle_status widen(tulle_pagerank *g, const tulle__csr *a)
{
	const tulle_status s = tulle__alloc(g->env, a->nnz, sizeof *g->wide, &g->wide);

	if (s == TULLE_OK) {
		const widening w = { a, g->wide, tulle__parts(a->nnz) };

		tulle__run_parts(g->env, widen_part, &w, w.parts, a->nnz);
	}
	return s;
}

/* The links as an f64 matrix: the caller's, or one that shares the arrays of a caller's f32 matrix. */
static tulle_status as_f64(tulle_pagerank *g, tulle_matrix **out)
{
	const tulle__csr *a;
	tulle_status s = tulle__matrix_csr(g->links, &a);

	if (s == TULLE_OK && a->value_type == TULLE_F64) {
		*out = tulle__matrix_hold(g->links);
		return TULLE_OK;
	}
	if (s == TULLE_OK && a->val)
		s = widen(g, a);
	if (s != TULLE_OK)
		return s;
	return tulle_matrix_from_csr(
	    g->links->context, a->rows, a->cols, a->offset_type, a->row_ptr, a->column_type, a->col,
	    TULLE_F64, g->wide,
	    &(tulle_matrix_options){ .size = sizeof(tulle_matrix_options), .check = TULLE_CHECK_NONE },
	    out);
}

/* A symmetric matrix equals its transpose, which need not be built. */
static tulle_status make_plan(tulle_pagerank *g, tulle_plan_options o)
{
	tulle_matrix *wide;
	tulle_status s = as_f64(g, &wide);

	if (s != TULLE_OK)
		return s;
	o.size = sizeof o;
	o.op = g->links->kind == TULLE_SYMMETRIC ? TULLE_NORMAL : TULLE_TRANSPOSED;
	if (o.multiplies == 0)
		o.multiplies = (double)tulle_pagerank_iterations(0, 0);
	s = tulle_plan_create(wide, &o, &g->plan);
	tulle_matrix_destroy(wide); /* the plan holds it */
	return s;
}

static tulle_status check_arguments(const tulle_matrix *links, const tulle_plan_options *o)
{
	tulle_status s;

	if (o->op != TULLE_NORMAL)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "plan.op = %d: links are given by rows and multiplied by columns, "
		                   "leave it 0",
		                   (int)o->op);
	if (o->online != 0)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "plan.online = %d is not supported: set plan.multiplies; "
		                   "tulle_pagerank_iterations() gives the most that a run takes",
		                   o->online);
	if (o->lossy != 0)
		return tulle__fail(TULLE_E_ARGUMENT, "plan.lossy = %d: ranks are not rounded to f32",
		                   o->lossy);
	if (links->a.rows != links->a.cols)
		return tulle__fail(TULLE_E_MATRIX,
		                   "the matrix is %" PRId64 " x %" PRId64
		                   ": a graph needs a square matrix, with a row and a column per node",
		                   links->a.rows, links->a.cols);
	s = tulle__check_whole(links, "ranks");
	return s == TULLE_OK ? tulle__check_real_type("PageRank", links->a.value_type) : s;
}

tulle_status tulle_pagerank_create(const tulle_matrix *links, const tulle_plan_options *plan,
                                   tulle_pagerank **out)
{
	const double begin = tulle__seconds();
	tulle_plan_options o;
	const tulle__csr *a;
	tulle_pagerank *g;
	tulle_status s;

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	if (!links)
		return tulle__fail(TULLE_E_ARGUMENT, "links is NULL");
	s = tulle__read_options("tulle_plan_options", plan, &o, sizeof o);
	if (s == TULLE_OK)
		s = check_arguments(links, &o);
	if (s == TULLE_OK)
		s = tulle__alloc_zero(&links->context->env, 1, sizeof *g, &g);
	if (s != TULLE_OK)
		return s;
	g->links = tulle__matrix_hold(links);
	g->env = &links->context->env;
	g->nodes = links->a.rows;
	s = tulle__alloc(g->env, g->nodes, sizeof *g->weight, &g->weight);
	if (s == TULLE_OK)
		s = tulle__matrix_csr(links, &a);
	if (s == TULLE_OK)
		s = tulle__out_weights(g->env, a, g->weight, &g->dangling);
	if (s == TULLE_OK)
		s = make_plan(g, o);
	if (s != TULLE_OK) {
		tulle_pagerank_destroy(g);
		return s;
	}
	g->create_seconds = tulle__seconds() - begin;
	*out = g;
	return TULLE_OK;
}

const tulle_plan *tulle_pagerank_plan(const tulle_pagerank *graph)
{
	return graph ? graph->plan : NULL;
}

void tulle_pagerank_destroy(tulle_pagerank *graph)
{
	tulle_matrix *links;
	tulle__env *env;

	if (!graph)
		return;
	links = graph->links;
	env = graph->env;
	tulle_plan_destroy(graph->plan);
	tulle__free(env, graph->weight);
	tulle__free(env, graph->wide);
	tulle__free(env, graph);
	tulle_matrix_destroy(links);
}
