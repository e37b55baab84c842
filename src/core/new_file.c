/* new_file.c -- writes a file under a temporary name and renames it when it is complete. */
#include "core/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SUFFIX = 48, TRIES = 1000 };

/* ---- the name ---- */

/* The next name to try. A long last component is cut so that there is room for the rest. */
static int set_name(tulle__new_file *f)
{
	static atomic_uint serial;
	const char *const slash = strrchr(f->path, '/');
	const char *const name = slash ? slash + 1 : f->path;
	const int n =
	    snprintf(f->temporary, sizeof f->temporary, "%.*s%.*s.%ld-%u.part", (int)(name - f->path),
	             f->path, NAME_MAX - SUFFIX, name, (long)getpid(), atomic_fetch_add(&serial, 1));

	return n > 0 && (size_t)n < sizeof f->temporary ? 0 : ENAMETOOLONG;
}

/* Set owner and group before the mode, so that no other group can read the file in between. If the
 * group cannot be set (not allowed, or unknown in this user namespace), it gets no rights. */
static int keep_rights(int fd, const struct stat *old)
{
	mode_t mode = old->st_mode & 0777;

	if (fchown(fd, old->st_uid, old->st_gid) != 0 && fchown(fd, (uid_t)-1, old->st_gid) != 0) {
		if (errno != EPERM && errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP)
			return errno;
		mode &= ~(mode_t)070;
	}
	return fchmod(fd, mode) == 0 ? 0 : errno;
}

int tulle__new_file_open(tulle__new_file *f, int folder, const char *path, mode_t mode,
                         const struct stat *old)
{
	int error = EEXIST;

	f->fd = -1;
	f->folder = folder;
	f->path = path;
	for (int n = 0; n < TRIES && error == EEXIST; n++) {
		error = set_name(f);
		if (error)
			return error;
		f->fd = openat(folder, f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		               old ? 0600 : mode);
		error = f->fd < 0 ? errno : 0;
	}
	if (!error && old)
		error = keep_rights(f->fd, old);
	return error ? tulle__new_file_close(f, error, 0) : 0;
}

/* ---- the contents ---- */

/* write(), with SIGXFSZ blocked in this thread. A signal that was pending before is left to the
 * program. */
static ssize_t write_quietly(int fd, const void *from, size_t bytes)
{
	const struct timespec now = { 0 };
	sigset_t limit, before, pending;
	ssize_t n;
	int error;

	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &limit, &before);
	sigemptyset(&pending);
	sigpending(&pending);
	n = write(fd, from, bytes);
	error = errno;
	if (n < 0 && error == EFBIG && !sigismember(&pending, SIGXFSZ))
		while (sigtimedwait(&limit, NULL, &now) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return n;
}

size_t tulle__write_all(int fd, const void *from, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		const ssize_t n = write_quietly(fd, (const char *)from + done, bytes - done);

		if (n > 0) {
			done += (size_t)n;
		} else if (n == 0) {
			errno = EIO;
			break;
		} else if (errno != EINTR) {
			break;
		}
	}
	return done;
}

int tulle__new_file_write(tulle__new_file *f, const void *from, size_t bytes)
{
	return tulle__write_all(f->fd, from, bytes) == bytes ? 0 : errno;
}

/* ---- the end ---- */

/* Some file systems report a full disk only at close(). */
static int flush(int fd, int durable)
{
	const int other = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	if (other < 0)
		return errno;
	if (durable && fsync(other) != 0) {
		const int error = errno;

		close(other);
		return error;
	}
	return close(other) == 0 ? 0 : errno;
}

/* Open the folder of the file, to sync it after the rename. *fd is -1 if the process may not read it: then it
 * cannot be synced. */
static int open_folder(const tulle__new_file *f, int *fd)
{
	const char *const slash = strrchr(f->path, '/');
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%.*s", slash ? (int)(slash + 1 - f->path) : 1,
	         slash ? f->path : ".");
	*fd = openat(f->folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *fd >= 0 || errno == EACCES ? 0 : errno;
}

/* File systems that cannot sync a folder return EINVAL. */
static int flush_folder(int fd)
{
	return fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
}

int tulle__new_file_close(tulle__new_file *f, int error, int durable)
{
	int folder = -1;

	if (f->fd < 0)
		return error;
	if (!error)
		error = flush(f->fd, durable);
	if (!error && durable)
		error = open_folder(f, &folder);
	if (!error && renameat(f->folder, f->temporary, f->folder, f->path) != 0)
		error = errno;
	if (error)
		unlinkat(f->folder, f->temporary, 0);
	else if (folder >= 0)
		error = flush_folder(folder);
	if (folder >= 0)
		close(folder);
	close(f->fd);
	f->fd = -1;
	return error;
}
