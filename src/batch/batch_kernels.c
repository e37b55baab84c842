/* batch_kernels.c -- y_i = alpha A_i x_i + beta y_i for the problems of a part: each by the loop of its
 * kernel, groups interleaved. */
#include "batch/batch.h"
#include "core/kernel.h"
#include "loops/csr_rows.h"
#include "loops/interleaved.h"
#include "loops/sell_chunk.h"
#include "loops/store_rows.h"

/* ---- vectors of a problem ---- */

TULLE_INLINE const T *x_of(const batch_call *c, int64_t place)
{
	return c->xs ? c->xs[c->data->problem[place]] : (const T *)c->x + c->data->place[place].x;
}

TULLE_INLINE target y_of(const batch_call *c, int64_t place, int scaled)
{
	T *y = c->ys ? c->ys[c->data->problem[place]] : (T *)c->y + c->data->place[place].y;
	const double scale = scaled && c->data->scale ? c->data->scale[place] : 1;
	/* A real alpha stays real, whatever the scale is. */
	const tulle__scalar alpha = { c->alpha.re * scale, c->alpha.im == 0 ? 0 : c->alpha.im * scale };

	return (target){ y, y, factor(alpha), factor(c->beta) };
}

TULLE_INLINE const T *values_of(const batch_data *d, const batch_unit *u, int ones)
{
	return ones ? NULL : (const T *)d->val + u->val;
}

/* ---- one problem, rows or chunks i .. end-1 ---- */

TULLE_INLINE void csr_unit(const batch_call *c, const batch_unit *u, int64_t i, int64_t end,
                           int ones)
{
	const batch_data *d = c->data;
	const csr_rows a = { d->row_ptr + u->first, d->col + u->col, values_of(d, u, ones),
		                 x_of(c, u->place), y_of(c, u->place, 1) };

	if (u->near)
		rows_strips(&a, i, end, COLUMNS_NEAR, ones);
	else
		rows_strips(&a, i, end, COLUMNS_FAR, ones);
}

TULLE_INLINE void sell_chunks(const batch_call *c, const batch_unit *u, int64_t n, int64_t end,
                              int height, column_kind columns, int ones)
{
	const batch_data *d = c->data;
	const target to = y_of(c, u->place, 1);
	const T *x = x_of(c, u->place), *val = values_of(d, u, ones);
	const uint16_t *col = d->col + u->col;
	const int width = columns == COLUMNS_NEAR ? 1 : 2;

	for (; n < end; n++) {
		const batch_chunk chunk = d->chunk[u->first + n];
		const int64_t lane = u->lane + n * height;
		const sell_view view = { chunk.full,
			                     chunk.width,
			                     d->lane_length + lane,
			                     col + (int64_t)chunk.at * width,
			                     x,
			                     coded_own(ones ? NULL : val + chunk.at) };
		vec sum[SELL_VECTORS(2 * INTERLEAVED)];

		for (int v = 0; v < SELL_VECTORS(height); v++)
			sum[v] = vzero();
		sell_sums(&view, height, columns, ones ? TULLE__ONES : TULLE__OWN, sum);
		for (int v = 0; v < SELL_VECTORS(height); v++) {
			const int64_t rest = u->rows - n * height - v * VLEN;

			if (chunk.first != BATCH_SCATTERED)
				store_each(&to, chunk.first + v * VLEN, sum[v]);
			else if (rest > 0)
				store_first_at(&to, d->lane_row + lane + v * VLEN, sum[v],
				               rest < VLEN ? (int)rest : VLEN);
		}
	}
}

TULLE_INLINE void sell_unit(const batch_call *c, const batch_unit *u, int64_t n, int64_t end,
                            int ones)
{
	if (u->vectors_per_chunk == 1 && u->near)
		sell_chunks(c, u, n, end, INTERLEAVED, COLUMNS_NEAR, ones);
	else if (u->near)
		sell_chunks(c, u, n, end, 2 * INTERLEAVED, COLUMNS_NEAR, ones);
	else if (u->vectors_per_chunk == 1)
		sell_chunks(c, u, n, end, INTERLEAVED, COLUMNS_FAR, ones);
	else
		sell_chunks(c, u, n, end, 2 * INTERLEAVED, COLUMNS_FAR, ones);
}

