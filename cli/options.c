/* options.c -- the command line: getopt_long with messages that are safe to print. */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static tulle_value_type value_type(const cli_common *common, const char *word)
{
	for (tulle_value_type t = TULLE_F32; t <= (common->complex ? TULLE_C128 : TULLE_F64); t++)
		if (!strcmp(word, cli_type_name(t)))
			return t;
	cli_usage("--value-type is f32%s f64%s, not '%s'", common->complex ? "," : " or",
	          common->complex ? ", c64 or c128" : "", word);
}

static void take_common(int option, cli_common *common)
{
	switch (option) {
	case CLI_OPT_JSON: common->json = 1; break;
	case CLI_OPT_QUIET: common->quiet = 1; break;
	case CLI_OPT_REAL_PART: common->real_part = 1; break;
	case CLI_OPT_THREADS:
		common->threads = (int)cli_integer("--threads", optarg, 1, 1 << 12);
		break;
	case CLI_OPT_MEMORY_LIMIT: common->memory_limit = cli_size("--memory-limit", optarg); break;
	case CLI_OPT_VALUE_TYPE: common->value_type = value_type(common, optarg); break;
	case CLI_OPT_WISDOM:
		if (!*optarg)
			cli_usage("the name of the wisdom file is empty");
		common->wisdom = optarg;
		break;
	case CLI_OPT_NO_WISDOM: common->no_wisdom = 1; break;
	default: break;
	}
	if (common->wisdom && common->no_wisdom)
		cli_usage("--wisdom and --no-wisdom exclude each other");
}

static _Noreturn void help_and_exit(const cli_common *common)
{
	char page[32];
	snprintf(page, sizeof page, "tulle-%s", common->command);
	if (!cli_help_page(page))
		cli_fail(CLI_INTERNAL, "no page %s", page);
	if (fflush(stdout))
		cli_fail(CLI_OUTPUT, "cannot write to standard output");
	exit(CLI_OK);
}

/* getopt reports neither which word is wrong nor whether it is ambiguous. */
static _Noreturn void complain(char **argv, const struct option *options, int what)
{
	const char *word = argv[optind - 1];
	const size_t length = strcspn(word, "=");
	const char *const bare = word + strspn(word, "-");
	char name[64]; /* without a value */
	cli_nearest near = { .word = name };
	int matches = 0;

	if (optopt && what == '?') {
		for (const struct option *o = options; o->name; o++)
			if (o->val == optopt)
				cli_usage("option '--%s' takes no value", o->name);
		cli_usage("unknown option '-%c'", optopt);
	}
	if (what == ':')
		cli_usage("option '%s' requires a value", word);
	snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
	for (const struct option *o = options; o->name; o++) {
		matches += length > 2 && !strncmp(o->name, word + 2, length - 2);
		cli_compare_name(&near, o->name);
	}
	if (near.name && !matches)
		cli_usage("unknown option '%s'; did you mean '--%s'?", word, near.name);
	cli_usage(matches ? "option '%s' is ambiguous" : "unknown option '%s'", word);
}

int cli_option(int argc, char **argv, const char *short_options, const struct option *options,
               cli_common *common)
{
	char all[32];

	opterr = 0;
	snprintf(all, sizeof all, ":hq%s", short_options);
	for (;;) {
		const int option = getopt_long(argc, argv, all, options, NULL);

		if (option == '?' || option == ':')
			complain(argv, options, option);
		if (option == CLI_OPT_HELP)
			help_and_exit(common);
		if (option == -1 || (option != CLI_OPT_QUIET && option < CLI_OPT_JSON))
			return option;
		take_common(option, common);
	}
}

char **cli_arguments(int argc, char **argv, int count, const char *what)
{
	if (argc - optind < count)
		cli_usage("missing argument: %s", what);
	if (argc - optind > count)
		cli_usage("'%s' is one argument too many", argv[optind + count]);
	for (int n = optind; n < argc; n++) {
		if (!argv[n][0])
			cli_usage("%s: the name is empty", what);
		if (!strcmp(argv[n], "-"))
			cli_usage("'-': tulle works on files, not on pipes; a file of that name is './-'");
	}
	return argv + optind;
}

double cli_number(const char *option, const char *text, double min, double max)
{
	char *end;
	const double value = strtod(text, &end);

	if (end == text || *end || !(value >= min && value <= max))
		cli_usage("%s must be a number from %g to %g, not '%s'", option, min, max, text);
	return value;
}

int64_t cli_integer(const char *option, const char *text, int64_t min, int64_t max)
{
	char *end;
	errno = 0;
	const long long value = strtoll(text, &end, 10);

	if (end == text || *end || errno || value < min || value > max)
		cli_usage("%s must be a whole number from %lld to %lld, not '%s'", option, (long long)min,
		          (long long)max, text);
	return value;
}

size_t cli_size(const char *option, const char *text)
{
	char *end;
	double size = strtod(text, &end);
	const char *units = "KMGT";
	const char *unit = *end ? strchr(units, *end) : NULL;

	for (const char *u = units; unit && u <= unit; u++)
		size *= 1024;
	if (end == text || (*end && (!unit || end[1])) || !(size >= 1 && size <= 0x1p62))
		cli_usage("%s must be a size such as 500M or 2G, not '%s'", option, text);
	return (size_t)size;
}

void cli_set_op(tulle_op *op, tulle_op wanted)
{
	if (*op != TULLE_NORMAL && *op != wanted)
		cli_usage("--transposed and --both exclude each other");
	*op = wanted;
}

void cli_check_both(tulle_op op, int stores, const char *device)
{
	if (op == TULLE_BOTH && device)
		cli_usage("--both is for the CPU: it cannot be combined with --device");
	if (stores && op != TULLE_BOTH)
		cli_usage("--stores is for plans with --both");
}
