/* csr5_kernels.c -- y = alpha A x + beta b, A in CSR5 (Liu & Vinter 2015, Algorithm 8).
 *
 * Each lane adds its sigma nonzeros and starts a new sum at every flag. All intermediate sums are
 * kept in a small table in L1. The sums at the ends of segments are then gathered from the table in
 * the order of their rows. So y is written in whole vectors, and no branch depends on where rows
 * end. scratch: two sums per part, of its first row and of the row it leaves open. */
#include "core/kernel.h"
#include "formats/csr5/csr5.h"
#include "loops/csr_row.h"
#include "loops/prefetch.h"
#include "loops/store.h"

#include <string.h>

/* One call, with its types. */
typedef struct {
	const csr5_data *a;
	const T *val, *x;
	target to;
	T *scratch;
} work;

/* Scratch for one tile. An index into `sums` may be negative: the line before the first holds
 * zeros. */
typedef struct {
	_Alignas(64) T zeros[VLEN];
	T sums[CSR5_MAX_SIGMA * VLEN];             /* lane i after step j: sums[j*VLEN + i] */
	T segment[CSR5_MAX_SIGMA * VLEN + VLEN];   /* sum of each segment, in order; then a zero */
	int32_t place[CSR5_MAX_SIGMA * VLEN + 32]; /* index in `sums` of each segment's sum */
} tile_scratch;

TULLE_INLINE work unpack(const void *arg)
{
	const tulle__call *c = arg;
	const csr5_data *a = c->data;

	return (work){ a, a->val, c->x, target_of(c), c->scratch };
}

/* ---- one tile ---- */

TULLE_INLINE const uint16_t *descriptor(const work *w, int64_t t, int sigma)
{
	return w->a->tile_desc + t * csr5_units(VLEN, sigma) * VLEN;
}

/* bit_flag of lane i. */
TULLE_INLINE uint64_t flags_of(const uint16_t *desc, int i, int sigma)
{
	uint64_t flags = desc[i];

	for (int u = 1; u < csr5_units(VLEN, sigma); u++)
		flags |= (uint64_t)desc[u * VLEN + i] << 16 * u;
	return flags & (((uint64_t)1 << sigma) - 1);
}

TULLE_INLINE int y_offset_of(const uint16_t *desc, int i, int sigma)
{
	return desc[(csr5_units(VLEN, sigma) - 1) * VLEN + i] >> csr5_y_shift(VLEN, sigma);
}

TULLE_INLINE int segments_of(const uint16_t *desc, int sigma)
{
	return y_offset_of(desc, VLEN - 1, sigma) +
	       __builtin_popcountll(flags_of(desc, VLEN - 1, sigma));
}

/* VLEN products from nonzero k on, a multiple of VLEN; columns are prefetched once per cache
 * line. */
TULLE_INLINE vec multiply(const work *w, int64_t k, int ones)
{
	const int32_t *col = w->a->col + k;

	if (k * (int64_t)sizeof *col % 64 == 0)
		prefetch_ahead(col, sizeof *col);
	if (ones)
		return vgather(w->x, col);
	prefetch_ahead(w->val + k, sizeof *w->val);
	return vmul(vload(w->val + k), vgather(w->x, col));
}

/* Algorithm 8, lines 5-21: all lanes, step by step. A new sum begins at a flag. The sum of a lane
 * before its first flag belongs to a row that began in a lane further left.
 *
 * Lines 22-26, with a true segmented sum in place of Algorithm 6: the segment that is open at the end
 * of a lane gets the sums that the lanes to its right have before their first flag. seg_offset is the
 * number of these lanes. The last line of `sums` is then the sum of each lane's last segment. Returns
 * the lanes without a flag. */
TULLE_INLINE vlanes sum_down(const work *w, int64_t t, const uint16_t *desc, int sigma, int ones,
                             tile_scratch *d)
{
	const int64_t k = t * sigma * VLEN;
	vbits bits = vbits_load(desc);
	vlanes unflagged = vall();
	vec sum = vzero(), before = vzero();

#pragma GCC unroll 32
	for (int j = 0; j < sigma; j++) {
		const vec product = multiply(w, k + j * VLEN, ones);
		vlanes on;

		if (j > 0)
			bits = j % 16 == 0 ? vbits_load(desc + j / 16 * VLEN) : vshift(bits);
		on = vclear(bits);
		sum = vadd_lanes(product, sum, on);
		unflagged = vboth(unflagged, on);
		before = vchoose(unflagged, sum, before);
		if (j < sigma - 1)
			vstore(d->sums + j * VLEN, sum);
	}
	bits = vbits_load(desc + (csr5_units(VLEN, sigma) - 1) * VLEN);
	sum = vadd(sum, vsum_reach(vslide(before), bits, csr5_seg_shift(VLEN, sigma)));
	vstore(d->sums + (sigma - 1) * VLEN, sum);
	return unflagged;
}

