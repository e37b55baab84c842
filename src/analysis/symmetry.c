/* symmetry.c -- whether the matrix is symmetric, skew or Hermitian, how far its rows reach, and whether its entries follow
 * diagonals. */
#include "analysis/features.h"

#include "core/split.h"
#include "core/threads.h"
#include "csr/csr_matrix.h"

enum { SAMPLES = 64, STRETCHES = 8, EVERY = 8 };

/* Where row i has column j, or -1. Rows are sorted. */
static int64_t find(const tulle__csr *a, int64_t i, int64_t j)
{
	int64_t k = tulle__csr_offset(a, i), end = tulle__csr_offset(a, i + 1);
	const int64_t past = end;

	while (k < end) {
		const int64_t middle = k + (end - k) / 2;

		if (tulle__index_at(a->col, a->column_type, middle) < j)
			k = middle + 1;
		else
			end = middle;
	}
	return k < past && tulle__index_at(a->col, a->column_type, k) == j ? k : -1;
}

static const unsigned ANY =
    TULLE__EQUAL | TULLE__OPPOSITE | TULLE__CONJUGATE | TULLE__CONJUGATE_ZERO;

/* The symmetry that these relations allow. */
static int symmetry_of(unsigned relations)
{
	return relations & TULLE__EQUAL      ? TULLE__IS_SYMMETRIC
	       : relations & TULLE__OPPOSITE ? TULLE__IS_SKEW
	       : relations                   ? TULLE__IS_HERMITIAN
	                                     : 0;
}

/* The symmetry that these entries allow; 0 if one has no mirror image. */
static int kind_of(const tulle__csr *a)
{
	const tulle__type *type = tulle__type_of(a->value_type);
	unsigned relations = a->val ? ANY : TULLE__EQUAL;

	for (int64_t n = 0; n < SAMPLES && relations; n++) {
		const int64_t k = tulle__sample(a->nnz, SAMPLES, n);
		const int64_t i = tulle__csr_row_at(a, 0, k);
		const int64_t j = tulle__index_at(a->col, a->column_type, k);
		const int64_t mirror = i == j ? k : find(a, j, i);

		if (mirror < 0)
			return 0;
		if (i != j && a->val)
			relations &= tulle__value_compare(type, a->val, k, mirror);
	}
	return symmetry_of(relations);
}

/* The same for entries in stored blocks. All sampled blocks have a mirror image. */
static int kind_of_blocks(const tulle__bsr *a, const tulle__csr *pattern)
{
	const tulle__type *type = tulle__type_of(a->value_type);
	const int64_t places = a->height * a->width, down = tulle__bsr_down(a);
	const int64_t right = tulle__bsr_right(a);
	unsigned relations = ANY;

	for (int64_t n = 0; n < SAMPLES && relations; n++) {
		const int64_t k = tulle__sample(a->blocks, SAMPLES, n),
		              i = tulle__csr_row_at(pattern, 0, k);
		const int64_t j = tulle__bsr_column(a, k), mirror = i == j ? k : find(pattern, j, i);
		const int64_t r = n % a->height, c = n / a->height % a->width;

		if (mirror < 0)
			return 0;
		if (mirror != k || r != c)
			relations &= tulle__value_compare(type, a->val, k * places + r * down + c * right,
			                                  mirror * places + c * down + r * right);
	}
	return symmetry_of(relations);
}

/* The leftmost column of each range: rows are sorted, so it is the first of some row. One row in eight
 * is sampled, since neighbouring rows reach about as far. */
typedef struct {
	const tulle__csr *a;
	int64_t parts; /* of each range */
	int64_t *leftmost;
} job;

static void reach_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t all = STRETCHES * j->parts, end = tulle__cut(j->a->rows, all, part + 1);
	int64_t leftmost = INT64_MAX;

	for (int64_t i = tulle__cut(j->a->rows, all, part); i < end; i += EVERY) {
		const int64_t k = tulle__csr_offset(j->a, i);

		if (k < tulle__csr_offset(j->a, i + 1)) {
			const int64_t c = tulle__index_at(j->a->col, j->a->column_type, k);

			leftmost = c < leftmost ? c : leftmost;
		}
	}
	j->leftmost[part] = leftmost;
}

