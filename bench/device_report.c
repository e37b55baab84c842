/* device_report.c -- a run on a GPU as Markdown, to be pasted into an issue. */
#include "device.h"

#include "json_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the run ---- */

static void command(FILE *out, const bench_device_run *run)
{
	fprintf(out, "- command: `tulle-compare");
	for (int n = 1; n < run->argc; n++)
		fprintf(out, " %s", run->argv[n]);
	fprintf(out, "`\n");
}

void bench_device_head(FILE *out, const bench_device_run *run)
{
	const tulle_device_info *d = &run->info;
	const int v = tulle_version();
	fprintf(out, "## %s: %s\n\n", d->name, d->model);
	if (!d->gpu)
		fprintf(out, "**not a GPU: times say nothing**, so none are given; what is told is whether "
		             "results are right.\n\n");
	fprintf(out, "- driver: %s\n", d->driver);
	fprintf(out, "- device: %.1f GiB, %d units, %d lanes of a warp, %s\n",
	        (double)d->memory / (1 << 30), d->units, d->width,
	        d->shuffles ? "shuffles" : "exchange through local memory");
	fprintf(out, "- tulle %d.%d.%d, %s; host %s, %s\n", v / 10000, v / 100 % 100, v % 100,
	        bench_revision(), bench_cpu_model(), BENCH_COMPILER);
	fprintf(out, "- peers: %s\n", *run->peers ? run->peers : "none");
	command(out, run);
	fprintf(out, "- y = A x in %s, matrix and vectors on the device; every y checked row by row",
	        run->type);
	if (d->gpu)
		fprintf(out, "; one sample = products queued for 2 ms and more, then one wait; best and "
		             "median of two turns; GB/s count CSR's arrays, x and y once each");
	fprintf(out, "\n");
}

/* ---- a matrix ---- */

static double bytes_of(const bench_matrix *a, const char *type)
{
	const double value = strcmp(type, "f32") ? 8 : 4;
	return (double)a->nnz * (value + 4) + 4 * ((double)a->rows + 1) +
	       value * (double)(a->rows + a->cols);
}

static void print_bytes(FILE *out, size_t bytes, int64_t nnz)
{
	if (bytes && nnz)
		fprintf(out, " %.1f |", (double)bytes / (double)nnz);
	else
		fprintf(out, " |");
}

static void print_times(FILE *out, const bench_device_run *run, const bench_matrix *a,
                        const bench_device_row *row)
{
	fprintf(out, " %.2f | %.2f | %.2f | %.1f | %.2f |", 1e6 * row->best, 1e6 * row->median,
	        2e-9 * (double)a->nnz / row->best, 1e-9 * bytes_of(a, run->type) / row->best,
	        1e3 * row->convert);
}

static void print_row(FILE *out, const bench_device_run *run, const bench_matrix *a,
                      const bench_device_row *row)
{
	fprintf(out, "| %s | %s |", row->who->name, row->same_bits ? "same" : "");
	if (*row->why) {
		fprintf(out, "%s | | | refused: %s |\n", run->info.gpu ? " | | | | |" : "", row->why);
		return;
	}
	/* Who is wrong has no time. */
	if (run->info.gpu && row->wrong)
		fprintf(out, " | | | | |");
	else if (run->info.gpu)
		print_times(out, run, a, row);
	print_bytes(out, row->bytes, a->nnz);
	print_bytes(out, row->peak, a->nnz);
	if (row->launches)
		fprintf(out, " %d |", row->launches);
	else
		fprintf(out, " |");
	fprintf(out, " %s, %.3f of the bound%s%s%s |\n", row->wrong ? "**WRONG**" : "right", row->error,
	        row->changed ? ", bits changed" : "", *row->note ? "; " : "", row->note);
}

const bench_device_row *bench_device_fastest(const bench_device_row *row, int count, int ours)
{
	const bench_device_row *best = NULL;
	for (int n = 0; n < count; n++)
		if ((row[n].who->table == &bench_device_ours) == ours && !*row[n].why && !row[n].wrong &&
		    (!best || row[n].best < best->best))
			best = &row[n];
	return best;
}

static void print_fastest(FILE *out, const bench_device_row *row, int count)
{
	const bench_device_row *ours = bench_device_fastest(row, count, 1);
	const bench_device_row *peer = bench_device_fastest(row, count, 0);
	if (ours)
		fprintf(out, "\nfastest of tulle: %s", ours->who->name);
	if (ours && peer)
		fprintf(out, "; of the peers: %s; tulle is %.2f times as fast", peer->who->name,
		        peer->best / ours->best);
	if (ours)
		fprintf(out, "\n");
}

void bench_device_table(FILE *out, const bench_device_run *run, const bench_loaded *m,
                        const bench_device_row *row, int count)
{
	const int gpu = run->info.gpu;
	fprintf(out,
	        "\n### %s\n\n%" PRId64 " rows, %" PRId64 " columns, %" PRId64
	        " nonzeros, longest row %" PRId64 "\n\n",
	        m->name, m->a.rows, m->a.cols, m->a.nnz, m->longest);
	fprintf(out, "| contender | bits |%s bytes/nnz | peak bytes/nnz | launches | result |\n",
	        gpu ? " best µs | median µs | GFlop/s | GB/s | conversion ms |" : "");
	fprintf(out, "|---|---|%s---:|---:|---:|---|\n", gpu ? "---:|---:|---:|---:|---:|" : "");
	for (int n = 0; n < count; n++)
		print_row(out, run, &m->a, &row[n]);
	if (gpu)
		print_fastest(out, row, count);
	fflush(out);
}
