/* system.c -- system calls that fail when a test says so. */
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

system_today today;

static void meanwhile(void (**what)(void))
{
	void (*const now)(void) = *what;

	*what = NULL;
	if (now)
		now();
}

/* Does this call fail? */
static int fails(void)
{
	const int n = ++today.calls;

	if (n == today.at && (today.mood == DIES || today.mood == DIES_HALFWAY))
		_exit(0);
	if (today.only_fsync && !today.is_fsync)
		return 0;
	if ((n == today.at && today.mood == FAILS) || (n >= today.at && today.mood == FAILS_ON)) {
		errno = today.error ? today.error : ENOSPC;
		return 1;
	}
	return 0;
}

#define WRAPPED(type, name, parameters, arguments)         \
	type real_##name parameters __asm__("__real_" #name);  \
	type my_##name parameters __asm__("__wrap_" #name);    \
	type my_##name parameters                              \
	{                                                      \
		return fails() ? (type)-1 : real_##name arguments; \
	}

WRAPPED(int, stat, (const char *path, struct stat *s), (path, s))
WRAPPED(int, lstat, (const char *path, struct stat *s), (path, s))
WRAPPED(int, fstat, (int fd, struct stat *s), (fd, s))
WRAPPED(int, fchmod, (int fd, mode_t mode), (fd, mode))
WRAPPED(int, fchown, (int fd, uid_t user, gid_t group), (fd, user, group))
WRAPPED(int, renameat, (int in, const char *from, int to_in, const char *to), (in, from, to_in, to))
WRAPPED(int, ftruncate, (int fd, off_t size), (fd, size))

int real_fsync(int fd) __asm__("__real_fsync");
int my_fsync(int fd) __asm__("__wrap_fsync");
int my_fsync(int fd)
{
	int fail;

	today.is_fsync = 1;
	fail = fails();
	today.is_fsync = 0;
	return fail ? -1 : real_fsync(fd);
}

int real_unlinkat(int in, const char *path, int how) __asm__("__real_unlinkat");
int my_unlinkat(int in, const char *path, int how) __asm__("__wrap_unlinkat");
int my_unlinkat(int in, const char *path, int how)
{
	if (!today.keeps)
		return real_unlinkat(in, path, how);
	errno = EACCES;
	return -1;
}

/* Only used to duplicate a file. */
int real_fcntl(int fd, int how, ...) __asm__("__real_fcntl");
int my_fcntl(int fd, int how, ...) __asm__("__wrap_fcntl");
int my_fcntl(int fd, int how, ...)
{
	va_list args;
	int least;

	va_start(args, how);
	least = va_arg(args, int);
	va_end(args);
	return fails() ? -1 : real_fcntl(fd, how, least);
}

#define WRAPPED_OPEN(name, parameters, arguments)             \
	int real_##name parameters __asm__("__real_" #name);      \
	int my_##name parameters __asm__("__wrap_" #name);        \
	int my_##name parameters                                  \
	{                                                         \
		va_list args;                                         \
		mode_t mode;                                          \
                                                              \
		va_start(args, how);                                  \
		mode = how & O_CREAT ? (mode_t)va_arg(args, int) : 0; \
		va_end(args);                                         \
		return fails() ? -1 : real_##name arguments;          \
	}

WRAPPED_OPEN(open, (const char *path, int how, ...), (path, how, mode))
WRAPPED_OPEN(openat, (int in, const char *path, int how, ...), (in, path, how, mode))

/* A file is closed even when close() fails. */
int real_close(int fd) __asm__("__real_close");
int my_close(int fd) __asm__("__wrap_close");
int my_close(int fd)
{
	const int fail = fails(), error = errno, status = real_close(fd);

	errno = error;
	return fail ? -1 : status;
}

/* Every other call of those that a signal may interrupt is. */
static int interrupted(void)
{
	if (today.mood != INTERRUPTS || today.calls++ % 2)
		return 0;
	errno = EINTR;
	return 1;
}

ssize_t real_pread(int fd, void *to, size_t n, off_t at) __asm__("__real_pread");
ssize_t my_pread(int fd, void *to, size_t n, off_t at) __asm__("__wrap_pread");
ssize_t my_pread(int fd, void *to, size_t n, off_t at)
{
	if (interrupted())
		return -1;
	if (fails())
		return today.ends ? 0 : -1;
	return real_pread(fd, to, today.mood == INTERRUPTS && n > 7 ? 7 : n, at);
}

ssize_t real_write(int fd, const void *from, size_t n) __asm__("__real_write");
ssize_t my_write(int fd, const void *from, size_t n) __asm__("__wrap_write");
ssize_t my_write(int fd, const void *from, size_t n)
{
	meanwhile(&today.before_write);
	if (today.mood == DIES_HALFWAY && today.calls + 1 == today.at)
		(void)!real_write(fd, from, n / 2);
	if (interrupted())
		return -1;
	if (!fails())
		return real_write(fd, from, n);
	return today.error ? -1 : real_write(fd, from, n / 2);
}

int real_flock(int fd, int how) __asm__("__real_flock");
int my_flock(int fd, int how) __asm__("__wrap_flock");
int my_flock(int fd, int how)
{
	meanwhile(&today.before_lock);
	return interrupted() || fails() ? -1 : real_flock(fd, how);
}
