/* features.h -- the features of a matrix that decide which format suits it.
 *
 * All row lengths are read; everything else is sampled, so that the analysis costs less than one
 * multiplication. A wrong estimate costs time but never causes a wrong result: a format that does
 * not support the matrix rejects it, and the next one is tried. */
#ifndef TULLE_ANALYSIS_FEATURES_H
#define TULLE_ANALYSIS_FEATURES_H

#include "analysis/block_features.h"
#include "analysis/machine.h"
#include "core/env.h"
#include "core/format.h"
#include "core/values.h"
#include "csr/block_csr.h"
#include "csr/csr_matrix.h"

enum {
	TULLE__LANE_ROWS = 16,      /* rows per chunk, for padding and columns */
	TULLE__HOT_COLUMNS = 65536, /* in a block with 16-bit indices */
	TULLE__HOT_BLOCKS = 16
};

/* If at least this share of the accesses to x misses L2, hot columns are counted. Reading x once in
 * order misses for an eighth of its elements. */
static const double TULLE__WORTH_MISSES = .05;

typedef struct {
	double min, mean, max, sd;
} tulle__spread;

/* Windows in which rows are sorted by length: none, the usual one, the whole matrix. */
enum { TULLE__UNSORTED, TULLE__WINDOW, TULLE__SORTED, TULLE__SORTS };

/* What the mirror image of an entry is. */
enum { TULLE__IS_SKEW = -1, TULLE__IS_SYMMETRIC = 1, TULLE__IS_HERMITIAN = 2 };

struct tulle__features {
	int64_t rows, cols, nnz;
	tulle_value_type value_type;
	double value_bytes; /* in a format that keeps values in full, and of an element of x */
	double csr_bytes, x_bytes, y_bytes;
	double given_bytes; /* of a value in the arrays of A; 0 for a pattern */

	/* if A was given as block CSR: the size of a block, and bytes of the arrays; else 0 */
	int64_t block_height, block_width;
	double block_bytes;

	/* lengths */
	tulle__spread row, column;  /* of columns: estimated */
	double empty_rows;          /* share of rows without a nonzero */
	double long_nonzeros;       /* share of nonzeros in rows longer than TULLE__LONG_ROW */
	double steps[TULLE__SORTS]; /* lanes * steps of the other rows / their nonzeros; 1: no
	                               padding */

	/* columns of neighbouring rows; shares of nonzeros */
	double near;       /* in chunks whose columns are within 65536 of each other */
	double strips;     /* in rows of equal length, each shifted by one column from the row before
	                      it */
	double stencil;    /* in strips that also have the same values */
	double contiguous; /* in the column after that of the nonzero before it */
	int sorted;        /* columns ascend in all sampled rows */

	/* small dense blocks: nonzeros / slots in the blocks; share of nonzeros in full blocks */
	double fill[TULLE__BLOCK_SIZES], full[TULLE__BLOCK_SIZES];

	/* mirror image */
	int symmetric; /* one of the above, 0: none; judged by a sample */
	double halo;   /* how far 8 ranges of rows reach into the rows before them, / rows */
	double
	    runs; /* of a symmetric matrix: share of the entries up to the diagonal that are at the same distance
	                  from it in 4 consecutive rows or more */

	tulle__value_class values;

	/* x: share of nonzeros whose x was evicted from L1, from L2 since its last use */
	double misses_l1, misses_l2;
	double hot[TULLE__HOT_BLOCKS]; /* share of nonzeros in the hottest 65536 columns, 131072, ...;
	                                  only where accesses to x miss the cache */
};

/* Compute the features of a matrix. Fails only if memory is short. */
tulle_status tulle__analyse(const tulle__csr *a, const tulle__machine *machine, tulle__env *env,
                            tulle__features *out);

/* The same for block CSR. Only a sample of the block rows is expanded. Sizes, lengths and symmetry are
 * computed from the blocks. */
tulle_status tulle__analyse_blocks(const tulle__bsr *a, const tulle__machine *machine,
                                   tulle__env *env, tulle__features *out);

/* Set the features of the blocks themselves; NULL: no blocks. */
void tulle__note_blocks(const tulle__bsr *a, tulle__features *f);

/* A fingerprint of the structure: sizes, a sample of offsets and columns, and other features that the
 * choice depends on. */
uint64_t tulle__fingerprint(const tulle__csr *a, const tulle__features *f);
uint64_t tulle__fingerprint_blocks(const tulle__bsr *a, const tulle__features *f);

/* The pattern of the blocks as a matrix of ones. */
static inline tulle__csr tulle__block_pattern(const tulle__bsr *a)
{
	return (tulle__csr){ a->block_rows,  a->block_cols,  a->blocks,
		                 a->offset_type, a->column_type, a->value_type,
		                 a->ptr,         a->col,         NULL };
}

/* Index of sample s of `samples` among n items: evenly spread; if n is smaller, some occur twice. */
static inline int64_t tulle__sample(int64_t n, int64_t samples, int64_t s)
{
	return n / samples * s + n % samples * s / samples;
}

/* Steps of the analysis: each sets some members, from those that earlier steps have set. */
tulle_status tulle__analyze_row_lengths(const tulle__csr *a, tulle__env *env, tulle__features *f);
tulle_status tulle__analyze_columns(const tulle__csr *a, tulle__env *env, tulle__features *f);
void tulle__analyze_neighbours(const tulle__csr *a, tulle__env *env, tulle__features *f);
void tulle__analyze_symmetry(const tulle__csr *a, tulle__env *env, tulle__features *f);
void tulle__analyze_block_symmetry(const tulle__bsr *a, tulle__env *env, tulle__features *f);
tulle_status tulle__analyze_values(const tulle__csr *a, tulle__env *env, tulle__features *f);
tulle_status tulle__analyze_locality(const tulle__csr *a, const tulle__machine *machine,
                                     tulle__env *env, tulle__features *f);

#endif
