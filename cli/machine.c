/* machine.c -- `tulle machine`: caches, speeds, and the decisions that depend on them. */
#include "machine.h"

#include <math.h>
#include <string.h>

static const char *const levels[TULLE_MACHINE_LEVELS] = { "L1", "L2", "L3", "memory" };

typedef struct {
	const char *isa, *wisdom, *plot;
	int known; /* time nothing */
} wishes;

/* ---- time ------------------------------------------------------------------------------------ */

/* Tables up to twice the size of L3 show the step to memory; larger ones take long to fill. */
static int tables_for(const tulle_machine_info *i)
{
	const double most = fmin(2 * i->cache_bytes[TULLE_MACHINE_CACHES - 1], 64 << 20);
	int n = 0;

	while (n < CLI_MOST_TABLES && cli_table_bytes(n) <= most)
		n++;
	return n;
}

static void check(tulle_status status)
{
	if (status)
		cli_fail_status(status, 0);
}

static void time_tables(tulle_context *context, cli_machine_figures *m)
{
	m->tables = tables_for(&m->info);
	for (int set = 0; set < m->sets; set++)
		for (int n = 0; n < m->tables; n++) {
			tulle_machine_table *const t = &m->table[set][n];

			t->size = sizeof *t;
			check(tulle_machine_time_table(context, m->info.sets[set], (size_t)cli_table_bytes(n),
			                               t));
		}
}

static void find_out(tulle_context *context, const wishes *w, cli_machine_figures *m)
{
	memset(m, 0, sizeof *m);
	m->info.size = sizeof m->info;
	if (w->known)
		check(tulle_machine_describe(context, w->wisdom, &m->info));
	else
		check(tulle_machine_measure(context, w->wisdom, &m->info));
	while (m->sets < TULLE_MACHINE_SETS && m->info.sets[m->sets])
		m->sets++;
	if (!w->known)
		time_tables(context, m);
}

/* ---- text ------------------------------------------------------------------------------------ */

static const char *how(int timed)
{
	return timed ? "measured" : "assumed";
}

static void print_bytes(double bytes, int width)
{
	static const char *const units[] = { "KiB", "MiB", "GiB" };
	int u = 0;

	for (bytes /= 1024; bytes >= 1024 && u < 2; u++)
		bytes /= 1024;
	printf("%*.4g %s", width, bytes, units[u]);
}

static void print_levels(const tulle_machine_info *i)
{
	printf("\n%-8s%12s%16s%22s\n", "", "size", "read in order", "read at random");
	for (int level = 0; level < TULLE_MACHINE_LEVELS; level++) {
		const int cache = level < TULLE_MACHINE_CACHES;

		printf("%-8s", levels[level]);
		if (cache)
			print_bytes(i->cache_bytes[level], 8);
		else
			printf("%12s", "");
		printf("%11.1f GB/s%11.2f ns/element  %s\n", 1e-9 * i->read_bandwidth[level],
		       1e9 * i->gather_seconds[level], how(cache ? i->caches_timed : i->memory_timed));
	}
	if (i->threads > 1)
		printf("\nReads in order: all %d threads together. Reads at random: one thread, plain "
		       "loads.\n",
		       i->threads);
	else
		printf("\nBoth by plain loads.\n");
	if (i->region_seconds > 0)
		printf("A parallel region costs %.2f us.\n", 1e6 * i->region_seconds);
}

static void print_tables(const cli_machine_figures *m)
{
	printf("\n%-12s", "table size");
	for (int set = 0; set < m->sets; set++)
		printf("  %24s", m->info.sets[set]);
	printf("\n");
	for (int n = 0; n < m->tables; n++) {
		print_bytes(cli_table_bytes(n), 8);
		for (int set = 0; set < m->sets; set++)
			printf("  %9.1f GB/s%7.2f ns", 1e-9 * m->table[set][n].read_bandwidth,
			       1e9 * m->table[set][n].gather_seconds);
		printf("\n");
	}
	printf("One thread, by the kernels of the instruction set: read in order, and per element "
	       "gathered.\n");
}

/* Which set gathers, and why. */
static void print_gathers(const cli_machine_figures *m)
{
	const tulle_machine_info *const i = &m->info;

	printf("gathers:  %s: %s\n", i->isa, i->isa_why);
	if (m->sets > 1 && i->set_gather_seconds[0] > 0)
		for (int set = 0; set < m->sets; set++)
			printf("%s%s %.2f ns/element%s", set ? ", " : "          from L1 ", i->sets[set],
			       1e9 * i->set_gather_seconds[set], set + 1 < m->sets ? "" : "\n");
}

static void print_decisions(const cli_machine_figures *m, const wishes *w)
{
	const tulle_machine_info *const i = &m->info;

	printf("\n%sWhat follows%s\n", cli_bold(), cli_plain());
	print_gathers(m);
	printf("threads:  %d; one below %s nonzeros + rows\n", i->threads, cli_commas(i->serial_below));
	printf("planning: speeds of caches %s, of memory %s\n", how(i->caches_timed),
	       how(i->memory_timed));
	if (i->caches_timed && w->wisdom)
		printf("          wisdom file %s\n", cli_safe(w->wisdom));
	else if (!w->known && !i->caches_timed)
		printf("          the machine is too busy to be timed: try again when it is idle\n");
	printf("          reproducible plans (options.reproducible) use none of these figures\n");
}

