/* wisdom.c -- where the command keeps what was measured: tulle/wisdom in the user's cache folder. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* "HEAD/TAIL", never freed; a few a run. */
static char *joined(const char *head, const char *tail)
{
	const size_t room = strlen(head) + strlen(tail) + 2;
	char *const path = cli_alloc((int64_t)room, 1);

	snprintf(path, room, "%s/%s", head, tail);
	return path;
}

/* A folder that only its owner may look into; one that is there is left as it is. */
static int make_folder(const char *path)
{
	return mkdir(path, 0700) == 0 || errno == EEXIST;
}

const char *cli_wisdom(int make)
{
	const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
	const char *base, *folder;

	/* Names that are not absolute are to be ignored, says the XDG specification. */
	if (cache && cache[0] == '/')
		base = cache;
	else if (home && home[0] == '/')
		base = joined(home, ".cache");
	else
		return NULL;
	folder = joined(base, "tulle");
	if (make && !(make_folder(base) && make_folder(folder)))
		return NULL;
	return joined(folder, "wisdom");
}
