/* compact.h -- removes rows and columns without entries: for matrices with far more rows or columns than
 * entries.
 *
 * The triplets are renumbered before anything is allocated by rows or columns. They are then built to an
 * ordinary CSR of the present rows and columns. Lists hold the numbers of these in the whole matrix. */
#ifndef TULLE_CSR_COMPACT_H
#define TULLE_CSR_COMPACT_H

#include "csr/csr_matrix.h"

/* The rows and columns of the whole matrix that a CSR has. */
typedef struct {
	int64_t rows, cols; /* of the whole matrix */
	int64_t *row, *col; /* those that the CSR has, ascending; NULL: all. Both may be one array */
} tulle__lists;

void tulle__lists_release(tulle__env *env, tulle__lists *lists);

/* The number that row i or column j of the CSR has in the whole matrix. */
static inline int64_t tulle__listed(const int64_t *list, int64_t n)
{
	return list ? list[n] : n;
}

/* Renumbered triplets. */
typedef struct {
	tulle__triplets t;
	void *row, *col; /* arrays of its own, NULL: those of the original */
} tulle__compacted;

/* Removes rows, columns or both, as `wanted` requests. A symmetric or skew matrix has one list for rows
 * and columns. On failure both outputs are empty. */
tulle_status tulle__compact(tulle__env *env, const tulle__triplets *t, tulle_compact wanted,
                            tulle__compacted *out, tulle__lists *lists);
void tulle__compacted_release(tulle__env *env, tulle__compacted *c);

#endif
