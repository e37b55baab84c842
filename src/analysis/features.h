/* features.h -- what a matrix is like, in the figures that decide which format suits it.
 *
 * Row lengths are all looked at; everything else on samples, so that finding out costs less than one
 * multiplication. What is wrong by that costs time, never a result: a format that turns out not to
 * take the matrix refuses it, and the next one is asked. */
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
	TULLE__LANE_ROWS = 16,      /* rows side by side, where padding and columns are judged */
	TULLE__HOT_COLUMNS = 65536, /* in a block that 16 bits can number */
	TULLE__HOT_BLOCKS = 16
};

/* From this share of accesses to x that miss the second cache on, it is worth a thought which columns
 * they go to. Reading x once from one end to the other misses an eighth of its elements. */
static const double TULLE__WORTH_MISSES = .05;

typedef struct {
	double min, mean, max, sd;
} tulle__spread;

/* Windows in which rows are sorted by length: none, the usual one, the whole matrix. */
enum { TULLE__UNSORTED, TULLE__WINDOW, TULLE__SORTED, TULLE__SORTS };

struct tulle__features {
	int64_t rows, cols, nnz;
	tulle_value_type value_type;
	double value_bytes; /* in a format that keeps values in full, and of an element of x */
	double csr_bytes, x_bytes, y_bytes;
	double given_bytes; /* of a value in the arrays of A: 0 for a pattern */

	/* A came as block CSR: the size of a block, and bytes of the arrays; else 0 */
	int64_t block_height, block_width;
	double block_bytes;

	/* lengths */
	tulle__spread row, column;  /* of columns: estimated */
	double empty_rows;          /* share of rows without a nonzero */
	double long_nonzeros;       /* share of nonzeros in rows longer than TULLE__LONG_ROW */
	double steps[TULLE__SORTS]; /* lanes * steps of the other rows / their nonzeros, 1: no lane is
	                               ever idle */

	/* columns of rows side by side; shares of nonzeros */
	double near;       /* whose columns lie within 65536 of each other */
	double strips;     /* rows of one length, each a step to the right of the one before it */
	double stencil;    /* strips of the same values, too */
	double contiguous; /* right of the nonzero before it */
	int sorted;        /* columns rise in all rows looked at */

	/* small dense blocks: nonzeros / places in the blocks; share of nonzeros in full blocks */
	double fill[TULLE__BLOCK_SIZES], full[TULLE__BLOCK_SIZES];

	/* mirror image */
	int symmetric; /* 1: symmetric, -1: skew, 0: neither, as far as was looked */
	double halo;   /* what 8 stretches of rows reach back into rows before them, / rows */

	tulle__value_class values;

	/* x: share of nonzeros whose x has left the first, the second cache since its last use */
	double misses_l1, misses_l2;
	double hot[TULLE__HOT_BLOCKS]; /* share of nonzeros in the hottest 65536 columns, 131072, ...;
	                                  only where accesses to x miss the cache */
};

/* Look at a matrix. Fails for lack of memory only. */
tulle_status tulle__analyse(const tulle__csr *a, const tulle__machine *machine, tulle__env *env,
                            tulle__features *out);

/* The same for block CSR, without expanding it: a sample of the block rows is. The rest (sizes, lengths,
 * symmetry) is found from the blocks. */
tulle_status tulle__analyse_blocks(const tulle__bsr *a, const tulle__machine *machine,
                                   tulle__env *env, tulle__features *out);

/* Set what the features say of the blocks themselves; NULL: there are none. */
void tulle__note_blocks(const tulle__bsr *a, tulle__features *f);

/* A number that stands for the structure: sizes, a sample of offsets and columns, and what the choice
 * hangs on besides. */
uint64_t tulle__fingerprint(const tulle__csr *a, const tulle__features *f);
uint64_t tulle__fingerprint_blocks(const tulle__bsr *a, const tulle__features *f);

/* The pattern of the blocks as a matrix of ones. */
static inline tulle__csr tulle__block_pattern(const tulle__bsr *a)
{
	return (tulle__csr){ a->block_rows,  a->block_cols,  a->blocks,
		                 a->offset_type, a->column_type, a->value_type,
		                 a->ptr,         a->col,         NULL };
}

/* Which of n things sample s of `samples` is: spread evenly, some twice where there are fewer things. */
static inline int64_t tulle__sample(int64_t n, int64_t samples, int64_t s)
{
	return n / samples * s + n % samples * s / samples;
}

/* The parts of it: each fills its own members, from what those before it have found out. */
tulle_status tulle__analyze_row_lengths(const tulle__csr *a, tulle__env *env, tulle__features *f);
tulle_status tulle__analyze_columns(const tulle__csr *a, tulle__env *env, tulle__features *f);
void tulle__analyze_neighbours(const tulle__csr *a, tulle__env *env, tulle__features *f);
void tulle__analyze_symmetry(const tulle__csr *a, tulle__env *env, tulle__features *f);
void tulle__analyze_block_symmetry(const tulle__bsr *a, tulle__env *env, tulle__features *f);
tulle_status tulle__analyze_values(const tulle__csr *a, tulle__env *env, tulle__features *f);
tulle_status tulle__analyze_locality(const tulle__csr *a, const tulle__machine *machine,
                                     tulle__env *env, tulle__features *f);

#endif
