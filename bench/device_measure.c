/* device_measure.c -- one matrix on a GPU, all contenders: is each right, and how long does it take? */
#include "device.h"

#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One sample = as many products as take this long, between two waits. */
#define SAMPLE_SECONDS 2e-3

/* Every contender has two turns, the second in the opposite order: clocks of GPUs change with their
 * temperature. One at a time is on the device, so memory is no question of how many take part. */
enum { TURNS = 2, LEAST = 3, MOST = 20, MOST_REPEATS = 1 << 20 };

typedef struct {
	bench_device_matrix a;
	void *x, *y, *nan;
	void *before; /* an earlier y */
	void *val;    /* the values as floats, if that is wanted */
	size_t size;  /* of an element */
	kit_oracle *oracle;
	int number;
	double seconds; /* for one turn of one contender */
} job;

typedef struct {
	double taken[TURNS * MOST];
	int count;
} samples;

/* ---- set up ---- */

static int narrow(job *j, const bench_matrix *a)
{
	float *val = malloc(((size_t)a->nnz + 1) * sizeof *val);
	if (!val)
		return -1;
	for (int64_t k = 0; k < a->nnz; k++)
		val[k] = (float)a->val[k];
	j->a.val = j->val = val;
	return 0;
}

static void spoil(void *y, int64_t rows, int f32)
{
	for (int64_t i = 0; i < rows; i++)
		if (f32)
			((float *)y)[i] = NAN;
		else
			((double *)y)[i] = NAN;
}

static int set_up(job *j, const bench_matrix *a, int f32)
{
	tulle_csr_view view = { .size = sizeof view,
		                    .rows = a->rows,
		                    .cols = a->cols,
		                    .nnz = a->nnz,
		                    .offset_type = TULLE_I32,
		                    .column_type = TULLE_I32,
		                    .value_type = f32 ? TULLE_F32 : TULLE_F64,
		                    .row_ptr = a->row_ptr,
		                    .col = a->col };
	j->a = (bench_device_matrix){ .rows = a->rows,
		                          .cols = a->cols,
		                          .nnz = a->nnz,
		                          .row_ptr = a->row_ptr,
		                          .col = a->col,
		                          .val = a->val,
		                          .f32 = f32 };
	j->size = f32 ? sizeof(float) : sizeof(double);
	j->x = malloc(((size_t)a->cols + 1) * j->size);
	j->y = malloc(((size_t)a->rows + 1) * j->size);
	j->nan = malloc(((size_t)a->rows + 1) * j->size);
	j->before = malloc(((size_t)a->rows + 1) * j->size);
	if (!j->x || !j->y || !j->nan || !j->before || (f32 && narrow(j, a)))
		return -1;
	kit_random_fill(KIT_UNIFORM, 1, view.value_type, a->cols, j->x);
	spoil(j->nan, a->rows, f32);
	view.val = j->a.val;
	j->oracle = kit_oracle_create(&view, TULLE_NORMAL, 1.0, j->x, 0.0, NULL);
	return j->oracle ? 0 : -1;
}

static void tear_down(job *j)
{
	kit_oracle_free(j->oracle);
	free(j->x);
	free(j->y);
	free(j->nan);
	free(j->before);
	free(j->val);
}

/* ---- one contender ---- */

/* The y that is on the device now, against the oracle. */
static void check(const job *j, const bench_device_calls *t, void *state, bench_device_row *row)
{
	if (t->get(state, j->y)) {
		row->wrong = 1;
		return;
	}
	const double error = kit_oracle_check(j->oracle, j->y).worst;
	if (!(error <= row->error))
		row->error = error;
	row->wrong |= !(error <= 1);
}

/* What is timed: whole products, or one launch of them. */
enum { WHOLE = -1 };

