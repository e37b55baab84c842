/* ranks.c -- ranks are right: worked by hand, and against a reference within a proven bound, in every
 * format. */
#include "reference.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one run, with everything that must hold of any ---- */

typedef struct {
	double d, tolerance, last;
	int64_t count;
} course;

/* Contraction: a residual is at most d times the one before, but for rounding. */
static int watch(void *user, int64_t iteration, double residual)
{
	course *c = user;

	c->count++;
	CHECK_EQUAL(iteration, c->count);
	CHECK_THAT(residual <= c->d * c->last + 1e-13, "residual %g after %g", residual, c->last);
	CHECK_THAT(c->last >= c->tolerance, "went on though it had converged");
	c->last = residual;
	return 0;
}

static tulle_pagerank_info run(const tulle_pagerank *g, double d, double tolerance,
                               const double *teleport, double *ranks)
{
	course c = { d, tolerance, 2, 0 };
	const tulle_pagerank_options o = { .size = sizeof o,
		                               .damping = d,
		                               .tolerance = tolerance,
		                               .teleport = teleport,
		                               .progress = watch,
		                               .user = &c };
	tulle_pagerank_info info = { .size = sizeof info };

	CHECK_OK(tulle_pagerank_run(g, &o, ranks, &info));
	CHECK_EQUAL(info.iterations, c.count);
	CHECK(info.iterations <= tulle_pagerank_iterations(d, tolerance));
	CHECK(info.converged && !info.stopped && info.residual == c.last);
	CHECK_THAT(info.residual < tolerance, "stopped at a residual of %g", info.residual);
	CHECK(info.damping == d && info.tolerance == tolerance);
	CHECK_THAT(fabs(info.error_bound - d / (1 - d) * info.residual) <= 1e-15 * info.error_bound,
	           "error bound %g", info.error_bound);
	return info;
}

/* ---- by hand ---- */

typedef struct {
	const char *name;
	int32_t nodes, row_ptr[5], col[8];
	double weight[8]; /* [0] == 0: a pattern */
	double rank[4];   /* numerators at d = 1/2 ... */
	double of;        /* ... and the denominator */
	int dangling;
} by_hand;

/* The paper's two problems (Fig. 1: a page without links; pages that only link among themselves), and
 * what each costs without damping: all rank is lost, or ends in the trap. At d = 1/2 ranks are small
 * fractions. Worked out for the end point: r_0 = c/3, r_1 = r_0/4 + c/3, r_2 = r_0/4 + r_1/2 + c/3 with
 * c = r_2/2 + 1/2, so 8 : 10 : 15. */
static const by_hand graphs[] = {
	{ "end point", 3, { 0, 2, 3, 3 }, { 1, 2, 2 }, { 0 }, { 8, 10, 15 }, 33, 1 },
	{ "trap", 3, { 0, 2, 3, 4 }, { 1, 2, 0, 2 }, { 0 }, { 6, 5, 10 }, 21, 0 },
	{ "link given twice", 3, { 0, 3, 3, 4 }, { 1, 1, 2, 0 }, { 0 }, { 18, 17, 14 }, 49, 1 },
	{ "weights 2 to 1",
	  3,
	  { 0, 3, 4, 5 },
	  { 1, 2, 0, 2, 0 },
	  { 2, 1, 0, 0, 7 },
	  { 18, 17, 14 },
	  49,
	  1 },
	{ "no link at all", 4, { 0, 0, 0, 0, 0 }, { 0 }, { 0 }, { 1, 1, 1, 1 }, 4, 4 },
	{ "a ring", 4, { 0, 1, 2, 3, 4 }, { 1, 2, 3, 0 }, { 0 }, { 1, 1, 1, 1 }, 4, 0 },
};

