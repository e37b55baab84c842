/* interrupt.c -- removes partly written files and ends the process that it waits for when a signal ends the command.
 *
 * A file that is being written has a name that ends in .part and stays open until it gets its own
 * (core/new_file.h). So all of them are among the open files, whether the library or the command writes
 * them. Only functions are called that a signal handler may call. */
#include "cli.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 1024 }; /* descriptors that are checked */

static volatile pid_t child; /* an int, and so read and written at once */

static const int SIGNALS[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU };

/* The name of an open file; 0 if it has none that fits. */
static size_t name_of(int fd, char name[PATH_MAX])
{
	static const char folder[] = "/proc/self/fd/";
	char link[sizeof folder + 8] = { 0 }, *p = link + sizeof link - 1;
	ssize_t length;

	do
		*--p = (char)('0' + fd % 10);
	while ((fd /= 10) > 0);
	p -= sizeof folder - 1;
	memcpy(p, folder, sizeof folder - 1);
	length = readlink(p, name, PATH_MAX - 1);
	name[length > 0 ? length : 0] = '\0';
	return length > 0 ? (size_t)length : 0;
}

static void remove_part(int fd)
{
	static const char end[] = ".part";
	char name[PATH_MAX];
	struct stat is, named;
	size_t length;

	/* Ours are closed by exec(); those that a shell opened for us were not. */
	if (fcntl(fd, F_GETFD) != FD_CLOEXEC || (fcntl(fd, F_GETFL) & O_ACCMODE) != O_WRONLY ||
	    fstat(fd, &is) != 0)
		return;
	length = name_of(fd, name);
	if (length < sizeof end || memcmp(name + length - (sizeof end - 1), end, sizeof end) != 0)
		return;
	if (lstat(name, &named) == 0 && named.st_dev == is.st_dev && named.st_ino == is.st_ino)
		unlink(name);
}

/* The signal has its default action again (SA_RESETHAND), and acts when this returns. */
static void clean_up(int number)
{
	for (int fd = STDERR_FILENO + 1; fd < FILES; fd++)
		remove_part(fd);
	if (child > 0)
		kill(child, number);
	raise(number);
}

void cli_watch_child(pid_t pid)
{
	child = pid;
}

void cli_watch_signals(void)
{
	struct sigaction how = { .sa_handler = clean_up, .sa_flags = (int)SA_RESETHAND };

	for (size_t n = 0; n < sizeof SIGNALS / sizeof *SIGNALS; n++)
		sigaddset(&how.sa_mask, SIGNALS[n]);
	for (size_t n = 0; n < sizeof SIGNALS / sizeof *SIGNALS; n++) {
		struct sigaction old;

		/* What is ignored, as under nohup, stays so. */
		if (sigaction(SIGNALS[n], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(SIGNALS[n], &how, NULL);
	}
}
