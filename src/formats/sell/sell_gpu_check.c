/* sell_gpu_check.c -- checks the invariants of SELL-C-sigma on a GPU, from the arrays on the device.
 *
 *   1   every row is in one lane
 *   2   levels have fewer rows from one to the next, and end later; those of all chunks are contiguous
 *   3   columns and values of the chunks are contiguous; only lists are shared, with the chunk before
 *   4   columns are those of the matrix, and codes those of the table
 *   5   slots without an entry are 0 */
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "formats/sell/sell_gpu.h"
#include "gpu/gpu_check.h"

#include <inttypes.h>

typedef struct {
	tulle__gpu_check *c;
	int64_t height, chunks, codes;
	tulle__gpu_numbers chunk, base, level, row, col, val;
	int64_t groups, levels;  /* of chunks so far */
	int64_t next_val, units; /* where those of the next chunk begin */
	int32_t *rows;           /* of all lanes */
} found;

/* A chunk, decoded from its words. */
typedef struct {
	int64_t c;
	int64_t origin, kind, width, entries;
	int64_t levels, first_level; /* no levels: all rows are `width` long */
	int64_t val, col;            /* where they begin; col in 16 bits */
} chunk;

static int ok(const found *f)
{
	return f->c->status == TULLE_OK;
}

static void wrong_chunk(const found *f, const chunk *k, const char *what)
{
	if (ok(f))
		f->c->status = tulle__fail(
		    TULLE_E_INTERNAL, "sell: %s of chunk %" PRId64 " violate an invariant", what, k->c);
}

/* ---- rows and levels ---- */

static void check_rows(found *f, const chunk *k)
{
	const int64_t first = f->chunk.at[SELL_GPU_WORDS * k->c + SELL_GPU_FIRST];
	const int64_t lane = k->c * f->height, rows = f->c->plan->rows;

	if (first < 0 ? ~first != f->groups || (f->groups + 1) * f->height > f->row.count
	              : first + f->height > rows) {
		wrong_chunk(f, k, "rows");
		return;
	}
	for (int64_t r = 0; r < f->height && ok(f); r++) {
		const int64_t row = first < 0 ? f->row.at[f->groups * f->height + r] : first + r;

		if (row < 0 || row >= (lane + r < rows ? rows : 1))
			wrong_chunk(f, k, "rows");
		else if (lane + r < rows)
			f->rows[lane + r] = (int32_t)row;
	}
	f->groups += first < 0;
}

static void check_levels(found *f, chunk *k)
{
	int64_t lanes = f->height + 1, end = 0;

	if (k->levels == 0) {
		k->entries = k->width * f->height;
		return;
	}
	if (k->first_level != f->levels || 2 * (f->levels + k->levels) > f->level.count) {
		wrong_chunk(f, k, "levels");
		return;
	}
	for (int64_t l = f->levels; l < f->levels + k->levels; l++) {
		const int64_t *at = f->level.at + 2 * l;

		if (at[0] >= lanes || at[0] < 1)
			tulle__gpu_wrong(f->c, &f->level, 2 * l);
		if (at[1] <= end || at[1] > f->c->plan->nnz)
			tulle__gpu_wrong(f->c, &f->level, 2 * l + 1);
		lanes = at[0];
		k->entries += (at[1] - end) * lanes;
		end = at[1];
	}
	f->levels += k->levels;
	k->width = end;
}

/* ---- columns ---- */

static int64_t near_at(const found *f, int64_t unit)
{
	return f->col.at[unit / 2] >> (unit % 2 ? 16 : 0) & 0xffff;
}

static void check_columns(const found *f, const chunk *k, int64_t units)
{
	const int near = k->kind == COLUMNS_NEAR, list = k->kind >= COLUMNS_STRIPS;
	const int64_t used = list ? k->width : k->entries, cols = f->c->plan->cols;

	for (int64_t n = 0; n < (near ? units : units / 2) && ok(f); n++) {
		const int64_t at = near ? near_at(f, k->col + n) : f->col.at[k->col / 2 + n];
		const int64_t column = k->origin + at, last = column + (list ? f->height - 1 : 0);

		if (n < used ? column < 0 || last >= cols : at != 0)
			wrong_chunk(f, k, "columns");
	}
}

/* A chunk of strips may share the lists of the chunk before it. */
static void place_columns(found *f, const chunk *k, const chunk *before)
{
	const int list = k->kind >= COLUMNS_STRIPS;
	const int64_t slots = tulle__round_up(k->entries, f->height);
	const int64_t units = list                      ? tulle__sell_list_units((int32_t)k->width)
	                      : k->kind == COLUMNS_NEAR ? slots
	                                                : 2 * slots;

	if (list && before && before->kind >= COLUMNS_STRIPS && before->col == k->col &&
	    before->width == k->width)
		return;
	if (k->col != f->units || f->units + units > 2 * f->col.count)
		wrong_chunk(f, k, "columns");
	else
		check_columns(f, k, units);
	f->units += units;
}

