/* advice.c -- what to do next: one line after the message of a failure, and names that resemble a misspelled one. */
#include "cli.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- after a message ------------------------------------------------------------------------- */

static const char *about_input(tulle_status status, const char *path)
{
	struct stat about;

	if (status == TULLE_E_MATRIX || status == TULLE_E_UNSUPPORTED)
		return "Is the file complete? 'tulle help tulle' describes the files that are read.";
	if (stat(path, &about))
		return errno == ENOENT ? "Check the name and the folder. 'tulle generate stencil5:n=300 "
		                         "-o grid.mtx' makes a matrix to try."
		                       : "Check the folders of the name, and that you may enter them.";
	if (S_ISDIR(about.st_mode))
		return "Name a file in it. 'tulle batch FOLDER' takes all small matrices of a folder.";
	if (!S_ISREG(about.st_mode))
		return "Write it to a file first.";
	return "Check that you may read it: 'ls -l' shows the permissions.";
}

void cli_advise(tulle_status status, const char *input)
{
	if (status == TULLE_E_LIMIT)
		fprintf(stderr,
		        "--memory-limit SIZE raises the limit, which otherwise follows the number of "
		        "entries in the file.\n");
	else if (status == TULLE_E_MEMORY)
		fprintf(stderr, "Use a smaller matrix, or a machine with more memory.\n");
	else if (input)
		fprintf(stderr, "%s\n", about_input(status, input));
}

void cli_advise_format(tulle_status status)
{
	if (status == TULLE_E_ARGUMENT)
		fprintf(stderr, "'tulle formats' lists the names, and the tunables that may follow.\n");
	else if (status == TULLE_E_UNSUPPORTED)
		fprintf(stderr, "Take another format: 'tulle plan FILE' chooses one for a matrix, "
		                "'tulle formats' lists all.\n");
}

void cli_advise_output(const char *path)
{
	const char *const slash = strrchr(path, '/');
	char folder[4096] = ".";

	if (slash && slash - path < (ptrdiff_t)sizeof folder)
		snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path);
	if (access(folder, F_OK))
		fprintf(stderr, "Make the folder %s first, or name another one.\n", cli_safe(folder));
	else if (access(folder, W_OK))
		fprintf(stderr, "You may not write to the folder %s: name another one.\n",
		        cli_safe(folder));
}

/* ---- misspelled names ------------------------------------------------------------------------ */

enum { LONGEST = 31 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Characters to insert, drop or replace until a is b (Levenshtein). */
static size_t distance(const char *a, const char *b)
{
	const size_t n = strlen(a), m = strlen(b);
	size_t row[LONGEST + 1];

	if (n > LONGEST || m > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			const size_t above = row[j];

			row[j] = least(least(above, row[j - 1]) + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[m];
}

void cli_compare_name(cli_nearest *best, const char *name)
{
	const size_t d = distance(best->word, name);

	if (d <= 1 + strlen(name) / 4 && (!best->name || d < best->distance)) {
		best->name = name;
		best->distance = d;
	}
}
