/* chosen.c -- patterns, tunables, values and vectors by choice. */
#include "chosen.h"

#include "shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- choices ---- */

choices choices_of_seed(uint64_t seed)
{
	return (choices){ .state = seed * 0xd1342543de82ef95u };
}

choices choices_of_bytes(const uint8_t *bytes, size_t size)
{
	static const uint8_t none;

	return (choices){ .bytes = bytes ? bytes : &none, .left = bytes ? size : 0 };
}

static int64_t take_byte(choices *c)
{
	if (c->left == 0)
		return 0;
	c->left--;
	return *c->bytes++;
}

int64_t choose(choices *c, int64_t n)
{
	int64_t number;

	if (n <= 1)
		return 0;
	if (!c->bytes)
		return random_below(&c->state, n);
	number = take_byte(c);
	if (n > 256)
		number += 256 * take_byte(c);
	return number % n;
}

static uint64_t choose_seed(choices *c)
{
	return (uint64_t)choose(c, 65536);
}

/* ---- patterns ---- */

/* Every length and every column is a choice. */
static matrix entry_by_entry(choices *c, int64_t most)
{
	enum { LONG = 15 };
	const int64_t rows = choose(c, most + 1), cols = choose(c, most + 1);
	int64_t *lengths = grab(rows, sizeof *lengths);
	matrix m;

	for (int64_t i = 0; i < rows; i++) {
		lengths[i] = choose(c, LONG + 1);
		if (lengths[i] == LONG)
			lengths[i] += choose(c, 2 * most < 65536 ? 2 * most : 65536);
	}
	m = matrix_new("entry by entry", rows, cols, lengths);
	for (int64_t k = 0; k < m.nnz; k++)
		m.col[k] = choose(c, cols);
	free(lengths);
	return m;
}

static int shapes(void)
{
	static int count; /* the same for all callers */
	matrix m;

	while (count == 0 || shape_at(count, &m)) {
		if (count > 0)
			matrix_free(&m);
		count++;
	}
	return count;
}

matrix chosen_matrix(choices *c, int64_t most)
{
	static const tulle_kind kinds[] = { TULLE_GENERAL, TULLE_GENERAL, TULLE_SYMMETRIC, TULLE_SKEW };
	const int64_t way = choose(c, 8);
	uint64_t state;
	matrix m;

	if (way < 3) {
		m = entry_by_entry(c, most);
		const tulle_kind kind = kinds[choose(c, 4)];

		return kind == TULLE_GENERAL ? m : matrix_mirrored(m, kind);
	}
	if (way == 3 && !c->bytes && shape_at((int)choose(c, shapes()), &m))
		return m;
	state = choose_seed(c);
	return matrix_small(&state, most);
}

/* ---- tunables ---- */

/* A number of "low..high:default": near one of the ends, or any. */
static int64_t choose_number(choices *c, const char *range)
{
	enum { NEAR = 20, FAR = 65536 };
	const int64_t low = strtoll(range, NULL, 10), high = strtoll(strstr(range, "..") + 2, NULL, 10);
	const int64_t room = high - low + 1, few = room < NEAR ? room : NEAR;

	switch (choose(c, 3)) {
	case 0: return low + choose(c, few);
	case 1: return high - choose(c, few);
	default: return low + choose(c, room < FAR ? room : FAR);
	}
}

/* Number or word of "word,word" or "low..high:default,word". */
static void choose_value(choices *c, const char *text, char *out, size_t size)
{
	const int ranges = strstr(text, "..") != NULL;
	const char *word = text;
	int64_t words = 1 - ranges, n;

	for (const char *p = text; *p; p++)
		words += *p == ',';
	if (ranges && (words == 0 || choose(c, 4) > 0)) {
		snprintf(out, size, "%lld", (long long)choose_number(c, text));
		return;
	}
	for (n = ranges + choose(c, words); n > 0; n--)
		word = strchr(word, ',') + 1;
	snprintf(out, size, "%.*s", (int)strcspn(word, ","), word);
}

void chosen_spec(choices *c, const char *format, char spec[CHOSEN_SPEC])
{
	const char *tunable = tulle_format_tunables(format);
	size_t used = (size_t)snprintf(spec, CHOSEN_SPEC, "%s", format);
	char mark = ':';

	while (tunable && *tunable) {
		const size_t length = strcspn(tunable, " "), name = strcspn(tunable, "=");
		char text[128], value[64];

		if (choose(c, 2)) {
			snprintf(text, sizeof text, "%.*s", (int)(length - name - 1), tunable + name + 1);
			choose_value(c, text, value, sizeof value);
			used += (size_t)snprintf(spec + used, CHOSEN_SPEC - used, "%c%.*s=%s", mark, (int)name,
			                         tunable, value);
			mark = ',';
		}
		tunable += length + strspn(tunable + length, " ");
	}
}

/* ---- values and vectors ---- */

