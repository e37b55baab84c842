/* plan_record.c -- writes the choice of a plan as text and reads it. Independent of locale and rounding mode. */
#include "api/plan_record.h"

#include "api/plan_options.h"
#include "core/params_text.h"
#include "core/status.h"
#include "core/text.h"
#include "io/decimal.h"
#include "io/tuned.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Larger numbers do not change a plan. */
enum { MOST_VECTORS = 1 << 30 };
static const double MOST_MULTIPLIES = 1e18;

/* By tulle_op. A plan for both is not written. */
enum { OPS = TULLE_CONJUGATE + 1 };
static const char *const ops[OPS] = { "normal", "transposed", "both", "conjugate" };

/* ---- write ---- */

static const char *write_number(double value, char text[TULLE__NUMBER_BYTES + 1])
{
	text[tulle__write_f64(value, text)] = '\0';
	return text;
}

static double seconds_of(const tulle_plan *p)
{
	tulle_plan_info info = { .size = sizeof info };

	return tulle__describe(p, p, &info) == TULLE_OK && isfinite(info.multiply_seconds)
	           ? info.multiply_seconds
	           : 0;
}

/* The reason before the plan was saved. */
static const char *first_why(const tulle_plan *p)
{
	const size_t n = strlen(TULLE__AS_SAVED);

	return strncmp(p->why, TULLE__AS_SAVED, n) == 0 ? p->why + n : p->why;
}

size_t tulle__plan_record_write(const tulle_plan *p, char *to)
{
	const tulle__request *r = &p->request;
	char params[128], multiplies[TULLE__NUMBER_BYTES + 1], seconds[TULLE__NUMBER_BYTES + 1];
	int n;

	tulle__decimal_start();
	tulle__params_write(p->format->tunables, &r->params, params, sizeof params);
	n = snprintf(to, TULLE__TUNED_TEXT + 1,
	             "format=%s%s%s\nop=%s\nway=%s\nmultiplies=%s\nvectors=%" PRId64
	             "\nordered=%d\nlossy=%d\nseconds=%s\nwhy=%s\n",
	             p->format->name, params[0] ? ":" : "", params, ops[r->op], tulle__way_name(p->way),
	             write_number(fmin(r->multiplies, MOST_MULTIPLIES), multiplies),
	             r->vectors < MOST_VECTORS ? r->vectors : MOST_VECTORS, r->ordered, r->rounded,
	             write_number(seconds_of(p), seconds), first_why(p));
	return (size_t)n;
}

/* ---- read ---- */

typedef struct {
	const char *at, *end; /* what is left of the text */
	int line;             /* number of the line that was taken last */
	const char *begin;    /* of this line */
	const char *value;    /* what it has after its key */
	size_t bytes;
} lines;

/* Take the line "key=value\n". */
static int take(lines *l, const char *key)
{
	const size_t n = strlen(key);
	const char *const newline =
	    l->at < l->end ? memchr(l->at, '\n', (size_t)(l->end - l->at)) : NULL;

	l->line++;
	l->begin = l->at;
	if (!newline || (size_t)(newline - l->at) <= n || memcmp(l->at, key, n) != 0 || l->at[n] != '=')
		return 0;
	l->value = l->at + n + 1;
	l->bytes = (size_t)(newline - l->value);
	l->at = newline + 1;
	return 1;
}

/* Number of the value among these words, or -1. */
static int find(const lines *l, const char *const *words, int count)
{
	for (int n = 0; n < count; n++)
		if (strlen(words[n]) == l->bytes && memcmp(words[n], l->value, l->bytes) == 0)
			return n;
	return -1;
}

static int take_word(lines *l, const char *key, const char *const *words, int count, int *out)
{
	*out = take(l, key) ? find(l, words, count) : -1;
	return *out >= 0;
}

/* A number that is finite and not negative. */
static int take_number(lines *l, const char *key, double *out)
{
	const char *end;

	if (!take(l, key) || l->bytes == 0 || !tulle__is_digit(*l->value))
		return 0;
	end = tulle__read_f64(l->value, out);
	return end == l->value + l->bytes && isfinite(*out);
}

static int take_format(lines *l, char *to, size_t room)
{
	if (!take(l, "format") || l->bytes == 0 || l->bytes >= room)
		return 0;
	for (size_t n = 0; n < l->bytes; n++)
		if (l->value[n] <= ' ' || l->value[n] >= 0x7f)
			return 0;
	memcpy(to, l->value, l->bytes);
	to[l->bytes] = '\0';
	return 1;
}

static int take_all(lines *l, tulle__plan_record *r)
{
	static const char *const digits[] = { "0", "1", "2", "3" };
	const char *const ways[] = { tulle__way_name(TULLE__AS_IS), tulle__way_name(TULLE__BUILT),
		                         tulle__way_name(TULLE__SCATTER) };
	int op, way, ordered;
	double vectors;

	if (!take_format(l, r->format, sizeof r->format) || !take_word(l, "op", ops, OPS, &op) ||
	    op == TULLE_BOTH || !take_word(l, "way", ways, 3, &way) ||
	    !take_number(l, "multiplies", &r->options.multiplies) ||
	    !take_number(l, "vectors", &vectors) || !(vectors >= 1 && vectors <= MOST_VECTORS) ||
	    !take_word(l, "ordered", digits, 2, &ordered) ||
	    !take_word(l, "lossy", digits, 4, &r->options.lossy) ||
	    !take_number(l, "seconds", &r->seconds) || !take(l, "why") || l->at != l->end)
		return 0;
	tulle__show(r->why, sizeof r->why, l->value, l->bytes);
	r->options.op = (tulle_op)op;
	r->options.vectors = (int64_t)vectors;
	r->options.reproducible = ordered ? 2 : 0;
	r->options.format = r->format;
	r->way = (tulle__way)way;
	return 1;
}

tulle_status tulle__plan_record_read(const char *text, size_t bytes, tulle__plan_record *out)
{
	lines l = { .at = text, .end = text + bytes };
	const char *newline;

	tulle__decimal_start();
	memset(out, 0, sizeof *out);
	if (take_all(&l, out))
		return tulle__check_plan_options(&out->options);
	newline = memchr(l.begin, '\n', (size_t)(l.end - l.begin));
	return tulle__fail(
	    TULLE_E_MATRIX,
	    "line %d is wrong: \"%s\"; the text is damaged: write it again from its source", l.line,
	    tulle__show_name(l.begin, (size_t)((newline ? newline : l.end) - l.begin)).text);
}
