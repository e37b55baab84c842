/* wisdom.c -- the wisdom file: read without a lock, appended to under a lock, sometimes rewritten.
 *
 *     find   open, read, close. An incomplete line, which is being written, is ignored.
 *     add    open, lock, check that the file still has its name, append, unlock.
 *            If too many lines are stale: write the others to a new file beside it, and rename that
 *            over the old file before unlocking.
 *
 * If the file is replaced while a process waits for its lock, the process sees that the name now refers
 * to another file, and starts again with that one. */
#include "planner/wisdom.h"

#include "core/log.h"
#include "core/memory.h"
#include "core/new_file.h"
#include "core/status.h"
#include "core/text.h"
#include "planner/wisdom_text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	READ_MOST = 4 << 20,    /* of a larger file only the last bytes are read, and nothing is
	                           appended */
	REWRITE_FROM = 1 << 20, /* bytes */
	KEEP_MOST = 512 << 10,  /* maximum bytes of a rewritten file: leaves room to grow */
	STALE_LEAST = 64,       /* lines; fewer stale lines do not justify a new file */
	HEADER = TULLE__WISDOM_HEADER_BYTES
};

static const double PATIENCE = 0.5; /* seconds */

typedef struct {
	tulle__env *env;
	const char *path;
	char name[160]; /* of the file, safe to show */
	int fd;
	struct stat is;
	char *text;   /* the header and the part of the file that was read */
	size_t bytes; /* of it */
} file;

/* ---- messages ----
 *
 * A warning is also the thread's last error, for callers that only use the file. */

static int note(const file *f, tulle_log_level level, const char *what)
{
	tulle__log(f->env, level, "wisdom %s: %s", f->name, what);
	if (level == TULLE_LOG_WARNING)
		tulle__fail(TULLE_E_IO, "wisdom %s: %s", f->name, what);
	return 0;
}

static int note_error(const file *f, const char *what, int error)
{
	const tulle__system_words words = tulle__system_error(error);

	tulle__log(f->env, TULLE_LOG_WARNING, "wisdom %s: %s: %s", f->name, what, words.text);
	tulle__fail(TULLE_E_IO, "wisdom %s: %s: %s", f->name, what, words.text);
	return 0;
}

/* ---- opening and reading ---- */

static void begin(file *f, tulle__env *env, const char *path)
{
	memset(f, 0, sizeof *f);
	f->env = env;
	f->path = path;
	f->fd = -1;
	tulle__show(f->name, sizeof f->name, path, strlen(path));
}

/* Unlocks explicitly: a child that was forked meanwhile also has the file open. */
static void end(file *f)
{
	if (f->fd >= 0) {
		flock(f->fd, LOCK_UN);
		close(f->fd);
	}
	f->fd = -1;
	tulle__free(f->env, f->text);
	f->text = NULL;
}

/* Open regular files only. The type is checked before opening, since opening a device may start it,
 * and again afterwards. `how` may have O_CREAT; without it, a missing file causes no warning. */
static int open_file(file *f, int how)
{
	const int absent = stat(f->path, &f->is) != 0;

	if (absent && (errno != ENOENT || !(how & O_CREAT)))
		return errno == ENOENT ? note(f, TULLE_LOG_DEBUG, "there is no such file yet")
		                       : note_error(f, "not looked at", errno);
	if (!absent && !S_ISREG(f->is.st_mode))
		return note(f, TULLE_LOG_WARNING, "is not a regular file and is ignored");
	f->fd = open(f->path, how | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0666);
	if (f->fd < 0 || fstat(f->fd, &f->is) != 0)
		return note_error(f, "not opened", errno);
	if (!S_ISREG(f->is.st_mode))
		return note(f, TULLE_LOG_WARNING, "is not a regular file and is ignored");
	return 1;
}

static int read_at(const file *f, char *to, size_t bytes, int64_t from, size_t *got)
{
	*got = 0;
	while (*got < bytes) {
		const ssize_t n = pread(f->fd, to + *got, bytes - *got, (off_t)(from + (int64_t)*got));

		if (n < 0 && errno != EINTR)
			return note_error(f, "not read", errno);
		if (n == 0)
			break;
		*got += n > 0 ? (size_t)n : 0;
	}
	return 1;
}

