/* shapes.c -- a table of generators, each with the number it is called with. */
#include "shapes.h"

#include <stdio.h>
#include <stdlib.h>

/* Work (nonzeros + rows) at which the library begins to cut a matrix into parts. A shape on either
 * side of it must exist; the value itself is the library's business. */
enum { WHOLE = 16384 };

typedef matrix generator(const char *name, int64_t n);

/* All rows of one length. */
static matrix even(const char *name, int64_t rows, int64_t cols, int64_t length)
{
	int64_t *lengths = grab(rows, sizeof *lengths);
	uint64_t state = (uint64_t)(rows * 31 + cols);
	matrix m;

	for (int64_t i = 0; i < rows; i++)
		lengths[i] = length;
	m = matrix_new(name, rows, cols, lengths);
	matrix_random_columns(&m, &state);
	free(lengths);
	return m;
}

/* Lengths by a rule, columns at random. */
static matrix by_rule(const char *name, int64_t rows, int64_t cols, int64_t n,
                      int64_t (*rule)(int64_t i, int64_t n, uint64_t *state))
{
	int64_t *lengths = grab(rows, sizeof *lengths);
	uint64_t state = (uint64_t)(rows * 17 + n);
	matrix m;

	for (int64_t i = 0; i < rows; i++)
		lengths[i] = rule(i, n, &state);
	m = matrix_new(name, rows, cols, lengths);
	matrix_random_columns(&m, &state);
	free(lengths);
	return m;
}

/* ---- rules ---- */

static int64_t one_empty(int64_t i, int64_t n, uint64_t *state)
{
	(void)state;
	return i == n ? 0 : 1 + i % 3;
}

static int64_t one_full(int64_t i, int64_t n, uint64_t *state)
{
	(void)state;
	return i == n ? 11 : 0;
}

static int64_t alternate(int64_t i, int64_t n, uint64_t *state)
{
	(void)state;
	return i / n % 2 ? 0 : 1 + i % 9;
}

static int64_t around(int64_t i, int64_t n, uint64_t *state)
{
	(void)i;
	return n - 1 + random_below(state, 3);
}

static int64_t ascending(int64_t i, int64_t n, uint64_t *state)
{
	(void)n;
	(void)state;
	return i;
}

static int64_t power_law(int64_t i, int64_t n, uint64_t *state)
{
	return i % 5 == 4 ? 0 : n / (1 + random_below(state, n));
}

static int64_t one_long(int64_t i, int64_t n, uint64_t *state)
{
	(void)state;
	return i == n ? 5 * WHOLE : i % 4;
}

/* ---- generators ---- */

static matrix empty(const char *name, int64_t n)
{
	return even(name, n / 10, n % 10, 0);
}

static matrix one(const char *name, int64_t n)
{
	return even(name, 1, 1, n);
}

static matrix empty_row(const char *name, int64_t n)
{
	return by_rule(name, 18, 20, n, one_empty);
}

static matrix single_row(const char *name, int64_t n)
{
	return by_rule(name, 18, 20, n, one_full);
}

static matrix runs(const char *name, int64_t n)
{
	return by_rule(name, 75, 64, n, alternate);
}

static matrix ragged(const char *name, int64_t n)
{
	return by_rule(name, 37, 80, n, around);
}

static matrix staircase(const char *name, int64_t n)
{
	return by_rule(name, n, 97, n, ascending);
}

static matrix skewed(const char *name, int64_t n)
{
	return by_rule(name, n, n, n, power_law);
}

static matrix long_row(const char *name, int64_t n)
{
	return by_rule(name, 16, 3001, n, one_long);
}

static matrix some_rows(const char *name, int64_t n)
{
	return even(name, n, 23, 5);
}

static matrix dense(const char *name, int64_t n)
{
	matrix m = even(name, n, n, n);

	for (int64_t k = 0; k < m.nnz; k++)
		m.col[k] = k % n;
	return m;
}

static matrix dense_column(const char *name, int64_t n)
{
	matrix m = even(name, n, n, 3);

	for (int64_t k = 0; k < m.nnz; k += 3)
		m.col[k] = n / 2;
	return m;
}

static matrix dense_row(const char *name, int64_t n)
{
	int64_t *lengths = grab(n, sizeof *lengths);
	matrix m;

	for (int64_t i = 0; i < n; i++)
		lengths[i] = i == n / 3 ? n : 1;
	m = matrix_new(name, n, n, lengths);
	for (int64_t i = 0; i < n; i++)
		for (int64_t k = m.row_ptr[i]; k < m.row_ptr[i + 1]; k++)
			m.col[k] = i == n / 3 ? k - m.row_ptr[i] : i;
	free(lengths);
	return m;
}

