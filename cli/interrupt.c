/* interrupt.c -- when a signal ends the command, removes partly written files and ends its child process.
 *
 * The name of a file ends in .part while it is written, and the file stays open until it is renamed
 * (core/new_file.h). So all of these files are found among the open files, whether the library or the
 * command writes them. Only functions that are safe in a signal handler are called. */
#include "cli.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 1024 }; /* descriptors that are checked */

static volatile pid_t child; /* an int, so that it is read and written atomically */

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

	/* Our files are close-on-exec; files that a shell opened for us are not. */
	if (fcntl(fd, F_GETFD) != FD_CLOEXEC || (fcntl(fd, F_GETFL) & O_ACCMODE) != O_WRONLY ||
	    fstat(fd, &is) != 0)
		return;
	length = name_of(fd, name);
	if (length < sizeof end || memcmp(name + length - (sizeof end - 1), end, sizeof end) != 0)
		return;
	if (lstat(name, &named) == 0 && named.st_dev == is.st_dev && named.st_ino == is.st_ino)
		unlink(name);
}

/* The signal has its default action again (SA_RESETHAND), which is taken when this function returns. */
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

		/* Signals that are ignored, as under nohup, stay ignored. */
		if (sigaction(SIGNALS[n], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(SIGNALS[n], &how, NULL);
	}
}
