/* compare.c -- tulle-compare: every format of libtulle and its peers side by side in one process. */
#include "classes.h"
#include "device.h"
#include "json.h"
#include "json_run.h"
#include "measure.h"
#include "ours.h"
#include "table_file.h"
#include "tasks.h"

#include "tulle.h"

#include <getopt.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_WRONG = 1, EXIT_USAGE = 2, MAX_THREAD_COUNTS = 16 };

typedef struct {
	const char *suite, *formats, *peers, *require, *json, *table, *plugins, *isa, *work, *device,
	    *type;
	double largest; /* nonzeros */
	bench_effort effort;
	int threads[MAX_THREAD_COUNTS], thread_counts;
	int list;
} options;

static const char usage[] =
    "usage: tulle-compare [OPTIONS] [--suite NAME | MATRIX...]\n"
    "\n"
    "MATRIX is a Matrix Market file, gen:SPEC (a generated matrix) or like:NAME (a stand-in for a\n"
    "published one). Prints milliseconds; `./dev bench` with the same options also prints ratios,\n"
    "means and verdicts.\n"
    "\n"
    "  --suite NAMES      quick (default), classes, papers, real, tiny, or one class; several:\n"
    "                     papers,real\n"
    "  --largest NNZ      leave out matrices with more nonzeros: 3e7\n"
    "  --formats LIST     ours: all (default), best (those the planner can choose), none, or\n"
    "                     names with tunables: csr:kernel=vector; auto:500, measure:500: what the\n"
    "                     planner chooses for this number of products; transposed:csr: a plan for\n"
    "                     the transpose, given A^T\n"
    "  --contenders LIST  peers: all (default), none, or names\n"
    "  --require LIST     fail when one of these is absent\n"
    "  --threads LIST     numbers of threads (default: one for each core)\n"
    "  --isa NAME         scalar, avx2 or avx512: our formats use no wider instructions, nor does "
    "MKL\n"
    "  --protocol NAME    own (default), csr5 or csr2\n"
    "  --seconds S        time for the samples of one matrix under our own protocol (default 2);\n"
    "                     0: who cares for right results only\n"
    "  --memory GB        what contenders may hold at one time (default: three quarters of what "
    "is\n"
    "                     free); those that do not fit together are measured in groups, each with\n"
    "                     plain, and by themselves with 0\n"
    "  --json FILE        write the results there, too\n"
    "  --table FILE       and there as lines of fields separated by tabs, which table_file.c "
    "explains\n"
    "  --work FILE        what the planner counts of each format's work, for bench/fit.py; wants "
    "the\n"
    "                     format auto\n"
    "  --device NAME      on a GPU instead (cuda:0, opencl:0; `tulle devices` lists them): all "
    "formats\n"
    "                     and kernels for GPUs, or those of --formats, and peers. Of the options "
    "above\n"
    "                     --suite, --largest, --formats, --contenders, --seconds, --json count\n"
    "  --type f64|f32     with --device: values and vectors (default f64)\n"
    "  --plugins FOLDER   load plug-ins from there, too\n"
    "  --list             tell what there is, or with --suite its matrices, and stop\n";

static int parse_threads(const char *text, options *o)
{
	for (o->thread_counts = 0; o->thread_counts < MAX_THREAD_COUNTS;) {
		char *end;
		long n = strtol(text, &end, 10);
		if (end == text || n < 1 || n > 1024 || (*end && *end != ','))
			break;
		o->threads[o->thread_counts++] = (int)n;
		if (!*end)
			return 0;
		text = end + 1;
	}
	fprintf(stderr, "--threads wants numbers of 1 to 1024, not %s\n", text);
	return -1;
}

static int parse_protocol(const char *name, options *o)
{
	for (int n = 0; (o->effort.protocol = bench_protocol_at(n)); n++)
		if (!strcmp(o->effort.protocol->name, name))
			return 0;
	fprintf(stderr, "--protocol wants own, csr5 or csr2, not %s\n", name);
	return -1;
}

static int parse_amount(const char *option, const char *text, double *out)
{
	char *end;
	*out = strtod(text, &end);
	if (end != text && !*end && *out >= 0)
		return 0;
	fprintf(stderr, "%s wants a number, not %s\n", option, text);
	return -1;
}

static int parse_memory(const char *text, options *o)
{
	if (parse_amount("--memory", text, &o->effort.memory))
		return -1;
	o->effort.memory *= 1e9;
	return 0;
}