/* Columns i-2 .. i+2 where they exist: sorted, no duplicates. */
static matrix band(const char *name, int64_t n)
{
	int64_t *lengths = grab(n, sizeof *lengths), k = 0;
	matrix m;

	for (int64_t i = 0; i < n; i++)
		for (int64_t j = i - 2; j <= i + 2; j++)
			lengths[i] += j >= 0 && j < n;
	m = matrix_new(name, n, n, lengths);
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = i - 2; j <= i + 2; j++)
			if (j >= 0 && j < n)
				m.col[k++] = j;
	free(lengths);
	return m;
}

/* The same, but for a column in every seventh row, which is one further. */
static matrix broken_band(const char *name, int64_t n)
{
	matrix m = band(name, n);

	for (int64_t i = 5; i + 4 < n; i += 7)
		m.col[m.row_ptr[i + 1] - 1]++;
	return m;
}

/* The columns of each row in falling order. */
static matrix reversed(const char *name, int64_t n)
{
	matrix m = even(name, n, 4 * n, n);

	for (int64_t i = 0; i < n; i++)
		for (int64_t k = 0; k < n; k++)
			m.col[i * n + k] = 4 * n - 1 - 3 * k - i % 2;
	return m;
}

/* Few columns, so that most entries meet another in the same place. */
static matrix duplicates(const char *name, int64_t n)
{
	return even(name, 29, n, 20);
}

static matrix tall(const char *name, int64_t n)
{
	return even(name, n, 3, 1);
}

static matrix wide(const char *name, int64_t n)
{
	return even(name, 3, n, n / 100 + 350);
}

/* Columns n apart in each of 20 rows: where 16 bits hold the distance, and where they do not. */
static matrix apart(const char *name, int64_t n)
{
	matrix m = even(name, 20, n + 1, 4);

	for (int64_t i = 0; i < m.rows; i++) {
		m.col[m.row_ptr[i]] = n;
		m.col[m.row_ptr[i] + 1 + i % 3] = 0;
	}
	return m;
}

/* Nonzeros + rows are n, in 128 rows. */
static matrix work(const char *name, int64_t n)
{
	enum { ROWS = 128 };
	int64_t lengths[ROWS];
	uint64_t state = (uint64_t)n;
	matrix m;

	for (int64_t i = 0; i < ROWS; i++)
		lengths[i] = (n - ROWS) / ROWS;
	lengths[ROWS / 2] += (n - ROWS) % ROWS;
	m = matrix_new(name, ROWS, 500, lengths);
	matrix_random_columns(&m, &state);
	return m;
}

/* More empty rows than a part holds, a few full ones among them. */
static matrix hollow(const char *name, int64_t n)
{
	return by_rule(name, n, 50, n / 2, one_full);
}

/* Node blocks of n x n, some of them with holes, beside a last row that fills none. */
static matrix nodes(const char *name, int64_t n)
{
	uint64_t state = (uint64_t)n;

	return matrix_blocks(name, 24 * n + 1, n, 4, 24, 40, &state);
}

/* Rows of full n x n blocks, of one length, and some rows more that fill no block. */
static matrix full_nodes(const char *name, int64_t n)
{
	uint64_t state = (uint64_t)n;

	return matrix_blocks(name, 40 * n + n / 2, n, 3, 40, 0, &state);
}

static matrix half_nodes(const char *name, int64_t n)
{
	uint64_t state = (uint64_t)n;

	return matrix_blocks(name, 40 * n + n / 2, n, 3, 40, 2, &state);
}

/* Full n x n blocks, two in a row of blocks: in the first rows at both ends of 16 bits of block columns
 * and one more, then nearer and nearer to each other. */
static matrix far_nodes(const char *name, int64_t n)
{
	matrix m = even(name, 20 * n, n * (UINT16_MAX + 2), 2 * n);

	for (int64_t k = 0; k < m.nnz; k++) {
		const int64_t node = k / (2 * n * n),
		              first = k % (2 * n) < n ? node * n : m.cols - (node + 1) * n;

		m.col[k] = first + k % n;
	}
	return m;
}

/* Near the diagonal, and enough of it to be cut into parts. */
static matrix long_nodes(const char *name, int64_t n)
{
	uint64_t state = (uint64_t)n;

	return matrix_blocks(name, 1201, n, 5, 60, 0, &state);
}

/* Symmetric, the columns of each row in falling order. */
static matrix falling(const char *name, int64_t n)
{
	matrix m = matrix_mirrored(nodes(name, n), TULLE_SYMMETRIC);

	for (int64_t i = 0; i < m.rows; i++)
		for (int64_t k = m.row_ptr[i], l = m.row_ptr[i + 1] - 1; k < l; k++, l--) {
			const int64_t j = m.col[k];

			m.col[k] = m.col[l];
			m.col[l] = j;
		}
	return m;
}