static void check_by_hand(const by_hand *h)
{
	tulle_matrix *a = NULL;
	tulle_pagerank *g = NULL;
	tulle_pagerank_info info;
	double ranks[4];

	check_about("%s", h->name);
	CHECK_OK(tulle_matrix_from_csr(NULL, h->nodes, h->nodes, TULLE_I32, h->row_ptr, TULLE_I32,
	                               h->col, TULLE_F64, h->weight[0] > 0 ? h->weight : NULL, NULL,
	                               &a));
	CHECK_OK(tulle_pagerank_create(a, NULL, &g));
	tulle_matrix_destroy(a); /* the graph holds it */
	info = run(g, 0.5, 1e-15, NULL, ranks);
	CHECK_EQUAL(info.nodes, h->nodes);
	CHECK_EQUAL(info.links, h->row_ptr[h->nodes]);
	CHECK_EQUAL(info.dangling, h->dangling);
	for (int i = 0; i < h->nodes; i++)
		CHECK_THAT(fabs(ranks[i] - h->rank[i] / h->of) < 4e-15, "rank %d is %.17g, not %.17g", i,
		           ranks[i], h->rank[i] / h->of);
	tulle_pagerank_destroy(g);
}

/* What the paper says happens without damping happens near it: the trap has nearly all rank. */
static void check_trap_without_damping(void)
{
	const by_hand *h = &graphs[1];
	tulle_matrix *a = NULL;
	tulle_pagerank *g = NULL;
	double ranks[3];

	check_about("trap, d = 1 - 1e-6");
	CHECK_OK(tulle_matrix_from_csr(NULL, 3, 3, TULLE_I32, h->row_ptr, TULLE_I32, h->col, TULLE_F64,
	                               NULL, NULL, &a));
	CHECK_OK(tulle_pagerank_create(a, NULL, &g));
	run(g, 1 - 1e-6, 1e-12, NULL, ranks);
	CHECK_THAT(ranks[2] > 1 - 1e-5 && ranks[2] < 1, "rank %.17g in the trap", ranks[2]);
	tulle_pagerank_destroy(g);
	tulle_matrix_destroy(a);
}

/* ---- against the reference ---- */

/* Up to 60 nodes: dangling ones, links to themselves. `half`: only links to lower numbers and to
 * themselves, no link twice; else links may be given twice. */
static matrix random_graph(uint64_t *seed, int half)
{
	const int64_t nodes = 1 + random_below(seed, 60), longest = 1 + random_below(seed, 20);
	int64_t lengths[60];
	matrix m;

	for (int64_t i = 0; i < nodes; i++) {
		const int64_t most = half && longest > i + 1 ? i + 1 : longest;

		lengths[i] = random_below(seed, 4) ? random_below(seed, most + 1) : 0;
	}
	m = matrix_new("graph", nodes, nodes, lengths);
	matrix_random_columns(&m, seed);
	for (int64_t i = 0; half && i < nodes; i++)
		for (int64_t n = 0; n < lengths[i]; n++)
			m.col[m.row_ptr[i] + n] =
			    (i + 1) * n / lengths[i] + random_below(seed, (i + 1) / lengths[i]);
	return m;
}

typedef enum { PATTERN, COUNTS, REALS, KINDS } weights;

static void random_weights(matrix *m, weights kind, uint64_t *seed)
{
	for (int64_t k = 0; k < m->nnz; k++)
		m->val[k] = kind == PATTERN  ? 1
		            : kind == COUNTS ? (double)random_below(seed, 4) /* zeros too */
		                             : (double)(float)ldexp(fabs(random_unit(seed)),
		                                                    (int)random_below(seed, 40) - 20);
}

static void random_teleport(double *v, int64_t nodes, uint64_t *seed)
{
	for (int64_t i = 0; i < nodes; i++)
		v[i] = random_below(seed, 3) ? 0 : fabs(random_unit(seed));
	v[random_below(seed, nodes)] = 3;
}

static double worst; /* error / bound */

