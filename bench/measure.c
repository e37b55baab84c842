/* measure.c -- one matrix, all contenders: what each costs, and whether it is right. */
#include "measure.h"

#include "check.h"
#include "ours.h"
#include "plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runners that are always there stand first. */
enum { SERIAL, OPENMP, READ, CHECK, FIRST };

enum { CONVERSIONS = 3 }; /* the best of so many, where they are quick */
#define QUICK_CONVERSION 0.05

typedef struct {
	bench_runner run[FIRST + BENCH_MAX_CONTENDERS]; /* state NULL: refused */
	double convert[FIRST + BENCH_MAX_CONTENDERS];
	double error[FIRST + BENCH_MAX_CONTENDERS];
	int count;
	double *x, *y;
	kit_oracle *oracle;
} field;

/* A conversion is timed cold, as its one user meets it, but the best of a few where noise could
 * otherwise be all there is. */
static void prepare(field *f, const bench_competitor *table, const bench_matrix *a, int threads,
                    const char *variant)
{
	int c = f->count++;
	f->run[c] = (bench_runner){ .table = table };
	for (int n = 0; n < CONVERSIONS; n++) {
		if (f->run[c].state)
			table->release(f->run[c].state);
		double start = bench_now();
		f->run[c].state = table->prepare(a, threads, variant);
		double seconds = bench_now() - start;
		if (!n || seconds < f->convert[c])
			f->convert[c] = seconds;
		if (!f->run[c].state || seconds > QUICK_CONVERSION)
			return;
	}
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

/* Those that refused take no samples: move the others together, sample, and put them back. */
static int sample(field *f, const bench_protocol *protocol, double budget)
{
	bench_runner ready[FIRST + BENCH_MAX_CONTENDERS];
	int count = 0;
	for (int c = 0; c < f->count; c++)
		if (f->run[c].state)
			ready[count++] = f->run[c];
	if (bench_sample(ready, count, f->x, f->y, protocol, budget))
		return -1;
	for (int c = f->count; c-- > 0;)
		if (f->run[c].state)
			f->run[c] = ready[--count];
	return 0;
}

static bench_row *next_row(bench_results *results)
{
	if (results->count == results->room) {
		int room = results->room ? 2 * results->room : 256;
		bench_row *row = realloc(results->row, (size_t)room * sizeof *row);
		if (!row)
			return NULL;
		results->row = row;
		results->room = room;
	}
	bench_row *row = &results->row[results->count++];
	memset(row, 0, sizeof *row);
	return row;
}

/* The figures of runner c, in units of `plain` seconds. */
static int add_row(const field *f, int c, const char *name, int ours, const bench_loaded *m,
                   int threads, double plain, bench_results *results)
{
	const bench_runner *r = &f->run[c];
	bench_row *row = next_row(results);
	if (!row)
		return -1;
	snprintf(row->matrix, sizeof row->matrix, "%s", m->name);
	snprintf(row->contender, sizeof row->contender, "%s", name);
	row->rows = m->a.rows;
	row->cols = m->a.cols;
	row->nnz = m->a.nnz;
	row->threads = threads;
	row->ours = ours;
	row->verdict = BENCH_REFUSED;
	if (!r->state)
		return 0;
	double csr_bytes = (double)bench_matrix_bytes(&m->a), nnz = (double)m->a.nnz;
	row->seconds_best = r->best;
	row->seconds_median = r->median;
	row->gflops = 2e-9 * nnz / r->best;
	row->gbytes_per_s = 1e-9 * csr_bytes / r->best;
	row->plain_ratio = plain / r->best;
	row->convert_plain = f->convert[c] / plain;
	row->convert_own = f->convert[c] / r->best;
	row->bytes_per_nnz = (double)r->table->bytes(r->state) / nnz;
	row->bandwidth_share = f->run[READ].best / r->best;
	row->error_over_bound = f->error[c];
	row->disturbed = r->disturbed;
	row->verdict = r->failed || !(f->error[c] <= 1) ? BENCH_WRONG : BENCH_RIGHT;
	return 0;
}

static int add_rows(const field *f, const bench_loaded *m, const bench_contenders *contenders,
                    int threads, bench_results *results)
{
	int best = f->run[OPENMP].best < f->run[SERIAL].best ? OPENMP : SERIAL;
	double plain = f->run[best].best;
	int disturbed = f->run[SERIAL].disturbed | f->run[OPENMP].disturbed;
	if (add_row(f, best, "plain", 0, m, threads, plain, results))
		return -1;
	/* Who knows which one would have been the faster in peace? */
	results->row[results->count - 1].disturbed = disturbed;
	for (int n = 0; n < contenders->count; n++) {
		const bench_contender *c = &contenders->item[n];
		if (add_row(f, FIRST + n, c->name, c->ours, m, threads, plain, results))
			return -1;
	}
	if (!f->run[CHECK].disturbed && !disturbed) {
		results->check_plain += f->run[CHECK].best / plain;
		results->checks++;
	}
	return 0;
}

static double *vector(int64_t n)
{
	return aligned_alloc(64, ((size_t)n * sizeof(double) + 64) / 64 * 64);
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

static void tear_down(field *f)
{
	for (int c = 0; c < f->count; c++)
		if (f->run[c].state)
			f->run[c].table->release(f->run[c].state);
	kit_oracle_free(f->oracle);
	free(f->x);
	free(f->y);
	free(f);
}

int bench_measure(const bench_loaded *m, const bench_contenders *contenders, int threads,
                  const bench_protocol *protocol, double budget, bench_results *results)
{
	field *f = calloc(1, sizeof *f);
	if (!f)
		return -1;
	int status = set_up(f, &m->a);
	if (!status) {
		prepare(f, &bench_plain_serial, &m->a, threads, "");
		prepare(f, &bench_plain_openmp, &m->a, threads, "");
		prepare(f, &bench_read, &m->a, threads, "");
		prepare(f, &bench_check, &m->a, threads, "");
		for (int c = 0; c < FIRST; c++)
			status |= f->run[c].state ? 0 : -1;
	}
	if (!status) {
		for (int n = 0; n < contenders->count; n++) {
			const bench_contender *c = &contenders->item[n];
			prepare(f, c->table, &m->a, threads, c->variant);
		}
		/* Before and after: some contenders go wrong only from the second call on. */
		check_all(f, m->a.rows);
		status = sample(f, protocol, budget);
		check_all(f, m->a.rows);
	}
	if (!status)
		status = add_rows(f, m, contenders, threads, results);
	tear_down(f);
	return status;
}
