/* update.c -- new values for a plan, in the order of the caller's arrays.
 *
 * A format moves values to its slots and, in a plan that can be updated, never reads them. So such a plan is built with
 * integers instead of values: the numbers of the values. If a slot then holds number n, value n belongs there. This
 * works for every format, order and source of the matrix. It takes one offset per slot, and nothing if the slots are in
 * the caller's order. */
#include "core/memory.h"
#include "core/status.h"
#include "gpu/gpu_plan.h"
#include "gpu/update.gpu.h"

/* ---- numbers ---- */

static tulle_index_type number_type(tulle_value_type type)
{
	return tulle__type_of(type)->part_size == sizeof(int32_t) ? TULLE_I32 : TULLE_I64;
}

tulle_status tulle__number_values(tulle__env *env, const tulle__csr *a,
                                  const tulle__csr_order *order, void **out)
{
	const tulle__type *const value = tulle__type_of(a->value_type);
	const tulle_index_type type = number_type(a->value_type);
	tulle_status s;

	if (type == TULLE_I32 && a->nnz >= INT32_MAX)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "options.updates: a matrix of %s must have fewer than 2^31-1 entries",
		                   value->name);
	if (value->parts > 1 && !a->val)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "options.updates: not supported for a complex matrix without values");
	s = tulle__alloc_zero(env, a->nnz, value->size, out);
	for (int64_t k = 0; s == TULLE_OK && k < a->nnz; k++) {
		const int64_t from = order->source ? tulle__index_at(order->source, order->type, k) : k;

		tulle__index_set(*out, type, k * value->parts,
		                 from < 0 ? from : from + 1); /* ~n is -(n + 1) */
	}
	return s;
}

tulle_status tulle__caller_values(tulle__env *env, const tulle__csr *a,
                                  const tulle__csr_order *order, int64_t count, void **out)
{
	const tulle__csr_order as_they_are = { .source = NULL };
	const tulle__type *const type = tulle__type_of(a->value_type);
	const tulle_status s = tulle__alloc(env, count, type->size, out);

	if (s == TULLE_OK)
		tulle__csr_values(env, &as_they_are, count, a->value_type, NULL, *out);
	for (int64_t k = 0; s == TULLE_OK && a->val && k < a->nnz; k++) {
		const int64_t from = order->source ? tulle__index_at(order->source, order->type, k) : k;

		tulle__value_move(*out, from < 0 ? ~from : from, a->val, k, type->size);
		if (from < 0 && order->hermitian)
			tulle__value_conjugate(type, *out, ~from);
		else if (from < 0)
			tulle__value_negate(type, *out, ~from);
	}
	return s;
}

/* ---- slots ---- */

static int64_t slots_of(const tulle__gpu_plan *plan, const tulle__gpu_array_held *held)
{
	return (int64_t)(held->bytes / tulle__value_size(plan->types.value));
}

/* Stores the numbers that are in array n after building, as offsets; nothing is stored if they are 1, 2, 3, ... */
static tulle_status keep_numbers(tulle__gpu_plan *plan, int n, void *numbers)
{
	const int parts = tulle__type_of(plan->types.value)->parts;
	const tulle_index_type type = number_type(plan->types.value);
	const int64_t count = slots_of(plan, &plan->array[n]);
	tulle__gpu_memory kept;
	int64_t direct = 0;
	tulle_status s = tulle__gpu_read(plan, plan->array[n].memory, numbers, plan->array[n].bytes);

	if (s != TULLE_OK)
		return s;
	for (int64_t k = 0; parts > 1 && k < count; k++)
		tulle__index_set(numbers, type, k, tulle__index_at(numbers, type, k * parts));
	while (direct < count && tulle__index_at(numbers, type, direct) == direct + 1)
		direct++;
	if (direct == count)
		return TULLE_OK;
	s = tulle__gpu_offsets(plan, numbers, type, count, &kept);
	plan->array[n].number = kept;
	return s;
}

tulle_status tulle__gpu_number_slots(tulle__gpu_plan *plan, const tulle__gpu_first_values *first)
{
	tulle__env *const env = plan->device->env;
	const int arrays = plan->arrays;
	tulle__gpu_memory val;
	tulle_status s = TULLE_OK;

	plan->hermitian = first->hermitian;
	plan->conjugate = first->conjugate;
	for (int n = 0; n < arrays && s == TULLE_OK; n++) {
		void *numbers = NULL;

		if (!plan->array[n].values)
			continue;
		s = tulle__alloc(env, (int64_t)plan->array[n].bytes, 1, &numbers);
		if (s == TULLE_OK)
			s = keep_numbers(plan, n, numbers);
		tulle__free(env, numbers);
	}
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, first->val, first->count, tulle__value_size(plan->types.value),
		                     &val);
	if (s == TULLE_OK) {
		s = tulle__gpu_plan_update(plan, plan->queue, val);
		tulle__gpu_drop(plan, val);
	}
	return s;
}

/* ---- update ---- */

tulle_status tulle__gpu_plan_update(const tulle__gpu_plan *plan, void *queue, tulle__gpu_memory val)
{
	const int threads = tulle__gpu_block(plan->device);
	tulle_status s = TULLE_OK;

	for (int n = 0; n < plan->arrays && s == TULLE_OK; n++) {
		const tulle__gpu_array_held *const held = &plan->array[n];
		const int64_t count = slots_of(plan, held);
		const int direct = held->number.handle == 0;

		if (held->values)
			s = tulle__gpu_run_in(
			    plan, queue,
			    TULLE__LAUNCH(update_values, tulle__gpu_blocks(count, threads), threads, .n = count,
			                  .direct = direct, .hermitian = plan->hermitian,
			                  .conjugate = plan->conjugate, .number = direct ? val : held->number,
			                  .val = val, .to = held->memory));
	}
	return s;
}