/* Read the header and the lines, or the last lines of a large file. If the first of these is cut, it
 * is dropped like any incomplete line. The block has `room` extra bytes. An empty file is valid. */
static int load(file *f, size_t room)
{
	char header[HEADER];
	const int64_t size = f->is.st_size;
	const int64_t from = size > READ_MOST ? size - READ_MOST : HEADER;
	const size_t want = size > from ? (size_t)(size - from) : 0;
	size_t got;

	if (!read_at(f, header, HEADER, 0, &got))
		return 0;
	if (got > 0 && (got < HEADER || memcmp(header, TULLE__WISDOM_HEADER, HEADER) != 0))
		return note(f, TULLE_LOG_WARNING, "does not begin as a wisdom file and is left alone");
	if (tulle__alloc(f->env, (int64_t)(HEADER + want + room + TULLE__WISDOM_SLACK), 1, &f->text) !=
	    TULLE_OK)
		return note(f, TULLE_LOG_WARNING, "no memory to read it");
	memcpy(f->text, TULLE__WISDOM_HEADER, HEADER);
	if (!read_at(f, f->text + HEADER, want, from, &got))
		return 0;
	f->bytes = HEADER + got;
	memset(f->text + f->bytes, '\n', TULLE__WISDOM_SLACK);
	return 1;
}

int tulle__wisdom_find(tulle__env *env, const char *path, uint64_t matrix, uint64_t machine,
                       tulle__wisdom_record *out, int most)
{
	file f;
	int found = 0;

	begin(&f, env, path);
	if (open_file(&f, O_RDONLY) && load(&f, 0))
		found = tulle__wisdom_pick(f.text, f.bytes, matrix, machine, out, most);
	end(&f);
	return found;
}

/* ---- adding ---- */

/* Open and lock the file of this name, and check under the lock that it still has the name. `how`:
 * O_CREAT or 0. */
static int open_locked(file *f, int how)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	const double until = tulle__seconds() + PATIENCE;
	struct stat named;

	do {
		if (f->fd < 0 && !open_file(f, O_RDWR | O_APPEND | how))
			return 0;
		if (flock(f->fd, LOCK_EX | LOCK_NB) == 0) {
			if (fstat(f->fd, &f->is) == 0 && stat(f->path, &named) == 0 &&
			    named.st_dev == f->is.st_dev && named.st_ino == f->is.st_ino)
				return 1;
			end(f);
		} else if (errno == EWOULDBLOCK) {
			nanosleep(&nap, NULL);
		} else if (errno != EINTR) {
			return note_error(f, "not locked", errno);
		}
	} while (tulle__seconds() < until);
	return note(f, TULLE_LOG_WARNING, "others kept it locked, so it is left as it is");
}

/* Append all of it or nothing. */
static void append(const file *f, const char *text, size_t bytes)
{
	const size_t done = tulle__write_all(f->fd, text, bytes);

	if (done == bytes)
		return;
	note_error(f, "not written", errno);
	if (done > 0 && ftruncate(f->fd, f->is.st_size) != 0)
		note_error(f, "a piece of a line is left", errno);
}

/* Replace the file by f->text, with fsync: otherwise a crash of the machine could leave an empty
 * file. */
static int rewrite(const file *f)
{
	char path[PATH_MAX];
	tulle__new_file new;
	int error;

	if (!realpath(f->path, path)) /* for a link, its target is replaced */
		return note_error(f, "not rewritten", errno);
	error = tulle__new_file_open(&new, AT_FDCWD, path, 0600, &f->is);
	if (!error)
		error = tulle__new_file_close(&new, tulle__new_file_write(&new, f->text, f->bytes), 1);
	return error ? note_error(f, "not rewritten", error) : 1;
}

/* Add the lines, and return whether the file should be rewritten with the new f->text. Another
 * user's file is never rewritten: it would change its owner. */
static int take_in(file *f, const char *lines, size_t bytes)
{
	int64_t kept, dropped;
	size_t size;

	if (f->text[f->bytes - 1] != '\n')
		f->bytes++; /* the slack begins with a newline */
	memcpy(f->text + f->bytes, lines, bytes);
	f->bytes += bytes;
	memset(f->text + f->bytes, '\n', TULLE__WISDOM_SLACK);
	size = f->bytes - HEADER;
	if (f->is.st_uid != geteuid() ||
	    tulle__wisdom_sift(f->env, f->text + HEADER, &size, KEEP_MOST, &kept, &dropped) != TULLE_OK)
		return 0;
	f->bytes = HEADER + size;
	return f->is.st_size + (int64_t)bytes > REWRITE_FROM ||
	       (dropped >= STALE_LEAST && dropped > kept);
}

