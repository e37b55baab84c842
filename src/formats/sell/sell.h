/* sell.h -- SELL-C-sigma in memory (README.md draws it). */
#ifndef TULLE_FORMATS_SELL_SELL_H
#define TULLE_FORMATS_SELL_SELL_H

#include "tulle.h"

enum { SELL_TALLEST = 32 };

/* `height` rows, lane by lane, none longer than the one before it. Steps 0 .. full-1 hold one
 * nonzero of each lane; steps full .. width-1 only those of the rows that still go on. */
typedef struct {
	int64_t base; /* of its first nonzero in col and val */
	int32_t full, width;
	int32_t first; /* the lanes are rows first, first+1, ...; or SELL_SCATTERED */
} sell_chunk;

enum { SELL_SCATTERED = -1 };

typedef struct {
	int64_t rows, cols, nnz;
	tulle_value_type value_type;
	int height; /* lanes of a chunk: 4, 8, 16 or 32 */
	int64_t chunks;
	sell_chunk *chunk; /* chunks + 1 of them: the last tells where the others end */
	int32_t *row;      /* of lane r of chunk c: row[c * height + r]; `rows` of them */
	int32_t *length;   /* of the same row; 0 in lanes past the last row */
	int32_t *col;
	void *val;
	int64_t parts;
	int64_t *cut; /* part p has chunks cut[p] .. cut[p+1]-1 */
} sell_data;

/* Rows in the lanes of chunk c: `height`, or fewer in the last chunk. */
static inline int sell_lanes(const sell_data *d, int64_t c)
{
	const int64_t rest = d->rows - c * d->height;

	return rest < d->height ? (int)rest : d->height;
}

#endif
