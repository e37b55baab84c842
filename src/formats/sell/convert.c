/* convert.c -- CSR to SELL-C-sigma: sort rows by length, lay out chunks, move nonzeros. */
#include "formats/sell/convert.h"

#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

typedef struct {
	sell_data *d;
	const tulle__csr *a;
	int64_t window; /* rows that are sorted together: sigma, in whole chunks */
	int64_t windows, parts;
	int32_t *spare; /* as long as row, for the sort */
} job;

/* ---- rows by length ---- */

static int32_t length_of(const tulle__csr *a, int64_t i)
{
	return (int32_t)(tulle__index_at(a->row_ptr, a->offset_type, i + 1) -
	                 tulle__index_at(a->row_ptr, a->offset_type, i));
}

/* One pass of a radix sort, longest first; rows that agree in this digit keep their order. */
static void sort_digit(const job *j, const int32_t *from, int32_t *to, int64_t n, int shift)
{
	enum { DIGITS = 256 };
	int32_t at[DIGITS] = { 0 };
	int32_t sum = 0;

	for (int64_t i = 0; i < n; i++)
		at[(length_of(j->a, from[i]) >> shift) % DIGITS]++;
	for (int digit = DIGITS; digit-- > 0;) {
		const int32_t count = at[digit];

		at[digit] = sum;
		sum += count;
	}
	for (int64_t i = 0; i < n; i++)
		to[at[(length_of(j->a, from[i]) >> shift) % DIGITS]++] = from[i];
}

static void sort_window(const job *j, int64_t begin, int64_t n)
{
	int32_t *row = j->d->row + begin, *spare = j->spare + begin, *length = j->d->length + begin;
	int32_t longest = 0, sorted = 1;

	for (int64_t i = 0; i < n; i++) {
		row[i] = (int32_t)(begin + i);
		length[i] = length_of(j->a, begin + i);
		longest = length[i] > longest ? length[i] : longest;
		sorted &= i == 0 || length[i] <= length[i - 1];
	}
	if (sorted)
		return;
	for (int shift = 0; shift < 32 && longest >> shift > 0; shift += 8) {
		sort_digit(j, row, spare, n, shift);
		memcpy(row, spare, (size_t)n * sizeof *row);
	}
	for (int64_t i = 0; i < n; i++)
		length[i] = length_of(j->a, row[i]);
}

static void describe_chunk(sell_data *d, int64_t c)
{
	const int32_t *row = d->row + c * d->height, *length = d->length + c * d->height;
	const int lanes = sell_lanes(d, c);
	int64_t nonzeros = 0;
	int neighbours = lanes == d->height;

	for (int r = 0; r < lanes; r++) {
		nonzeros += length[r];
		neighbours &= row[r] == row[0] + r;
	}
	d->chunk[c] = (sell_chunk){
		.base = nonzeros,
		.full = lanes == d->height ? length[lanes - 1] : 0,
		.width = length[0],
		.first = neighbours ? row[0] : SELL_SCATTERED,
	};
}

static void sort_part(const void *arg, int64_t part)
{
	const job *j = arg;
	sell_data *d = j->d;
	const int64_t begin = tulle__cut(j->windows, j->parts, part) * j->window;
	const int64_t until = tulle__cut(j->windows, j->parts, part + 1) * j->window;
	const int64_t end = until < d->rows ? until : d->rows;

	for (int64_t i = begin; i < end; i += j->window)
		sort_window(j, i, end - i < j->window ? end - i : j->window);
	for (int64_t c = begin / d->height; c * d->height < end; c++)
		describe_chunk(d, c);
}

/* From the chunks' nonzeros to where they begin. A chunk begins at a multiple of the height, so
 * that the loads of its full steps lie within cache lines. */
static int64_t place_chunks(sell_data *d)
{
	int64_t slots = 0;

	for (int64_t c = 0; c < d->chunks; c++) {
		const int64_t nonzeros = d->chunk[c].base;

		d->chunk[c].base = slots;
		slots += (nonzeros + d->height - 1) / d->height * d->height;
	}
	d->chunk[d->chunks] = (sell_chunk){ .base = slots };
	return slots;
}

/* Chunks are cut where nonzeros and rows are even. */
static void cut_chunks(sell_data *d)
{
	const int64_t work = d->chunk[d->chunks].base + d->chunks * d->height;
	int64_t c = 0;

	for (int64_t part = 0; part < d->parts; part++) {
		const int64_t target = tulle__cut(work, d->parts, part);

		while (d->chunk[c].base + c * d->height < target)
			c++;
		d->cut[part] = c;
	}
	d->cut[d->parts] = d->chunks;
}

/* ---- nonzeros ---- */

/* What is moved: elements of 4 or 8 bytes as they are, or 64-bit columns that become 32-bit ones. */
typedef enum { MOVE_4, MOVE_8, NARROW } element;

typedef struct {
	const sell_data *d;
	const tulle__csr *a; /* its row_ptr */
	void *slots, *csr;   /* an array in SELL's order and the same in CSR's */
	element kind;
	int back; /* from slots to csr */
} move;

INLINE void move_one(const move *m, int64_t slot, int64_t k, element kind, int back)
{
	const size_t size = kind == MOVE_8 ? 8 : 4;
	char *s = (char *)m->slots + (size_t)slot * size, *c = (char *)m->csr + (size_t)k * size;

	if (kind == NARROW)
		((int32_t *)m->slots)[slot] = (int32_t)((const int64_t *)m->csr)[k];
	else if (back)
		memcpy(c, s, size);
	else
		memcpy(s, c, size);
}

