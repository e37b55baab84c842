/* fastload.h -- columns sorted by length, in blocks with contiguous loads of matrix and x. */
#ifndef TULLE_FORMATS_FASTLOAD_FASTLOAD_H
#define TULLE_FORMATS_FASTLOAD_FASTLOAD_H

#include "core/env.h"
#include "csr/csr_matrix.h"

enum { FASTLOAD_LANES = 32 }; /* columns of the longest block: the paper's warp */

/* How rows of neighbouring lanes are related in the steps of a block. */
enum {
	FASTLOAD_APART,  /* rarely equal: each product is added separately */
	FASTLOAD_RUNS,   /* runs of equal rows: the paper's segment sum */
	FASTLOAD_UNIFORM /* one row per step: the paper's prefix sum */
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
	int32_t *height;        /* its steps, with one entry of each column per step */
	uint8_t *kind;          /* relation of its rows */
	int32_t *row;           /* of each entry */
	void *val;              /* NULL: ones */
	tulle__csr_order order; /* where each value comes from */

	int64_t column_parts, parts, row_parts; /* of the three phases */
	int64_t *cut;                           /* the first block of each part; parts + 1 */
} fastload_data;

#endif
