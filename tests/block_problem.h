/* block_problem.h -- a random matrix in block CSR, and the same matrix expanded to CSR by the test itself. */
#ifndef TESTS_BLOCK_PROBLEM_H
#define TESTS_BLOCK_PROBLEM_H

#include "support.h"

typedef struct {
	int64_t height, width, block_rows, block_cols;
	tulle_order order;
	index_pair pair;
	tulle_value_type type;
	int base;
	int sorted; /* 0: block columns in any order, some twice */
	int whole;  /* values and x are small whole numbers: all sums are exact */
} recipe;

typedef struct {
	recipe recipe;
	char name[64];
	int64_t height, width, rows, cols, nnz, blocks;
	tulle_value_type type;

	/* block CSR: offsets and columns from recipe.base; values, and others for an update */
	void *ptr, *col, *val, *other;

	/* the expansion: 64-bit offsets, 32-bit columns; its values and the others */
	int64_t *row_ptr;
	int32_t *expanded_col;
	void *expanded, *other_expanded;

	void *x; /* for A and for A^T */
} problem;

/* Every fifth block row is empty. */
problem problem_new(const recipe *r, uint64_t *seed);
void problem_free(problem *p);

/* NULL after a failed check. */
tulle_matrix *from_blocks(const problem *p, tulle_context *context);
tulle_matrix *from_expansion(const problem *p);
tulle_csr_view expansion_view(const problem *p);

/* Bytes of an expansion with the narrowest indices. */
size_t expansion_bytes(const problem *p);

/* Does bsell, by this spec, keep the blocks? */
int keeps(const problem *p, const char *spec);

/* block_misuse.c: arguments and arrays that are refused, and matrices without blocks. */
void check_block_misuse(void);

/* block_combined.c */
void check_combined(void);

#endif
