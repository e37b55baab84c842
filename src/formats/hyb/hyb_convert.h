/* hyb_convert.h -- where hyb cuts rows: between the files of the format. */
#ifndef TULLE_FORMATS_HYB_HYB_CONVERT_H
#define TULLE_FORMATS_HYB_HYB_CONVERT_H

#include "csr/csr_matrix.h"

/* The longest of the `share` twelfths of the rows that are the shortest: the width of the ELLPACK part. */
int64_t tulle__hyb_width(tulle__env *env, const tulle__csr *a, int64_t share);

#endif
