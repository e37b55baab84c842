/* csr2.h -- rows padded to segments of `width` nonzeros, `high` segments transposed into a block. */
#ifndef TULLE_FORMATS_CSR2_CSR2_H
#define TULLE_FORMATS_CSR2_CSR2_H

#include "core/env.h"
#include "core/split.h"
#include "csr/csr_matrix.h"

/* A padded place has this column: its sign masks it out, so it reads no x. */
enum { CSR2_PADDING = -1 };

/* Some blocks and the rows in them. Only the first and the last row may be cut: the last one is
 * when the next part has some of it before. */
typedef struct {
	int64_t block;  /* the first of its blocks; they end where those of the next part begin */
	int64_t row;    /* its first row */
	int64_t rows;   /* how many, those that are cut included */
	int64_t start;  /* segment[start + r] is where the part's row r begins, r = 0 .. rows */
	int64_t before; /* segments of the first row that lie in earlier parts */
} csr2_part;

typedef struct {
	int64_t rows, cols, nnz, blocks, segments;
	int32_t high, width;
	int64_t parts;
	csr2_part *part;  /* parts + 1: the last one holds the ends */
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

/* The width for this matrix: the paper's, or half of it, a quarter, ... where rows differ so much
 * that padding would cost more than the additional segments. */
int32_t tulle__csr2_width(const tulle__csr *a);

/* Cut the rows into parts: fills part, parts, split, splits, blocks and segments. */
tulle_status tulle__csr2_cut(csr2_data *d, const tulle__csr *a, tulle__env *env);

/* Segments that n nonzeros take; exact for n below 2^51. */
static inline int64_t tulle__csr2_segments(int64_t n, int32_t width, double inverse)
{
	return (int64_t)(((double)(n + width) - 0.5) * inverse);
}

static inline int64_t tulle__csr2_places(const csr2_data *d)
{
	return d->blocks * d->high * d->width;
}

#endif
