/* block_csr.h -- block CSR as callers store it: zero-based, checked, dense blocks of one size. */
#ifndef TULLE_CSR_BLOCK_CSR_H
#define TULLE_CSR_BLOCK_CSR_H

#include "csr/csr_matrix.h"

/* A view, like tulle__csr. Every place of a block is an entry of the matrix, zeros included. */
struct tulle__bsr {
	int64_t block_rows, block_cols, blocks;
	int64_t height, width; /* of a block */
	tulle_order order;     /* of the values in a block */
	tulle_index_type offset_type, column_type;
	tulle_value_type value_type;
	const void *ptr, *col; /* ptr NULL: there are no blocks, the matrix came as something else */
	const void *val;       /* NULL: all ones */
};
typedef struct tulle__bsr tulle__bsr;

static inline int64_t tulle__bsr_offset(const tulle__bsr *a, int64_t block_row)
{
	return tulle__index_at(a->ptr, a->offset_type, block_row);
}

static inline int64_t tulle__bsr_column(const tulle__bsr *a, int64_t k)
{
	return tulle__index_at(a->col, a->column_type, k);
}

/* From a value to the one below it in its block, and to the one right of it. */
static inline int64_t tulle__bsr_down(const tulle__bsr *a)
{
	return a->order == TULLE_ROW_MAJOR ? a->width : 1;
}

static inline int64_t tulle__bsr_right(const tulle__bsr *a)
{
	return a->order == TULLE_ROW_MAJOR ? 1 : a->height;
}

/* Sizes and types of the expansion, without arrays. val is that of the blocks, so that bytes can be
 * counted. */
tulle__csr tulle__bsr_shape(const tulle__bsr *a);

/* The expansion, which owns its arrays. Each row has its blocks in stored order, with all places of
 * each block. */
tulle_status tulle__bsr_expand(tulle__env *env, const tulle__bsr *a, tulle__csr *out);

/* Its offsets alone: shape->rows + 1 of shape->offset_type. */
void tulle__bsr_offsets(tulle__env *env, const tulle__bsr *a, const tulle__csr *shape,
                        void *row_ptr);

/* Values of the same blocks in the order of the expansion; val == NULL: ones. */
void tulle__bsr_values(tulle__env *env, const tulle__bsr *a, const void *val, void *to);

/* Where each value of the expansion comes from. */
tulle_status tulle__bsr_order(tulle__env *env, const tulle__bsr *a, tulle__csr_order *out);

/* Arrays to be filled, with room. */
typedef struct {
	int64_t *row_ptr;
	int32_t *col;
	void *val; /* NULL: all ones */
} tulle__bsr_rows;

/* Expands block rows begin .. end-1 to the rows of `to` from *row on, and advances *row. */
void tulle__bsr_append(const tulle__bsr *a, int64_t begin, int64_t end, const tulle__bsr_rows *to,
                       int64_t *row);

/* Copies the arrays. Indices of `a` begin at `base`, those of `out` at 0. Values are copied unless
 * `with_values` is 0. On failure out owns nothing. */
tulle_status tulle__bsr_copy(tulle__env *env, const tulle__bsr *a, int base, int with_values,
                             tulle__bsr *out);

/* Free the arrays of one that owns them. */
void tulle__bsr_release(tulle__env *env, tulle__bsr *a);

/* Bytes of the three arrays. */
size_t tulle__bsr_bytes(const tulle__bsr *a);

#endif
