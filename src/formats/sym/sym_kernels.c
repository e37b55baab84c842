/* sym_kernels.c -- y = alpha A x + beta b, A by its lower half: an entry a(i,j) is read once and
 * multiplied by x[j] for row i, and its mirror image by x[i] for row j.
 *
 * The first phase adds to the sums of the part's own rows, which are in y if possible, and to a
 * halo for the rows before them. The second phase adds the halos to the sums.
 *
 * scratch: one sum per row, then the halos. */
#include "core/kernel.h"
#include "core/split.h"
#include "formats/sym/sym.h"
#include "loops/prefetch.h"
#include "loops/store.h"
#include "loops/strip_rows.h"

/* y holds the sums until they are finished, unless it also holds b, which is still needed. */
TULLE_INLINE T *sums_of(const tulle__call *call)
{
	return factor(call->beta) == 0 || call->b != call->y ? call->y : call->scratch;
}

TULLE_INLINE T *halo_of(const tulle__call *call, const sym_part *p)
{
	const sym_data *a = call->data;

	return (T *)call->scratch + a->rows + p->halo;
}

/* Data of a part. Sums of its rows are at `own`, those of rows before `row` at `halo`. Both are
 * addresses of row 0. In a halo row 0 does not exist, so they are kept as integers. */
typedef struct {
	const T *x;
	uintptr_t own, halo;
	int64_t row;
	signs mirror; /* of mirror images */
} range;

TULLE_INLINE T *sum_at(const range *w, int64_t j)
{
	const uintptr_t base = j < w->row ? w->halo : w->own;

	return (T *)(base + (uintptr_t)j * sizeof(T));
}

/* ---- blocks ---- */

/* A row of a block is one or two quads. */
enum { QUADS = (SYM_LARGEST + 3) / 4 };

TULLE_INLINE int lanes_of(int q, int b)
{
	return b - 4 * q < 4 ? b - 4 * q : 4;
}

TULLE_INLINE void load(quad *to, const T *p, int b)
{
#pragma GCC unroll 2
	for (int q = 0; 4 * q < b; q++)
		to[q] = qload(p + 4 * q, lanes_of(q, b));
}

/* own[r] += row r of the block times x[j ..]. */
TULLE_INLINE void add_own(quad *own, const quad *row, const quad *xj, int b)
{
#pragma GCC unroll 2
	for (int q = 0; 4 * q < b; q++)
		*own = qfma(row[q], xj[q], *own);
}

TULLE_INLINE void diagonal_block(const T *val, const T *xi, quad *own, int b)
{
	quad xs[QUADS], row[QUADS];

	load(xs, xi, b);
#pragma GCC unroll 6
	for (int r = 0; r < b; r++) {
		load(row, val + r * b, b);
		add_own(&own[r], row, xs, b);
	}
}

/* The block in rows i .. and columns j .., and its mirror image. */
TULLE_INLINE void block_pair(const T *val, const T *xj, T *sum, const qimage *mirrored, quad *own,
                             int b)
{
	quad xs[QUADS], other[QUADS], row[QUADS];

#pragma GCC unroll 5
	for (int n = 0; n < b * b; n += 64 / (int)sizeof(T))
		prefetch_ahead(val + n, sizeof *val);
	load(xs, xj, b);
	load(other, sum, b);
#pragma GCC unroll 6
	for (int r = 0; r < b; r++) {
		load(row, val + r * b, b);
		add_own(&own[r], row, xs, b);
#pragma GCC unroll 2
		for (int q = 0; 4 * q < b; q++)
			other[q] = qfma_image(row[q], mirrored[r], other[q]);
	}
#pragma GCC unroll 2
	for (int q = 0; 4 * q < b; q++)
		qstore(sum + 4 * q, other[q], lanes_of(q, b));
}

/* Blocks k .. end-1, which are those of block row i. */
TULLE_INLINE void block_row(const range *w, const sym_rows *a, int64_t i, int64_t k, int64_t end,
                            int b, int near)
{
	const int64_t origin = sym_origin(i, near);
	const T *val = a->val, *xi = w->x + b * i;
	quad own[SYM_LARGEST];
	qimage mirrored[SYM_LARGEST];

#pragma GCC unroll 6
	for (int r = 0; r < b; r++) {
		own[r] = qzero();
		mirrored[r] = qimage_of(xi[r], w->mirror);
	}
	if (k < end && sym_column(a, end - 1, origin, near) == i)
		diagonal_block(val + b * b * --end, xi, own, b);
	for (; k < end; k++) {
		const int64_t j = b * sym_column(a, k, origin, near);

		block_pair(val + b * b * k, w->x + j, sum_at(w, j), mirrored, own, b);
	}
#pragma GCC unroll 2
	for (int q = 0; 4 * q < b; q++)
		qstore(sum_at(w, b * i) + 4 * q, qsum_each(own + 4 * q, lanes_of(q, b)), lanes_of(q, b));
}

