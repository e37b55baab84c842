/* widened.h -- formats without kernels for the type of a matrix get its values in a wider type (WIDENED and
 * STORED in core/types.def). The conversion is exact. */
#ifndef TULLE_CSR_WIDENED_H
#define TULLE_CSR_WIDENED_H

#include "core/format.h"
#include "csr/csr_matrix.h"

/* `a` with values of another type, as tulle__format_type() says. *own is the block with these values; NULL:
 * they are those of `a`. */
tulle_status tulle__csr_widen(tulle__env *env, const tulle__csr *a, tulle_value_type type,
                              tulle__csr *out, void **own);

/* convert and update of the format. Widened values exist only during the call; a format that borrows gets `a`
 * itself, and widens what it keeps. */
tulle_status tulle__format_convert(const tulle__format *format, const tulle__csr *a,
                                   const tulle__request *request, tulle__env *env, void **data);
tulle_status tulle__format_update(const tulle__format *format, void *data, const tulle__csr *a,
                                  tulle__env *env);

/* to_csr of the format, with values of the type that the caller named. */
tulle_status tulle__format_give_back(const tulle__format *format, const void *data,
                                     tulle_value_type type, tulle__env *env, tulle__csr *out);

#endif