/* Rows of one length: chunks without lists. The last chunk may have fewer lanes. */
TULLE_INLINE void ell_chunks(const batch_call *c, const batch_unit *u, int64_t n, int64_t end,
                             column_kind columns, int ones)
{
	const batch_data *d = c->data;
	const target to = y_of(c, u->place, 1);
	const tulle__value_class class = ones ? TULLE__ONES : TULLE__OWN;
	const T *val = values_of(d, u, ones);
	const int width = columns == COLUMNS_NEAR ? 1 : 2;

	for (; n < end; n++) {
		const int64_t at = n * INTERLEAVED * u->width, rest = u->rows - n * INTERLEAVED;
		const sell_view view = { u->width,
			                     u->width,
			                     NULL,
			                     d->col + u->col + at * width,
			                     x_of(c, u->place),
			                     coded_own(ones ? NULL : val + at) };
		vec sum[WOVEN_VECTORS];

		for (int v = 0; v < WOVEN_VECTORS; v++)
			sum[v] = vzero();
		if (rest >= INTERLEAVED)
			sell_sums(&view, INTERLEAVED, columns, class, sum);
		else
			for (int64_t step = 0; step < u->width; step++)
				sell_some(&view, step * rest, (int)rest, INTERLEAVED, columns, class, sum);
		for (int v = 0; v < WOVEN_VECTORS && v * VLEN < rest; v++)
			if (rest - v * VLEN >= VLEN)
				store_each(&to, n * INTERLEAVED + v * VLEN, sum[v]);
			else
				store_first(&to, n * INTERLEAVED + v * VLEN, sum[v], rest - v * VLEN);
	}
}

TULLE_INLINE void ell_unit(const batch_call *c, const batch_unit *u, int64_t n, int64_t end,
                           int ones)
{
	if (u->near)
		ell_chunks(c, u, n, end, COLUMNS_NEAR, ones);
	else
		ell_chunks(c, u, n, end, COLUMNS_FAR, ones);
}

/* ---- a group ---- */

TULLE_INLINE interleaved_csr group_of(const batch_call *c, const batch_unit *u, const T *x,
                                      int ones)
{
	const batch_data *d = c->data;
	interleaved_csr a = { d->row_ptr + u->first, d->col + u->col,
		                  values_of(d, u, ones), x,
		                  { vzero() },           0 };

	if (d->scale) {
		T scale[INTERLEAVED];

		for (int l = 0; l < INTERLEAVED; l++)
			scale[l] = all_parts(l < u->lanes ? (R)d->scale[u->place + l] : 0);
		for (int v = 0; v < WOVEN_VECTORS; v++)
			a.scale[v] = vload(scale + v * VLEN);
		a.scaled = 1;
	}
	return a;
}

/* Takes a free slot. There is always one: there are as many slots as threads. */
static T *take_slot(const batch_slots *s, int *slot)
{
	for (int n = 0;; n = n + 1 < s->slots ? n + 1 : 0)
		if (!atomic_exchange_explicit(&s->flag[n].taken, 1, memory_order_acquire)) {
			*slot = n;
			return (T *)(void *)(s->memory + (size_t)n * s->bytes);
		}
}

static void give_slot(const batch_slots *s, int slot)
{
	atomic_store_explicit(&s->flag[slot].taken, 0, memory_order_release);
}

TULLE_INLINE void any_columns(const interleaved_csr *a, const interleaved_target *t, int64_t i,
                              int64_t end, int near, interleaved_values values)
{
	if (near)
		interleaved_rows(a, t, i, end, COLUMNS_NEAR, values);
	else
		interleaved_rows(a, t, i, end, COLUMNS_FAR, values);
}

/* Not inlined: one copy for packed and for interleaved vectors. */
static __attribute__((noinline)) void
own_rows(const interleaved_csr *a, const interleaved_target *t, int64_t i, int64_t end, int near)
{
	any_columns(a, t, i, end, near, WOVEN_OWN);
}

static __attribute__((noinline)) void
one_rows(const interleaved_csr *a, const interleaved_target *t, int64_t i, int64_t end, int near)
{
	any_columns(a, t, i, end, near, WOVEN_ONE);
}

static __attribute__((noinline)) void
ones_rows(const interleaved_csr *a, const interleaved_target *t, int64_t i, int64_t end, int near)
{
	any_columns(a, t, i, end, near, WOVEN_ONES);
}

TULLE_INLINE void group_rows(const batch_call *c, const batch_unit *u, const interleaved_csr *a,
                             const interleaved_target *t, int64_t i, int64_t end, int ones)
{
	if (ones)
		ones_rows(a, t, i, end, u->near);
	else if (c->data->one_value)
		one_rows(a, t, i, end, u->near);
	else
		own_rows(a, t, i, end, u->near);
}

