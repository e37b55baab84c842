/* hot_kernels.c -- y = alpha A x + beta b, A in layers of hot columns: x of the hot columns is copied
 * into dense blocks, then each part sums its rows layer by layer.
 *
 * scratch: the blocks of x; after them sums, as many as there are rows. */
#include "core/kernel.h"
#include "core/split.h"
#include "formats/hot/hot.h"
#include "loops/copies.h"
#include "loops/sell_chunk.h"
#include "loops/store_rows.h"

enum { HEIGHT = HOT_LANE_BYTES / (int)sizeof(T) };

/* ---- x of the hot columns ---- */

static void copy_x(const void *arg, int64_t part)
{
	const tulle__call *call = arg;
	const hot_data *a = call->data;
	const int64_t end = tulle__cut(a->hot, a->copy_parts, part + 1);
	int64_t j = tulle__cut(a->hot, a->copy_parts, part);
	const T *x = call->x;
	T *to = call->scratch;

	for (; j + VLEN <= end; j += VLEN)
		vstore(to + j, vgather(x, a->column + j));
	for (; j < end; j++)
		to[j] = x[a->column[j]];
}

/* ---- chunks ---- */

TULLE_INLINE void end_rows(const target *to, const int32_t *row, const vec *sum, int lanes,
                           int adds)
{
	for (int v = 0; v < SELL_VECTORS(HEIGHT) && v * VLEN < lanes; v++) {
		const int rest = lanes - v * VLEN, n = rest < VLEN ? rest : VLEN;

		if (adds)
			add_first_at(to->y, row + v * VLEN, sum[v], n);
		else
			store_first_at(to, row + v * VLEN, sum[v], n);
	}
}

TULLE_INLINE void end_one_row(const target *to, int32_t row, vec *sum, int adds)
{
	for (int v = 1; v < SELL_VECTORS(HEIGHT); v++)
		sum[0] = vadd(sum[0], sum[v]);
	if (adds)
		to->y[row] += vsum(sum[0]);
	else
		store(to, row, vsum(sum[0]));
}

/* The part's rows in one layer: the first layer stores y, the others add to it. */
TULLE_INLINE void one_layer(const hot_data *a, int64_t n, int64_t part, const T *x,
                            const target *to, column_kind columns, tulle__value_class class,
                            int adds)
{
	const hot_layer *l = &a->layer[n];
	const int units = columns == COLUMNS_FAR ? 2 : 1;

	for (int64_t c = l->cut[part]; c < l->cut[part + 1]; c++) {
		const hot_chunk chunk = l->chunk[c];
		const int32_t *row = l->row + c * HEIGHT;
		const sell_view view = { chunk.full,
			                     chunk.width,
			                     l->length + c * HEIGHT,
			                     (const uint16_t *)l->col + chunk.base * units,
			                     x,
			                     coded_from(&a->code, l->val, chunk.base, class) };
		vec sum[SELL_VECTORS(HEIGHT)];

		for (int v = 0; v < SELL_VECTORS(HEIGHT); v++)
			sum[v] = vzero();
		sell_sums(&view, HEIGHT, columns, class, sum);
		if (chunk.lanes == HOT_ONE_ROW)
			end_one_row(to, row[0], sum, adds);
		else
			end_rows(to, row, sum, chunk.lanes, adds);
	}
}

/* alpha multiplies the finished sum of a row. Until then sums are kept in y, or in scratch if b is
 * still needed. With alpha 1 they are final. */
TULLE_INLINE void all_layers(const tulle__call *call, int64_t part, tulle__value_class class)
{
	const hot_data *a = call->data;
	const T *hot = call->scratch;
	const target to = target_of(call);
	target sums = to;

	if (to.alpha != 1)
		sums = (target){ to.b, to.beta == 0 ? to.y : (T *)call->scratch + a->hot, 1, 0 };
	one_layer(a, 0, part, hot, &sums, COLUMNS_NEAR, class, 0);
	for (int64_t n = 1; n < a->blocks; n++)
		one_layer(a, n, part, hot + n * a->width, &sums, COLUMNS_NEAR, class, 1);
	one_layer(a, a->blocks, part, call->x, &sums, COLUMNS_FAR, class, 1);
	if (to.alpha != 1)
		add_copies(&to, sums.y, 1, 0, a->cut[part], a->cut[part + 1]);
}

static void layers(const void *arg, int64_t part)
{
	const tulle__call *call = arg;
	const hot_data *a = call->data;

	switch (a->code.class) {
	case TULLE__OWN: all_layers(call, part, TULLE__OWN); break;
	case TULLE__SINGLE:
		if (HAS_SINGLE)
			all_layers(call, part, TULLE__SINGLE);
		break;
	case TULLE__TABLE:
		if (HAS_TABLE)
			all_layers(call, part, TULLE__TABLE);
		break;
	case TULLE__ONES: all_layers(call, part, TULLE__ONES); break;
	default: break; /* nothing is rounded here */
	}
}

TULLE_KERNELS(hot) = { { "layers", { copy_x, layers } } };