/* ---- single entries ---- */

/* Entries k .. end-1 of row i; returns their sum. No column occurs twice, so loads for some entries
 * may be reordered before the stores of others. */
TULLE_INLINE num entry_row(const range *w, const sym_rows *a, int64_t i, int64_t k, int64_t end,
                           int near)
{
	enum { ABREAST = 4 };
	const int64_t origin = sym_origin(i, near);
	const T *val = a->val;
	const num xi = nload(w->x + i);
	const nimage mirrored = nimage_of(xi, w->mirror);
	num own[ABREAST] = { nzero(), nzero(), nzero(), nzero() };

	if (k < end && sym_column(a, end - 1, origin, near) == i) {
		end--;
		own[0] = nmul(nload(val + end), xi);
	}
	for (; k + ABREAST <= end; k += ABREAST) {
		T *sum[ABREAST];
		num other[ABREAST];

		prefetch_ahead(val + k, sizeof *val);
#pragma GCC unroll 4
		for (int n = 0; n < ABREAST; n++) {
			const int64_t j = sym_column(a, k + n, origin, near);
			const num value = nload(val + k + n);

			sum[n] = sum_at(w, j);
			own[n] = nfma(value, nload(w->x + j), own[n]);
			other[n] = nfma_image(value, mirrored, nload(sum[n]));
		}
#pragma GCC unroll 4
		for (int n = 0; n < ABREAST; n++)
			nstore(sum[n], other[n]);
	}
	for (; k < end; k++) {
		const int64_t j = sym_column(a, k, origin, near);
		const num value = nload(val + k);
		T *sum = sum_at(w, j);

		own[0] = nfma(value, nload(w->x + j), own[0]);
		nstore(sum, nfma_image(value, mirrored, nload(sum)));
	}
	return nadd(nadd(own[0], own[1]), nadd(own[2], own[3]));
}

TULLE_INLINE num any_entry_row(const range *w, const sym_rows *a, int64_t i, int64_t k, int64_t end)
{
	return a->near ? entry_row(w, a, i, k, end, 1) : entry_row(w, a, i, k, end, 0);
}

/* ---- strips ---- */

/* The strips of span n, which begins at row `first`. Where own and mirrored rows overlap, loads of sums would wait for
 * stores of a moment ago that they overlap: there each kind has its pass. */
TULLE_INLINE void strips_of_span(const range *w, const sym_strips *s, int64_t n, int64_t first)
{
	const T *val = (const T *)s->val + s->span[n].value;

	for (const sym_strip *k = s->strip + s->span[n].strip, *end = s->strip + s->span[n + 1].strip;
	     k < end; val += k++->rows) {
		const int64_t i = first + k->row, j = i - k->back;
		const strip t = { val, w->x + i, w->x + j, sum_at(w, i), sum_at(w, j), w->mirror };

		if (k->back >= k->rows) {
			strip_rows(&t, k->rows, OWN | MIRRORED);
			continue;
		}
		strip_rows(&t, k->rows, OWN);
		if (k->back > 0)
			strip_rows(&t, k->rows, MIRRORED);
	}
}

/* Entries of span n that are in no strip. A row has few of them: a loop for each would mostly wait for its branches. */
TULLE_INLINE void entries_of_span(const range *w, const sym_data *a, int64_t n, int64_t first,
                                  int near)
{
	const T *val = a->entries.val;

	for (int64_t k = a->strips.span[n].entry; k < a->strips.span[n + 1].entry; k++) {
		const int64_t i = first + a->strips.row[k];
		const int64_t j = sym_column(&a->entries, k, sym_origin(i, near), near);
		const num value = nload(val + k), xi = nload(w->x + i);
		T *own = sum_at(w, i), *mirrored = sum_at(w, j);

		nstore(own, nfma(value, nload(w->x + j), nload(own)));
		if (j < i)
			nstore(mirrored, nfma_image(value, nimage_of(xi, w->mirror), nload(mirrored)));
	}
}

/* ---- parts ---- */

/* Clears the halo of the part. */
TULLE_INLINE range range_of(const tulle__call *call, const sym_part *p)
{
	const sym_data *a = call->data;
	T *halo = halo_of(call, p);

	for (int64_t i = p->first; i < p->row; i++)
		halo[i - p->first] = 0;
	return (range){ call->x,
		            (uintptr_t)sums_of(call),
		            (uintptr_t)halo - (uintptr_t)p->first * sizeof(T),
		            p->row,
		            { a->minus_re ? -1 : 1, a->minus_im ? -1 : 1 } };
}

