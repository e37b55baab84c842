/* plot_machine.c -- the picture of `tulle machine --plot`: bandwidth over working set, gathers over table
 * size. */
#include "machine.h"
#include "plot_parts.h"

#include <math.h>

typedef double figure_of(const tulle_machine_table *t);

static double bandwidth(const tulle_machine_table *t)
{
	return 1e-9 * t->read_bandwidth;
}

static double gather(const tulle_machine_table *t)
{
	return 1e9 * t->gather_seconds;
}

static plot_word tell_number(int digit, int exponent)
{
	plot_word w;

	snprintf(w.text, sizeof w.text, "%g", digit * pow(10, exponent));
	return w;
}

static plot_word tell_bytes(int digit, int exponent)
{
	static const char *const units[] = { "B", "kB", "MB", "GB" };
	const int u = exponent / 3 < 3 ? exponent / 3 : 3;
	plot_word w;

	snprintf(w.text, sizeof w.text, "%g %s", digit * pow(10, exponent - 3 * u), units[u]);
	return w;
}

/* Where a cache ends. */
static void draw_caches(cli_svg *svg, const tulle_machine_info *i, const cli_axis *x, double top,
                        double bottom)
{
	for (int level = 0; level < TULLE_MACHINE_CACHES; level++) {
		const double bytes = i->cache_bytes[level];

		if (bytes <= x->low || bytes >= x->high)
			continue;
		const double at = cli_axis_at(x, bytes);
		cli_svg_line(svg, "plan", at, top, at, bottom);
		cli_svg_text(svg, (cli_svg_place){ at - 4, top + 12, PLOT_SMALL, 'e', 0, "ink" }, "L%d",
		             level + 1);
	}
}

static void draw_curve(cli_svg *svg, const cli_machine_figures *m, int set, figure_of *figure,
                       const cli_axis *x, const cli_axis *y)
{
	fprintf(svg->to, "<polyline class=\"curve s%d\" points=\"", set);
	for (int n = 0; n < m->tables; n++)
		fprintf(svg->to, "%s%.1f,%.1f", n ? " " : "", cli_axis_at(x, cli_table_bytes(n)),
		        cli_axis_at(y, figure(&m->table[set][n])));
	fprintf(svg->to, "\"/>\n");
}

static void draw(cli_svg *svg, const cli_machine_figures *m, figure_of *figure, const char *name,
                 const char *unit, double top, double bottom)
{
	double low = INFINITY, high = 0;
	plot_labels l = { .count = 0 };

	for (int set = 0; set < m->sets; set++)
		for (int n = 0; n < m->tables; n++) {
			low = fmin(low, figure(&m->table[set][n]));
			high = fmax(high, figure(&m->table[set][n]));
		}
	const plot_axis x = {
		{ CLI_LEAST_TABLE, cli_table_bytes(m->tables - 1), PLOT_LEFT, PLOT_RIGHT }, name, tell_bytes
	};
	const plot_axis y = { cli_axis_for(low, high, bottom, top), unit, tell_number };

	plot_axes(svg, &x, &y);
	draw_caches(svg, &m->info, &x.axis, top, bottom);
	for (int set = 0; set < m->sets; set++) {
		const double last = figure(&m->table[set][m->tables - 1]);
		plot_label it = { PLOT_RIGHT, cli_axis_at(&y.axis, last), set, 0, "" };

		draw_curve(svg, m, set, figure, &x.axis, &y.axis);
		snprintf(it.text, sizeof it.text, "%.16s %.3g", m->info.sets[set], last);
		plot_add_label(&l, it);
	}
	plot_draw_labels(svg, &l, top, bottom);
}

void cli_plot_machine(const cli_machine_figures *m, const char *path)
{
	cli_svg svg;
	char about[128];

	snprintf(about, sizeof about, "%s", *m->info.processor ? m->info.processor : "this machine");
	cli_svg_begin(&svg, PLOT_WIDTH, PLOT_HEIGHT, about);
	cli_svg_text(&svg, (cli_svg_place){ PLOT_EDGE, 32, PLOT_TITLE, 's', 1, NULL }, "%s", about);
	cli_svg_text(&svg, (cli_svg_place){ PLOT_EDGE, 54, PLOT_HEAD, 's', 0, "soft" },
	             "One thread, by the kernels of each instruction set, as timed");
	plot_heading(&svg, SPEED_TOP, "Read in order: bandwidth over working set",
	             "The lines end where a cache ends.");
	draw(&svg, m, bandwidth, "bytes of the working set", "GB/s", SPEED_TOP, SPEED_BOTTOM);
	plot_heading(&svg, COST_TOP, "Read at random: gathers over table size",
	             "Time per f64 element gathered; lower is better.");
	draw(&svg, m, gather, "bytes of the table", "ns per element", COST_TOP, COST_BOTTOM);
	cli_svg_save(&svg, path);
}
