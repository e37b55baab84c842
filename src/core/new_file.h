/* new_file.h -- writes a file under a temporary name and renames it when it is complete.
 *
 * The library and the command write every file this way. It needs nothing else from the library, so
 * that the command can compile it as well. Functions that return int return 0 or a system error
 * number. */
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

/* Create PATH.PID-N.part: always a new file, never an existing one, and not through a link. `old` is
 * the regular file that will be replaced: the new one gets its mode, and its owner and group where
 * that is allowed. NULL: it gets `mode` less the umask. `path` must live until the close. */
int tulle__new_file_open(tulle__new_file *f, int folder, const char *path, mode_t mode,
                         const struct stat *old);
int tulle__new_file_write(tulle__new_file *f, const void *from, size_t bytes);

/* `error` 0: rename the file, replacing an existing one. `durable`: sync the file before and the folder after
 * that. Otherwise, or if this fails: remove the file, and return the first error. If only the sync of the folder
 * fails, the file is complete and renamed, and the error is returned. A file stays open until it is renamed: if a
 * signal ends the command, it removes the files that are open. */
int tulle__new_file_close(tulle__new_file *f, int error, int durable);

/* Write all bytes. Returns the number of bytes written, and sets errno if they are fewer. Beyond
 * the file size limit (RLIMIT_FSIZE) that is EFBIG, however the process handles SIGXFSZ: the
 * calling thread blocks the signal meanwhile, and consumes the one it caused. */
size_t tulle__write_all(int fd, const void *from, size_t bytes);

#endif
