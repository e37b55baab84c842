/* sell_move.c -- moves nonzeros from CSR to their slots in SELL-C-sigma, and back. */
#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"
#include "csr/chunks.h"
#include "csr/csr_matrix.h"
#include "csr/value_codes.h"
#include "formats/sell/sell_convert.h"

/* What is moved, and its stored form: values of any size, or of 4 or 8 bytes, in the code of their
 * class; columns of 32 or 64 bits, as 16-bit or 32-bit offsets from an origin. */
typedef enum {
	OWN,
	OWN_4,
	OWN_8,
	SINGLE,
	TABLE,
	TABLE_4,
	TABLE_8,
	BRAIN, /* bf16 */
	HALF,  /* f16 */
	NEAR,
	WIDE_NEAR,
	FAR,
	WIDE_FAR
} element;

typedef struct {
	const sell_data *d;
	const tulle__csr *a; /* its row_ptr */
	const void *from;    /* values or columns in CSR's order */
	void *to;            /* the destination if slots are moved back; NULL: from -> slots */
	int columns;
} move;

/* One lane or piece: from element k of CSR to slots, the first of which has index 0; or back. */
typedef struct {
	const void *from;
	void *to, *slots;
	int64_t origin;
	const tulle__value_code *code;
	size_t size;  /* of a value */
	double scale; /* of the chunk or piece */
} lane;

TULLE_INLINE void move_value(const lane *l, int64_t slot, int64_t k, tulle__value_class class,
                             size_t size, int back)
{
	const size_t at = (size_t)k * size;

	if (back)
		tulle__decode_value(l->slots, slot, l->code, class, size, (char *)l->to + at);
	else
		tulle__encode_value(l->slots, slot, l->code, class, size, (const char *)l->from + at);
}

TULLE_INLINE void move_half(const lane *l, int64_t slot, int64_t k, tulle__value_class class,
                            int back)
{
	uint16_t *half = (uint16_t *)l->slots + slot;

	const int wide = l->size == sizeof(double);

	if (!back)
		tulle__encode_half(half, l->scale, class,
		                   wide ? ((const double *)l->from)[k]
		                        : (double)((const float *)l->from)[k]);
	else if (wide)
		((double *)l->to)[k] = tulle__decode_half(*half, l->scale, class);
	else
		((float *)l->to)[k] = (float)tulle__decode_half(*half, l->scale, class);
}

TULLE_INLINE void move_one(const lane *l, int64_t slot, int64_t k, element kind, int back)
{
	uint16_t *near = (uint16_t *)l->slots + slot;
	int32_t *far = (int32_t *)l->slots + slot;
	const int32_t *column = l->from;
	const int64_t *wide = l->from;

	switch (kind) {
	case OWN: move_value(l, slot, k, TULLE__OWN, l->size, back); break;
	case OWN_4: move_value(l, slot, k, TULLE__OWN, 4, back); break;
	case OWN_8: move_value(l, slot, k, TULLE__OWN, 8, back); break;
	case SINGLE: move_value(l, slot, k, TULLE__SINGLE, sizeof(double), back); break;
	case TABLE: move_value(l, slot, k, TULLE__TABLE, l->size, back); break;
	case TABLE_4: move_value(l, slot, k, TULLE__TABLE, 4, back); break;
	case TABLE_8: move_value(l, slot, k, TULLE__TABLE, 8, back); break;
	case BRAIN: move_half(l, slot, k, TULLE__BF16, back); break;
	case HALF: move_half(l, slot, k, TULLE__F16, back); break;
	case NEAR:
		if (back)
			((int32_t *)l->to)[k] = TULLE__I32(*near + l->origin);
		else
			*near = (uint16_t)(column[k] - l->origin);
		break;
	case FAR:
		if (back)
			((int32_t *)l->to)[k] = TULLE__I32(*far + l->origin);
		else
			*far = TULLE__I32(column[k] - l->origin);
		break;
	case WIDE_NEAR: *near = (uint16_t)(wide[k] - l->origin); break;
	case WIDE_FAR: *far = TULLE__I32(wide[k] - l->origin); break;
	}
}

