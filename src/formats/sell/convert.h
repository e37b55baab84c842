/* convert.h -- CSR to SELL-C-sigma and back: between the files of the format. */
#ifndef TULLE_FORMATS_SELL_CONVERT_H
#define TULLE_FORMATS_SELL_CONVERT_H

#include "core/env.h"
#include "csr/csr.h"
#include "formats/sell/sell.h"

/* Everything but columns and values, whose arrays are only allocated. d's figures (rows, cols, nnz,
 * value_type, height, chunks) are set. Rows of more than `longest` nonzeros leave the chunks. On
 * failure what was allocated hangs in d. */
tulle_status sell_lay_out(sell_data *d, const tulle__csr *a, int64_t sigma, int64_t longest,
                          tulle__env *env);

void sell_set_columns(sell_data *d, const tulle__csr *a, tulle__env *env);
void sell_set_values(sell_data *d, const tulle__csr *a, tulle__env *env);

/* The inverse of both: into arrays of `to`, whose row_ptr is set. */
void sell_give_back(const sell_data *d, const tulle__csr *to, tulle__env *env);

#endif
