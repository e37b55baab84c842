/* table_file.c -- the results as lines of fields separated by tabs, for programs without a JSON parser (`tulle bench`).
 *
 *     tulle-compare 1                                               the version of this list
 *     measured MATRIX ROWS COLS NNZ THREADS CONTENDER MEDIAN BEST CONVERT RIGHT DISTURBED
 *     refused  MATRIX ROWS COLS NNZ THREADS CONTENDER REASON
 *     absent   CONTENDER                                            a known peer without a plug-in
 *     end                                                           the list is complete
 *
 * Times are seconds; RIGHT and DISTURBED are 0 or 1. */
#include "table_file.h"

#include <inttypes.h>
#include <stdio.h>

/* A field: characters that would end it become blanks. */
static void put(FILE *out, const char *text)
{
	putc('\t', out);
	for (; *text; text++)
		putc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

static void put_row(FILE *out, const bench_row *r)
{
	fputs(r->verdict == BENCH_REFUSED ? "refused" : "measured", out);
	put(out, r->matrix);
	fprintf(out, "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%d", r->rows, r->cols, r->nnz,
	        r->threads);
	put(out, r->contender);
	if (r->verdict == BENCH_REFUSED)
		put(out, r->reason);
	else
		fprintf(out, "\t%.9g\t%.9g\t%.9g\t%d\t%d", r->seconds_median, r->seconds_best,
		        r->convert_own * r->seconds_best, r->verdict == BENCH_RIGHT, r->disturbed);
	putc('\n', out);
}

int bench_write_table(const char *path, const bench_results *results)
{
	const char *peer;
	FILE *out = fopen(path, "w");
	if (!out) {
		fprintf(stderr, "%s cannot be written\n", path);
		return -1;
	}
	fputs("tulle-compare\t1\n", out);
	for (int n = 0; n < results->count; n++)
		put_row(out, &results->row[n]);
	for (int n = 0; (peer = bench_known_peer_at(BENCH_ONE, n)); n++)
		if (!bench_plugin_named(BENCH_ONE, peer))
			fprintf(out, "absent\t%s\n", peer);
	fputs("end\n", out);
	int failed = ferror(out);
	failed |= fclose(out);
	if (failed)
		fprintf(stderr, "%s cannot be written\n", path);
	return failed ? -1 : 0;
}
