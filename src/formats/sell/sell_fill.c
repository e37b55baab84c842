/* sell_fill.c -- moves a matrix to SELL-C-sigma slice by slice, and drops the pages of CSR that were read, so that
 * the matrix is never in memory twice.
 *
 * Sorting keeps rows within their window, and long rows are in pieces in the order of the windows. So a
 * range of whole windows reads a contiguous range of CSR, which nothing else reads. */
#include "core/split.h"
#include "core/threads.h"
#include "formats/sell/sell_convert.h"

enum {
	REGIONS = 256,          /* what threads work on */
	SLICE = 4 << 20,        /* bytes of CSR that a thread reads before it drops them */
	CHUNKS_AT_ONCE = 1 << 6 /* or one window */
};

typedef struct {
	sell_data *d;
	const tulle__csr *a;
	int64_t window; /* in chunks */
	int64_t step;   /* chunks that are moved at once: whole windows */
	int64_t slice;  /* entries of CSR */
	int64_t regions;
	int64_t piece[REGIONS]; /* the first of each region */
} job;

/* The first chunk of a region: regions have whole windows, and about equal numbers of rows and entries. */
static int64_t begin_of(const job *j, int64_t region)
{
	const int64_t row = tulle__csr_cut(j->a, j->regions, region);

	return region == j->regions ? j->d->chunks : row / j->d->height / j->window * j->window;
}

/* The piece after those of chunks begin .. end-1, of which `piece` is the first. */
static int64_t pieces_until(const sell_data *d, int64_t piece, int64_t begin, int64_t end)
{
	if (d->pieces == 0)
		return 0;
	for (int64_t c = begin; c < end; c++)
		for (int64_t r = d->chunk[c].lanes; r < d->height && c * d->height + r < d->rows; r++)
			while (piece < d->pieces && d->piece[piece].row == d->row[c * d->height + r])
				piece++;
	return piece;
}

/* Where the entries of the rows of chunk c begin, if it is the first of a window. */
static int64_t entry_of(const job *j, int64_t c)
{
	const int64_t row = c * j->d->height;

	return tulle__csr_offset(j->a, row < j->d->rows ? row : j->d->rows);
}

static void fill_region(const void *arg, int64_t region)
{
	const job *j = arg;
	const int64_t begin = begin_of(j, region), end = begin_of(j, region + 1);
	const int64_t first = entry_of(j, begin);
	int64_t piece = j->piece[region], kept = first;

	for (int64_t c = begin, next; c < end; c = next) {
		int64_t done, after;

		next = c + j->step < end ? c + j->step : end;
		after = pieces_until(j->d, piece, c, next);
		tulle__sell_move_some(j->d, j->a, (sell_range){ c, next }, (sell_range){ piece, after });
		piece = after;
		done = entry_of(j, next);
		if (done - kept >= j->slice || next == end) {
			/* From the first on: the page that the slice before ended in can be dropped now. */
			tulle__csr_drop(j->a, first, done);
			kept = done;
		}
	}
}

void tulle__sell_fill(sell_data *d, const tulle__csr *a, int64_t sigma, tulle__env *env)
{
	const size_t entry =
	    tulle__index_size(a->column_type) + (a->val ? tulle__value_size(a->value_type) : 0);
	const int64_t parts = tulle__parts(a->nnz + a->rows);
	job j = { .d = d,
		      .a = a,
		      .window = tulle__round_up(sigma, d->height) / d->height,
		      .slice = SLICE / (int64_t)entry,
		      .regions = parts < REGIONS ? parts : REGIONS };

	j.step = tulle__round_up(CHUNKS_AT_ONCE, j.window);
	for (int64_t r = 1; r < j.regions; r++)
		j.piece[r] = pieces_until(d, j.piece[r - 1], begin_of(&j, r - 1), begin_of(&j, r));
	tulle__run_parts(env, fill_region, &j, j.regions, a->nnz + a->rows);
}