/* ---- values ---- */

static void place_values(found *f, const chunk *k, const chunk *before)
{
	const int one = k->kind == COLUMNS_STENCIL;
	const int64_t used = one ? k->width : k->entries, slots = tulle__round_up(used, f->height);

	if (one && before && before->kind == COLUMNS_STENCIL && before->val == k->val &&
	    before->width == k->width)
		return;
	if (k->val != f->next_val || (f->codes > 0 && k->val + slots > f->val.count))
		wrong_chunk(f, k, "values");
	for (int64_t n = k->val; f->codes > 0 && n < k->val + slots && ok(f); n++)
		if (f->val.at[n] < 0 || f->val.at[n] >= (n < k->val + used ? f->codes : 1))
			tulle__gpu_wrong(f->c, &f->val, n);
	f->next_val += slots;
}

/* ---- all of it ---- */

static chunk chunk_at(const found *f, int64_t c)
{
	const int64_t *words = f->chunk.at + SELL_GPU_WORDS * c, *base = f->base.at + 2 * c;
	const int64_t levels = words[SELL_GPU_KIND] >> SELL_GPU_KIND_BITS;

	return (chunk){ .c = c,
		            .origin = words[SELL_GPU_ORIGIN],
		            .kind = words[SELL_GPU_KIND] & ((1 << SELL_GPU_KIND_BITS) - 1),
		            .width = levels == 0 ? words[SELL_GPU_STEPS] : 0,
		            .levels = levels,
		            .first_level = words[SELL_GPU_STEPS],
		            .val = base[0] * f->height,
		            .col = base[1] * SELL_GPU_UNITS };
}

static void check_chunks(found *f)
{
	chunk before = { .c = -1 };

	for (int64_t c = 0; c < f->chunks && ok(f); c++) {
		chunk k = chunk_at(f, c);
		const int64_t rows = f->c->plan->rows - c * f->height;

		check_rows(f, &k);
		if (k.levels < 0 || k.width < 0 || k.width > f->c->plan->nnz ||
		    (k.levels == 0 && k.width > 0 && rows < f->height))
			wrong_chunk(f, &k, "levels");
		else
			check_levels(f, &k);
		if (ok(f))
			place_columns(f, &k, c > 0 ? &before : NULL);
		if (ok(f))
			place_values(f, &k, c > 0 ? &before : NULL);
		f->c->entries += k.entries;
		before = k;
	}
}

/* No array continues after the last chunk. */
static void check_ends(const found *f)
{
	if (2 * f->levels != f->level.count)
		tulle__gpu_wrong(f->c, &f->level, 2 * f->levels);
	if (f->groups * f->height != f->row.count)
		tulle__gpu_wrong(f->c, &f->row, f->groups * f->height);
	if (f->units != 2 * f->col.count)
		tulle__gpu_wrong(f->c, &f->col, f->units / 2);
	if (f->codes > 0 && f->next_val != f->val.count)
		tulle__gpu_wrong(f->c, &f->val, f->next_val);
}

void tulle__sell_gpu_check(tulle__gpu_check *c)
{
	tulle__env *const env = c->plan->device->env;
	const int64_t height = (int64_t)1 << tulle__gpu_number(c, "sell", "shift");
	found f = { .c = c, .height = height, .codes = tulle__gpu_number(c, "sell", "codes") };

	f.chunks = tulle__gpu_blocks(c->plan->rows, (int)height);
	f.chunk = tulle__gpu_fetch(c, "sell", "chunk", SELL_GPU_WORDS * f.chunks);
	f.base = tulle__gpu_fetch(c, "sell", "base", 2 * f.chunks);
	f.level = tulle__gpu_fetch(c, "sell", "level", 0);
	f.row = tulle__gpu_fetch(c, "sell", "row", 0);
	f.col = tulle__gpu_fetch(c, "sell", "col", 0);
	if (f.codes > 0)
		f.val = tulle__gpu_fetch(c, "sell", "val", 0);
	if (c->status == TULLE_OK)
		c->status = tulle__alloc(env, c->plan->rows, sizeof *f.rows, &f.rows);
	if (c->status == TULLE_OK)
		check_chunks(&f);
	if (c->status == TULLE_OK)
		check_ends(&f);
	if (c->status == TULLE_OK)
		c->status = tulle__check_distinct(env, f.rows, c->plan->rows, c->plan->rows, "sell: row");
	tulle__free(env, f.rows);
}
