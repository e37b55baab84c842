/* convert.h -- CSR to SELL-C-sigma: between the two files of the format. */
#ifndef TULLE_FORMATS_SELL_CONVERT_H
#define TULLE_FORMATS_SELL_CONVERT_H

#include "core/env.h"
#include "csr/csr.h"
#include "formats/sell/sell.h"

/* Fill d, whose figures (rows, cols, nnz, value_type, height, chunks) are set, from `a`. On failure
 * what was allocated hangs in d. */
tulle_status sell_build(sell_data *d, const tulle__csr *a, int64_t sigma, tulle__env *env);

/* Put a's values where build put the old ones. */
void sell_set_values(sell_data *d, const tulle__csr *a, tulle__env *env);

/* The inverse: columns and values into arrays of `to`, whose row_ptr is set. */
void sell_give_back(const sell_data *d, const tulle__csr *to, tulle__env *env);

#endif
