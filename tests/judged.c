/* judged.c -- a product compared with the oracle. */
#include "judged.h"

#include "check.h"
#include "support.h"

kit_verdict judged(const kit_oracle *oracle, tulle_value_type type, const void *y, const char *what)
{
	const kit_verdict v = kit_oracle_check(oracle, y);
	double reference = 0, bound = 0;

	if (v.violations > 0)
		kit_oracle_row(oracle, v.worst_row, &reference, &bound);
	CHECK_THAT(v.violations == 0,
	           "%s: %lld rows beyond the bound; y[%lld] = %.17g, not %.17g +- %g", what,
	           (long long)v.violations, (long long)v.worst_row,
	           v.violations > 0 ? value_at(type, y, v.worst_row) : 0, reference, bound);
	return v;
}
