/* sell_convert.h -- CSR to SELL-C-sigma and back; internal to the format. */
#ifndef TULLE_FORMATS_SELL_SELL_CONVERT_H
#define TULLE_FORMATS_SELL_SELL_CONVERT_H

#include "core/env.h"
#include "core/format.h"
#include "csr/csr_matrix.h"
#include "formats/sell/sell.h"

typedef struct {
	int height;
	int64_t sigma;
	int64_t longest; /* longer rows are not put into chunks */
	int ordered;     /* all rows are in chunks: TULLE_E_UNSUPPORTED if a row has more than 2^31-1
	                    nonzeros */
	int rounded;     /* how doubles may be rounded, as in options.lossy */
	tulle_value_type given; /* as in tulle__request */
	int separate;    /* each value has its own slot and is not compressed: it may be replaced */
	size_t releases; /* as in tulle__request: columns and values are moved by tulle__sell_fill */
} sell_shape;

/* The whole conversion; or everything except the arrays of columns and values, with their sizes. On failure
 * *out is NULL. */
tulle_status tulle__sell_make(const tulle__csr *a, const sell_shape *shape, tulle__env *env,
                              sell_data **out);
tulle_status tulle__sell_plan(const tulle__csr *a, const sell_shape *shape, tulle__env *env,
                              sell_data **out);
void tulle__sell_release(sell_data *d, tulle__env *env);
void tulle__sell_describe(const void *data, tulle__layout *out);

/* The kernel for the height of its chunks, of those for 4, 8, 16 and 32; NULL: there are none. */
const tulle__kernel *tulle__sell_variant(const sell_data *d, const tulle__kernel *variants);

/* ---- steps of the conversion ---- */

/* Everything except columns and values. rows, cols, nnz, value_type, height, rounded, given, separate and chunks
 * of d are set. On failure d owns what was allocated. */
tulle_status tulle__sell_lay_out(sell_data *d, const tulle__csr *a, int64_t sigma, int64_t longest,
                                 tulle__env *env);

/* Parts of chunks, and the rows that each of them finishes. */
tulle_status tulle__sell_cut_chunks(sell_data *d, tulle__env *env);
void tulle__sell_find_finished(sell_data *d);
tulle_status tulle__sell_check_finished(const sell_data *d);

/* Make the array of columns; move columns there. */
tulle_status tulle__sell_make_columns(sell_data *d, size_t releases, tulle__env *env);
void tulle__sell_move_columns(sell_data *d, const tulle__csr *a, tulle__env *env);

/* Find the class of the values, and make an array of the right size; on failure d is unchanged. The second also
 * moves the values there. */
tulle_status tulle__sell_make_values(sell_data *d, const tulle__csr *a, size_t releases,
                                     tulle__env *env);
tulle_status tulle__sell_set_values(sell_data *d, const tulle__csr *a, tulle__env *env);

/* Columns and values of some chunks and pieces; and of all of them, slice by slice, dropping the pages of the
 * slices that were moved (sell_fill.c). */
void tulle__sell_move_some(sell_data *d, const tulle__csr *a, sell_range chunks, sell_range pieces);
void tulle__sell_fill(sell_data *d, const tulle__csr *a, int64_t sigma, tulle__env *env);

/* The class of the values and their places, without the array. */
tulle_status tulle__sell_place_values(sell_data *d, const tulle__csr *a, tulle__env *env);

/* Scales of chunks and pieces for values that are rounded to 16 bits, as a block of their own; and whether values
 * are changed by that. TULLE_E_UNSUPPORTED names a value that is too small beside others of its chunk. */
tulle_status tulle__sell_find_scales(const sell_data *d, const tulle__csr *a,
                                     tulle__value_class class, tulle__env *env, double **scale,
                                     int *rounded);

/* Moves values to the slots that tulle__sell_make_values or tulle__sell_place_values has assigned. */
void tulle__sell_move_values(sell_data *d, const tulle__csr *a, tulle__env *env);

/* The inverse conversion, into the arrays of `a`, whose row_ptr is set. */
void tulle__sell_give_back(const sell_data *d, const tulle__csr *a, int32_t *col, void *val,
                           tulle__env *env);

/* Value slots of chunk c if each nonzero has a value, and if each step has one. */
int64_t tulle__sell_chunk_slots(const sell_data *d, int64_t c);
int64_t tulle__sell_list_slots(const sell_data *d, int32_t width);

/* Units of col for one column per step. */
int64_t tulle__sell_list_units(int32_t width);

/* Does chunk c, which has strips, use the list of columns (or values) of the chunk before it? */
static inline int sell_shares_columns(const sell_data *d, int64_t c)
{
	return c > 0 && d->chunk[c - 1].columns >= COLUMNS_STRIPS &&
	       d->chunk[c - 1].col == d->chunk[c].col;
}

static inline int sell_shares_values(const sell_data *d, int64_t c)
{
	return c > 0 && d->chunk[c - 1].columns == COLUMNS_STENCIL &&
	       d->chunk[c - 1].base == d->chunk[c].base;
}

/* Parts for A^T x, from a complete layout; and A^T x itself (sell_scatter.c). */
tulle_status tulle__sell_cut_scatter(sell_data *d, const tulle__csr *a, tulle__env *env);
extern const tulle__backward tulle__sell_backward;

/* Predicted cost of A x (sell_estimate.c), and of A^T x from the same chunks
 * (sell_scatter_estimate.c). */
extern const tulle__estimator tulle__sell_estimator, tulle__sell_scatter_estimator;

#endif
