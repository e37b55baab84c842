/* ranks.c -- ranks that tulle-pagerank wrote, beside those of tulle_pagerank_run() on this machine.
 *
 *     test_petsc_ranks GRAPH.mtx RANKS...
 *     test_petsc_ranks --tuned GRAPH.mtx GRAPH.tulle
 *
 * The L1 norm of the difference is to be 1e-10 at most. The second form writes a tuned file, with values of f32. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tulle_pagerank.h>

static void must(tulle_status status)
{
	if (status != TULLE_OK) {
		fprintf(stderr, "FAILED %s\n", tulle_last_error());
		exit(1);
	}
}

/* The difference, or NaN for a file that does not have n numbers. */
static double difference(const char *path, const double *ranks, int64_t n)
{
	FILE *file = fopen(path, "r");
	char line[64];
	double sum = 0;
	int64_t read = 0;

	while (file && fgets(line, sizeof line, file)) {
		if (read < n)
			sum += fabs(strtod(line, NULL) - ranks[read]);
		read++;
	}
	if (file)
		fclose(file);
	return read == n ? sum : NAN;
}

static int write_tuned(const char *from, const char *to)
{
	const tulle_read_options narrow = { .size = sizeof narrow, .value_type = TULLE_F32 };
	tulle_matrix *links;

	must(tulle_matrix_read(NULL, from, &narrow, &links));
	must(tulle_matrix_write(links, to, NULL));
	tulle_matrix_destroy(links);
	return 0;
}

int main(int argc, char **argv)
{
	const tulle_pagerank_options options = { .size = sizeof options, .tolerance = 1e-13 };
	tulle_pagerank_info info = { .size = sizeof info };
	tulle_matrix_info size = { .size = sizeof size };
	tulle_pagerank *graph;
	tulle_matrix *links;
	double *ranks;
	int failures = argc < 3;

	if (argc == 4 && strcmp(argv[1], "--tuned") == 0)
		return write_tuned(argv[2], argv[3]);
	must(tulle_matrix_read(NULL, argv[1], NULL, &links));
	must(tulle_matrix_describe(links, &size));
	must(tulle_pagerank_create(links, NULL, &graph));
	ranks = malloc((size_t)size.rows * sizeof *ranks);
	if (!ranks)
		return 1;
	must(tulle_pagerank_run(graph, &options, ranks, &info));
	for (int k = 2; k < argc; k++) {
		const double off = difference(argv[k], ranks, size.rows);
		const int fails = !(off <= 1e-10);
		printf("%s%s: off by %.2e in the L1 norm\n", fails ? "FAILED " : "", argv[k], off);
		failures += fails;
	}
	free(ranks);
	tulle_pagerank_destroy(graph);
	tulle_matrix_destroy(links);
	return failures != 0;
}
