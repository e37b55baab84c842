/* fastload.h -- columns sorted by length, in blocks that read matrix and x side by side. */
#ifndef TULLE_FORMATS_FASTLOAD_FASTLOAD_H
#define TULLE_FORMATS_FASTLOAD_FASTLOAD_H

#include "core/env.h"
#include "csr/csr_matrix.h"

enum { FASTLOAD_LANES = 32 }; /* columns of the longest block: the paper's warp */

/* How the rows of a block's steps lie, from lane to lane. */
enum {
	FASTLOAD_APART,  /* rarely twice the same: each product is added by itself */
	FASTLOAD_RUNS,   /* in runs: the paper's segment sum */
	FASTLOAD_UNIFORM /* every step within one row: the paper's prefix sum */
};

typedef struct {
	int64_t rows, cols, nnz, blocks;
	int32_t lanes; /* columns of every block but the last of a layer */
	int32_t limit; /* of the height */
	tulle_value_type value_type;

	int32_t *permutation;   /* sorted column c is column permutation[c] of the matrix */
	int64_t *first;         /* where a block's entries begin; blocks + 1 of them */
	int32_t *column;        /* its first sorted column */
	int32_t *length;        /* its columns */
	int32_t *height;        /* its steps: an entry of each column in each of them */
	uint8_t *kind;          /* how its rows lie */
	int32_t *row;           /* of each entry */
	void *val;              /* NULL: ones */
	tulle__csr_order order; /* where each value comes from */

	int64_t column_parts, parts, row_parts; /* of the three phases */
	int64_t *cut;                           /* the first block of each part; parts + 1 */
} fastload_data;

#endif
