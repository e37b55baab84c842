/* isas.c -- the list of instruction sets (src/simd/isa.def): its order, the way down from a set to the
 * lower ones, and what takes that way: kernels; the way to a set with prices. */
#include "inner.h"

#include "analysis/cost.h"
#include "core/executable.h"

/* ---- the list ---- */

/* Does `from` take the prices of `isa` if no set between them has any? */
static int priced_as(tulle__isa from, tulle__isa isa)
{
	while (from != isa && tulle__isa_priced_as(from) != TULLE__NONE)
		from = tulle__isa_priced_as(from);
	return from == isa;
}

static void check_order(void)
{
	for (tulle__isa isa = 0; isa < TULLE__ISAS; isa++) {
		const tulle__isa lower = tulle__isa_lower(isa);

		check_about("%s", tulle__isa_name(isa));
		CHECK_THAT(lower < isa || (isa == 0 && lower == TULLE__NONE),
		           "its lower set is not before it in the list");
		CHECK_THAT(priced_as(isa, 0), "no way to the prices of the lowest set");
		if (lower == TULLE__NONE)
			continue;
		CHECK_THAT(tulle__kernel_lanes(lower, 4) <= tulle__kernel_lanes(isa, 4),
		           "%s has wider vectors", tulle__isa_name(lower));
		CHECK_THAT(tulle__isa_fused(lower) <= tulle__isa_fused(isa), "%s fuses, this set does not",
		           tulle__isa_name(lower));
	}
	check_group("%d sets, lower ones first", (int)TULLE__ISAS);
}

static void check_widths(void)
{
	static const struct {
		tulle__isa isa;
		int lanes, side_by_side; /* of doubles */
	} table[] = { { TULLE__SCALAR, 1, 4 }, { TULLE__AVX2, 4, 4 }, { TULLE__AVX512, 8, 8 } };

	for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
		check_about("%s", tulle__isa_name(table[t].isa));
		CHECK_EQUAL(tulle__kernel_lanes(table[t].isa, 8), table[t].lanes);
		CHECK_EQUAL(tulle__vector_lanes(table[t].isa, 8), table[t].side_by_side);
		CHECK_EQUAL(tulle__vector_lanes(table[t].isa, 4), 2 * table[t].side_by_side);
	}
	check_group("widths of vectors and of layouts");
}

/* clang-format off */
#define BUILT(name, NAME, probe, a, b) [TULLE__##NAME] = 1,
static const int built[TULLE__ISAS] = { TULLE__BUILT_ISAS(BUILT, , ) };
/* clang-format on */

/* A machine with a set has those below it: their kernels may run in its place. */
static void check_available(void)
{
	tulle__isa found;

	for (tulle__isa isa = 0; isa < TULLE__ISAS; isa++) {
		if (tulle__isa_find(tulle__isa_name(isa), &found) != TULLE_OK)
			continue;
		CHECK_EQUAL(found, isa);
		CHECK(isa <= tulle__isa_best() || isa == tulle__isa_loads(tulle__isa_best()));
		for (tulle__isa lower = tulle__isa_lower(isa); lower != TULLE__NONE;
		     lower = tulle__isa_lower(lower)) {
			check_about("%s, below %s", tulle__isa_name(lower), tulle__isa_name(isa));
			if (built[lower])
				CHECK_OK(tulle__isa_find(tulle__isa_name(lower), &found));
		}
	}
	check_about("the best");
	CHECK_OK(tulle__isa_find(tulle__isa_name(tulle__isa_best()), &found));
	check_about("the lowest");
	CHECK_OK(tulle__isa_find(tulle__isa_name(0), &found));
	check_about("a name that is not listed");
	CHECK_STATUS(tulle__isa_find("mmx", &found), TULLE_E_ARGUMENT);
	for (tulle__isa isa = 0; isa < TULLE__ISAS; isa++)
		CHECK_WORDS(tulle_last_error(), tulle__isa_name(isa));
	check_group("sets that can be used");
}

/* ---- the way down ---- */

/* Is `isa` on the way from `from` down to the lowest? */
static int below(tulle__isa from, tulle__isa isa)
{
	while (from != isa && tulle__isa_lower(from) != TULLE__NONE)
		from = tulle__isa_lower(from);
	return from == isa;
}

/* Kernels for the set `*of` only. */
static tulle__kernel kernels[TULLE__ISAS];

static int find_kernels(const void *of, tulle__isa isa, const tulle__kernel **kernel)
{
	kernel[0] = &kernels[isa];
	return isa == *(const tulle__isa *)of;
}

/* Kernels for one set only: found from that set and from those above it, and from no other. */
static void check_kernels(void)
{
	for (tulle__isa only = 0; only < TULLE__ISAS; only++) {
		for (tulle__isa from = 0; from < TULLE__ISAS; from++) {
			tulle__executable e = { .work = 0 };
			tulle__env env;
			tulle_status s;

			check_about("kernels for %s, asked for %s", tulle__isa_name(only),
			            tulle__isa_name(from));
			inner_env(&env, from);
			env.gather = TULLE__GATHER_INSTRUCTION; /* `from` itself */
			s = tulle__executable_prepare(&env, &e, "test", find_kernels, &only,
			                              (int64_t[TULLE__PHASES]){ 0 });
			CHECK_STATUS(s, below(from, only) ? TULLE_OK : TULLE_E_INTERNAL);
			CHECK_THAT(e.kernel[0] == (below(from, only) ? &kernels[only] : NULL),
			           e.kernel[0] ? "a kernel of another branch" : "no kernel");
			CHECK(s != TULLE_OK || e.isa == only);
		}
	}
	check_group("kernels of lower sets");
}

static void check_prices(void)
{
	for (tulle__isa only = 1; only < TULLE__ISAS; only++) {
		tulle__prices prices[TULLE__ISAS] = { [0] = { .multiply = { [TULLE__BYTES] = 1 } } };
		const tulle__estimator by = { .prices = prices };

		prices[only].multiply[TULLE__STEPS] = 1;
		for (tulle__isa from = 0; from < TULLE__ISAS; from++) {
			check_about("prices for %s and %s, asked for %s", tulle__isa_name(0),
			            tulle__isa_name(only), tulle__isa_name(from));
			CHECK(tulle__prices_for(&by, from) == &prices[priced_as(from, only) ? only : 0]);
		}
	}
	check_group("prices of other sets");
}

/* Without prices for the lowest set a format would cost nothing on a set that has none. */
static void check_formats(void)
{
	const tulle__format *f;

	for (int n = 0; (f = tulle__format_at(n)); n++) {
		const tulle__estimator *by = f->estimator;
		double sum = 0;

		for (int kind = 0; by && kind < TULLE__KINDS; kind++)
			sum += by->prices[0].multiply[kind];
		check_about("%s", f->name);
		CHECK_THAT(!by || sum > 0, "no prices for %s", tulle__isa_name(0));
	}
	check_group("prices of every format for the lowest set");
}

int main(void)
{
	check_order();
	check_widths();
	check_available();
	check_kernels();
	check_prices();
	check_formats();
	return check_end();
}
