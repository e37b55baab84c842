/* refusals.c -- what tulle_pagerank.h refuses, and what is left when memory runs out. */
#include "heap.h"
#include "support.h"
#include "tulle_pagerank.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- arguments ---- */

static const int32_t row_ptr[] = { 0, 2, 3, 5 }, col[] = { 1, 2, 0, 0, 1 };

static tulle_matrix *links_of(tulle_context *context, int64_t cols, tulle_value_type type,
                              const void *val)
{
	tulle_matrix *a = NULL;

	CHECK_OK(tulle_matrix_from_csr(context, 3, cols, TULLE_I32, row_ptr, TULLE_I32, col, type, val,
	                               NULL, &a));
	return a;
}

static void refused_graph(const tulle_matrix *a, const tulle_plan_options *o, tulle_status want,
                          const char *words)
{
	tulle_pagerank *g = (tulle_pagerank *)(uintptr_t)64;

	CHECK_STATUS(tulle_pagerank_create(a, o, &g), want);
	CHECK_WORDS(tulle_last_error(), words);
	CHECK_THAT(g == NULL, "a handle after \"%s\"", words);
}

static void refused_weights(const void *val, tulle_value_type type, const char *words)
{
	tulle_context *context = context_for(NULL, 2, -1);
	tulle_matrix *a = links_of(context, 3, type, val);

	refused_graph(a, NULL, TULLE_E_MATRIX, words);
	tulle_matrix_destroy(a);
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
}

static void check_graphs(void)
{
	tulle_matrix *a = links_of(NULL, 3, TULLE_F64, NULL),
	             *wide = links_of(NULL, 4, TULLE_F64, NULL);
	tulle_plan_options o = { .size = sizeof o, .op = TULLE_TRANSPOSED };

	CHECK_STATUS(tulle_pagerank_create(a, NULL, NULL), TULLE_E_ARGUMENT);
	refused_graph(NULL, NULL, TULLE_E_ARGUMENT, "links NULL");
	refused_graph(wide, NULL, TULLE_E_MATRIX, "3 4 square");
	refused_graph(a, &o, TULLE_E_ARGUMENT, "plan.op 1");
	o = (tulle_plan_options){ .size = sizeof o, .lossy = 1 };
	refused_graph(a, &o, TULLE_E_ARGUMENT, "plan.lossy 1");
	o = (tulle_plan_options){ .size = sizeof o, .online = 1 };
	refused_graph(a, &o, TULLE_E_ARGUMENT, "plan.online 1 plan.multiplies");
	o = (tulle_plan_options){ .size = sizeof o, .format = "nosuch" };
	refused_graph(a, &o, TULLE_E_ARGUMENT, "nosuch");
	o = (tulle_plan_options){ .size = 3 };
	refused_graph(a, &o, TULLE_E_ARGUMENT, "size 3");
	tulle_matrix_destroy(a);
	tulle_matrix_destroy(wide);

	refused_weights((const double[]){ 1, 2, -0.5, 1, 1 }, TULLE_F64, "node 1 to 0 weight -0.5");
	refused_weights((const float[]){ 1, 2, 1, 1, -3 }, TULLE_F32, "node 2 to 1 weight -3");
	refused_weights((const double[]){ 1, (double)NAN, 1, 1, -1 }, TULLE_F64, "node 0 to 2 nan");
	refused_weights((const double[]){ 1, 1, 1, (double)INFINITY, 1 }, TULLE_F64, "node 2 to 0 inf");
	refused_weights((const double[]){ 1, 1, 1, 1e300, 1e300 }, TULLE_F64, "node 2 add up");
	refused_weights((const double[]){ 1.7e308, 1.7e308, 1, 1, 1 }, TULLE_F64,
	                "node 0 add up 1.7e+308");
	refused_weights((const double[]){ 1e-300, 0, 1, 1, 1 }, TULLE_F64, "node 0 add up 1e-300");
	check_group("graphs");
}

static void refused_run(const tulle_pagerank *g, tulle_pagerank_options o, const char *words)
{
	double ranks[3] = { 5, 6, 7 };
	tulle_pagerank_info info = { .size = sizeof info, .nodes = 42 };

	if (o.size == 0)
		o.size = sizeof o;
	CHECK_STATUS(tulle_pagerank_run(g, &o, ranks, &info), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), words);
	CHECK_THAT(ranks[0] == 5 && ranks[1] == 6 && ranks[2] == 7 && info.nodes == 42,
	           "outputs touched by \"%s\"", words);
}

