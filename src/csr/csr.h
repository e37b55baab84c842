/* csr.h -- the canonical form: zero-based full CSR, checked; every format converts from it. */
#ifndef TULLE_CSR_CSR_H
#define TULLE_CSR_CSR_H

#include "core/env.h"
#include "tulle.h"

/* Index pairs that exist: 32/32, 64/32, 64/64 (offsets/columns). */
struct tulle__csr {
	int64_t rows, cols, nnz;
	tulle_index_type offset_type, column_type;
	tulle_value_type value_type;
	const void *row_ptr, *col;
	const void *val; /* NULL: all ones */
};
typedef struct tulle__csr tulle__csr;

/* ---- reading arrays whose type is known at run time only ---- */

static inline int64_t tulle__index_at(const void *a, tulle_index_type type, int64_t k)
{
	return type == TULLE_I32 ? ((const int32_t *)a)[k] : ((const int64_t *)a)[k];
}

static inline void tulle__index_set(void *a, tulle_index_type type, int64_t k, int64_t value)
{
	if (type == TULLE_I32)
		((int32_t *)a)[k] = (int32_t)value;
	else
		((int64_t *)a)[k] = value;
}

static inline size_t tulle__index_size(tulle_index_type type)
{
	return type == TULLE_I32 ? 4 : 8;
}

static inline size_t tulle__value_size(tulle_value_type type)
{
	return type == TULLE_F32 ? 4 : 8;
}

/* The narrowest type that holds 0 .. largest. */
static inline tulle_index_type tulle__index_type_for(int64_t largest)
{
	return largest <= INT32_MAX ? TULLE_I32 : TULLE_I64;
}

/* ---- check ---- */

/* The words for an error message: names of the arrays as the caller knows them. */
typedef struct {
	const char *pointer, *index; /* "row_ptr", "col" */
	const char *major;           /* "row" */
} tulle__csr_words;

/* Offsets start at base, never fall, and end within memory; indices lie in base .. base+minors-1.
 * TULLE_E_MATRIX names the first wrong one. */
tulle_status tulle__csr_check_offsets(tulle__env *env, int64_t majors, tulle_index_type type,
                                      const void *ptr, int base, const tulle__csr_words *words);
tulle_status tulle__csr_check_indices(tulle__env *env, int64_t majors, int64_t minors,
                                      tulle_index_type offset_type, const void *ptr,
                                      tulle_index_type index_type, const void *index, int base,
                                      const tulle__csr_words *words);

/* ---- build ---- */

/* Where the values of a built CSR come from: value k is source[k] of the caller's array, or minus
 * value ~source[k] where source[k] is negative (the mirrored half of a skew matrix). */
typedef struct {
	tulle_index_type type;
	void *source; /* NULL: value k is value k of the caller */
} tulle__csr_order;

/* Triplets, zero- or one-based, row and column of one type, already checked. */
typedef struct {
	int64_t rows, cols, nnz;
	tulle_index_type index_type;
	const void *row, *col;
	int base;
	tulle_kind kind;
} tulle__triplets;

/* Sort triplets into rows (stable) and mirror the missing triangle. `out` gets row_ptr and col of
 * its own, no values; `order` tells where each value comes from. */
tulle_status tulle__csr_build(tulle__env *env, const tulle__triplets *t, tulle__csr *out,
                              tulle__csr_order *order);

/* Values of a built CSR from the caller's, into `to`; val == NULL: ones. */
void tulle__csr_values(tulle__env *env, const tulle__csr_order *order, int64_t nnz,
                       tulle_value_type type, const void *val, void *to);

/* A^T as a CSR of its own. */
tulle_status tulle__csr_transpose(tulle__env *env, const tulle__csr *a, tulle__csr *out);

/* Values of A^T, in the order tulle__csr_transpose gave them, from those of A. */
tulle_status tulle__csr_transpose_values(tulle__env *env, const tulle__csr *a, tulle__csr *t);

/* Free the three arrays of a CSR of our own. */
void tulle__csr_release(tulle__env *env, tulle__csr *a);

/* Bytes of the arrays. */
size_t tulle__csr_bytes(const tulle__csr *a);

#endif