static void compare(const tulle_matrix *a, const char *format, double d, const double *teleport)
{
	tulle_csr_view view = { .size = sizeof view };
	tulle_pagerank *g = NULL;
	tulle_plan_options o = { .size = sizeof o, .format = format };
	long double *reference;
	double *ranks, error, bound;

	CHECK_OK(tulle_matrix_view_csr(a, &view));
	if (refused(format, tulle_pagerank_create(a, &o, &g)))
		return;
	if (!CHECK(g != NULL))
		return;
	ranks = grab(view.rows, sizeof *ranks);
	bound = reference_bound(&view, d, run(g, d, 1e-12, teleport, ranks).residual);
	reference = reference_ranks(&view, teleport, d);
	error = reference_distance(reference, ranks, view.rows);
	CHECK_THAT(error <= bound, "off by %g, the bound is %g", error, bound);
	worst = fmax(worst, error / bound);
	tulle_pagerank_destroy(g);
	free(reference);
	free(ranks);
}

static void check_random(int count)
{
	uint64_t seed = 2026;

	for (int n = 0; n < count; n++) {
		const weights kind = (weights)(n % KINDS);
		const tulle_value_type type = n / KINDS % 2 ? TULLE_F32 : TULLE_F64;
		const index_pair pair = pairs[n / 6 % PAIRS];
		const double d = n % 5 == 0 ? 0.99 : 0.05 + 0.9 * fabs(random_unit(&seed));
		const char *format = tulle_formats((int)random_below(&seed, 20)); /* NULL: chosen */
		double teleport[60];
		const int half = n % 4 == 1;
		matrix m = random_graph(&seed, half);
		tulle_context *context = context_for(NULL, 1 + n % 3, n % 2 ? -1 : 0);
		const tulle_matrix_options o = { .size = sizeof o,
			                             .kind = half ? TULLE_SYMMETRIC : TULLE_GENERAL };
		tulle_matrix *a = NULL;
		arrays v;

		random_weights(&m, kind, &seed);
		random_teleport(teleport, m.rows, &seed);
		v = cast(&m, pair, type, 0);
		check_about("graph %d, %s, d = %g", n, format ? format : "auto", d);
		CHECK_OK(tulle_matrix_from_csr(context, m.rows, m.cols, pair.offset, v.row_ptr, pair.column,
		                               v.col, type, kind == PATTERN ? NULL : v.val, &o, &a));
		compare(a, format, d, n % 2 ? teleport : NULL);
		tulle_matrix_destroy(a);
		CHECK_EQUAL(context_info(context).blocks_held, 0);
		tulle_context_destroy(context);
		arrays_free(&v);
		matrix_free(&m);
	}
	check_group("%d random graphs, the worst error %.3f of its bound", count, worst);
}

/* ---- small promises ---- */

static int stop_at_three(void *user, int64_t iteration, double residual)
{
	(void)residual;
	++*(int *)user;
	return iteration == 3;
}

static void check_ends(void)
{
	const by_hand *h = &graphs[1];
	tulle_matrix *a = NULL;
	tulle_pagerank *g = NULL;
	tulle_pagerank_info info = { .size = sizeof info }, short_info;
	tulle_pagerank_options o = { .size = sizeof o, .progress = stop_at_three };
	double stopped[3], limited[3];
	int calls = 0;

	check_about("ends");
	CHECK_OK(tulle_matrix_from_csr(NULL, 3, 3, TULLE_I32, h->row_ptr, TULLE_I32, h->col, TULLE_F64,
	                               NULL, NULL, &a));
	CHECK_OK(tulle_pagerank_create(a, NULL, &g));
	o.user = &calls;
	CHECK_OK(tulle_pagerank_run(g, &o, stopped, &info));
	CHECK(calls == 3 && info.iterations == 3 && info.stopped && !info.converged);
	CHECK(info.damping == 0.85 && info.tolerance == 1e-8);
	CHECK_EQUAL(info.max_iterations, tulle_pagerank_iterations(0.85, 1e-8));
	o = (tulle_pagerank_options){ .size = sizeof o, .max_iterations = 3 };
	CHECK_OK(tulle_pagerank_run(g, &o, limited, &info));
	CHECK(info.iterations == 3 && !info.stopped && !info.converged);
	CHECK(memcmp(stopped, limited, sizeof stopped) == 0);
	CHECK_OK(tulle_pagerank_run(g, NULL, limited, NULL));

	/* An older caller's shorter structure: what is behind it stays. */
	memset(&short_info, 0x5a, sizeof short_info);
	short_info.size = offsetof(tulle_pagerank_info, residual);
	CHECK_OK(tulle_pagerank_run(g, NULL, limited, &short_info));
	CHECK(short_info.nodes == 3 && short_info.iterations > 3);
	CHECK(memcmp(&short_info.residual, &short_info.error_bound, sizeof(double)) == 0);
	CHECK(tulle_pagerank_plan(NULL) == NULL);
	tulle_pagerank_destroy(g);
	tulle_pagerank_destroy(NULL);
	tulle_matrix_destroy(a);
}

