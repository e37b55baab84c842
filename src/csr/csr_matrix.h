/* csr_matrix.h -- the canonical form: zero-based full CSR, checked; every format converts from it. */
#ifndef TULLE_CSR_CSR_MATRIX_H
#define TULLE_CSR_CSR_MATRIX_H

#include "core/env.h"
#include "core/limits.h"
#include "core/types.h"
#include "tulle.h"

/* A view: its arrays belong to the caller or to a format. If they have no other owner, tulle__csr_release()
 * frees them. Supported index pairs (offsets/columns): 32/32, 64/32, 64/64. */
struct tulle__csr {
	int64_t rows, cols, nnz;
	tulle_index_type offset_type, column_type;
	tulle_value_type value_type;
	const void *row_ptr, *col;
	const void *val; /* NULL: all ones */
};
typedef struct tulle__csr tulle__csr;

/* ---- reading arrays whose type is known only at run time ---- */

static inline int64_t tulle__index_at(const void *a, tulle_index_type type, int64_t k)
{
	return type == TULLE_I32 ? ((const int32_t *)a)[k] : ((const int64_t *)a)[k];
}

static inline void tulle__index_set(void *a, tulle_index_type type, int64_t k, int64_t value)
{
	if (type == TULLE_I32)
		((int32_t *)a)[k] = TULLE__I32(value);
	else
		((int64_t *)a)[k] = value;
}

static inline size_t tulle__index_size(tulle_index_type type)
{
	return type == TULLE_I32 ? 4 : 8;
}

/* The narrowest type that holds 0 .. largest. */
static inline tulle_index_type tulle__index_type_for(int64_t largest)
{
	return largest <= TULLE__I32_MAX ? TULLE_I32 : TULLE_I64;
}

/* Where row i begins, and how many entries it has. */
static inline int64_t tulle__csr_offset(const tulle__csr *a, int64_t i)
{
	return tulle__index_at(a->row_ptr, a->offset_type, i);
}

static inline int64_t tulle__csr_length(const tulle__csr *a, int64_t i)
{
	return tulle__csr_offset(a, i + 1) - tulle__csr_offset(a, i);
}

static inline int64_t tulle__csr_column(const tulle__csr *a, int64_t k)
{
	return tulle__index_at(a->col, a->column_type, k);
}

/* ---- check ---- */

/* Names of the caller's arrays, for error messages. */
typedef struct {
	const char *pointer, *index; /* "row_ptr", "col" */
	const char *major;           /* "row" */
} tulle__csr_words;
extern const tulle__csr_words tulle__words_of_csr; /* "row_ptr", "col", "row" */

/* The array called `name` begins at a multiple of `align`, the alignment of its elements. */
tulle_status tulle__check_alignment(const char *name, const void *array, size_t align);

/* Offsets begin at base, never decrease, and end within memory; indices are in base .. base+minors-1.
 * TULLE_E_MATRIX: the message names the first wrong one. */
tulle_status tulle__csr_check_offsets(tulle__env *env, int64_t majors, tulle_index_type type,
                                      const void *ptr, int base, const tulle__csr_words *words);
/* Of these, that none is less than the one before it; the first is called number `number` in the message. */
tulle_status tulle__csr_check_order(tulle__env *env, int64_t majors, tulle_index_type type,
                                    const void *ptr, int64_t number, const tulle__csr_words *words);
tulle_status tulle__csr_check_indices(tulle__env *env, int64_t majors, int64_t minors,
                                      tulle_index_type offset_type, const void *ptr,
                                      tulle_index_type index_type, const void *index, int base,
                                      const tulle__csr_words *words);

/* The first of `count` indices outside base .. base+minors-1, or `count` when all are inside. */
int64_t tulle__check_indices(tulle__env *env, int64_t count, int64_t minors, tulle_index_type type,
                             const void *index, int base);

/* Check of the parts of format `format`: the first begins at 0, none begins before the previous one, and the
 * last ends at `end`. */
tulle_status tulle__check_cuts(const char *format, const int64_t *cut, int64_t parts, int64_t end);

/* Check of a permutation: the numbers are in 0 .. below-1 and distinct. TULLE_E_INTERNAL: the message names
 * the first wrong element of the array `name`. */
tulle_status tulle__check_distinct(tulle__env *env, const int32_t *number, int64_t count,
                                   int64_t below, const char *name);

