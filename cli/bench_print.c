/* bench_print.c -- prints the results of `tulle bench` as a table with bars, as Markdown and as
 * JSON. */
#include "bench.h"

#include <math.h>
#include <string.h>

enum { BAR = 24 };

static const char *threads_text(const cli_bench_results *r)
{
	return cli_count(r->threads, "thread", "threads");
}

static const char *multiplies_text(const cli_bench_results *r)
{
	return cli_count((int64_t)fmin(r->multiplies, 1e18), "multiplication", "multiplications");
}

double cli_bench_fastest(const cli_bench_results *r)
{
	double least = r->plain.product;

	for (int n = 0; n < r->count; n++)
		if (!*r->of[n].refused)
			least = fmin(least, r->of[n].product);
	for (int n = 0; n < r->peers.count; n++)
		if (!*r->peers.of[n].refused)
			least = fmin(least, r->peers.of[n].product);
	return least;
}

const char *cli_bench_per_nonzero_text(const cli_bench_results *r, const cli_measured *m)
{
	static char text[32];

	if (m->kind == CLI_PEER)
		return "-";
	snprintf(text, sizeof text, "%.2f", r->info.nnz > 0 ? m->bytes / (double)r->info.nnz : 0);
	return text;
}

const char *cli_bench_convert_text(const cli_measured *m)
{
	static char text[32];

	if (m->kind == CLI_PLAIN_LOOP)
		return "-";
	snprintf(text, sizeof text, "%.2f", 1e3 * m->convert);
	return text;
}

const char *cli_bench_mark(const cli_measured *m)
{
	return m->wrong ? " WRONG" : m->disturbed ? " ?" : "";
}

void cli_bench_each(const cli_bench_results *r,
                    void (*put)(FILE *to, const cli_bench_results *r, const cli_measured *m),
                    FILE *to)
{
	for (int n = 0; n < r->count; n++)
		if (!*r->of[n].refused)
			put(to, r, &r->of[n]);
	put(to, r, &r->plain);
	for (int n = 0; n < r->peers.count; n++)
		if (!*r->peers.of[n].refused)
			put(to, r, &r->peers.of[n]);
}

int cli_bench_each_refused(const cli_bench_results *r,
                           void (*put)(FILE *to, const cli_measured *m, int n), FILE *to)
{
	int count = 0;

	for (int n = 0; n < r->count; n++)
		if (*r->of[n].refused)
			put(to, &r->of[n], count++);
	for (int n = 0; n < r->peers.count; n++)
		if (*r->peers.of[n].refused)
			put(to, &r->peers.of[n], count++);
	return count;
}

/* "24", "never", or "-" for csr itself and for the plain loop. */
const char *cli_bench_break_even_text(const cli_bench_results *r, const cli_measured *m)
{
	const double n = cli_bench_break_even(r, m);

	if (m == cli_bench_csr(r) || m->kind == CLI_PLAIN_LOOP)
		return "-";
	return n < 1e15 ? cli_commas((int64_t)n) : "never";
}

const char *cli_bench_doubt(const cli_bench_results *r)
{
	static char text[160];
	const double spread = cli_bench_spread(r), quiet = 1.5;

	if (spread > quiet)
		snprintf(text, sizeof text,
		         "The samples of a format vary by up to %.1f: other processes use the CPUs. "
		         "Measure again when they "
		         "are idle.",
		         spread);
	return text;
}

/* ---- for people ------------------------------------------------------------------------------ */

/* The longest bar is the fastest. */
static void print_line(FILE *to, const cli_bench_results *r, const cli_measured *m)
{
	fprintf(to, "%s%c %-11s %10.4f %7.2f %9s %10s %10s %10.2f  ", m->chosen ? cli_bold() : "",
	        m->chosen ? '>' : ' ', m->name, 1e3 * m->product, m->over_csr,
	        cli_bench_per_nonzero_text(r, m), cli_bench_convert_text(m),
	        cli_bench_break_even_text(r, m), 1e3 * cli_bench_total(r, m));
	cli_bar((int)lround(BAR * cli_bench_fastest(r) / m->product), BAR);
	fprintf(to, "%s%s\n", cli_bench_mark(m), m->chosen ? cli_plain() : "");
}

static void print_refused(FILE *to, const cli_measured *m, int n)
{
	fprintf(to, "%s  %-11s %s\n", n ? "" : "\nNot measured\n", m->name, cli_safe(m->refused));
}

static void print_verdict(const cli_bench_results *r)
{
	const cli_measured *const chosen = cli_bench_chosen(r), *const best = &r->of[0];

	if (!chosen)
		return;
	if (chosen == best)
		printf("\n%s has the least total time, and the automatic plan has chosen it.\n",
		       chosen->name);
	else
		printf("\nThe automatic plan chose %s; %s has the least total time (the plan takes %.2f "
		       "times as long).\n",
		       chosen->name, best->name, cli_bench_total(r, chosen) / cli_bench_total(r, best));
}

