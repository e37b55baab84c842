/* log.c -- formats a line and hands it to the caller's hook. */
#include "core/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

void tulle__log(const tulle__env *env, tulle_log_level level, const char *format, ...)
{
	char line[512];
	va_list args;

	if (!env->log)
		return;
	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	env->log(env->user, level, line);
}

double tulle__seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
