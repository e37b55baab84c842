/* ell.h -- the format ell in memory, as its kernels see it (README.md draws it). */
#ifndef TULLE_FORMATS_ELL_ELL_H
#define TULLE_FORMATS_ELL_ELL_H

#include <stdint.h>

typedef struct {
	int64_t rows, lead, width;
	int64_t parts;      /* of rows, nearly equal in number */
	const int32_t *col; /* entry j of row i is at j * lead + i; -1: padding */
	const void *val;
} ell_data;

#endif
