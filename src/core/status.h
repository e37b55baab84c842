/* status.h -- failures: a status code is returned, and a message is kept per thread. */
#ifndef TULLE_CORE_STATUS_H
#define TULLE_CORE_STATUS_H

#include "tulle.h"

/* Store the message for tulle_last_error() and return `status`, so that a check is one line:
 * return tulle__fail(TULLE_E_ARGUMENT, "rows = %" PRId64 " is negative", rows); */
tulle_status tulle__fail(tulle_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

/* Put "prefix: " before the stored message, and return `status`. */
tulle_status tulle__fail_in(tulle_status status, const char *prefix) __attribute__((cold));

#endif
