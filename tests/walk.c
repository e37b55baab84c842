/* walk.c -- the walk over the registry, instruction sets and command-line options. */
#include "support.h"

#include "core/format.h"
#include "core/limits.h"

#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the registry ---- */

/* Word number n of "word,word,word" into `out`; 0 past the last. */
static int word_at(const char *words, int n, char *out, size_t size)
{
	for (; n > 0 && words; n--) {
		words = strchr(words, ',');
		words = words ? words + 1 : NULL;
	}
	if (!words)
		return 0;
	snprintf(out, size, "%.*s", (int)strcspn(words, ","), words);
	return 1;
}

/* Choice number n of "word,word,word" or "low..high:default,word" into `out`; 0 past the last. The
 * default is not counted: the format's name alone already asks for it. */
static int choice(const char *choices, size_t length, int n, char *out, size_t size)
{
	char text[256], *colon, *rest;

	snprintf(text, sizeof text, "%.*s", (int)length, choices);
	if (text[0] < '0' || text[0] > '9')
		return word_at(text, n + 1, out, size);
	colon = strchr(text, ':');
	rest = strstr(text, "..");
	if (!CHECK_THAT(colon && rest, "tunable range \"%s\" has no default or no end", text))
		return 0;
	if (n > 1)
		return word_at(colon, n - 1, out, size);
	*colon = *rest = 0;
	snprintf(out, size, "%s", n == 0 ? text : rest + 2);
	return 1;
}

char *format_spec(const char *format, int n)
{
	const char *tunable = tulle_format_tunables(format);
	char value[256], spec[640];

	snprintf(spec, sizeof spec, "%s", format);
	if (n == 0)
		return strdup(spec);
	n--;
	while (tunable && *tunable) {
		const size_t length = strcspn(tunable, " ");
		const size_t name = strcspn(tunable, "=");

		if (!CHECK_THAT(name < length, "%s: tunable \"%s\" is not name=choices", format, tunable))
			return NULL;
		for (int c = 0; choice(tunable + name + 1, length - name - 1, c, value, sizeof value);
		     c++) {
			if (n-- == 0) {
				snprintf(spec, sizeof spec, "%s:%.*s=%s", format, (int)name, tunable, value);
				return strdup(spec);
			}
		}
		tunable += length + strspn(tunable + length, " ");
	}
	return NULL;
}

/* ---- formats that take one kind of matrix ---- */

enum { MOST_FORMATS = 64 };
static atomic_int asked[MOST_FORMATS], took[MOST_FORMATS];

/* The number of a spec's format if it is restricted to one kind of matrix, else -1. */
static int restricted(const char *spec)
{
	const size_t length = spec ? strcspn(spec, ":") : 0;
	const tulle__format *f;

	for (int n = 0; spec && n < MOST_FORMATS && (f = tulle__format_at(n)); n++)
		if (strlen(f->name) == length && strncmp(f->name, spec, length) == 0)
			return f->flags & TULLE__RESTRICTED ? n : -1;
	return -1;
}

/* In a narrow build (core/limits.h) any format may find that a matrix of the tests is too large. */
static int too_large(tulle_status status, const char *why)
{
	return TULLE__I32_MAX < INT32_MAX && status == TULLE_E_UNSUPPORTED &&
	       (strstr(why, "32 bits") || strstr(why, "32-bit") || strstr(why, "2^31-1"));
}

int refused(const char *spec, tulle_status status)
{
	const int n = restricted(spec);
	const char *why = tulle_last_error();
	size_t length;

	if (too_large(status, why))
		return 1;
	if (n < 0)
		return 0;
	asked[n]++;
	took[n] += status == TULLE_OK;
	if (status != TULLE_E_UNSUPPORTED)
		return 0;
	length = strcspn(spec, ":");
	CHECK_THAT(strncmp(why, spec, length) == 0 && strncmp(why + length, ": ", 2) == 0 &&
	               strpbrk(why, "0123456789"),
	           "a refusal without a figure, or not by the format: %s", why);
	return 1;
}

int walk_end(void)
{
	const tulle__format *f;

	check_about("all matrices");
	for (int n = 0; n < MOST_FORMATS && (f = tulle__format_at(n)); n++)
		CHECK_THAT(!asked[n] || took[n], "%s refused all %d matrices", f->name, asked[n]);
	return check_end();
}

/* ---- plans ---- */

