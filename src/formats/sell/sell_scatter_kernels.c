/* sell_scatter_kernels.c -- y = alpha A^T x + beta b from the chunks of A: the products of a step are added
 * to the columns of its lanes one by one, since lanes may have the same column. Strips have consecutive
 * columns, so whole vectors are added.
 *
 * scratch: the copies of columns that the parts add into. */
#include "core/kernel.h"
#include "formats/sell/sell.h"
#include "loops/coded.h"
#include "loops/scatter.h"
#include "loops/sell_chunk.h"

/* Products of n values from index `at` on; the contents of other lanes are undefined. */
TULLE_INLINE vec multiply_vector(const coded *val, int64_t at, vec x, int n,
                                 tulle__value_class class)
{
	if (class == TULLE__ONES)
		return x;
	return vmul(n < VLEN ? coded_load_first(val, at, class, vfirst(n)) : coded_load(val, at, class),
	            x);
}

/* The same of the first `lanes` values, in as many vectors as that takes. */
TULLE_INLINE void multiply_lanes(const coded *val, int64_t at, const vec *x, int lanes,
                                 tulle__value_class class, T *product)
{
	for (int v = 0; v * VLEN < lanes; v++)
		vstore(product + v * VLEN,
		       multiply_vector(val, at + v * VLEN, x[v], lanes - v * VLEN, class));
}

TULLE_INLINE void add_lanes(T *sum, int64_t origin, const uint16_t *col, int64_t at,
                            const T *product, int lanes, column_kind columns)
{
	const C *far = (const C *)(const void *)col;

	for (int r = 0; r < lanes; r++)
		/* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): it does not follow stores of vectors */
		sum[origin + (columns == COLUMNS_NEAR ? col[at + r] : far[at + r])] += product[r];
}

/* ---- chunks ---- */

/* A chunk, with x of its rows. */
typedef struct {
	const sell_view *view;
	int64_t origin; /* of its columns, in the copy */
	T *sum;         /* the copy */
	const vec *x;
} source;

TULLE_INLINE void scatter_steps(const source *s, int height, column_kind columns,
                                tulle__value_class class)
{
	const sell_view *c = s->view;
	T product[SELL_VECTORS(SELL_TALLEST) * VLEN];
	int lanes = height;
	int64_t at = 0;

	for (int32_t step = 0; step < c->full; step++, at += height) {
		sell_prefetch(c, at, columns, class);
		multiply_lanes(&c->val, at, s->x, height, class, product);
		add_lanes(s->sum, s->origin, c->col, at, product, height, columns);
	}
	for (int32_t step = c->full; step < c->width; step++, at += lanes) {
		while (c->length[lanes - 1] <= step)
			lanes--;
		multiply_lanes(&c->val, at, s->x, lanes, class, product);
		add_lanes(s->sum, s->origin, c->col, at, product, lanes, columns);
	}
}

/* `n` neighbouring columns: sum += val x, or x where all values are one, by the first n lanes. */
TULLE_INLINE void add_strip(T *sum, vec val, vec x, int n, int ones)
{
	const vec old = n < VLEN ? vload_first(sum, vfirst(n)) : vload(sum);
	const vec new = ones ? vadd(x, old) : vfma(val, x, old);

	if (n < VLEN)
		vstore_first(sum, new, vfirst(n));
	else
		vstore(sum, new);
}

/* With `code` a step has a single value. */
TULLE_INLINE void scatter_strips_of(const source *s, int height, const tulle__value_code *code,
                                    tulle__value_class class)
{
	const sell_view *c = s->view;
	const int32_t *first = (const int32_t *)(const void *)c->col;

	for (int32_t step = 0; step < c->width; step++) {
		T *sum = s->sum + s->origin + first[step];
		const int64_t at = (int64_t)step * height;
		const vec all =
		    code && class != TULLE__ONES ? coded_set(&c->val, step, class, code) : vset(1);

		for (int v = 0; v < SELL_VECTORS(height); v++) {
			const int rest = height - v * VLEN;
			const vec val = code || class == TULLE__ONES ? all
			                : rest < VLEN
			                    ? coded_load_first(&c->val, at + v * VLEN, class, vfirst(rest))
			                    : coded_load(&c->val, at + v * VLEN, class);

			add_strip(sum + v * VLEN, val, s->x[v], rest, class == TULLE__ONES);
		}
	}
}

/* The body that `class` selects, with a constant class. */
#define OF_CLASS(class, body, ...)                           \
	switch (class) {                                         \
	case TULLE__OWN: body(__VA_ARGS__, TULLE__OWN); break;   \
	case TULLE__SINGLE:                                      \
		if (HAS_SINGLE)                                      \
			body(__VA_ARGS__, TULLE__SINGLE);                \
		break;                                               \
	case TULLE__TABLE:                                       \
		if (HAS_TABLE)                                       \
			body(__VA_ARGS__, TULLE__TABLE);                 \
		break;                                               \
	case TULLE__ONES: body(__VA_ARGS__, TULLE__ONES); break; \
	case TULLE__BF16:                                        \
		if (HAS_HALVES)                                      \
			body(__VA_ARGS__, TULLE__BF16);                  \
		break;                                               \
	case TULLE__F16:                                         \
		if (HAS_HALVES)                                      \
			body(__VA_ARGS__, TULLE__F16);                   \
		break;                                               \
	}

