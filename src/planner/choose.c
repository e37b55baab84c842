/* choose.c -- takes the format the caller names, else the first of the registry. */
#include "planner/choose.h"

#include "core/status.h"

#include <string.h>

static const double UNKNOWN_MULTIPLIES = 1000;

static tulle_status find_named(const char *spec, tulle__choice *out)
{
	const size_t length = strcspn(spec, ":");
	const char *params = spec[length] == ':' ? spec + length + 1 : "";

	out->format = tulle__format_named(spec, length);
	out->why = "it was named by the caller";
	if (!out->format)
		return tulle__fail(TULLE_E_ARGUMENT, "format \"%.*s\": there is none of this name",
		                   length < 40 ? (int)length : 40, spec);
	return tulle__params_parse(out->format->tunables, params, &out->request.params);
}

/* The first format of the registry with these flags; there is one. */
static const tulle__format *first_with(int flags)
{
	int n = 0;

	while ((tulle__format_at(n)->flags & flags) != flags)
		n++;
	return tulle__format_at(n);
}

tulle_status tulle__choose(const tulle_plan_options *options, tulle__choice *out)
{
	tulle_status s;

	memset(out, 0, sizeof *out);
	out->request.op = options->op;
	out->request.multiplies = options->multiplies > 0 ? options->multiplies : UNKNOWN_MULTIPLIES;
	out->request.ordered = options->reproducible == 2;
	out->request.rounded = options->lossy;
	if (options->format) {
		s = find_named(options->format, out);
	} else {
		out->format = first_with(options->lossy ? TULLE__ROUNDS : 0);
		out->why = options->lossy ? "it keeps rounded values" : "it needs no conversion";
		s = tulle__params_parse(out->format->tunables, "", &out->request.params);
	}
	if (s == TULLE_OK && options->reproducible == 2 && !(out->format->flags & TULLE__ORDERED))
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "options.reproducible = 2: %s does not sum rows in stored order",
		                   out->format->name);
	if (s == TULLE_OK && options->lossy && !(out->format->flags & TULLE__ROUNDS))
		return tulle__fail(TULLE_E_UNSUPPORTED, "options.lossy: %s keeps values as they are",
		                   out->format->name);
	return s;
}
