/* measure.c -- one matrix: times and checks all contenders. */
#include "measure.h"

#include "check.h"
#include "memory.h"
#include "ours.h"
#include "plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runners that are always present come first. */
enum { SERIAL, OPENMP, READ, CHECK, FIRST };

enum { CONVERSIONS = 3 }; /* the least of this many, if they are short */
#define QUICK_CONVERSION 0.05

/* Part of the seconds per matrix that is spent on its share of bandwidth. */
#define SHARE_SECONDS 0.3

/* A group of contenders holds at most this share of the memory that is free when it begins. */
#define WISE_SHARE 0.75

/* Memory that a conversion may need for its result and temporarily, as a multiple of the bytes of the
 * CSR arrays. */
#define CONVERSION_NEEDS 4.0

typedef struct {
	bench_runner run[FIRST + BENCH_MAX_CONTENDERS]; /* state NULL: refused */
	double convert[FIRST + BENCH_MAX_CONTENDERS];
	double error[FIRST + BENCH_MAX_CONTENDERS];
	char reason[FIRST + BENCH_MAX_CONTENDERS][sizeof((bench_row *)0)->reason];
	int count;
	double *x, *y;
	kit_oracle *oracle;
} field;

/* A conversion is timed cold, as in an application; short ones are repeated and the least time is used,
 * because of noise. */
static void prepare(field *f, const bench_competitor *table, const bench_matrix *a, int threads,
                    const char *variant)
{
	const bench_problem problem = { .a = a, .threads = threads };
	int c = f->count++;
	f->error[c] = 0;
	f->reason[c][0] = 0;
	f->run[c] = (bench_runner){ .table = table };
	for (int n = 0; n < CONVERSIONS; n++) {
		if (f->run[c].state)
			table->release(f->run[c].state);
		double start = bench_now();
		f->run[c].state = table->prepare(&problem, variant);
		double seconds = bench_now() - start;
		if (!n || seconds < f->convert[c])
			f->convert[c] = seconds;
		if (!f->run[c].state || seconds > QUICK_CONVERSION)
			break;
	}
	if (!f->run[c].state && table == &bench_ours)
		snprintf(f->reason[c], sizeof f->reason[c], "%s", tulle_last_error());
}

static void check_all(field *f, int64_t rows)
{
	for (int c = 0; c < f->count; c++) {
		if (c == READ || c == CHECK || !f->run[c].state)
			continue;
		double error = bench_error(&f->run[c], f->oracle, rows, f->x, f->y);
		if (!(error <= f->error[c]))
			f->error[c] = error;
	}
}

/* Bytes that a user must keep to multiply: for a converted format, without the CSR arrays. */
static double held(const bench_runner *r, const bench_matrix *a)
{
	return (double)(r->table == &bench_ours ? bench_ours_held(r->state, a)
	                                        : r->table->bytes(r->state));
}

/* The description of our plan. */
static void describe_ours(bench_row *row, const void *state, double plain)
{
	row->planned = bench_ours_chose(row->contender + strlen("tulle:"));
	row->planning_plain = bench_ours_planning(state, row->choice, sizeof row->choice) / plain;
	bench_ours_note(state, row->note, sizeof row->note);
}

/* What all rows of a group have in common. */
typedef struct {
	const bench_loaded *m;
	int threads, number;
	bench_unit unit;
} group;

/* The row of runner c. */
static int add_row(const field *f, int c, const char *name, const group *g, bench_results *results)
{
	const bench_runner *r = &f->run[c];
	bench_row *row = bench_results_add(results, g->m, name, g->threads);
	if (!row)
		return -1;
	row->group = g->number;
	row->ours = r->table == &bench_ours;
	memcpy(row->reason, f->reason[c], sizeof row->reason);
	if (!r->state)
		return 0;
	bench_row_fill(row, r, f->convert[c], f->error[c], &g->unit);
	row->memory_over_csr = held(r, &g->m->a) / g->unit.csr_bytes - 1;
	if (row->ours)
		describe_ours(row, r->state, g->unit.plain);
	return 0;
}

/* The rows of one group, `contender` being its first. The first group also gives plain its row. */
static int add_rows(const field *f, const bench_loaded *m, const bench_contender *contender,
                    int threads, int number, bench_results *results)
{
	int best = f->run[OPENMP].best < f->run[SERIAL].best ? OPENMP : SERIAL;
	/* Without the disturbance, either may have been faster. */
	int disturbed = f->run[SERIAL].disturbed | f->run[OPENMP].disturbed;
	const bench_unit unit = { f->run[best].best, f->run[READ].best,
		                      (double)bench_matrix_bytes(&m->a), disturbed };
	const group g = { m, threads, number, unit };
	if (number == 1 && add_row(f, best, "plain", &g, results))
		return -1;
	for (int c = FIRST; c < f->count; c++)
		if (add_row(f, c, contender[c - FIRST].name, &g, results))
			return -1;
	if (number == 1 && !f->run[CHECK].disturbed && !disturbed) {
		results->check_plain += f->run[CHECK].best / unit.plain;
		results->checks++;
	}
	return 0;
}

/* ---- share of read bandwidth ----------------------------------------------------------------- */

/* Is this row of ours better than that one, or than none (NULL)? A plan that chose its format
 * multiplies like the contender that names this format, so it counts only if none was named. */
