/* formats.c -- `tulle formats`: the formats of this build and their tunables. */
#include "cli.h"

#include <string.h>

/* A name and its text, in lines of at most 80 characters; those after the first are indented. */
static void print_wrapped(const char *name, const char *text)
{
	enum { INDENT = 11, WIDTH = 80 };
	size_t column = INDENT;

	printf("%-*s", INDENT, name);
	while (*text) {
		const size_t word = strcspn(text, " ");

		if (column > INDENT && column + 1 + word > WIDTH) {
			printf("\n%*s", INDENT, "");
			column = INDENT;
		}
		column += (size_t)printf("%s%.*s", column > INDENT ? " " : "", (int)word, text);
		text += word + (text[word] == ' ');
	}
	putchar('\n');
}

int cli_formats(int argc, char **argv)
{
	static const struct option options[] = { CLI_JSON_OPTION,
		                                     CLI_HELP_OPTION,
		                                     { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "formats" };
	const char *name;

	cli_option(argc, argv, "", options, &common);
	cli_arguments(argc, argv, 0, "nothing");
	if (common.json)
		cli_json_open(NULL, '[');
	else
		printf("%s%-10s %s%s\n", cli_bold(), "format",
		       "what it stores; below it, its tunables: name=choices", cli_plain());
	for (int n = 0; (name = tulle_formats(n)); n++) {
		const char *const tunables = tulle_format_tunables(name);

		if (!common.json) {
			print_wrapped(name, tulle_format_summary(name));
			if (*tunables)
				printf("%-10s   %s\n", "", tunables);
			continue;
		}
		cli_json_open(NULL, '{');
		cli_json_text("name", name);
		cli_json_text("summary", tulle_format_summary(name));
		cli_json_text("tunables", tunables);
		cli_json_close();
	}
	if (common.json)
		cli_json_close();
	return CLI_OK;
}
