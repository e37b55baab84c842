/* coo.h -- the format coo in memory, as its kernels see it (README.md draws it). */
#ifndef TULLE_FORMATS_COO_COO_H
#define TULLE_FORMATS_COO_COO_H

#include "core/split.h"

typedef struct {
	const int32_t *row, *col;
	const void *val;
	const tulle__row_cut *cut; /* of each part, and the end */
	int64_t splits;
	const tulle__split_row *split; /* rows that are split between parts */
} coo_data;

#endif
