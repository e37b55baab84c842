/* ell_arrays.h -- ELLPACK: the j-th entries of all rows are contiguous.
 *
 * Shared by the formats ell, ellr and hyb: conversion from and to CSR, update of values and check. Entry j of row i is at j * lead + i. A row shorter than the width ends in padding:
 * column -1, value 0. */
#ifndef TULLE_CSR_ELL_ARRAYS_H
#define TULLE_CSR_ELL_ARRAYS_H

#include "csr/csr_matrix.h"

typedef struct {
	int64_t rows, cols;
	int64_t width; /* slots of a row */
	int64_t lead;  /* rows, rounded up to whole vectors of the widest set */
	int64_t nnz;   /* entries that are here, at most the first `width` of each row */
	tulle_value_type value_type;
	int32_t *col;
	void *val;
} tulle__ell;

/* Length of the longest row. */
int64_t tulle__ell_longest(tulle__env *env, const tulle__csr *a);

/* Stores the first `width` entries of each row. TULLE_E_UNSUPPORTED if columns need more than 32 bits, or if there
 * would be too much padding (TULLE__MOST_PADDING); `name` is the format's name, for the message. */
tulle_status tulle__ell_make(tulle__env *env, const char *name, const tulle__csr *a, int64_t width,
                             tulle__ell *out);
void tulle__ell_release(tulle__env *env, tulle__ell *e);

/* New values from the same pattern. */
void tulle__ell_values(tulle__env *env, const tulle__ell *e, const tulle__csr *a);

/* TULLE_E_INTERNAL unless columns are valid, padding has value 0 and follows the entries of its row, and there are nnz
 * entries. */
tulle_status tulle__ell_check(const char *name, const tulle__ell *e);

/* Entries of row i. */
int64_t tulle__ell_length(const tulle__ell *e, int64_t i);

/* Copies the entries of row i to col[k], val[k], k = row_ptr[i], row_ptr[i] + 1, ... */
void tulle__ell_rows(tulle__env *env, const tulle__ell *e, const int64_t *row_ptr, int32_t *col,
                     void *val);

/* The inverse of `make` with a width that holds every row. */
tulle_status tulle__ell_to_csr(tulle__env *env, const tulle__ell *e, tulle__csr *out);

/* Bytes of both arrays, padding included. */
size_t tulle__ell_bytes(const tulle__ell *e);

/* "12.5 % padding" */
void tulle__ell_note(const tulle__ell *e, char *text, size_t size);

/* Parts of a multiplication; each begins at a multiple of TULLE__LANES. */
int64_t tulle__ell_parts(const tulle__ell *e);

#endif
