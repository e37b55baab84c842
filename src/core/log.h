/* log.h -- lines for the context's log hook, if there is one. */
#ifndef TULLE_CORE_LOG_H
#define TULLE_CORE_LOG_H

#include "core/env.h"

void tulle__log(const tulle__env *env, tulle_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A clock for durations in log lines. */
double tulle__seconds(void);

#endif
