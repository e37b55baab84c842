/* blocks.h -- the blocks of one block row: of a CSR from left to right, b rows merged by column; of a block
 * CSR as they are stored.
 *
 * `b` and `type` are constants where these are inlined. */
#ifndef TULLE_CSR_BLOCKS_H
#define TULLE_CSR_BLOCKS_H

#include "core/inline.h"
#include "csr/block_csr.h"
#include "csr/csr_matrix.h"

enum { TULLE__WIDEST_BLOCK = 6 }; /* rows of a block, at most */

/* What is left of each row. */
typedef struct {
	const void *col;
	int64_t k[TULLE__WIDEST_BLOCK], end[TULLE__WIDEST_BLOCK];
} block_walk;

/* Row r has entries k[r], k[r] + step, ... in it, in the columns whose bits are set. */
typedef struct {
	int64_t column; /* in blocks */
	int64_t step;   /* from an entry to the next one of its row: 1, except in a full block */
	int full;       /* all bits are set; may be 0 for a full block where this saves nothing */
	int64_t k[TULLE__WIDEST_BLOCK];
	unsigned bits[TULLE__WIDEST_BLOCK];
} walked_block;

TULLE_INLINE block_walk walk_block_row(const tulle__csr *a, int64_t first, int b)
{
	block_walk w = { .col = a->col };

	for (int r = 0; r < b; r++) {
		const int64_t i = first + r < a->rows ? first + r : a->rows;

		w.k[r] = tulle__csr_offset(a, i);
		w.end[r] = tulle__csr_offset(a, i < a->rows ? i + 1 : i);
	}
	return w;
}

/* Are the next entries of all rows a full block in column `first`? */
TULLE_INLINE int full_block(const block_walk *w, int64_t first, int b, tulle_index_type type)
{
	int full = first % b == 0;

	for (int r = 0; r < b; r++)
		full &= w->k[r] + b <= w->end[r];
	if (!full)
		return 0;
	for (int r = 0; r < b; r++)
		for (int c = 0; c < b; c++)
			full &= tulle__index_at(w->col, type, w->k[r] + c) == first + c;
	return full;
}

/* The entries of row r in the block that begins in column `first`. There is no branch: it would be
 * mispredicted where blocks are not full. */
TULLE_INLINE unsigned take_rising(block_walk *w, int r, int64_t first, int b, tulle_index_type type)
{
	const int64_t begin = w->k[r], end = w->end[r];
	int64_t rising = first;
	unsigned bits = 0, goes_on = 1;

#pragma GCC unroll 6
	for (int i = 0; i < b; i++) {
		const unsigned there = begin + i < end;
		const int64_t j = tulle__index_at(w->col, type, there ? begin + i : 0);

		goes_on &= there & (j >= rising) & (j < first + b);
		bits |= goes_on << (goes_on ? j - first : 0);
		rising = j + 1;
		w->k[r] += goes_on;
	}
	return bits;
}

/* The next block, 0 after the last. It begins at the leftmost of the rows' next entries. Each row adds its
 * next entries as long as their columns ascend and are inside the block. So a duplicate entry, or one that
 * is out of order in an unsorted row, begins a new block. Each row is consumed in stored order. */
TULLE_INLINE int next_block(block_walk *w, int b, tulle_index_type type, walked_block *out)
{
	int64_t low = INT64_MAX;

#pragma GCC unroll 6
	for (int r = 0; r < b; r++)
		if (w->k[r] < w->end[r]) {
			const int64_t j = tulle__index_at(w->col, type, w->k[r]);

			low = j < low ? j : low;
		}
	if (low == INT64_MAX)
		return 0;
	out->step = 1;
	out->column = (int64_t)((uint64_t)low / (unsigned)b);
	for (int r = 0; r < b; r++)
		out->k[r] = w->k[r];
	out->full = b > 2 && full_block(w, low, b, type); /* 2 x 2: the loop is fast enough */
	for (int r = 0; r < b; r++)
		if (out->full) {
			out->bits[r] = (1u << b) - 1;
			w->k[r] += b;
		} else {
			out->bits[r] = take_rising(w, r, out->column * b, b, type);
		}
	return 1;
}

/* ---- blocks that are stored as such ---- */

/* Stored blocks of height x width, both multiples of b, read as blocks of b x b. */
typedef struct {
	const tulle__bsr *a;
	int64_t k, end;     /* stored blocks that are left */
	int64_t wide, part; /* pieces side by side in one of them, and the next of these */
	int64_t at;         /* of the first value of these rows in a stored block */
	int64_t down, step; /* from a value to the one below it, and right of it */
} stored_walk;

TULLE_INLINE stored_walk walk_stored_row(const tulle__bsr *a, int64_t first, int b)
{
	const int64_t block_row = first / a->height, down = tulle__bsr_down(a);

	return (stored_walk){ .a = a,
		                  .k = tulle__bsr_offset(a, block_row),
		                  .end = tulle__bsr_offset(a, block_row + 1),
		                  .wide = a->width / b,
		                  .at = first % a->height * down,
		                  .down = down,
		                  .step = tulle__bsr_right(a) };
}

/* The next b x b block, 0 after the last. All of them are full. */
TULLE_INLINE int next_stored(stored_walk *w, int b, walked_block *out)
{
	const tulle__bsr *a = w->a;
	int64_t at;

	if (w->k == w->end)
		return 0;
	at = w->k * a->height * a->width + w->at + w->part * b * w->step;
	out->column = tulle__bsr_column(a, w->k) * w->wide + w->part;
	out->step = w->step;
	out->full = 1;
	for (int r = 0; r < b; r++) {
		out->k[r] = at + r * w->down;
		out->bits[r] = (1u << b) - 1;
	}
	if (++w->part == w->wide) {
		w->part = 0;
		w->k++;
	}
	return 1;
}

#endif
