/* pagerank_compare.c -- one graph in several formats: the time of an iteration in each. */
#include "pagerank.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9 };

/* Where the next comma between formats is, or the end: "sell:height=8,sigma=1,csr" are two. */
static size_t word_length(const char *list)
{
	size_t length = strcspn(list, ",");

	while (list[length]) {
		const char *const next = list + length + 1;
		const size_t more = strcspn(next, ",");

		if (!memchr(next, '=', more) || memchr(next, ':', more))
			break;
		length += 1 + more;
	}
	return length;
}

static void make(cli_contender *c, const cli_ranks *r, double multiplies)
{
	const tulle_plan_options o = { .size = sizeof o,
		                           .multiplies = multiplies,
		                           .format = strcmp(c->asked, "auto") ? c->asked : NULL };
	const tulle_status status = tulle_pagerank_create(r->matrix->matrix, &o, &c->graph);
	tulle_plan_info plan = { .size = sizeof plan };

	if (status)
		cli_fail_status(status, 0);
	tulle_plan_describe(tulle_pagerank_plan(c->graph), &plan);
	c->format = plan.format;
	c->plan_seconds = plan.seconds;
}

static int by_size(const void *a, const void *b)
{
	const double u = *(const double *)a, v = *(const double *)b;
	return (u > v) - (u < v);
}

void cli_pagerank_compare(cli_ranks *r, char *formats, const tulle_pagerank_options *options)
{
	/* As many iterations as take about 20 ms, so that loading the matrix into the caches at the
	 * beginning of a turn hardly counts. No turn reaches convergence. */
	const double turn = 0.02, each = r->info.seconds_per_iteration;
	const int64_t iterations = each > 0 && each < turn ? (int64_t)(turn / each) : 1;
	const tulle_pagerank_options o = { .size = sizeof o,
		                               .damping = options->damping,
		                               .tolerance = DBL_MIN,
		                               .max_iterations = iterations < 1000 ? iterations : 1000 };
	double taken[CLI_MOST_CONTENDERS][ROUNDS];
	double *const ranks = cli_alloc(r->info.nodes, sizeof *ranks);

	while (*formats) {
		const size_t length = word_length(formats);
		cli_contender *const c = &r->contender[r->contenders];

		if (r->contenders++ == CLI_MOST_CONTENDERS)
			cli_usage("--formats compares at most %d", CLI_MOST_CONTENDERS);
		const int last = !formats[length];
		formats[length] = 0;
		c->asked = formats;
		make(c, r, (double)r->info.max_iterations);
		formats += length + !last;
	}
	for (int round = 0; round < ROUNDS; round++) {
		for (int n = 0; n < r->contenders; n++) {
			tulle_pagerank_info info = { .size = sizeof info };
			const tulle_status status = tulle_pagerank_run(r->contender[n].graph, &o, ranks, &info);

			if (status)
				cli_fail_status(status, 0);
			taken[n][round] = info.seconds_per_iteration;
			cli_progress_set(NULL,
			                 (double)(round * r->contenders + n + 1) / (ROUNDS * r->contenders));
		}
	}
	for (int n = 0; n < r->contenders; n++) {
		qsort(taken[n], ROUNDS, sizeof taken[n][0], by_size);
		r->contender[n].best = taken[n][0];
		r->contender[n].median = taken[n][ROUNDS / 2];
		tulle_pagerank_destroy(r->contender[n].graph);
		r->contender[n].graph = NULL;
	}
	cli_free(ranks);
}
