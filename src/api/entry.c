/* entry.c -- one entry of a plan, read or changed where it lies. */
#include "api/handles.h"
#include "core/status.h"

#include <inttypes.h>

static tulle_status find(const tulle_plan *p, int64_t i, int64_t j, void **value)
{
	const size_t size = tulle__element_size(p->value_type);
	const int64_t rows = (int64_t)(p->y_bytes / size), cols = (int64_t)(p->x_bytes / size);

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
	void *at = NULL;
	tulle_status s;

	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	if (!value)
		return tulle__fail(TULLE_E_ARGUMENT, "value is NULL");
	s = find(plan, i, j, &at);
	if (s == TULLE_OK)
		*value = at ? tulle__value_real(plan->value_type, at, 0) : 0;
	return s;
}

tulle_status tulle_plan_set(tulle_plan *plan, int64_t i, int64_t j, double value)
{
	void *at = NULL;
	tulle_status s;

	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	s = find(plan, i, j, &at);
	if (s != TULLE_OK)
		return s;
	if (!at)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "i = %" PRId64 ", j = %" PRId64 ": the matrix has no such entry", i, j);
	/* No default: the compiler then names the public type that is missing here. */
	switch (plan->value_type) {
	case TULLE_F32: *(float *)at = (float)value; break;
	case TULLE_F64: *(double *)at = value; break;
	}
	return TULLE_OK;
}
