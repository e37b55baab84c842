/* coo_arrays.h -- entries sorted by rows, each with its row and column.
 *
 * Shared by the formats coo and hyb: conversion from and to CSR, update of values, division into parts
 * and check. The entries of a row keep their order. */
#ifndef TULLE_CSR_COO_ARRAYS_H
#define TULLE_CSR_COO_ARRAYS_H

#include "core/split.h"
#include "csr/csr_matrix.h"

typedef struct {
	int64_t rows, cols;
	int64_t skip; /* entries of each row that are not here: the first ones */
	int64_t nnz;
	tulle_value_type value_type;
	int32_t *row, *col;
	void *val;
} tulle__coo;

/* All entries except the first `skip` of each row. TULLE_E_UNSUPPORTED, with the name of the format,
 * if rows or columns need more than 32 bits. */
tulle_status tulle__coo_make(tulle__env *env, const char *name, const tulle__csr *a, int64_t skip,
                             tulle__coo *out);
void tulle__coo_release(tulle__env *env, tulle__coo *c);

/* New values from the same pattern. */
void tulle__coo_values(tulle__env *env, const tulle__coo *c, const tulle__csr *a);

/* TULLE_E_INTERNAL unless rows never decrease and all indices are valid. */
tulle_status tulle__coo_check(const char *name, const tulle__coo *c);

/* Copies the entries of each row to the end of its range in CSR arrays: row i ends at row_ptr[i +
 * 1]. */
void tulle__coo_rows(const tulle__coo *c, const int64_t *row_ptr, int32_t *col, void *val);

/* Bytes of the three arrays. */
size_t tulle__coo_bytes(const tulle__coo *c);

/* ---- parts ---- */

/* Part p has the entries cut[p].k .. cut[p + 1].k - 1 and the rows from cut[p].row on. A row is
 * divided between two parts if both have entries of it. */
typedef struct {
	int64_t parts;
	tulle__row_cut *cut; /* parts + 1 */
	int64_t splits;
	tulle__split_row *split; /* rows that are cut */
} tulle__coo_parts;

/* Parts of equal work: an entry counts one, a row `row_work` (0 or 1). Only rows longer than a
 * quarter of a part are cut. */
tulle_status tulle__coo_cut(tulle__env *env, const tulle__coo *c, int row_work,
                            tulle__coo_parts *out);
tulle_status tulle__coo_check_cuts(const char *name, const tulle__coo *c,
                                   const tulle__coo_parts *p);
size_t tulle__coo_parts_bytes(const tulle__coo_parts *p);
void tulle__coo_parts_release(tulle__env *env, tulle__coo_parts *p);

#endif