/* The plan is that of A^T: its own words reach the caller. */
static void check_plan_of(void)
{
	const by_hand *h = &graphs[0];
	tulle_matrix *a = NULL;
	tulle_pagerank *g = NULL;
	tulle_plan_info info = { .size = sizeof info };
	const double x[3] = { 1, 10, 100 };
	double y[3];

	check_about("plan");
	CHECK_OK(tulle_matrix_from_csr(NULL, 3, 3, TULLE_I32, h->row_ptr, TULLE_I32, h->col, TULLE_F64,
	                               NULL, NULL, &a));
	CHECK_OK(tulle_pagerank_create(a, NULL, &g));
	CHECK_OK(tulle_plan_describe(tulle_pagerank_plan(g), &info));
	CHECK(info.multiplies == (double)tulle_pagerank_iterations(0, 0));
	CHECK_OK(tulle_mul_f64(tulle_pagerank_plan(g), 1, x, 0, y));
	CHECK(y[0] == 0 && y[1] == 1 && y[2] == 11);
	tulle_pagerank_destroy(g);
	tulle_matrix_destroy(a);
}

static void check_nothing(void)
{
	const int32_t zero[1] = { 0 };
	tulle_matrix *a = NULL;
	tulle_pagerank *g = NULL;
	tulle_pagerank_info info = { .size = sizeof info };

	check_about("no node");
	CHECK_OK(tulle_matrix_from_csr(NULL, 0, 0, TULLE_I32, zero, TULLE_I32, NULL, TULLE_F64, NULL,
	                               NULL, &a));
	CHECK_OK(tulle_pagerank_create(a, NULL, &g));
	CHECK_OK(tulle_pagerank_run(g, NULL, NULL, &info));
	CHECK(info.nodes == 0 && info.converged && info.residual == 0);
	tulle_pagerank_destroy(g);
	tulle_matrix_destroy(a);
}

/* 2 * 0.85^k < 1e-8 first at k = 118. */
static void check_iterations(void)
{
	check_about("iterations");
	CHECK_EQUAL(tulle_pagerank_iterations(0, 0), 119);
	CHECK_EQUAL(tulle_pagerank_iterations(0.85, 1e-8), 119);
	CHECK_EQUAL(tulle_pagerank_iterations(0.5, 0.3), 4);
	CHECK_EQUAL(tulle_pagerank_iterations(0.5, 5), 1);
	CHECK(tulle_pagerank_iterations(1 - 0x1p-53, 0x1p-1074) > (int64_t)6e18);
	CHECK_EQUAL(tulle_pagerank_iterations(1, 0), -1);
	CHECK_EQUAL(tulle_pagerank_iterations(-0.1, 0), -1);
	CHECK_EQUAL(tulle_pagerank_iterations((double)NAN, 0), -1);
	CHECK_EQUAL(tulle_pagerank_iterations(0, -1), -1);
	CHECK_EQUAL(tulle_pagerank_iterations(0, (double)INFINITY), -1);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);

	for (size_t n = 0; n < sizeof graphs / sizeof *graphs; n++)
		check_by_hand(&graphs[n]);
	check_trap_without_damping();
	check_group("by hand");
	check_ends();
	check_plan_of();
	check_nothing();
	check_iterations();
	check_group("small promises");
	check_random(o.full ? 10000 : o.brief ? 100 : 300);
	return walk_end();
}
