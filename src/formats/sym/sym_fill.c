/* sym_fill.c -- stores the lower half in full blocks, and in entries where a block would have
 * holes. */
#include "core/inline.h"
#include "core/memory.h"
#include "core/status.h"
#include "core/threads.h"
#include "formats/sym/sym_convert.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
	const sym_half *h;
	sym_data *d;
	sym_search *searches; /* for strips */
	sym_purpose purpose;
} job;

/* ---- one block or entry ---- */

TULLE_INLINE void put_entry(const job *f, int64_t at, int64_t i, int64_t k, sym_purpose what)
{
	if (what == SYM_PLACE)
		tulle__sym_set_column(&f->d->entries, at, i, tulle__csr_column(&f->h->a, k));
	if (what != SYM_COUNT)
		tulle__sym_set_values(f->d->entries.val, at, &f->h->a, k, 1);
}

TULLE_INLINE void put_block(const job *f, int64_t at, int64_t node, int64_t j, const int64_t *k,
                            int b, sym_purpose what)
{
	if (what == SYM_PLACE)
		tulle__sym_set_column(&f->d->blocks, at, node, j);
	for (int r = 0; what != SYM_COUNT && r < b; r++)
		tulle__sym_set_values(f->d->blocks.val, (at * b + r) * b, &f->h->a, k[r], b);
}

/* ---- the rows of one node ---- */

/* The position of the next block, and of the next entry of each row. */
typedef struct {
	int64_t block, entry[SYM_LARGEST];
} places;

/* Rows b*node .. b*node+b-1, or fewer at the end. A block is full if each of its rows contains its
 * first and its last column: columns ascend without duplicates. */
TULLE_INLINE void split_node(const job *f, int64_t node, int rows, int b, places *at,
                             sym_purpose what)
{
	const tulle__csr *a = &f->h->a;
	int64_t k[SYM_LARGEST], end[SYM_LARGEST];

	for (int r = 0; r < rows; r++) {
		k[r] = tulle__csr_offset(a, b * node + r);
		end[r] = tulle__csr_offset(a, b * node + r + 1);
	}
	while (b > 1 && rows == b && k[0] < end[0] && tulle__csr_column(a, k[0]) < b * (node + 1)) {
		const int64_t j = tulle__csr_column(a, k[0]) / b;
		int full = 1;

		for (int r = 0; r < b; r++) {
			for (; k[r] < end[r] && tulle__csr_column(a, k[r]) < b * j; k[r]++)
				put_entry(f, at->entry[r]++, b * node + r, k[r], what);
			full &= k[r] + b <= end[r] && tulle__csr_column(a, k[r]) == b * j &&
			        tulle__csr_column(a, k[r] + b - 1) == b * j + b - 1;
		}
		if (full) {
			put_block(f, at->block++, node, j, k, b, what);
			for (int r = 0; r < b; r++)
				k[r] += b;
			continue;
		}
		for (; k[0] < end[0] && tulle__csr_column(a, k[0]) < b * (j + 1); k[0]++)
			if (tulle__csr_column(a, k[0]) <= b * node)
				put_entry(f, at->entry[0]++, b * node, k[0], what);
	}
	for (int r = 0; r < rows; r++)
		for (; k[r] < end[r] && tulle__csr_column(a, k[r]) <= b * node + r; k[r]++)
			put_entry(f, at->entry[r]++, b * node + r, k[r], what);
}

/* ---- parts ---- */

TULLE_INLINE int rows_of(const job *f, int64_t node, int b)
{
	const int64_t left = f->h->a.rows - b * node;

	return left < b ? (int)left : b;
}

