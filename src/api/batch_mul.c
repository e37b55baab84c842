/* batch_mul.c -- y_i = alpha A_i x_i + beta y_i: check the pointers, take slots, run the parts. */
#include "api/batch_handle.h"
#include "core/memory.h"
#include "core/status.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- slots ---- */

/* One block: the head, a flag for each slot, the slots. */
tulle_status tulle__make_slots(const tulle_batch *b, int count, batch_slots **out)
{
	const size_t bytes = (b->store.slot_bytes + TULLE__ALIGN - 1) / TULLE__ALIGN * TULLE__ALIGN;
	const size_t head = TULLE__ALIGN;
	char *block;
	batch_slots *s;
	tulle_status status;

	_Static_assert(sizeof(batch_slots) <= TULLE__ALIGN, "the flags begin at a cache line");
	status =
	    tulle__alloc(b->env, (int64_t)head + count * (int64_t)(sizeof *s->flag + bytes), 1, &block);
	*out = NULL;
	if (status != TULLE_OK)
		return status;
	s = (batch_slots *)(void *)block;
	*s = (batch_slots){ count, bytes, (batch_flag *)(void *)(block + head), NULL };
	s->memory = block + head + (size_t)count * sizeof *s->flag;
	for (int n = 0; n < count; n++)
		atomic_init(&s->flag[n].taken, 0);
	*out = s;
	return TULLE_OK;
}

/* *out is NULL when no unit needs a slot. */
static tulle_status take_slots(const tulle_batch *b, batch_slots **out)
{
	batch_slots *few;
	int threads;
	tulle_status s;

	*out = NULL;
	if (!b->run.pool)
		return TULLE_OK;
	few = tulle__pool_take(b->run.pool);
	threads = tulle__threads(b->env);
	if (few && few->slots >= threads) {
		*out = few;
		return TULLE_OK;
	}
	s = tulle__make_slots(b, threads, out);
	if (s == TULLE_OK)
		tulle__free(b->env, few);
	else
		tulle__give_scratch(b->env, &b->run, few);
	return s;
}

/* ---- arguments ---- */

static tulle_status check_batch(const tulle_batch *b, tulle_value_type type)
{
	if (!b)
		return tulle__fail(TULLE_E_ARGUMENT, "batch is NULL");
	if (b->store.value_type != type)
		return tulle__fail(TULLE_E_TYPE, "the batch holds %s values, the call is for %s",
		                   tulle__type_of(b->store.value_type)->name, tulle__type_of(type)->name);
	return TULLE_OK;
}

/* x of x_size elements and y of y_size. */
static tulle_status check_vectors(tulle_value_type type, const void *x, int64_t x_size,
                                  const void *y, int64_t y_size)
{
	const size_t size = tulle__element_size(type), align = tulle__element_align(type);
	const size_t x_bytes = tulle__bytes(x_size, size), y_bytes = tulle__bytes(y_size, size);

	if (x_bytes == SIZE_MAX || y_bytes == SIZE_MAX)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "x of %" PRId64 " elements or y of %" PRId64 " cannot be addressed",
		                   x_size, y_size);
	if (!x && x_bytes > 0)
		return tulle__fail(TULLE_E_ARGUMENT, "x is NULL");
	if (!y && y_bytes > 0)
		return tulle__fail(TULLE_E_ARGUMENT, "y is NULL");
	if (((uintptr_t)x | (uintptr_t)y) % align != 0)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "x = %p or y = %p is not a multiple of its element's %zu bytes", x, y,
		                   align);
	if (tulle__overlap(x, x_bytes, y, y_bytes))
		return tulle__fail(TULLE_E_ARGUMENT, "x (%zu bytes at %p) and y (%zu bytes at %p) overlap",
		                   x_bytes, x, y_bytes, y);
	return TULLE_OK;
}

static tulle_status run(const tulle_batch *b, tulle_batch_layout layout, batch_call *call)
{
	const tulle_status s = layout == TULLE_PACKED ? take_slots(b, &call->slots) : TULLE_OK;

	if (s != TULLE_OK)
		return s;
	tulle__execute(b->env, &b->run, (int)layout, call);
	tulle__give_scratch(b->env, &b->run, call->slots);
	return TULLE_OK;
}

static tulle_status multiply(const tulle_batch *b, tulle_value_type type, tulle_batch_layout layout,
                             tulle__scalar alpha, const void *x, tulle__scalar beta, void *y)
{
	tulle_status s = check_batch(b, type);

	if (s != TULLE_OK)
		return s;
	if (layout != TULLE_PACKED && layout != TULLE_INTERLEAVED)
		return tulle__fail(TULLE_E_ARGUMENT, "layout = %d is unknown", (int)layout);
	if (layout == TULLE_INTERLEAVED && !b->store.interleaved)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "layout: interleaved vectors require one pattern for all problems; "
		                   "shared structure: %s",
		                   b->classes.special);
	s = check_vectors(type, x, b->x_size[layout], y, b->y_size[layout]);
	return s == TULLE_OK
	           ? run(b, layout,
	                 &(batch_call){
	                     .data = &b->store.data, .x = x, .y = y, .alpha = alpha, .beta = beta })
	           : s;
}

