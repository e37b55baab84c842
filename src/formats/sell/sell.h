/* sell.h -- SELL-C-sigma in memory (README.md draws it). */
#ifndef TULLE_FORMATS_SELL_SELL_H
#define TULLE_FORMATS_SELL_SELL_H

#include "core/split.h"
#include "core/values.h"
#include "loops/columns.h"
#include "tulle.h"

enum { SELL_TALLEST = 32 };

/* `height` rows, one per lane, with lengths that do not increase. Steps 0 .. full-1 hold one
 * nonzero of each lane; steps full .. width-1 only those of the longer rows. */
typedef struct {
	int64_t base, col; /* index of its first nonzero in val, and in col */
	int32_t full, width;
	int32_t first;  /* the lanes are rows first, first+1, ...; or SELL_SCATTERED */
	int32_t origin; /* added to its columns */
	int32_t lanes;  /* number of rows, in the first lanes: `height` or fewer */
	column_kind columns;
} sell_chunk;

enum { SELL_SCATTERED = -1 };

/* A long row, or a piece of it for one part: nonzeros skip .. skip+length-1 of the row. */
typedef struct {
	int64_t base, col, skip, length;
	int32_t row;
	int32_t origin;
	int32_t whole; /* the row has only this piece */
	column_kind columns;
} sell_piece;

/* Rows, chunks or pieces begin .. end-1. */
typedef struct {
	int64_t begin, end;
} sell_range;

typedef struct {
	int64_t rows, cols, nnz;
	tulle_value_type value_type;
	int height;             /* lanes of a chunk: 4, 8, 16 or 32; on a device 32 or 64 */
	int rounded;            /* how doubles may be rounded, as in options.lossy */
	tulle_value_type given; /* the values fit in this type of 16 bits; 0: not known */
	int separate;           /* each value has a slot and is not compressed */
	int64_t chunks;
	sell_chunk *chunk;
	int32_t *row;    /* of lane r of chunk c: row[c * height + r]; `rows` of them */
	int32_t *length; /* of the same row; 0 in lanes without a row, and for long rows */
	uint16_t *col;   /* near columns take one element, others (int32_t) two */
	void *val;
	tulle__value_code code;
	double *
	    scale; /* of the chunks, then of the pieces: what their values of 16 bits are multiplied by;
	                  NULL: all 1 */
	int64_t slots, units; /* of val and of col: first those of pieces, then those of chunks */
	int64_t piece_slots;  /* those of val that belong to pieces */

	int64_t pieces, splits;
	sell_piece *piece;
	tulle__split_row *split; /* rows with several pieces; the parts here are pieces */

	/* The work is cut into parts of chunks, cut[p] .. cut[p+1]-1, and after them parts of pieces. */
	int64_t chunk_parts, piece_parts;
	int64_t *cut, *piece_cut;
	sell_range *finished; /* of each part of chunks: a contiguous range of rows in its lanes */

	tulle__scatter_parts
	    scatter; /* of chunks and, after them, pieces, for A^T x; no parts: only A x */
} sell_data;

#endif
