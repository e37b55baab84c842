/* sym_many_kernels.c -- Y = alpha A X + beta Y for several vectors, A by its lower half, X and Y row-major:
 * an entry a(i,j) is read once and multiplied by row j of X for row i, and its mirror image by row i of X for
 * row j.
 *
 * Phases, parts and halos are those of sym_kernels.c. scratch: a row of k sums for each row, then the halos,
 * rows of k. */
#include "core/kernel.h"
#include "core/split.h"
#include "formats/sym/sym.h"
#include "loops/many.h"
#include "loops/prefetch.h"

/* Below, `b`, the rows of a block, is a constant at every call; single entries are blocks of 1. One register of
 * vectors at a time: a block needs one register per row for sums, and one for their x. */

/* Rows of a part that are multiplied by all vectors before the next rows: their half of the matrix
 * stays in the cache. */
enum { TILE = SYM_SPAN };

/* Rows of sums. Those before `row` are in the part's halo, the others in Y if possible. */
typedef struct {
	T *own, *halo;
	int64_t ld;            /* of own; k is that of halo */
	int64_t k, row, first; /* first: the row that the halo begins with */
	signs mirror;          /* of mirror images */
} range;

TULLE_INLINE range range_of(const tulle__call_many *c, const sym_part *p)
{
	const sym_data *a = c->data;
	const int in_y = factor(c->beta) == 0;
	T *scratch = c->scratch;

	return (range){ in_y ? (T *)c->y : scratch,
		            scratch + (a->rows + p->halo) * c->k,
		            in_y ? c->ldy : c->k,
		            c->k,
		            p->row,
		            p->first,
		            { a->minus_re ? -1 : 1, a->minus_im ? -1 : 1 } };
}

/* The sums of row j, from vector v on. */
TULLE_INLINE T *sum_at(const range *w, int64_t j, int64_t v)
{
	return (j < w->row ? w->halo + (j - w->first) * w->k : w->own + j * w->ld) + v;
}

/* ---- blocks ---- */

/* The block in rows i .. and columns j ... `mirrored`: x of rows i .., for its mirror image; NULL: a
 * block on the diagonal, which has none. */
TULLE_INLINE void add_block(const range *w, const slab *s, int64_t v, const T *val, int64_t j,
                            const vimage *mirrored, vec *own, int b, int span)
{
#pragma GCC unroll 6
	for (int c = 0; c < b; c++) {
		const vec xs = slab_load(s, s->x + (j + c) * s->ldx, 0, span);
		T *sum = mirrored ? sum_at(w, j + c, v) : NULL;
		vec other = mirrored ? slab_load(s, sum, 0, span) : vzero();

#pragma GCC unroll 6
		for (int r = 0; r < b; r++) {
			const vec all = vset(val[r * b + c]);

			own[r] = vfma(all, xs, own[r]);
			if (mirrored)
				other = vfma_image(all, mirrored[r], other);
		}
		if (mirrored)
			slab_store(s, sum, 0, other, span);
	}
}

/* Blocks n .. end-1 of block row i. `adds`: its sums are initialized. */
TULLE_INLINE void block_row(const range *w, const slab *s, int64_t v, const sym_rows *a, int64_t i,
                            int64_t n, int64_t end, int b, int adds, int span)
{
	const int64_t origin = sym_origin(i, a->near);
	const T *val = a->val;
	vec own[SYM_LARGEST];
	vimage mirrored[SYM_LARGEST];

#pragma GCC unroll 6
	for (int r = 0; r < b; r++) {
		own[r] = vzero();
		mirrored[r] = vimage_of(slab_load(s, s->x + (b * i + r) * s->ldx, 0, span), w->mirror);
	}
	if (n < end && sym_column(a, end - 1, origin, a->near) == i)
		add_block(w, s, v, val + b * b * --end, b * i, NULL, own, b, span);
	for (; n < end; n++) {
		prefetch_ahead(val + b * b * n, sizeof *val);
		add_block(w, s, v, val + b * b * n, b * sym_column(a, n, origin, a->near), mirrored, own, b,
		          span);
	}
#pragma GCC unroll 6
	for (int r = 0; r < b; r++) {
		T *sum = sum_at(w, b * i + r, v);

		slab_store(s, sum, 0, adds ? vadd(slab_load(s, sum, 0, span), own[r]) : own[r], span);
	}
}

