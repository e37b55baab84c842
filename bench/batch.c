/* batch.c -- tulle-batch: thousands of small matrices at once, against loops over peers.
 *
 * All run in one process, in turn, as in tulle-compare; y_i += A_i x_i. Every contender's first y is
 * checked against sums in 113 bits. */
#include "batch_cases.h"
#include "batch_device.h"
#include "batch_plain.h"
#include "json.h"
#include "kit.h"
#include "memory.h"
#include "plain.h"
#include "tasks.h"
#include "tulle.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CONTENDERS = 32, READERS = 2, MAX_RUNNERS = MAX_CONTENDERS + READERS };

typedef struct {
	const char *json, *contenders, *device, *plugins;
	int64_t count;
	int threads, types, explain; /* types: 1 f32, 2 f64, 3 both */
	double budget;
} options;

static const char usage[] =
    "usage: tulle-batch [OPTIONS] [BATCH...]\n"
    "\n"
    "  different[:ROWS]     real matrices of at most ROWS (1024) rows, rotated: few patterns "
    "equal\n"
    "  turned:NAME          one real matrix, likewise\n"
    "  mixed:NAME,NAME,..   real matrices as they are, in random order\n"
    "  pattern:NAME         one pattern, values for each: a real matrix or gen:SPEC\n"
    "  each:SPEC            generated ones, each with a seed of its own\n"
    "\n"
    "  --count N            problems (default 10000)\n"
    "  --threads N          (default: one for each core)\n"
    "  --type f32|f64|both  (default both; with --device f64, and not both)\n"
    "  --contenders LIST    names, separated by commas (default: all)\n"
    "  --seconds S          time for the samples of one batch (default 4)\n"
    "  --explain            what tulle:auto says about each batch\n"
    "  --json FILE          results, keys as tulle-compare has them\n"
    "  --device NAME        on a GPU instead (cuda:0, opencl:0; `tulle devices` lists them).\n"
    "                       Contenders: tulle:KERNEL, the kernels for batches of\n"
    "                       `tulle devices --formats`; loop:CONTENDER:VARIANT, one product per\n"
    "                       problem (loop:tulle:csr, loop:cusparse:csr). Neither --threads nor\n"
    "                       --explain counts\n"
    "  --plugins FOLDER     with --device: load plug-ins from there, too\n"
    "\n"
    "Real matrices are read from the folder $TULLE_MATRICES. Prints milliseconds of all problems;\n"
    "`./dev bench batch` with the same options also prints ratios.\n";

/* ---- one batch ------------------------------------------------------------------------------- */

typedef struct {
	bench_runner run[MAX_RUNNERS];
	double convert[MAX_RUNNERS], error[MAX_RUNNERS];
	double csr_read, stored_read; /* seconds to read as many bytes */
	int count;
} scene;

static int wanted(const char *list, const char *name)
{
	size_t length = strlen(name);
	if (!list)
		return 1;
	for (const char *p = list; (p = strstr(p, name)); p += length)
		if ((p == list || p[-1] == ',') && (p[length] == 0 || p[length] == ','))
			return 1;
	/* The faster of the two counts, so both are measured. */
	return !strncmp(name, "mkl-omp-", 8) && wanted(list, "mkl-omp");
}

static void add_table(scene *s, const options *o, const bench_competitor *t)
{
	if (wanted(o->contenders, t->name) && s->count < MAX_CONTENDERS)
		s->run[s->count++].table = t;
}

static void assemble(scene *s, const options *o, int f32)
{
	const int needs = BENCH_BATCH | (f32 ? BENCH_F32 : BENCH_F64);
	const bench_competitor *t;
	for (int n = 0; (t = bench_plugin_at(needs, n)); n++)
		add_table(s, o, t);
	for (t = bench_batch_plain; t->name; t++)
		add_table(s, o, t);
	for (t = bench_batch_ours; t->name; t++)
		add_table(s, o, t);
}

static size_t csr_bytes(const bench_batch *b)
{
	size_t value = b->f32 ? sizeof(float) : sizeof(double);
	int64_t patterns = b->one_pattern ? 1 : b->count, each = b->count ? b->count : 1;
	return (size_t)b->total_nnz * value +
	       (size_t)(b->total_nnz / each * patterns + (b->total_rows + b->count) / each * patterns) *
	           sizeof(int32_t);
}

static void prepare(scene *s, const bench_case *c, int threads)
{
	const bench_problem problem = { .batch = &c->b, .threads = threads };
	for (int n = 0; n < s->count; n++) {
		const bench_competitor *table = s->run[n].table;
		const char *colon = strchr(table->name, ':');
		double start = bench_now();
		s->run[n].state = table->prepare(&problem, colon ? colon + 1 : "");
		s->convert[n] = bench_now() - start;
	}
}

