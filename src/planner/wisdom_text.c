/* wisdom_text.c -- the text of a wisdom file: records to lines and back.
 *
 *     00c0ffee00c0ffee 5be0cd19137e2179 sell 1 0.0213 0.00036 a19a1b4cd8b30f63
 *     matrix           machine          name version, numbers, check sum of all before it
 *
 * The numbers are the shortest decimals that read back to the same bits, independent of the locale
 * and the rounding mode. */
#include "planner/wisdom_text.h"

#include "core/hash.h"
#include "core/log.h"
#include "core/memory.h"
#include "io/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { HEX = 16 };

/* ---- one line ---- */

/* Of n characters, which may be any. */
static int good_name(const char *name, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (name[k] <= ' ' || name[k] >= 0x7f)
			return 0;
	return n > 0 && n < TULLE__WISDOM_NAME;
}

static int good_number(double v)
{
	return isfinite(v) && !signbit(v);
}

size_t tulle__wisdom_write(const tulle__wisdom_record *r, char *to)
{
	size_t n;

	if (!good_name(r->name, strnlen(r->name, TULLE__WISDOM_NAME)) || r->version < 0 ||
	    r->version > TULLE__WISDOM_VERSION_MAX || r->count < 0 || r->count > TULLE__WISDOM_NUMBERS)
		return 0;
	tulle__decimal_start();
	n = (size_t)snprintf(to, TULLE__WISDOM_LINE_MAX, "%016" PRIx64 " %016" PRIx64 " %s %d ",
	                     r->matrix, r->machine, r->name, r->version);
	for (int k = 0; k < r->count; k++) {
		if (!good_number(r->number[k]))
			return 0;
		n += tulle__write_f64(r->number[k], to + n);
		to[n++] = ' ';
	}
	n += (size_t)snprintf(to + n, HEX + 2, "%016" PRIx64 "\n", tulle__hash(0, to, n));
	return n;
}

/* Sixteen hexadecimal digits in lower case. */
static int read_hex(const char *p, uint64_t *value)
{
	uint64_t v = 0;

	for (int k = 0; k < HEX; k++) {
		const int digit = tulle__is_digit(p[k])        ? p[k] - '0'
		                  : p[k] >= 'a' && p[k] <= 'f' ? p[k] - 'a' + 10
		                                               : -1;

		if (digit < 0)
			return 0;
		v = v << 4 | (uint64_t)digit;
	}
	*value = v;
	return 1;
}

/* The end of the words up to the blank after the version; NULL if that is missing. */
static const char *read_key(const char *p, tulle__wisdom_record *r)
{
	size_t n = 0;

	if (!read_hex(p, &r->matrix) || p[HEX] != ' ' || !read_hex(p + HEX + 1, &r->machine) ||
	    p[2 * HEX + 1] != ' ')
		return NULL;
	for (p += 2 * HEX + 2; *p != ' ' && n < TULLE__WISDOM_NAME - 1; p++)
		r->name[n++] = *p;
	if (*p++ != ' ' || !good_name(r->name, n) || !tulle__is_digit(*p))
		return NULL;
	for (; tulle__is_digit(*p) && r->version <= TULLE__WISDOM_VERSION_MAX; p++)
		r->version = 10 * r->version + (*p - '0');
	return *p == ' ' && r->version <= TULLE__WISDOM_VERSION_MAX ? p + 1 : NULL;
}

/* The hash does not protect against forged lines, so each field is checked as well. A newline ends
 * each field, at the latest the one after the line. */
int tulle__wisdom_read(const char *line, const char *end, tulle__wisdom_record *r)
{
	const char *const sum_at = end - HEX, *p;
	uint64_t sum;

	tulle__decimal_start();
	memset(r, 0, sizeof *r);
	if (end - line < TULLE__WISDOM_LINE_MIN || end - line >= TULLE__WISDOM_LINE_MAX ||
	    !read_hex(sum_at, &sum) || sum != tulle__hash(0, line, (size_t)(sum_at - line)))
		return 0;
	p = read_key(line, r);
	for (; p && p < sum_at; p++) {
		if (r->count == TULLE__WISDOM_NUMBERS || !tulle__is_digit(*p))
			return 0;
		p = tulle__read_f64(p, &r->number[r->count]);
		if (!p || *p != ' ' || !good_number(r->number[r->count]))
			return 0;
		r->count++;
	}
	return p == sum_at;
}

/* ---- the lines of a matrix on a machine ---- */

/* Where the line that begins at p ends: at its newline, or at the end of the text. */
static const char *line_end(const char *p, const char *end)
{
	const char *const newline = memchr(p, '\n', (size_t)(end - p));

	return newline ? newline : end;
}

/* Append the record. It replaces an older one of that name, or the oldest if there is no room. */
static int put(const tulle__wisdom_record *r, tulle__wisdom_record *out, int found, int most)
{
	int old = 0;

	while (old < found && (out[old].version != r->version || strcmp(out[old].name, r->name) != 0))
		old++;
	if (old == found && found < most) {
		out[found] = *r;
		return found + 1;
	}
	old = old < found ? old : 0;
	memmove(out + old, out + old + 1, (size_t)(found - old - 1) * sizeof *out);
	out[found - 1] = *r;
	return found;
}

