/* plot_cost.c -- the cost of a multiplication including its share of the conversion, over the number of
 * multiplications.
 *
 * Lines of total times would cross at the same places, but would be too steep to be distinguished. */
#include "plot_parts.h"

#include <math.h>
#include <string.h>

static double cost(const tulle_candidate_info *c, double multiplies)
{
	return cli_convert_seconds(c) / multiplies + cli_multiply_seconds(c);
}

/* Where the lines of c and of the first format cross: the break-even, which is shown as a whole
 * number. */
static double crossing(const cli_weighed *w, const tulle_candidate_info *c)
{
	const tulle_candidate_info *const first = &w->candidate[0];

	return (cli_convert_seconds(c) - cli_convert_seconds(first)) /
	       (cli_multiply_seconds(first) - cli_multiply_seconds(c));
}

static int pays_some_time(const tulle_candidate_info *c)
{
	return !c->out && c->break_even > 0 && isfinite(c->break_even);
}

/* The format whose break-even is shown: the chosen one, or the one that would break even next. */
static const tulle_candidate_info *whose_break_even(const cli_weighed *w)
{
	const tulle_candidate_info *next = NULL;

	for (int n = 0; n < w->count; n++) {
		const tulle_candidate_info *const c = &w->candidate[n];

		if (!pays_some_time(c))
			continue;
		if (c->chosen)
			return c;
		if (!next || c->break_even < next->break_even)
			next = c;
	}
	return next;
}

static plot_word tell_count(int digit, int exponent)
{
	return plot_count(digit * pow(10, exponent));
}

/* digit * 10^exponent seconds, in a unit that suits them. */
static plot_word tell_time(int digit, int exponent)
{
	static const struct {
		const char *name;
		int exponent;
	} units[] = { { "s", 0 }, { "ms", -3 }, { "µs", -6 }, { "ns", -9 } };
	int u = 0;
	plot_word w;

	while (u < 3 && exponent < units[u].exponent)
		u++;
	snprintf(w.text, sizeof w.text, "%g %s", digit * pow(10, exponent - units[u].exponent),
	         units[u].name);
	return w;
}

/* ---- marks above the plot --------------------------------------------------------------------- */

typedef struct {
	double x, y;  /* of the line, and of the words */
	int leftward; /* the words stand to the left of the line */
	char words[96];
} mark;

/* An upper bound of the width of a letter. */
static double width_of(const mark *m)
{
	return .62 * PLOT_SMALL * (double)strlen(m->words);
}

/* Does the text overlap the line of another mark? */
static int is_crossed(const mark *m, double x)
{
	return m->leftward ? x > m->x - width_of(m) && x < m->x : x > m->x && x < m->x + width_of(m);
}

static void draw_mark(cli_svg *svg, const mark *m, double top)
{
	cli_svg_line(svg, "plan", m->x, top, m->x, COST_BOTTOM);
	cli_svg_text(svg,
	             (cli_svg_place){ m->x + (m->leftward ? 4 : -4), m->y, PLOT_SMALL,
	                              m->leftward ? 'e' : 's', 0, "ink" },
	             "%s", m->words);
}

/* The text of the planned number is above that of the break-even. Its line passes the text of the
 * break-even, or begins below it. */