static int parse(int argc, char **argv, options *o)
{
	static const struct option known[] = {
		{ "suite", 1, NULL, 's' },   { "formats", 1, NULL, 'f' }, { "contenders", 1, NULL, 'c' },
		{ "require", 1, NULL, 'r' }, { "threads", 1, NULL, 't' }, { "protocol", 1, NULL, 'p' },
		{ "seconds", 1, NULL, 'b' }, { "json", 1, NULL, 'j' },    { "plugins", 1, NULL, 'd' },
		{ "memory", 1, NULL, 'm' },  { "isa", 1, NULL, 'i' },     { "list", 0, NULL, 'l' },
		{ "largest", 1, NULL, 'n' }, { "work", 1, NULL, 'w' },    { "help", 0, NULL, 'h' },
		{ "device", 1, NULL, 'D' },  { "type", 1, NULL, 'T' },    { "table", 1, NULL, 'a' },
		{ NULL, 0, NULL, 0 },
	};
	*o = (options){ .formats = "all", .peers = "all", .require = "", .largest = INFINITY };
	o->effort = (bench_effort){ bench_protocol_at(0), .seconds = 2, .memory = -1 };
	o->threads[0] = omp_get_max_threads();
	o->thread_counts = 1;
	for (int c; (c = getopt_long(argc, argv, "", known, NULL)) >= 0;) {
		int status = 0;
		switch (c) {
		case 's': o->suite = optarg; break;
		case 'f': o->formats = optarg; break;
		case 'c': o->peers = optarg; break;
		case 'r': o->require = optarg; break;
		case 'j': o->json = optarg; break;
		case 'a': o->table = optarg; break;
		case 'd': o->plugins = optarg; break;
		case 'i': o->isa = optarg; break;
		case 'w': o->work = optarg; break;
		case 'D': o->device = optarg; break;
		case 'T': o->type = optarg; break;
		case 'l': o->list = 1; break;
		case 't': status = parse_threads(optarg, o); break;
		case 'p': status = parse_protocol(optarg, o); break;
		case 'b': status = parse_amount("--seconds", optarg, &o->effort.seconds); break;
		case 'n': status = parse_amount("--largest", optarg, &o->largest); break;
		case 'm': status = parse_memory(optarg, o); break;
		case 'h': fputs(usage, stdout); exit(0);
		default: fputs(usage, stderr); return -1;
		}
		if (status)
			return -1;
	}
	if (o->device ? o->work || o->isa || o->table || *o->require : o->type != NULL) {
		fprintf(stderr, o->device ? "--device goes with none of --work, --isa, --table, --require\n"
		                          : "--type goes with --device only\n");
		return -1;
	}
	if (o->suite && optind < argc) {
		fprintf(stderr, "give a suite or matrices, not both\n");
		return -1;
	}
	return 0;
}

static void print_peers(FILE *out)
{
	const bench_competitor *table;
	const char *peer;
	fprintf(out, "peers:");
	for (int n = 0; (table = bench_plugin_at(BENCH_ONE, n)); n++)
		fprintf(out, " %s", table->name);
	for (int n = 0; (peer = bench_known_peer_at(BENCH_ONE, n)); n++)
		if (!bench_plugin_named(BENCH_ONE, peer))
			fprintf(out, " %s (absent)", peer);
	fprintf(out, "\n");
}

/* Lists what is available; of a named suite, its matrices. */
static int print_list(const options *o)
{
	if (o->suite) {
		bench_suite suite = { 0 };
		int status = bench_suite_open(o->suite, &suite);
		for (int n = 0; n < suite.count; n++)
			printf("%s\n", suite.item[n].name);
		bench_suite_free(&suite);
		return status;
	}
	const char *name, *about;
	print_peers(stdout);
	printf("formats:\n");
	for (int n = 0; (name = tulle_formats(n)); n++)
		printf("  %-8s %s\n", name, tulle_format_tunables(name));
	printf("protocols:\n");
	const bench_protocol *p;
	for (int n = 0; (p = bench_protocol_at(n)); n++)
		printf("  %-8s %s\n", p->name, p->about);
	printf("suites:\n");
	for (int n = 0; (name = bench_suite_name_at(n, &about)); n++)
		printf("  %-8s %s\n", name, about);
	printf("classes, each a suite of its own, too:\n");
	const bench_class *class;
	for (int n = 0; (class = bench_class_at(n)); n++)
		printf("  %-15s %s\n", class->name, class->about);
	return 0;
}

/* Shows on a terminal what is being measured; the next line of results overwrites it. */
static void progress(int n, int count, const char *what, const char *item)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K[%d/%d] %s %s", n, count, what, item);
}

static void progress_end(void)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K");
}

/* Contenders that were left out because of their size have a line in the table. */
static void tell_large(const bench_item *item, const bench_loaded *m, const options *o)
{
	progress_end();
	if ((double)item->max_nnz <= o->largest && isfinite(o->largest))
		printf("%-36s left out: --largest %g\n", m->name, o->largest);
}