enum { GENERAL = TULLE_GENERAL, SYMMETRIC = TULLE_SYMMETRIC, SKEW = TULLE_SKEW };

static const struct {
	const char *name;
	generator *make;
	int64_t first, last, step; /* called with each n of first, first + step, .. last */
	int kind;                  /* not general: what was made is mirrored */
} table[] = {
	{ "0x0", empty, 0, 0, 1, GENERAL },
	{ "0x5", empty, 5, 5, 1, GENERAL },
	{ "5x0", empty, 50, 50, 1, GENERAL },
	{ "no entries", empty, 34, 34, 1, GENERAL },
	{ "1x1", one, 0, 2, 1, GENERAL },
	{ "empty row", empty_row, 0, 17, 1, GENERAL },
	{ "single row", single_row, 0, 17, 8, GENERAL },
	{ "runs of rows", runs, 1, 17, 4, GENERAL },
	{ "row lengths around", ragged, 4, 4, 1, GENERAL },
	{ "row lengths around", ragged, 8, 8, 1, GENERAL },
	{ "row lengths around", ragged, 16, 16, 1, GENERAL },
	{ "row lengths around", ragged, 32, 32, 1, GENERAL },
	{ "staircase", staircase, 70, 70, 1, GENERAL },
	{ "rows", some_rows, 7, 9, 1, GENERAL },
	{ "rows", some_rows, 15, 17, 1, GENERAL },
	{ "rows", some_rows, 23, 25, 1, GENERAL },
	{ "rows", some_rows, 63, 65, 1, GENERAL },
	{ "dense", dense, 33, 33, 1, GENERAL },
	{ "dense row", dense_row, 211, 1300, 1089, GENERAL },
	{ "dense column", dense_column, 150, 150, 1, GENERAL },
	{ "band", band, 100, 4100, 4000, GENERAL },
	{ "band, broken", broken_band, 100, 100, 1, GENERAL },
	{ "power law", skewed, 300, 300, 1, GENERAL },
	{ "unsorted", reversed, 21, 21, 1, GENERAL },
	{ "duplicates", duplicates, 1, 5, 2, GENERAL },
	{ "tall", tall, 1500, 1500, 1, GENERAL },
	{ "wide", wide, 5000, 75000, 70000, GENERAL },
	{ "apart", apart, UINT16_MAX, UINT16_MAX + 1, 1, GENERAL },
	{ "work", work, WHOLE - 1, WHOLE + 1, 1, GENERAL },
	{ "work", work, 3 * WHOLE + 5, 3 * WHOLE + 5, 1, GENERAL },
	{ "long row", long_row, 0, 15, 5, GENERAL },
	{ "hollow", hollow, WHOLE + 700, WHOLE + 700, 1, GENERAL },
	{ "nodes", nodes, 2, 3, 1, GENERAL },
	{ "full nodes", full_nodes, 2, 4, 1, GENERAL },
	{ "full nodes", full_nodes, 6, 6, 1, GENERAL },
	{ "half-full nodes", half_nodes, 2, 4, 1, GENERAL },
	{ "half-full nodes", half_nodes, 6, 6, 1, GENERAL },
	{ "far nodes", far_nodes, 2, 2, 1, GENERAL },
	{ "symmetric nodes", nodes, 2, 6, 2, SYMMETRIC },
	{ "skew nodes", nodes, 3, 3, 1, SKEW },
	{ "symmetric long nodes", long_nodes, 3, 3, 1, SYMMETRIC },
	{ "skew long nodes", long_nodes, 4, 4, 1, SKEW },
	{ "symmetric unsorted", falling, 3, 3, 1, GENERAL },
	{ "symmetric dense", dense, 33, 33, 1, SYMMETRIC },
	{ "skew arrow", dense_row, 211, 211, 1, SKEW },
	{ "symmetric power law", skewed, 100, 100, 1, SYMMETRIC },
};

int shape_at(int n, matrix *out)
{
	char name[48];

	for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
		const int64_t count = (table[t].last - table[t].first) / table[t].step + 1;

		if (n < count) {
			const int64_t argument = table[t].first + n * table[t].step;

			snprintf(name, sizeof name, "%s %lld", table[t].name, (long long)argument);
			*out = table[t].make(name, argument);
			if (table[t].kind != GENERAL)
				*out = matrix_mirrored(*out, (tulle_kind)table[t].kind);
			return 1;
		}
		n -= (int)count;
	}
	return 0;
}

int each_shape(const char *format, shape_test *test, const void *arg)
{
	int sum = 0;
	char *spec;
	matrix m;

	for (int n = 0; (spec = format_spec(format, n)); n++) {
		for (int shape = 0; shape_at(shape, &m); shape++) {
			sum += test(arg, spec, n, &m, shape);
			matrix_free(&m);
		}
		free(spec);
	}
	return sum;
}
