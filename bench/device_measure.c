/* device_measure.c -- one matrix on a GPU: checks and times all contenders. */
#include "device.h"

#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One sample is as many products as take this long, between two waits. */
#define SAMPLE_SECONDS 2e-3

/* Every contender has two turns, the second in the opposite order: GPU clocks change with
 * temperature. Only one contender at a time is on the device, so memory does not limit their
 * number. */
enum { TURNS = 2, LEAST = 3, MOST = 20, MOST_REPEATS = 1 << 20 };

typedef struct {
	const bench_device_subject *of;
	void *y, *before; /* the last y, and an earlier one */
	size_t bytes;     /* of each */
	int number;
	double seconds; /* for one turn of one contender */
} job;

typedef struct {
	double taken[TURNS * MOST];
	int count;
} samples;

/* ---- one contender ---- */

/* Checks the y that is on the device now against the oracle. */
static void check(const job *j, const bench_device_calls *t, void *state, bench_device_row *row)
{
	if (t->get(state, j->y)) {
		row->wrong = 1;
		return;
	}
	const double error = kit_oracle_check(j->of->oracle, j->y).worst;
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

/* Times launches one by one, with the minimum number of samples. A product with one launch was timed
 * already. */
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
	row->wrong |= t->set(state, j->of->x, j->of->start) || t->queue(state) || t->wait(state);
}

static void turn(const job *j, samples *s, bench_device_row *row, int last)
{
	const bench_device_calls *t = row->who->table->device;
	const double start = bench_now();
	void *state = t->prepare(&j->of->a, j->number, row->who->variant, row->why, sizeof row->why);
	const double seconds = bench_now() - start;
	if (!state)
		return;
	/* The first turn includes compiling kernels; the second shows the time of the conversion. */
	row->convert = seconds;
	row->bytes = t->bytes(state);
	if (row->who->table == &bench_device_ours)
		bench_device_ours_tell(state, row);
	if (row->who->table == &bench_device_batch_ours)
		bench_device_batch_tell(state, row);
	first_product(j, t, state, row);
	check(j, t, state, row);
	memcpy(j->before, j->y, j->bytes);
	time_it(state, WHOLE, j->seconds, s, row);
	/* Products that add to y have left sums of many products there. */
	if (j->of->a.adds)
		first_product(j, t, state, row);
	check(j, t, state, row);
	row->changed |= memcmp(j->before, j->y, j->bytes) != 0;
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

int bench_device_measure(const bench_device_subject *of, int number, double seconds,
                         const bench_device_contender *who, int count, bench_device_row *row)
{
	const size_t bytes = (size_t)of->a.rows * (of->a.f32 ? sizeof(float) : sizeof(double));
	job j = { .of = of,
		      .y = malloc(bytes + 1),
		      .before = malloc(bytes + 1),
		      .bytes = bytes,
		      .number = number,
		      .seconds = seconds / (count > 0 ? TURNS * count : 1) };
	samples *s = calloc((size_t)count + 1, sizeof *s);
	const int status = s && j.y && j.before ? 0 : -1;
	for (int n = 0; n < count; n++)
		row[n] = (bench_device_row){ .who = &who[n], .same_bits = who[n].same_bits };
	for (int n = 0; n < TURNS * count && !status; n++) {
		const int c = n < count ? n : TURNS * count - 1 - n;
		turn(&j, &s[c], &row[c], n >= count);
	}
	for (int n = 0; n < count && !status; n++)
		conclude(&s[n], &row[n]);
	free(j.y);
	free(j.before);
	free(s);
	return status;
}