static void packed_group(const batch_call *c, const batch_unit *u, int64_t i, int64_t end,
                         T *memory, int ones)
{
	const interleaved_csr a = group_of(c, u, memory, ones);
	const T *x[INTERLEAVED];
	target to[INTERLEAVED];
	const interleaved_target t = { to, u->lanes, 1 };

	for (int l = 0; l < u->lanes; l++) {
		x[l] = x_of(c, u->place + l);
		to[l] = y_of(c, u->place + l, 0);
	}
	weave(x, u->lanes, u->cols, memory);
	group_rows(c, u, &a, &t, i, end, ones);
}

/* Unit n is group n of the vectors. */
TULLE_INLINE void interleaved_group(const batch_call *c, int64_t n, int64_t i, int64_t end,
                                    int ones)
{
	const batch_unit *u = &c->data->unit[n];
	const interleaved_csr a = group_of(c, u, (const T *)c->x + n * u->cols * INTERLEAVED, ones);
	T *y = (T *)c->y + n * u->rows * INTERLEAVED;
	const target to = { y, y, factor(c->alpha), factor(c->beta) };
	const interleaved_target t = { &to, u->lanes, 0 };

	group_rows(c, u, &a, &t, i, end, ones);
}

/* ---- a part ---- */

/* Prefetch the vectors of the next unit while this one is multiplied: the hardware cannot predict
 * gathers from x. */
enum { LINE = 64 / sizeof(T), MOST_LINES = 128 };

TULLE_INLINE void prefetch_vector(const T *v, int64_t n)
{
	const int64_t lines = n / LINE + 1;

	for (int64_t l = 0; l < lines && l < MOST_LINES; l++)
		__builtin_prefetch((const void *)((uintptr_t)v + (uintptr_t)l * 64));
}

TULLE_INLINE void prefetch_unit(const batch_call *c, const batch_unit *u)
{
	for (int l = 0; l < u->lanes; l++) {
		prefetch_vector(x_of(c, u->place + l), u->cols);
		prefetch_vector(y_of(c, u->place + l, 0).y, u->rows);
	}
}

/* The end of a unit that an earlier part began, then whole units, then the beginning of a unit. */
TULLE_INLINE int64_t first_piece(const batch_cut *cut, int64_t n)
{
	return n == cut->unit ? cut->piece : 0;
}

TULLE_INLINE int64_t last_piece(const batch_cut *next, int64_t n, const batch_unit *u)
{
	return n == next->unit ? next->piece : u->pieces;
}

TULLE_INLINE void packed_part(const void *arg, int64_t part, int ones)
{
	const batch_call *c = arg;
	const batch_data *d = c->data;
	const batch_cut *cut = &d->cut[part];
	const int64_t units = cut[1].unit + (cut[1].piece > 0);
	T *memory = NULL;
	int slot = 0;

	for (int64_t n = cut->unit; n < units; n++) {
		const batch_unit *u = &d->unit[n];
		const int64_t i = first_piece(cut, n), end = last_piece(cut + 1, n, u);

		if (n + 1 < units)
			prefetch_unit(c, u + 1);
		switch (u->kernel) {
		case BATCH_CSR: csr_unit(c, u, i, end, ones); break;
		case BATCH_SELL: sell_unit(c, u, i, end, ones); break;
		case BATCH_ELL: ell_unit(c, u, i, end, ones); break;
		default:
			if (!memory)
				memory = take_slot(c->slots, &slot);
			packed_group(c, u, i, end, memory, ones);
		}
	}
	if (memory)
		give_slot(c->slots, slot);
}

TULLE_INLINE void interleaved_part(const void *arg, int64_t part, int ones)
{
	const batch_call *c = arg;
	const batch_data *d = c->data;
	const batch_cut *cut = &d->cut[part];
	const int64_t units = cut[1].unit + (cut[1].piece > 0);

	for (int64_t n = cut->unit; n < units; n++) {
		const int64_t i = first_piece(cut, n), end = last_piece(cut + 1, n, &d->unit[n]);

		interleaved_group(c, n, i, end, ones);
	}
}

static void packed(const void *arg, int64_t part)
{
	packed_part(arg, part, 0);
}

static void packed_ones(const void *arg, int64_t part)
{
	packed_part(arg, part, 1);
}

static void interleaved(const void *arg, int64_t part)
{
	interleaved_part(arg, part, 0);
}

static void interleaved_ones(const void *arg, int64_t part)
{
	interleaved_part(arg, part, 1);
}

TULLE_KERNELS(batch) = {
	[BATCH_PACKED_VECTORS] = { "packed", { packed } },
	[BATCH_PACKED_ONES] = { "packed", { packed_ones } },
	[BATCH_INTERLEAVED_VECTORS] = { "interleaved", { interleaved } },
	[BATCH_INTERLEAVED_ONES] = { "interleaved", { interleaved_ones } },
};
