/* lengths.c -- row lengths, and the padding if neighbouring rows are put into the lanes of a
 * vector. */
#include "analysis/features.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"

#include <math.h>

/* Rows that are sorted together. Counting the lengths of all windows would cost more than everything
 * else, so one window in four is sampled. */
enum { WINDOW = 1024, SAMPLED = 4 };

/* Sums over the rows of one part, and over those that go into lanes (at most TULLE__LONG_ROW
 * long). */
typedef struct {
	int64_t min, max, empty, long_nonzeros;
	int64_t squares;     /* of the lengths, and ... */
	double long_squares; /* ... of those of long rows */
	int64_t lane_steps;  /* unsorted: chunks in the order of the rows */

	/* of the sampled windows */
	int64_t window_steps, window_nonzeros;
	int64_t of_length[TULLE__LONG_ROW + 1]; /* rows of each length */
} tally;

typedef struct {
	const tulle__csr *a;
	int64_t windows, parts;
	tally *part;
} job;

/* Steps of chunks of rows sorted by length, times lanes. `of_length` has the number of rows of each
 * length. */
static int64_t sorted_steps(const int64_t *of_length, int longest)
{
	int64_t steps = 0, lanes = 0; /* lanes that are used in the current chunk */

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

/* For all rows: figures that need no histogram of the lengths. */
TULLE_INLINE void pass_rows(const tulle__csr *a, int64_t begin, int64_t end, tulle_index_type type,
                            tally *t)
{
	int64_t from = tulle__index_at(a->row_ptr, type, begin), squares = 0, steps = 0, in_long = 0;
	int64_t min = t->min, max = t->max, empty = 0;

	for (int64_t chunk = begin; chunk < end; chunk += TULLE__LANE_ROWS) {
		const int64_t last = chunk + TULLE__LANE_ROWS < end ? chunk + TULLE__LANE_ROWS : end;
		int64_t longest = 0;

		for (int64_t i = chunk; i < last; i++) {
			const int64_t to = tulle__index_at(a->row_ptr, type, i + 1);
			int64_t length = to - from;

			from = to;
			min = length < min ? length : min;
			max = length > max ? length : max;
			empty += length == 0;
			if (length > TULLE__LONG_ROW) {
				in_long += length;
				t->long_squares += (double)length * (double)length;
				length = 0; /* it takes no lane */
			}
			squares += length * length;
			longest = length > longest ? length : longest;
		}
		steps += longest * TULLE__LANE_ROWS;
	}
	t->min = min;
	t->max = max;
	t->empty += empty;
	t->long_nonzeros += in_long;
	t->squares += squares;
	t->lane_steps += steps;
}

static void sort_window(const tulle__csr *a, int64_t begin, int64_t end, tally *t)
{
	int64_t of_length[TULLE__LONG_ROW + 1] = { 0 };
	int longest = 0;

	for (int64_t i = begin; i < end; i++) {
		const int64_t length = tulle__csr_length(a, i);

		if (length > TULLE__LONG_ROW)
			continue;
		t->window_nonzeros += length;
		of_length[length]++;
		longest = length > longest ? (int)length : longest;
	}
	t->window_steps += sorted_steps(of_length, longest);
	for (int length = 0; length <= longest; length++)
		t->of_length[length] += of_length[length];
}

static void count_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t end = tulle__cut(j->windows, j->parts, part + 1);
	tally *t = &j->part[part];

	t->min = INT64_MAX;
	for (int64_t w = tulle__cut(j->windows, j->parts, part); w < end; w++) {
		const int64_t begin = w * WINDOW;
		const int64_t last = begin + WINDOW < j->a->rows ? begin + WINDOW : j->a->rows;

		if (j->a->offset_type == TULLE_I32)
			pass_rows(j->a, begin, last, TULLE_I32, t);
		else
			pass_rows(j->a, begin, last, TULLE_I64, t);
		if (w % SAMPLED == 0 || j->windows < SAMPLED)
			sort_window(j->a, begin, last, t);
	}
}

static void add(tally *sum, const tally *t)
{
	sum->min = t->min < sum->min ? t->min : sum->min;
	sum->max = t->max > sum->max ? t->max : sum->max;
	sum->empty += t->empty;
	sum->long_nonzeros += t->long_nonzeros;
	sum->squares += t->squares;
	sum->long_squares += t->long_squares;
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

tulle_status tulle__analyze_row_lengths(const tulle__csr *a, tulle__env *env, tulle__features *f)
{
	enum { MOST_PARTS = 16 }; /* a tally is large */
	job j = { .a = a, .windows = (a->rows + WINDOW - 1) / WINDOW };
	tally *sum;
	double squares;
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
	squares = (double)sum->squares + sum->long_squares;
	f->row.min = (double)sum->min;
	f->row.max = (double)sum->max;
	f->row.mean = (double)a->nnz / (double)a->rows;
	f->row.sd = sqrt(fmax(0, squares / (double)a->rows - f->row.mean * f->row.mean));
	f->empty_rows = (double)sum->empty / (double)a->rows;
	f->long_nonzeros = a->nnz > 0 ? (double)sum->long_nonzeros / (double)a->nnz : 0;
	f->steps[TULLE__UNSORTED] = ratio(sum->lane_steps, a->nnz - sum->long_nonzeros);
	f->steps[TULLE__WINDOW] = ratio(sum->window_steps, sum->window_nonzeros);
	f->steps[TULLE__SORTED] =
	    ratio(sorted_steps(sum->of_length, TULLE__LONG_ROW), sum->window_nonzeros);
	tulle__free(env, j.part);
	return TULLE_OK;
}