void cli_bench_print(const cli_bench_results *r)
{
	cli_print_matrix(r->matrix);
	printf("%s, %s, planned for %s\n\n", r->info.isa, threads_text(r), multiplies_text(r));
	printf("%s  %-11s %10s %7s %9s %10s %10s %10s  speed%s\n", cli_bold(), "format", "product ms",
	       "csr = 1", "bytes/nnz", "convert ms", "break-even", "total ms", cli_plain());
	cli_bench_each(r, print_line, stdout);
	printf("\nMeasured in turn with csr, by medians; the plain loop has one thread. "
	       "Total: conversion "
	       "and all multiplications.\n");
	cli_bench_each_refused(r, print_refused, stdout);
	print_verdict(r);
	if (*cli_bench_doubt(r))
		printf("%s\n", cli_bench_doubt(r));
	printf("%s\n", cli_bench_peers_text(r));
}

/* ---- Markdown -------------------------------------------------------------------------------- */

static void markdown_line(FILE *to, const cli_bench_results *r, const cli_measured *m)
{
	const char *const bold = m->chosen ? "**" : "";

	fprintf(to, "| %s%s%s | %.4f | %.2f | %s | %s | %s | %.2f |%s\n", bold, m->name, bold,
	        1e3 * m->product, m->over_csr, cli_bench_per_nonzero_text(r, m),
	        cli_bench_convert_text(m), cli_bench_break_even_text(r, m), 1e3 * cli_bench_total(r, m),
	        cli_bench_mark(m));
}

void cli_bench_markdown(const cli_bench_results *r)
{
	printf("%s: %s x %s, %s nonzeros; %s, %s; measured in turn with csr, by medians; "
	       "**chosen** for %s.\n\n",
	       r->matrix->name, cli_commas(r->info.rows), cli_commas(r->info.cols),
	       cli_commas(r->info.nnz), r->info.isa, threads_text(r), multiplies_text(r));
	printf("| format | product ms | csr = 1 | bytes/nnz | conversion ms | break-even | total ms |\n"
	       "|---|---|---|---|---|---|---|\n");
	cli_bench_each(r, markdown_line, stdout);
	if (r->peers.asked)
		printf("\n%s\n", cli_bench_peers_text(r));
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_entry(const char *key, const cli_bench_results *r, const cli_measured *m)
{
	const int ours = m->kind != CLI_PEER;

	cli_json_open(key, '{');
	cli_json_text("name", m->name);
	if (ours)
		cli_json_bool("chosen", m->chosen);
	cli_json_text("refused", m->refused);
	if (!*m->refused) {
		cli_json_number("product_seconds", m->product);
		cli_json_number("median_seconds", m->time.median);
		cli_json_number("best_seconds", m->time.best);
		if (ours)
			cli_json_integer("samples", m->time.samples);
		cli_json_number("over_csr", m->over_csr);
		cli_json_number("convert_seconds", m->convert);
		if (ours) {
			cli_json_number("bytes", m->bytes);
			cli_json_number("allocated_bytes", m->allocated);
		}
		cli_json_number("break_even", cli_bench_break_even(r, m));
		cli_json_number("total_seconds", cli_bench_total(r, m));
		cli_json_bool("right", !m->wrong);
		if (!ours)
			cli_json_bool("disturbed", m->disturbed);
	}
	cli_json_close();
}

/* These members are missing if tulle-compare is not installed. */
static void json_peers(const cli_bench_results *r)
{
	if (!r->peers.asked && !*r->peers.unmeasured)
		return;
	cli_json_open("peers", '[');
	for (int n = 0; n < r->peers.count; n++)
		json_entry(NULL, r, &r->peers.of[n]);
	cli_json_close();
	cli_json_text("peers_absent", r->peers.absent);
	cli_json_text("peers_unmeasured", r->peers.unmeasured);
}

void cli_bench_json(const cli_bench_results *r)
{
	cli_json_open(NULL, '{');
	cli_json_matrix(r->matrix);
	cli_json_integer("threads", r->threads);
	cli_json_text("isa", r->info.isa);
	cli_json_number("multiplies", r->multiplies);
	cli_json_text("chosen", r->info.format);
	cli_json_number("spread", cli_bench_spread(r));
	cli_json_open("formats", '[');
	for (int n = 0; n < r->count; n++)
		json_entry(NULL, r, &r->of[n]);
	cli_json_close();
	json_entry("plain", r, &r->plain);
	json_peers(r);
	cli_json_text("explain", r->explain);
	cli_json_close();
}