static double run(void *state, int launch, int times, bench_device_row *row)
{
	const bench_device_calls *t = row->who->table->device;
	const double start = bench_now();
	for (int n = 0; n < times; n++)
		row->wrong |= launch == WHOLE ? t->queue(state) : bench_device_ours_launch(state, launch);
	row->wrong |= t->wait(state);
	return bench_now() - start;
}

static void time_it(void *state, int launch, double seconds, samples *s, bench_device_row *row)
{
	int repeats = 1;
	while (run(state, launch, repeats, row) < SAMPLE_SECONDS && repeats < MOST_REPEATS)
		repeats *= 2;
	const double start = bench_now();
	for (int n = 0; n < MOST && (n < LEAST || bench_now() - start < seconds); n++)
		s->taken[s->count++] = run(state, launch, repeats, row) / repeats;
}

static double least(const samples *s)
{
	double best = INFINITY;
	for (int n = 0; n < s->count; n++)
		best = fmin(best, s->taken[n]);
	return best;
}

/* Launches one by one, as few samples as there must be. A product of one launch was timed already. */
static void time_launches(void *state, bench_device_row *row)
{
	for (int n = 0; row->launches > 1 && n < row->described; n++) {
		samples s = { .count = 0 };
		time_it(state, n, 0, &s, row);
		row->launch[n].best = least(&s);
	}
}

/* From the vectors that the oracle knows. */
static void first_product(const job *j, const bench_device_calls *t, void *state,
                          bench_device_row *row)
{
	row->wrong |= t->set(state, j->x, j->nan) || t->queue(state) || t->wait(state);
}

static void turn(const job *j, samples *s, bench_device_row *row, int last)
{
	const bench_device_calls *t = row->who->table->device;
	const double start = bench_now();
	void *state = t->prepare(&j->a, j->number, row->who->variant, row->why, sizeof row->why);
	const double seconds = bench_now() - start;
	if (!state)
		return;
	/* The first turn pays for compiling kernels; the second tells what a conversion takes. */
	row->convert = seconds;
	row->bytes = t->bytes(state);
	if (row->who->table == &bench_device_ours)
		bench_device_ours_tell(state, row);
	first_product(j, t, state, row);
	check(j, t, state, row);
	memcpy(j->before, j->y, (size_t)j->a.rows * j->size);
	time_it(state, WHOLE, j->seconds, s, row);
	check(j, t, state, row);
	row->changed |= memcmp(j->before, j->y, (size_t)j->a.rows * j->size) != 0;
	row->wrong |= row->changed && row->same_bits;
	if (last)
		time_launches(state, row);
	t->release(state);
}

static int by_size(const void *a, const void *b)
{
	const double u = *(const double *)a, v = *(const double *)b;
	return (u > v) - (u < v);
}

static void conclude(samples *s, bench_device_row *row)
{
	if (!s->count)
		return;
	qsort(s->taken, (size_t)s->count, sizeof *s->taken, by_size);
	row->best = s->taken[0];
	if (row->launches == 1 && row->described == 1)
		row->launch[0].best = row->best;
	row->median = (s->taken[(s->count - 1) / 2] + s->taken[s->count / 2]) / 2;
}

int bench_device_measure(const bench_matrix *a, int f32, int number, double seconds,
                         const bench_device_contender *who, int count, bench_device_row *row)
{
	job j = { .number = number, .seconds = seconds / (count > 0 ? TURNS * count : 1) };
	samples *s = calloc((size_t)count + 1, sizeof *s);
	int status = s ? set_up(&j, a, f32) : -1;
	for (int n = 0; n < count; n++)
		row[n] = (bench_device_row){ .who = &who[n], .same_bits = who[n].same_bits };
	for (int n = 0; n < TURNS * count && !status; n++) {
		const int c = n < count ? n : TURNS * count - 1 - n;
		turn(&j, &s[c], &row[c], n >= count);
	}
	for (int n = 0; n < count && !status; n++)
		conclude(&s[n], &row[n]);
	tear_down(&j);
	free(s);
	return status;
}
