/* wisdom.c -- the file in which the command stores measurements, and `tulle wisdom`, which lists and removes
 * them. */
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- which file ------------------------------------------------------------------------------ */

/* Creates a folder that only its owner can access; an existing one is not changed. */
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

/* tulle/wisdom in the cache folder of the user, who may have none. */
static const char *usual_wisdom(int make)
{
	static char path[PATH_MAX];
	const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
	/* The XDG specification requires that relative names are ignored. */
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

const char *cli_wisdom(const cli_common *common, int make)
{
	return common->wisdom ? common->wisdom : common->no_wisdom ? NULL : usual_wisdom(make);
}

void cli_print_wisdom(const char *path)
{
	printf("%-12s%s\n", "wisdom", path ? cli_safe(path) : "none");
}

void cli_json_wisdom(const char *path)
{
	if (path)
		cli_json_text("wisdom", path);
	else
		cli_json_null("wisdom");
}

/* ---- list ------------------------------------------------------------------------------------ */

typedef struct {
	tulle_wisdom_info *times; /* of formats */
	int64_t count, room;
	int64_t records; /* of any kind */
} contents;

static void keep(void *user, const tulle_wisdom_info *info)
{
	contents *const c = user;

	c->records++;
	if (!info->used)
		return;
	if (c->count == c->room) {
		tulle_wisdom_info *const more = cli_alloc(2 * c->room + 16, sizeof *more);

		if (c->count > 0)
			memcpy(more, c->times, (size_t)c->count * sizeof *more);
		cli_free(c->times);
		c->times = more;
		c->room = 2 * c->room + 16;
	}
	c->times[c->count++] = *info;
}

static void print_contents(const char *path, const contents *c)
{
	cli_print_wisdom(path);
	printf("%-12s%s, %s of them times of formats\n", "records", cli_commas(c->records),
	       cli_commas(c->count));
	if (c->count == 0)
		return;
	printf("\n%s%-16s  %-16s  %-8s %12s %12s  %6s%s\n", cli_bold(), "matrix", "machine", "format",
	       "convert ms", "multiply ms", "spread", cli_plain());
	for (int64_t n = 0; n < c->count; n++) {
		const tulle_wisdom_info *const t = &c->times[n];
		char convert[32] = "-";

		if (t->convert_seconds > 0)
			snprintf(convert, sizeof convert, "%.6f", 1e3 * t->convert_seconds);
		printf("%s  %s  %-8s %12s %12.6f%c %6.2f\n", t->matrix, t->machine, cli_safe(t->name),
		       convert, 1e3 * t->multiply_seconds, t->sliced ? '~' : ' ', t->spread);
	}
}

static void json_contents(const char *path, const contents *c)
{
	cli_json_open(NULL, '{');
	cli_json_wisdom(path);
	cli_json_integer("records", c->records);
	cli_json_open("times", '[');
	for (int64_t n = 0; n < c->count; n++) {
		const tulle_wisdom_info *const t = &c->times[n];

		cli_json_open(NULL, '{');
		cli_json_text("matrix", t->matrix);
		cli_json_text("machine", t->machine);
		cli_json_text("format", t->name);
		cli_json_known("convert_seconds", t->convert_seconds);
		cli_json_number("multiply_seconds", t->multiply_seconds);
		cli_json_number("spread", t->spread);
		cli_json_bool("sliced", t->sliced);
		cli_json_close();
	}
	cli_json_close();
	cli_json_close();
}

static void list(const cli_common *common, const char *path)
{
	contents c = { .times = NULL };
	const tulle_status status = tulle_wisdom_list(NULL, path, keep, &c);

	if (status)
		cli_fail_status(status, 1);
	if (common->json)
		json_contents(path, &c);
	else
		print_contents(path, &c);
	cli_free(c.times);
}

/* ---- forget ---------------------------------------------------------------------------------- */

static int64_t forget_records(const char *path, const char *matrix)
{
	int64_t count = 0;
	const tulle_status status = tulle_wisdom_forget(NULL, path, matrix, &count);

	if (status)
		cli_fail_status(status, 0);
	return count;
}

/* The plan has the name under which the file stores a matrix: A and A^T have different names. */
static int64_t forget_matrix(const cli_common *common, const char *path, const char *name)
{
	static const tulle_op ops[] = { TULLE_NORMAL, TULLE_TRANSPOSED };
	cli_matrix m = cli_read(common, name, NULL);
	int64_t count = 0;

	for (size_t n = 0; n < sizeof ops / sizeof *ops; n++) {
		const tulle_plan_options options = { .size = sizeof options, .op = ops[n], .wisdom = path };
		tulle_plan_info info = { .size = sizeof info };
		tulle_plan *plan = NULL;
		const tulle_status status = tulle_plan_create(m.matrix, &options, &plan);

		if (status)
			cli_fail_status(status, 0);
		tulle_plan_describe(plan, &info);
		if (*info.wisdom_key)
			count += forget_records(path, info.wisdom_key);
		tulle_plan_destroy(plan);
	}
	cli_close(&m);
	return count;
}

static int is_key(const char *text)
{
	return strlen(text) == 16 && strspn(text, "0123456789abcdefABCDEF") == 16;
}

static void forget(const cli_common *common, const char *path, const char *what)
{
	const int64_t count = !strcmp(what, "all") ? forget_records(path, NULL)
	                      : is_key(what)       ? forget_records(path, what)
	                                           : forget_matrix(common, path, what);

	if (common->json) {
		cli_json_open(NULL, '{');
		cli_json_wisdom(path);
		cli_json_integer("forgotten", count);
		cli_json_close();
		return;
	}
	cli_print_wisdom(path);
	printf("%-12s%s record%s\n", "forgotten", cli_commas(count), count == 1 ? "" : "s");
}

/* ---- the whole ------------------------------------------------------------------------------- */

int cli_wisdom_file(int argc, char **argv)
{
	enum { FORGET = 1 };
	static const struct option options[] = { { "forget", required_argument, NULL, FORGET },
		                                     { "wisdom", required_argument, NULL, CLI_OPT_WISDOM },
		                                     CLI_VALUE_TYPE_OPTION,
		                                     CLI_JSON_OPTION,
		                                     CLI_READ_OPTIONS,
		                                     CLI_HELP_OPTION,
		                                     { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "wisdom", .complex = 1 };
	const char *what = NULL;

	while (cli_option(argc, argv, "", options, &common) != -1)
		what = optarg;
	cli_arguments(argc, argv, 0, "nothing");
	if (what && !*what)
		cli_usage("--forget requires a matrix file, 16 hexadecimal digits or 'all'");
	const char *const path = cli_wisdom(&common, 0);
	if (!path)
		cli_fail(CLI_INPUT,
		         "no cache folder, as neither XDG_CACHE_HOME nor HOME is an absolute path; "
		         "name the file with --wisdom FILE");
	if (what)
		forget(&common, path, what);
	else
		list(&common, path);
	return CLI_OK;
}