void fill_system(matrix *m, tulle_value_type type, kit_values values, uint64_t seed, void *x)
{
	void *val = grab(m->nnz, value_size(type));
	const tulle_csr_view pattern = { .size = sizeof pattern,
		                             .rows = m->rows,
		                             .cols = m->cols,
		                             .nnz = m->nnz,
		                             .offset_type = TULLE_I64,
		                             .column_type = TULLE_I64,
		                             .value_type = type,
		                             .row_ptr = m->row_ptr,
		                             .col = m->col };

	kit_random_system(values, seed, &pattern, val, x);
	for (int64_t k = 0; k < m->nnz; k++)
		m->val[k] = value_at(type, val, k);
	matrix_mirror_values(m);
	free(val);
}

/* Now and then Inf, NaN, a zero or a negative one. */
static void strew(choices *c, tulle_value_type type, int64_t count, void *v)
{
	static const double odd[] = { (double)INFINITY, -(double)INFINITY, (double)NAN, 0, -0.0 };

	if (count > 0 && choose(c, 6) == 0)
		for (int64_t n = 1 + choose(c, 3); n > 0; n--)
			value_set(type, v, choose(c, count < 65536 ? count : 65536), odd[choose(c, 5)]);
}

void chosen_system_take(chosen_system *s)
{
	if (s->arr.val && CHECK(s->keeps < CHOSEN_KEPT))
		s->kept[s->keeps++] = s->arr.val;
	s->arr.val = cast_values(s->m.val, s->m.nnz, s->type);
}

/* The wide copy follows the typed one. sym compares values with those of the other triangle. */
static void take_values(choices *c, chosen_system *s)
{
	chosen_system_take(s);
	if (s->m.kind == TULLE_GENERAL)
		strew(c, s->type, s->m.nnz, s->arr.val);
	for (int64_t k = 0; k < s->m.nnz; k++)
		s->m.val[k] = value_at(s->type, s->arr.val, k);
}

chosen_system chosen_system_new(choices *c, int64_t most)
{
	static const double factors[] = { 1, 0, -1, -0.5, 2, 3.7, 0x1p-30 };
	chosen_system s = { .m = chosen_matrix(c, most) };
	const uint64_t seed = choose_seed(c);

	s.type = choose(c, 2) ? TULLE_F64 : TULLE_F32;
	s.pair = pairs[choose(c, PAIRS)];
	s.values = (kit_values)choose(c, KIT_VALUES);
	s.op = choose(c, 3) ? TULLE_NORMAL : TULLE_TRANSPOSED;
	s.alpha = factors[choose(c, 7)];
	s.beta = factors[choose(c, 7)];
	s.rows = s.op == TULLE_NORMAL ? s.m.rows : s.m.cols;
	s.cols = s.op == TULLE_NORMAL ? s.m.cols : s.m.rows;
	s.x = grab(s.m.rows > s.m.cols ? s.m.rows : s.m.cols, value_size(s.type));
	s.b = grab(s.rows, value_size(s.type));
	s.y = grab(s.rows, value_size(s.type));
	fill_system(&s.m, s.type, s.values, seed, s.x);
	if (s.op == TULLE_TRANSPOSED)
		kit_random_fill(s.values, seed + 2, s.type, s.cols, s.x);
	kit_random_fill(s.values, seed + 1, s.type, s.rows, s.b);
	s.arr = cast(&s.m, s.pair, s.type, 0);
	take_values(c, &s);
	strew(c, s.type, s.cols, s.x);
	strew(c, s.type, s.rows, s.b);
	return s;
}

void chosen_system_renew(choices *c, chosen_system *s)
{
	void *x = grab(s->m.cols, value_size(s->type)); /* the old x stays */

	s->values = (kit_values)choose(c, KIT_VALUES);
	fill_system(&s->m, s->type, s->values, choose_seed(c), x);
	take_values(c, s);
	free(x);
}

void chosen_system_free(chosen_system *s)
{
	free(s->x);
	free(s->b);
	free(s->y);
	while (s->keeps > 0)
		free(s->kept[--s->keeps]);
	arrays_free(&s->arr);
	matrix_free(&s->m);
}

tulle_csr_view chosen_view(const chosen_system *s)
{
	return (tulle_csr_view){ .size = sizeof(tulle_csr_view),
		                     .rows = s->m.rows,
		                     .cols = s->m.cols,
		                     .nnz = s->m.nnz,
		                     .offset_type = s->pair.offset,
		                     .column_type = s->pair.column,
		                     .value_type = s->type,
		                     .row_ptr = s->arr.row_ptr,
		                     .col = s->arr.col,
		                     .val = s->arr.val };
}

kit_oracle *chosen_oracle(const chosen_system *s, tulle_op op, double alpha, const void *x,
                          double beta, const void *b)
{
	const tulle_csr_view view = chosen_view(s);
	kit_oracle *o = kit_oracle_create(&view, op, alpha, x, beta, b);

	CHECK_THAT(o, "the oracle: %s", kit_error());
	return o;
}