static double halo_of(const tulle__csr *a, tulle__env *env)
{
	enum { PARTS = 8 };
	int64_t leftmost[STRETCHES * PARTS], halo = 0;
	const job j = { a, PARTS, leftmost };

	tulle__run_parts(env, reach_part, &j, STRETCHES * PARTS, a->rows);
	for (int64_t s = 0; s < STRETCHES; s++) {
		int64_t reach = tulle__cut(a->rows, STRETCHES, s);
		const int64_t first = reach;

		for (int64_t p = s * PARTS; p < (s + 1) * PARTS; p++)
			reach = leftmost[p] < reach ? leftmost[p] : reach;
		halo += first - reach;
	}
	return (double)halo / (double)a->rows;
}

/* ---- runs along diagonals ---- */

/* Entries of a row that are followed, and the run of each so far: the rows above it with an entry at the same distance
 * from the diagonal, in the chunk. */
enum { RUN = 4, FOLLOWED = 64, CHUNKS = 64, SHARE = 64, LEAST = 16 };

typedef struct {
	int64_t k, end;
	int length[FOLLOWED];
} followed_row;

/* Continue the runs of `above` in row i; returns the number of entries that are new in runs of RUN rows or more. */
static int64_t follow(const tulle__csr *a, int64_t i, const followed_row *above, followed_row *row)
{
	const int64_t k = tulle__csr_offset(a, i), end = tulle__csr_offset(a, i + 1);
	int64_t c = above->k, in_runs = 0;

	row->k = k;
	for (row->end = k; row->end < end && row->end < k + FOLLOWED; row->end++) {
		const int64_t j = tulle__csr_column(a, row->end);
		int *length = &row->length[row->end - k];

		if (j > i)
			break;
		while (c < above->end && tulle__csr_column(a, c) < j - 1)
			c++;
		*length = 1;
		if (c < above->end && tulle__csr_column(a, c) == j - 1)
			*length += above->length[c - above->k];
		in_runs += *length == RUN ? RUN : *length > RUN;
	}
	return in_runs;
}

/* Judged by a sample of chunks. */
static double share_of_runs(const tulle__csr *a)
{
	const int64_t chunks = (a->rows + TULLE__LANE_ROWS - 1) / TULLE__LANE_ROWS;
	const int64_t wanted = chunks / SHARE < LEAST ? LEAST : chunks / SHARE;
	const int64_t most = wanted < CHUNKS ? wanted : CHUNKS, samples = most < chunks ? most : chunks;
	int64_t in_runs = 0, entries = 0;

	for (int64_t n = 0; n < samples; n++) {
		const int64_t first = TULLE__LANE_ROWS * tulle__cut(chunks, samples, n);
		followed_row rows[2] = { { .k = 0 }, { .k = 0 } };

		for (int64_t i = first; i < first + TULLE__LANE_ROWS && i < a->rows; i++) {
			followed_row *row = &rows[i % 2];

			in_runs += follow(a, i, &rows[(i + 1) % 2], row);
			entries += row->end - row->k;
		}
	}
	return entries > 0 ? (double)in_runs / (double)entries : 0;
}

void tulle__analyze_symmetry(const tulle__csr *a, tulle__env *env, tulle__features *f)
{
	if (a->rows != a->cols || a->nnz == 0 || !f->sorted)
		return;
	f->symmetric = kind_of(a);
	if (!f->symmetric)
		return;
	f->halo = halo_of(a, env);
	f->runs = share_of_runs(a);
}

void tulle__analyze_block_symmetry(const tulle__bsr *a, tulle__env *env, tulle__features *f)
{
	const tulle__csr pattern = tulle__block_pattern(a);
	tulle__features of_pattern = { .sorted = f->sorted };

	f->symmetric = 0;
	f->halo = 0;
	f->runs = 0; /* of blocks, not of entries: unknown */
	if (a->height != a->width)
		return;
	tulle__analyze_symmetry(&pattern, env, &of_pattern);
	if (!of_pattern.symmetric)
		return;
	f->symmetric = a->val ? kind_of_blocks(a, &pattern) : TULLE__IS_SYMMETRIC;
	f->halo = f->symmetric ? of_pattern.halo : 0;
}
