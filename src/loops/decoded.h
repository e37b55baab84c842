/* decoded.h -- decodes nonzeros of any class of values and any kind of columns to plain arrays, in
 * pieces.
 *
 * For several vectors: each nonzero is used for a whole row of X, so decoding it into the L1 cache
 * costs little, and one loop serves all classes and kinds. Plain arrays are not copied. Included by
 * kernel files only, after core/kernel.h. */
#ifndef TULLE_LOOPS_DECODED_H
#define TULLE_LOOPS_DECODED_H

#include "core/kernel.h"
#include "core/values.h"
#include "loops/coded.h"
#include "loops/columns.h"
#include "loops/prefetch.h"

enum { DECODED_MOST = 1024 }; /* nonzeros at a time: 12 KB */

/* As they are stored. */
typedef struct {
	const tulle__value_code *code;
	const void *val, *col; /* of the first one */
	column_kind columns;
	int height; /* rows of a chunk; 1: one row. Strips of a chunk are decoded in whole steps */
	const double *scale; /* of these values, in classes BF16 and F16; NULL: 1 */
} encoded;

typedef struct {
	const T *val;
	const int32_t *col;
} plain;

typedef struct {
	_Alignas(64) T val[DECODED_MOST + VLEN];
	int32_t col[DECODED_MOST + VLEN];
} decode_buffer;

static inline void decode_values(const encoded *e, int64_t at, int64_t n, tulle__value_class class,
                                 T *to)
{
	const coded from = coded_scaled(coded_from(e->code, e->val, at, class), e->scale, 0, class);

	for (int64_t i = 0; i < n; i += VLEN)
		vstore(to + i, class == TULLE__ONES ? vset(1) : coded_load(&from, i, class));
}

/* Each step has one value for all rows. */
static inline void decode_stencil(const encoded *e, int64_t at, int64_t n, tulle__value_class class,
                                  T *to)
{
	const coded from =
	    coded_scaled(coded_from(e->code, e->val, at / e->height, class), e->scale, 0, class);

	for (int64_t i = 0, step = 0; i < n; i += e->height, step++) {
		const vec all = coded_set(&from, step, class, e->code);

		for (int r = 0; r < e->height; r += VLEN)
			vstore(to + i + r, all);
	}
}

static inline void decode_columns(const encoded *e, int64_t at, int64_t n, int32_t *to)
{
	const uint16_t *near = (const uint16_t *)e->col + at;

	if (e->columns == COLUMNS_NEAR) {
		for (int64_t i = 0; i < n; i++)
			to[i] = near[i];
	} else if (e->height == 1) {
		for (int64_t i = 0; i < n; i++)
			to[i] = (int32_t)(at + i);
	} else {
		const int32_t *first = (const int32_t *)e->col + at / e->height;

		for (int64_t i = 0; i < n; i += e->height, first++)
			for (int r = 0; r < e->height; r++)
				to[i + r] = *first + r;
	}
}

/* Prefetch the streams of columns and values. Strips have no stream. */
static inline void decode_prefetch(const encoded *e, int64_t at, int64_t n)
{
	const size_t value = coded_size(e->code->class);

	for (int64_t i = at; i < at + n && value > 0; i += 64 / (int64_t)value)
		prefetch_ahead((const char *)e->val + (size_t)i * value, value);
	for (int64_t i = at; i < at + n; i += 64 / (int64_t)sizeof(int32_t))
		prefetch_columns(e->col, i, e->columns);
}

/* Nonzeros at .. at+n-1, n up to DECODED_MOST; valid until the buffer is used again. Not inlined: one copy
 * serves all numbers of vectors. */
static __attribute__((noinline)) plain decode(const encoded *e, int64_t at, int64_t n,
                                              decode_buffer *buffer)
{
	const tulle__value_class class = e->code->class;
	plain p = { buffer->val, buffer->col };

	decode_prefetch(e, at, n);
	if (e->columns == COLUMNS_STENCIL) {
		switch (class) {
		case TULLE__OWN: decode_stencil(e, at, n, TULLE__OWN, buffer->val); break;
		case TULLE__SINGLE: decode_stencil(e, at, n, TULLE__SINGLE, buffer->val); break;
		case TULLE__TABLE: decode_stencil(e, at, n, TULLE__TABLE, buffer->val); break;
		case TULLE__ONES: decode_values(e, 0, n, TULLE__ONES, buffer->val); break;
		case TULLE__BF16: decode_stencil(e, at, n, TULLE__BF16, buffer->val); break;
		case TULLE__F16: decode_stencil(e, at, n, TULLE__F16, buffer->val); break;
		}
	} else {
		switch (class) {
		case TULLE__OWN: p.val = (const T *)e->val + at; break;
		case TULLE__SINGLE: decode_values(e, at, n, TULLE__SINGLE, buffer->val); break;
		case TULLE__TABLE: decode_values(e, at, n, TULLE__TABLE, buffer->val); break;
		case TULLE__ONES: decode_values(e, at, n, TULLE__ONES, buffer->val); break;
		case TULLE__BF16: decode_values(e, at, n, TULLE__BF16, buffer->val); break;
		case TULLE__F16: decode_values(e, at, n, TULLE__F16, buffer->val); break;
		}
	}
	if (e->columns == COLUMNS_FAR)
		p.col = (const int32_t *)e->col + at;
	else
		decode_columns(e, at, n, buffer->col);
	return p;
}

#endif