/* Lane r of a chunk: its row lies in a's order from k on. */
INLINE void move_lane(const move *m, int64_t chunk, int r, element kind, int back)
{
	const sell_data *d = m->d;
	const int32_t *length = d->length + chunk * d->height;
	const int32_t row = d->row[chunk * d->height + r], full = d->chunk[chunk].full;
	int64_t k = tulle__index_at(m->a->row_ptr, m->a->offset_type, row);
	int64_t slot = d->chunk[chunk].base + r;
	int lanes = d->height;

	for (int32_t s = 0; s < full; s++, slot += d->height)
		move_one(m, slot, k++, kind, back);
	for (int32_t s = full; s < length[r]; s++, slot += lanes) {
		while (length[lanes - 1] <= s)
			lanes--;
		move_one(m, slot, k++, kind, back);
	}
}

INLINE void move_chunks(const move *m, int64_t part, element kind, int back)
{
	for (int64_t c = m->d->cut[part]; c < m->d->cut[part + 1]; c++)
		for (int r = 0; r < sell_lanes(m->d, c); r++)
			move_lane(m, c, r, kind, back);
}

static void move_part(const void *arg, int64_t part)
{
	const move *m = arg;

	if (m->kind == NARROW)
		move_chunks(m, part, NARROW, 0);
	else if (m->kind == MOVE_4)
		move_chunks(m, part, MOVE_4, m->back);
	else
		move_chunks(m, part, MOVE_8, m->back);
}

static void run_move(const move *m, tulle__env *env)
{
	tulle__run_parts(env, move_part, m, m->d->parts, m->d->nnz + m->d->rows);
}

static element kind_of(tulle_value_type type)
{
	return tulle__value_size(type) == 8 ? MOVE_8 : MOVE_4;
}

static void set_ones(const void *arg, int64_t part)
{
	const sell_data *d = arg;
	const int64_t end = d->chunk[d->cut[part + 1]].base;

	for (int64_t slot = d->chunk[d->cut[part]].base; slot < end; slot++)
		if (d->value_type == TULLE_F64)
			((double *)d->val)[slot] = 1;
		else
			((float *)d->val)[slot] = 1;
}

void sell_set_values(sell_data *d, const tulle__csr *a, tulle__env *env)
{
	const move m = { d, a, d->val, (void *)(uintptr_t)a->val, kind_of(d->value_type), 0 };

	if (a->val)
		run_move(&m, env);
	else
		tulle__run_parts(env, set_ones, d, d->parts, d->nnz + d->rows);
}

static void set_columns(sell_data *d, const tulle__csr *a, tulle__env *env)
{
	const element kind = a->column_type == TULLE_I32 ? MOVE_4 : NARROW;
	const move m = { d, a, d->col, (void *)(uintptr_t)a->col, kind, 0 };

	run_move(&m, env);
}

void sell_give_back(const sell_data *d, const tulle__csr *to, tulle__env *env)
{
	const move columns = { d, to, d->col, (void *)(uintptr_t)to->col, MOVE_4, 1 };
	const move values = { d, to, d->val, (void *)(uintptr_t)to->val, kind_of(d->value_type), 1 };

	run_move(&columns, env);
	run_move(&values, env);
}

/* ---- all of it ---- */

static tulle_status sort_rows(sell_data *d, const tulle__csr *a, int64_t sigma, tulle__env *env)
{
	const int64_t window = (sigma + d->height - 1) / d->height * d->height;
	job j = { .d = d, .a = a, .window = window, .windows = (a->rows + window - 1) / window };
	const tulle_status s = tulle__alloc(env, a->rows, sizeof *j.spare, &j.spare);

	if (s != TULLE_OK)
		return s;
	j.parts = tulle__parts(a->rows);
	if (j.parts > j.windows)
		j.parts = j.windows;
	tulle__run_parts(env, sort_part, &j, j.parts, a->rows);
	tulle__free(env, j.spare);
	return TULLE_OK;
}

tulle_status sell_build(sell_data *d, const tulle__csr *a, int64_t sigma, tulle__env *env)
{
	const int64_t lanes = d->chunks * d->height;
	int64_t slots;
	tulle_status s = tulle__alloc(env, d->chunks + 1, sizeof *d->chunk, &d->chunk);

	if (s == TULLE_OK)
		s = tulle__alloc(env, a->rows, sizeof *d->row, &d->row);
	if (s == TULLE_OK)
		s = tulle__alloc(env, lanes, sizeof *d->length, &d->length);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->parts + 1, sizeof *d->cut, &d->cut);
	if (s == TULLE_OK)
		s = sort_rows(d, a, sigma, env);
	if (s != TULLE_OK)
		return s;
	for (int64_t lane = a->rows; lane < lanes; lane++)
		d->length[lane] = 0;
	slots = place_chunks(d);
	cut_chunks(d);
	s = tulle__alloc(env, slots, sizeof *d->col, &d->col);
	if (s == TULLE_OK)
		s = tulle__alloc(env, slots, tulle__value_size(a->value_type), &d->val);
	if (s != TULLE_OK)
		return s;
	set_columns(d, a, env);
	sell_set_values(d, a, env);
	return TULLE_OK;
}
