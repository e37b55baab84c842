/* json.c -- the results as one JSON object: "run" tells how they came about, "results" what. */
#include "json.h"

#include "bench_revision.h"
#include "tulle.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const char *bench_revision(void)
{
	return BENCH_REVISION;
}

const char *bench_cpu_model(void)
{
	static char model[256] = "unknown";
	char line[256], found[256];
	FILE *file = fopen("/proc/cpuinfo", "r");
	if (!file)
		return model;
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "model name : %255[^\n]", found) == 1) {
			snprintf(model, sizeof model, "%s", found);
			break;
		}
	fclose(file);
	return model;
}

static void string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ')
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

static void text_member(FILE *out, const char *start, const char *key, const char *text,
                        const char *end)
{
	fprintf(out, "%s\"%s\": ", start, key);
	string(out, text);
	fputs(end, out);
}

/* JSON knows neither NaN nor infinity. */
static void number_member(FILE *out, const char *key, double value, const char *end)
{
	if (isfinite(value))
		fprintf(out, "\"%s\": %.6g%s", key, value, end);
	else
		fprintf(out, "\"%s\": null%s", key, end);
}

static void command_line(FILE *out, int argc, char **argv)
{
	fputs("    \"command\": [", out);
	for (int n = 0; n < argc; n++) {
		if (n)
			fputs(", ", out);
		string(out, argv[n]);
	}
	fputs("],\n", out);
}

/* Figures that are there for completeness only: the machine was busy. */
static void disturbed(FILE *out, const bench_results *results)
{
	const char *separator = "";
	fputs("    \"disturbed\": [", out);
	for (int n = 0; n < results->count; n++) {
		const bench_row *r = &results->row[n];
		if (!r->disturbed)
			continue;
		fputs(separator, out);
		text_member(out, "{", "matrix", r->matrix, ", ");
		text_member(out, "", "contender", r->contender, ", ");
		fprintf(out, "\"threads\": %d}", r->threads);
		separator = ", ";
	}
	fputs("]\n", out);
}

static void run(FILE *out, const bench_results *results, const bench_effort *effort,
                const char *isa, int argc, char **argv)
{
	char date[32];
	time_t now = time(NULL);
	strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	fputs("  \"run\": {\n", out);
	command_line(out, argc, argv);
	text_member(out, "    ", "date", date, ",\n");
	text_member(out, "    ", "cpu", bench_cpu_model(), ",\n");
	text_member(out, "    ", "compiler", BENCH_COMPILER, ",\n");
	text_member(out, "    ", "plain_flags", BENCH_PLAIN_FLAGS, ",\n");
	text_member(out, "    ", "revision", bench_revision(), ",\n");
	text_member(out, "    ", "isa", isa ? isa : "widest", ",\n");
	text_member(out, "    ", "protocol", effort->protocol->name, ",\n");
	disturbed(out, results);
	fputs("  },\n", out);
}

static void result(FILE *out, const bench_row *r)
{
	fputs("    {", out);
	text_member(out, "", "matrix", r->matrix, ", ");
	fprintf(out,
	        "\"rows\": %" PRId64 ", \"cols\": %" PRId64 ", \"nnz\": %" PRId64
	        ", \"longest_row\": %" PRId64 ", ",
	        r->rows, r->cols, r->nnz, r->longest_row);
	text_member(out, "", "contender", r->contender, ", ");
	fprintf(out, "\"threads\": %d, ", r->threads);
	number_member(out, "seconds_best", r->seconds_best, ", ");
	number_member(out, "seconds_median", r->seconds_median, ", ");
	number_member(out, "gflops", r->gflops, ", ");
	number_member(out, "gbytes_per_s", r->gbytes_per_s, ", ");
	number_member(out, "plain_ratio", r->plain_ratio, ", ");
	number_member(out, "convert_plain", r->convert_plain, ", ");
	number_member(out, "convert_own", r->convert_own, ", ");
	number_member(out, "bytes_per_nnz", r->bytes_per_nnz, ", ");
	number_member(out, "memory_over_csr", r->memory_over_csr, ", ");
	number_member(out, "bandwidth_share", r->bandwidth_share, ", ");
	number_member(out, "error_over_bound", r->error_over_bound, ", ");
	fprintf(out, "\"group\": %d, ", r->group);
	text_member(out, "", "note", r->note, "}");
}

int bench_write_json(const char *path, const bench_results *results, const bench_effort *effort,
                     const char *isa, int argc, char **argv)
{
	FILE *out = fopen(path, "w");
	if (!out) {
		fprintf(stderr, "%s cannot be written\n", path);
		return -1;
	}
	fputs("{\n", out);
	run(out, results, effort, isa, argc, argv);
	fputs("  \"results\": [", out);
	const char *separator = "\n";
	for (int n = 0; n < results->count; n++) {
		if (results->row[n].verdict == BENCH_REFUSED)
			continue;
		fputs(separator, out);
		result(out, &results->row[n]);
		separator = ",\n";
	}
	fputs("\n  ]\n}\n", out);
	int failed = ferror(out);
	failed |= fclose(out);
	if (failed)
		fprintf(stderr, "%s cannot be written\n", path);
	return failed ? -1 : 0;
}