static tulle_status plan_by(const tulle_matrix *a, const char *spec, tulle_op op, tulle_plan **out)
{
	const tulle_plan_options o = { .size = sizeof o, .format = spec, .op = op };

	*out = NULL;
	return tulle_plan_create(a, &o, out);
}

tulle_plan *plan_for(const tulle_matrix *a, const char *spec, tulle_op op)
{
	tulle_plan *plan;
	const tulle_status s = plan_by(a, spec, op, &plan);

	if (!refused(spec, s))
		CHECK_OK(s);
	return plan;
}

tulle_plan *plan_unless_padded(const tulle_matrix *a, const char *spec, tulle_op op)
{
	tulle_plan *plan;
	const tulle_status s = plan_by(a, spec, op, &plan);

	if (refused(spec, s))
		return NULL;
	if (s == TULLE_E_UNSUPPORTED)
		CHECK_WORDS(tulle_last_error(), "rows padded nonzeros");
	else
		CHECK_OK(s);
	return plan;
}

/* ---- the process ---- */

int entries_of(const char *folder)
{
	DIR *d = opendir(folder);
	int count = 0;

	while (d && readdir(d))
		count++;
	if (d)
		closedir(d);
	return count;
}

/* ---- contexts ---- */

#define NAME(name, NAME, bytes, fused, LOWER, PRICES) #name,
const char *const isas[ISAS] = { TULLE__EVERY_ISA(NAME) };

static tulle_status create(const char *isa, int threads, int64_t serial_below, tulle_context **out)
{
	return tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                      .isa = isa,
	                                                      .threads = threads,
	                                                      .serial_below = serial_below },
	                            out);
}

int isa_available(const char *isa)
{
	tulle_context *context = NULL;
	const int yes = create(isa, 0, 0, &context) == TULLE_OK;

	tulle_context_destroy(context);
	return yes;
}

int fused_available(void)
{
	int yes = 0;

	for (int i = 0; i < ISAS; i++)
		yes |= tulle__isa_fused((tulle__isa)i) && isa_available(isas[i]);
	return yes;
}

tulle_context *context_for(const char *isa, int threads, int64_t serial_below)
{
	tulle_context *context = NULL;

	CHECK_OK(create(isa, threads, serial_below, &context));
	return context;
}

tulle_context_info context_info(const tulle_context *context)
{
	tulle_context_info info = { .size = sizeof info };

	CHECK_OK(tulle_context_describe(context, &info));
	return info;
}

/* ---- command line ---- */

options read_options(int argc, char **argv)
{
	options o = { .full = 0 };

	for (int i = 1; i < argc; i++) {
		const char *next = i + 1 < argc ? argv[i + 1] : "";

		if (strcmp(argv[i], "--full") == 0 || strcmp(argv[i], "--brief") == 0) {
			o.full |= argv[i][2] == 'f';
			o.brief |= argv[i][2] == 'b';
			continue;
		}
		if (strcmp(argv[i], "--format") == 0)
			o.format = next;
		else if (strcmp(argv[i], "--isa") == 0)
			o.isa = next;
		else if (strcmp(argv[i], "--type") == 0 && strcmp(next, "f32") == 0)
			o.type = TULLE_F32;
		else if (strcmp(argv[i], "--type") == 0 && strcmp(next, "f64") == 0)
			o.type = TULLE_F64;
		else {
			printf("usage: %s [--full | --brief] [--format NAME] [--isa NAME] [--type f32|f64]\n",
			       argv[0]);
			exit(2);
		}
		i++;
	}
	if (o.isa && !isa_available(o.isa)) {
		printf("skipped: %s is not on this machine or not in this build\n", o.isa);
		exit(CHECK_SKIP);
	}
	if (o.format && !tulle_format_tunables(o.format)) {
		printf("no format \"%s\" in this build\n", o.format);
		exit(2);
	}
	return o;
}

int wants_format(const options *o, const char *format)
{
	return !o->format || strcmp(o->format, format) == 0;
}

int wants_isa(const options *o, const char *isa)
{
	return o->isa ? strcmp(o->isa, isa) == 0 : isa_available(isa);
}

int wants_type(const options *o, tulle_value_type type)
{
	return !o->type || o->type == type;
}

int wants_shape(const options *o, int n, int shape)
{
	return !o->brief || n == 0 || (shape + n) % 4 == 0;
}
