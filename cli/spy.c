/* spy.c -- `tulle spy FILE -o OUT.png`: a picture of the entries, darker where there are more. */
#include "picture.h"

#include <math.h>
#include <string.h>

/* Indices into the palette: background 0, text, frame, then the tones from light to dark. */
enum { INK = 1, LINE, TONES };

enum {
	MARGIN = 14,
	SCALE = 2,
	GAP = 6,
	AIR = 3,
	TEXT = CLI_GLYPH_HEIGHT * SCALE,
	LEGEND = 100,
	THICK = 12
};

/* Three shades of blue, so that both ends can be distinguished from the background and from each
 * other. */
static void set_palette(cli_image *image)
{
	static const double light[3] = { 140, 190, 235 }, middle[3] = { 30, 95, 180 },
	                    dark[3] = { 10, 10, 50 };

	memset(image->palette, 0xff, sizeof image->palette);
	memset(image->palette[INK], 0x50, 3);
	memset(image->palette[LINE], 0xb0, 3);
	for (int n = TONES; n < 256; n++) {
		const double t = (double)(n - TONES) / (255 - TONES);

		for (int c = 0; c < 3; c++) {
			const double v = t < 0.5 ? light[c] + (middle[c] - light[c]) * 2 * t
			                         : middle[c] + (dark[c] - middle[c]) * (2 * t - 1);
			image->palette[n][c] = (unsigned char)(v + 0.5);
		}
	}
}

static unsigned char tone_index(double tone)
{
	return (unsigned char)(TONES + (int)(tone * (255 - TONES) + 0.5));
}

static void fill(cli_image *image, int x, int y, int width, int height, unsigned char ink)
{
	for (int v = y; v < y + height; v++)
		memset(image->pixel + (int64_t)v * image->width + x, ink, (size_t)width);
}

/* A thin frame with a gap, so that full rows and columns at the border are not mistaken for the
 * frame. */
static void frame(cli_image *image, int x, int y, int width, int height)
{
	x -= AIR + 1;
	y -= AIR + 1;
	width += 2 * AIR + 2;
	height += 2 * AIR + 2;
	fill(image, x, y, width, 1, LINE);
	fill(image, x, y + height - 1, width, 1, LINE);
	fill(image, x, y, 1, height, LINE);
	fill(image, x + width - 1, y, 1, height, LINE);
}

/* Pixels per side of a cell, a whole number: small matrices are enlarged. */
static int zoom_for(int cells, int size)
{
	return cells > 0 && size / cells > 1 ? size / cells : 1;
}

typedef struct {
	int x, y, width, height; /* of the picture inside the image */
	int title_y, legend_y;   /* legend_y 0: none */
	char rows[32], cols[32], title[64], most[48];
} layout;

static int larger(int a, int b)
{
	return a > b ? a : b;
}

/* "1 [gradient] 345 a cell" under the picture. */
static int legend_width(const layout *l)
{
	return cli_text_width(SCALE, "1") + 2 * GAP + LEGEND + cli_text_width(SCALE, l->most);
}

static void draw_legend(cli_image *image, const layout *l)
{
	int x = l->x;

	cli_draw_text(image, x, l->legend_y, SCALE, INK, "1");
	x += cli_text_width(SCALE, "1") + GAP;
	for (int u = 0; u < LEGEND; u++)
		fill(image, x + u, l->legend_y + 1, 1, THICK, tone_index((double)u / (LEGEND - 1)));
	cli_draw_text(image, x + LEGEND + GAP, l->legend_y, SCALE, INK, l->most);
}

/* Pixels of the picture: cells are square unless the steps of the grid differ. */
static void set_sizes(layout *l, const cli_grid *g, int size)
{
	int zoom_x = zoom_for(g->width, size), zoom_y = zoom_for(g->height, size);

	if (g->row_step == g->col_step)
		zoom_x = zoom_y = zoom_x < zoom_y ? zoom_x : zoom_y;
	else if (g->row_step < g->col_step)
		zoom_y = zoom_for(g->height, size / 6);
	else
		zoom_x = zoom_for(g->width, size / 6);
	l->width = zoom_x * larger(g->width, 1);
	l->height = zoom_y * larger(g->height, 1);
}