/* Nearly all lines belong to other matrices: they are skipped after their first bytes. */
int tulle__wisdom_pick(const char *text, size_t bytes, uint64_t matrix, uint64_t machine,
                       tulle__wisdom_record *out, int most)
{
	const char *const end = text + bytes, *stop;
	char key[2 * HEX + 3];
	tulle__wisdom_record r;
	int found = 0;

	snprintf(key, sizeof key, "%016" PRIx64 " %016" PRIx64 " ", matrix, machine);
	for (const char *p = text; p < end && most > 0; p = stop + 1) {
		stop = line_end(p, end);
		if (stop - p >= TULLE__WISDOM_LINE_MIN && memcmp(p, key, sizeof key - 1) == 0 &&
		    tulle__wisdom_read(p, stop, &r))
			found = put(&r, out, found, most);
	}
	return found;
}

/* ---- all lines ---- */

void tulle__wisdom_each(const char *text, size_t bytes,
                        void (*visit)(void *user, const tulle__wisdom_record *r), void *user)
{
	const char *const end = text + bytes, *stop;
	tulle__wisdom_record r;

	for (const char *p = text; p < end; p = stop + 1) {
		stop = line_end(p, end);
		if (tulle__wisdom_read(p, stop, &r))
			visit(user, &r);
	}
}

/* Lines move towards the front, so none is overwritten before it is read. If the last line has no newline,
 * the slack provides it. */
int64_t tulle__wisdom_drop(char *text, size_t *bytes, const uint64_t *matrix,
                           const uint64_t *machine)
{
	const char *const end = text + *bytes, *stop;
	tulle__wisdom_record r;
	int64_t dropped = 0;
	size_t used = 0;

	for (const char *p = text; p < end; p = stop + 1) {
		stop = line_end(p, end);
		if (!tulle__wisdom_read(p, stop, &r))
			continue;
		if ((!matrix || r.matrix == *matrix) && (!machine || r.machine == *machine)) {
			dropped++;
			continue;
		}
		memmove(text + used, p, (size_t)(stop - p) + 1);
		used += (size_t)(stop - p) + 1;
	}
	*bytes = used;
	return dropped;
}

/* ---- which lines to keep ---- */

typedef struct {
	size_t begin, end; /* in the text, with the newline */
	uint64_t key;      /* never 0 */
} sound;

/* The valid lines of the text, in its order; *other counts the rest. */
static int64_t collect(const char *text, size_t bytes, uint64_t seed, sound *to, int64_t *other)
{
	const char *const end = text + bytes, *stop;
	tulle__wisdom_record r;
	int64_t count = 0;

	for (const char *p = text; p < end; p = stop + 1) {
		stop = line_end(p, end);
		if (tulle__wisdom_read(p, stop, &r)) {
			const uint64_t key[3] = { r.matrix, r.machine, (uint64_t)r.version };
			const uint64_t hash = tulle__hash(seed, key, sizeof key);

			to[count].begin = (size_t)(p - text);
			to[count].end = (size_t)(stop - text) + 1;
			to[count++].key = tulle__hash(hash, r.name, sizeof r.name) | 1;
		} else {
			++*other;
		}
	}
	return count;
}

/* From the newest to the oldest: the first line of each key is kept, the others are made empty.
 * Returns the number of lines kept. */
static int64_t select_newest(sound *line, int64_t count, size_t budget, uint64_t *table,
                             uint64_t mask)
{
	size_t used = 0;
	int64_t kept = 0;

	for (int64_t n = count - 1; n >= 0; n--) {
		const size_t size = line[n].end - line[n].begin;
		uint64_t slot = line[n].key >> 1 & mask;

		while (table[slot] && table[slot] != line[n].key)
			slot = (slot + 1) & mask;
		if (!table[slot] && used + size <= budget) {
			used += size;
			kept++;
		} else {
			line[n].end = line[n].begin;
		}
		table[slot] = line[n].key;
	}
	return kept;
}

static size_t squeeze(char *text, const sound *line, int64_t count)
{
	size_t used = 0;

	for (int64_t n = 0; n < count; n++) {
		memmove(text + used, text + line[n].begin, line[n].end - line[n].begin);
		used += line[n].end - line[n].begin;
	}
	return used;
}

tulle_status tulle__wisdom_sift(tulle__env *env, char *text, size_t *bytes, size_t budget,
                                int64_t *kept, int64_t *dropped)
{
	const int64_t most = (int64_t)(*bytes / (TULLE__WISDOM_LINE_MIN + 1)) + 1;
	const double now = tulle__seconds();
	sound *line = NULL;
	uint64_t *table = NULL, slots = 2;
	int64_t count, other = 0;
	tulle_status s;

	while (slots < 2 * (uint64_t)most)
		slots *= 2;
	if ((s = tulle__alloc(env, most, sizeof *line, &line)) == TULLE_OK &&
	    (s = tulle__alloc_zero(env, (int64_t)slots, sizeof *table, &table)) == TULLE_OK) {
		/* The seed is unpredictable: keys chosen to collide in the table would take seconds. */
		count = collect(text, *bytes, tulle__hash((uintptr_t)line, &now, sizeof now), line, &other);
		*kept = select_newest(line, count, budget, table, slots - 1);
		*dropped = count - *kept + other;
		*bytes = squeeze(text, line, count);
	}
	tulle__free(env, table);
	tulle__free(env, line);
	return s;
}