/* The sum of a row is initialized by the row itself: only later rows add to it. */
TULLE_INLINE void multiply(const void *arg, int64_t part, int b)
{
	const tulle__call *call = arg;
	const sym_data *a = call->data;
	const sym_part *p = &a->part[part];
	const range w = range_of(call, p);
	T *sums = sums_of(call);
	const int has_no_entries = p[1].entry == p->entry;
	int64_t k = p->block, e = p->entry;

	for (int64_t i = p->row; i < p[1].row; i += b) {
		const int64_t rows = p[1].row - i < b ? p[1].row - i : b;

		if (b > 1 && rows == b) {
			const int64_t end = p->block + a->blocks.end[i / b];

			if (a->blocks.near)
				block_row(&w, &a->blocks, i / b, k, end, b, 1);
			else
				block_row(&w, &a->blocks, i / b, k, end, b, 0);
			k = end;
			if (has_no_entries || a->entries.end[i + b - 1] == e - p->entry)
				continue;
		}
		for (int64_t r = i; r < i + rows; r++) {
			const int64_t end = p->entry + a->entries.end[r];
			const num own = any_entry_row(&w, &a->entries, r, e, end);

			nstore(sums + r, b > 1 && rows == b ? nadd(nload(sums + r), own) : own);
			e = end;
		}
	}
}

static void entries(const void *arg, int64_t part)
{
	multiply(arg, part, 1);
}

static void blocks_of_2(const void *arg, int64_t part)
{
	multiply(arg, part, 2);
}

static void blocks_of_3(const void *arg, int64_t part)
{
	multiply(arg, part, 3);
}

static void blocks_of_4(const void *arg, int64_t part)
{
	multiply(arg, part, 4);
}

static void blocks_of_6(const void *arg, int64_t part)
{
	multiply(arg, part, 6);
}

/* Sums of a span begin at 0; its entries, its strips and later rows add to them. */
static void strips(const void *arg, int64_t part)
{
	const tulle__call *call = arg;
	const sym_data *a = call->data;
	const sym_part *p = &a->part[part];
	const range w = range_of(call, p);
	T *sums = sums_of(call);

	for (int64_t n = p->span, i = p->row; n < p[1].span; n++, i += SYM_SPAN) {
		const int64_t end = i + SYM_SPAN < p[1].row ? i + SYM_SPAN : p[1].row;

		for (int64_t r = i; r < end; r++)
			nstore(sums + r, nzero());
		strips_of_span(&w, &a->strips, n, i);
		if (a->entries.near)
			entries_of_span(&w, a, n, i, 1);
		else
			entries_of_span(&w, a, n, i, 0);
	}
}

/* ---- halos ---- */

/* Rows i .. end-1: the sum of a row is the sum over from[0], from[1] and so on. */
TULLE_INLINE void finish(const target *to, const T *const *from, int n, int64_t i, int64_t end)
{
	int64_t at = 0;

	for (; i + at + VLEN <= end; at += VLEN) {
		vec sum = vload(from[0] + at);

		for (int h = 1; h < n; h++)
			sum = vadd(sum, vload(from[h] + at));
		store_each(to, i + at, sum);
	}
	for (; i + at < end; at++) {
		T sum = from[0][at];

		for (int h = 1; h < n; h++)
			sum += from[h][at];
		store(to, i + at, sum);
	}
}

/* For each range of rows between beginnings and ends of halos; in the order of the parts. */
static void add_halos(const void *arg, int64_t part)
{
	const tulle__call *call = arg;
	const sym_data *a = call->data;
	const target to = target_of(call);
	const T *sums = sums_of(call);
	const int finished = sums == to.y && to.alpha == 1 && to.beta == 0;
	const int64_t end = tulle__cut(a->rows, a->row_parts, part + 1);
	int64_t i = tulle__cut(a->rows, a->row_parts, part), stop;

	for (; i < end; i = stop) {
		const sym_part *of[SYM_MAX_PARTS];
		const T *from[1 + SYM_MAX_PARTS] = { sums + i };
		int halos;

		stop = end;
		halos = sym_halos(a, i, of, &stop);
		for (int h = 0; h < halos; h++)
			from[1 + h] = halo_of(call, of[h]) + (i - of[h]->first);
		if (halos > 0 || !finished)
			finish(&to, from, 1 + halos, i, stop);
	}
}

TULLE_KERNELS(sym) = {
	{ "entries", { entries, add_halos } },         { "blocks of 2", { blocks_of_2, add_halos } },
	{ "blocks of 3", { blocks_of_3, add_halos } }, { "blocks of 4", { blocks_of_4, add_halos } },
	{ "blocks of 6", { blocks_of_6, add_halos } }, { "strips", { strips, add_halos } }
};
