/* hyb_convert.h -- where hyb splits rows; internal to the format. */
#ifndef TULLE_FORMATS_HYB_HYB_CONVERT_H
#define TULLE_FORMATS_HYB_HYB_CONVERT_H

#include "csr/csr_matrix.h"

/* The width of the ELLPACK part: the length of the longest row among the shortest `share` twelfths of the
 * rows. */
int64_t tulle__hyb_width(tulle__env *env, const tulle__csr *a, int64_t share);

#endif
