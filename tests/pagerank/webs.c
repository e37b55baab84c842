/* webs.c -- real web graphs of $TULLE_MATRICES: ranks within their bound of the reference, the same bits
 * with one thread and with two. */
#include "reference.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The ranks of a file's graph; free() them. NULL: there is no such file, or a check failed. */
static double *ranks_of(const char *path, int threads, tulle_csr_view *view, tulle_matrix **links,
                        tulle_pagerank_info *info)
{
	const tulle_pagerank_options o = { .size = sizeof o, .tolerance = 1e-12 };
	tulle_context *context = context_for(NULL, threads, 0);
	tulle_pagerank *g = NULL;
	double *ranks = NULL;

	*links = NULL;
	if (tulle_matrix_read(context, path, NULL, links) == TULLE_OK &&
	    CHECK_OK(tulle_matrix_view_csr(*links, view)) &&
	    CHECK_OK(tulle_pagerank_create(
	        *links, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .reproducible = 1 },
	        &g))) {
		ranks = grab(view->rows, sizeof *ranks);
		CHECK_OK(tulle_pagerank_run(g, &o, ranks, info));
	}
	tulle_pagerank_destroy(g);
	tulle_context_destroy(context);
	return ranks;
}

static int check_web(const char *folder, const char *name)
{
	char path[1024];
	tulle_csr_view view = { .size = sizeof view };
	tulle_pagerank_info info = { .size = sizeof info };
	tulle_matrix *links, *again;
	double *one, *two, error, bound;
	long double *reference;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	check_about("%s", name);
	two = ranks_of(path, 2, &view, &again, &info);
	tulle_matrix_destroy(again);
	if (!two)
		return 0;
	one = ranks_of(path, 1, &view, &links, &info);
	CHECK(info.converged);
	CHECK_THAT(one && memcmp(one, two, (size_t)view.rows * sizeof *one) == 0,
	           "other bits with two threads");
	reference = reference_ranks(&view, NULL, 0.85);
	error = reference_distance(reference, two, view.rows);
	bound = reference_bound(&view, 0.85, info.residual);
	CHECK_THAT(error <= bound, "off by %g, the bound is %g", error, bound);
	check_group("%s: %lld iterations, off by %.2e, the bound is %.2e", name,
	            (long long)info.iterations, error, bound);
	tulle_matrix_destroy(links);
	free(reference);
	free(one);
	free(two);
	return 1;
}

int main(void)
{
	static const char *const names[] = { "cnr-2000.mtx.gz", "uk-2007-05_100000.mtx.gz" };
	const char *folder = getenv("TULLE_MATRICES");
	int seen = 0;

	for (size_t n = 0; folder && n < sizeof names / sizeof *names; n++)
		seen += check_web(folder, names[n]);
	if (seen)
		return check_end();
	printf("TULLE_MATRICES has no web graph\n");
	return CHECK_SKIP;
}
