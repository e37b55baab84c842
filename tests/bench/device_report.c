/* device_report.c -- what tulle-compare --device prints: to the letter for a made-up GPU, and without
 * a single time for what is no GPU. */
#include "device.h"
#include "json_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const bench_competitor bench_device_ours = { .name = "tulle" };
static const bench_competitor peer = { .name = "peer" };

const char *bench_revision(void)
{
	return "abc123";
}

const char *bench_cpu_model(void)
{
	return "a host";
}

static const bench_device_contender who[] = {
	{ "tulle:a", &bench_device_ours, "a", 1 },
	{ "tulle:b", &bench_device_ours, "b", 0 },
	{ "tulle:c", &bench_device_ours, "c", 1 },
	{ "tulle:d", &bench_device_ours, "d", 1 },
	{ "peer:x", &peer, "x", 0 },
};
enum { COUNT = sizeof who / sizeof *who };

/* a: right; b: right and slower; c: the fastest, but wrong; d: refused; x: a peer. */
static const bench_device_row rows[COUNT] = {
	{ .who = &who[0],
	  .same_bits = 1,
	  .error = 0.25,
	  .best = 1e-5,
	  .median = 2e-5,
	  .convert = 3e-3,
	  .bytes = 12000,
	  .peak = 24000,
	  .launches = 1,
	  .note = "8 lanes" },
	{ .who = &who[1],
	  .changed = 1,
	  .error = 0.5,
	  .best = 4e-5,
	  .median = 4e-5,
	  .convert = 1e-3,
	  .bytes = 16000,
	  .peak = 16000,
	  .launches = 3 },
	{ .who = &who[2],
	  .same_bits = 1,
	  .wrong = 1,
	  .error = 9,
	  .best = 1e-6,
	  .median = 1e-6,
	  .bytes = 12000,
	  .peak = 12000,
	  .launches = 1 },
	{ .who = &who[3], .same_bits = 1, .why = "too wide" },
	{ .who = &who[4],
	  .error = 0.125,
	  .best = 2.5e-5,
	  .median = 3e-5,
	  .convert = 2e-3,
	  .bytes = 13000 },
};

static const char on_gpu[] =
    "\n### made\n\n500 rows, 250 columns, 1000 nonzeros, longest row 7\n\n"
    "| contender | bits | best µs | median µs | GFlop/s | GB/s | conversion ms | bytes/nnz | peak "
    "bytes/nnz | launches | result |\n"
    "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n"
    "| tulle:a | same | 10.00 | 20.00 | 0.20 | 2.0 | 3.00 | 12.0 | 24.0 | 1 | right, 0.250 of the "
    "bound; 8 lanes |\n"
    "| tulle:b |  | 40.00 | 40.00 | 0.05 | 0.5 | 1.00 | 16.0 | 16.0 | 3 | right, 0.500 of the "
    "bound, bits changed |\n"
    "| tulle:c | same | | | | | | 12.0 | 12.0 | 1 | **WRONG**, 9.000 of the bound |\n"
    "| tulle:d | same | | | | | | | | | refused: too wide |\n"
    "| peer:x |  | 25.00 | 30.00 | 0.08 | 0.8 | 2.00 | 13.0 | | | right, 0.125 of the bound |\n"
    "\nfastest of tulle: tulle:a; of the peers: peer:x; tulle is 2.50 times as fast\n";

static const char elsewhere[] =
    "\n### made\n\n500 rows, 250 columns, 1000 nonzeros, longest row 7\n\n"
    "| contender | bits | bytes/nnz | peak bytes/nnz | launches | result |\n"
    "|---|---|---:|---:|---:|---|\n"
    "| tulle:a | same | 12.0 | 24.0 | 1 | right, 0.250 of the bound; 8 lanes |\n"
    "| tulle:b |  | 16.0 | 16.0 | 3 | right, 0.500 of the bound, bits changed |\n"
    "| tulle:c | same | 12.0 | 12.0 | 1 | **WRONG**, 9.000 of the bound |\n"
    "| tulle:d | same | | | | refused: too wide |\n"
    "| peer:x |  | 13.0 | | | right, 0.125 of the bound |\n";

typedef void writer(FILE *out, const bench_device_run *run);

static void write_table(FILE *out, const bench_device_run *run)
{
	const bench_loaded m = { .name = "made",
		                     .a = { 500, 250, 1000, NULL, NULL, NULL },
		                     .longest = 7 };
	bench_device_table(out, run, &m, rows, COUNT);
}

static char *text_of(writer *write, const bench_device_run *run)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		exit(1);
	write(out, run);
	fclose(out);
	return text;
}

static int same(const char *what, char *got, const char *want)
{
	const int right = strcmp(got, want) == 0;
	if (!right)
		printf("FAILED: %s is\n%s\nnot\n%s\n", what, got, want);
	free(got);
	return right;
}

static int has(const char *what, char *text, const char *word, int wanted)
{
	const int right = (strstr(text, word) != NULL) == wanted;
	if (!right)
		printf("FAILED: %s %s \"%s\":\n%s\n", what, wanted ? "lacks" : "has", word, text);
	free(text);
	return right;
}

int main(void)
{
	static char *argv[] = { "tulle-compare", "--device", "cuda:0" };
	bench_device_run run = { .info = { .name = "cuda:0",
		                               .model = "Model",
		                               .driver = "driver 7",
		                               .memory = 3ull << 30,
		                               .units = 4,
		                               .width = 32,
		                               .shuffles = 1,
		                               .gpu = 1 },
		                     .type = "f64",
		                     .argc = 3,
		                     .argv = argv };
	int right =
	    same("the table of a GPU", text_of(write_table, &run), on_gpu) &
	    has("its head", text_of(bench_device_head, &run), "not a GPU", 0) &
	    has("its head", text_of(bench_device_head, &run), "driver 7", 1) &
	    has("its head", text_of(bench_device_head, &run), "`tulle-compare --device cuda:0`", 1);
	run.info.gpu = 0;
	right &= same("the table of a CPU", text_of(write_table, &run), elsewhere) &
	         has("its head", text_of(bench_device_head, &run), "not a GPU: times say nothing", 1) &
	         has("its head", text_of(bench_device_head, &run), "GB/s", 0);
	return !right;
}