/* The vectors of each problem, in the order of the units. */
static tulle_status check_lists(const tulle_batch *b, const void *const *x, void *const *y)
{
	const batch_data *d = &b->store.data;

	if (d->count > 0 && !x)
		return tulle__fail(TULLE_E_ARGUMENT, "x is NULL");
	if (d->count > 0 && !y)
		return tulle__fail(TULLE_E_ARGUMENT, "y is NULL");
	for (int64_t u = 0; x && y && u < d->units; u++) {
		const batch_unit *unit = &d->unit[u];

		for (int64_t n = unit->place; n < unit->place + unit->lanes; n++) {
			const int64_t i = d->problem[n];
			const tulle_status s =
			    check_vectors(b->store.value_type, x[i], unit->cols, y[i], unit->rows);

			if (s != TULLE_OK) {
				char prefix[40];

				snprintf(prefix, sizeof prefix, "problem %" PRId64, i);
				return tulle__fail_in(s, prefix);
			}
		}
	}
	return TULLE_OK;
}

static tulle_status multiply_list(const tulle_batch *b, tulle_value_type type, tulle__scalar alpha,
                                  const void *const *x, tulle__scalar beta, void *const *y)
{
	tulle_status s = check_batch(b, type);

	if (s == TULLE_OK)
		s = check_lists(b, x, y);
	return s == TULLE_OK
	           ? run(b, TULLE_PACKED,
	                 &(batch_call){
	                     .data = &b->store.data, .xs = x, .ys = y, .alpha = alpha, .beta = beta })
	           : s;
}

/* ---- public ---- */

tulle_status tulle_batch_mul_f32(const tulle_batch *batch, tulle_batch_layout layout, float alpha,
                                 const float *x, float beta, float *y)
{
	return multiply(batch, TULLE_F32, layout, tulle__real((double)alpha), x,
	                tulle__real((double)beta), y);
}

tulle_status tulle_batch_mul_f64(const tulle_batch *batch, tulle_batch_layout layout, double alpha,
                                 const double *x, double beta, double *y)
{
	return multiply(batch, TULLE_F64, layout, tulle__real(alpha), x, tulle__real(beta), y);
}

tulle_status tulle_batch_mul_c64(const tulle_batch *batch, tulle_batch_layout layout,
                                 tulle_c64 alpha, const tulle_c64 *x, tulle_c64 beta, tulle_c64 *y)
{
	return multiply(batch, TULLE_C64, layout, tulle__of_c64(alpha), x, tulle__of_c64(beta), y);
}

tulle_status tulle_batch_mul_c128(const tulle_batch *batch, tulle_batch_layout layout,
                                  tulle_c128 alpha, const tulle_c128 *x, tulle_c128 beta,
                                  tulle_c128 *y)
{
	return multiply(batch, TULLE_C128, layout, tulle__of_c128(alpha), x, tulle__of_c128(beta), y);
}

tulle_status tulle_batch_mul_list_f32(const tulle_batch *batch, float alpha, const float *const *x,
                                      float beta, float *const *y)
{
	return multiply_list(batch, TULLE_F32, tulle__real((double)alpha), (const void *const *)x,
	                     tulle__real((double)beta), (void *const *)y);
}

tulle_status tulle_batch_mul_list_f64(const tulle_batch *batch, double alpha,
                                      const double *const *x, double beta, double *const *y)
{
	return multiply_list(batch, TULLE_F64, tulle__real(alpha), (const void *const *)x,
	                     tulle__real(beta), (void *const *)y);
}

tulle_status tulle_batch_mul_list_c64(const tulle_batch *batch, tulle_c64 alpha,
                                      const tulle_c64 *const *x, tulle_c64 beta,
                                      tulle_c64 *const *y)
{
	return multiply_list(batch, TULLE_C64, tulle__of_c64(alpha), (const void *const *)x,
	                     tulle__of_c64(beta), (void *const *)y);
}

tulle_status tulle_batch_mul_list_c128(const tulle_batch *batch, tulle_c128 alpha,
                                       const tulle_c128 *const *x, tulle_c128 beta,
                                       tulle_c128 *const *y)
{
	return multiply_list(batch, TULLE_C128, tulle__of_c128(alpha), (const void *const *)x,
	                     tulle__of_c128(beta), (void *const *)y);
}
