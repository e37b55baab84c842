/* json.c -- the results as one JSON object: a description of the run, and each result. */
#include "json.h"

#include "classes.h"
#include "json_run.h"
#include "json_text.h"
#include "ours.h"
#include "tulle.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *type_of(const bench_row *r)
{
	return r->f32 ? "f32" : "f64";
}

/* Figures that are included for completeness only: the machine was busy. */
static void disturbed(FILE *out, const bench_results *results)
{
	const char *separator = "";
	fputs("    \"disturbed\": [", out);
	for (int n = 0; n < results->count; n++) {
		const bench_row *r = &results->row[n];
		if (!r->disturbed)
			continue;
		fputs(separator, out);
		json_text(out, "{", "matrix", r->matrix, ", ");
		json_text(out, "", "contender", r->contender, ", ");
		fprintf(out, "\"threads\": %d, \"type\": \"%s\"}", r->threads, type_of(r));
		separator = ", ";
	}
	fputs("]\n", out);
}

static void run(FILE *out, const bench_results *results, const bench_protocol *protocol, int argc,
                char **argv)
{
	fputs("  \"run\": {\n", out);
	bench_json_run(out, argc, argv);
	json_text(out, "    ", "isa", bench_ours_isa(), ",\n");
	json_text(out, "    ", "mkl_instructions", bench_mkl_limit(), ",\n");
	json_text(out, "    ", "protocol", protocol->name, ",\n");
	fputs("    ", out);
	json_number(out, "check_plain", results->check_plain / results->checks, ",\n");
	disturbed(out, results);
	fputs("  },\n", out);
}

static void result(FILE *out, const bench_row *r)
{
	fputs("    {", out);
	json_text(out, "", "matrix", r->matrix, ", ");
	fprintf(out,
	        "\"rows\": %" PRId64 ", \"cols\": %" PRId64 ", \"nnz\": %" PRId64
	        ", \"longest_row\": %" PRId64 ", ",
	        r->rows, r->cols, r->nnz, r->longest_row);
	json_text(out, "", "contender", r->contender, ", ");
	fprintf(out, "\"threads\": %d, \"type\": \"%s\", \"vectors\": %d, \"problems\": %" PRId64 ", ",
	        r->threads, type_of(r), r->vectors, r->problems);
	json_number(out, "seconds_best", r->seconds_best, ", ");
	json_number(out, "seconds_median", r->seconds_median, ", ");
	json_number(out, "gflops", r->gflops, ", ");
	json_number(out, "gbytes_per_s", r->gbytes_per_s, ", ");
	json_number(out, "plain_ratio", r->plain_ratio, ", ");
	json_number(out, "convert_plain", r->convert_plain, ", ");
	json_number(out, "convert_own", r->convert_own, ", ");
	json_number(out, "bytes_per_nnz", r->bytes_per_nnz, ", ");
	json_number(out, "memory_over_csr", r->memory_over_csr, ", ");
	json_number(out, "bandwidth_share", r->bandwidth_share, ", ");
	json_number(out, "stored_share", r->stored_share, ", ");
	json_number(out, "moved_share", r->moved_share, ", ");
	json_number(out, "error_over_bound", r->error_over_bound, ", ");
	fprintf(out, "\"group\": %d, ", r->group);
	json_text(out, "", "class", r->class ? r->class->name : "", ", ");
	fprintf(out, "\"bound\": %s, ", r->bound ? "true" : "false");
	json_text(out, "", "choice", r->choice, ", ");
	json_number(out, "planning_plain", r->planning_plain, ", ");
	json_text(out, "", "note", r->note, "}");
}

static void refused(FILE *out, const bench_row *r)
{
	json_text(out, "    {", "matrix", r->matrix, ", ");
	json_text(out, "", "contender", r->contender, ", ");
	fprintf(out, "\"threads\": %d, ", r->threads);
	json_text(out, "", "reason", r->reason, "}");
}

/* The member `name`: an array of the rows that were refused, or of the others. */
static void rows(FILE *out, const char *name, const bench_results *results, int are_refused,
                 void (*write)(FILE *, const bench_row *))
{
	const char *separator = "\n";
	fprintf(out, "  \"%s\": [", name);
	for (int n = 0; n < results->count; n++) {
		if ((results->row[n].verdict == BENCH_REFUSED) != are_refused)
			continue;
		fputs(separator, out);
		write(out, &results->row[n]);
		separator = ",\n";
	}
	fputs("\n  ]", out);
}

int bench_write_json(const char *path, const bench_results *results, const bench_protocol *protocol,
                     int argc, char **argv)
{
	FILE *out = fopen(path, "w");
	if (!out) {
		fprintf(stderr, "%s cannot be written\n", path);
		return -1;
	}
	fputs("{\n", out);
	run(out, results, protocol, argc, argv);
	rows(out, "results", results, 0, result);
	fputs(",\n", out);
	rows(out, "refused", results, 1, refused);
	fputs("\n}\n", out);
	int failed = ferror(out);
	failed |= fclose(out);
	if (failed)
		fprintf(stderr, "%s cannot be written\n", path);
	return failed ? -1 : 0;
}
