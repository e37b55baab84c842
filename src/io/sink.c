/* sink.c -- a file being written: a new file, with the library's sentences for what goes wrong. */
#include "io/sink.h"

#include "core/status.h"
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static tulle_status system_fail(const tulle__sink *s, int error)
{
	if (error == 0)
		return TULLE_OK;
	return tulle__fail(TULLE_E_IO, "%s: %s", s->name, tulle__system_error(error).text);
}

tulle_status tulle__sink_open(const char *path, tulle__sink *s)
{
	struct stat old = { .st_mode = 0 };

	tulle__show(s->name, sizeof s->name, path, strlen(path));
	if (lstat(path, &old) != 0) {
		if (errno != ENOENT)
			return system_fail(s, errno);
	} else if (!S_ISREG(old.st_mode) && !S_ISLNK(old.st_mode)) {
		return tulle__fail(TULLE_E_IO, "%s: exists and is not a regular file", s->name);
	}
	return system_fail(s, tulle__new_file_open(&s->file, AT_FDCWD, path, 0666,
	                                           S_ISREG(old.st_mode) ? &old : NULL));
}

tulle_status tulle__sink_write(tulle__sink *s, const void *from, size_t bytes)
{
	return system_fail(s, tulle__new_file_write(&s->file, from, bytes));
}

tulle_status tulle__sink_close(tulle__sink *s, tulle_status status)
{
	const int error = tulle__new_file_close(&s->file, status == TULLE_OK ? 0 : EIO, 1);

	return status == TULLE_OK ? system_fail(s, error) : status;
}