static layout lay_out(const cli_matrix *m, const cli_grid *g, int size, cli_image *image)
{
	layout l = { 0 };

	set_sizes(&l, g, size);
	snprintf(l.rows, sizeof l.rows, "%s", cli_commas(m->lists.rows));
	snprintf(l.cols, sizeof l.cols, "%s", cli_commas(m->lists.cols));
	snprintf(l.title, sizeof l.title, "%s%s", m->stand_in ? "stand-in, " : "",
	         cli_count(m->view.nnz, "entry", "entries"));
	snprintf(l.most, sizeof l.most, "%s per cell", cli_commas(g->most));
	l.x = MARGIN + cli_text_width(SCALE, l.rows) + GAP + AIR;
	l.y = MARGIN + TEXT + GAP;
	l.title_y = l.y + l.height + GAP + AIR;
	l.legend_y = g->most > 1 ? l.title_y + TEXT + GAP : 0;

	int right = l.x + l.width + cli_text_width(SCALE, l.cols) / 2;
	right = larger(right, l.x + cli_text_width(SCALE, l.title));
	right = l.legend_y ? larger(right, l.x + legend_width(&l)) : right;
	image->width = right + MARGIN;
	image->height = (l.legend_y ? l.legend_y : l.title_y) + TEXT + MARGIN / 2;
	return l;
}

static void draw_cells(cli_image *image, const cli_grid *g, const layout *l)
{
	if (!g->width || !g->height)
		return;
	const int zoom_x = l->width / g->width, zoom_y = l->height / g->height;

	for (int y = 0; y < g->height; y++)
		for (int x = 0; x < g->width; x++) {
			const int64_t count = g->count[(int64_t)y * g->width + x];

			if (count)
				fill(image, l->x + x * zoom_x, l->y + y * zoom_y, zoom_x, zoom_y,
				     tone_index(cli_tone(g, count)));
		}
}

/* The axes count from 1 in the upper left corner, as the files do. */
static void draw_axes(cli_image *image, const layout *l)
{
	const int cols_width = cli_text_width(SCALE, l->cols), left = l->x - GAP - AIR;

	frame(image, l->x, l->y, l->width, l->height);
	cli_draw_text(image, l->x, MARGIN - AIR, SCALE, INK, "1");
	if (l->width > cols_width / 2 + 4 * GAP)
		cli_draw_text(image, l->x + l->width - cols_width / 2, MARGIN - AIR, SCALE, INK, l->cols);
	cli_draw_text(image, left - cli_text_width(SCALE, "1"), l->y, SCALE, INK, "1");
	if (l->height >= 2 * TEXT)
		cli_draw_text(image, left - cli_text_width(SCALE, l->rows), l->y + l->height - 7 * SCALE,
		              SCALE, INK, l->rows);
}

static void draw(const cli_matrix *m, int size, const char *path)
{
	cli_grid g = cli_grid_of(m, size, size);
	cli_image image;
	const layout l = lay_out(m, &g, size, &image);
	size_t bytes;

	image.pixel = cli_alloc(image.height, (size_t)image.width);
	set_palette(&image);
	draw_cells(&image, &g, &l);
	draw_axes(&image, &l);
	cli_draw_text(&image, l.x, l.title_y, SCALE, INK, l.title);
	if (l.legend_y)
		draw_legend(&image, &l);
	unsigned char *const file = cli_png(&image, &bytes);
	cli_save(path, file, bytes);
	printf("%s: %d x %d pixels, cells of %s x %s places%s\n", cli_safe(path), image.width,
	       image.height, cli_commas(g.row_step), cli_commas(g.col_step),
	       m->stand_in ? " of a STAND-IN" : "");
	cli_free(file);
	cli_free(image.pixel);
	cli_grid_free(&g);
}

int cli_spy(int argc, char **argv)
{
	enum { OUTPUT = 'o', SIZE = 1 };
	static const struct option options[] = { { "output", required_argument, NULL, OUTPUT },
		                                     { "size", required_argument, NULL, SIZE },
		                                     CLI_READ_OPTIONS,
		                                     CLI_HELP_OPTION,
		                                     { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "spy" };
	const char *output = NULL;
	int option, size = 800;

	while ((option = cli_option(argc, argv, "o:", options, &common)) != -1) {
		if (option == OUTPUT)
			output = optarg;
		else
			size = (int)cli_integer("--size", optarg, 16, 8192);
	}
	const char *const path = cli_arguments(argc, argv, 1, "FILE")[0];
	if (!output)
		cli_usage("missing option: -o OUT.png");
	if (!cli_ends_with(output, ".png"))
		cli_usage("'%s': the picture is a PNG file, so its name ends in .png", output);
	cli_check_output(output, path);
	cli_matrix m = cli_read(&common, path, NULL);
	cli_progress_begin(&common, "drawing", m.name);
	draw(&m, size, output);
	cli_progress_end();
	cli_close(&m);
	return CLI_OK;
}
