/* entry.c -- reads or changes one entry of a plan in place. */
#include "api/online.h"
#include "core/status.h"

#include <inttypes.h>

static tulle_status find(const tulle_plan *p, int64_t i, int64_t j, void **value)
{
	const tulle_status real = tulle__check_real_type("access to single entries", p->value_type);
	const size_t size = tulle__element_size(p->value_type);
	const int64_t rows = (int64_t)(p->y_bytes / size), cols = (int64_t)(p->x_bytes / size);

	if (real != TULLE_OK)
		return real;
	if (i < 0 || i >= rows)
		return tulle__fail(TULLE_E_ARGUMENT, "i = %" PRId64 " is not in 0 .. %" PRId64, i,
		                   rows - 1);
	if (j < 0 || j >= cols)
		return tulle__fail(TULLE_E_ARGUMENT, "j = %" PRId64 " is not in 0 .. %" PRId64, j,
		                   cols - 1);
	if (!p->format->entry)
		return tulle__fail(TULLE_E_UNSUPPORTED, "format %s has no access to single entries",
		                   p->format->name);
	return p->format->entry(p->data, i, j, value);
}

tulle_status tulle_plan_get(const tulle_plan *plan, int64_t i, int64_t j, double *value)
{
	const tulle_plan *now;
	void *at = NULL;
	tulle_status s;

	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	if (!value)
		return tulle__fail(TULLE_E_ARGUMENT, "value is NULL");
	now = tulle__now(plan);
	s = find(now, i, j, &at);
	if (s == TULLE_OK)
		*value =
		    at ? tulle__value_real(tulle__format_type(now->format, now->value_type), at, 0) : 0;
	return s;
}

/* In a plan for both directions: is the entry stored a second time, for A^T? */
static int has_second_store(const tulle_plan *p)
{
	return p->other && p->other != p && !p->other->shares_data;
}

/* Rounded as the matrix has it, stored as the format does. */
static void write_value(const tulle_plan *p, void *at, double value)
{
	if (tulle__type_of(p->value_type)->stored)
		value = tulle__rounded_half(value, tulle__given_type(p->value_type) == TULLE_BF16);
	else if (tulle__value_size(p->value_type) == sizeof(float))
		value = (float)value;
	/* No default: the compiler then warns if a public type is missing here. */
	switch (tulle__format_type(p->format, p->value_type)) {
	case TULLE_F32: *(float *)at = (float)value; break;
	case TULLE_F64: *(double *)at = value; break;
	case TULLE_C64:
	case TULLE_C128: /* find() refuses these */
	case TULLE_F16:
	case TULLE_BF16: break; /* no format stores these */
	}
}

/* The place of an entry that must exist; NULL and an error if it does not. */
static void *find_stored(const tulle_plan *p, int64_t i, int64_t j, tulle_status *s)
{
	void *at = NULL;

	*s = find(p, i, j, &at);
	if (*s == TULLE_OK && !at)
		*s = tulle__fail(TULLE_E_ARGUMENT,
		                 "i = %" PRId64 ", j = %" PRId64 ": the matrix has no such entry", i, j);
	return *s == TULLE_OK ? at : NULL;
}

tulle_status tulle_plan_set(tulle_plan *plan, int64_t i, int64_t j, double value)
{
	void *at, *mirrored = NULL;
	tulle_status s;

	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	plan = tulle__online_settled(plan);
	at = find_stored(plan, i, j, &s);
	if (at && has_second_store(plan))
		mirrored = find_stored(plan->other, j, i, &s);
	if (!at || s != TULLE_OK)
		return s;
	if (plan->other == plan && i != j)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "i = %" PRId64 ", j = %" PRId64
		                   ": the plan stores A for both directions because A^T equals A, "
		                   "which would no longer hold; options.stores = 2 stores both",
		                   i, j);
	tulle__note_updated(plan);
	write_value(plan, at, value);
	if (mirrored)
		write_value(plan->other, mirrored, value);
	return TULLE_OK;
}
