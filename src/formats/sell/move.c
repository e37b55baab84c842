/* move.c -- nonzeros from CSR to their slots in SELL-C-sigma, and back. */
#include "core/split.h"
#include "core/threads.h"
#include "csr/csr.h"
#include "formats/sell/convert.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

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

INLINE void move_piece(const move *m, const sell_piece *p, element kind, int back)
{
	const int64_t k = tulle__index_at(m->a->row_ptr, m->a->offset_type, p->row) + p->skip;

	for (int64_t s = 0; s < p->length; s++)
		move_one(m, p->base + s, k + s, kind, back);
}

INLINE void move_all(const move *m, int64_t part, element kind, int back)
{
	const sell_data *d = m->d;

	if (part < d->chunk_parts) {
		for (int64_t c = d->cut[part]; c < d->cut[part + 1]; c++)
			for (int r = 0; r < d->chunk[c].lanes; r++)
				move_lane(m, c, r, kind, back);
		return;
	}
	part -= d->chunk_parts;
	for (int64_t p = d->piece_cut[part]; p < d->piece_cut[part + 1]; p++)
		move_piece(m, &d->piece[p], kind, back);
}

static void move_part(const void *arg, int64_t part)
{
	const move *m = arg;

	if (m->kind == NARROW)
		move_all(m, part, NARROW, 0);
	else if (m->kind == MOVE_4)
		move_all(m, part, MOVE_4, m->back);
	else
		move_all(m, part, MOVE_8, m->back);
}

static void run_move(const move *m, tulle__env *env)
{
	tulle__run_parts(env, move_part, m, m->d->chunk_parts + m->d->piece_parts,
	                 m->d->nnz + m->d->rows);
}

static element kind_of(tulle_value_type type)
{
	return tulle__value_size(type) == 8 ? MOVE_8 : MOVE_4;
}

static void set_ones(const void *arg, int64_t part)
{
	const sell_data *d = arg;
	const int64_t parts = d->chunk_parts + d->piece_parts;
	const int64_t end = tulle__cut(d->slots, parts, part + 1);

	for (int64_t slot = tulle__cut(d->slots, parts, part); slot < end; slot++)
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
		tulle__run_parts(env, set_ones, d, d->chunk_parts + d->piece_parts, d->nnz + d->rows);
}

void sell_set_columns(sell_data *d, const tulle__csr *a, tulle__env *env)
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
