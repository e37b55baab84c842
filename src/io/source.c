/* source.c -- open a file, see what it is, hand out its text. */
#include "io/source.h"

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFLATE_MOST = 1032 }; /* bytes out of one byte in: 258 for two bits */

void tulle__source_problem(tulle__source *s, tulle_status status, const char *what)
{
	if (s->status != TULLE_OK)
		return;
	s->status = status;
	strncpy(s->problem, what, sizeof s->problem - 1);
}

tulle_status tulle__source_fail(const tulle__source *s)
{
	return tulle__fail(s->status, "%s: %s", s->name, s->problem);
}

static void system_problem(tulle__source *s, int error)
{
	tulle__source_problem(s, TULLE_E_IO, tulle__system_error(error).text);
}

size_t tulle__source_read_file(tulle__source *s, void *to, size_t bytes)
{
	size_t got = 0;

	while (got < bytes && s->status == TULLE_OK) {
		const ssize_t n = read(s->fd, (char *)to + got, bytes - got);

		if (n == 0)
			break;
		if (n > 0)
			got += (size_t)n;
		else if (errno != EINTR)
			system_problem(s, errno);
	}
	s->taken += (int64_t)got;
	return got;
}

size_t tulle__source_read_raw(tulle__source *s, char *to, size_t bytes)
{
	size_t got = s->head_end - s->head_begin;

	got = got < bytes ? got : bytes;
	memcpy(to, s->head + s->head_begin, got);
	s->head_begin += got;
	if (got < bytes)
		got += s->inflater ? tulle__inflate_read(s->inflater, s, to + got, bytes - got)
		                   : tulle__source_read_file(s, to + got, bytes - got);
	return got;
}

void tulle__source_rewind(tulle__source *s)
{
	if (lseek(s->fd, 0, SEEK_SET) < 0)
		tulle__source_problem(s, TULLE_E_IO, "cannot be read from its start again");
	s->taken = 0;
	s->head_begin = s->head_end = 0;
	if (s->inflater)
		tulle__inflate_rewind(s->inflater);
}

size_t tulle__source_read(tulle__source *s, char *to, size_t bytes)
{
	const size_t most = (uint64_t)s->left < bytes ? (size_t)s->left : bytes;
	const size_t got = tulle__source_read_raw(s, to, most);

	if (got < most && s->tar)
		tulle__source_problem(s, TULLE_E_MATRIX, "the archive ends inside the matrix");
	s->left -= (int64_t)got;
	s->given += (int64_t)got;
	return got;
}

int tulle__source_is_padded(const tulle__source *s, int64_t entries)
{
	return s->inflater && s->given / 1024 > (16 << 10) + s->file_bytes / 1024 * 16 + entries;
}

tulle_status tulle__source_refuse_padding(const tulle__source *s, int64_t line, int64_t entries)
{
	return tulle__fail(TULLE_E_MATRIX,
	                   "%s:%" PRId64 ": %" PRId64 " bytes unpacked to %" PRId64
	                   " bytes with %" PRId64
	                   " entries; if this is intended, unpack the file first",
	                   s->name, line, s->file_bytes, s->given, entries);
}

int64_t tulle__source_bound(const tulle__source *s)
{
	const int64_t rest = s->file_bytes > s->taken ? s->file_bytes - s->taken : 0;
	const int64_t head = (int64_t)(s->head_end - s->head_begin);
	/* A compressed file's last input may still wait in our buffer: count the file from its start. */
	const int64_t bound = s->inflater ? tulle__times(s->file_bytes, DEFLATE_MOST) : rest + head;

	return bound < s->left ? bound : s->left;
}

double tulle__source_fraction(const tulle__source *s)
{
	return s->file_bytes > 0 ? (double)s->taken / (double)s->file_bytes : 1;
}

static void open_file(tulle__source *s, const char *path)
{
	struct stat about;

	/* O_NONBLOCK: opening a FIFO that nobody writes to would otherwise wait for ever. */
	s->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (s->fd < 0 || fstat(s->fd, &about) != 0) {
		system_problem(s, errno);
	} else if (!S_ISREG(about.st_mode)) {
		tulle__source_problem(s, TULLE_E_IO,
		                      S_ISDIR(about.st_mode) ? "is a directory, not a file"
		                                             : "is not a regular file");
	} else {
		s->file_bytes = about.st_size;
	}
}

tulle_status tulle__source_open(tulle__env *env, const char *path, tulle__source *s)
{
	memset(s, 0, sizeof *s);
	s->env = env;
	s->left = INT64_MAX;
	tulle__show(s->name, sizeof s->name, path, strlen(path));
	open_file(s, path);
	s->head_end = tulle__source_read_file(s, s->head, sizeof s->head);
	if (s->head_end >= 2 && memcmp(s->head, "\x1f\x8b", 2) == 0) {
		tulle__source_rewind(s);
		s->inflater = tulle__inflate_open(s);
		if (s->inflater)
			s->head_end = tulle__inflate_read(s->inflater, s, s->head, sizeof s->head);
	}
	if (s->status == TULLE_OK && s->head_end == sizeof s->head && tulle__tar_begins(s->head))
		tulle__tar_enter(s, path);
	if (s->status != TULLE_OK) {
		tulle__source_close(s);
		return tulle__source_fail(s);
	}
	return TULLE_OK;
}

void tulle__source_close(tulle__source *s)
{
	if (s->inflater)
		tulle__inflate_close(s->inflater, s->env);
	tulle__free(s->env, s->input);
	if (s->fd >= 0)
		close(s->fd);
	s->inflater = NULL;
	s->input = NULL;
	s->fd = -1;
}
