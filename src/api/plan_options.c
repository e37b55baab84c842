/* plan_options.c -- checks of plan options that do not depend on the matrix. */
#include "api/plan_options.h"

#include "api/online.h"
#include "core/status.h"
#include "core/types.h"

#include <inttypes.h>

tulle_status tulle__check_plan_options(const tulle_plan_options *o)
{
	if (o->op != TULLE_NORMAL && !tulle__op_transposes(o->op) && !tulle__op_is_both(o->op))
		return tulle__fail(TULLE_E_ARGUMENT, "options.op = %d is unknown", (int)o->op);
	if (o->stores < 0 || o->stores > 2)
		return tulle__fail(TULLE_E_ARGUMENT, "options.stores = %d is not 0, 1 or 2", o->stores);
	if (o->stores > 0 && !tulle__op_is_both(o->op))
		return tulle__fail(TULLE_E_ARGUMENT, "options.stores = %d needs options.op = TULLE_BOTH",
		                   o->stores);
	if (!(o->multiplies >= 0))
		return tulle__fail(TULLE_E_ARGUMENT, "options.multiplies = %g is not a count",
		                   o->multiplies);
	if (o->vectors < 0)
		return tulle__fail(TULLE_E_ARGUMENT, "options.vectors = %" PRId64 " is negative",
		                   o->vectors);
	if (o->reproducible < 0 || o->reproducible > 2)
		return tulle__fail(TULLE_E_ARGUMENT, "options.reproducible = %d is not 0, 1 or 2",
		                   o->reproducible);
	if (o->lossy < TULLE_EXACT || o->lossy > TULLE_LOSSY_BF16)
		return tulle__fail(TULLE_E_ARGUMENT, "options.lossy = %d is not 0, 1, 2 or 3", o->lossy);
	if (o->vector_type != 0) {
		const tulle_status s = tulle__check_compute_type("options.vector_type", o->vector_type);

		if (s != TULLE_OK)
			return s;
	}
	if (o->effort != TULLE_ESTIMATE && o->effort != TULLE_MEASURE)
		return tulle__fail(TULLE_E_ARGUMENT, "options.effort = %d is unknown", (int)o->effort);
	if (!(o->max_seconds >= 0))
		return tulle__fail(TULLE_E_ARGUMENT, "options.max_seconds = %g is not a time",
		                   o->max_seconds);
	return tulle__online_check(o);
}
