/* bench_html.c -- the page of `tulle bench --html`: table, plots, the plan's reasons. The page loads no
 * other files. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

static const char STYLE[] =
    ":root{color-scheme:light dark}body{font:15px/1.45 "
    "system-ui,sans-serif;max-width:56rem;margin:2rem auto;"
    "padding:0 "
    "1rem}h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;"
    "width:100%}th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid #8884}"
    "th:first-child,td:first-child{text-align:left}td:first-child{white-space:nowrap}td.bar{width:"
    "22%;text-align:left}"
    "td.bar i{display:block;height:.8em;background:#0969da}tr.chosen{font-weight:600}"
    "tr.chosen td.bar "
    "i{background:#1a7f37}tr.peer td.bar "
    "i{background:#8c959f}pre{overflow-x:auto;font-size:13px}svg{max-width:100%;height:auto}"
    ".soft{opacity:.75}";

static void put_row(FILE *to, const cli_bench_results *r, const cli_measured *m)
{
	fprintf(to,
	        "<tr%s><td>%s%s</td><td>%.4f</td><td>%.2f</td><td>%s</td><td>%s</td><td>%s</td>"
	        "<td>%.2f</td><td class=\"bar\"><i style=\"width:%.0f%%\"></i></td></tr>\n",
	        m->chosen             ? " class=\"chosen\""
	        : m->kind == CLI_PEER ? " class=\"peer\""
	                              : "",
	        m->name, cli_bench_mark(m), 1e3 * m->product, m->over_csr,
	        cli_bench_per_nonzero_text(r, m), cli_bench_convert_text(m),
	        cli_bench_break_even_text(r, m), 1e3 * cli_bench_total(r, m),
	        100 * cli_bench_fastest(r) / m->product);
}

static void put_table(FILE *to, const cli_bench_results *r)
{
	fputs("<table><tr><th>format</th><th>product, ms</th><th>csr = 1</th><th>bytes/nnz</th>"
	      "<th>conversion, ms</th><th>break-even</th><th>total, ms</th><th>speed</th></tr>\n",
	      to);
	cli_bench_each(r, put_row, to);
	fprintf(
	    to,
	    "</table>\n<p class=\"soft\">Measured in turn with csr, by medians; the plain "
	    "loop "
	    "has one thread. Total: conversion and %s multiplications. The format of the automatic "
	    "plan is bold. Break-even: multiplications from which the conversion pays, compared with "
	    "csr. %s ",
	    cli_commas((int64_t)fmin(r->multiplies, 1e18)), cli_bench_doubt(r));
	cli_put_escaped(to, cli_bench_peers_text(r));
	fputs("</p>\n", to);
}

static void put_refused_row(FILE *to, const cli_measured *m, int n)
{
	fprintf(to, "%s<tr><td>%s</td><td style=\"text-align:left\">",
	        n ? "" : "<h2>Not measured</h2>\n<table>\n", m->name);
	cli_put_escaped(to, cli_safe(m->refused));
	fputs("</td></tr>\n", to);
}

static void put_refused(FILE *to, const cli_bench_results *r)
{
	if (cli_bench_each_refused(r, put_refused_row, to))
		fputs("</table>\n", to);
}

/* The plots of `tulle plan --plot`, of measured times only. csr comes first, as it has no conversion. */
static void put_plots(FILE *to, const cli_bench_results *r)
{
	static cli_weighed w; /* large */
	cli_svg svg;

	w = (cli_weighed){ .matrix = r->matrix, .info = r->info, .threads = r->threads };
	for (int pass = 0; pass < 2; pass++)
		for (int n = 0; n < r->count; n++) {
			const cli_measured *const m = &r->of[n];
			const int first = m == cli_bench_csr(r);

			if (*m->refused || first == pass)
				continue;
			w.candidate[w.count++] =
			    (tulle_candidate_info){ .size = sizeof(tulle_candidate_info),
				                        .format = m->name,
				                        .way = r->info.way,
				                        .chosen = m->chosen,
				                        .bytes = m->bytes,
				                        .measured_convert = first ? 0 : m->convert,
				                        .measured_multiply = m->product,
				                        .total_seconds = cli_bench_total(r, m),
				                        .break_even = cli_bench_break_even(r, m) };
		}
	cli_draw_plan(&svg, &w);
	cli_svg_end(&svg);
	fputs(svg.text, to);
	free(svg.text);
}

void cli_bench_html(const cli_bench_results *r, const char *path)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *const to = open_memstream(&text, &bytes);

	if (!to)
		cli_fail(CLI_MEMORY, "no memory for the report");
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>tulle bench: ",
	      to);
	cli_put_escaped(to, r->matrix->name);
	fprintf(to, "</title><style>%s</style></head><body>\n<h1>", STYLE);
	cli_put_escaped(to, r->matrix->name);
	fprintf(to, "</h1>\n<p>%s x %s, %s nonzeros%s. Instruction set %s, %d thread%s.</p>\n",
	        cli_commas(r->info.rows), cli_commas(r->info.cols), cli_commas(r->info.nnz),
	        r->matrix->stand_in ? " (a STAND-IN for a published matrix)" : "", r->info.isa,
	        r->threads, r->threads == 1 ? "" : "s");
	fputs("<h2>Formats</h2>\n", to);
	put_table(to, r);
	put_plots(to, r);
	fputs("<h2>What the automatic plan says</h2>\n<pre>", to);
	cli_put_escaped(to, r->explain);
	fputs("</pre>\n", to);
	put_refused(to, r);
	fputs("</body></html>\n", to);
	if (fclose(to))
		cli_fail(CLI_MEMORY, "no memory for the report");
	cli_save(path, text, bytes);
	free(text);
}
