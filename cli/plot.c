/* plot.c -- the picture of `tulle plan --plot`: its title, and what its two plots have in common.
 *
 * Candidates are often close to each other. So their names are in a separate column on the right, in
 * the same order and without overlap, with dotted lines to the points. */
#include "plot_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double cli_multiply_seconds(const tulle_candidate_info *c)
{
	return c->measured_multiply > 0 ? c->measured_multiply : c->multiply_seconds;
}

double cli_convert_seconds(const tulle_candidate_info *c)
{
	return c->measured_convert > 0 ? c->measured_convert : c->convert_seconds;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Of the ways of a format only scattering is named: the title says whether the plan is for A^T. */
plot_word plot_name(const tulle_candidate_info *c)
{
	plot_word w;

	snprintf(w.text, sizeof w.text, "%.10s%s", c->format,
	         !strcmp(c->way, "scatter") ? " scatter" : "");
	return w;
}

plot_word plot_count(double count)
{
	plot_word w;

	if (count < 1e9)
		snprintf(w.text, sizeof w.text, "%s", cli_commas((int64_t)count));
	else
		snprintf(w.text, sizeof w.text, "%.3g", count);
	return w;
}

/* A name in at most `columns` columns; characters outside ASCII may be two columns wide. */
static const char *shortened(const char *name, int columns)
{
	static char text[256];
	size_t length = 0;

	while (name[length] && columns > 0 && length < sizeof text - 8) {
		const int n = cli_safe_bytes(name + length);

		columns -= n > 1 ? 2 : 1;
		length += n > 0 ? (size_t)n : 1;
	}
	snprintf(text, sizeof text, "%.*s%s", (int)length, name, name[length] ? "…" : "");
	return text;
}

/* ---- names beside a plot ---------------------------------------------------------------------- */

void plot_add_label(plot_labels *l, plot_label label)
{
	if (l->count < PLOT_MOST_LABELS)
		l->label[l->count++] = label;
}

static int by_height(const void *a, const void *b)
{
	const double u = ((const plot_label *)a)->y, v = ((const plot_label *)b)->y;
	return (u > v) - (u < v);
}

void plot_draw_labels(cli_svg *svg, plot_labels *l, double top, double bottom)
{
	const double gap = 16;
	double y[PLOT_MOST_LABELS];

	qsort(l->label, (size_t)l->count, sizeof *l->label, by_height);
	for (int n = 0; n < l->count; n++)
		y[n] = l->label[n].y;
	cli_keep_apart(y, l->count, gap, top, bottom);
	for (int n = 0; n < l->count; n++) {
		const plot_label *const it = &l->label[n];
		char lead[24] = "lead axis", class[16] = "ink";

		if (it->colour >= 0) {
			snprintf(lead, sizeof lead, "lead s%d", it->colour);
			snprintf(class, sizeof class, "f%d", it->colour);
		}
		cli_svg_line(svg, lead, it->x, it->y, PLOT_NAMES - 4, y[n]);
		cli_svg_text(
		    svg,
		    (cli_svg_place){ PLOT_NAMES, y[n] + PLOT_BODY / 3, PLOT_BODY, 's', it->bold, class },
		    "%s", it->text);
	}
}

/* ---- frames ---------------------------------------------------------------------------------- */

void plot_heading(cli_svg *svg, double top, const char *head, const char *words)
{
	cli_svg_text(svg, (cli_svg_place){ PLOT_EDGE, top - 52, PLOT_HEAD, 's', 1, NULL }, "%s", head);
	cli_svg_text(svg, (cli_svg_place){ PLOT_EDGE, top - 34, PLOT_BODY, 's', 0, "soft" }, "%s",
	             words);
}

void plot_axes(cli_svg *svg, const plot_axis *x, const plot_axis *y)
{
	const double left = x->axis.from, right = x->axis.to, bottom = y->axis.from, top = y->axis.to;
	int digit, exponent;

	for (int n = 0; cli_axis_tick(&x->axis, n, &digit, &exponent); n++) {
		const double at = cli_axis_at(&x->axis, digit * pow(10, exponent));

		cli_svg_line(svg, "grid", at, top, at, bottom);
		cli_svg_text(svg, (cli_svg_place){ at, bottom + 17, PLOT_SMALL, 'm', 0, "soft" }, "%s",
		             x->tell(digit, exponent).text);
	}
	for (int n = 0; cli_axis_tick(&y->axis, n, &digit, &exponent); n++) {
		const double at = cli_axis_at(&y->axis, digit * pow(10, exponent));

		cli_svg_line(svg, "grid", left, at, right, at);
		cli_svg_text(svg, (cli_svg_place){ left - 8, at + 4, PLOT_SMALL, 'e', 0, "soft" }, "%s",
		             y->tell(digit, exponent).text);
	}
	cli_svg_line(svg, "axis", left, bottom, right, bottom);
	cli_svg_line(svg, "axis", left, bottom, left, top);
	cli_svg_text(svg,
	             (cli_svg_place){ (left + right) / 2, bottom + 36, PLOT_SMALL, 'm', 0, "soft" },
	             "%s", x->name);
	cli_svg_text(svg, (cli_svg_place){ PLOT_EDGE, top - 12, PLOT_SMALL, 's', 0, "soft" }, "%s",
	             y->name);
}

void plot_draw_dot(cli_svg *svg, double x, double y, int colour, plot_dot kind)
{
	char fill[24] = "";

	if (kind != PLOT_RING)
		snprintf(fill, sizeof fill, kind == PLOT_FILLED ? " f%d" : " ground", colour);
	fprintf(svg->to, "<circle class=\"s%d%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/>\n", colour, fill,
	        x, y, kind == PLOT_RING ? 9 : 5);
}

/* ---- the whole ------------------------------------------------------------------------------- */

void cli_draw_plan(cli_svg *svg, const cli_weighed *w)
{
	const tulle_plan_info *const i = &w->info;
	enum { COLUMNS = 72, SHORTEST = 12 };
	char sizes[160], about[512];

	const int length = snprintf(sizes, sizeof sizes, "%s × %s, %s", cli_commas(i->rows),
	                            cli_commas(i->cols), cli_count(i->nnz, "entry", "entries"));
	snprintf(about, sizeof about, "%s: %s",
	         shortened(w->matrix->name, COLUMNS - length > SHORTEST ? COLUMNS - length : SHORTEST),
	         sizes);
	cli_svg_begin(svg, PLOT_WIDTH, w->count ? PLOT_HEIGHT : SPEED_TOP, about);

	cli_svg_text(svg, (cli_svg_place){ PLOT_EDGE, 32, PLOT_TITLE, 's', 1, NULL }, "%s", about);
	cli_svg_text(svg, (cli_svg_place){ PLOT_EDGE, 54, PLOT_HEAD, 's', 0, "soft" },
	             "y = %s x with %s (%s), planned for %s multiplications on %d thread%s%s",
	             i->op == TULLE_TRANSPOSED ? "Aᵀ" : "A", i->format, i->isa,
	             plot_count(i->multiplies).text, w->threads, w->threads == 1 ? "" : "s",
	             w->matrix->stand_in ? "; a STAND-IN" : "");
	if (w->count) {
		plot_speeds(svg, w);
		plot_costs(svg, w);
	} else {
		cli_svg_text(svg, (cli_svg_place){ PLOT_EDGE, 96, PLOT_BODY, 's', 0, NULL },
		             "No formats were compared: %s.", i->why);
	}
}

void cli_plot(const cli_weighed *w, const char *path)
{
	cli_svg svg;

	cli_draw_plan(&svg, w);
	cli_svg_save(&svg, path);
}
