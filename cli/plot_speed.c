/* plot_speed.c -- the roofline: operations per second over operations per byte read. */
#include "plot_parts.h"

#include <math.h>

/* Operations per byte read, and per second (in billions); 0: unknown. */
typedef struct {
	double intensity, speed;
} point;

static point point_of(const cli_weighed *w, const tulle_candidate_info *c)
{
	const double value = (double)cli_value_size(w->info.value_type);
	const double vectors = value * (double)(w->info.rows + w->info.cols);
	const double flops = 2 * (double)w->info.nnz, seconds = cli_multiply_seconds(c);

	if (c->out || !(flops > 0 && seconds > 0))
		return (point){ 0, 0 };
	return (point){ flops / (c->bytes + vectors), 1e-9 * flops / seconds };
}

static plot_word tell(int digit, int exponent)
{
	plot_word w;

	snprintf(w.text, sizeof w.text, "%g", digit * pow(10, exponent));
	return w;
}

/* The line of the bandwidth ends at the right, below the corner. */
static void draw_roof(cli_svg *svg, const cli_weighed *w, const cli_axis *x, const cli_axis *y,
                      plot_labels *l)
{
	const double roof = 1e-9 * w->info.read_bandwidth;
	const double begin = fmax(x->low, y->low / roof), end = fmin(x->high, y->high / roof);

	if (!(begin < end))
		return;
	cli_svg_line(svg, "roof", cli_axis_at(x, begin), cli_axis_at(y, begin * roof),
	             cli_axis_at(x, end), cli_axis_at(y, end * roof));
	plot_label it = { cli_axis_at(x, end), cli_axis_at(y, end * roof), -1, 0, "" };
	snprintf(it.text, sizeof it.text, "%.3g GB/s %s", roof,
	         w->info.machine_measured ? "timed" : "assumed");
	plot_add_label(l, it);
}

static void draw_legend(cli_svg *svg, double y)
{
	plot_draw_dot(svg, PLOT_NAMES - 10, y - 4, 0, PLOT_HOLLOW);
	cli_svg_text(svg, (cli_svg_place){ PLOT_NAMES, y, PLOT_SMALL, 's', 0, "soft" }, "predicted");
	plot_draw_dot(svg, PLOT_NAMES + 78, y - 4, 0, PLOT_FILLED);
	cli_svg_text(svg, (cli_svg_place){ PLOT_NAMES + 88, y, PLOT_SMALL, 's', 0, "soft" },
	             "measured");
}

static void draw_points(cli_svg *svg, const cli_weighed *w, const cli_axis *x, const cli_axis *y,
                        plot_labels *l)
{
	for (int n = 0; n < w->count; n++) {
		const tulle_candidate_info *const c = &w->candidate[n];
		const point p = point_of(w, c);

		if (!(p.speed > 0))
			continue;
		plot_label it = { cli_axis_at(x, p.intensity), cli_axis_at(y, p.speed), n % CLI_SVG_COLOURS,
			              c->chosen, "" };
		plot_draw_dot(svg, it.x, it.y, it.colour,
		              c->measured_multiply > 0 ? PLOT_FILLED : PLOT_HOLLOW);
		if (c->chosen)
			plot_draw_dot(svg, it.x, it.y, it.colour, PLOT_RING);
		snprintf(it.text, sizeof it.text, "%.18s %.3g%s", plot_name(c).text, p.speed,
		         c->chosen ? ", chosen" : "");
		plot_add_label(l, it);
	}
}

void plot_speeds(cli_svg *svg, const cli_weighed *w)
{
	const double roof = 1e-9 * w->info.read_bandwidth, corner = 1.25;
	double least = INFINITY, most = 0, low = INFINITY, high = 0;
	plot_labels l = { .count = 0 };

	plot_heading(svg, SPEED_TOP, "Speed: on the line, the full read bandwidth is used",
	             w->info.machine_measured
	                 ? "The line is what this machine can read in a second, as timed on it."
	                 : "The line is what this machine is assumed to read in a second: it was not "
	                   "timed.");
	for (int n = 0; n < w->count; n++) {
		const point p = point_of(w, &w->candidate[n]);

		if (!(p.speed > 0))
			continue;
		least = fmin(least, p.intensity);
		most = fmax(most, p.intensity);
		low = fmin(low, p.speed);
		high = fmax(high, p.speed);
	}
	if (!(most > 0)) {
		cli_svg_text(svg, (cli_svg_place){ PLOT_LEFT, SPEED_TOP + 30, PLOT_BODY, 's', 0, NULL },
		             "The matrix is empty: there is nothing to multiply.");
		return;
	}
	const plot_axis x = { cli_axis_for(least, most, PLOT_LEFT, PLOT_RIGHT),
		                  "operations for each byte read", tell };
	const plot_axis y = { cli_axis_for(low, fmax(high, roof * x.axis.high / corner), SPEED_BOTTOM,
		                               SPEED_TOP),
		                  "GFlop/s", tell };

	draw_legend(svg, SPEED_TOP - 52);
	plot_axes(svg, &x, &y);
	if (roof > 0)
		draw_roof(svg, w, &x.axis, &y.axis, &l);
	draw_points(svg, w, &x.axis, &y.axis, &l);
	plot_draw_labels(svg, &l, SPEED_TOP, SPEED_BOTTOM);
}
