/* block_features.h -- the share of a matrix in small dense blocks, counted on a sample of its rows. */
#ifndef TULLE_ANALYSIS_BLOCK_FEATURES_H
#define TULLE_ANALYSIS_BLOCK_FEATURES_H

#include "core/env.h"
#include "csr/csr_matrix.h"

enum { TULLE__BLOCK_SIZES = 4 };
static const int tulle__block_sizes[TULLE__BLOCK_SIZES] = { 2, 3, 4, 6 };

/* For the sampled rows and each size. Block rows and block columns begin at multiples of b. */
typedef struct {
	int64_t rows[TULLE__BLOCK_SIZES], nonzeros[TULLE__BLOCK_SIZES];
	int64_t blocks[TULLE__BLOCK_SIZES]; /* b x b blocks that hold these nonzeros */
	int64_t full[TULLE__BLOCK_SIZES];   /* those without holes */
} tulle__block_counts;

/* Approximate number of nonzeros to sample. */
void tulle__count_blocks(const tulle__csr *a, int64_t nonzeros, tulle__env *env,
                         tulle__block_counts *out);

/* Nonzeros / slots in blocks of this size; and the share of nonzeros in full blocks. */
double tulle__block_fill(const tulle__block_counts *c, int size);
double tulle__block_full(const tulle__block_counts *c, int size);

#endif
