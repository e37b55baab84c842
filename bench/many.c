/* many.c -- tulle-many: several vectors at once, against as many single products and the peers.
 *
 * All run in one process, in turn, as in tulle-compare. Vector v is the first one times a power of
 * two, so that one oracle checks all of them. */
#include "check.h"
#include "json.h"
#include "memory.h"
#include "ours.h"
#include "plain.h"
#include "tasks.h"

#include <getopt.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VECTORS = 64, MAX_RUNNERS = 64 };

typedef struct {
	const char *suite, *formats, *json;
	int vectors, threads, f32;
	double budget;
} options;

static const char usage[] =
    "usage: tulle-many [OPTIONS] [--suite NAME | MATRIX...]\n"
    "\n"
    "  --vectors K     how many at once, 1 to 64 (default 8)\n"
    "  --type f32|f64  of values and vectors (default f64)\n"
    "  --suite NAME    quick (default), or others: papers,real\n"
    "  --formats LIST  formats by name, separated by blanks (default \"csr auto\"); auto, "
    "measure:\n"
    "                  the one that the planner chooses for this number of vectors\n"
    "  --threads N     (default: one for each core)\n"
    "  --seconds S     time for the samples of one matrix (default 2)\n"
    "  --json FILE     write the results there, too\n"
    "\n"
    "Prints milliseconds; `./dev bench many` with the same options also prints "
    "ratios and means.\n";

/* ---- contenders ------------------------------------------------------------------------------ */

/* The x of all contenders: row-major, then the same vectors column-major. y is as long as one of
 * them. */
typedef struct {
	tulle_plan *plan;
	int64_t rows, cols;
	int vectors;
	size_t element;
} ours;

static void *prepare(const bench_problem *p, const char *format)
{
	ours *s = malloc(sizeof *s);
	tulle_context_options context = { .size = sizeof context, .threads = p->threads };
	if (!s)
		return NULL;
	*s = (ours){ bench_ours_plan(p->a, &context, format, p->vectors), p->a->rows, p->a->cols,
		         p->vectors, bench_element(p->a) };
	if (s->plan)
		return s;
	free(s);
	return NULL;
}

/* Vector v of x, column-major. */
static const void *column_of(const ours *s, const void *x, int v)
{
	return (const char *)x + (size_t)((s->vectors + v) * s->cols) * s->element;
}

static int multiply_many(const ours *s, tulle_order order, const void *x, int64_t ldx, void *y,
                         int64_t ldy)
{
	return s->element == sizeof(float)
	           ? tulle_mul_many_f32(s->plan, s->vectors, order, 1, x, ldx, 0, y, ldy)
	           : tulle_mul_many_f64(s->plan, s->vectors, order, 1, x, ldx, 0, y, ldy);
}

static int multiply_single(const ours *s, const void *x, void *y)
{
	return s->element == sizeof(float) ? tulle_mul_f32(s->plan, 1, x, 0, y)
	                                   : tulle_mul_f64(s->plan, 1, x, 0, y);
}

static int multiply_rows(void *state, const double *x, double *y)
{
	const ours *s = state;
	return multiply_many(s, TULLE_ROW_MAJOR, x, s->vectors, y, s->vectors) != TULLE_OK;
}

static int multiply_columns(void *state, const double *x, double *y)
{
	const ours *s = state;
	return multiply_many(s, TULLE_COLUMN_MAJOR, column_of(s, x, 0), s->cols, y, s->rows) !=
	       TULLE_OK;
}

static int multiply_singles(void *state, const double *x, double *y)
{
	const ours *s = state;
	int failed = 0;
	for (int v = 0; v < s->vectors; v++)
		failed |= multiply_single(s, column_of(s, x, v),
		                          (char *)y + (size_t)(v * s->rows) * s->element) != TULLE_OK;
	return failed;
}

static int multiply_one(void *state, const double *x, double *y)
{
	const ours *s = state;
	return multiply_single(s, column_of(s, x, 0), y) != TULLE_OK;
}

static size_t bytes(const void *state)
{
	(void)state;
	return 0;
}

static void release(void *state)
{
	tulle_plan_destroy(((ours *)state)->plan);
	free(state);
}

enum { MANY = BENCH_MANY | BENCH_F64 | BENCH_F32 };
static const bench_competitor one = { "one", MANY, prepare, multiply_one, bytes, release, NULL };
static const bench_competitor ways[] = {
	{ "singles", MANY, prepare, multiply_singles, bytes, release, NULL },
	{ "rows", MANY, prepare, multiply_rows, bytes, release, NULL },
	{ "columns", MANY, prepare, multiply_columns, bytes, release, NULL },
};
enum { SINGLES, ROWS, COLUMNS, WAYS };

typedef struct {
	char name[BENCH_NAME], variant[BENCH_NAME];
	const bench_competitor *table;
	int vectors, columns; /* how many it multiplies; its y is column-major */
} entrant;

