/* plot_parts.h -- what the two plots of a plan share: places, words, labels, axes, dots. */
#ifndef CLI_PLOT_PARTS_H
#define CLI_PLOT_PARTS_H

#include "plot.h"

/* Places, in pixels. */
enum {
	PLOT_WIDTH = 820,
	PLOT_HEIGHT = 900,
	PLOT_EDGE = 18,   /* of the picture */
	PLOT_LEFT = 76,   /* of the plots, after the figures of their axes */
	PLOT_RIGHT = 640, /* of the plots; names follow */
	PLOT_NAMES = PLOT_RIGHT + 22,
	SPEED_TOP = 140,
	SPEED_BOTTOM = 412,
	COST_TOP = 572,
	COST_BOTTOM = 844
};

/* Sizes of text: of the title, a heading, what is read, figures and the like. */
#define PLOT_TITLE 17.
#define PLOT_HEAD 14.
#define PLOT_BODY 12.
#define PLOT_SMALL 11.5

typedef struct {
	char text[48];
} plot_word;

plot_word plot_count(double count);                 /* "10,000" */
plot_word plot_name(const tulle_candidate_info *c); /* "sell", "csr scatter" */

/* Names beside a plot: where what they name is, in which colour (-1: none of its own). They are put
 * in order and kept apart, with a line each to what they name. */
enum { PLOT_MOST_LABELS = 16 };

typedef struct {
	double x, y;
	int colour, bold;
	char text[40];
} plot_label;

typedef struct {
	int count;
	plot_label label[PLOT_MOST_LABELS];
} plot_labels;

/* One more than there is room for is dropped: a picture of more would be unreadable. */
void plot_add_label(plot_labels *l, plot_label label);
void plot_draw_labels(cli_svg *svg, plot_labels *l, double top, double bottom);

/* A heading and a line of words above a plot that begins at `top`. */
void plot_heading(cli_svg *svg, double top, const char *head, const char *words);

/* An axis, its name, and how its ticks (digit * 10^exponent) are told. */
typedef struct {
	cli_axis axis;
	const char *name;
	plot_word (*tell)(int digit, int exponent);
} plot_axis;

void plot_axes(cli_svg *svg, const plot_axis *x, const plot_axis *y);

typedef enum { PLOT_HOLLOW, PLOT_FILLED, PLOT_RING } plot_dot;

void plot_draw_dot(cli_svg *svg, double x, double y, int colour, plot_dot kind);

/* The plots: how fast each format is, and what it costs. */
void plot_speeds(cli_svg *svg, const cli_weighed *w);
void plot_costs(cli_svg *svg, const cli_weighed *w);

#endif
