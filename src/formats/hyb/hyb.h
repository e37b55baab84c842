/* hyb.h -- the format hyb in memory, as its kernels see it (README.md draws it). */
#ifndef TULLE_FORMATS_HYB_HYB_H
#define TULLE_FORMATS_HYB_HYB_H

#include "core/split.h"

typedef struct {
	/* the first `width` entries of each row, side by side: entry j of row i is at j * lead + i */
	int64_t rows, lead, width;
	int64_t ell_parts;
	const int32_t *ell_col; /* -1: padding */
	const void *ell_val;

	/* the other entries, sorted by rows */
	const int32_t *row, *col;
	const void *val;
	const tulle__row_cut *cut;
	int64_t splits;
	const tulle__split_row *split;
} hyb_data;

#endif