/* The contender with this name; -1: it does not take part. */
static int find(const scene *s, const char *name)
{
	for (int n = 0; n < s->count; n++)
		if (s->run[n].state && !strcmp(s->run[n].table->name, name))
			return n;
	return -1;
}

static size_t stored_by(const bench_runner *r)
{
	return r->table->bytes(r->state);
}

/* The time of reading alone: of as many bytes as the CSR arrays have, and as tulle:auto stores. */
static int add_reader(bench_runner *r, size_t bytes, int threads)
{
	*r = (bench_runner){ .table = &bench_read, .state = bench_read_prepare(bytes, threads) };
	return r->state ? 0 : -1;
}

static int measure(scene *s, bench_case *c, const options *o)
{
	size_t size = c->b.f32 ? sizeof(float) : sizeof(double);
	size_t y_bytes = (size_t)c->b.total_rows * size;
	kit_oracle *oracle = bench_case_oracle(c);
	double *y = bench_array(c->b.total_rows + 1, size);
	int ours = find(s, "tulle:auto"), readers = 0, status = oracle && y ? 0 : -1;
	for (int n = 0; n < s->count && !status; n++) {
		if (!s->run[n].state)
			continue;
		memcpy(y, c->y0, y_bytes);
		s->run[n].failed |= s->run[n].table->multiply(s->run[n].state, c->x, y);
		s->error[n] = kit_oracle_check(oracle, y).worst;
	}
	kit_oracle_free(oracle);
	if (!status && !add_reader(&s->run[s->count], csr_bytes(&c->b), o->threads))
		readers++;
	if (!status && ours >= 0 && readers &&
	    !add_reader(&s->run[s->count + 1], stored_by(&s->run[ours]), o->threads))
		readers++;
	if (!status) {
		memset(y, 0, y_bytes);
		status = bench_sample(s->run, s->count + readers, c->x, y, bench_protocol_at(0), o->budget);
	}
	s->csr_read = readers > 0 ? s->run[s->count].best : 0;
	s->stored_read = readers > 1 ? s->run[s->count + 1].best : 0;
	for (int n = 0; n < readers; n++)
		bench_read.release(s->run[s->count + n].state);
	free(y);
	return status;
}

/* ---- results --------------------------------------------------------------------------------- */

static double plain_seconds(const scene *s)
{
	int loop = find(s, "plain-loop"), omp = find(s, "plain-omp");
	double best = loop >= 0 ? s->run[loop].best : INFINITY;
	return omp >= 0 ? fmin(best, s->run[omp].best) : best;
}

/* The share of the time that reading the bytes of runner n takes: scaled in proportion if it stores
 * slightly more or less than tulle:auto. */
static void add_shares(bench_row *row, const scene *s, int n)
{
	int ours = find(s, "tulle:auto");
	double stored = (double)stored_by(&s->run[n]);
	double size = (double)(row->f32 ? sizeof(float) : sizeof(double));
	if (ours < 0 || !(stored > 0))
		return;
	row->stored_share = s->stored_read * stored / (double)stored_by(&s->run[ours]) / s->run[n].best;
	row->moved_share = row->stored_share * (1 + (double)(row->rows + row->cols) * size / stored);
}

/* The rows of one batch, as if its problems were the blocks of one matrix. */
static int add_rows(const scene *s, const bench_case *c, const options *o, bench_results *results)
{
	const bench_batch *b = &c->b;
	const bench_unit unit = { plain_seconds(s), s->csr_read, (double)csr_bytes(b), 0 };
	bench_loaded whole = {
		.a = { .rows = b->total_rows, .cols = b->total_cols, .nnz = b->total_nnz },
		.longest = bench_longest_row(b)
	};
	snprintf(whole.name, sizeof whole.name, "%s", c->name);
	for (int n = 0; n < s->count; n++) {
		bench_row *row = bench_results_add(results, &whole, s->run[n].table->name, o->threads);
		if (!row)
			return -1;
		row->f32 = b->f32;
		row->problems = b->count;
		if (!s->run[n].state)
			continue;
		bench_row_fill(row, &s->run[n], s->convert[n], s->error[n], &unit);
		add_shares(row, s, n);
	}
	return 0;
}

static void explain(const scene *s, const bench_case *c)
{
	int ours = find(s, "tulle:auto");
	printf("problems: %" PRId64 ", different matrices: %" PRId64 "\n", c->b.count, c->kinds);
	if (ours >= 0)
		printf("%s", bench_batch_explain(s->run[ours].table, s->run[ours].state));
}

