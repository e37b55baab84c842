/* bits.c -- ranks have the same bits at any number of threads, in every format. */
#include "support.h"
#include "tulle_pagerank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Many parts, the last one ragged; some nodes have no link. */
static matrix large_graph(void)
{
	enum { NODES = 70001 };
	int64_t *lengths = grab(NODES, sizeof *lengths);
	uint64_t seed = 5;
	matrix m;

	for (int64_t i = 0; i < NODES; i++)
		lengths[i] = random_below(&seed, 9);
	m = matrix_new("large", NODES, NODES, lengths);
	matrix_random_columns(&m, &seed);
	for (int64_t k = 0; k < m.nnz; k += 60)
		m.col[k] = m.col[k] % 100; /* some are linked to more often; ell has to pad them all */
	free(lengths);
	return m;
}

static void sums_to_one(const double *ranks, int64_t nodes)
{
	double sum = 0;

	for (int64_t i = 0; i < nodes; i++)
		sum += ranks[i];
	CHECK_THAT(fabs(sum - 1) < 1e-11, "ranks add up to %.17g", sum);
}

static void check_threads(const char *format, int64_t iterations)
{
	static const int teams[] = { 1, 2, 3, 8 };
	matrix m = large_graph();
	arrays v = cast(&m, pairs[0], TULLE_F64, 0);
	double *want = grab(m.rows, sizeof *want), *got = grab(m.rows, sizeof *got);
	double residual = 0;

	for (size_t t = 0; t < sizeof teams / sizeof *teams; t++) {
		tulle_context *context = context_for(NULL, teams[t], -1);
		tulle_matrix *a = NULL;
		tulle_pagerank *g = NULL;
		/* the same choice with any number of threads */
		tulle_plan_options o = { .size = sizeof o, .format = format, .reproducible = 1 };
		const tulle_pagerank_options few = { .size = sizeof few, .max_iterations = iterations };
		tulle_pagerank_info info = { .size = sizeof info };

		check_about("%s, %d threads", format, teams[t]);
		CHECK_OK(tulle_matrix_from_csr(context, m.rows, m.cols, pairs[0].offset, v.row_ptr,
		                               pairs[0].column, v.col, TULLE_F64, NULL, NULL, &a));
		if (!refused(format, tulle_pagerank_create(a, &o, &g))) {
			CHECK_OK(tulle_pagerank_run(g, &few, t == 0 ? want : got, &info));
			CHECK_EQUAL(context_info(context).last_team, teams[t]);
			sums_to_one(t == 0 ? want : got, m.rows);
		}
		if (t == 0)
			residual = info.residual;
		else
			CHECK_THAT(memcmp(want, got, (size_t)m.rows * sizeof *got) == 0 &&
			               info.residual == residual,
			           "other bits than with one thread");
		tulle_pagerank_destroy(g);
		tulle_matrix_destroy(a);
		tulle_context_destroy(context);
	}
	free(want);
	free(got);
	arrays_free(&v);
	matrix_free(&m);
}

int main(int argc, char **argv)
{
	const int64_t iterations = read_options(argc, argv).brief ? 2 : 10;

	for (int f = 0; tulle_formats(f); f++)
		check_threads(tulle_formats(f), iterations);
	check_threads(NULL, iterations);
	check_group("1, 2, 3, 8 threads");
	return check_end();
}