TULLE_INLINE void count_part(const job *f, int64_t p, int b)
{
	sym_part *part = &f->d->part[p];
	int64_t entries = 0, blocks = 0;

	for (int64_t node = part->row / b; b * node < part[1].row; node++) {
		places at = { .block = 0 };
		const int rows = rows_of(f, node, b);

		split_node(f, node, rows, b, &at, SYM_COUNT);
		for (int r = 0; r < rows; r++)
			f->d->entries.end[b * node + r] = TULLE__U32(entries += at.entry[r]);
		blocks += at.block;
		if (b > 1 && rows == b)
			f->d->blocks.end[node] = TULLE__U32(blocks);
	}
	part->block = blocks;
	part->entry = entries;
}

TULLE_INLINE void place_part(const job *f, int64_t p, int b, sym_purpose what)
{
	const sym_data *d = f->d;
	const sym_part *part = &d->part[p];

	for (int64_t node = part->row / b; b * node < part[1].row; node++) {
		const int first = b * node == part->row, rows = rows_of(f, node, b);
		places at = { .block =
			              b > 1 && !first ? part->block + d->blocks.end[node - 1] : part->block };

		for (int r = 0; r < rows; r++)
			at.entry[r] = part->entry + (first && r == 0 ? 0 : d->entries.end[b * node + r - 1]);
		split_node(f, node, rows, b, &at, what);
	}
}

TULLE_INLINE void do_part(const job *f, int64_t p, int b)
{
	switch (f->purpose) {
	case SYM_COUNT: count_part(f, p, b); break;
	case SYM_PLACE: place_part(f, p, b, SYM_PLACE); break;
	case SYM_PLACE_VALUES: place_part(f, p, b, SYM_PLACE_VALUES); break;
	}
}

static void do_any_part(const void *arg, int64_t p)
{
	const job *f = arg;

	if (f->d->strips.span) {
		tulle__sym_strips_of_part(f->h, f->d, p, &f->searches[p], f->purpose);
		return;
	}
	switch (f->d->b) {
	case 1: do_part(f, p, 1); break;
	case 2: do_part(f, p, 2); break;
	case 3: do_part(f, p, 3); break;
	case 4: do_part(f, p, 4); break;
	default: do_part(f, p, 6); break;
	}
}

static void run(tulle__env *env, job *f, sym_purpose what)
{
	f->purpose = what;
	tulle__run_parts(env, do_any_part, f, f->d->parts, f->h->a.nnz + f->h->a.rows);
}

/* ---- the size of the blocks ---- */

typedef struct {
	int64_t blocks, entries;
} found;

TULLE_INLINE found count_group(const job *f, int64_t group, int b)
{
	found n = { 0, 0 };

	for (int64_t node = group * SYM_GROUP / b; node < (group + 1) * SYM_GROUP / b; node++) {
		places at = { .block = 0 };

		split_node(f, node, b, b, &at, SYM_COUNT);
		n.blocks += at.block;
		for (int r = 0; r < b; r++)
			n.entries += at.entry[r];
	}
	return n;
}

static found count_in(const job *f, int64_t group, int b)
{
	switch (b) {
	case 1: return count_group(f, group, 1);
	case 2: return count_group(f, group, 2);
	case 3: return count_group(f, group, 3);
	case 4: return count_group(f, group, 4);
	default: return count_group(f, group, 6);
	}
}

/* A block has a fixed cost. If there are entries beside blocks, each row has an additional cost. */
int tulle__sym_best_block(const sym_half *h, double *least_cost)
{
	enum { BLOCK = 16, ROW = 24 };
	static const int sizes[] = { 1, 2, 3, 4, 6 };
	const job f = { .h = h };
	const int64_t groups = h->a.rows / SYM_GROUP;
	const int64_t samples = groups < SYM_SAMPLES ? groups : SYM_SAMPLES;
	const int64_t value = (int64_t)tulle__value_size(h->a.value_type);
	int64_t least = INT64_MAX;
	int best = 1;

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		const int b = sizes[s];
		int64_t cost = 0;

		for (int64_t n = 0; n < samples; n++) {
			const found in = count_in(&f, tulle__cut(groups, samples, n), b);

			cost += in.blocks * (b * b * value + 2 + BLOCK) +
			        SYM_SLOWER * in.entries * (value + 2) +
			        (in.blocks > 0 && in.entries > 0 ? SYM_GROUP * ROW : 0);
		}
		if (cost < least) {
			least = cost;
			best = b;
		}
	}
	*least_cost = samples > 0 ? (double)least / (double)(samples * SYM_GROUP) : 0;
	return best;
}