/* ---- parts ---- */

/* Where row i of a part begins: the number of blocks, or entries, of the rows before it in the
 * part. */
TULLE_INLINE int64_t begin_of(const sym_rows *a, int64_t i, int64_t first)
{
	return i > first ? a->end[i - 1] : 0;
}

TULLE_INLINE const sym_part *part_with(const sym_data *a, int64_t i)
{
	const sym_part *p = a->part;

	while (p[1].row <= i)
		p++;
	return p;
}

/* Rows from .. end-1 of one part. Sums of a row are initialized by the row itself: only later rows add to
 * them. */
TULLE_INLINE void rows(const tulle__call_many *c, const slab *s, int64_t from, int64_t end,
                       int regs, int span, int b)
{
	const sym_data *a = c->data;
	const sym_part *p = part_with(a, from);
	const range w = range_of(c, p);
	const int64_t v = s->y - (T *)c->y;
	int64_t k = p->block + (b > 1 ? begin_of(&a->blocks, from / b, p->row / b) : 0);
	int64_t e = p->entry + begin_of(&a->entries, from, p->row);

	(void)regs;
	for (int64_t i = from; i < end; i += b) {
		const int whole = b > 1 && p[1].row - i >= b;

		if (whole) {
			const int64_t next = p->block + a->blocks.end[i / b];

			block_row(&w, s, v, &a->blocks, i / b, k, next, b, 0, span);
			k = next;
			if (p[1].entry == p->entry)
				continue;
		}
		for (int64_t r = i; r < i + b && r < p[1].row; r++) {
			const int64_t next = p->entry + a->entries.end[r];

			if (!whole)
				block_row(&w, s, v, &a->entries, r, e, next, 1, 0, span);
			else if (e < next)
				block_row(&w, s, v, &a->entries, r, e, next, 1, 1, span);
			e = next;
		}
	}
}

/* Sums of rows `to` .. += values times X from row `from` on, or the same with mirror images. */
TULLE_INLINE void add_strip(const range *w, const slab *s, int64_t v, const T *val, int64_t from,
                            int64_t to, int64_t n, int mirrored, int span)
{
	for (int64_t r = 0; r < n; r++) {
		const vec all = vset(val[r]), xs = slab_load(s, s->x + (from + r) * s->ldx, 0, span);
		T *sum = sum_at(w, to + r, v);
		const vec old = slab_load(s, sum, 0, span);

		slab_store(s, sum, 0,
		           mirrored ? vfma_image(all, vimage_of(xs, w->mirror), old) : vfma(all, xs, old),
		           span);
	}
}

/* n rows from i on, in columns from j on, and their mirror images. */
TULLE_INLINE void add_pair(const range *w, const slab *s, int64_t v, const T *val, int64_t i,
                           int64_t j, int64_t n, int span)
{
	add_strip(w, s, v, val, j, i, n, 0, span);
	if (j < i)
		add_strip(w, s, v, val, i, j, n, 1, span);
}

/* Rows from .. end-1, which are a span. An entry in no strip is one of one row. */
TULLE_INLINE void span_of_strips(const tulle__call_many *c, const slab *s, int64_t from,
                                 int64_t end, int regs, int span, int variant)
{
	const sym_data *a = c->data;
	const sym_part *p = part_with(a, from);
	const range w = range_of(c, p);
	const sym_span *at = a->strips.span + p->span + (from - p->row) / SYM_SPAN;
	const T *val = (const T *)a->strips.val + at->value, *single = a->entries.val;
	const int64_t v = s->y - (T *)c->y;

	(void)regs;
	(void)variant;
	for (int64_t i = from; i < end; i++)
		slab_store(s, sum_at(&w, i, v), 0, vzero(), span);
	for (const sym_strip *t = a->strips.strip + at->strip; t < a->strips.strip + at[1].strip; t++) {
		add_pair(&w, s, v, val, from + t->row, from + t->row - t->back, t->rows, span);
		val += t->rows;
	}
	for (int64_t k = at->entry; k < at[1].entry; k++) {
		const int64_t i = from + a->strips.row[k];
		const int64_t j =
		    sym_column(&a->entries, k, sym_origin(i, a->entries.near), a->entries.near);

		add_pair(&w, s, v, single + k, i, j, 1, span);
	}
}

