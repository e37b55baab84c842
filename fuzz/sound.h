/* sound.h -- what must hold of a matrix that came out of any bytes, and of a message that came instead. */
#ifndef FUZZ_SOUND_H
#define FUZZ_SOUND_H

#include "fuzz.h"
#include "tulle.h"

static inline int64_t index_at(const void *array, tulle_index_type type, int64_t k)
{
	return type == TULLE_I32 ? ((const int32_t *)array)[k] : ((const int64_t *)array)[k];
}

static volatile double seen; /* keeps the values' reads */

static inline void check_sound(const tulle_matrix *a)
{
	tulle_csr_view v = { .size = sizeof v };
	double sum = 0;

	REQUIRE(tulle_matrix_view_csr(a, &v) == TULLE_OK);
	REQUIRE(index_at(v.row_ptr, v.offset_type, 0) == 0);
	REQUIRE(index_at(v.row_ptr, v.offset_type, v.rows) == v.nnz);
	for (int64_t i = 0; i < v.rows; i++)
		REQUIRE(index_at(v.row_ptr, v.offset_type, i) <= index_at(v.row_ptr, v.offset_type, i + 1));
	for (int64_t k = 0; k < v.nnz; k++) {
		const int64_t j = index_at(v.col, v.column_type, k);

		REQUIRE(j >= 0 && j < v.cols);
		if (v.val)
			sum += v.value_type == TULLE_F32 ? (double)((const float *)v.val)[k]
			                                 : ((const double *)v.val)[k];
	}
	seen = sum;
}

/* A block of exactly count values, all zero, so that a sanitizer sees the first byte past it. */
static inline void *vector(int64_t count, size_t value)
{
	void *v = calloc((size_t)count + (count == 0), value);

	REQUIRE(v);
	return v;
}

static inline tulle_status multiply_once(const tulle_plan *plan, tulle_value_type type,
                                         const void *x, void *y)
{
	return type == TULLE_F32 ? tulle_mul_f32(plan, 1, x, 0, y) : tulle_mul_f64(plan, 1, x, 0, y);
}

/* Nothing of a message may steer a terminal. */
static inline void check_sentence(const char *text)
{
	REQUIRE(*text);
	for (; *text; text++)
		REQUIRE((unsigned char)*text >= 0x20 && *text != 0x7f);
}

#endif
