/* lengths.c -- how long rows are, and how well they go side by side in the lanes of a vector. */
#include "analysis/features.h"

#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"

#include <math.h>
#include <string.h>

/* Rows that are sorted together. Sorting all windows would cost more than the rest: one in four is. */
enum { WINDOW = 1024, SAMPLED = 4 };

/* What the rows of one part have, and of those that go into lanes (at most TULLE__LONG_ROW long). */
typedef struct {
	int64_t min, max, empty, long_nonzeros;
	double squares;
	int64_t lane_steps;                     /* unsorted: chunks as they come */
	int64_t window_steps, window_nonzeros;  /* sorted in windows, those that were sampled */
	int64_t of_length[TULLE__LONG_ROW + 1]; /* rows of each length */
} tally;

typedef struct {
	const tulle__csr *a;
	int64_t windows, parts;
	tally *part;
} job;

/* Steps of chunks of rows sorted by length, times lanes: `of_length` tells how many there are. */
static int64_t sorted_steps(const int64_t *of_length, int longest)
{
	int64_t steps = 0, lanes = 0; /* lanes that are taken in the chunk at hand */

	for (int length = longest; length > 0; length--) {
		int64_t rows = of_length[length];

		if (rows == 0)
			continue;
		if (lanes > 0) {
			const int64_t fit = TULLE__LANE_ROWS - lanes;

			lanes += rows < fit ? rows : fit;
			rows -= rows < fit ? rows : fit;
			lanes %= TULLE__LANE_ROWS;
		}
		steps += (rows + TULLE__LANE_ROWS - 1) / TULLE__LANE_ROWS * length;
		if (rows > 0)
			lanes = rows % TULLE__LANE_ROWS;
	}
	return steps * TULLE__LANE_ROWS;
}

/* Rows of each length in one window, those with an even number and those with an odd one: neighbours
 * often have the same length, and one count would wait for the other to be stored. */
typedef struct {
	int rows[2][TULLE__LONG_ROW + 1];
	int longest;
} window;

/* What the lengths of a window tell without a look at its rows. */
static void add_window(const window *w, int sampled, tally *t)
{
	int64_t of_length[TULLE__LONG_ROW + 1], nonzeros = 0;

	for (int length = 0; length <= w->longest; length++) {
		const int64_t rows = w->rows[0][length] + w->rows[1][length];

		of_length[length] = rows;
		t->of_length[length] += rows;
		nonzeros += rows * length;
		t->squares += (double)(rows * length * length);
		t->min = rows > 0 && length < t->min ? length : t->min;
	}
	t->max = w->longest > t->max ? w->longest : t->max;
	t->empty += of_length[0];
	if (sampled) {
		t->window_steps += sorted_steps(of_length, w->longest);
		t->window_nonzeros += nonzeros;
	}
}

static void add_long(int64_t length, tally *t)
{
	t->min = length < t->min ? length : t->min;
	t->max = length > t->max ? length : t->max;
	t->squares += (double)length * (double)length;
	t->long_nonzeros += length;
}

static void end_chunk(int longest, window *w, tally *t)
{
	t->lane_steps += (int64_t)longest * TULLE__LANE_ROWS;
	w->longest = longest > w->longest ? longest : w->longest;
}

static void count_window(const tulle__csr *a, int64_t begin, int64_t end, int sampled, tally *t)
{
	window w = { .longest = 0 };
	int64_t from = tulle__csr_offset(a, begin);
	int in_chunk = 0, chunk_longest = 0;

	for (int64_t i = begin; i < end; i++) {
		const int64_t to = tulle__csr_offset(a, i + 1), length = to - from;

		from = to;
		if (length > TULLE__LONG_ROW) {
			add_long(length, t);
			continue;
		}
		w.rows[i % 2][length]++;
		chunk_longest = length > chunk_longest ? (int)length : chunk_longest;
		if (++in_chunk == TULLE__LANE_ROWS) {
			end_chunk(chunk_longest, &w, t);
			in_chunk = chunk_longest = 0;
		}
	}
	end_chunk(chunk_longest, &w, t);
	add_window(&w, sampled, t);
}

static void count_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t end = tulle__cut(j->windows, j->parts, part + 1);
	tally *t = &j->part[part];

	t->min = INT64_MAX;
	for (int64_t w = tulle__cut(j->windows, j->parts, part); w < end; w++) {
		const int64_t begin = w * WINDOW, last = begin + WINDOW;

		count_window(j->a, begin, last < j->a->rows ? last : j->a->rows,
		             w % SAMPLED == 0 || j->windows < SAMPLED, t);
	}
}

static void add(tally *sum, const tally *t)
{
	sum->min = t->min < sum->min ? t->min : sum->min;
	sum->max = t->max > sum->max ? t->max : sum->max;
	sum->empty += t->empty;
	sum->long_nonzeros += t->long_nonzeros;
	sum->squares += t->squares;
	sum->lane_steps += t->lane_steps;
	sum->window_steps += t->window_steps;
	sum->window_nonzeros += t->window_nonzeros;
	for (int n = 0; n <= TULLE__LONG_ROW; n++)
		sum->of_length[n] += t->of_length[n];
}

static double ratio(int64_t steps, int64_t nonzeros)
{
	return nonzeros > 0 ? (double)steps / (double)nonzeros : 1;
}

tulle_status tulle__look_at_lengths(const tulle__csr *a, tulle__env *env, tulle__features *f)
{
	enum { MOST_PARTS = 64 }; /* a tally is large */
	job j = { .a = a, .windows = (a->rows + WINDOW - 1) / WINDOW };
	tally *sum;
	tulle_status s;

	j.parts = j.windows < MOST_PARTS ? j.windows : MOST_PARTS;
	if (j.parts == 0)
		return TULLE_OK;
	s = tulle__alloc_zero(env, j.parts, sizeof *j.part, &j.part);
	if (s != TULLE_OK)
		return s;
	tulle__run_parts(env, count_part, &j, j.parts, a->rows);
	sum = &j.part[0];
	for (int64_t p = 1; p < j.parts; p++)
		add(sum, &j.part[p]);
	f->row.min = (double)sum->min;
	f->row.max = (double)sum->max;
	f->row.mean = (double)a->nnz / (double)a->rows;
	f->row.sd = sqrt(fmax(0, sum->squares / (double)a->rows - f->row.mean * f->row.mean));
	f->empty_rows = (double)sum->empty / (double)a->rows;
	f->long_nonzeros = a->nnz > 0 ? (double)sum->long_nonzeros / (double)a->nnz : 0;
	f->steps[TULLE__UNSORTED] = ratio(sum->lane_steps, a->nnz - sum->long_nonzeros);
	f->steps[TULLE__WINDOW] = ratio(sum->window_steps, sum->window_nonzeros);
	f->steps[TULLE__SORTED] =
	    ratio(sorted_steps(sum->of_length, TULLE__LONG_ROW), a->nnz - sum->long_nonzeros);
	tulle__free(env, j.part);
	return TULLE_OK;
}
