/* pagerank.c -- rank the pages of a small web, one of which links nowhere. */
#include <math.h>
#include <stdio.h>
#include <tulle_pagerank.h>

enum { PAGES = 5 };

/* Tell how it goes; anything but 0 would end the run. */
static int progress(void *user, int64_t iteration, double residual)
{
	(void)user;
	if (iteration % 10 == 0)
		printf("iteration %lld: residual %.2e\n", (long long)iteration, residual);
	return 0;
}

int main(void)
{
	/* home -> docs, news, shop; docs -> home, news; news -> home; shop -> news; archive (a dead end)
	 * is linked to by news. No values: all links weigh the same. */
	const int32_t row_ptr[] = { 0, 3, 5, 7, 8, 8 };
	const int32_t col[] = { 1, 2, 3, 0, 2, 0, 4, 2 };
	static const char *const name[PAGES] = { "home", "docs", "news", "shop", "archive" };
	double rank[PAGES], sum = 0;
	tulle_matrix *links = NULL;
	tulle_pagerank *graph = NULL;
	tulle_pagerank_info info = { .size = sizeof info };
	tulle_pagerank_rules rules = { .size = sizeof rules };
	const tulle_pagerank_options options = {
		.size = sizeof options, .damping = 0.85, .tolerance = 1e-12, .progress = progress
	};

	if (tulle_matrix_from_csr(NULL, PAGES, PAGES, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F64,
	                          NULL, NULL, &links) ||
	    tulle_pagerank_create(links, NULL, &graph) ||
	    tulle_pagerank_run(graph, &options, rank, &info) || tulle_pagerank_describe(&rules)) {
		fprintf(stderr, "%s\n", tulle_last_error());
		return 1;
	}
	printf("%s; %s\n", rules.formula, rules.dangling);
	printf("%lld iterations, ranks are off by less than %.1e\n", (long long)info.iterations,
	       info.error_bound);
	for (int i = 0; i < PAGES; i++) {
		printf("%-8s %.6f\n", name[i], rank[i]);
		sum += rank[i];
	}
	tulle_pagerank_destroy(graph);
	tulle_matrix_destroy(links);
	return !(info.converged && fabs(sum - 1) < 1e-12 && rank[2] > rank[0]);
}
