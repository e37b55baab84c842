/* main.c -- the command `tulle`: finds the subcommand and runs it. */
#include "cli.h"

#include <signal.h>
#include <string.h>

const cli_command CLI_COMMANDS[] = {
	{ "info", "print sizes, row lengths, structure and a picture of a matrix file", cli_info },
	{ "spy", "draw where the entries of a matrix are, as a PNG file", cli_spy },
	{ "plan", "choose the storage format that suits a matrix best, and explain why", cli_plan },
	{ "mul", "multiply a matrix by a vector, time it and check the result", cli_mul },
	{ "bench", "measure every format on a matrix, beside a plain loop", cli_bench },
	{ "batch", "multiply many small matrices in one call, report kernels and time", cli_batch },
	{ "pagerank", "rank the nodes of a graph, and report how the ranks were computed",
	  cli_pagerank },
	{ "convert", "read a matrix file and write another", cli_convert },
	{ "generate", "make a matrix of a given kind, or a stand-in for a published one",
	  cli_generate },
	{ "formats", "list the storage formats in this build", cli_formats },
	{ "devices", "list the GPUs that tulle can multiply on", cli_devices },
	{ "wisdom", "list what was measured on this machine, or delete it", cli_wisdom_file },
	{ "machine", "measure the speed of caches and memory, report how tulle uses it", cli_machine },
	{ "help", "print the manual page of a command", cli_help },
	{ NULL, NULL, NULL },
};

static int print_version(void)
{
	int v = tulle_version();
	printf("tulle %d.%d.%d\n", v / 10000, v / 100 % 100, v % 100);
	return CLI_OK;
}

static int print_overview(FILE *to)
{
	fprintf(to, "Usage: tulle COMMAND [OPTIONS] ...\n\nSparse matrix-vector products.\n\n");
	for (const cli_command *c = CLI_COMMANDS; c->name; c++)
		fprintf(to, "  %-10s %s\n", c->name, c->about);
	fprintf(to, "\nTry 'tulle help COMMAND'.\n");
	return to == stdout ? CLI_OK : CLI_USAGE;
}

static _Noreturn void unknown_command(const char *name)
{
	cli_nearest near = { .word = name };

	for (const cli_command *c = CLI_COMMANDS; c->name; c++)
		cli_compare_name(&near, c->name);
	if (near.name)
		cli_usage("unknown command '%s'; did you mean '%s'?", name, near.name);
	cli_usage("unknown command '%s'", name);
}

int cli_help(int argc, char **argv)
{
	static const struct option options[] = { CLI_HELP_OPTION, { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "help" };
	char page[32];

	cli_option(argc, argv, "", options, &common);
	if (optind == argc)
		return print_overview(stdout);
	const char *name = cli_arguments(argc, argv, 1, "COMMAND")[0];
	snprintf(page, sizeof page, strcmp(name, "tulle") ? "tulle-%.20s" : "tulle", name);
	if (!cli_help_page(page)) {
		cli_set_command(NULL); /* the hint then names the overview */
		unknown_command(name);
	}
	return CLI_OK;
}

static int run(int argc, char **argv)
{
	if (argc < 2)
		return print_overview(stderr);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return print_version();
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return print_overview(stdout);
	for (const cli_command *c = CLI_COMMANDS; c->name; c++) {
		if (strcmp(argv[1], c->name))
			continue;
		cli_set_command(c->name);
		return c->run(argc - 1, argv + 1);
	}
	if (argv[1][0] == '-')
		cli_usage("unknown option '%s'", argv[1]);
	unknown_command(argv[1]);
}

int main(int argc, char **argv)
{
	/* Exceeding a file size limit is reported as a failed write; it does not kill the process. */
	signal(SIGXFSZ, SIG_IGN);
	cli_watch_signals();
	int code = run(argc, argv);
	if (fflush(stdout) || ferror(stdout))
		cli_fail(CLI_OUTPUT, "cannot write to standard output");
	return code;
}
