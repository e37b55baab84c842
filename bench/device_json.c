/* device_json.c -- a run on a GPU as one JSON object, written matrix by matrix for device_report.py. */
#include "device.h"

#include "json_run.h"
#include "json_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const char *truth(int value)
{
	return value ? "true" : "false";
}

void bench_device_json_begin(FILE *out, const bench_device_run *run)
{
	const tulle_device_info *d = &run->info;
	const int v = tulle_version();
	fputs("{\n  \"run\": {\n", out);
	bench_json_run(out, run->argc, run->argv);
	fprintf(out, "    \"tulle\": \"%d.%d.%d\",\n", v / 10000, v / 100 % 100, v % 100);
	json_text(out, "    ", "type", run->type, ",\n");
	json_text(out, "    ", "peers", run->peers, ",\n");
	json_text(out, "    ", "device", d->name, ",\n");
	json_text(out, "    ", "model", d->model, ",\n");
	json_text(out, "    ", "driver", d->driver, ",\n");
	fprintf(out, "    \"memory_gib\": %.1f,\n", (double)d->memory / (1 << 30));
	fprintf(out, "    \"units\": %d, \"width\": %d, \"shuffles\": %s, \"gpu\": %s\n", d->units,
	        d->width, truth(d->shuffles), truth(d->gpu));
	fputs("  },\n  \"matrices\": [", out);
}

/* Only the launches of our own formats are known. */
static void launches(FILE *out, const bench_device_row *row, int gpu)
{
	fputs("\"launch\": [", out);
	for (int n = 0; n < row->described; n++) {
		const tulle_device_launch_info *is = &row->launch[n].is;
		json_text(out, n ? ", {" : "{", "kernel", is->kernel, ", ");
		fprintf(out, "\"blocks\": %" PRId64 ", \"threads\": %d, ", is->blocks, is->threads);
		json_number(out, "seconds_best", gpu ? row->launch[n].best : NAN, "}");
	}
	fputs("], ", out);
}

/* Only GPUs have times: those of another device are the host's. */
static void result(FILE *out, const bench_device_row *row, int gpu)
{
	json_text(out, "      {", "contender", row->who->name, ", ");
	fprintf(out, "\"same_bits\": %s, ", truth(row->same_bits));
	if (*row->why) {
		json_text(out, "", "refused", row->why, "}");
		return;
	}
	json_number(out, "seconds_best", gpu ? row->best : NAN, ", ");
	json_number(out, "seconds_median", gpu ? row->median : NAN, ", ");
	json_number(out, "seconds_convert", gpu ? row->convert : NAN, ", ");
	fprintf(out, "\"bytes\": %zu, \"peak_bytes\": %zu, \"launches\": %d, ", row->bytes, row->peak,
	        row->launches);
	launches(out, row, gpu);
	fprintf(out, "\"right\": %s, \"bits_changed\": %s, ", truth(!row->wrong), truth(row->changed));
	json_number(out, "error_over_bound", row->error, ", ");
	json_text(out, "", "note", row->note, "}");
}

void bench_device_json_matrix(FILE *out, const bench_device_run *run,
                              const bench_device_subject *of, int first,
                              const bench_device_row *row, int count)
{
	fputs(first ? "\n" : ",\n", out);
	json_text(out, "    {", "matrix", of->name, ", ");
	fprintf(out,
	        "\"rows\": %" PRId64 ", \"cols\": %" PRId64 ", \"nnz\": %" PRId64
	        ", \"longest_row\": %" PRId64 ", ",
	        of->a.rows, of->a.cols, of->a.nnz, of->longest);
	if (of->a.batch)
		fprintf(out, "\"problems\": %" PRId64 ", \"one_pattern\": %s, ", of->a.batch->count,
		        truth(of->a.batch->one_pattern));
	json_number(out, "length_variation", of->variation, ", ");
	fputs("\"results\": [\n", out);
	for (int n = 0; n < count; n++) {
		result(out, &row[n], run->info.gpu);
		fputs(n + 1 < count ? ",\n" : "\n", out);
	}
	fputs("    ]}", out);
	fflush(out);
}

void bench_device_json_end(FILE *out)
{
	fputs("\n  ]\n}\n", out);
}
