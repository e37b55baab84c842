/* spec.c -- "stencil5:n=1000,seed=7" read against the table of kinds. */
#include <stdio.h>
#include <stdlib.h>

#include "inner.h"

static const kit__maker *const tables[] = { kit__stencils, kit__meshes, kit__graphs };

static const kit__maker *maker_at(int n)
{
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
		for (const kit__maker *m = tables[t]; m->kind.name; m++)
			if (n-- == 0)
				return m;
	return NULL;
}

const kit_kind *kit_kind_at(int n)
{
	const kit__maker *m = n < 0 ? NULL : maker_at(n);
	return m ? &m->kind : NULL;
}

/* ---- sentences ---- */

/* The list "a, b, c" of the kinds or, given one, of its parameters. */
static const char *list(const kit_kind *kind, char *text, size_t size)
{
	size_t used = 0;
	text[0] = 0;
	for (int n = 0; used < size; n++) {
		const char *name;
		if (kind)
			name = kind->params[n].name;
		else
			name = maker_at(n) ? maker_at(n)->kind.name : NULL;
		if (!name)
			break;
		used += (size_t)snprintf(text + used, size - used, "%s%s", n ? ", " : "", name);
	}
	return text;
}

static int wrong(const kit__spec *s, const char *name, const char *text, const char *right)
{
	return kit__fail("%s=%s of %s is wrong: it must be %s", name, text, s->kind->name, right);
}

/* ---- parameters ---- */

static int place(const kit_kind *kind, const char *name, size_t length)
{
	for (int n = 0; kind->params[n].name; n++)
		if (strlen(kind->params[n].name) == length && !strncmp(kind->params[n].name, name, length))
			return n;
	return -1;
}

static const char *text_of(const kit__spec *s, const char *name)
{
	return s->value[place(s->kind, name, strlen(name))];
}

int kit__integer(const kit__spec *s, const char *name, int64_t lo, int64_t hi, int64_t *out)
{
	const char *text = text_of(s, name);
	int64_t v = 0;
	int bad = !*text;
	for (const char *c = text; *c && !bad; c++) {
		bad = *c < '0' || *c > '9' || v > INT64_MAX / 10 - 1;
		v = bad ? 0 : 10 * v + (*c - '0');
	}
	if (bad || v < lo || v > hi) {
		char right[96];
		snprintf(right, sizeof right, "an integer from %lld to %lld", (long long)lo, (long long)hi);
		return wrong(s, name, text, right);
	}
	*out = v;
	return 0;
}

/* Parses digits with a decimal point. strtod is not used: it depends on the locale. */
int kit__real(const kit__spec *s, const char *name, double lo, double hi, double *out)
{
	const char *text = text_of(s, name);
	double v = 0, scale = 1;
	int digits = 0, point = 0, bad = 0;
	for (const char *c = text; *c && !bad; c++) {
		if (*c == '.') {
			bad = point++;
		} else if (*c >= '0' && *c <= '9' && digits < 15) {
			v = 10 * v + (*c - '0');
			scale *= point ? 10 : 1;
			digits++;
		} else {
			bad = 1;
		}
	}
	v /= scale;
	if (bad || !digits || !(v >= lo && v <= hi)) {
		char right[96];
		snprintf(right, sizeof right, "a number from %g to %g", lo, hi);
		return wrong(s, name, text, right);
	}
	*out = v;
	return 0;
}

int kit__word(const kit__spec *s, const char *name, const char *words, int *out)
{
	const char *text = text_of(s, name);
	size_t length = strlen(text);
	int n = 0;
	for (const char *w = words; w; w = strchr(w, '|'), w = w ? w + 1 : NULL, n++)
		if (!strncmp(w, text, length) && (w[length] == '|' || !w[length]) && length) {
			*out = n;
			return 0;
		}
	return wrong(s, name, text, words);
}

/* Cut "a=1,b=2" in s->text into values. */
static int parameters(kit__spec *s)
{
	char *c = s->text;
	while (*c) {
		char *end = strchr(c, ','), *equals = strchr(c, '=');
		if (!end)
			end = c + strlen(c);
		char names[256];
		list(s->kind, names, sizeof names);
		if (!equals || equals > end)
			return kit__fail("'%.*s' is not a parameter of %s: write name=value, with %s",
			                 (int)(end - c), c, s->kind->name, names);
		int n = place(s->kind, c, (size_t)(equals - c));
		if (n < 0)
			return kit__fail("%s has no parameter '%.*s': it takes %s", s->kind->name,
			                 (int)(equals - c), c, names);
		s->value[n] = equals + 1;
		c = *end ? end + 1 : end;
		*end = 0;
	}
	return 0;
}

int kit_generate(const char *spec, kit_matrix *out)
{
	*out = (kit_matrix){ .nnz = 0 };
	kit__spec s = { .kind = NULL };
	size_t length = strcspn(spec, ":");
	const kit__maker *maker = NULL;
	for (int n = 0; (maker = maker_at(n)); n++)
		if (strlen(maker->kind.name) == length && !strncmp(maker->kind.name, spec, length))
			break;
	if (!maker) {
		char names[256];
		return kit__fail("unknown kind '%.*s'; available: %s", (int)length, spec,
		                 list(NULL, names, sizeof names));
	}
	const char *given = spec + length + (spec[length] == ':');
	if (strlen(given) >= sizeof s.text)
		return kit__fail("the parameters of %s are longer than %zu characters", maker->kind.name,
		                 sizeof s.text - 1);
	s.kind = &maker->kind;
	memcpy(s.text, given, strlen(given) + 1);
	for (int n = 0; s.kind->params[n].name; n++)
		s.value[n] = s.kind->params[n].value;
	if (parameters(&s) || maker->make(&s, out)) {
		kit_free(out);
		return -1;
	}
	snprintf(out->name, sizeof out->name, "%s", spec);
	return 0;
}
