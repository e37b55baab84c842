/* csc.h -- the format csc in memory, as its kernels see it (README.md draws it). */
#ifndef TULLE_FORMATS_CSC_CSC_H
#define TULLE_FORMATS_CSC_CSC_H

#include <stdint.h>

typedef struct {
	int64_t rows;
	const int64_t *col_ptr;
	const int32_t *row;
	const void *val;
	int64_t parts;      /* of columns: each has a private y */
	const int64_t *cut; /* first column of each part, and the end */
	int64_t row_parts;  /* of the phase that sums the private y's */
} csc_data;

#endif
