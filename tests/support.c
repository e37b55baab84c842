/* support.c -- matrices, casts and vectors for the tests. */
#include "support.h"

#include "core/types.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int check_status_at(const char *file, int line, const char *call, tulle_status got,
                    tulle_status want)
{
	return check_at(file, line, got == want, "%.200s gave %s (%s), not %s", call,
	                tulle_status_name(got), got == TULLE_OK ? "" : tulle_last_error(),
	                tulle_status_name(want));
}

/* ---- random numbers (splitmix64) ---- */

uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

int64_t random_below(uint64_t *state, int64_t n)
{
	return n > 0 ? (int64_t)(random_next(state) % (uint64_t)n) : 0;
}

double random_unit(uint64_t *state)
{
	return (double)(int64_t)(random_next(state) >> 10) * 0x1p-53 - 1.0;
}

/* ---- matrices ---- */

void *grab(int64_t count, size_t size)
{
	void *block = calloc(count > 0 ? (size_t)count : 1, size);

	if (!block) {
		printf("the test itself is out of memory\n");
		exit(1);
	}
	return block;
}

matrix matrix_new(const char *name, int64_t rows, int64_t cols, const int64_t *lengths)
{
	matrix m = { .rows = rows, .cols = cols };

	snprintf(m.name, sizeof m.name, "%s", name);
	m.row_ptr = grab(rows + 1, sizeof *m.row_ptr);
	for (int64_t i = 0; i < rows; i++)
		m.row_ptr[i + 1] = m.row_ptr[i] + (cols > 0 ? lengths[i] : 0);
	m.nnz = m.row_ptr[rows];
	m.col = grab(m.nnz, sizeof *m.col);
	m.val = grab(m.nnz, sizeof *m.val);
	return m;
}

void matrix_free(matrix *m)
{
	free(m->row_ptr);
	free(m->col);
	free(m->val);
	*m = (matrix){ .rows = 0 };
}

matrix matrix_transposed(const matrix *m)
{
	int64_t *count = grab(m->cols, sizeof *count);
	matrix t;

	for (int64_t k = 0; k < m->nnz; k++)
		count[m->col[k]]++;
	t = matrix_new(m->name, m->cols, m->rows, count);
	memcpy(count, t.row_ptr, (size_t)t.rows * sizeof *count);
	for (int64_t i = 0; i < m->rows; i++) {
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++) {
			const int64_t to = count[m->col[k]]++;

			t.col[to] = i;
			t.val[to] = m->val[k];
		}
	}
	free(count);
	return t;
}

void matrix_random_columns(matrix *m, uint64_t *state)
{
	for (int64_t k = 0; k < m->nnz; k++)
		m->col[k] = random_below(state, m->cols);
}

/* ---- kinds ---- */

typedef struct {
	int64_t i, j;
} place;

static int by_place(const void *a, const void *b)
{
	const place *p = a, *q = b;

	if (p->i != q->i)
		return p->i < q->i ? -1 : 1;
	return (p->j > q->j) - (p->j < q->j);
}

matrix matrix_mirrored(matrix m, tulle_kind kind)
{
	const int64_t n = m.rows > m.cols ? m.rows : m.cols;
	int64_t *lengths = grab(n, sizeof *lengths), count = 0, kept = 0;
	place *all = grab(2 * m.nnz, sizeof *all);
	matrix out;

	for (int64_t i = 0; i < m.rows; i++) {
		for (int64_t k = m.row_ptr[i]; k < m.row_ptr[i + 1]; k++) {
			all[count++] = (place){ i, m.col[k] };
			all[count++] = (place){ m.col[k], i };
		}
	}
	qsort(all, (size_t)count, sizeof *all, by_place);
	for (int64_t k = 0; k < count; k++)
		if (kept == 0 || by_place(&all[k], &all[kept - 1]) != 0)
			all[kept++] = all[k];
	for (int64_t k = 0; k < kept; k++)
		lengths[all[k].i]++;
	out = matrix_new(m.name, n, n, lengths);
	out.kind = kind;
	for (int64_t k = 0; k < kept; k++)
		out.col[k] = all[k].j;
	free(all);
	free(lengths);
	matrix_free(&m);
	return out;
}

void matrix_mirror_values(matrix *m)
{
	if (m->kind == TULLE_GENERAL)
		return;
	for (int64_t i = 0; i < m->rows; i++) {
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++) {
			const int64_t j = m->col[k];
			int64_t other = m->row_ptr[j];

			if (j >= i)
				continue;
			while (m->col[other] != i)
				other++;
			m->val[other] = m->kind == TULLE_SKEW ? -m->val[k] : m->val[k];
		}
	}
}

/* ---- random matrices ---- */

