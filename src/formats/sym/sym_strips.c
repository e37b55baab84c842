/* sym_strips.c -- finds strips in the lower half: consecutive rows with an entry at the same distance from the
 * diagonal; and stores them, and all other entries one by one. */
#include "core/memory.h"
#include "core/threads.h"
#include "formats/sym/sym_convert.h"

#include <stdlib.h>

/* Rows of the shortest strip. Not calibrated: with fewer rows, the masks of one vector cost as much as single entries. */
enum { SHORTEST = 4 };

/* ---- runs of a span ---- */

/* The end of row i up to the diagonal. */
static int64_t lower_end(const sym_half *h, int64_t i)
{
	const int64_t k = h->low[i];

	return k + (k < tulle__csr_offset(&h->a, i + 1) && tulle__csr_column(&h->a, k) == i);
}

static int is_strip(const sym_run *r)
{
	return r->rows >= SHORTEST;
}

/* Find the runs of rows first .. end-1, in the order in which they begin. An entry continues the run of the entry in the
 * row above and the column before it, if there is one. Mirror images of a strip must not be on both sides of row `cut`,
 * where the sums of a part follow its halo. */
static void find_runs(const sym_half *h, int64_t first, int64_t end, int64_t cut, sym_search *s)
{
	int64_t at = 0, above = 0, above_end = 0; /* entries of the matrix */
	const int64_t *of_above = s->of;

	s->runs = 0;
	for (int64_t i = first; i < end; i++) {
		const int64_t begin = tulle__csr_offset(&h->a, i), stop = lower_end(h, i);
		int64_t c = above;

		for (int64_t k = begin; k < stop; k++, at++) {
			const int64_t j = tulle__csr_column(&h->a, k);

			while (c < above_end && tulle__csr_column(&h->a, c) < j - 1)
				c++;
			if (c < above_end && tulle__csr_column(&h->a, c) == j - 1 && j != cut) {
				s->of[at] = of_above[c - above];
			} else {
				s->run[s->runs] = (sym_run){ .row = i, .back = i - j };
				s->of[at] = s->runs++;
			}
			s->run[s->of[at]].rows++;
		}
		of_above = s->of + at - (stop - begin);
		above = begin;
		above_end = stop;
	}
}

/* ---- strips and entries of a span ---- */

/* Rows first .. end-1 of a part. */
typedef struct {
	const sym_half *h;
	sym_data *d;
	int64_t first, end;
} span_rows;

static int by_distance(const void *a, const void *b)
{
	const sym_run *r = *(const sym_run *const *)a, *t = *(const sym_run *const *)b;

	return r->back != t->back ? (r->back < t->back) - (r->back > t->back)
	                          : (r->row > t->row) - (r->row < t->row);
}

/* Give the strips their places, from `at` on; adds their numbers to it. Strips at the same distance are often equally
 * long, and then loops over their rows end where the processor expects it. */
static void put_strips(const span_rows *r, sym_search *s, sym_span *at, sym_purpose what)
{
	int64_t strips = 0;

	for (sym_run *run = s->run; run < s->run + s->runs; run++)
		if (is_strip(run))
			s->sorted[strips++] = run;
	qsort(s->sorted, (size_t)strips, sizeof *s->sorted, by_distance);
	for (int64_t n = 0; n < strips; n++) {
		sym_run *run = s->sorted[n];

		if (what == SYM_PLACE)
			r->d->strips.strip[at->strip] =
			    (sym_strip){ TULLE__U32(run->back), (uint16_t)(run->row - r->first),
				             (uint16_t)run->rows };
		run->value = at->value;
		at->strip++;
		at->value += run->rows;
	}
}

static void put_entry(const span_rows *r, int64_t e, int64_t i, int64_t k, sym_purpose what)
{
	const tulle__csr *a = &r->h->a;

	if (what == SYM_PLACE) {
		r->d->strips.row[e] = (uint8_t)(i - r->first);
		tulle__sym_set_column(&r->d->entries, e, i, tulle__csr_column(a, k));
	}
	if (what != SYM_COUNT)
		tulle__sym_set_values(r->d->entries.val, e, a, k, 1);
}

/* All entries of the span, to their strips or one by one from at->entry on, to which it adds their number. */
static void put_entries(const span_rows *r, const sym_search *s, sym_span *at, sym_purpose what)
{
	const int64_t *of = s->of;

	for (int64_t i = r->first; i < r->end; i++) {
		const int64_t stop = lower_end(r->h, i);

		for (int64_t k = tulle__csr_offset(&r->h->a, i); k < stop; k++) {
			const sym_run *run = &s->run[*of++];

			if (!is_strip(run))
				put_entry(r, at->entry++, i, k, what);
			else if (what != SYM_COUNT)
				tulle__sym_set_values(r->d->strips.val, run->value + i - run->row, &r->h->a, k, 1);
		}
	}
}

/* ---- parts ---- */

int64_t tulle__sym_spans(const sym_part *p)
{
	return (p[1].row - p->row + SYM_SPAN - 1) / SYM_SPAN;
}

void tulle__sym_strips_of_part(const sym_half *h, sym_data *d, int64_t p, sym_search *s,
                               sym_purpose what)
{
	sym_part *part = &d->part[p];
	sym_span *span = d->strips.span + part->span;

	if (what == SYM_COUNT)
		part->entry = 0;
	for (int64_t i = part->row; i < part[1].row; i += SYM_SPAN, span++) {
		const span_rows r = { h, d, i, i + SYM_SPAN < part[1].row ? i + SYM_SPAN : part[1].row };
		sym_span at = what == SYM_COUNT ? (sym_span){ 0, 0, 0 } : *span;

		find_runs(h, r.first, r.end, part->row, s);
		put_strips(&r, s, &at, what);
		put_entries(&r, s, &at, what);
		if (what != SYM_COUNT)
			continue;
		*span = at;
		part->entry += at.entry;
	}
}

