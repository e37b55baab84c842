/* csr5_convert.h -- CSR5 with the arrays it owns, and the steps that make them. */
#ifndef TULLE_FORMATS_CSR5_CSR5_CONVERT_H
#define TULLE_FORMATS_CSR5_CSR5_CONVERT_H

#include "core/format.h"
#include "csr/csr_matrix.h"
#include "formats/csr5/csr5.h"

typedef struct {
	csr5_data shared; /* the view for kernels */
	tulle_value_type value_type;
	tulle_index_type column_type; /* of the CSR it came from */
	uint32_t *tile_ptr;
	int64_t *empty_ptr, *cut;
	uint16_t *tile_desc, *empty_offset;
	int64_t empty_offsets;
	void *row_ptr, *val;
	int32_t *col;
} tulle__csr5;

/* Algorithms 4, 5 and 7 and the transposition, each in parallel. Sizes and row_ptr are set, and the
 * arrays are allocated, except those for empty rows, which are allocated if a row is empty. The
 * time of each step since `start`, when the arrays were allocated, is logged (Fig. 10 of the
 * paper). */
tulle_status tulle__csr5_fill(tulle__csr5 *p, const tulle__csr *a, double start, tulle__env *env);

/* Values alone, in the order of CSR; NULL: ones. */
void tulle__csr5_fill_values(tulle__csr5 *p, const void *val, tulle__env *env);

/* Back to the order of CSR: col and, unless they are ones, val. */
void tulle__csr5_restore(const tulle__csr5 *p, int32_t *col, void *val, tulle__env *env);

/* All invariants of README.md. */
tulle_status tulle__csr5_check(const tulle__csr5 *p, tulle__env *env);

/* Flags of lane i of tile t; its y_offset and seg_offset; the segments of a tile. */
static inline uint64_t csr5_flags(const csr5_data *d, int64_t t, int i)
{
	const int units = csr5_units(d->omega, d->sigma);
	const uint16_t *desc = d->tile_desc + t * units * d->omega + i;
	uint64_t flags = 0;

	for (int u = 0; u < units; u++)
		flags |= (uint64_t)desc[u * d->omega] << 16 * u;
	return flags & (((uint64_t)1 << d->sigma) - 1);
}

static inline int csr5_last_unit(const csr5_data *d, int64_t t, int i)
{
	const int units = csr5_units(d->omega, d->sigma);

	return d->tile_desc[(t * units + units - 1) * d->omega + i];
}

static inline int csr5_y_offset(const csr5_data *d, int64_t t, int i)
{
	return csr5_last_unit(d, t, i) >> csr5_y_shift(d->omega, d->sigma);
}

static inline int csr5_seg_offset(const csr5_data *d, int64_t t, int i)
{
	return csr5_last_unit(d, t, i) >> csr5_seg_shift(d->omega, d->sigma) & (d->omega - 1);
}

static inline int csr5_segments(const csr5_data *d, int64_t t)
{
	const int last = d->omega - 1;

	return csr5_y_offset(d, t, last) + __builtin_popcountll(csr5_flags(d, t, last));
}

/* Predicted cost (csr5_estimate.c). */
extern const tulle__estimator tulle__csr5_estimator;

#endif
