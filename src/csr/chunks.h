/* chunks.h -- SELL chunks: which row goes in which lane, how long the lanes are, and where their
 * elements are stored.
 *
 * A chunk has `height` lanes, none longer than the one before it. A lane holds one row, or one block
 * row. Elements are stored step by step: steps 0 .. full-1 hold one element of each lane, steps
 * full .. width-1 only those of the lanes that are longer. The formats sell, bsell and hot and the
 * batches build their chunks here and add columns, values and masks. */
#ifndef TULLE_CSR_CHUNKS_H
#define TULLE_CSR_CHUNKS_H

#include "core/env.h"
#include "core/split.h"
#include "tulle.h"

/* ---- sort ---- */

enum { TULLE__ABSENT = -1 }; /* length of a row that is in no lane */

/* row[0], row[1], ... become the rows of the lanes of chunks of `height` rows: inside a chunk no row
 * is longer than the one before it. Rows stay within windows of `sigma` rows (rounded up to whole
 * chunks). In each window, chunks of adjacent rows of one length come first, then the other rows,
 * sorted by length. length[i] is that of row i, or TULLE__ABSENT; rows of one length keep their
 * order. */
tulle_status tulle__sort_lanes(tulle__env *env, int64_t rows, const int32_t *length, int height,
                               int64_t sigma, int32_t *row);

/* The same for one window, rows begin .. begin+n-1; `row` and `spare` have room for n. */
void tulle__sort_window(const int32_t *length, int64_t begin, int64_t n, int height, int32_t *row,
                        int32_t *spare);

/* ---- build ---- */

enum { TULLE__SCATTERED = -1 }; /* `first` of a chunk whose rows are not consecutive */

typedef struct {
	int64_t entries;     /* elements of all lanes */
	int32_t full, width; /* length of the last lane, and of the first */
	int32_t lanes;       /* that hold a row; the lanes after them are empty */
	int32_t first;       /* all lanes hold rows first, first+1, ...; or TULLE__SCATTERED */
} tulle__chunk;

/* The chunk of rows row[0], row[1], ... in the order of tulle__sort_lanes, of which `rows` are left;
 * those of length TULLE__ABSENT get no lane. length_of[i] is the length of row i, length[r] becomes
 * that of lane r. */
tulle__chunk tulle__make_chunk(const int32_t *row, int64_t rows, const int32_t *length_of,
                               int height, int32_t *length);

/* Elements of all lanes. */
static inline int64_t tulle__chunk_entries(const int32_t *length, int height)
{
	int64_t sum = 0;

	for (int r = 0; r < height; r++)
		sum += length[r];
	return sum;
}

/* ---- place ---- */

/* Slots of a chunk: rounded up to a multiple of the height, so that loads of full steps do not cross
 * cache lines. */
static inline int64_t tulle__chunk_slots(int64_t entries, int height)
{
	return tulle__round_up(entries, height);
}

/* Returns where the next chunk begins, *end, and advances *end by its size. */
static inline int64_t tulle__place_chunk(int64_t *end, int64_t size)
{
	const int64_t at = *end;

	*end += size;
	return at;
}

/* ---- check ----
 *
 * Checks of chunk number `chunk` for format `format`, independent of how it was built. */

/* Lengths are not negative and never increase; those after the first `lanes`, at most `height`, are 0;
 * the last and the first are `full` and `width`. */
tulle_status tulle__check_lanes(const char *format, int64_t chunk, const int32_t *length,
                                int height, int lanes, int32_t full, int32_t width);

/* `first` is row[0] if all lanes hold a row, each `apart` after the one before it; else
 * TULLE__SCATTERED. */
tulle_status tulle__check_first(const char *format, int64_t chunk, const int32_t *row, int height,
                                int lanes, int apart, int32_t first);

/* The chunk begins at a multiple of the height, and the next one after all of its entries, less than
 * one step later. */
tulle_status tulle__check_place(const char *format, int64_t chunk, int64_t base, int64_t next,
                                int64_t entries, int height);

/* ---- walk ---- */

/* A lane in one step of its chunk. */
typedef struct {
	const int32_t *length; /* of all lanes; not read as long as steps are full */
	int64_t full, step;
	int64_t at; /* number of this lane's element in the chunk */
	int r, height;
} tulle__lane;

static inline tulle__lane tulle__lane_top(const int32_t *length, int height, int64_t full, int r)
{
	return (tulle__lane){ length, full, 0, r, r, height };
}

/* Active lanes of this step, if this lane is active. */
static inline int tulle__lane_width(tulle__lane *l)
{
	while (l->step >= l->full && l->length[l->height - 1] <= l->step)
		l->height--;
	return l->height;
}

/* Advance to the next element of the lane: by the lanes that are active after it in this step, plus
 * those before it in the next step. */
static inline void tulle__lane_down(tulle__lane *l)
{
	l->at += tulle__lane_width(l);
	l->step++;
}

#endif
