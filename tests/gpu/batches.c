/* batches.c -- batches on which kernels for GPUs break: edges of teams, and what breaks them for one matrix. */
#include "batches.h"

#include "matrices.h"

#include <stdlib.h>
#include <string.h>

/* Rows, columns and entries around what a team has room for: 32, 128, 256 and 512 (a quarter of a warp, one, two and
 * four warps of 32 lanes), 1024 (a block). */
static problems edges(tulle_value_type type, int terse)
{
	static const int64_t size[][3] = {
		{ 1, 1, 1 },       { 8, 32, 2 },      { 32, 8, 3 },      { 33, 8, 3 },     { 8, 33, 3 },
		{ 31, 31, 8 },     { 32, 32, 8 },     { 32, 32, 9 },     { 0, 7, 0 },      { 3, 129, 17 },
		{ 128, 127, 8 },   { 127, 128, 9 },   { 129, 3, 2 },     { 16, 16, 64 },   { 5, 1, 300 },
		{ 7, 0, 0 },       { 255, 256, 2 },   { 256, 257, 3 },   { 257, 255, 4 },  { 64, 64, 65 },
		{ 3, 1024, 40 },   { 3, 1025, 40 },   { 1, 20, 16384 },  { 1, 20, 16385 }, { 1023, 9, 2 },
		{ 1024, 1024, 3 }, { 1025, 1025, 2 }, { 1024, 1025, 1 }, { 2049, 64, 3 },  { 3, 50, 9000 },
		{ 600, 300, 40 },
	};
	enum { SIZES = sizeof size / sizeof *size, BRIEF = 22, TINY = 10 };
	const int64_t count = terse >= 2 ? TINY : terse ? BRIEF : SIZES;
	matrix *m = grab(count, sizeof *m);

	for (int64_t i = 0; i < count; i++) {
		const int64_t rows = size[i][0], mean = size[i][2];
		int64_t *lengths = grab(rows, sizeof *lengths);
		uint64_t state = (uint64_t)i + 1;

		/* Ragged where there is room for it; the sum stays rows * mean. */
		for (int64_t r = 0; r < rows; r++)
			lengths[r] = r + 1 == rows && rows % 2 ? mean : r % 2 ? 2 * mean - mean / 3 : mean / 3;
		m[i] = matrix_new("edge", rows, size[i][1], lengths);
		matrix_random_columns(&m[i], &state);
		free(lengths);
	}
	return problems_new("edges of teams", m, count, type, 0);
}

/* One pattern in matrices of several widths: teams of several sizes cut the same rows in several ways. */
static problems widths(tulle_value_type type)
{
	static const int64_t cols[] = { 20, 40, 200, 20, 2000, 600, 200, 20 };
	enum { COUNT = sizeof cols / sizeof *cols, ROWS = 20 };
	matrix *m = grab(COUNT, sizeof *m);

	for (int i = 0; i < COUNT; i++) {
		int64_t lengths[ROWS];
		uint64_t state = 1;

		for (int r = 0; r < ROWS; r++)
			lengths[r] = r % 4 * 3;
		m[i] = matrix_new("width", ROWS, cols[0], lengths);
		matrix_random_columns(&m[i], &state);
		m[i].cols = cols[i];
	}
	return problems_new("widths", m, COUNT, type, 0);
}

/* All that break kernels for single matrices, from number `first` on, at most `most`. */
static problems breakers(const char *name, int most, tulle_value_type type, int terse)
{
	matrix *m = grab(most, sizeof *m);
	int64_t count = 0;

	while (count < most && gpu_matrix((int)count, terse, &m[count]))
		count++;
	return problems_new(name, m, count, type, most);
}

matrix breaker(const char *name)
{
	matrix m;

	for (int n = 0; gpu_matrix(n, 0, &m); n++) {
		if (strcmp(m.name, name) == 0)
			return m;
		matrix_free(&m);
	}
	CHECK_THAT(0, "there is no matrix \"%s\"", name);
	return matrix_new(name, 0, 0, NULL);
}

problems these(const char *name, const char *const *names, int count, tulle_value_type type)
{
	matrix *m = grab(count, sizeof *m);

	for (int n = 0; n < count; n++)
		m[n] = breaker(names[n]);
	return problems_new(name, m, count, type, count);
}

int gpu_batch_at(int n, tulle_value_type type, int terse, problems *out)
{
	static const char *const a_few[] = { "33 rows", "long row" };
	enum { PATTERN = TULLE_SHARED_ROWS | TULLE_SHARED_COLUMNS, MANY = 64, TINY = 3 };

	/* An interpreter gets the problems that differ most from each other. */
	if (terse >= 2)
		n = n < TINY ? n + 3 : -1;
	switch (n) {
	case 0: *out = these("no problem", a_few, 0, type); return 1;
	case 1: *out = these("one", a_few, 1, type); return 1;
	case 2: *out = these("two", a_few, 2, type); return 1;
	case 3: *out = breakers("breakers", MANY, type, terse); return 1;
	case 4: *out = edges(type, terse); return 1;
	case 5:
		*out = problems_of_pattern("one matrix", breaker(terse >= 2 ? "33 rows" : "129 rows"), 3,
		                           type, PATTERN | TULLE_SHARED_VALUES, 0, 1);
		return 1;
	case 6:
		*out = problems_of_pattern("one pattern", breaker("31 rows"), terse ? 5 : 33, type, PATTERN,
		                           0, 0);
		return 1;
	case 7:
		*out = problems_of_pattern("equal patterns", breaker("33 rows"), 5, type, 0, 0, 1);
		return 1;
	case 8:
		*out = problems_of_pattern("same values", breaker("31 rows"), 6, type,
		                           TULLE_SHARED_ROWS | TULLE_SHARED_VALUES, 0, 0);
		return 1;
	case 9:
		*out = problems_of_pattern("ones", breaker("ends empty"), 6, type, PATTERN, 1, 0);
		return 1;
	case 10: return batch_at(20, type, 0, out); /* equal values in rows of other lengths */
	case 11: *out = widths(type); return 1;
	case -1: return 0;
	default: return !terse && batch_at(n - 12, type, 0, out);
	}
}
