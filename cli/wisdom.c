/* wisdom.c -- where the command keeps what was measured: tulle/wisdom in the user's cache folder. */
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* A folder that only its owner may look into; one that is there is left as it is. */
static int make_folder(const char *path)
{
	return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Append "/name" to a path of this length; its new length, or 0 when there is no room. */
static size_t append(char path[PATH_MAX], size_t length, const char *name)
{
	const int n = snprintf(path + length, PATH_MAX - length, "/%s", name);

	return n > 0 && (size_t)n < PATH_MAX - length ? length + (size_t)n : 0;
}

const char *cli_wisdom(int make)
{
	static char path[PATH_MAX];
	const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
	/* Names that are not absolute are to be ignored, says the XDG specification. */
	const int has_cache = cache && cache[0] == '/', has_home = home && home[0] == '/';
	size_t length;

	if (!has_cache && !has_home)
		return NULL;
	length = (size_t)snprintf(path, sizeof path, "%s", has_cache ? cache : home);
	if (length >= sizeof path)
		return NULL;
	if (!has_cache)
		length = append(path, length, ".cache");
	if (!length || (make && !make_folder(path)))
		return NULL;
	length = append(path, length, "tulle");
	if (!length || (make && !make_folder(path)))
		return NULL;
	return append(path, length, "wisdom") ? path : NULL;
}