tulle_status tulle__sym_alloc_spans(tulle__env *env, sym_data *d)
{
	int64_t spans = 0;

	for (sym_part *p = d->part; p < d->part + d->parts; p++) {
		p->span = spans;
		spans += tulle__sym_spans(p);
	}
	d->part[d->parts].span = spans;
	return tulle__alloc(env, spans + 1, sizeof *d->strips.span, &d->strips.span);
}

tulle_status tulle__sym_alloc_strips(tulle__env *env, sym_data *d, size_t value)
{
	sym_strips *t = &d->strips;
	sym_span sum = { 0, 0, 0 };
	tulle_status s;

	for (sym_span *span = t->span; span < t->span + d->part[d->parts].span; span++) {
		const sym_span counts = *span;

		*span = sum;
		sum.strip += counts.strip;
		sum.value += counts.value;
		sum.entry += counts.entry;
	}
	t->span[d->part[d->parts].span] = sum;
	s = tulle__alloc(env, sum.strip, sizeof *t->strip, &t->strip);
	if (s == TULLE_OK)
		s = tulle__alloc(env, sum.value, value, &t->val);
	return s == TULLE_OK ? tulle__alloc(env, sum.entry, sizeof *t->row, &t->row) : s;
}

/* ---- room ---- */

/* Entries of rows first .. end-1 up to the diagonal, at most. */
static int64_t most_entries(const sym_half *h, int64_t first, int64_t end)
{
	int64_t sum = 0;

	for (int64_t i = first; i < end; i++)
		sum += h->low[i] + 1 - tulle__csr_offset(&h->a, i);
	return sum;
}

static tulle_status open_search(tulle__env *env, int64_t entries, sym_search *s)
{
	tulle_status status = tulle__alloc(env, entries, sizeof *s->run, &s->run);

	if (status == TULLE_OK)
		status = tulle__alloc(env, entries, sizeof *s->of, &s->of);
	return status == TULLE_OK ? tulle__alloc(env, entries, sizeof(sym_run *), &s->sorted) : status;
}

static void close_search(tulle__env *env, sym_search *s)
{
	tulle__free(env, s->run);
	tulle__free(env, s->of);
	tulle__free(env, s->sorted);
}

typedef struct {
	const sym_half *h;
	const sym_data *d;
	int64_t *most;
} widths;

static void widest_span(const void *arg, int64_t p)
{
	const widths *w = arg;
	const sym_part *part = &w->d->part[p];

	w->most[p] = 0;
	for (int64_t i = part->row; i < part[1].row; i += SYM_SPAN) {
		const int64_t end = i + SYM_SPAN < part[1].row ? i + SYM_SPAN : part[1].row;
		const int64_t entries = most_entries(w->h, i, end);

		w->most[p] = entries > w->most[p] ? entries : w->most[p];
	}
}

tulle_status tulle__sym_open_searches(tulle__env *env, const sym_half *h, const sym_data *d,
                                      sym_search *s)
{
	int64_t most[SYM_MAX_PARTS];
	const widths w = { h, d, most };
	tulle_status status = TULLE_OK;

	tulle__run_parts(env, widest_span, &w, d->parts, h->a.rows);
	for (int64_t p = 0; status == TULLE_OK && p < d->parts; p++)
		status = open_search(env, most[p], &s[p]);
	return status;
}

void tulle__sym_close_searches(tulle__env *env, sym_search *s)
{
	for (int p = 0; p < SYM_MAX_PARTS; p++)
		close_search(env, &s[p]);
}

/* ---- is it worth it? ---- */

/* Bytes that are assumed to take as long as a strip takes beside its values. */
enum { STRIP = 64 };

static double cost_per_row(const sym_half *h, const sym_search *s, int64_t first, int64_t end)
{
	const int64_t value = (int64_t)tulle__value_size(h->a.value_type);
	int64_t cost = 0;

	for (const sym_run *r = s->run; r < s->run + s->runs; r++)
		cost += is_strip(r) ? STRIP + r->rows * value : SYM_SLOWER * r->rows * (value + 2);
	return (double)cost / (double)(end - first);
}

tulle_status tulle__sym_strips_cost(tulle__env *env, const sym_half *h, double *cost)
{
	const int64_t groups = h->a.rows / SYM_GROUP, spans = (h->a.rows + SYM_SPAN - 1) / SYM_SPAN;
	/* As many as cover a small matrix: more would overlap. */
	const int64_t samples = spans < SYM_SAMPLES ? spans : SYM_SAMPLES;
	double sum = 0;

	for (int64_t n = 0; n < samples; n++) {
		const int64_t first = SYM_GROUP * tulle__cut(groups, samples, n);
		const int64_t end = first + SYM_SPAN < h->a.rows ? first + SYM_SPAN : h->a.rows;
		sym_search search = { .runs = 0 };
		const tulle_status s = open_search(env, most_entries(h, first, end), &search);

		if (s == TULLE_OK) {
			find_runs(h, first, end, -1, &search);
			sum += cost_per_row(h, &search, first, end);
		}
		close_search(env, &search);
		if (s != TULLE_OK)
			return s;
	}
	*cost = samples > 0 ? sum / (double)samples : 0;
	return TULLE_OK;
}