/* ---- all ---- */

/* Allocate columns and values of `count` blocks or entries with `each` values. */
static tulle_status alloc_rows(tulle__env *env, sym_rows *r, int64_t count, int64_t each,
                               size_t value)
{
	const size_t column = r->near ? sizeof(uint16_t) : sizeof(int32_t);
	const tulle_status s = tulle__alloc(env, count, column, &r->col);

	return s == TULLE_OK ? tulle__alloc(env, count, (size_t)each * value, &r->val) : s;
}

/* From counts per part to prefix sums. */
static tulle_status add_up(sym_data *d)
{
	int64_t blocks = 0, entries = 0;

	for (sym_part *p = d->part; p <= d->part + d->parts; p++) {
		const int64_t block = p->block, entry = p->entry;

		if (entry > TULLE__U32_MAX)
			return tulle__fail(TULLE_E_UNSUPPORTED,
			                   "sym: a part has %" PRId64 " entries, more than 2^32-1", entry);
		p->block = blocks;
		p->entry = entries;
		blocks += block;
		entries += entry;
	}
	return TULLE_OK;
}

static tulle_status count_all(tulle__env *env, job *f, int strips)
{
	sym_data *d = f->d;
	const int64_t rows = f->h->a.rows;
	tulle_status s =
	    tulle__alloc(env, d->b > 1 ? rows / d->b : 0, sizeof *d->blocks.end, &d->blocks.end);

	if (s == TULLE_OK && !strips)
		s = tulle__alloc(env, rows, sizeof *d->entries.end, &d->entries.end);
	if (s == TULLE_OK && strips)
		s = tulle__sym_alloc_spans(env, d);
	if (s == TULLE_OK && strips)
		s = tulle__sym_open_searches(env, f->h, d, f->searches);
	if (s != TULLE_OK)
		return s;
	run(env, f, SYM_COUNT);
	return add_up(d);
}

static tulle_status place_all(tulle__env *env, job *f)
{
	sym_data *d = f->d;
	const sym_part *last = &d->part[d->parts];
	const size_t value = tulle__value_size(f->h->a.value_type);
	tulle_status s = alloc_rows(env, &d->blocks, last->block, d->b * d->b, value);

	if (s == TULLE_OK)
		s = alloc_rows(env, &d->entries, last->entry, 1, value);
	if (s == TULLE_OK && d->strips.span)
		s = tulle__sym_alloc_strips(env, d, value);
	if (s == TULLE_OK)
		run(env, f, SYM_PLACE);
	return s;
}

tulle_status tulle__sym_lay_out(tulle__env *env, const sym_half *h, sym_data *d, int strips)
{
	sym_search searches[SYM_MAX_PARTS] = { { .runs = 0 } };
	job f = { .h = h, .d = d, .searches = searches };
	tulle_status s;

	d->blocks.near = (h->reach + d->b - 1) / d->b <= SYM_NEAR;
	d->entries.near = h->reach <= SYM_NEAR;
	s = count_all(env, &f, strips);
	if (s == TULLE_OK)
		s = place_all(env, &f);
	tulle__sym_close_searches(env, searches);
	return s;
}

tulle_status tulle__sym_fill(tulle__env *env, const sym_half *h, sym_data *d)
{
	sym_search searches[SYM_MAX_PARTS] = { { .runs = 0 } };
	job f = { .h = h, .d = d, .searches = searches };
	tulle_status s = TULLE_OK;

	if (d->strips.span)
		s = tulle__sym_open_searches(env, h, d, searches);
	if (s == TULLE_OK)
		run(env, &f, SYM_PLACE_VALUES);
	tulle__sym_close_searches(env, searches);
	return s;
}