/* -1 when a matrix could not be loaded or measured. */
static int compare_all(const options *o, const bench_suite *suite,
                       const bench_contenders *contenders, FILE *work, bench_results *results)
{
	int status = 0;
	for (int n = 0; n < suite->count; n++) {
		bench_loaded m;
		progress(n + 1, suite->count, "loading", suite->item[n].name);
		int left_out = bench_load(&suite->item[n], &m);
		if (left_out) {
			status = left_out < 0 ? -1 : status;
			tell_large(&suite->item[n], &m, o);
			continue;
		}
		if (work)
			fprintf(work, "matrix %s\n", m.name);
		for (int t = 0; t < o->thread_counts; t++) {
			int before = results->count;
			progress(n + 1, suite->count, "measuring", suite->item[n].name);
			omp_set_num_threads(o->threads[t]);
			if (bench_measure(&m, contenders, o->threads[t], &o->effort, results)) {
				fprintf(stderr, "%s: out of memory\n", m.name);
				results->count = before;
				status = -1;
				break;
			}
			progress_end();
			bench_print_matrix(results, before);
		}
		bench_unload(&m);
	}
	progress_end();
	return status;
}

/* Contenders, matrices, protocol. */
static void print_about(const options *o)
{
	const char *limit = bench_mkl_limit();
	print_peers(stdout);
	printf("%s%s%s; %s; %s; protocol %s: %s\n", bench_cpu_model(), o->isa ? ", no wider than " : "",
	       o->isa ? o->isa : "", BENCH_COMPILER, bench_revision(), o->effort.protocol->name,
	       o->effort.protocol->about);
	if (*limit)
		printf("MKL is limited to %s (MKL_ENABLE_INSTRUCTIONS)\n", limit);
	printf("\n");
	if (!(o->effort.seconds > 0))
		printf("--seconds 0: right or wrong is all that the figures tell\n\n");
}

/* Measures on a GPU, with other contenders and another report. */
static int compare_on_device(const options *o, int argc, char **argv)
{
	bench_suite suite = { 0 };
	const bench_device_wishes wishes = {
		.device = o->device,
		.formats = o->formats,
		.peers = o->peers,
		.type = o->type ? o->type : "f64",
		.plugins = o->plugins,
		.seconds = o->effort.seconds,
		.json = o->json,
		.argc = argc,
		.argv = argv,
	};
	int status = EXIT_USAGE;
	if (!bench_suite_choose(o->suite, argv + optind, argc - optind, &suite)) {
		if (isfinite(o->largest))
			bench_suite_limit(&suite, (int64_t)o->largest);
		status = bench_compare_device(&wishes, &suite);
	}
	bench_suite_free(&suite);
	return status;
}

int main(int argc, char **argv)
{
	static bench_contenders contenders; /* large */
	options o;
	bench_suite suite = { 0 };
	bench_results results = { 0 };
	bench_shorten_spins(argv);
	if (parse(argc, argv, &o))
		return EXIT_USAGE;
	if (o.device && !o.list)
		return compare_on_device(&o, argc, argv);
	if ((o.isa && bench_limit_isa(o.isa)) || bench_load_own_plugins("competitors") ||
	    (o.plugins && bench_load_plugins(o.plugins)))
		return EXIT_USAGE;
	if (o.list)
		return print_list(&o) ? EXIT_USAGE : 0;
	if (bench_choose(o.peers, o.formats, &contenders) || bench_require(o.require, &contenders) ||
	    bench_suite_choose(o.suite, argv + optind, argc - optind, &suite))
		return EXIT_USAGE;
	if (isfinite(o.largest))
		bench_suite_limit(&suite, (int64_t)o.largest);
	double start = bench_now();
	print_about(&o);
	bench_warm_up(&contenders, o.threads[0]);
	FILE *work = o.work ? fopen(o.work, "w") : NULL;
	if (o.work && !work) {
		perror(o.work);
		return EXIT_USAGE;
	}
	bench_log_work(work);
	int status = compare_all(&o, &suite, &contenders, work, &results);
	if (work && fclose(work))
		status = -1;
	printf("\n%d matrices in %.0f s\n", results.count / (1 + contenders.count) / o.thread_counts,
	       bench_now() - start);
	if (o.json && bench_write_json(o.json, &results, o.effort.protocol, argc, argv))
		status = -1;
	if (o.table && bench_write_table(o.table, &results))
		status = -1;
	int wrong = bench_count_wrong(&results);
	bench_suite_free(&suite);
	free(results.row);
	return status ? EXIT_USAGE : wrong ? EXIT_WRONG : 0;
}
