/* bench_print.c -- what `tulle bench` has measured, as a table with bars, as Markdown and as JSON. */
#include "bench.h"

#include <math.h>
#include <string.h>

enum { BAR = 24 };

static const char *plural(int n)
{
	return n == 1 ? "" : "s";
}

double cli_bench_per_nonzero(const cli_bench_results *r, const cli_measured *m)
{
	return r->info.nnz > 0 ? m->bytes / (double)r->info.nnz : 0;
}

double cli_bench_fastest(const cli_bench_results *r)
{
	double least = r->plain.product;

	for (int n = 0; n < r->count; n++)
		if (!*r->of[n].refused)
			least = fmin(least, r->of[n].product);
	return least;
}

/* "24", "never", or "-" for csr itself. */
const char *cli_bench_break_even_text(const cli_bench_results *r, const cli_measured *m)
{
	const double n = cli_bench_break_even(r, m);

	if (m == cli_bench_csr(r))
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

/* `formatted`: has a conversion. The longest bar is the fastest. */
static void print_line(const cli_bench_results *r, const cli_measured *m, int formatted)
{
	printf("%s%c %-11s %10.4f %7.2f %9.2f", m->chosen ? cli_bold() : "", m->chosen ? '>' : ' ',
	       m->name, 1e3 * m->product, m->over_csr, cli_bench_per_nonzero(r, m));
	if (formatted)
		printf(" %10.2f %10s %10.2f  ", 1e3 * m->convert, cli_bench_break_even_text(r, m),
		       1e3 * cli_bench_total(r, m));
	else
		printf(" %10s %10s %10.2f  ", "-", "-", 1e3 * cli_bench_total(r, m));
	cli_bar((int)lround(BAR * cli_bench_fastest(r) / m->product), BAR);
	printf("%s%s\n", m->wrong ? " WRONG" : "", m->chosen ? cli_plain() : "");
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
		printf(
		    "\nThe automatic plan has chosen %s; %s has the least total time, %.2f times less.\n",
		    chosen->name, best->name, cli_bench_total(r, chosen) / cli_bench_total(r, best));
}

void cli_bench_print(const cli_bench_results *r)
{
	int refused = 0;

	cli_print_matrix(r->matrix);
	printf("%s, %d thread%s, planned for %s multiplications\n\n", r->info.isa, r->threads,
	       plural(r->threads), cli_commas((int64_t)fmin(r->multiplies, 1e18)));
	printf("%s  %-11s %10s %7s %9s %10s %10s %10s  speed%s\n", cli_bold(), "format", "product ms",
	       "csr = 1", "bytes/nnz", "convert ms", "break-even", "total ms", cli_plain());
	for (int n = 0; n < r->count; n++) {
		refused += *r->of[n].refused != 0;
		if (!*r->of[n].refused)
			print_line(r, &r->of[n], 1);
	}
	print_line(r, &r->plain, 0);
	printf("\nMeasured in turn with csr, by medians; the plain loop has one thread. "
	       "Total: conversion "
	       "and all multiplications.\n");
	if (refused)
		printf("\nNot measured\n");
	for (int n = 0; n < r->count; n++)
		if (*r->of[n].refused)
			printf("  %-11s %s\n", r->of[n].name, cli_safe(r->of[n].refused));
	print_verdict(r);
	if (*cli_bench_doubt(r))
		printf("%s\n", cli_bench_doubt(r));
	printf("%s\n", CLI_BENCH_ABSENT);
}

/* ---- Markdown -------------------------------------------------------------------------------- */

static void markdown_line(const cli_bench_results *r, const cli_measured *m, int formatted)
{
	printf("| %s%s%s | %.4f | %.2f | %.2f |", m->chosen ? "**" : "", m->name, m->chosen ? "**" : "",
	       1e3 * m->product, m->over_csr, cli_bench_per_nonzero(r, m));
	if (formatted)
		printf(" %.2f | %s |", 1e3 * m->convert, cli_bench_break_even_text(r, m));
	else
		printf(" - | - |");
	printf(" %.2f |%s\n", 1e3 * cli_bench_total(r, m), m->wrong ? " WRONG" : "");
}

void cli_bench_markdown(const cli_bench_results *r)
{
	printf("%s: %s x %s, %s nonzeros; %s, %d thread%s; measured in turn with csr, by medians; "
	       "**chosen** for %s "
	       "multiplications.\n\n",
	       r->matrix->name, cli_commas(r->info.rows), cli_commas(r->info.cols),
	       cli_commas(r->info.nnz), r->info.isa, r->threads, plural(r->threads),
	       cli_commas((int64_t)fmin(r->multiplies, 1e18)));
	printf("| format | product ms | csr = 1 | bytes/nnz | conversion ms | break-even | total ms |\n"
	       "|---|---|---|---|---|---|---|\n");
	for (int n = 0; n < r->count; n++)
		if (!*r->of[n].refused)
			markdown_line(r, &r->of[n], 1);
	markdown_line(r, &r->plain, 0);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_entry(const char *key, const cli_bench_results *r, const cli_measured *m)
{
	cli_json_open(key, '{');
	cli_json_text("name", m->name);
	cli_json_bool("chosen", m->chosen);
	cli_json_text("refused", m->refused);
	if (!*m->refused) {
		cli_json_number("product_seconds", m->product);
		cli_json_number("median_seconds", m->time.median);
		cli_json_number("best_seconds", m->time.best);
		cli_json_integer("samples", m->time.samples);
		cli_json_number("over_csr", m->over_csr);
		cli_json_number("convert_seconds", m->convert);
		cli_json_number("bytes", m->bytes);
		cli_json_number("allocated_bytes", m->allocated);
		cli_json_number("break_even", cli_bench_break_even(r, m));
		cli_json_number("total_seconds", cli_bench_total(r, m));
		cli_json_bool("right", !m->wrong);
	}
	cli_json_close();
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
	cli_json_text("explain", r->explain);
	cli_json_close();
}