static void draw_marks(cli_svg *svg, const cli_weighed *w, const cli_axis *x)
{
	const tulle_candidate_info *const breaks_even = whose_break_even(w);
	mark planned = { cli_axis_at(x, w->info.multiplies), COST_TOP - 24, 0, "" };
	double top = COST_TOP - 20;

	planned.leftward = planned.x > (PLOT_LEFT + PLOT_RIGHT) / 2.;
	snprintf(planned.words, sizeof planned.words, "planned for %s",
	         plot_count(w->info.multiplies).text);
	if (breaks_even && breaks_even->break_even <= x->high) {
		mark even = { cli_axis_at(x, fmax(1, crossing(w, breaks_even))), COST_TOP - 8, 0, "" };

		snprintf(even.words, sizeof even.words, "%.18s %s even at %s", plot_name(breaks_even).text,
		         breaks_even->chosen ? "breaks" : "would break",
		         plot_count(breaks_even->break_even).text);
		even.leftward = even.x - width_of(&even) > PLOT_LEFT &&
		                (even.x <= planned.x || even.x + width_of(&even) > PLOT_WIDTH - PLOT_EDGE);
		if (is_crossed(&even, planned.x))
			top = COST_TOP;
		draw_mark(svg, &even, COST_TOP - 4);
	}
	draw_mark(svg, &planned, top);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* The line from the point where it enters the plot at the top to its right end; 0: it does not enter
 * the plot. */
static int draw_curve(cli_svg *svg, const tulle_candidate_info *c, int colour, const cli_axis *x,
                      const cli_axis *y)
{
	enum { POINTS = 48 };
	const double room = y->high - cli_multiply_seconds(c);
	const double begin = room > 0 ? fmax(x->low, cli_convert_seconds(c) / room) : x->high;

	if (begin >= x->high)
		return 0;
	fprintf(svg->to, "<polyline class=\"curve s%d%s\" points=\"", colour,
	        c->chosen ? " chosen" : "");
	for (int n = 0; n <= POINTS; n++) {
		const double at = begin * pow(x->high / begin, (double)n / POINTS);

		fprintf(svg->to, "%s%.1f,%.1f", n ? " " : "", cli_axis_at(x, at),
		        cli_axis_at(y, cost(c, at)));
	}
	fprintf(svg->to, "\"/>\n");
	return 1;
}

static void draw_curves(cli_svg *svg, const cli_weighed *w, const cli_axis *x, const cli_axis *y)
{
	plot_labels l = { .count = 0 };

	for (int n = 0; n < w->count; n++) {
		const tulle_candidate_info *const c = &w->candidate[n];
		plot_label it = { PLOT_RIGHT, COST_TOP, n % CLI_SVG_COLOURS, c->chosen, "" };

		if (c->out)
			continue;
		const int seen = draw_curve(svg, c, it.colour, x, y);
		if (seen)
			it.y = cli_axis_at(y, cost(c, x->high));
		snprintf(it.text, sizeof it.text, "%.18s%s%s", plot_name(c).text,
		         c->chosen ? ", chosen" : "", seen ? "" : " ↑");
		plot_add_label(&l, it);
	}
	for (int n = 0; n < w->count; n++) {
		const tulle_candidate_info *const c = &w->candidate[n];
		const double at = pays_some_time(c) ? crossing(w, c) : 0;

		if (at >= x->low && at <= x->high)
			plot_draw_dot(svg, cli_axis_at(x, at), cli_axis_at(y, cost(c, at)), n % CLI_SVG_COLOURS,
			              PLOT_HOLLOW);
	}
	plot_draw_labels(svg, &l, COST_TOP, COST_BOTTOM);
}

void plot_costs(cli_svg *svg, const cli_weighed *w)
{
	/* The axis ends at this multiple of the cost of the first format. */
	const double interest = 8;
	const tulle_candidate_info *const breaks_even = whose_break_even(w);
	double most = 10 * w->info.multiplies, low = INFINITY, high = 0;
	char words[160];

	snprintf(
	    words, sizeof words,
	    "A format breaks even where its line falls below that of %.18s, which needs no conversion "
	    "(circles).",
	    plot_name(&w->candidate[0]).text);
	plot_heading(svg, COST_TOP - 16,
	             "What it costs: a multiplication with its share of the conversion", words);
	if (breaks_even && breaks_even->break_even < 100 * most)
		most = fmax(most, 3 * breaks_even->break_even);
	for (int n = 0; n < w->count; n++) {
		if (w->candidate[n].out)
			continue;
		low = fmin(low, cost(&w->candidate[n], most));
		high = fmax(high, cost(&w->candidate[n], 1));
	}
	if (!w->candidate[0].out)
		high = fmin(high, interest * cost(&w->candidate[0], 1));
	if (!(low > 0 && high >= low))
		return;
	const plot_axis x = { { 1, most, PLOT_LEFT, PLOT_RIGHT }, "multiplications", tell_count };
	const plot_axis y = { cli_axis_for(low, high, COST_BOTTOM, COST_TOP), "time", tell_time };

	plot_axes(svg, &x, &y);
	draw_marks(svg, w, &x.axis);
	draw_curves(svg, w, &x.axis, &y.axis);
}