/* `text` is the header and the lines. The header is written only to an empty file. If
 * a crash left the last line incomplete, the newline of the header is written first and ends it. */
static void add_lines(file *f, const char *text, size_t bytes)
{
	const char *const lines = text + HEADER, *from = lines;
	int closed;

	if (!open_locked(f, O_CREAT) || !load(f, bytes + 1))
		return;
	closed = f->bytes == HEADER || f->text[f->bytes - 1] == '\n';
	if (take_in(f, lines, bytes - HEADER) && rewrite(f))
		return;
	if (f->is.st_size == 0)
		from = text;
	else if (!closed)
		from = lines - 1;
	if (f->is.st_size > READ_MOST)
		note(f, TULLE_LOG_WARNING, "is full, and cannot be rewritten; delete it");
	else
		append(f, from, (size_t)(text + bytes - from));
}

void tulle__wisdom_add(tulle__env *env, const char *path, const tulle__wisdom_record *record,
                       int count)
{
	file f;
	char *text;
	size_t bytes = HEADER;

	begin(&f, env, path);
	if (tulle__alloc(env, HEADER + (int64_t)count * TULLE__WISDOM_LINE_MAX, 1, &text) != TULLE_OK) {
		note(&f, TULLE_LOG_WARNING, "no memory to add to it");
		return;
	}
	memcpy(text, TULLE__WISDOM_HEADER, HEADER);
	for (int n = 0; n < count; n++) {
		const size_t line = tulle__wisdom_write(&record[n], text + bytes);

		if (line == 0)
			note(&f, TULLE_LOG_WARNING, "a record that is out of range is not added");
		bytes += line;
	}
	if (bytes > HEADER)
		add_lines(&f, text, bytes);
	end(&f);
	tulle__free(env, text);
}

/* ---- all of it ---- */

/* Is there no such file? Then there is nothing to read or remove. */
static int absent(const char *path)
{
	struct stat is;

	return stat(path, &is) != 0 && errno == ENOENT;
}

/* Leave only valid lines in f->text; *lines is its size without the header. */
static tulle_status load_newest(file *f, size_t *lines)
{
	int64_t kept, dropped;

	if (!load(f, 0))
		return TULLE_E_IO;
	*lines = f->bytes - HEADER;
	return tulle__wisdom_sift(f->env, f->text + HEADER, lines, READ_MOST, &kept, &dropped);
}

tulle_status tulle__wisdom_walk(tulle__env *env, const char *path,
                                void (*visit)(void *user, const tulle__wisdom_record *r),
                                void *user)
{
	file f;
	size_t lines = 0;
	tulle_status s;

	if (absent(path))
		return TULLE_OK;
	begin(&f, env, path);
	s = open_file(&f, O_RDONLY) ? load_newest(&f, &lines) : TULLE_E_IO;
	if (s == TULLE_OK)
		tulle__wisdom_each(f.text + HEADER, lines, visit, user);
	end(&f);
	return s;
}

static int rewrite_own(const file *f)
{
	return f->is.st_uid == geteuid()
	           ? rewrite(f)
	           : note(f, TULLE_LOG_WARNING, "belongs to another user and is not rewritten");
}

tulle_status tulle__wisdom_forget(tulle__env *env, const char *path, const uint64_t *matrix,
                                  const uint64_t *machine, int64_t *forgotten)
{
	file f;
	size_t lines = 0;
	int64_t found = 0;
	tulle_status s;

	*forgotten = 0;
	if (absent(path))
		return TULLE_OK;
	begin(&f, env, path);
	s = open_locked(&f, 0) ? load_newest(&f, &lines) : TULLE_E_IO;
	if (s == TULLE_OK)
		found = tulle__wisdom_drop(f.text + HEADER, &lines, matrix, machine);
	f.bytes = HEADER + lines;
	if (found > 0 && !rewrite_own(&f))
		s = TULLE_E_IO;
	end(&f);
	if (s == TULLE_OK)
		*forgotten = found;
	return s;
}