static int one_batch(const char *spec, int f32, const options *o, bench_results *results)
{
	static scene s; /* large */
	bench_case c;
	int status = bench_case_make(spec, o->count, f32, &c), before = results->count;
	if (status > 0)
		printf("%s: left out, $TULLE_MATRICES does not have it\n", spec);
	if (status)
		return status < 0 ? -1 : 0;
	memset(&s, 0, sizeof s);
	assemble(&s, o, f32);
	prepare(&s, &c, o->threads);
	status = measure(&s, &c, o);
	if (!status)
		status = add_rows(&s, &c, o, results);
	if (status)
		results->count = before;
	else
		bench_print_matrix(results, before);
	if (!status && o->explain)
		explain(&s, &c);
	for (int n = 0; n < s.count; n++)
		if (s.run[n].state)
			s.run[n].table->release(s.run[n].state);
	bench_case_free(&c);
	return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int parse(int argc, char **argv, options *o)
{
	static const struct option known[] = {
		{ "count", 1, NULL, 'n' },   { "threads", 1, NULL, 't' }, { "type", 1, NULL, 'y' },
		{ "seconds", 1, NULL, 'b' }, { "json", 1, NULL, 'j' },    { "contenders", 1, NULL, 'c' },
		{ "explain", 0, NULL, 'e' }, { "help", 0, NULL, 'h' },    { "device", 1, NULL, 'D' },
		{ "plugins", 1, NULL, 'P' }, { NULL, 0, NULL, 0 },
	};
	*o = (options){ .count = 10000, .threads = omp_get_max_threads(), .types = 0, .budget = 4 };
	int types = -1;
	for (int c; (c = getopt_long(argc, argv, "", known, NULL)) >= 0;) {
		switch (c) {
		case 'n': o->count = atoll(optarg); break;
		case 't': o->threads = atoi(optarg); break;
		case 'y':
			types = !strcmp(optarg, "f32")    ? 1
			        : !strcmp(optarg, "f64")  ? 2
			        : !strcmp(optarg, "both") ? 3
			                                  : 0;
			break;
		case 'b': o->budget = atof(optarg); break;
		case 'j': o->json = optarg; break;
		case 'c': o->contenders = optarg; break;
		case 'e': o->explain = 1; break;
		case 'D': o->device = optarg; break;
		case 'P': o->plugins = optarg; break;
		case 'h': fputs(usage, stdout); exit(0);
		default: return -1;
		}
	}
	o->types = types >= 0 ? types : o->device ? 2 : 3;
	if (o->device ? o->types == 3 : o->plugins != NULL)
		return -1;
	return o->count >= 1 && o->threads >= 1 && o->types && o->budget >= 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
	static char *standard[] = { "different",
		                        "different:128",
		                        "pattern:bcsstk06",
		                        "pattern:gr_30_30",
		                        "pattern:bcsstk01",
		                        "pattern:LFAT5",
		                        "each:random:rows=200,cols=200" };
	options o;
	bench_results results = { 0 };
	int status = 0;
	bench_shorten_spins(argv);
	if (parse(argc, argv, &o)) {
		fputs(usage, stderr);
		return 2;
	}
	char **spec = argc > optind ? argv + optind : standard;
	int count = argc > optind ? argc - optind : (int)(sizeof standard / sizeof *standard);
	if (o.device) {
		const bench_device_wishes wishes = {
			.device = o.device,
			.formats = o.contenders ? o.contenders : "all",
			.peers = o.contenders ? o.contenders : "all",
			.type = o.types == 1 ? "f32" : "f64",
			.plugins = o.plugins,
			.seconds = o.budget,
			.json = o.json,
			.batch = 1,
			.argc = argc,
			.argv = argv,
		};
		return bench_batch_device(&wishes, spec, count, o.count);
	}
	if (bench_load_own_plugins("competitors"))
		return 2;
	omp_set_num_threads(o.threads);
	printf("%" PRId64 " problems per batch; y += A x\n\n", o.count);
	for (int n = 0; n < count; n++)
		for (int f32 = 0; f32 < 2; f32++)
			if (o.types & (f32 ? 1 : 2))
				status |= one_batch(spec[n], f32, &o, &results);
	if (o.json && bench_write_json(o.json, &results, bench_protocol_at(0), argc, argv))
		status = -1;
	int wrong = bench_count_wrong(&results);
	free(results.row);
	return status ? 2 : wrong > 0;
}
