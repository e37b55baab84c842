/* new_file.h -- a file being written: under a name of its own until it is complete, then renamed.
 *
 * Every file that the library or the command makes or replaces goes through this. It needs nothing
 * else of the library, so that the command compiles it, too. Functions that return int return 0 or a
 * system error number. */
#ifndef TULLE_CORE_NEW_FILE_H
#define TULLE_CORE_NEW_FILE_H

#include <limits.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

typedef struct {
	int fd;     /* -1: closed */
	int folder; /* what both names are relative to, as openat() has it */
	const char *path;
	char temporary[PATH_MAX]; /* in the folder of path, so that rename() stays in one file system */
} tulle__new_file;

/* Create PATH.PID-N.part: always a new file, never one that is there already, nor through a link.
 * `old` is the regular file that will be replaced: the new one gets its mode, and its owner and group
 * where that is allowed. NULL: it gets `mode` less the umask. `path` must live until the close. */
int tulle__new_file_open(tulle__new_file *f, int folder, const char *path, mode_t mode,
                         const struct stat *old);
int tulle__new_file_write(tulle__new_file *f, const void *from, size_t bytes);

/* `error` 0: give the file its name, replacing what has it; `durable`: after it is on the disk, and then the name
 * too. Else, or if that fails: remove it, and return the first error. If only forcing the name to disk fails, the
 * file is complete and has its name, and the error is returned. A file stays open until it has its name:
 * the command finds those it must remove among its open files when a signal ends it. */
int tulle__new_file_close(tulle__new_file *f, int error, int durable);

/* Write all of it; the number of bytes written, and errno if they are fewer. Beyond the limit for
 * files (RLIMIT_FSIZE) that is EFBIG, whatever the process does with SIGXFSZ: the calling thread
 * blocks the signal meanwhile, and takes the one it caused. */
size_t tulle__write_all(int fd, const void *from, size_t bytes);

#endif
