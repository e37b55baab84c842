/* batch.c -- tulle-batch: thousands of small matrices at once, against loops over peers.
 *
 * All in one process, in turn, as tulle-compare does it; y_i += A_i x_i. Every contender's first y is
 * checked against sums in 113 bits. */
#include "batch_cases.h"
#include "batch_plain.h"
#include "contenders.h"
#include "json_run.h"
#include "json_text.h"
#include "kit.h"
#include "memory.h"
#include "plain.h"
#include "timing.h"
#include "tulle.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RUNNERS = 32, MAX_ROWS = 4096 };

typedef struct {
	const char *json, *contenders;
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
    "  --type f32|f64|both  (default both)\n"
    "  --contenders LIST    names, separated by commas (default: all)\n"
    "  --seconds S          time for the samples of one batch (default 4)\n"
    "  --explain            what tulle:auto says about each batch\n"
    "  --json FILE          results, keys as tulle-compare has them\n"
    "\n"
    "Real matrices are read from the folder $TULLE_MATRICES.\n";

/* One line of the results. */
typedef struct {
	char matrix[96], contender[48];
	const char *type;
	int64_t problems, rows, cols, nnz;
	int threads, disturbed, wrong;
	double seconds_best, seconds_median, plain_ratio, convert_plain, error_over_bound;
	double stored_bytes, stored_share, moved_share, bandwidth_share;
} line;

static struct {
	line item[MAX_ROWS];
	int count;
} results;

/* ---- one batch ------------------------------------------------------------------------------- */

typedef struct {
	const bench_batch_competitor *table[MAX_RUNNERS];
	bench_competitor shim[MAX_RUNNERS]; /* what bench_sample() knows: multiply() */
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
	/* The better of the two counts, so both are measured. */
	return !strncmp(name, "mkl-omp-", 8) && wanted(list, "mkl-omp");
}

static void add_table(scene *s, const options *o, const bench_batch_competitor *t)
{
	if (wanted(o->contenders, t->name) && s->count < MAX_RUNNERS)
		s->table[s->count++] = t;
}

static void assemble(scene *s, const options *o)
{
	const bench_batch_competitor *t;
	for (int n = 0; (t = bench_batch_plugin_at(n)); n++)
		add_table(s, o, t);
	for (t = bench_batch_plain; t->name; t++)
		add_table(s, o, t);
	for (t = bench_batch_ours; t->name; t++)
		add_table(s, o, t);
}

/* All problems as the blocks of one matrix: one oracle judges them all. */
static kit_oracle *oracle_of(const bench_case *c)
{
	const bench_batch *b = &c->b;
	int64_t *row_ptr = bench_array(b->total_rows + 1, sizeof *row_ptr);
	int64_t *col = bench_array(b->total_nnz, sizeof *col), row = 0, k = 0;
	kit_oracle *oracle = NULL;
	if (row_ptr && col) {
		for (int64_t i = 0; i < b->count; i++)
			for (int64_t r = 0; r < b->rows[i]; r++) {
				const int32_t *p = b->row_ptr + b->row_at[i] + r;
				row_ptr[row++] = k;
				for (int32_t n = p[0]; n < p[1]; n++)
					col[k++] = b->col[b->col_at[i] + n] + b->x_at[i];
			}
		row_ptr[row] = k;
		oracle = kit_oracle_create(&(tulle_csr_view){ .size = sizeof(tulle_csr_view),
		                                              .rows = b->total_rows,
		                                              .cols = b->total_cols,
		                                              .nnz = b->total_nnz,
		                                              .offset_type = TULLE_I64,
		                                              .column_type = TULLE_I64,
		                                              .value_type = b->f32 ? TULLE_F32 : TULLE_F64,
		                                              .row_ptr = row_ptr,
		                                              .col = col,
		                                              .val = b->val },
		                           TULLE_NORMAL, 1, c->x, 1, c->y0);
	}
	free(col);
	free(row_ptr);
	return oracle;
}

static size_t csr_bytes(const bench_batch *b)
{
	size_t value = b->f32 ? sizeof(float) : sizeof(double);
	int64_t patterns = b->one_pattern ? 1 : b->count, each = b->count ? b->count : 1;
	return (size_t)b->total_nnz * value +
	       (size_t)(b->total_nnz / each * patterns + (b->total_rows + b->count) / each * patterns) *
	           sizeof(int32_t);
}

/* Those that would not are left out. */
static void prepare(scene *s, const bench_case *c, int threads)
{
	int there = 0;
	for (int n = 0; n < s->count; n++) {
		double start = bench_now();
		void *state = s->table[n]->prepare(&c->b, threads, "");
		double seconds = bench_now() - start;
		if (!state)
			continue;
		s->table[there] = s->table[n];
		s->convert[there] = seconds;
		s->shim[there] =
		    (bench_competitor){ .name = s->table[n]->name, .multiply = s->table[n]->multiply };
		s->run[there] = (bench_runner){ .table = &s->shim[there], .state = state };
		there++;
	}
	s->count = there;
}

static int find(const scene *s, const char *name)
{
	for (int n = 0; n < s->count; n++)
		if (!strcmp(s->table[n]->name, name))
			return n;
	return -1;
}

/* What reading alone takes: the CSR arrays' bytes, and those that tulle:auto stores. */
static int add_reader(bench_runner *r, size_t bytes, int threads)
{
	*r = (bench_runner){ .table = &bench_read, .state = bench_read_prepare(bytes, threads) };
	return r->state ? 0 : -1;
}

static int measure(scene *s, bench_case *c, const options *o)
{
	size_t size = c->b.f32 ? sizeof(float) : sizeof(double);
	size_t y_bytes = (size_t)c->b.total_rows * size;
	kit_oracle *oracle = oracle_of(c);
	double *y = bench_array(c->b.total_rows + 1, size);
	int ours = find(s, "tulle:auto"), readers = 0, status = oracle && y ? 0 : -1;
	for (int n = 0; n < s->count && !status; n++) {
		memcpy(y, c->y0, y_bytes);
		s->run[n].failed |= s->run[n].table->multiply(s->run[n].state, c->x, y);
		s->error[n] = kit_oracle_check(oracle, y).worst;
	}
	kit_oracle_free(oracle);
	if (!status && !add_reader(&s->run[s->count], csr_bytes(&c->b), o->threads))
		readers++;
	if (!status && ours >= 0 && readers &&
	    !add_reader(&s->run[s->count + 1], s->table[ours]->bytes(s->run[ours].state), o->threads))
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

static int keep(const scene *s, int n, const bench_case *c, const options *o, const char *name)
{
	const bench_runner *r = &s->run[n];
	double plain = plain_seconds(s), stored = (double)s->table[n]->bytes(r->state);
	int ours = find(s, "tulle:auto");
	double auto_bytes = ours >= 0 ? (double)s->table[ours]->bytes(s->run[ours].state) : 0;
	if (results.count == MAX_ROWS)
		return 0;
	line *l = &results.item[results.count++];
	*l = (line){ .type = c->b.f32 ? "f32" : "f64",
		         .problems = c->b.count,
		         .rows = c->b.total_rows,
		         .cols = c->b.total_cols,
		         .nnz = c->b.total_nnz,
		         .threads = o->threads,
		         .disturbed = r->disturbed,
		         .wrong = !(s->error[n] <= 1) || r->failed,
		         .seconds_best = r->best,
		         .seconds_median = r->median,
		         .plain_ratio = plain / r->best,
		         .convert_plain = s->convert[n] / plain,
		         .error_over_bound = s->error[n],
		         .stored_bytes = stored,
		         .bandwidth_share = s->csr_read / r->best,
		         /* in proportion, where others store a little more or less */
		         .stored_share =
		             auto_bytes > 0 ? s->stored_read * stored / auto_bytes / r->best : 0 };
	if (stored > 0)
		l->moved_share =
		    l->stored_share * (1 + (double)(l->rows + l->cols) * (c->b.f32 ? 4.0 : 8.0) / stored);
	snprintf(l->matrix, sizeof l->matrix, "%s", c->name);
	snprintf(l->contender, sizeof l->contender, "%s", name);
	return l->wrong;
}

static double best_of(const scene *s, const char *name, const char *or_name)
{
	int a = find(s, name), b = find(s, or_name);
	double best = a >= 0 ? s->run[a].best : INFINITY;
	return b >= 0 ? fmin(best, s->run[b].best) : best;
}

static int report(const scene *s, const bench_case *c, const options *o)
{
	const bench_batch *b = &c->b;
	double mkl = best_of(s, "mkl-omp-raw", "mkl-omp-opt"), opt = best_of(s, "mkl-opt-loop", "");
	double wide = best_of(s, "avx512-omp", "");
	int wrong = 0, raw = find(s, "mkl-omp-raw"), other = find(s, "mkl-omp-opt");
	printf("%s, %s: %" PRId64 " problems of %" PRId64
	       " matrices, %.0f rows and %.0f nonzeros in the "
	       "mean\n",
	       c->name, b->f32 ? "f32" : "f64", b->count, c->kinds,
	       (double)b->total_rows / (double)b->count, (double)b->total_nnz / (double)b->count);
	printf("  %-18s %11s %9s %9s %10s %11s %7s %9s\n", "", "us/problem", "/mkl-omp", "/opt-loop",
	       "/avx512", "GFlop/s", "share", "+ x, y");
	for (int n = 0; n < s->count; n++) {
		const bench_runner *r = &s->run[n];
		wrong += keep(s, n, c, o, s->table[n]->name);
		const line *l = &results.item[results.count - 1];
		printf("  %-18s %10.3f%c %9.2f %9.2f %10.2f %11.2f %7.2f %9.2f%s\n", l->contender,
		       1e6 * r->best / (double)b->count, r->disturbed ? '?' : ' ', mkl / r->best,
		       opt / r->best, wide / r->best, 2e-9 * (double)b->total_nnz / r->best,
		       l->stored_share, l->moved_share, l->wrong ? " WRONG" : "");
	}
	if (raw >= 0 && other >= 0)
		wrong += keep(s, s->run[raw].best < s->run[other].best ? raw : other, c, o, "mkl-omp");
	int ours = find(s, "tulle:auto");
	if (o->explain && ours >= 0)
		printf("%s", bench_batch_explain(s->table[ours], s->run[ours].state));
	printf("\n");
	fflush(stdout);
	return wrong;
}

static int one_batch(const char *spec, int f32, const options *o)
{
	static scene s; /* large */
	bench_case c;
	int status = bench_case_make(spec, o->count, f32, &c);
	if (status > 0)
		printf("%s: left out, $TULLE_MATRICES does not have it\n\n", spec);
	if (status)
		return status < 0 ? 2 : 0;
	memset(&s, 0, sizeof s);
	assemble(&s, o);
	prepare(&s, &c, o->threads);
	status = measure(&s, &c, o) ? 2 : report(&s, &c, o) > 0;
	for (int n = 0; n < s.count; n++)
		s.table[n]->release(s.run[n].state);
	bench_case_free(&c);
	return status;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void write_line(FILE *out, const line *l)
{
	json_text(out, "    {", "matrix", l->matrix, ", ");
	json_text(out, "", "contender", l->contender, ", ");
	json_text(out, "", "type", l->type, ", ");
	fprintf(out,
	        "\"problems\": %" PRId64 ", \"rows\": %" PRId64 ", \"cols\": %" PRId64
	        ", \"nnz\": %" PRId64 ", \"threads\": %d, \"disturbed\": %s, ",
	        l->problems, l->rows, l->cols, l->nnz, l->threads, l->disturbed ? "true" : "false");
	json_number(out, "seconds_best", l->seconds_best, ", ");
	json_number(out, "seconds_median", l->seconds_median, ", ");
	json_number(out, "gflops", 2e-9 * (double)l->nnz / l->seconds_best, ", ");
	json_number(out, "gbytes_per_s", 1e-9 * l->stored_bytes / l->seconds_best, ", ");
	json_number(out, "plain_ratio", l->plain_ratio, ", ");
	json_number(out, "convert_plain", l->convert_plain, ", ");
	json_number(out, "bytes_per_nnz", l->stored_bytes / (double)l->nnz, ", ");
	json_number(out, "bandwidth_share", l->bandwidth_share, ", ");
	json_number(out, "stored_share", l->stored_share, ", ");
	json_number(out, "moved_share", l->moved_share, ", ");
	json_number(out, "error_over_bound", l->error_over_bound, "}");
}

static int write_json(const options *o, int argc, char **argv)
{
	FILE *out = fopen(o->json, "w");
	if (!out) {
		perror(o->json);
		return -1;
	}
	fputs("{\n  \"run\": {\n", out);
	bench_json_run(out, argc, argv);
	fprintf(out, "    \"problems\": %" PRId64 "\n  },\n  \"results\": [\n", o->count);
	for (int n = 0; n < results.count; n++) {
		write_line(out, &results.item[n]);
		fputs(n + 1 < results.count ? ",\n" : "\n", out);
	}
	fputs("  ]\n}\n", out);
	return fclose(out);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int parse(int argc, char **argv, options *o)
{
	static const struct option known[] = {
		{ "count", 1, NULL, 'n' },   { "threads", 1, NULL, 't' }, { "type", 1, NULL, 'y' },
		{ "seconds", 1, NULL, 'b' }, { "json", 1, NULL, 'j' },    { "contenders", 1, NULL, 'c' },
		{ "explain", 0, NULL, 'e' }, { "help", 0, NULL, 'h' },    { NULL, 0, NULL, 0 },
	};
	*o = (options){ .count = 10000, .threads = omp_get_max_threads(), .types = 3, .budget = 4 };
	for (int c; (c = getopt_long(argc, argv, "", known, NULL)) >= 0;) {
		switch (c) {
		case 'n': o->count = atoll(optarg); break;
		case 't': o->threads = atoi(optarg); break;
		case 'y':
			o->types = !strcmp(optarg, "f32")    ? 1
			           : !strcmp(optarg, "f64")  ? 2
			           : !strcmp(optarg, "both") ? 3
			                                     : 0;
			break;
		case 'b': o->budget = atof(optarg); break;
		case 'j': o->json = optarg; break;
		case 'c': o->contenders = optarg; break;
		case 'e': o->explain = 1; break;
		case 'h': fputs(usage, stdout); exit(0);
		default: return -1;
		}
	}
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
	int status = 0;
	if (parse(argc, argv, &o)) {
		fputs(usage, stderr);
		return 2;
	}
	char **spec = argc > optind ? argv + optind : standard;
	int count = argc > optind ? argc - optind : (int)(sizeof standard / sizeof *standard);
	if (bench_load_own_plugins())
		return 2;
	omp_set_num_threads(o.threads);
	printf("%d threads, %" PRId64 " problems a batch; y += A x; / is how many times as fast\n\n",
	       o.threads, o.count);
	for (int n = 0; n < count; n++)
		for (int f32 = 0; f32 < 2; f32++)
			if (o.types & (f32 ? 1 : 2)) {
				int s = one_batch(spec[n], f32, &o);
				status = s > status ? s : status;
			}
	if (o.json && write_json(&o, argc, argv))
		status = 2;
	return status;
}
