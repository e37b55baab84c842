/* picture.c -- entries counted on a coarse grid, and the grid as a picture of characters. */
#include "picture.h"

#include <math.h>

/* ---- grid ------------------------------------------------------------------------------------ */

static int64_t divide_up(int64_t n, int64_t by)
{
	return n / by + (n % by != 0);
}

cli_grid cli_grid_of(const cli_matrix *m, int width, int height)
{
	/* A long thin matrix must not become a line: beyond a ratio of 6 to 1 its sides are scaled
	 * separately. */
	enum { THIN = 6 };
	const tulle_csr_view *const a = &m->view;
	const int64_t rows = m->lists.rows, cols = m->lists.cols;
	cli_grid g = { .row_step = divide_up(rows, height), .col_step = divide_up(cols, width) };

	g.row_step = g.row_step > 1 ? g.row_step : 1;
	g.col_step = g.col_step > 1 ? g.col_step : 1;
	if (rows / THIN <= cols && cols / THIN <= rows)
		g.row_step = g.col_step = g.row_step > g.col_step ? g.row_step : g.col_step;
	g.width = (int)divide_up(cols, g.col_step);
	g.height = (int)divide_up(rows, g.row_step);
	g.count = cli_alloc((int64_t)g.width * g.height + 1, sizeof *g.count);
	for (int64_t i = 0; i < a->rows; i++) {
		int64_t *const line = g.count + cli_listed(m->lists.row, i) / g.row_step * g.width;

		for (int64_t k = cli_row_begin(a, i); k < cli_row_begin(a, i + 1); k++) {
			int64_t *const cell = &line[cli_listed(m->lists.col, cli_col(a, k)) / g.col_step];
			g.most = ++*cell > g.most ? *cell : g.most;
		}
	}
	return g;
}

void cli_grid_free(cli_grid *grid)
{
	cli_free(grid->count);
	grid->count = NULL;
}

double cli_tone(const cli_grid *grid, int64_t count)
{
	return grid->most > 1 ? log((double)count) / log((double)grid->most) : 1;
}

/* ---- characters ------------------------------------------------------------------------------ */

/* A grid drawn with dots; a small matrix has several for each place. */
typedef struct {
	cli_grid grid;
	int zoom_x, zoom_y;
} dots;

/* Darkness of a cell; a single entry must be visible. */
static double ink_of(const cli_grid *g, int x, int y)
{
	const double least = 0.3;
	const int64_t count = g->count[(int64_t)y * g->width + x];

	return count ? least + (1 - least) * cli_tone(g, count) : 0;
}

/* Ordered dither: a cell of half tone sets half of the dots in a neighbourhood. */
static int dot(const dots *d, int x, int y)
{
	static const int bayer[4][4] = {
		{ 0, 8, 2, 10 }, { 12, 4, 14, 6 }, { 3, 11, 1, 9 }, { 15, 7, 13, 5 }
	};
	const cli_grid *const g = &d->grid;
	const int u = x / d->zoom_x, v = y / d->zoom_y;

	if (u >= g->width || v >= g->height)
		return 0;
	return ink_of(g, u, v) * 16 > bayer[y % 4][x % 4];
}

/* Eight dots in one character, U+2800 and up. */
static void put_braille(const dots *d, int x, int y)
{
	static const int bit[4][2] = { { 0, 3 }, { 1, 4 }, { 2, 5 }, { 6, 7 } };
	int set = 0;

	for (int v = 0; v < 4; v++)
		for (int u = 0; u < 2; u++)
			set |= dot(d, 2 * x + u, 4 * y + v) << bit[v][u];
	printf("\xe2%c%c", 0xa0 | set >> 6, 0x80 | (set & 0x3f));
}

/* One cell is two characters wide, which makes it about square; cells with more entries have darker
 * characters. */
static void put_ascii(const dots *d, int x, int y)
{
	static const char ink[] = " .:-=+*#@";
	const char sign = ink[(int)ceil(ink_of(&d->grid, x, y) * (double)(sizeof ink - 2))];

	putchar(sign);
	putchar(sign);
}

typedef struct {
	const char *left, *right;
} corners;

static void put_edge(int width, int utf8, corners c)
{
	printf("  %s", utf8 ? c.left : "+");
	for (int x = 0; x < width; x++)
		printf(utf8 ? "\xe2\x94\x80" : "--");
	printf("%s\n", utf8 ? c.right : "+");
}

enum { WIDE = 88, HIGH = 88, ASCII = 36 }; /* the largest grid of dots, and of signs */

static int zoom_for(int cells, int room, int most)
{
	const int zoom = cells > 0 ? room / cells : 1;
	return zoom < 1 ? 1 : zoom < most ? zoom : most;
}

/* Small matrices are enlarged, at most fourfold. Of a thin one only the short side is enlarged, to
 * at most a sixth of the other. */
static void enlarge(dots *d)
{
	const cli_grid *const g = &d->grid;

	if (g->row_step == g->col_step)
		d->zoom_x = d->zoom_y = zoom_for(g->width > g->height ? g->width : g->height, WIDE, 4);
	else if (g->row_step < g->col_step)
		d->zoom_y = zoom_for(g->height, HIGH / 6, HIGH);
	else
		d->zoom_x = zoom_for(g->width, WIDE / 6, WIDE);
}

void cli_picture_text(const cli_matrix *m, int utf8)
{
	dots d = { utf8 ? cli_grid_of(m, WIDE, HIGH) : cli_grid_of(m, ASCII, ASCII), 1, 1 };
	const char *const side = utf8 ? "\xe2\x94\x82" : "|";
	int width = d.grid.width, height = d.grid.height;

	if (utf8) {
		enlarge(&d);
		width = (d.zoom_x * width + 1) / 2;
		height = (d.zoom_y * height + 3) / 4;
	}
	put_edge(width, utf8, (corners){ "\xe2\x94\x8c", "\xe2\x94\x90" });
	for (int y = 0; y < height; y++) {
		printf("  %s", side);
		for (int x = 0; x < width; x++)
			utf8 ? put_braille(&d, x, y) : put_ascii(&d, x, y);
		printf("%s\n", side);
	}
	put_edge(width, utf8, (corners){ "\xe2\x94\x94", "\xe2\x94\x98" });
	cli_grid_free(&d.grid);
}