TULLE_INLINE void multiply(const void *arg, int64_t part, slab_fn *rows_of_tile, int b)
{
	const tulle__call_many *c = arg;
	const sym_data *a = c->data;
	const sym_part *p = &a->part[part];
	const range w = range_of(c, p);

	for (int64_t i = 0; i < (p->row - p->first) * c->k; i++)
		w.halo[i] = 0;
	for (int64_t i = p->row; i < p[1].row; i += TILE) {
		const int64_t end = i + TILE < p[1].row ? i + TILE : p[1].row;

		slab_each(c, rows_of_tile, i, end, 1, b);
	}
}

static void entries(const void *arg, int64_t part)
{
	multiply(arg, part, rows, 1);
}

static void blocks_of_2(const void *arg, int64_t part)
{
	multiply(arg, part, rows, 2);
}

static void blocks_of_3(const void *arg, int64_t part)
{
	multiply(arg, part, rows, 3);
}

static void blocks_of_4(const void *arg, int64_t part)
{
	multiply(arg, part, rows, 4);
}

static void blocks_of_6(const void *arg, int64_t part)
{
	multiply(arg, part, rows, 6);
}

static void strips(const void *arg, int64_t part)
{
	multiply(arg, part, span_of_strips, 0);
}

/* ---- halos ---- */

/* Row i: its sums, plus those that halos have for it. */
static void finish_row(const tulle__call_many *c, int64_t i, const sym_part *const *of, int halos)
{
	const sym_data *a = c->data;
	const T *scratch = c->scratch;
	const range w = range_of(c, a->part);
	const T *sums = w.own + i * w.ld;

	for (int64_t v = 0; v < c->k; v += VLEN) {
		const slab s = slab_at(c, v, c->k - v < VLEN ? c->k - v : VLEN);
		vec sum = slab_load(&s, sums + v, 0, SPAN_ANY);

		for (int h = 0; h < halos; h++)
			sum = vadd(
			    sum, slab_load(&s, scratch + (a->rows + of[h]->halo + i - of[h]->first) * c->k + v,
			                   0, SPAN_ANY));
		slab_end_row(&s, i, &sum, 1, SPAN_ANY);
	}
}

/* For each range of rows between beginnings and ends of halos; in the order of the parts. */
static void add_halos(const void *arg, int64_t part)
{
	const tulle__call_many *c = arg;
	const sym_data *a = c->data;
	const int finished = factor(c->alpha) == 1 && factor(c->beta) == 0;
	const int64_t end = tulle__cut(a->rows, a->row_parts, part + 1);
	int64_t i = tulle__cut(a->rows, a->row_parts, part), stop;

	for (; i < end; i = stop) {
		const sym_part *of[SYM_MAX_PARTS];
		int halos;

		stop = end;
		halos = sym_halos(a, i, of, &stop);
		for (int64_t r = i; r < stop && (halos > 0 || !finished); r++)
			finish_row(c, r, of, halos);
	}
}

TULLE_KERNELS_WITHOUT_GATHERS(sym_many) = { { "many, entries", { entries, add_halos } },
	                                        { "many, blocks of 2", { blocks_of_2, add_halos } },
	                                        { "many, blocks of 3", { blocks_of_3, add_halos } },
	                                        { "many, blocks of 4", { blocks_of_4, add_halos } },
	                                        { "many, blocks of 6", { blocks_of_6, add_halos } },
	                                        { "many, strips", { strips, add_halos } } };
