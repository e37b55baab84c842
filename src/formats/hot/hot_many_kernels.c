/* hot_many_kernels.c -- Y = alpha A X + beta Y for several vectors, A in layers of hot columns, X and Y
 * row-major: rows of X of the hot columns are copied into dense blocks, then each part adds up its rows
 * layer after layer.
 *
 * scratch: the blocks of X, rows of k; after them rows of k sums, as many as there are rows. */
#include "core/kernel.h"
#include "core/split.h"
#include "formats/hot/hot.h"
#include "loops/many.h"
#include "loops/many_chunk.h"

#include <string.h>

enum { HEIGHT = HOT_LANE_BYTES / (int)sizeof(T) };

static void copy_x(const void *arg, int64_t part)
{
	const tulle__call_many *c = arg;
	const hot_data *a = c->data;
	const int64_t end = tulle__cut(a->hot, a->copy_parts, part + 1);
	T *to = c->scratch;

	for (int64_t j = tulle__cut(a->hot, a->copy_parts, part); j < end; j++)
		memcpy(to + j * c->k, (const T *)c->x + a->column[j] * c->ldx, (size_t)c->k * sizeof(T));
}

/* Where sums are collected: rows of y, until alpha and beta are applied to them. */
typedef struct {
	T *y;
	int64_t ld;
} sum_rows;

/* The part's rows in one layer: the first layer stores sums, the others add to them. */
TULLE_INLINE void one_layer(const hot_data *a, int64_t n, int64_t part, const slab *x,
                            const sum_rows *to, int regs, int span)
{
	const hot_layer *l = &a->layer[n];
	const column_kind columns = n < a->blocks ? COLUMNS_NEAR : COLUMNS_FAR;
	const size_t unit = columns == COLUMNS_FAR ? sizeof(int32_t) : sizeof(uint16_t);
	const size_t value = coded_size(a->code.class);
	chunk_bite bite;

	for (int64_t c = l->cut[part]; c < l->cut[part + 1]; c++) {
		const hot_chunk chunk = l->chunk[c];
		const int32_t *row = l->row + c * HEIGHT;
		const int rows = chunk.lanes == HOT_ONE_ROW ? 1 : chunk.lanes;
		const many_chunk view = { { &a->code, (const char *)l->val + (size_t)chunk.base * value,
			                        (const char *)l->col + (size_t)chunk.base * unit, columns,
			                        HEIGHT, NULL },
			                      chunk.full,
			                      chunk.width,
			                      l->length + c * HEIGHT };
		row_sums sum[HEIGHT];

		chunk_sums(&view, &bite, x, sum, regs, span);
		for (int r = 1; chunk.lanes == HOT_ONE_ROW && r < HEIGHT; r++)
			slab_add(sum[0], sum[r], regs);
		for (int r = 0; r < rows; r++) {
			T *at = to->y + row[r] * to->ld;

			for (int v = 0; v < regs; v++)
				slab_store(x, at, v, n > 0 ? vadd(slab_load(x, at, v, span), sum[r][v]) : sum[r][v],
				           span);
		}
	}
}

/* Sums are kept in Y, or apart where its elements are still needed. */
TULLE_INLINE void layers(const tulle__call_many *c, const slab *s, int64_t part, int64_t end,
                         int regs, int span, int variant)
{
	const hot_data *a = c->data;
	const int64_t v = s->y - (T *)c->y;
	T *scratch = c->scratch;
	const sum_rows to =
	    s->beta == 0 ? (sum_rows){ s->y, s->ldy } : (sum_rows){ scratch + a->hot * c->k + v, c->k };

	(void)end;
	(void)variant;
	for (int64_t n = 0; n <= a->blocks; n++) {
		slab x = *s;

		if (n < a->blocks) {
			x.x = scratch + n * a->width * c->k + v;
			x.ldx = c->k;
		}
		one_layer(a, n, part, &x, &to, regs, span);
	}
	for (int64_t i = a->cut[part]; i < a->cut[part + 1] && (s->alpha != 1 || s->beta != 0); i++) {
		vec sum[MANY_REGS];

		for (int r = 0; r < regs; r++)
			sum[r] = slab_load(s, to.y + i * to.ld, r, span);
		slab_end_row(s, i, sum, regs, span);
	}
}

static void all_layers(const void *arg, int64_t part)
{
	slab_each(arg, layers, part, part + 1, MANY_REGS, 0);
}

TULLE_KERNELS_WITHOUT_GATHERS(hot_many) = { { "many", { copy_x, all_layers } } };