/* The sums of all segments in order. The sum of a segment is in the line before the next flag of
 * the lane, or, for the last segment of a lane, in the last line. y_offset says where the segments
 * of a lane begin in the list. A lane may write beyond its own segments: the next lane overwrites
 * these. */
TULLE_INLINE void collect_segments(const uint16_t *desc, int sigma, int segments, tile_scratch *d)
{
	_Alignas(64) uint64_t ends[VLEN];

	for (int i = 0; i < VLEN; i++) {
		const uint64_t flags = flags_of(desc, i, sigma);

		ends[i] = (flags & (flags - 1)) >> 1 | (uint64_t)(flags != 0) << (sigma - 1);
	}
#pragma GCC unroll 16
	for (int i = 0; i < VLEN; i++) {
		int32_t *place = d->place + y_offset_of(desc, i, sigma);

		vplaces(place, (uint32_t)ends[i], sigma < 32 ? sigma : 32, i);
		if (sigma > 32)
			vplaces(place + __builtin_popcount((uint32_t)ends[i]), (uint32_t)(ends[i] >> 32),
			        sigma - 32, i + 32 * VLEN);
	}
	d->place[segments] = -VLEN;
	for (int s = 0; s <= segments; s += VLEN)
		vstore(d->segment + s, vpick(d->sums, d->place + s));
}

/* The same if no lane has two segments: all sums are in the last line. */
TULLE_INLINE void collect_lanes(int sigma, vlanes unflagged, tile_scratch *d)
{
	vstore(d->segment, vsqueeze(vload(d->sums + (sigma - 1) * VLEN), unflagged));
	vstore(d->segment + VLEN, vzero());
}

/* A tile inside one row (sec. 3.2): no flags, no table, one sum. */
TULLE_INLINE T sum_tile(const work *w, int64_t t, int sigma, int ones)
{
	const int64_t k = t * sigma * VLEN;

	return vsum(row_lanes(ones ? NULL : w->val + k, w->a->col + k, w->x, sigma * VLEN, ones));
}

/* ---- rows of y ---- */

/* Rows i .. i+n-1 have no nonzero. */
static void store_empty(const target *to, int64_t i, int64_t n)
{
	for (; n >= VLEN; i += VLEN, n -= VLEN)
		store_each(to, i, vzero());
	store_first(to, i, vzero(), n);
}

/* Consecutive rows i .. i+n-1 end in this tile; `open` is the sum of the first row before the
 * tile. */
TULLE_INLINE void store_rows(const target *to, const T *segment, int64_t i, int64_t n, T open)
{
	vec before = vadd_first(vzero(), vset(open), vfirst(1));

	for (; n > VLEN; i += VLEN, segment += VLEN, n -= VLEN) {
		store_each(to, i, vadd(vload(segment), before));
		before = vzero();
	}
	store_first(to, i, vadd(vload(segment), before), n);
}

/* The rows of a tile with empty rows: `n` segments, the first of them in row `from` of the tile,
 * each in the row given by empty_offset. All rows are first stored as empty rows, in vectors,
 * unless that would overwrite b, if b is y. */
static void store_apart(const work *w, int64_t t, const tile_scratch *d, int64_t from, int64_t n,
                        T open)
{
	const target *to = &w->to;
	const int64_t row = csr5_tile_row(w->a, t), rows = csr5_tile_row(w->a, t + 1) - row;
	const uint16_t *offset = w->a->empty_offset + w->a->empty_ptr[t];
	const int size = csr5_empty_size(rows), spoils = to->beta != 0 && to->b == to->y;
	int64_t next = row + from;

	if (!spoils)
		store_empty(to, next, rows - from);
	for (int64_t s = from; s < n; s++) {
		const int64_t i = row + csr5_empty_offset(offset, size, s);

		if (spoils)
			store_empty(to, next, i - next);
		store(to, i, d->segment[s] + (s == 0 ? open : 0));
		next = i + 1;
	}
	if (spoils)
		store_empty(to, next, row + rows - next);
}

/* Segments of a tile that end in it: all of them, or all but the last. */
TULLE_INLINE int64_t ended(const work *w, int64_t t, int64_t segments, int64_t rows)
{
	const csr5_data *a = w->a;

	if (!(a->tile_ptr[t] & CSR5_EMPTY))
		return rows;
	return segments - (csr5_empty_offset(a->empty_offset + a->empty_ptr[t], csr5_empty_size(rows),
	                                     segments - 1) == rows);
}

