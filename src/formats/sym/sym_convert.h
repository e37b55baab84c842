/* sym_convert.h -- the steps of a conversion to sym: the lower half found, cut and compared with the
 * upper one (sym_half.c), then laid out in blocks and entries (sym_fill.c). */
#ifndef TULLE_FORMATS_SYM_SYM_CONVERT_H
#define TULLE_FORMATS_SYM_SYM_CONVERT_H

#include "core/format.h"
#include "core/split.h"
#include "csr/csr_matrix.h"
#include "formats/sym/sym.h"

/* Parts begin at multiples of this many rows, whatever the block: 2, 3, 4 and 6 divide it. */
enum { SYM_GROUP = 12, SYM_MAX_SLICES = TULLE__MAX_PARTS };

/* ---- the lower half ---- */

/* Rows 12 * tulle__cut(groups, slices, s) .. */
typedef struct {
	int64_t lower, diagonal; /* entries */
	int64_t leftmost;        /* column, or the slice's first row */
	int64_t reach;           /* the farthest column, seen from the diagonal */
	int falls;               /* columns of some row do not rise */
} sym_slice;

/* A square matrix with rising columns in each row. */
typedef struct {
	tulle__csr a; /* the caller's, or a sorted copy */
	int sorted;   /* it is a copy */
	int64_t *low; /* the first entry of each row that is not below the diagonal */
	int64_t groups, slices;
	sym_slice *slice;
	int64_t lower, diagonal, reach;
} sym_half;

/* TULLE_E_UNSUPPORTED when the matrix is not square, too large, or has an entry twice. */
tulle_status tulle__sym_open(tulle__env *env, const tulle__csr *a, sym_half *out);
void tulle__sym_close(tulle__env *env, sym_half *h);

/* Parts and their halos into d; TULLE_E_UNSUPPORTED when the halos are too large. */
tulle_status tulle__sym_cut(const sym_half *h, sym_data *d);

/* A sum for each row, and the halos. */
int64_t tulle__sym_sums(const sym_data *d);

/* Is the upper half the lower one's mirror image, bit for bit, but for all its signs? *skew tells.
 * TULLE_E_UNSUPPORTED names the first entry that is not. */
tulle_status tulle__sym_compare(tulle__env *env, const sym_half *h, const sym_data *d, int *skew);

/* ---- blocks and entries ---- */

/* The block size that stores the matrix fastest, by a look at some of its rows. */
int tulle__sym_best_block(const sym_half *h);

/* Counts the blocks and entries of d->b: fills d->part[..].block and .entry, and allocates and fills
 * the arrays of d->blocks and d->entries. */
tulle_status tulle__sym_lay_out(tulle__env *env, const sym_half *h, sym_data *d);

/* Other values, at their places in arrays laid out for the same pattern. */
void tulle__sym_fill(tulle__env *env, const sym_half *h, sym_data *d);

/* What it would cost (sym_estimate.c). */
extern const tulle__estimator tulle__sym_estimator;

#endif
