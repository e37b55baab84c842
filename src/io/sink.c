/* sink.c -- a file being written: under another name until it is whole. */
#include "io/sink.h"

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static tulle_status system_fail(const tulle__sink *s, int error)
{
	char text[120] = "";

	if (strerror_r(error, text, sizeof text) != 0 || !text[0])
		snprintf(text, sizeof text, "system error %d", error);
	return tulle__fail(TULLE_E_IO, "%s: %s", s->name, text);
}

static tulle_status create(tulle__sink *s)
{
	static atomic_uint serial;
	const size_t room = strlen(s->path) + 40;
	struct stat old;
	tulle_status status;

	if (lstat(s->path, &old) != 0) {
		if (errno != ENOENT)
			return system_fail(s, errno);
		old.st_mode = 0;
	} else if (!S_ISREG(old.st_mode) && !S_ISLNK(old.st_mode)) {
		return tulle__fail(TULLE_E_IO, "%s: is there and is not a regular file", s->name);
	}
	status = tulle__alloc(s->env, 1, room, &s->temporary);
	if (status != TULLE_OK)
		return status;
	/* O_EXCL: never through a link or into a file that somebody else put there. */
	do {
		snprintf(s->temporary, room, "%s.%ld-%u.part", s->path, (long)getpid(),
		         atomic_fetch_add(&serial, 1));
		s->fd = open(s->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	} while (s->fd < 0 && errno == EEXIST);
	if (s->fd < 0)
		return system_fail(s, errno);
	if (S_ISREG(old.st_mode) && fchmod(s->fd, old.st_mode & 0777) != 0)
		return system_fail(s, errno);
	return TULLE_OK;
}

tulle_status tulle__sink_open(tulle__env *env, const char *path, tulle__sink *s)
{
	tulle_status status;

	memset(s, 0, sizeof *s);
	s->fd = -1;
	s->path = path;
	s->env = env;
	tulle__show(s->name, sizeof s->name, path, strlen(path));
	status = create(s);
	return status == TULLE_OK ? status : tulle__sink_close(s, status);
}

tulle_status tulle__sink_write(tulle__sink *s, const void *from, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		const ssize_t n = write(s->fd, (const char *)from + done, bytes - done);

		if (n > 0)
			done += (size_t)n;
		else if (n == 0 || errno != EINTR)
			return system_fail(s, n == 0 ? EIO : errno);
	}
	return TULLE_OK;
}

tulle_status tulle__sink_close(tulle__sink *s, tulle_status status)
{
	if (s->fd >= 0) {
		/* Some file systems say only now that the disk is full. */
		if (close(s->fd) != 0 && status == TULLE_OK)
			status = system_fail(s, errno);
		if (status == TULLE_OK && rename(s->temporary, s->path) != 0)
			status = system_fail(s, errno);
		if (status != TULLE_OK)
			unlink(s->temporary);
	}
	tulle__free(s->env, s->temporary);
	s->temporary = NULL;
	s->fd = -1;
	return status;
}