typedef struct {
	entrant item[MAX_RUNNERS];
	int count;
} field;

/* Always present, in this order; then one product, three ways of each format, and the peers. */
enum { PLAIN, READ, FIRST };

static void add(field *f, const char *name, const char *variant, const bench_competitor *table,
                int vectors, int columns)
{
	if (f->count == MAX_RUNNERS)
		return;
	entrant *e = &f->item[f->count++];
	*e = (entrant){ .table = table, .vectors = vectors, .columns = columns };
	snprintf(e->name, sizeof e->name, "%s", name);
	snprintf(e->variant, sizeof e->variant, "%s", variant);
}

static void assemble(field *f, const options *o)
{
	char name[BENCH_NAME], list[256], *rest;
	const bench_competitor *peer;
	const int type = o->f32 ? BENCH_F32 : BENCH_F64;
	add(f, "plain", "", &bench_plain_many, o->vectors, 0);
	add(f, "read", "", &bench_read, 0, 0);
	add(f, "one", "csr", &one, 1, 1);
	snprintf(list, sizeof list, "%s", o->formats);
	for (char *w = strtok_r(list, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		for (int way = 0; way < WAYS; way++) {
			snprintf(name, sizeof name, "tulle:%.60s:%s", w, ways[way].name);
			add(f, name, w, &ways[way], o->vectors, way != ROWS);
		}
	for (int n = 0; (peer = bench_plugin_at(BENCH_MANY | type, n)); n++)
		add(f, peer->name, "", peer, o->vectors, 0);
	for (int n = 0; (peer = bench_plugin_at(BENCH_COLUMNS | type, n)); n++) {
		snprintf(name, sizeof name, "%.60s:columns", peer->name);
		add(f, name, "", peer, o->vectors, 1);
	}
}

/* ---- one matrix ------------------------------------------------------------------------------ */

typedef struct {
	bench_matrix a;
	float *narrowed;        /* the values of `a` where they are floats */
	double *x, *y, *column; /* floats then, too */
	kit_oracle *oracle;
	bench_runner run[MAX_RUNNERS];
	double convert[MAX_RUNNERS];
} scene;

/* The factor of vector v: exact, and small enough for floats. */
static double scale(int v)
{
	return ldexp(v % 2 ? -1.0 : 1.0, v / 2 - MAX_VECTORS / 4);
}

static double get(const scene *s, const double *vector, int64_t i)
{
	return s->narrowed ? (double)((const float *)(const void *)vector)[i] : vector[i];
}

static void set(const scene *s, double *vector, int64_t i, double value)
{
	if (s->narrowed)
		((float *)(void *)vector)[i] = (float)value;
	else
		vector[i] = value;
}

static int narrow(scene *s)
{
	s->narrowed = bench_array(s->a.nnz + 1, sizeof(float));
	for (int64_t n = 0; s->narrowed && n < s->a.nnz; n++)
		s->narrowed[n] = (float)s->a.val[n];
	s->a.val_f32 = s->narrowed;
	return s->narrowed ? 0 : -1;
}

static int set_up(scene *s, const options *o)
{
	const int k = o->vectors;
	if (o->f32 && narrow(s))
		return -1;
	const int64_t rows = s->a.rows, cols = s->a.cols;
	const size_t element = bench_element(&s->a);
	s->x = bench_array(2 * k * cols, element);
	s->y = bench_array(k * rows, element);
	s->column = bench_array(rows > cols ? rows : cols, element);
	if (!s->x || !s->y || !s->column)
		return -1;
	kit_random_fill(KIT_UNIFORM, 1, o->f32 ? TULLE_F32 : TULLE_F64, cols, s->column);
	for (int64_t j = 0; j < cols; j++)
		for (int v = 0; v < k; v++) {
			const double scaled = scale(v) * get(s, s->column, j);
			set(s, s->x, j * k + v, scaled);
			set(s, s->x, (k + v) * cols + j, scaled);
		}
	s->oracle = bench_oracle(&s->a, s->column);
	return s->oracle ? 0 : -1;
}

static void tear_down(scene *s, int count)
{
	for (int n = 0; n < count; n++)
		if (s->run[n].state)
			s->run[n].table->release(s->run[n].state);
	kit_oracle_free(s->oracle);
	free(s->x);
	free(s->y);
	free(s->column);
	free(s->narrowed);
}

/* The largest ratio of error to bound of all vectors, starting from a Y full of NaN. */
static double error_of(scene *s, bench_runner *r, int64_t rows, int k, int columns)
{
	double worst = 0;
	for (int64_t i = 0; i < k * rows; i++)
		set(s, s->y, i, NAN);
	r->failed |= r->table->multiply(r->state, s->x, s->y);
	for (int v = 0; v < k; v++) {
		for (int64_t i = 0; i < rows; i++)
			set(s, s->column, i, get(s, s->y, columns ? v * rows + i : i * k + v) / scale(v));
		double error = kit_oracle_check(s->oracle, s->column).worst;
		if (!(error <= worst))
			worst = error;
	}
	return worst;
}

/* The result rows of one matrix; reading, which is the speed limit, has no row. */
static int add_rows(const field *f, scene *s, const bench_loaded *m, int threads,
                    bench_results *results)
{
	const bench_runner *plain = &s->run[PLAIN];
	const bench_unit unit = { plain->best, s->run[READ].best, (double)bench_matrix_bytes(&s->a),
		                      plain->disturbed };
	for (int n = 0; n < f->count; n++) {
		const entrant *e = &f->item[n];
		bench_row *row = n == READ ? NULL : bench_results_add(results, m, e->name, threads);
		if (!row && n != READ)
			return -1;
		if (!row || !s->run[n].state)
			continue;
		row->vectors = e->vectors;
		row->f32 = s->narrowed != NULL;
		double error = error_of(s, &s->run[n], m->a.rows, e->vectors, e->columns);
		bench_row_fill(row, &s->run[n], s->convert[n], error, &unit);
	}
	return 0;
}

/* -1 when memory is short. */
static int measure(const field *f, const options *o, const bench_loaded *m, bench_results *results)
{
	static scene s; /* large */
	const bench_problem problem = { .a = &s.a, .vectors = o->vectors, .threads = o->threads };
	s = (scene){ .a = m->a };
	int status = set_up(&s, o);
	for (int n = 0; n < f->count && !status; n++) {
		const entrant *e = &f->item[n];
		double start = bench_now();
		s.run[n] = (bench_runner){ .table = e->table };
		s.run[n].state = e->table->prepare(&problem, e->variant);
		s.convert[n] = bench_now() - start;
		if (n < FIRST && !s.run[n].state)
			status = -1;
	}
	if (!status)
		status = bench_sample(s.run, f->count, s.x, s.y, bench_protocol_at(0), o->budget);
	if (!status)
		status = add_rows(f, &s, m, o->threads, results);
	tear_down(&s, f->count);
	return status;
}

/* ---- all matrices ---------------------------------------------------------------------------- */

static int parse(int argc, char **argv, options *o)
{
	static const struct option known[] = {
		{ "vectors", 1, NULL, 'v' }, { "suite", 1, NULL, 's' },   { "formats", 1, NULL, 'f' },
		{ "threads", 1, NULL, 't' }, { "seconds", 1, NULL, 'b' }, { "json", 1, NULL, 'j' },
		{ "type", 1, NULL, 'y' },    { "help", 0, NULL, 'h' },    { NULL, 0, NULL, 0 },
	};
	*o = (options){
		.formats = "csr auto", .vectors = 8, .threads = omp_get_max_threads(), .budget = 2
	};
	for (int c; (c = getopt_long(argc, argv, "", known, NULL)) >= 0;) {
		switch (c) {
		case 'v': o->vectors = atoi(optarg); break;
		case 'y':
			o->f32 = !strcmp(optarg, "f32");
			if (!o->f32 && strcmp(optarg, "f64"))
				return -1;
			break;
		case 's': o->suite = optarg; break;
		case 'f': o->formats = optarg; break;
		case 't': o->threads = atoi(optarg); break;
		case 'b': o->budget = atof(optarg); break;
		case 'j': o->json = optarg; break;
		case 'h': fputs(usage, stdout); exit(0);
		default: return -1;
		}
	}
	return o->vectors >= 1 && o->vectors <= MAX_VECTORS && o->threads >= 1 && o->budget >= 0 &&
	               !(o->suite && optind < argc)
	           ? 0
	           : -1;
}

int main(int argc, char **argv)
{
	static field f; /* large */
	options o;
	bench_suite suite = { 0 };
	bench_results results = { 0 };
	int status = 0;
	bench_shorten_spins(argv);
	if (parse(argc, argv, &o)) {
		fputs(usage, stderr);
		return 2;
	}
	if (bench_load_own_plugins("competitors") ||
	    bench_suite_choose(o.suite, argv + optind, argc - optind, &suite))
		return 2;
	omp_set_num_threads(o.threads);
	assemble(&f, &o);
	printf("%d vectors, %s; one: a single product\n\n", o.vectors, o.f32 ? "f32" : "f64");
	for (int n = 0; n < suite.count; n++) {
		bench_loaded m;
		int left_out = bench_load(&suite.item[n], &m), before = results.count;
		status |= left_out < 0;
		if (left_out)
			continue;
		if (measure(&f, &o, &m, &results)) {
			results.count = before;
			status = 1;
		} else {
			bench_print_matrix(&results, before);
		}
		bench_unload(&m);
	}
	if (o.json && bench_write_json(o.json, &results, bench_protocol_at(0), argc, argv))
		status = 1;
	int wrong = bench_count_wrong(&results);
	bench_suite_free(&suite);
	free(results.row);
	return status ? 2 : wrong > 0;
}
