/* fuzz_roundtrip.c -- bytes choose a matrix, its values, a format or all of them, and tunables. The format converts it, gives it
 * back, and multiplies within the bound of the oracle. */
#include "chosen.h"
#include "fuzz.h"
#include "inner.h"

static void check_format(choices *c, const chosen_system *s, const tulle__csr *a,
                         const kit_oracle *oracle, const char *format)
{
	char spec[CHOSEN_SPEC];
	tulle__csr back = { .rows = 0 };
	inner in;

	chosen_spec(c, format, spec);
	check_about("%s, %s, %s", spec, type_name(s->type), s->m.name);
	if (!inner_convert(&in, spec, TULLE__SCALAR, a))
		return;
	CHECK_OK(in.format->check(in.data, &in.env));
	if (CHECK_OK(in.format->to_csr(in.data, &in.env, &back))) {
		CHECK_THAT(inner_same(&back, a), "to_csr(convert(A)) is not A");
		tulle__csr_release(&in.env, &back);
	}
	if (inner_multiply(&in, TULLE__SCALAR, s->type, s->alpha, s->x, s->beta, s->b, s->y))
		CHECK_EQUAL(kit_oracle_check(oracle, s->y).violations, 0);
	inner_release(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { MOST_FORMATS = 16 }; /* past the last one: all */
	choices c = choices_of_bytes(data, size);
	const int64_t only = choose(&c, MOST_FORMATS);
	const int every = !tulle_formats((int)only);
	chosen_system s = chosen_system_new(&c, 40);
	kit_oracle *oracle;
	tulle_csr_view view;
	tulle__csr a;
	const char *format;

	if (s.op == TULLE_NORMAL) {
		view = chosen_view(&s);
		a = inner_view(&view);
		oracle = chosen_oracle(&s, s.op, s.alpha, s.x, s.beta, s.b);
		for (int n = 0; (format = tulle_formats(n)); n++)
			if (every || n == only)
				check_format(&c, &s, &a, oracle, format);
		kit_oracle_free(oracle);
	}
	chosen_system_free(&s);
	REQUIRE(check_failures() == 0);
	return 0;
}