TULLE_INLINE void move_lane(const move *m, const lane *l, int64_t chunk, int r, element kind,
                            int back)
{
	const sell_data *d = m->d;
	const int32_t *length = d->length + chunk * d->height;
	const int64_t k = tulle__csr_offset(m->a, d->row[chunk * d->height + r]), n = length[r];
	tulle__lane at = tulle__lane_top(length, d->height, d->chunk[chunk].full, r);

	for (; at.step < n; tulle__lane_down(&at))
		move_one(l, at.at, k + at.step, kind, back);
}

TULLE_INLINE void move_lanes(const move *m, const lane *l, int64_t chunk, element kind)
{
	for (int r = 0; r < m->d->chunk[chunk].lanes; r++)
		if (m->to)
			move_lane(m, l, chunk, r, kind, 1);
		else
			move_lane(m, l, chunk, r, kind, 0);
}

/* n consecutive elements from k on. */
TULLE_INLINE void move_run(const lane *l, int64_t k, int64_t n, element kind, int back)
{
	for (int64_t s = 0; s < n; s++)
		move_one(l, s, k + s, kind, back);
}

static element kind_of(const move *m, column_kind columns)
{
	const int wide = m->a->column_type == TULLE_I64;
	const size_t size = tulle__value_size(m->d->value_type);

	if (m->columns && columns == COLUMNS_NEAR)
		return wide ? WIDE_NEAR : NEAR;
	if (m->columns)
		return wide ? WIDE_FAR : FAR;
	switch (m->d->code.class) {
	case TULLE__SINGLE: return SINGLE;
	case TULLE__BF16: return BRAIN;
	case TULLE__F16: return HALF;
	case TULLE__TABLE: return size == 4 ? TABLE_4 : size == 8 ? TABLE_8 : TABLE;
	default: return size == 4 ? OWN_4 : size == 8 ? OWN_8 : OWN;
	}
}

/* Slots begin at value number `base`, at column unit `col`; the scale is number `n`. */
static lane lane_at(const move *m, int64_t base, int64_t col, int64_t origin, int64_t n)
{
	const sell_data *d = m->d;
	char *val = (char *)d->val + (size_t)base * tulle__code_size(d->code.class, d->value_type);

	return (lane){ m->from,
		           m->to,
		           m->columns ? (void *)(d->col + col) : val,
		           origin,
		           &d->code,
		           tulle__value_size(d->value_type),
		           d->scale ? d->scale[n] : 1 };
}

static void move_slots(const move *m, const lane *l, int64_t c, element kind)
{
	switch (kind) {
	case OWN: move_lanes(m, l, c, OWN); break;
	case OWN_4: move_lanes(m, l, c, OWN_4); break;
	case OWN_8: move_lanes(m, l, c, OWN_8); break;
	case SINGLE: move_lanes(m, l, c, SINGLE); break;
	case TABLE: move_lanes(m, l, c, TABLE); break;
	case TABLE_4: move_lanes(m, l, c, TABLE_4); break;
	case TABLE_8: move_lanes(m, l, c, TABLE_8); break;
	case BRAIN: move_lanes(m, l, c, BRAIN); break;
	case HALF: move_lanes(m, l, c, HALF); break;
	case NEAR: move_lanes(m, l, c, NEAR); break;
	case WIDE_NEAR: move_lanes(m, l, c, WIDE_NEAR); break;
	case FAR: move_lanes(m, l, c, FAR); break;
	case WIDE_FAR: move_lanes(m, l, c, WIDE_FAR); break;
	}
}

/* A list shared by all rows of the chunk: made from the first row, and expanded to each row on the
 * way back. */
