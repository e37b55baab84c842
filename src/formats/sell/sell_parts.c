/* sell_parts.c -- divides the work of SELL-C-sigma into parts, and finds the rows that a part finishes.
 *
 * Sorting moves rows only within their window, and most chunks have consecutive rows. So there are many
 * clean cuts: those with all rows before the cut in chunks before it. */
#include "formats/sell/sell_convert.h"

#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"

#include <inttypes.h>

/* The last row of chunk c. */
static int64_t last_row(const sell_data *d, int64_t c)
{
	const int64_t lane = c * d->height,
	              end = lane + d->height < d->rows ? lane + d->height : d->rows;
	int64_t last = 0;

	if (d->chunk[c].first != SELL_SCATTERED)
		return d->chunk[c].first + d->height - 1;
	for (int64_t l = lane; l < end; l++)
		last = d->row[l] > last ? d->row[l] : last;
	return last;
}

/* Whether the cut between chunks c-1 and c is clean; `last` is the last row of all chunks before c. */
static int is_clean(const sell_data *d, int64_t c, int64_t last)
{
	return last < c * d->height;
}

/* An iterator over the chunks in order. */
typedef struct {
	int64_t c;    /* the next chunk */
	int64_t done; /* work of the chunks before it */
	int64_t last; /* last row of the chunks before it */
} walk;

static void step(const sell_data *d, walk *w)
{
	const int64_t last = last_row(d, w->c);

	w->done += tulle__sell_chunk_slots(d, w->c) + d->height;
	w->last = last > w->last ? last : w->last;
	w->c++;
}

/* Go to the next clean cut if there is one within `most` chunks. */
static void seek_clean(const sell_data *d, walk *w, int64_t most)
{
	walk ahead = *w;

	while (!is_clean(d, ahead.c, ahead.last) && ahead.c < d->chunks && ahead.c - w->c < most)
		step(d, &ahead);
	if (is_clean(d, ahead.c, ahead.last))
		*w = ahead;
}

/* Parts have nearly equal numbers of nonzeros and rows; a cut moves to a clean cut if one is
 * near. */
tulle_status tulle__sell_cut_chunks(sell_data *d, tulle__env *env)
{
	enum { NEAR = 4 }; /* a clean cut is near within 1/NEAR of a part */
	walk w = { 0, 0, -1 };
	int64_t work = d->rows;
	tulle_status s;

	for (int64_t n = 0; n < d->chunks; n++)
		work += tulle__sell_chunk_slots(d, n);
	d->chunk_parts = tulle__parts(work);
	if (d->chunk_parts > d->chunks)
		d->chunk_parts = d->chunks;
	s = tulle__alloc(env, d->chunk_parts + 1, sizeof *d->cut, &d->cut);
	if (s == TULLE_OK)
		s = tulle__alloc_zero(env, d->chunk_parts, sizeof *d->finished, &d->finished);
	if (s != TULLE_OK)
		return s;
	for (int64_t part = 0; part < d->chunk_parts; part++) {
		const int64_t target = tulle__cut(work, d->chunk_parts, part);

		while (w.c < d->chunks && w.done < target)
			step(d, &w);
		seek_clean(d, &w, d->chunks / d->chunk_parts / NEAR);
		d->cut[part] = w.c;
	}
	d->cut[d->chunk_parts] = d->chunks;
	return TULLE_OK;
}

/* A row in pieces is not finished by a part of chunks. */
static int has_all_rows(const sell_data *d, int64_t c)
{
	const int64_t rows = d->rows - c * d->height;

	return d->chunk[c].lanes == (rows < d->height ? rows : d->height);
}

/* The chunks of a part between two clean cuts: the longest range without a long row. */
void tulle__sell_find_finished(sell_data *d)
{
	walk w = { 0, 0, -1 };

	for (int64_t part = 0; part < d->chunk_parts; part++) {
		sell_range best = { 0, 0 };
		int64_t first = is_clean(d, w.c, w.last) ? w.c : -1;

		while (w.c < d->cut[part + 1]) {
			if (!has_all_rows(d, w.c))
				first = -1;
			step(d, &w);
			if (!is_clean(d, w.c, w.last))
				continue;
			if (first < 0)
				first = w.c;
			else if (w.c - first > best.end - best.begin)
				best = (sell_range){ first, w.c };
		}
		best.begin *= d->height;
		best.end = best.end * d->height < d->rows ? best.end * d->height : d->rows;
		d->finished[part] = best;
	}
}

/* Every row of the range is in a lane of the part: counted by lanes. */
tulle_status tulle__sell_check_finished(const sell_data *d)
{
	for (int64_t part = 0; part < d->chunk_parts; part++) {
		const sell_range of = d->finished[part];
		int64_t rows = 0;

		for (int64_t c = d->cut[part]; c < d->cut[part + 1]; c++)
			for (int r = 0; r < d->chunk[c].lanes; r++) {
				const int32_t row = d->row[c * d->height + r];

				rows += of.begin <= row && row < of.end;
			}
		if (rows != of.end - of.begin)
			return tulle__fail(TULLE_E_INTERNAL,
			                   "sell: part %" PRId64 " does not finish rows %" PRId64
			                   " to %" PRId64,
			                   part, of.begin, of.end);
	}
	return TULLE_OK;
}
