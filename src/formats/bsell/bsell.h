/* bsell.h -- SELL-C-sigma of b x b blocks in memory (README.md draws it). */
#ifndef TULLE_FORMATS_BSELL_BSELL_H
#define TULLE_FORMATS_BSELL_BSELL_H

#include "core/types.h"

enum {
	BSELL_TALLEST = 16, /* block rows of a chunk */
	BSELL_WIDEST = 6    /* rows of a block */
};

/* `height` block rows, one per lane, whose lengths do not increase. Steps 0 .. full-1 hold one
 * block of each lane; steps full .. width-1 only those of the longer block rows. */
typedef struct {
	int64_t base, col;   /* of its first block: index of its first value in val, and in col */
	int64_t mask;        /* of its first step; or BSELL_WHOLE: no block has holes */
	int32_t full, width; /* in steps */
	int32_t first;       /* row of the first lane if the lanes are consecutive; or BSELL_SCATTERED,
	                        BSELL_CUT: contains the last block row, with fewer than b rows */
	int32_t origin;      /* of its block columns, which are 16-bit offsets; or BSELL_FAR: 32 bits */
	int32_t lanes;       /* block rows, in the first lanes: `height` or fewer */
} bsell_chunk;

enum { BSELL_WHOLE = -1, BSELL_SCATTERED = -1, BSELL_CUT = -2, BSELL_FAR = -1 };

typedef struct {
	int64_t rows, cols, nnz;
	tulle_value_type value_type;
	int b;      /* rows and columns of a block: 2, 3, 4 or 6 */
	int height; /* lanes of a chunk: a power of two, at most BSELL_TALLEST */
	int64_t block_rows, blocks, chunks;
	bsell_chunk *chunk; /* chunks + 1; the last one holds the ends */
	int32_t *row;    /* first row of lane r of chunk c: row[c * height + r]; block_rows of them */
	int32_t *length; /* of the same, in blocks; 0 in lanes without a block row */
	uint16_t *col;   /* near block columns take one element, far ones (int32_t) two */
	void *val;
	void *mask; /* b * b for each step of a chunk with holes; see bsell_mask_size */
	int64_t slots, units, masks; /* of val, col and mask */

	int64_t parts; /* of chunks: cut[p] .. cut[p+1]-1 */
	int64_t *cut;

	int ones; /* complex, and given without values: a product with 1 + 0i would make NaN of an Inf */
} bsell_data;

/* Bytes of a mask: one bit per lane; a vector of 8-byte elements has at most 8 lanes. */
static inline size_t bsell_mask_size(tulle_value_type type)
{
	return tulle__element_size(type) < 8 ? 2 : 1;
}

#endif
