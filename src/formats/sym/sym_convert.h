/* sym_convert.h -- the steps of a conversion to sym: find the lower half, divide it into parts and
 * compare it with the upper half (sym_half.c), then store it in blocks and entries (sym_fill.c), or in strips and entries
 * (sym_strips.c). */
#ifndef TULLE_FORMATS_SYM_SYM_CONVERT_H
#define TULLE_FORMATS_SYM_SYM_CONVERT_H

#include "core/format.h"
#include "core/limits.h"
#include "core/split.h"
#include "csr/csr_matrix.h"
#include "formats/sym/sym.h"

#include <string.h>

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

/* ---- blocks, strips and entries ---- */

/* What to do with those that are found. */
typedef enum { SYM_COUNT, SYM_PLACE, SYM_PLACE_VALUES } sym_purpose;

/* Costs are in bytes (measured): a single entry costs SYM_SLOWER times as much per byte as a block. They are judged by
 * SYM_SAMPLES samples of rows. */
enum { SYM_SAMPLES = 32, SYM_SLOWER = 2 };

/* The block size with the fastest multiplication, and its cost per row. */
int tulle__sym_best_block(const sym_half *h, double *cost);

/* Counts the blocks and entries for d->b, or the strips and entries if `strips`: sets .block, .entry and .span of d->part,
 * and allocates and fills the arrays of d->blocks, d->strips and d->entries. */
tulle_status tulle__sym_lay_out(tulle__env *env, const sym_half *h, sym_data *d, int strips);

/* Replace the values in arrays for the same pattern. If it fails, it has not begun. */
tulle_status tulle__sym_fill(tulle__env *env, const sym_half *h, sym_data *d);

static inline void tulle__sym_set_column(const sym_rows *r, int64_t at, int64_t i, int64_t j)
{
	if (r->near)
		((uint16_t *)r->col)[at] = (uint16_t)(j - sym_origin(i, 1));
	else
		((int32_t *)r->col)[at] = TULLE__I32(j);
}

/* n values from entry k of the matrix on, as numbers `at` .. of val. */
static inline void tulle__sym_set_values(void *val, int64_t at, const tulle__csr *a, int64_t k,
                                         int n)
{
	const size_t size = tulle__value_size(a->value_type);
	char *to = (char *)val + (size_t)at * size;

	if (a->val)
		memcpy(to, (const char *)a->val + (size_t)k * size, (size_t)n * size);
	for (int v = 0; !a->val && v < n; v++)
		tulle__value_move(to, v, tulle__type_of(a->value_type)->one, 0, size);
}

/* ---- strips ---- */

/* A run of entries at the same distance from the diagonal, in one span; a strip if it is long enough. */
typedef struct {
	int64_t row, back, rows;
	int64_t value; /* index of the first value */
} sym_run;

/* Room for the runs of one span, and for what they are found in. */
typedef struct {
	sym_run *run;
	sym_run **sorted; /* the strips among them, by distance */
	int64_t *of;      /* each entry: its run */
	int64_t runs;
} sym_search;

/* One for each part, large enough for any of its spans. */
tulle_status tulle__sym_open_searches(tulle__env *env, const sym_half *h, const sym_data *d,
                                      sym_search *s);
void tulle__sym_close_searches(tulle__env *env, sym_search *s);

/* Spans of a part. */
int64_t tulle__sym_spans(const sym_part *p);

/* Counts, or places, the strips and entries of part p. */
void tulle__sym_strips_of_part(const sym_half *h, sym_data *d, int64_t p, sym_search *s,
                               sym_purpose what);

/* Before counting: number the spans. */
tulle_status tulle__sym_alloc_spans(tulle__env *env, sym_data *d);

/* After counting: from counts per span to offsets, and the arrays. */
tulle_status tulle__sym_alloc_strips(tulle__env *env, sym_data *d, size_t value);

/* The cost of a multiplication by strips per row. */
tulle_status tulle__sym_strips_cost(tulle__env *env, const sym_half *h, double *cost);

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
