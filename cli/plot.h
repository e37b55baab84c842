/* plot.h -- a plan and the formats that were weighed for it, in figures and as a picture. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "svg.h"

enum { CLI_MOST_CANDIDATES = 64 };

typedef struct {
	const cli_matrix *matrix;
	tulle_plan_info info;
	int threads;
	int count;
	tulle_candidate_info candidate[CLI_MOST_CANDIDATES]; /* the first needs no conversion */
} cli_weighed;

/* One multiplication and the conversion, measured if they were, else predicted. */
double cli_multiply_seconds(const tulle_candidate_info *c);
double cli_convert_seconds(const tulle_candidate_info *c);

/* Draw the roofline and the cost over the number of multiplications; cli_plot(): into an SVG file. */
void cli_draw_plan(cli_svg *svg, const cli_weighed *w);
void cli_plot(const cli_weighed *w, const char *path);

#endif