static void move_list(const move *m, lane *l, int64_t c, element kind)
{
	const sell_chunk *chunk = &m->d->chunk[c];
	const int shared = m->columns ? sell_shares_columns(m->d, c) : sell_shares_values(m->d, c);
	const int rows = m->to ? m->d->height : shared ? 0 : 1;

	for (int r = 0; r < rows; r++, l->origin++)
		move_run(l, tulle__csr_offset(m->a, chunk->first + r), chunk->width, kind, m->to != NULL);
}

static void move_chunk(const move *m, int64_t c)
{
	const sell_chunk *chunk = &m->d->chunk[c];
	lane l = lane_at(m, chunk->base, chunk->col, chunk->origin, c);
	const element kind = kind_of(m, chunk->columns);

	if (m->columns ? chunk->columns >= COLUMNS_STRIPS : chunk->columns == COLUMNS_STENCIL)
		move_list(m, &l, c, kind);
	else
		move_slots(m, &l, c, kind);
}

static void move_piece(const move *m, const sell_piece *p)
{
	const lane l = lane_at(m, p->base, p->col, p->origin, m->d->chunks + (p - m->d->piece));
	const int64_t k = tulle__csr_offset(m->a, p->row) + p->skip;

	if (!m->columns || p->columns != COLUMNS_STRIPS)
		move_run(&l, k, p->length, kind_of(m, p->columns), m->to != NULL);
	else if (m->to)
		for (int64_t n = 0; n < p->length; n++)
			((int32_t *)m->to)[k + n] = TULLE__I32(p->origin + n);
}

static void move_range(const move *m, sell_range chunks, sell_range pieces)
{
	for (int64_t c = chunks.begin; c < chunks.end; c++)
		move_chunk(m, c);
	for (int64_t p = pieces.begin; p < pieces.end; p++)
		move_piece(m, &m->d->piece[p]);
}

static void move_part(const void *arg, int64_t part)
{
	const sell_range none = { 0, 0 };
	const move *m = arg;
	const sell_data *d = m->d;
	const int64_t p = part - d->chunk_parts;

	if (p < 0)
		move_range(m, (sell_range){ d->cut[part], d->cut[part + 1] }, none);
	else
		move_range(m, none, (sell_range){ d->piece_cut[p], d->piece_cut[p + 1] });
}

static void run_move(const move *m, tulle__env *env)
{
	tulle__run_parts(env, move_part, m, m->d->chunk_parts + m->d->piece_parts,
	                 m->d->nnz + m->d->rows);
}

void tulle__sell_move_values(sell_data *d, const tulle__csr *a, tulle__env *env)
{
	const move m = { d, a, a->val, NULL, 0 };

	if (d->code.class != TULLE__ONES)
		run_move(&m, env);
}

tulle_status tulle__sell_make_columns(sell_data *d, size_t releases, tulle__env *env)
{
	if (releases > 0)
		tulle__allow_beyond_limit(releases);
	/* vgather_near_first may load a whole vector of offsets where it needs one offset. */
	return tulle__alloc(env, d->units + SELL_TALLEST, sizeof *d->col, &d->col);
}

void tulle__sell_move_columns(sell_data *d, const tulle__csr *a, tulle__env *env)
{
	const move m = { d, a, a->col, NULL, 1 };

	run_move(&m, env);
}

void tulle__sell_move_some(sell_data *d, const tulle__csr *a, sell_range chunks, sell_range pieces)
{
	const move columns = { d, a, a->col, NULL, 1 }, values = { d, a, a->val, NULL, 0 };

	move_range(&columns, chunks, pieces);
	if (d->code.class != TULLE__ONES)
		move_range(&values, chunks, pieces);
}

void tulle__sell_give_back(const sell_data *d, const tulle__csr *a, int32_t *col, void *val,
                           tulle__env *env)
{
	const move columns = { d, a, NULL, col, 1 }, values = { d, a, NULL, val, 0 };

	run_move(&columns, env);
	if (d->code.class == TULLE__ONES)
		tulle__csr_values(env, &(tulle__csr_order){ .source = NULL }, d->nnz, d->value_type, NULL,
		                  val);
	else
		run_move(&values, env);
}