matrix matrix_blocks(const char *name, int64_t rows, int64_t b, int64_t each, int64_t reach,
                     int64_t holes, uint64_t *state)
{
	int64_t *lengths = grab(rows, sizeof *lengths), *first = grab(each, sizeof *first), k = 0;
	matrix m;

	for (int64_t i = 0; i < rows; i++)
		lengths[i] = each * b;
	m = matrix_new(name, rows, rows, lengths);
	for (int64_t i = 0; i < rows; i++) {
		const int64_t node = i / b, low = node > reach ? node - reach : 0;

		/* A node's rows are full of the same blocks; the diagonal is one of them. */
		for (int64_t n = 0; i % b == 0 && n < each; n++)
			first[n] = n ? b * (low + random_below(state, node - low + 1)) : b * node;
		m.row_ptr[i] = k;
		for (int64_t n = 0; n < each; n++)
			for (int64_t j = first[n]; j < first[n] + b && j < rows; j++)
				if (!holes || random_below(state, holes) > 0)
					m.col[k++] = j;
	}
	m.row_ptr[rows] = m.nnz = k;
	free(first);
	free(lengths);
	return m;
}

static matrix small_blocks(uint64_t *state, int64_t most)
{
	static const tulle_kind kinds[] = { TULLE_GENERAL, TULLE_SYMMETRIC, TULLE_SKEW };
	const int64_t rows = random_below(state, most + 1), b = 1 + random_below(state, 6);
	const int64_t each = 1 + random_below(state, 5), holes = 8 * random_below(state, 3);
	const matrix m = matrix_blocks("small blocks", rows, b, each, rows, holes, state);
	const tulle_kind kind = kinds[random_below(state, 3)];

	return kind == TULLE_GENERAL ? m : matrix_mirrored(m, kind);
}

matrix matrix_small(uint64_t *state, int64_t most)
{
	if (random_below(state, 3) == 0)
		return small_blocks(state, most);

	const int64_t rows = random_below(state, most + 1), cols = random_below(state, most + 1);
	const int64_t longest = 1 + random_below(state, random_below(state, 4) ? 12 : 2 * most);
	int64_t *lengths = grab(rows, sizeof *lengths);
	matrix m;

	for (int64_t i = 0; i < rows; i++)
		lengths[i] = random_below(state, 5) ? random_below(state, longest + 1) : 0;
	m = matrix_new("small", rows, cols, lengths);
	matrix_random_columns(&m, state);
	free(lengths);
	return m;
}

/* Rows of 1 to 16, every 7th empty, every 97th `middle`, two of them `longest`. */
static matrix large(const char *name, int64_t middle, int64_t longest, uint64_t seed)
{
	enum { ROWS = 30000, COLS = 20011 };
	int64_t *lengths = grab(ROWS, sizeof *lengths);
	matrix m;

	for (int64_t i = 0; i < ROWS; i++)
		lengths[i] = i % 7 == 3 ? 0 : i % 97 == 0 ? middle : 1 + random_below(&seed, 16);
	lengths[ROWS / 3] = longest;
	lengths[ROWS - 1] = longest;
	m = matrix_new(name, ROWS, COLS, lengths);
	matrix_random_columns(&m, &seed);
	for (int64_t k = 0; k < m.nnz; k++)
		m.val[k] = (float)random_unit(&seed);
	free(lengths);
	return m;
}

matrix matrix_large(uint64_t seed)
{
	return large("large", 300, 40000, seed);
}

matrix matrix_level(uint64_t seed)
{
	return large("level", 20, 24, seed);
}

matrix matrix_nodes(uint64_t seed)
{
	matrix m = matrix_mirrored(matrix_blocks("nodes", 15001, 3, 5, 40, 50, &seed), TULLE_SYMMETRIC);

	for (int64_t k = 0; k < m.nnz; k++)
		m.val[k] = (float)random_unit(&seed);
	matrix_mirror_values(&m);
	return m;
}

matrix matrix_grid(int64_t side)
{
	const int64_t n = side * side;
	int64_t *lengths = grab(n, sizeof *lengths);
	matrix m;

	for (int64_t i = 0; i < n; i++)
		lengths[i] = 1 + (i >= side) + (i % side > 0) + (i % side < side - 1) + (i < n - side);
	m = matrix_new("grid", n, n, lengths);
	for (int64_t i = 0, k = 0; i < n; i++) {
		const int64_t col[] = { i - side, i - 1, i, i + 1, i + side };
		const int there[] = { i >= side, i % side > 0, 1, i % side < side - 1, i < n - side };

		for (int c = 0; c < 5; c++)
			if (there[c]) {
				m.val[k] = c == 2 ? 4.25 : -1;
				m.col[k++] = col[c];
			}
	}
	m.kind = TULLE_SYMMETRIC;
	free(lengths);
	return m;
}

