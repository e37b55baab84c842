/* csr2.h -- rows padded to segments of `width` nonzeros, `high` segments transposed into a block. */
#ifndef TULLE_FORMATS_CSR2_CSR2_H
#define TULLE_FORMATS_CSR2_CSR2_H

#include "core/env.h"
#include "core/split.h"
#include "csr/csr_matrix.h"

/* Column of padding: its sign masks the slot, so x is not read. */
enum { CSR2_PADDING = -1 };

/* A part: some blocks and their rows. Only the first and the last row may be split: the last one is
 * if the next part has `before` > 0. */
typedef struct {
	int64_t block;  /* its first block; its blocks end where those of the next part begin */
	int64_t row;    /* its first row */
	int64_t rows;   /* number of rows, including split ones */
	int64_t start;  /* segment[start + r] is where the part's row r begins, r = 0 .. rows */
	int64_t before; /* segments of the first row in earlier parts */
} csr2_part;

typedef struct {
	int64_t rows, cols, nnz, blocks, segments;
	int32_t high, width;
	int64_t parts;
	csr2_part *part;  /* parts + 1; the last one holds the ends */
	int32_t *segment; /* counted from the part's first block */
	int32_t *col;     /* [block][width][high] */
	void *val;        /* the same; padding is 0. NULL: ones */
	tulle_value_type value_type;
	int64_t splits;
	tulle__split_row *split;
} csr2_data;

/* Algorithm 4 of the paper, kept within 1 .. CSR2_MAX_WIDTH. */
enum { CSR2_MAX_WIDTH = 128 };
int32_t tulle__csr2_paper_width(int64_t nnz, int64_t rows);

/* The width for this matrix: that of the paper, or half of it, a quarter, ... if row lengths differ
 * so much that padding would cost more than additional segments. */
int32_t tulle__csr2_width(const tulle__csr *a);

/* Divide the rows into parts: sets part, parts, split, splits, blocks and segments. */
tulle_status tulle__csr2_cut(csr2_data *d, const tulle__csr *a, tulle__env *env);

/* Number of segments for n nonzeros; exact for n below 2^51. */
static inline int64_t tulle__csr2_segments(int64_t n, int32_t width, double inverse)
{
	return (int64_t)(((double)(n + width) - 0.5) * inverse);
}

static inline int64_t tulle__csr2_places(const csr2_data *d)
{
	return d->blocks * d->high * d->width;
}

#endif
