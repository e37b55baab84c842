/* hot.h -- hot columns in memory (README.md draws them). */
#ifndef TULLE_FORMATS_HOT_HOT_H
#define TULLE_FORMATS_HOT_HOT_H

#include "core/values.h"
#include "tulle.h"

enum {
	HOT_MOST_BLOCKS = 16,
	HOT_LANE_BYTES = 128, /* of the elements of y in the lanes of a chunk: two vectors of 512
	                         bits */
	HOT_TALLEST = HOT_LANE_BYTES / 4
};

/* One row per lane, with lengths that do not increase: steps 0 .. full-1 hold one nonzero of each
 * lane, steps full .. width-1 only those of the longer rows. */
typedef struct {
	int64_t base; /* number of its first nonzero in col, val and source */
	int32_t full, width;
	int32_t lanes; /* number of rows; or HOT_ONE_ROW: one row distributed over all lanes */
} hot_chunk;

enum { HOT_ONE_ROW = -1 };

/* The nonzeros in the columns of one block, or in the cold columns, of all rows that have any. */
typedef struct {
	int64_t nnz, slots;
	int64_t chunks;
	int64_t *cut;     /* part p has chunks cut[p] .. cut[p+1]-1; they hold rows of this part only */
	hot_chunk *chunk; /* chunks + 1 of them: the last one holds the ends */
	int32_t *row;     /* of lane r of chunk c: row[c * height + r] */
	int32_t *length;  /* its number of nonzeros there */
	void *col;        /* uint16_t numbers in the block; of the cold columns int32_t */
	void *val, *source; /* in the code of their class; index in CSR, int32_t or int64_t */
} hot_layer;

typedef struct {
	int64_t rows, cols, nnz;
	tulle_value_type value_type;
	tulle__value_code code;
	tulle_index_type source_type;
	int height; /* lanes of a chunk */

	int64_t hot, width; /* columns in blocks, and in one block: at most 65536 */
	int64_t copy_parts; /* of the phase that copies their x */
	int32_t *column;    /* by decreasing number of nonzeros: those of block b begin at b * width */

	int64_t parts, window; /* a part is a range of rows, in whole windows */
	int64_t *cut;          /* rows cut[p] .. cut[p+1]-1 */

	int64_t blocks;
	hot_layer layer[HOT_MOST_BLOCKS + 1]; /* layer `blocks` is the cold one; layer 0 has all rows */
} hot_data;

#endif