static void print_machine(const cli_machine_figures *m, const wishes *w)
{
	const tulle_machine_info *const i = &m->info;

	printf("%s%s%s, %d thread%s, %s\n", cli_bold(),
	       *i->processor ? cli_safe(i->processor) : "unknown processor", cli_plain(), i->threads,
	       i->threads == 1 ? "" : "s", i->isa);
	print_levels(i);
	if (m->tables)
		print_tables(m);
	print_decisions(m, w);
	if (w->plot)
		printf("\nwrote %s\n", cli_safe(w->plot));
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_level(const tulle_machine_info *i, int level)
{
	const int cache = level < TULLE_MACHINE_CACHES;

	cli_json_open(NULL, '{');
	cli_json_text("name", levels[level]);
	if (cache)
		cli_json_integer("bytes", (int64_t)i->cache_bytes[level]);
	else
		cli_json_null("bytes");
	cli_json_number("read_bandwidth", i->read_bandwidth[level]);
	cli_json_number("gather_seconds", i->gather_seconds[level]);
	cli_json_bool("timed", cache ? i->caches_timed : i->memory_timed);
	cli_json_close();
}

static void json_set(const cli_machine_figures *m, int set)
{
	cli_json_open(NULL, '{');
	cli_json_text("isa", m->info.sets[set]);
	cli_json_known("gather_seconds", m->info.set_gather_seconds[set]);
	cli_json_open("tables", '[');
	for (int n = 0; n < m->tables; n++) {
		cli_json_open(NULL, '{');
		cli_json_integer("bytes", (int64_t)cli_table_bytes(n));
		cli_json_number("read_bandwidth", m->table[set][n].read_bandwidth);
		cli_json_number("gather_seconds", m->table[set][n].gather_seconds);
		cli_json_close();
	}
	cli_json_close();
	cli_json_close();
}

static void json_machine(const cli_machine_figures *m, const wishes *w)
{
	const tulle_machine_info *const i = &m->info;

	cli_json_open(NULL, '{');
	cli_json_text("processor", i->processor);
	cli_json_integer("threads", i->threads);
	cli_json_text("isa", i->isa);
	cli_json_text("isa_why", i->isa_why);
	cli_json_bool("caches_timed", i->caches_timed);
	cli_json_bool("memory_timed", i->memory_timed);
	cli_json_open("levels", '[');
	for (int level = 0; level < TULLE_MACHINE_LEVELS; level++)
		json_level(i, level);
	cli_json_close();
	cli_json_known("region_seconds", i->region_seconds);
	cli_json_integer("serial_below", i->serial_below);
	cli_json_open("sets", '[');
	for (int set = 0; set < m->sets; set++)
		json_set(m, set);
	cli_json_close();
	cli_json_text("fastest_gather", i->fastest_gather);
	cli_json_wisdom(w->wisdom);
	cli_json_close();
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int run(const cli_common *common, const wishes *w)
{
	tulle_context *const context = cli_context(common, w->isa);
	cli_machine_figures m;

	cli_progress_begin(common, "timing", "the machine");
	find_out(context, w, &m);
	cli_progress_end();
	if (w->plot)
		cli_plot_machine(&m, w->plot);
	if (common->json)
		json_machine(&m, w);
	else
		print_machine(&m, w);
	tulle_context_destroy(context);
	return CLI_OK;
}

int cli_machine(int argc, char **argv)
{
	enum { KNOWN = 1, PLOT, ISA };
	static const struct option options[] = { { "known", no_argument, NULL, KNOWN },
		                                     CLI_WISDOM_OPTIONS,
		                                     { "plot", required_argument, NULL, PLOT },
		                                     { "isa", required_argument, NULL, ISA },
		                                     { "threads", required_argument, NULL,
		                                       CLI_OPT_THREADS },
		                                     { "quiet", no_argument, NULL, CLI_OPT_QUIET },
		                                     CLI_JSON_OPTION,
		                                     CLI_HELP_OPTION,
		                                     { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "machine", .warn = 1 };
	wishes w = { .isa = NULL };
	int option;

	while ((option = cli_option(argc, argv, "", options, &common)) != -1) {
		switch (option) {
		case KNOWN: w.known = 1; break;
		case PLOT: w.plot = optarg; break;
		default: w.isa = optarg; break;
		}
	}
	cli_arguments(argc, argv, 0, "nothing");
	if (w.plot && w.known)
		cli_usage("--plot and --known exclude each other: --known times nothing");
	if (w.plot && !cli_ends_with(w.plot, ".svg"))
		cli_usage("'%s': the picture is an SVG file, so its name ends in .svg", w.plot);
	if (w.plot)
		cli_check_output(w.plot, NULL);
	w.wisdom = cli_wisdom(&common, !w.known);
	return run(&common, &w);
}