/* ---- one part: tiles, and in the last part the tail ---- */

/* The first row of a part may have begun earlier: its sum goes to scratch. */
typedef struct {
	T open;   /* sum of the row that is open */
	int head; /* 1: that row is still the part's first */
} state;

TULLE_INLINE void tile_rows(const work *w, int64_t t, int64_t part, int sigma, int ones,
                            tile_scratch *d, state *s)
{
	const csr5_data *a = w->a;
	const uint16_t *desc = descriptor(w, t, sigma);
	const int64_t row = csr5_tile_row(a, t), rows = csr5_tile_row(a, t + 1) - row;
	const vlanes unflagged = sum_down(w, t, desc, sigma, ones, d);
	const int segments = segments_of(desc, sigma), head = s->head;
	const int64_t n = ended(w, t, segments, rows);

	if (segments == VLEN - vcount(unflagged))
		collect_lanes(sigma, unflagged, d);
	else
		collect_segments(desc, sigma, segments, d);
	if (head)
		w->scratch[2 * part] = s->open + d->segment[0];
	if (a->tile_ptr[t] & CSR5_EMPTY)
		store_apart(w, t, d, head, n, s->open);
	else
		store_rows(&w->to, d->segment + head, row + head, n - head, head ? 0 : s->open);
	*s = (state){ d->segment[n], 0 };
}

/* The nonzeros after the last complete tile lie as in CSR. */
static void rest(const work *w, int64_t part, int ones, state *s)
{
	const csr5_data *a = w->a;
	int64_t k = a->tiles * a->omega * a->sigma, i = a->tiles > 0 ? csr5_tile_row(a, a->tiles) : 0;

	for (; i < a->rows && (k < a->nnz || s->head); i++) {
		const int64_t n = csr5_row_ptr(a, i + 1) - k;
		const T sum =
		    s->open + vsum(row_lanes(ones ? NULL : w->val + k, a->col + k, w->x, n, ones));

		if (s->head)
			w->scratch[2 * part] = sum;
		else
			store(&w->to, i, sum);
		*s = (state){ 0, 0 };
		k += n;
	}
	store_empty(&w->to, i, a->rows - i);
}

TULLE_INLINE void tiles_of(const work *w, int64_t part, int sigma, int ones)
{
	const csr5_data *a = w->a;
	state s = { 0, 1 };
	tile_scratch d;

	memset(d.zeros, 0, sizeof d.zeros);
	memset(d.place, 0, sizeof d.place);
	if (part == 0 && a->tiles > 0)
		store_empty(&w->to, 0, csr5_tile_row(a, 0));
	for (int64_t t = a->cut[part]; t < a->cut[part + 1]; t++) {
		if (csr5_tile_row(a, t) == csr5_tile_row(a, t + 1)) {
			s.open += sum_tile(w, t, sigma, ones);
		} else {
			tile_rows(w, t, part, sigma, ones, &d, &s);
		}
	}
	if (part == a->parts - 1)
		rest(w, part, ones, &s);
	else
		w->scratch[2 * part + !s.head] = s.open;
}

TULLE_INLINE void part_of(const void *arg, int64_t part, int ones)
{
	const work w = unpack(arg);

	if (w.a->sigma == CSR5_SIGMA)
		tiles_of(&w, part, CSR5_SIGMA, ones);
	else
		tiles_of(&w, part, w.a->sigma, ones);
}

static void values(const void *arg, int64_t part)
{
	part_of(arg, part, 0);
}

static void ones(const void *arg, int64_t part)
{
	part_of(arg, part, 1);
}

/* Carries, in the order of the tiles: the sum of a row that spans several parts is the open sum of
 * the first part, plus the sums of those between, plus the first sum of the last part. */
static void add_carries(const void *arg, int64_t part)
{
	const work w = unpack(arg);
	const csr5_data *a = w.a;
	T open = 0;

	(void)part;
	for (int64_t p = 0; p < a->parts; p++) {
		const int64_t row = a->tiles > 0 ? csr5_tile_row(a, a->cut[p]) : 0;

		open += w.scratch[2 * p];
		if (p + 1 == a->parts || csr5_tile_row(a, a->cut[p + 1]) > row) {
			store(&w.to, row, open);
			open = p + 1 < a->parts ? w.scratch[2 * p + 1] : 0;
		}
	}
}

TULLE_KERNELS(csr5) = {
	[CSR5_VALUES] = { "tiles", { values, add_carries } },
	[CSR5_ONES] = { "tiles", { ones, add_carries } },
};