static void check_runs(void)
{
	const double negative[] = { 1, 2, -3 }, none[] = { 0, 0, 0 }, odd[] = { 1, (double)NAN, 0 };
	const double tiny[] = { 0, 0x1p-1074, 0 }, huge[] = { 1.7e308, 1.7e308, 0 };
	double ranks[4] = { 5, 6, 7, 8 };
	tulle_matrix *a = links_of(NULL, 3, TULLE_F64, NULL);
	tulle_pagerank *g = NULL;
	tulle_pagerank_info info = { .size = 5 };
	tulle_pagerank_rules rules = { .size = 1 };

	CHECK_OK(tulle_pagerank_create(a, NULL, &g));
	tulle_matrix_destroy(a);
	CHECK_STATUS(tulle_pagerank_run(NULL, NULL, ranks, NULL), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "graph NULL");
	CHECK_STATUS(tulle_pagerank_run(g, NULL, NULL, NULL), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "ranks NULL");
	CHECK_STATUS(tulle_pagerank_run(g, NULL, (double *)((char *)ranks + 4), NULL),
	             TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "ranks multiple 8");
	CHECK_STATUS(tulle_pagerank_run(g, NULL, ranks, &info), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "size 5 tulle_pagerank_info");
	CHECK_THAT(ranks[0] == 5 && ranks[3] == 8, "ranks touched");
	refused_run(g, (tulle_pagerank_options){ .size = 2 }, "size 2 tulle_pagerank_options");
	refused_run(g, (tulle_pagerank_options){ .damping = 1 }, "damping 1");
	refused_run(g, (tulle_pagerank_options){ .damping = -0.5 }, "damping -0.5");
	refused_run(g, (tulle_pagerank_options){ .damping = (double)NAN }, "damping nan");
	refused_run(g, (tulle_pagerank_options){ .tolerance = -1e-9 }, "tolerance -1e-09");
	refused_run(g, (tulle_pagerank_options){ .tolerance = (double)NAN }, "tolerance nan");
	refused_run(g, (tulle_pagerank_options){ .tolerance = (double)INFINITY }, "tolerance inf");
	refused_run(g, (tulle_pagerank_options){ .max_iterations = -4 }, "max_iterations -4");
	refused_run(g, (tulle_pagerank_options){ .teleport = negative }, "teleport[2] -3");
	refused_run(g, (tulle_pagerank_options){ .teleport = odd }, "teleport[1] nan");
	refused_run(g, (tulle_pagerank_options){ .teleport = none }, "teleport adds up to 0");
	refused_run(g, (tulle_pagerank_options){ .teleport = tiny }, "teleport adds up");
	refused_run(g, (tulle_pagerank_options){ .teleport = huge }, "teleport adds up");
	refused_run(g, (tulle_pagerank_options){ .teleport = (const double *)((char *)ranks + 4) },
	            "teleport multiple 8");
	CHECK_STATUS(tulle_pagerank_describe(NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_pagerank_describe(&rules), TULLE_E_ARGUMENT);
	tulle_pagerank_destroy(g);
	check_group("runs");
}

/* ---- memory ---- */

enum { NODES = 3 };

/* Everything once, each step again after a failure; the ranks of the end. */
static long all_steps(tulle_value_type type, const void *val, const char *format, long fail_at,
                      int for_ever, double *ranks)
{
	tulle_context *context = NULL;
	tulle_matrix *a;
	tulle_pagerank *g = NULL;
	const tulle_plan_options o = { .size = sizeof o, .format = format };
	long failures = 0, asked;
	tulle_status s;

	heap.fail_at = 0;
	CHECK_OK(tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                        .alloc = heap_alloc,
	                                                        .free = heap_free,
	                                                        .user = &heap },
	                              &context));
	a = links_of(context, NODES, type, val);
	atomic_store(&heap.asked, 0);
	heap.fail_at = fail_at;
	heap.for_ever = for_ever;
	for (int step = 0; step < 2; step++) {
		const long blocks = atomic_load(&heap.live_blocks);

		s = step == 0 ? tulle_pagerank_create(a, &o, &g) : tulle_pagerank_run(g, NULL, ranks, NULL);
		if (s == TULLE_OK)
			continue;
		failures++;
		CHECK_STATUS(s, TULLE_E_MEMORY);
		CHECK_EQUAL(atomic_load(&heap.live_blocks), blocks);
		CHECK_THAT(step == 1 ? ranks[0] == -3 : g == NULL, "step %d left something", step);
		heap.fail_at = 0;
		step--;
	}
	CHECK_EQUAL(failures, fail_at > 0);
	asked = atomic_load(&heap.asked);
	tulle_matrix_destroy(a);
	tulle_pagerank_destroy(g);
	tulle_context_destroy(context);
	CHECK_EQUAL(atomic_load(&heap.live_blocks), 0);
	CHECK_EQUAL(atomic_load(&heap.live_bytes), 0);
	return asked;
}

static void check_memory(tulle_value_type type, const void *val, const char *format)
{
	double want[NODES] = { -3 }, got[NODES];
	const long asked = all_steps(type, val, format, 0, 0, want);

	CHECK_THAT(asked >= 6, "%ld allocations", asked);
	for (long k = 1; k <= asked; k++) {
		for (int for_ever = 0; for_ever < 2; for_ever++) {
			check_about("%s, allocation %ld fails %s", format ? format : "auto", k,
			            for_ever ? "for ever" : "once");
			got[0] = -3;
			all_steps(type, val, format, k, for_ever, got);
			CHECK_THAT(memcmp(want, got, sizeof got) == 0, "the retry gives other bits");
		}
	}
}

int main(void)
{
	check_graphs();
	check_runs();
	check_memory(TULLE_F64, NULL, NULL);
	check_memory(TULLE_F32, NULL, "sell");
	check_memory(TULLE_F32, (const float[]){ 1, 2, 3, 4, 5 }, "csr5"); /* has scratch */
	check_group("memory");
	return check_end();
}
