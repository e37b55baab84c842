/* move.c -- nonzeros from CSR to their slots in SELL-C-sigma, and back. */
#include "core/inline.h"
#include "core/split.h"
#include "core/threads.h"
#include "csr/csr.h"
#include "formats/sell/convert.h"

#include <string.h>

/* What is moved, and what becomes of it: elements of 4 or 8 bytes as they are, 64-bit columns as 32-bit
 * ones, columns as 16-bit offsets from the chunk's origin. */
typedef enum { MOVE_4, MOVE_8, NARROW, NEAR, NARROW_NEAR } element;

typedef struct {
	const sell_data *d;
	const tulle__csr *a; /* its row_ptr */
	void *csr;           /* values or columns in CSR's order */
	int columns;
	int back; /* from slots to csr */
} move;

/* One lane or piece: from element k of csr on, to slots of which the first is number 0. */
typedef struct {
	void *csr, *slots;
	int32_t origin;
} lane;

TULLE_INLINE void move_one(const lane *l, int64_t slot, int64_t k, element kind, int back)
{
	const size_t size = kind == MOVE_8 ? 8 : 4;
	char *s = (char *)l->slots + (size_t)slot * size, *c = (char *)l->csr + (size_t)k * size;

	if (kind == NARROW)
		((int32_t *)l->slots)[slot] = (int32_t)((const int64_t *)l->csr)[k];
	else if (kind == NARROW_NEAR)
		((uint16_t *)l->slots)[slot] = (uint16_t)(((const int64_t *)l->csr)[k] - l->origin);
	else if (kind == NEAR && back)
		((int32_t *)l->csr)[k] = ((const uint16_t *)l->slots)[slot] + l->origin;
	else if (kind == NEAR)
		((uint16_t *)l->slots)[slot] = (uint16_t)(((const int32_t *)l->csr)[k] - l->origin);
	else if (back)
		memcpy(c, s, size);
	else
		memcpy(s, c, size);
}

TULLE_INLINE void move_lane(const move *m, const lane *l, int64_t chunk, int r, element kind,
                            int back)
{
	const sell_data *d = m->d;
	const int32_t *length = d->length + chunk * d->height;
	const int32_t row = d->row[chunk * d->height + r], full = d->chunk[chunk].full;
	int64_t k = tulle__csr_offset(m->a, row), slot = r;
	int lanes = d->height;

	for (int32_t s = 0; s < full; s++, slot += d->height)
		move_one(l, slot, k++, kind, back);
	for (int32_t s = full; s < length[r]; s++, slot += lanes) {
		while (length[lanes - 1] <= s)
			lanes--;
		move_one(l, slot, k++, kind, back);
	}
}

TULLE_INLINE void move_lanes(const move *m, const lane *l, int64_t chunk, element kind)
{
	for (int r = 0; r < m->d->chunk[chunk].lanes; r++)
		if (m->back)
			move_lane(m, l, chunk, r, kind, 1);
		else
			move_lane(m, l, chunk, r, kind, 0);
}

TULLE_INLINE void move_run(const move *m, const lane *l, const sell_piece *p, element kind)
{
	const int64_t k = tulle__csr_offset(m->a, p->row) + p->skip;

	for (int64_t s = 0; s < p->length; s++)
		move_one(l, s, k + s, kind, m->back);
}

static element kind_of(const move *m, int near)
{
	if (!m->columns)
		return tulle__value_size(m->d->value_type) == 8 ? MOVE_8 : MOVE_4;
	if (m->a->column_type == TULLE_I64)
		return near ? NARROW_NEAR : NARROW;
	return near ? NEAR : MOVE_4;
}

/* Slots begin at value number `base`, at column unit `col`. */
static lane lane_at(const move *m, int64_t base, int64_t col, int32_t origin)
{
	char *val = (char *)m->d->val + (size_t)base * tulle__value_size(m->d->value_type);

	return (lane){ m->csr, m->columns ? (void *)(m->d->col + col) : val, origin };
}

static void move_chunk(const move *m, int64_t c)
{
	const sell_chunk *chunk = &m->d->chunk[c];
	const lane l = lane_at(m, chunk->base, chunk->col, chunk->origin);

	switch (kind_of(m, chunk->origin != SELL_FAR)) {
	case MOVE_4: move_lanes(m, &l, c, MOVE_4); break;
	case MOVE_8: move_lanes(m, &l, c, MOVE_8); break;
	case NEAR: move_lanes(m, &l, c, NEAR); break;
	case NARROW: move_lanes(m, &l, c, NARROW); break;
	case NARROW_NEAR: move_lanes(m, &l, c, NARROW_NEAR); break;
	}
}

static void move_piece(const move *m, const sell_piece *p)
{
	const lane l = lane_at(m, p->base, p->col, 0);
	const element kind = kind_of(m, 0);

	if (kind == MOVE_4)
		move_run(m, &l, p, MOVE_4);
	else if (kind == MOVE_8)
		move_run(m, &l, p, MOVE_8);
	else
		move_run(m, &l, p, NARROW);
}

static void move_part(const void *arg, int64_t part)
{
	const move *m = arg;
	const sell_data *d = m->d;

	if (part < d->chunk_parts) {
		for (int64_t c = d->cut[part]; c < d->cut[part + 1]; c++)
			move_chunk(m, c);
		return;
	}
	part -= d->chunk_parts;
	for (int64_t p = d->piece_cut[part]; p < d->piece_cut[part + 1]; p++)
		move_piece(m, &d->piece[p]);
}

static void run_move(const move *m, tulle__env *env)
{
	tulle__run_parts(env, move_part, m, m->d->chunk_parts + m->d->piece_parts,
	                 m->d->nnz + m->d->rows);
}

void sell_set_values(sell_data *d, const tulle__csr *a, tulle__env *env)
{
	const move m = { d, a, (void *)(uintptr_t)a->val, 0, 0 };

	if (a->val)
		run_move(&m, env);
	else
		tulle__csr_values(env, &(tulle__csr_order){ .source = NULL }, d->slots, d->value_type, NULL,
		                  d->val);
}

void sell_set_columns(sell_data *d, const tulle__csr *a, tulle__env *env)
{
	const move m = { d, a, (void *)(uintptr_t)a->col, 1, 0 };

	run_move(&m, env);
}

void sell_give_back(const sell_data *d, const tulle__csr *to, tulle__env *env)
{
	const move columns = { d, to, (void *)(uintptr_t)to->col, 1, 1 };
	const move values = { d, to, (void *)(uintptr_t)to->val, 0, 1 };

	run_move(&columns, env);
	run_move(&values, env);
}
