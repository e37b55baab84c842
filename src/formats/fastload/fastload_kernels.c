/* fastload_kernels.c -- y = alpha A x + beta b, A in blocks of sorted columns (Algorithm 2).
 *
 *   begin     x in the order of the sorted columns
 *   multiply  blocks: matrix and x are both read side by side, without a gather; what runs of lanes
 *             have in one row is summed first, then added to the part's own y
 *   end       the y's of all parts added up in their order
 *
 * scratch: the sorted x, then one y per part. */
#include "core/kernel.h"
#include "formats/fastload/fastload.h"
#include "loops/copies.h"
#include "loops/store.h"

#include "core/split.h"

typedef struct {
	const fastload_data *a;
	const T *x;
	T *sorted, *copies;
	target to;
} work;

TULLE_INLINE work unpack(const void *arg)
{
	const tulle__call *c = arg;
	const fastload_data *a = c->data;
	T *sorted = c->scratch;

	return (work){ a, c->x, sorted, sorted + a->cols, target_of(c) };
}

static void sort_x(const void *arg, int64_t part)
{
	const work w = unpack(arg);
	const int32_t *from = w.a->permutation;
	const int64_t end = tulle__cut(w.a->cols, w.a->column_parts, part + 1);
	int64_t c = tulle__cut(w.a->cols, w.a->column_parts, part);

	for (; c + VLEN <= end; c += VLEN)
		vstore(w.sorted + c, vgather(w.x, from + c));
	for (; c < end; c++)
		w.sorted[c] = w.x[from[c]];
}

/* ---- one step of a block: val[l] * x[l], l = 0 .. length-1 ---- */

TULLE_INLINE vec product(const T *val, const T *x, int64_t l, int ones)
{
	return ones ? vload(x + l) : vmul(vload(val + l), vload(x + l));
}

/* All of it in one row: the paper's prefix sum. */
TULLE_INLINE void add_to_one_row(const T *val, const T *x, int32_t row, int64_t length, T *y,
                                 int ones)
{
	const int64_t whole = length / VLEN * VLEN;
	const vmask m = vfirst(length - whole);
	vec sum = vload_first(x + whole, m);

	if (!ones)
		sum = vmul(vload_first(val + whole, m), sum);
	for (int64_t l = 0; l < whole; l += VLEN)
		sum = vadd(sum, product(val, x, l, ones));
	y[row] += vsum(sum);
}

TULLE_INLINE void multiply_step(const T *val, const T *x, int64_t length, T *products, int ones)
{
	int64_t l = 0;

	for (; l + VLEN <= length; l += VLEN)
		vstore(products + l, product(val, x, l, ones));
	for (; l < length; l++)
		products[l] = ones ? x[l] : val[l] * x[l];
}

/* Runs of one row: the paper's segment sum, where GPUs would add atomically. */
TULLE_INLINE void add_runs(const T *products, const int32_t *row, int64_t length, T *y)
{
	T sum = 0;

	for (int64_t l = 0; l < length; l++) {
		sum += products[l];
		if (l + 1 == length || row[l + 1] != row[l]) {
			y[row[l]] += sum;
			sum = 0;
		}
	}
}

TULLE_INLINE void add_apart(const T *products, const int32_t *row, int64_t length, T *y)
{
	for (int64_t l = 0; l < length; l++)
		y[row[l]] += products[l];
}

TULLE_INLINE void add_blocks(const work *w, int64_t block, int64_t end, T *y, int ones)
{
	const fastload_data *a = w->a;

	for (; block < end; block++) {
		const int64_t length = a->length[block], first = a->first[block];
		const int kind = a->kind[block];
		const T *x = w->sorted + a->column[block];
		const T *val = ones ? NULL : (const T *)a->val + first;
		const int32_t *row = a->row + first;

		for (int64_t s = 0; s < a->height[block]; s++) {
			T products[FASTLOAD_LANES];

			if (kind == FASTLOAD_UNIFORM) {
				add_to_one_row(val, x, *row, length, y, ones);
			} else {
				multiply_step(val, x, length, products, ones);
				if (kind == FASTLOAD_RUNS)
					add_runs(products, row, length, y);
				else
					add_apart(products, row, length, y);
			}
			row += length;
			val = ones ? NULL : val + length;
		}
	}
}

static void multiply(const void *arg, int64_t part)
{
	const work w = unpack(arg);
	T *y = w.copies + part * w.a->rows;

	for (int64_t i = 0; i < w.a->rows; i++)
		y[i] = 0;
	if (w.a->val)
		add_blocks(&w, w.a->cut[part], w.a->cut[part + 1], y, 0);
	else
		add_blocks(&w, w.a->cut[part], w.a->cut[part + 1], y, 1);
}

static void add_parts(const void *arg, int64_t part)
{
	const work w = unpack(arg);
	const int64_t rows = w.a->rows, parts = w.a->row_parts;

	add_copies(&w.to, w.copies, w.a->parts, rows, tulle__cut(rows, parts, part),
	           tulle__cut(rows, parts, part + 1));
}

TULLE_KERNELS(fastload) = {
	{ "blocks", { sort_x, multiply, add_parts } },
};
