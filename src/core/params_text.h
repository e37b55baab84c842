/* params_text.h -- a format's tunables back to text. */
#ifndef TULLE_CORE_PARAMS_TEXT_H
#define TULLE_CORE_PARAMS_TEXT_H

#include "core/params.h"

/* The inverse of tulle__params_parse: "kernel=vector,sigma=16", every tunable with its value. Returns its length; the
 * text is whole if that is less than `room`. */
size_t tulle__params_write(const char *tunables, const tulle__params *params, char *to,
                           size_t room);

#endif
