/* svg.h -- a drawing as an SVG file: words, lines, logarithmic axes, labels that keep apart. */
#ifndef CLI_SVG_H
#define CLI_SVG_H

#include "cli.h"

/* Colours are classes, so that they suit a light and a dark screen: "ink", "soft", "grid", "axis",
 * "roof" and "plan" as the style sheet has them, and CLI_SVG_COLOURS more by number. */
enum { CLI_SVG_COLOURS = 9 };

typedef struct {
	FILE *to; /* in memory */
	char *text;
	size_t bytes;
} cli_svg;

/* `about` is told to those who cannot see it. The drawing stays where it is until it is saved. */
void cli_svg_begin(cli_svg *svg, int width, int height, const char *about);

/* Complete it: `text` is the whole drawing, which the caller frees. */
void cli_svg_end(cli_svg *svg);

/* Complete it and write it to a file. */
void cli_svg_save(cli_svg *svg, const char *path);

/* Text without the characters that XML and HTML do not take, or take for their own. */
void cli_put_escaped(FILE *to, const char *text);

/* Text with its base line at y. anchor: 's'tart, 'm'iddle or 'e'nd of it is at x. */
typedef struct {
	double x, y, size;
	char anchor;
	int bold;
	const char *class; /* NULL: "ink" */
} cli_svg_place;

void cli_svg_text(cli_svg *svg, cli_svg_place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void cli_svg_line(cli_svg *svg, const char *class, double x1, double y1, double x2, double y2);

/* A logarithmic axis: pixels of its least and of its greatest value. */
typedef struct {
	double low, high;
	double from, to;
} cli_axis;

/* An axis on which all values from low to high have some air, and several ticks between them. */
cli_axis cli_axis_for(double low, double high, double from, double to);
double cli_axis_at(const cli_axis *axis, double value);

/* Value of the n-th tick as digit * 10^exponent; 0 past the last. */
int cli_axis_tick(const cli_axis *axis, int n, int *digit, int *exponent);

/* Move `count` places, in rising order, apart by at least `gap`, each as little as can be, within
 * low .. high. */
void cli_keep_apart(double *place, int count, double gap, double low, double high);

#endif
