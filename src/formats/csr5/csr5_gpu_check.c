/* csr5_gpu_check.c -- CSR5 on a GPU: tile pointers and descriptors, bit by bit. */
#include "formats/csr5/csr5_gpu.h"
#include "gpu/gpu_check.h"

#include <inttypes.h>

#define EMPTY (INT64_C(1) << 31) /* csr5.gpu */

typedef struct {
	tulle__gpu_check *c;
	int64_t width;
	tulle__csr5_shape shape;
	tulle__gpu_numbers row_ptr, tile_ptr, desc, empty_ptr, empty_offset;
} tiling;

/* Check the flags of one lane: at the beginning of rows and of the tile. *row is the row of the previous
 * entry, on return of the last one. */
static int64_t flags_of(const tiling *g, int64_t first, int64_t k, int64_t *row)
{
	int64_t flags = 0;

	for (int64_t j = 0; j < g->shape.sigma; j++) {
		while (g->row_ptr.at[*row + 1] <= k + j)
			++*row;
		flags |= (int64_t)(k + j == first || g->row_ptr.at[*row] == k + j) << j;
	}
	return flags;
}

/* The rows of the segments that begin in a lane of a marked tile. */
static void check_offsets(const tiling *g, int64_t t, int64_t k, int64_t flags, int64_t segment)
{
	int64_t row = g->tile_ptr.at[t] & ~EMPTY;
	int64_t at = g->empty_ptr.at[t] + segment;

	for (int64_t j = 0; j < g->shape.sigma && g->c->status == TULLE_OK; j++) {
		while (g->row_ptr.at[row + 1] <= k + j)
			row++;
		if (!(flags >> j & 1))
			continue;
		if (at < 0 || at >= g->empty_offset.count)
			tulle__gpu_wrong(g->c, &g->empty_ptr, t);
		else if (g->empty_offset.at[at] != row - (g->tile_ptr.at[t] & ~EMPTY))
			tulle__gpu_wrong(g->c, &g->empty_offset, at);
		at++;
	}
}

static void check_tile(const tiling *g, int64_t t)
{
	const int64_t first = t * g->width * g->shape.sigma, marked = g->tile_ptr.at[t] & EMPTY;
	int64_t row = g->tile_ptr.at[t] & ~EMPTY, segment = 0, flags[64], begun[64];

	for (int64_t i = 0; i < g->width; i++) {
		const int64_t k = first + i * g->shape.sigma;

		flags[i] = flags_of(g, first, k, &row);
		begun[i] = segment;
		if (marked)
			check_offsets(g, t, k, flags[i], segment);
		segment += __builtin_popcountll((unsigned long long)flags[i]);
	}
	for (int64_t i = g->width - 1, unflagged = 0; i >= 0; i--) {
		const int64_t at = t * g->shape.units * g->width + i,
		              last = at + (g->shape.units - 1) * g->width;
		const int64_t top = begun[i] << g->shape.y_shift | unflagged << g->shape.seg_shift;

		for (int64_t u = at, bits = flags[i]; u <= last; u += g->width, bits >>= 32)
			if ((uint32_t)g->desc.at[u] != (uint32_t)(u == last ? bits | top : bits))
				tulle__gpu_wrong(g->c, &g->desc, u);
		unflagged = flags[i] ? 0 : unflagged + 1;
	}
}

/* Is one of the rows from the tile's first to the next tile's first empty? */
static int has_empty_rows(const tiling *g, int64_t row, int64_t end)
{
	while (row < end && g->row_ptr.at[row] < g->row_ptr.at[row + 1])
		row++;
	return row < end;
}

static void check_tiles(const tiling *g, int64_t tiles)
{
	const int64_t rows = g->c->plan->rows, nnz = g->c->plan->nnz;

	for (int64_t t = 0; t <= tiles && g->c->status == TULLE_OK; t++) {
		const int64_t row = g->tile_ptr.at[t] & ~EMPTY, k = t * g->width * g->shape.sigma;

		if (k < nnz ? row >= rows || g->row_ptr.at[row] > k || g->row_ptr.at[row + 1] <= k
		            : g->tile_ptr.at[t] != rows)
			tulle__gpu_wrong(g->c, &g->tile_ptr, t);
	}
	for (int64_t t = 0; t < tiles && g->c->status == TULLE_OK; t++) {
		const int64_t row = g->tile_ptr.at[t] & ~EMPTY, end = g->tile_ptr.at[t + 1] & ~EMPTY;

		if (has_empty_rows(g, row, end) != (g->tile_ptr.at[t] >= EMPTY))
			tulle__gpu_wrong(g->c, &g->tile_ptr, t);
		else
			check_tile(g, t);
	}
}

void tulle__csr5_gpu_check(tulle__gpu_check *c)
{
	const int64_t tiles = tulle__gpu_number(c, "csr5", "tiles");
	const int width = c->plan->device->width;
	tiling g = { .c = c,
		         .width = width,
		         .shape =
		             tulle__csr5_gpu_shape(width, (int)tulle__gpu_number(c, "csr5", "sigma")) };

	g.row_ptr = tulle__gpu_check_rows(c, "csr5", "row_ptr", c->plan->rows, "col", c->plan->cols);
	g.tile_ptr = tulle__gpu_fetch(c, "csr5", "tile_ptr", tiles + 1);
	g.desc = tulle__gpu_fetch(c, "csr5", "desc", tiles * g.shape.units * g.width);
	g.empty_ptr = tulle__gpu_fetch(c, "csr5", "empty_ptr", 0);
	g.empty_offset = tulle__gpu_fetch(c, "csr5", "empty_offset", 0);
	if (g.empty_ptr.count > 0)
		tulle__gpu_check_cuts(c, &g.empty_ptr, tiles + 1, g.empty_offset.count);
	if (c->status == TULLE_OK)
		check_tiles(&g, tiles);
}
