/* chunks.h -- rows side by side in the lanes of a vector: which row goes in which lane, and where its
 * elements are. */
#ifndef TULLE_CSR_CHUNKS_H
#define TULLE_CSR_CHUNKS_H

#include "core/env.h"
#include "tulle.h"

/* row[0], row[1], ... become the rows of the lanes of chunks of `height` rows: inside a chunk no row
 * is longer than the one before it. Rows stay within windows of `sigma` rows (rounded up to whole
 * chunks). There, chunks of neighbours of one length come first, then the other rows sorted by length.
 * length[i] >= -1 is that of row i; rows of one length keep their order. */
tulle_status tulle__sort_lanes(tulle__env *env, int64_t rows, const int32_t *length, int height,
                               int64_t sigma, int32_t *row);

/* The same for one window, rows begin .. begin+n-1; `row` and `spare` have room for n. */
void tulle__sort_window(const int32_t *length, int64_t begin, int64_t n, int height, int32_t *row,
                        int32_t *spare);

/* What format `format` proves of a chunk's lanes: their lengths never fall below 0 or rise, those behind
 * the first `lanes` are 0, and the last and the first are what the chunk says. */
tulle_status tulle__check_lanes(const char *format, int64_t chunk, const int32_t *length,
                                int height, int lanes, int32_t full, int32_t width);

/* ---- down a lane ---- */

/* A lane in one step of its chunk. The elements of a chunk are stored step by step: those of steps
 * 0 .. full-1 for each of its `height` lanes, those of later steps for the lanes that still go on. */
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

/* Lanes that take part in this step, if this one does. */
static inline int tulle__lane_width(tulle__lane *l)
{
	while (l->step >= l->full && l->length[l->height - 1] <= l->step)
		l->height--;
	return l->height;
}

/* From an element to the next: it lies behind those of this step from this lane on and those of the
 * next step before it, which are as many as lanes take part now. */
static inline void tulle__lane_down(tulle__lane *l)
{
	l->at += tulle__lane_width(l);
	l->step++;
}

#endif
