/* sym_convert.h -- the steps of a conversion to sym: find the lower half, divide it into parts and
 * compare it with the upper half (sym_half.c), then store it in blocks and entries (sym_fill.c). */
#ifndef TULLE_FORMATS_SYM_SYM_CONVERT_H
#define TULLE_FORMATS_SYM_SYM_CONVERT_H

#include "core/format.h"
#include "core/split.h"
#include "csr/csr_matrix.h"
#include "formats/sym/sym.h"

/* Parts begin at multiples of this many rows for all block sizes: 2, 3, 4 and 6 divide it. */
enum { SYM_GROUP = 12, SYM_MAX_SLICES = TULLE__MAX_PARTS };

/* ---- the lower half ---- */

/* Rows 12 * tulle__cut(groups, slices, s) .. */
typedef struct {
	int64_t lower, diagonal; /* entries */
	int64_t leftmost;        /* column, or the slice's first row */
	int64_t reach;           /* maximum distance from the diagonal */
	int falls;               /* columns of some row do not ascend */
} sym_slice;

/* A square matrix with ascending columns in each row. */
typedef struct {
	tulle__csr a; /* the caller's, or a sorted copy */
	int sorted;   /* it is a copy */
	int64_t *low; /* index of the first entry of each row that is not below the diagonal */
	int64_t groups, slices;
	sym_slice *slice;
	int64_t lower, diagonal, reach;
} sym_half;

/* TULLE_E_UNSUPPORTED if the matrix is not square, is too large, or has duplicate entries. */
tulle_status tulle__sym_open(tulle__env *env, const tulle__csr *a, sym_half *out);
void tulle__sym_close(tulle__env *env, sym_half *h);

/* Set the parts and halos of d; TULLE_E_UNSUPPORTED if the halos are too large. */
tulle_status tulle__sym_cut(const sym_half *h, sym_data *d);

/* One sum per row, and the halos. */
int64_t tulle__sym_sums(const sym_data *d);

/* How the upper half is the mirror image of the lower half: the relations of core/types.h that all pairs of
 * entries have, which are all if there is no pair. If there is none, TULLE_E_UNSUPPORTED, and the message names the first
 * entry that differs. */
tulle_status tulle__sym_compare(tulle__env *env, const sym_half *h, const sym_data *d,
                                unsigned *relations);

/* Are the imaginary parts on the diagonal zero? */
int tulle__sym_real_diagonal(const sym_half *h);

/* ---- blocks and entries ---- */

/* The block size with the fastest multiplication, judged by a sample of the rows. */
int tulle__sym_best_block(const sym_half *h);

/* Counts the blocks and entries for d->b: sets d->part[..].block and .entry, and allocates and fills
 * the arrays of d->blocks and d->entries. */
tulle_status tulle__sym_lay_out(tulle__env *env, const sym_half *h, sym_data *d);

/* Replace the values in arrays for the same pattern. */
void tulle__sym_fill(tulle__env *env, const sym_half *h, sym_data *d);

/* ---- the whole format ---- */

/* The view for kernels, and members for conversions only. */
typedef struct {
	sym_data shared;
	tulle_value_type value_type;
	int64_t nnz; /* of the whole matrix */
	tulle_op op; /* not NORMAL: A^T or A^H must be A */
} sym_triangle;

/* Of the format's table (sym_check.c). */
tulle_status tulle__sym_check(const void *data, tulle__env *env);
tulle_status tulle__sym_to_csr(const void *data, tulle__env *env, tulle__csr *out);

/* Predicted cost (sym_estimate.c). */
extern const tulle__estimator tulle__sym_estimator;

#endif
