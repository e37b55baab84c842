/* picture.h -- where the entries of a matrix are: counts on a coarse grid, as text and as pixels. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include "cli.h"

/* Entries counted in cells of row_step x col_step places. */
typedef struct {
	int64_t row_step, col_step;
	int width, height; /* in cells */
	int64_t *count;    /* height rows of width */
	int64_t most;      /* the fullest cell */
} cli_grid;

/* The finest grid of at most width x height cells. Steps are whole numbers, or regular matrices
 * would show stripes that they do not have; they are equal unless the matrix is far from square. */
cli_grid cli_grid_of(const cli_matrix *m, int width, int height);
void cli_grid_free(cli_grid *grid);

/* How dark a cell with entries is: 0 for one entry to 1 for the most, by the logarithm; 1 where no
 * cell has more than one. */
double cli_tone(const cli_grid *grid, int64_t count);

/* A picture of characters on stdout: braille dots, or plain ASCII. */
void cli_picture_text(const cli_matrix *m, int utf8);

/* An indexed image; index 0 is the background. */
typedef struct {
	int width, height;
	unsigned char *pixel;
	unsigned char palette[256][3];
} cli_image;

/* The image as the bytes of a PNG file, from cli_alloc(). */
unsigned char *cli_png(const cli_image *image, size_t *bytes);

/* Draw text of digits, lower-case letters and ,.-= with its upper left corner at x, y. Pixels of
 * the font become scale x scale squares. */
void cli_draw_text(cli_image *image, int x, int y, int scale, unsigned char ink, const char *text);
int cli_text_width(int scale, const char *text);
enum { CLI_GLYPH_WIDTH = 5, CLI_GLYPH_HEIGHT = 9 };

#endif
