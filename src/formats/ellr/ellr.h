/* ellr.h -- the format ellr in memory, as its kernels see it (README.md draws it). */
#ifndef TULLE_FORMATS_ELLR_ELLR_H
#define TULLE_FORMATS_ELLR_ELLR_H

#include <stdint.h>

typedef struct {
	int64_t rows, lead, width;
	int64_t parts;         /* of rows, nearly equal in number */
	const int32_t *col;    /* entry j of row i is at j * lead + i */
	const int32_t *length; /* of row i; 0 from rows to lead */
	const void *val;
} ellr_data;

#endif
