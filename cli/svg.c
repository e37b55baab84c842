/* svg.c -- drawings as SVG files: text, lines, logarithmic axes, labels that do not overlap. */
#include "svg.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- the file -------------------------------------------------------------------------------- */

/* Colours for light and dark backgrounds. Most people can distinguish the numbered ones, which are
 * legible as text on both backgrounds. */
typedef struct {
	const char *ground, *ink, *soft, *grid, *roof, *plan;
	const char *colour[CLI_SVG_COLOURS];
} palette;

static const palette light = { "#ffffff",
	                           "#1f2328",
	                           "#59636e",
	                           "#e4e8ec",
	                           "#1f2328",
	                           "#8c959f",
	                           { "#57606a", "#0969da", "#1a7f37", "#bc4c00", "#8250df", "#cf222e",
	                             "#a8399b", "#0f7b86", "#7d5a28" } };
static const palette dark = { "#0d1117",
	                          "#f0f3f6",
	                          "#aab3bd",
	                          "#262c34",
	                          "#f0f3f6",
	                          "#7a828e",
	                          { "#b1bac4", "#6cb6ff", "#56d364", "#f69d50", "#c9a0ff", "#ff8080",
	                            "#f096dc", "#4fd1d9", "#d6b27c" } };

static void put_palette(FILE *to, const palette *p)
{
	fprintf(to, ".ground{fill:%s}.ink{fill:%s}.soft{fill:%s}", p->ground, p->ink, p->soft);
	fprintf(to, ".grid{stroke:%s}.axis{stroke:%s}.roof{stroke:%s}.plan{stroke:%s}\n", p->grid,
	        p->soft, p->roof, p->plan);
	for (int n = 0; n < CLI_SVG_COLOURS; n++)
		fprintf(to, ".s%d{stroke:%s}.f%d{fill:%s}", n, p->colour[n], n, p->colour[n]);
	fprintf(to, "\n");
}

void cli_put_escaped(FILE *to, const char *text)
{
	for (; *text; text++) {
		if (!strncmp(text, "\xef\xbf\xbe", 3) || !strncmp(text, "\xef\xbf\xbf", 3)) {
			fputs("?", to);
			text += 2;
			continue;
		}
		switch (*text) {
		case '&': fputs("&amp;", to); break;
		case '<': fputs("&lt;", to); break;
		case '>': fputs("&gt;", to); break;
		case '"': fputs("&quot;", to); break;
		default: putc(*text, to); break;
		}
	}
}

void cli_svg_begin(cli_svg *svg, int width, int height, const char *about)
{
	*svg = (cli_svg){ .to = NULL };
	svg->to = open_memstream(&svg->text, &svg->bytes);
	if (!svg->to)
		cli_fail(CLI_MEMORY, "no memory for the picture");
	fprintf(svg->to,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
	        "viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"system-ui, -apple-system, "
	        "'Segoe UI', Helvetica, Arial, sans-serif\">\n<title>",
	        width, height, width, height);
	cli_put_escaped(svg->to, about);
	fprintf(svg->to, "</title>\n<style>\n");
	put_palette(svg->to, &light);
	fprintf(svg->to,
	        "line,polyline,circle{fill:none}circle{stroke-width:1.5}\n.roof{stroke-width:2}"
	        ".plan{stroke-dasharray:5 4}.lead{stroke-width:.7;stroke-dasharray:1 3}\n"
	        ".curve{stroke-width:1.5}.chosen{stroke-width:3}\n"
	        "@media (prefers-color-scheme:dark){\n");
	put_palette(svg->to, &dark);
	fprintf(svg->to, "}\n</style>\n<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n", width,
	        height);
}

void cli_svg_end(cli_svg *svg)
{
	fprintf(svg->to, "</svg>\n");
	if (fclose(svg->to))
		cli_fail(CLI_MEMORY, "no memory for the picture");
}

void cli_svg_save(cli_svg *svg, const char *path)
{
	cli_svg_end(svg);
	cli_save(path, svg->text, svg->bytes);
	free(svg->text);
}

/* ---- words and lines ------------------------------------------------------------------------- */

void cli_svg_text(cli_svg *svg, cli_svg_place at, const char *format, ...)
{
	static const char *const anchors[] = { "start", "middle", "end" };
	char text[1024];
	va_list words;

	va_start(words, format);
	vsnprintf(text, sizeof text, format, words);
	va_end(words);
	fprintf(svg->to,
	        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%g\" text-anchor=\"%s\"%s class=\"%s\">", at.x,
	        at.y, at.size,
	        anchors[at.anchor == 'm'   ? 1
	                : at.anchor == 'e' ? 2
	                                   : 0],
	        at.bold ? " font-weight=\"600\"" : "", at.class ? at.class : "ink");
	cli_put_escaped(svg->to, text);
	fprintf(svg->to, "</text>\n");
}

void cli_svg_line(cli_svg *svg, const char *class, double x1, double y1, double x2, double y2)
{
	fprintf(svg->to, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
	        class, x1, y1, x2, y2);
}

/* ---- axes ------------------------------------------------------------------------------------ */

/* A range of less than this has ticks at 1, 2 and 5, a larger one at powers of ten. */
static const double DENSE = 120;

cli_axis cli_axis_for(double low, double high, double from, double to)
{
	const double least = 8, air = 1.25, middle = sqrt(low) * sqrt(high);
	const double half = fmax(sqrt(least), air * sqrt(high / low));

	return (cli_axis){ middle / half, middle * half, from, to };
}

double cli_axis_at(const cli_axis *axis, double value)
{
	return axis->from + (axis->to - axis->from) * (log(value) - log(axis->low)) /
	                        (log(axis->high) - log(axis->low));
}

int cli_axis_tick(const cli_axis *axis, int n, int *digit, int *exponent)
{
	enum { MOST = 9 };
	static const int digits[] = { 1, 2, 5 };
	const int each = axis->high / axis->low < DENSE ? 3 : 1;
	const double decades = log10(axis->high / axis->low);
	const int step = each == 3 ? 1 : (int)ceil(decades / MOST);
	const int first = (int)floor(log10(axis->low));
	int found = 0;

	for (int k = 0; k <= (int)ceil(decades) + 1; k++)
		for (int d = 0; d < each; d++) {
			const double value = digits[d] * pow(10, first + k);

			if ((first + k) % step || value < axis->low || value > axis->high || found++ < n)
				continue;
			*digit = digits[d];
			*exponent = first + k;
			return 1;
		}
	return 0;
}

/* Adjacent labels that would overlap become one group, which is placed such that the mean shift of
 * its members is zero. */
void cli_keep_apart(double *place, int count, double gap, double low, double high)
{
	for (int n = 0; n < count; n++)
		place[n] -= n * gap;
	for (int end = 1; end < count; end++) {
		int begin = end;
		double sum = place[end];

		while (begin > 0 && place[begin - 1] > sum / (end - begin + 1))
			sum += place[--begin];
		for (int n = begin; n <= end; n++)
			place[n] = sum / (end - begin + 1);
	}
	for (int n = 0; n < count; n++)
		place[n] = fmax(low, fmin(high - (count - 1) * gap, place[n])) + n * gap;
}