/* TULLE_E_UNSUPPORTED if the columns, or the rows plus `more`, cannot be numbered with 32 bits. */
tulle_status tulle__check_32_bits(const char *format, const tulle__csr *a, int64_t more);

/* Refuse layouts with more slots per nonzero than this; layouts under 4 Mi slots are exempt. */
enum { TULLE__MOST_PADDING = 16 };

static inline int tulle__pads_too_much(int64_t slots, int64_t nnz)
{
	const int64_t small = 1 << 22;

	return slots > small && (slots - small) / TULLE__MOST_PADDING > nnz;
}

/* ---- build ---- */

/* Triplets whose indices are already checked. */
typedef struct {
	int64_t rows, cols, nnz;
	tulle_index_type row_type, col_type;
	const void *row, *col;
	int base;        /* 0 or 1 */
	tulle_kind kind; /* not GENERAL: the other triangle is to be added */
} tulle__triplets;

/* The first triplet outside the triangle (or, in a skew matrix, on the diagonal), or t->nnz. */
int64_t tulle__check_triangle(tulle__env *env, const tulle__triplets *t, tulle_triangle triangle);

/* Where the values of a built CSR come from: value k is value source[k] of the triplets. Where source[k] is
 * ~n instead of n, it is value n negated or conjugated: the added triangle of a skew or Hermitian matrix. */
typedef struct {
	tulle_index_type type;
	void *source;  /* NULL: value k is value k */
	int hermitian; /* ~n: conjugated, not negated */
	int conjugate; /* all values are conjugated */
} tulle__csr_order;

/* Sort triplets into rows, keeping their order within a row, and add the missing triangle. `out` owns its
 * row_ptr and col and has no values; `order` says where each value comes from. */
tulle_status tulle__csr_build(tulle__env *env, const tulle__triplets *t, tulle__csr *out,
                              tulle__csr_order *order);

/* nnz values in the order of a built CSR; val == NULL: ones. */
void tulle__csr_values(tulle__env *env, const tulle__csr_order *order, int64_t nnz,
                       tulle_value_type type, const void *val, void *to);

/* The major index of each entry of a compressed array, zero-based: {0, 2, 3} gives {0, 0, 1}. */
void tulle__csr_expand(tulle__env *env, int64_t majors, tulle_index_type offset_type,
                       const void *ptr, int base, tulle_index_type type, void *major);

/* A^T as a CSR that owns its arrays, with values; `order` says where each comes from in A (NULL: not wanted). The
 * second: A^H if `conjugate`. */
tulle_status tulle__csr_transpose(tulle__env *env, const tulle__csr *a, tulle__csr *out,
                                  tulle__csr_order *order);
tulle_status tulle__csr_adjoint(tulle__env *env, const tulle__csr *a, int conjugate,
                                tulle__csr *out, tulle__csr_order *order);

/* A CSR that owns its arrays, to be filled through the three pointers: 64-bit offsets, initially zero, and
 * 32-bit columns. val == NULL: no values, all ones. */
tulle_status tulle__csr_new(tulle__env *env, int64_t rows, int64_t cols, int64_t nnz,
                            tulle_value_type type, tulle__csr *out, int64_t **row_ptr,
                            int32_t **col, void **val);

/* The last row that begins at or before `target`, where row i begins at row_ptr[i] + row_work*i. */
int64_t tulle__csr_row_at(const tulle__csr *a, int64_t row_work, int64_t target);

/* The row at which part `part` begins if rows plus entries are divided evenly; part == parts: the number of
 * rows. */
int64_t tulle__csr_cut(const tulle__csr *a, int64_t parts, int64_t part);

/* Copied in the parts of `csr`, so that each part is in memory near the thread that will read it. */
tulle_status tulle__csr_copy(tulle__env *env, const tulle__csr *a, tulle__csr *out);

/* Free the arrays of a CSR that owns them; or those of columns and values alone. */
void tulle__csr_release(tulle__env *env, tulle__csr *a);
void tulle__csr_release_entries(tulle__env *env, tulle__csr *a);

/* Drop the pages that hold nothing but columns and values of entries k .. end-1 (tulle__drop_pages). */
void tulle__csr_drop(const tulle__csr *a, int64_t k, int64_t end);

/* Replaces the values, which the CSR owns, by others in a block that it then owns. */
void tulle__csr_replace_values(tulle__env *env, tulle__csr *a, void *val);

/* Bytes of the three arrays. */
size_t tulle__csr_bytes(const tulle__csr *a);

#endif
