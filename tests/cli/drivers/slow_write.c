/* slow_write.c -- write() to a regular file waits first: a disk so slow that a signal comes meanwhile.
 *
 * Loaded by LD_PRELOAD; TULLE_TEST_SLOW says how many seconds each write waits. */
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

ssize_t write(int fd, const void *from, size_t bytes)
{
	const char *const seconds = getenv("TULLE_TEST_SLOW");
	struct stat is;

	if (seconds && fstat(fd, &is) == 0 && S_ISREG(is.st_mode)) {
		const struct timespec wait = { .tv_sec = atoi(seconds) };

		nanosleep(&wait, NULL);
	}
	return syscall(SYS_write, fd, from, bytes);
}