static int beats(const bench_row *row, const bench_row *best)
{
	if (!best || row->planned != best->planned)
		return !best || best->planned;
	return row->plain_ratio > best->plain_ratio;
}

/* The best of ours in a group of rows, NULL when none counts. */
static bench_row *best_of_ours(bench_row *row, const bench_row *end)
{
	bench_row *best = NULL;
	for (; row < end; row++)
		if (row->ours && row->verdict == BENCH_RIGHT && beats(row, best))
			best = row;
	return best;
}

static double share(const bench_runner *reading, const bench_runner *r)
{
	return reading->disturbed | r->disturbed ? 0 : reading->best / r->best;
}

/* Where bandwidth is the limit, the best of ours is timed once more, in turn with reading as many bytes
 * as it stores, and as it moves: because of caches, the speed of reading depends on the number of
 * bytes. */
static int measure_share(const field *f, const bench_loaded *m, int threads,
                         const bench_effort *effort, bench_row *first, const bench_row *end)
{
	bench_row *best = m->bound ? best_of_ours(first, end) : NULL;
	if (!best)
		return 0;
	/* The last rows are those of the runners from FIRST on. */
	bench_runner run[3] = { f->run[f->count - (end - best)] };
	size_t stored = bench_ours.bytes(run[0].state);
	size_t vectors = (size_t)(m->a.rows + m->a.cols) * sizeof(double);
	for (int n = 1; n < 3; n++) {
		run[n].table = &bench_read;
		run[n].state = bench_read_prepare(n == 1 ? stored : stored + vectors, threads);
	}
	int status = -1;
	if (run[1].state && run[2].state)
		status =
		    bench_sample(run, 3, f->x, f->y, effort->protocol, SHARE_SECONDS * effort->seconds);
	if (!status) {
		best->stored_share = share(&run[1], &run[0]);
		best->moved_share = share(&run[2], &run[0]);
	}
	for (int n = 1; n < 3; n++)
		bench_read.release(run[n].state);
	return status;
}

/* ---- one matrix ------------------------------------------------------------------------------ */

static double *vector(int64_t n)
{
	return bench_array(n, sizeof(double));
}

static int set_up(field *f, const bench_matrix *a)
{
	f->x = vector(a->cols);
	f->y = vector(a->rows);
	if (!f->x || !f->y)
		return -1;
	kit_random_fill(KIT_UNIFORM, 1, TULLE_F64, a->cols, f->x);
	f->oracle = bench_oracle(a, f->x);
	return f->oracle ? 0 : -1;
}

/* Is there memory to prepare one more contender in this group? */
static int fits(const bench_matrix *a, double held, double limit)
{
	return held + CONVERSION_NEEDS * (double)bench_matrix_bytes(a) <= limit;
}

/* Prepares contenders from `first` on, at least one and no more than fit in memory together. Returns
 * the first of the next group. */
static int prepare_group(field *f, const bench_matrix *a, const bench_contenders *contenders,
                         int first, int threads, double memory)
{
	double before = bench_memory_held();
	double limit = memory < 0 ? WISE_SHARE * bench_memory_free() : memory;
	int n = first;
	while (n < contenders->count && (n == first || fits(a, bench_memory_held() - before, limit))) {
		const bench_contender *c = &contenders->item[n++];
		prepare(f, c->table, a, threads, c->variant);
	}
	return n;
}

static void release_from(field *f, int first)
{
	for (int c = first; c < f->count; c++)
		if (f->run[c].state)
			f->run[c].table->release(f->run[c].state);
	f->count = first;
}

static void tear_down(field *f)
{
	release_from(f, 0);
	kit_oracle_free(f->oracle);
	free(f->x);
	free(f->y);
	free(f);
}

static int prepare_fixed(field *f, const bench_matrix *a, int threads)
{
	prepare(f, &bench_plain_serial, a, threads, "");
	prepare(f, &bench_plain_openmp, a, threads, "");
	prepare(f, &bench_read, a, threads, "");
	prepare(f, &bench_check, a, threads, "");
	for (int c = 0; c < FIRST; c++)
		if (!f->run[c].state)
			return -1;
	return 0;
}

int bench_measure(const bench_loaded *m, const bench_contenders *contenders, int threads,
                  const bench_effort *effort, bench_results *results)
{
	field *f = calloc(1, sizeof *f);
	if (!f)
		return -1;
	int status = set_up(f, &m->a) || prepare_fixed(f, &m->a, threads) ? -1 : 0;
	for (int next = 0, number = 1; !status && (number == 1 || next < contenders->count); number++) {
		int first = next;
		next = prepare_group(f, &m->a, contenders, first, threads, effort->memory);
		/* Checked before and after: some contenders are wrong only from the second call on. */
		check_all(f, m->a.rows);
		status = bench_sample(f->run, f->count, f->x, f->y, effort->protocol, effort->seconds);
		check_all(f, m->a.rows);
		int before = results->count;
		if (!status)
			status = add_rows(f, m, &contenders->item[first], threads, number, results);
		if (!status)
			status = measure_share(f, m, threads, effort, &results->row[before],
			                       &results->row[results->count]);
		release_from(f, FIRST);
	}
	tear_down(f);
	return status;
}
