/* status.c -- the message of the latest failure, one per thread. */
#include "core/status.h"
#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char sentence[512];

tulle_status tulle__fail(tulle_status status, const char *format, ...)
{
	char whole[2 * sizeof sentence]; /* larger than `sentence`, so that only tulle__show() cuts */
	va_list args;

	va_start(args, format);
	vsnprintf(whole, sizeof whole, format, args);
	va_end(args);
	tulle__show(sentence, sizeof sentence, whole, strlen(whole));
	return status;
}

tulle_status tulle__fail_in(tulle_status status, const char *prefix)
{
	return tulle__fail(status, "%s: %s", prefix, sentence);
}

const char *tulle_last_error(void)
{
	return sentence;
}

const char *tulle_status_name(tulle_status status)
{
	switch (status) {
	case TULLE_OK: return "TULLE_OK";
	case TULLE_E_ARGUMENT: return "TULLE_E_ARGUMENT";
	case TULLE_E_MATRIX: return "TULLE_E_MATRIX";
	case TULLE_E_TYPE: return "TULLE_E_TYPE";
	case TULLE_E_MEMORY: return "TULLE_E_MEMORY";
	case TULLE_E_LIMIT: return "TULLE_E_LIMIT";
	case TULLE_E_UNSUPPORTED: return "TULLE_E_UNSUPPORTED";
	case TULLE_E_IO: return "TULLE_E_IO";
	case TULLE_E_DEVICE: return "TULLE_E_DEVICE";
	case TULLE_E_INTERNAL: return "TULLE_E_INTERNAL";
	}
	return "unknown status";
}
