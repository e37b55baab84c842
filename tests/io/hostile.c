/* hostile.c -- every file of tests/hostile ends as EXPECTED.tsv says, within a second.
 *
 * Usage: hostile [--no-limit]. The context's limit is 1 GiB; with --no-limit there is none, the
 * process is meant to run under `ulimit -v`, and TULLE_E_LIMIT reads TULLE_E_MEMORY. */
#include "check.h"
#include "tulle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The number between "file:" and the next colon, 0 without one. */
static long line_of(const char *sentence, const char *path)
{
	const size_t n = strlen(path);

	return strncmp(sentence, path, n) == 0 && sentence[n] == ':' ? atol(sentence + n + 1) : 0;
}

static void check_file(tulle_context *context, const char *path, const char *status, long line,
                       const char *keyword, int limited)
{
	const char *const wanted =
	    !limited && strcmp(status, "TULLE_E_LIMIT") == 0 ? "TULLE_E_MEMORY" : status;
	tulle_context_info before = { .size = sizeof before }, after = { .size = sizeof after };
	tulle_matrix *a = NULL;
	char text[600];
	const double begin = now();
	tulle_status s;

	tulle_context_describe(context, &before);
	s = tulle_matrix_read(context, path, NULL, &a);
	snprintf(text, sizeof text, "%s", s == TULLE_OK ? "" : tulle_last_error());
	if (s == TULLE_OK) {
		tulle_matrix_info info = { .size = sizeof info };

		tulle_matrix_describe(a, &info);
		snprintf(text, sizeof text, "%lld x %lld, %lld %s", (long long)info.rows,
		         (long long)info.cols, (long long)info.stored_nnz,
		         info.stored_nnz == 1 ? "entry" : "entries");
	}
	tulle_matrix_destroy(a);
	tulle_context_describe(context, &after);
	printf("%-14s %s\n", tulle_status_name(s), text);
	CHECK_THAT(strcmp(tulle_status_name(s), wanted) == 0, "%s: %s, expected %s", path,
	           tulle_status_name(s), wanted);
	CHECK_THAT(s == TULLE_OK || line_of(text, path) == line, "%s: line %ld, expected %ld", path,
	           line_of(text, path), line);
	CHECK_THAT(strstr(text, keyword) != NULL, "%s: no \"%s\" in \"%s\"", path, keyword, text);
	CHECK_THAT(now() - begin < 1, "%s: took %.2f s", path, now() - begin);
	CHECK_THAT(after.blocks_held == before.blocks_held, "%s: %zu blocks left", path,
	           after.blocks_held - before.blocks_held);
}

int main(int argc, char **argv)
{
	const int limited = argc < 2 || strcmp(argv[1], "--no-limit") != 0;
	const tulle_context_options how = { .size = sizeof how,
		                                .memory_limit = limited ? (size_t)1 << 30 : 0 };
	char expected[300], row[400];
	tulle_context *context = NULL;
	int files = 0;
	FILE *f;

	snprintf(expected, sizeof expected, "%s/EXPECTED.tsv", TESTS_HOSTILE);
	f = fopen(expected, "r");
	CHECK_THAT(tulle_context_create(&how, &context) == TULLE_OK && f, "cannot begin: %s", expected);
	while (f && fgets(row, sizeof row, f)) {
		char file[100], status[40], keyword[100], path[420];
		long line;

		if (sscanf(row, "%99[^\t]\t%39[^\t]\t%ld\t%99[^\n]", file, status, &line, keyword) != 4)
			continue; /* the head of the table */
		snprintf(path, sizeof path, "%s/%s", TESTS_HOSTILE, file);
		check_file(context, path, status, line, keyword, limited);
		files++;
	}
	CHECK_THAT(files >= 28, "only %d files in %s", files, expected);
	if (f)
		fclose(f);
	tulle_context_destroy(context);
	check_group("%d files", files);
	return check_end();
}
