/* ell.h -- the formats ell and ellr in memory, as their kernels see them (README.md, ellr.md draw them). */
#ifndef TULLE_FORMATS_ELL_ELL_H
#define TULLE_FORMATS_ELL_ELL_H

#include <stdint.h>

typedef struct {
	int64_t rows, lead, width;
	int64_t parts;         /* of rows, nearly equal in number */
	const int32_t *col;    /* entry j of row i is at j * lead + i; -1: padding */
	const int32_t *length; /* ellr: of row i; 0 from rows to lead. ell: NULL */
	const void *val;
} ell_data;

/* Indices of the kernels: padding is detected by its column, or by the row lengths. */
enum { ELL_BY_COLUMN, ELL_BY_LENGTH };

#endif