void matrix_whole_values(matrix *m, uint64_t *state, int64_t limit)
{
	for (int64_t k = 0; k < m->nnz; k++) {
		const int64_t v = 1 + random_below(state, limit);

		m->val[k] = (double)(random_below(state, 2) ? v : -v);
	}
	matrix_mirror_values(m);
}

/* ---- the caller's arrays ---- */

const index_pair pairs[PAIRS] = {
	{ TULLE_I32, TULLE_I32, "32/32" },
	{ TULLE_I64, TULLE_I32, "64/32" },
	{ TULLE_I64, TULLE_I64, "64/64" },
};

size_t index_size(tulle_index_type type)
{
	return type == TULLE_I32 ? 4 : 8;
}

size_t value_size(tulle_value_type type)
{
	return tulle__value_size(type);
}

const char *type_name(tulle_value_type type)
{
	return type == TULLE_F16    ? "f16"
	       : type == TULLE_BF16 ? "bf16"
	       : type == TULLE_F32  ? "f32"
	                            : "f64";
}

void *cast_indices(const int64_t *from, int64_t count, tulle_index_type type, int64_t base)
{
	void *to = grab(count, index_size(type));

	for (int64_t k = 0; k < count; k++) {
		if (type == TULLE_I32)
			((int32_t *)to)[k] = (int32_t)(from[k] + base);
		else
			((int64_t *)to)[k] = from[k] + base;
	}
	return to;
}

void *cast_values(const double *from, int64_t count, tulle_value_type type)
{
	void *to = grab(count, value_size(type));

	for (int64_t k = 0; k < count; k++)
		value_set(type, to, k, from[k]);
	return to;
}

arrays cast(const matrix *m, index_pair pair, tulle_value_type type, int base)
{
	return (arrays){ .row_ptr = cast_indices(m->row_ptr, m->rows + 1, pair.offset, base),
		             .col = cast_indices(m->col, m->nnz, pair.column, base),
		             .val = cast_values(m->val, m->nnz, type) };
}

void arrays_free(arrays *a)
{
	free(a->row_ptr);
	free(a->col);
	free(a->val);
	*a = (arrays){ NULL, NULL, NULL };
}

tulle_matrix *borrow(tulle_context *context, const matrix *m, index_pair pair,
                     tulle_value_type type, const arrays *a)
{
	tulle_matrix *out = NULL;

	CHECK_OK(tulle_matrix_from_csr(context, m->rows, m->cols, pair.offset, a->row_ptr, pair.column,
	                               a->col, type, a->val, NULL, &out));
	return out;
}

/* ---- vectors ---- */

double value_at(tulle_value_type type, const void *v, int64_t i)
{
	return type == TULLE_F32 ? (double)((const float *)v)[i] : ((const double *)v)[i];
}

void value_set(tulle_value_type type, void *v, int64_t i, double value)
{
	if (type == TULLE_F32)
		((float *)v)[i] = (float)value;
	else
		((double *)v)[i] = value;
}

void value_fill(tulle_value_type type, void *v, int64_t count, double value)
{
	for (int64_t i = 0; i < count; i++)
		value_set(type, v, i, value);
}

const char *const call_names[CALLS] = { "mul", "mul_add", "mul_add b == y" };

static tulle_status mul_add(const tulle_plan *plan, tulle_value_type type, double alpha,
                            const void *x, double beta, const void *b, void *y)
{
	if (type == TULLE_F32)
		return tulle_mul_add_f32(plan, (float)alpha, x, (float)beta, b, y);
	return tulle_mul_add_f64(plan, alpha, x, beta, b, y);
}

tulle_status mul(const tulle_plan *plan, tulle_value_type type, double alpha, const void *x,
                 double beta, void *y)
{
	if (type == TULLE_F32)
		return tulle_mul_f32(plan, (float)alpha, x, (float)beta, y);
	return tulle_mul_f64(plan, alpha, x, beta, y);
}

tulle_status multiply(const tulle_plan *plan, tulle_value_type type, call_kind call, double alpha,
                      const void *x, double beta, const void *b, void *y, int64_t rows)
{
	if (beta == 0 || call == MUL_ADD)
		value_fill(type, y, rows, NAN);
	else
		memcpy(y, b, (size_t)rows * value_size(type));
	switch (call) {
	case MUL: return mul(plan, type, alpha, x, beta, y);
	case MUL_ADD: return mul_add(plan, type, alpha, x, beta, beta == 0 ? NULL : b, y);
	default: return mul_add(plan, type, alpha, x, beta, y, y);
	}
}