/* Not inlined: one copy for all heights. */
static __attribute__((noinline)) void
scatter_strips(const source *s, int height, const tulle__value_code *code,
               tulle__value_class class){ OF_CLASS(class, scatter_strips_of, s, height, code) }

/* x of the rows in the lanes of a chunk; 0 in lanes without a row. */
TULLE_INLINE void load_rows(const T *x, const sell_chunk *chunk, const int32_t *row, vec *to)
{
	T rows[SELL_VECTORS(SELL_TALLEST) * VLEN];

	for (int r = 0; r < (int)(sizeof rows / sizeof *rows); r++)
		rows[r] = r < chunk->lanes ? x[row[r]] : 0;
	for (int v = 0; v < SELL_VECTORS(SELL_TALLEST); v++)
		to[v] = vload(rows + v * VLEN);
}

TULLE_INLINE void scatter_chunk(const tulle__call *call, int64_t c, const tulle__copy *copy, T *sum,
                                int height, tulle__value_class class)
{
	const sell_data *a = call->data;
	const sell_chunk chunk = a->chunk[c];
	const sell_view view = { chunk.full,
		                     chunk.width,
		                     a->length + c * height,
		                     a->col + chunk.col,
		                     NULL,
		                     coded_scaled(coded_from(&a->code, a->val, chunk.base, class), a->scale,
		                                  c, class) };
	vec x[SELL_VECTORS(SELL_TALLEST)];
	const source s = { &view, chunk.origin - copy->begin, sum, x };

	load_rows(call->x, &chunk, a->row + c * height, x);
	switch (chunk.columns) {
	case COLUMNS_FAR: scatter_steps(&s, height, COLUMNS_FAR, class); break;
	case COLUMNS_NEAR: scatter_steps(&s, height, COLUMNS_NEAR, class); break;
	case COLUMNS_STRIPS: scatter_strips(&s, height, NULL, class); break;
	case COLUMNS_STENCIL: scatter_strips(&s, height, &a->code, class); break;
	}
}

/* ---- long rows ---- */

TULLE_INLINE void scatter_piece_of(const tulle__call *call, int64_t p, const tulle__copy *copy,
                                   T *sum, tulle__value_class class)
{
	const sell_data *a = call->data;
	const sell_piece piece = a->piece[p];
	const int64_t origin = piece.origin - copy->begin;
	const coded val = coded_scaled(coded_from(&a->code, a->val, piece.base, class), a->scale,
	                               a->chunks + p, class);
	const vec x = vset(((const T *)call->x)[piece.row]);

	for (int64_t k = 0; k < piece.length; k += VLEN) {
		const int n = piece.length - k < VLEN ? (int)(piece.length - k) : VLEN;
		const vec products = multiply_vector(&val, k, x, n, class);
		T product[VLEN];

		vstore(product, products);
		if (piece.columns == COLUMNS_NEAR)
			add_lanes(sum, origin, a->col + piece.col, k, product, n, COLUMNS_NEAR);
		else if (piece.columns == COLUMNS_FAR)
			add_lanes(sum, origin, a->col + piece.col, k, product, n, COLUMNS_FAR);
		else
			add_strip(sum + origin + k, vset(1), products, n, 1);
	}
}

static __attribute__((noinline)) void
scatter_piece(const tulle__call *call, int64_t p, const tulle__copy *copy, T *sum,
              tulle__value_class class){ OF_CLASS(class, scatter_piece_of, call, p, copy, sum) }

/* ---- variants ---- */

TULLE_INLINE void scatter_part_of(const tulle__call *call, int64_t part, int height,
                                  tulle__value_class class)
{
	const sell_data *a = call->data;
	const tulle__copy *copy = &a->scatter.copy[part];
	T *sum = open_copy(call->scratch, copy);

	for (int64_t n = a->scatter.cut[part]; n < a->scatter.cut[part + 1]; n++)
		if (n < a->chunks)
			scatter_chunk(call, n, copy, sum, height, class);
		else
			scatter_piece(call, n - a->chunks, copy, sum, class);
}

TULLE_INLINE void scatter_part(const void *arg, int64_t part, int height)
{
	const tulle__call *call = arg;

	OF_CLASS(((const sell_data *)call->data)->code.class, scatter_part_of, call, part, height)
}

static void scatter_4(const void *arg, int64_t part)
{
	scatter_part(arg, part, 4);
}

static void scatter_8(const void *arg, int64_t part)
{
	scatter_part(arg, part, 8);
}

static void scatter_16(const void *arg, int64_t part)
{
	scatter_part(arg, part, 16);
}

static void scatter_32(const void *arg, int64_t part)
{
	scatter_part(arg, part, 32);
}

static void add_scattered(const void *arg, int64_t part)
{
	const tulle__call *call = arg;
	const sell_data *a = call->data;
	const target to = target_of(call);

	add_copies_of(&to, call->scratch, &a->scatter, a->cols, part);
}

/* Nothing is gathered: values of a table are read by permutes or loads. */
TULLE_KERNELS_WITHOUT_GATHERS(sell_scatter) = {
	{ "scatter chunks of 4", { scatter_4, add_scattered } },
	{ "scatter chunks of 8", { scatter_8, add_scattered } },
	{ "scatter chunks of 16", { scatter_16, add_scattered } },
	{ "scatter chunks of 32", { scatter_32, add_scattered } },
};
