/* batch_support.c -- batches of all sizes and sorts, packed as a caller would. */
#include "batch_support.h"

#include "shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- packing ---- */

static void set_values(matrix *m, tulle_value_type type, uint64_t *state)
{
	for (int64_t k = 0; k < m->nnz; k++)
		m->val[k] = type == TULLE_F32 ? (double)(float)random_unit(state) : random_unit(state);
}

static void fill_vectors(problems *p, uint64_t *state)
{
	p->x = grab(p->cols, value_size(p->type));
	p->b = grab(p->rows, value_size(p->type));
	for (int64_t j = 0; j < p->cols; j++)
		value_set(p->type, p->x, j, (double)(float)random_unit(state));
	for (int64_t i = 0; i < p->rows; i++)
		value_set(p->type, p->b, i, (double)(float)random_unit(state));
}

/* Elements of a kind that the packed arrays have: of every problem, or only of the first. */
static int64_t packed(const problems *p, int bit)
{
	return p->shared & bit ? (p->count > 0) : p->count;
}

static void pack(problems *p)
{
	int64_t rows = 0, cols = 0, values = 0, *row_ptr, *col;
	double *val;

	for (int64_t i = 0; i < p->count; i++) {
		rows += i < packed(p, TULLE_SHARED_ROWS) ? p->m[i].rows + 1 : 0;
		cols += i < packed(p, TULLE_SHARED_COLUMNS) ? p->m[i].nnz : 0;
		values += i < packed(p, TULLE_SHARED_VALUES) ? p->m[i].nnz : 0;
	}
	row_ptr = grab(rows, sizeof *row_ptr);
	col = grab(cols, sizeof *col);
	val = grab(values, sizeof *val);
	p->values = values;
	rows = cols = values = 0;
	for (int64_t i = 0; i < p->count; i++) {
		const matrix *m = &p->m[i];

		for (int64_t r = 0; i < packed(p, TULLE_SHARED_ROWS) && r <= m->rows; r++)
			row_ptr[rows++] = m->row_ptr[r];
		for (int64_t k = 0; i < packed(p, TULLE_SHARED_COLUMNS) && k < m->nnz; k++)
			col[cols++] = m->col[k];
		for (int64_t k = 0; i < packed(p, TULLE_SHARED_VALUES) && k < m->nnz; k++)
			val[values++] = m->val[k];
	}
	p->arr = (arrays){ cast_indices(row_ptr, rows, p->pair.offset, 0),
		               cast_indices(col, cols, p->pair.column, 0),
		               p->ones ? NULL : cast_values(val, values, p->type) };
	free(val);
	free(col);
	free(row_ptr);
}

static problems assemble(const char *name, matrix *m, int64_t count, tulle_value_type type,
                         index_pair pair, int shared, int ones)
{
	problems p = {
		.type = type, .pair = pair, .shared = shared, .ones = ones, .count = count, .m = m
	};
	uint64_t state = (uint64_t)count + 11;

	snprintf(p.name, sizeof p.name, "%s", name);
	p.row_count = grab(count, sizeof *p.row_count);
	p.col_count = grab(count, sizeof *p.col_count);
	p.x_at = grab(count, sizeof *p.x_at);
	p.y_at = grab(count, sizeof *p.y_at);
	for (int64_t i = 0; i < count; i++) {
		p.row_count[i] = m[i].rows;
		p.col_count[i] = m[i].cols;
		p.x_at[i] = p.cols;
		p.y_at[i] = p.rows;
		p.rows += m[i].rows;
		p.cols += m[i].cols;
		p.nnz += m[i].nnz;
	}
	pack(&p);
	fill_vectors(&p, &state);
	return p;
}

problems problems_new(const char *name, matrix *m, int64_t count, tulle_value_type type, int turn)
{
	uint64_t state = (uint64_t)turn + 3;

	for (int64_t i = 0; i < count; i++)
		set_values(&m[i], type, &state);
	return assemble(name, m, count, type, pairs[turn % PAIRS], 0, 0);
}

static matrix copy_of(const matrix *m)
{
	int64_t *lengths = grab(m->rows, sizeof *lengths);
	matrix c;

	for (int64_t i = 0; i < m->rows; i++)
		lengths[i] = m->row_ptr[i + 1] - m->row_ptr[i];
	c = matrix_new(m->name, m->rows, m->cols, lengths);
	if (m->nnz > 0)
		memcpy(c.col, m->col, (size_t)m->nnz * sizeof *m->col);
	free(lengths);
	return c;
}

problems problems_of_pattern(const char *name, matrix m, int64_t count, tulle_value_type type,
                             int shared, int ones, int scaled)
{
	matrix *all = grab(count, sizeof *all);
	uint64_t state = 5;
	problems p;

	for (int64_t i = 0; i < count; i++) {
		all[i] = i == 0 ? m : copy_of(&m);
		if (i == 0 || !(shared & TULLE_SHARED_VALUES))
			set_values(&all[i], type, &state);
		else if (m.nnz > 0)
			memcpy(all[i].val, m.val, (size_t)m.nnz * sizeof *m.val);
		/* Other columns, where only rows or values are shared. */
		if (i > 0 && shared > 0 && !(shared & TULLE_SHARED_COLUMNS))
			matrix_random_columns(&all[i], &state);
	}
	p = assemble(name, all, count, type, pairs[count % PAIRS], shared, ones);
	if (scaled) {
		p.scale = grab(count, sizeof *p.scale);
		for (int64_t i = 0; i < count; i++)
			p.scale[i] = ldexp(i % 3 == 1 ? -1 : 1, (int)(i % 5) - 2);
	}
	return p;
}

void problems_free(problems *p)
{
	for (int64_t i = 0; i < p->count; i++)
		matrix_free(&p->m[i]);
	free(p->m);
	free(p->row_count);
	free(p->col_count);
	free(p->x_at);
	free(p->y_at);
	free(p->scale);
	free(p->val_at);
	arrays_free(&p->arr);
	free(p->x);
	free(p->b);
}

tulle_batch_source problems_source(const problems *p)
{
	return (tulle_batch_source){ .size = sizeof(tulle_batch_source),
		                         .count = p->count,
		                         .rows = p->row_count,
		                         .cols = p->col_count,
		                         .offset_type = p->pair.offset,
		                         .column_type = p->pair.column,
		                         .value_type = p->type,
		                         .shared = p->shared,
		                         .row_ptr = p->arr.row_ptr,
		                         .col = p->arr.col,
		                         .val = p->arr.val,
		                         .val_at = p->val_at,
		                         .scale = p->scale };
}

/* ---- the oracle ---- */

kit_oracle *problems_oracle(const problems *p, double alpha, double beta)
{
	int64_t *row_ptr = grab(p->rows + 1, sizeof *row_ptr), *col = grab(p->nnz, sizeof *col);
	double *val = grab(p->nnz, sizeof *val);
	int64_t row = 0, k = 0;
	void *typed;
	kit_oracle *oracle;

	for (int64_t i = 0; i < p->count; i++) {
		const matrix *m = &p->m[i];

		for (int64_t r = 0; r < m->rows; r++) {
			row_ptr[row++] = k;
			for (int64_t n = m->row_ptr[r]; n < m->row_ptr[r + 1]; n++, k++) {
				col[k] = m->col[n] + p->x_at[i];
				val[k] = (p->ones ? 1 : m->val[n]) * (p->scale ? p->scale[i] : 1);
			}
		}
	}
	row_ptr[row] = k;
	typed = cast_values(val, k, p->type);
	oracle = kit_oracle_create(&(tulle_csr_view){ .size = sizeof(tulle_csr_view),
	                                              .rows = p->rows,
	                                              .cols = p->cols,
	                                              .nnz = p->nnz,
	                                              .offset_type = TULLE_I64,
	                                              .column_type = TULLE_I64,
	                                              .value_type = p->type,
	                                              .row_ptr = row_ptr,
	                                              .col = col,
	                                              .val = typed },
	                           TULLE_NORMAL, alpha, p->x, beta, p->b);
	CHECK_THAT(oracle, "the oracle: %s", kit_error());
	free(typed);
	free(val);
	free(col);
	free(row_ptr);
	return oracle;
}

/* ---- batches ---- */

/* Up to `most` rows and columns, one in twenty without rows or columns. */
static problems many_small(const char *name, int64_t count, int64_t most, tulle_value_type type)
{
	matrix *m = grab(count, sizeof *m);
	uint64_t state = (uint64_t)(count + most);

	for (int64_t i = 0; i < count; i++)
		if (random_below(&state, 20) == 0) {
			const int64_t none[64] = { 0 };
			const int rows = random_below(&state, 2) == 0;

			m[i] = matrix_new("empty", rows ? random_below(&state, 9) : 0,
			                  rows ? 0 : random_below(&state, 9), none);
		} else {
			m[i] = matrix_small(&state, most);
		}
	return problems_new(name, m, count, type, (int)count);
}

/* All shapes that break kernels, in one batch. */
static problems all_shapes(tulle_value_type type, int turn)
{
	int64_t count = 0;
	matrix probe, *m;

	while (shape_at((int)count, &probe)) {
		matrix_free(&probe);
		count++;
	}
	m = grab(count, sizeof *m);
	for (int64_t i = 0; i < count; i++)
		shape_at((int)i, &m[i]);
	return problems_new("all shapes", m, count, type, turn);
}

/* One large matrix, over 64 parts by itself, between small ones. */
static problems one_huge(tulle_value_type type)
{
	enum { COUNT = 41 };
	matrix *m = grab(COUNT, sizeof *m);
	uint64_t state = 9;

	for (int64_t i = 0; i < COUNT; i++)
		m[i] = i == 20 ? matrix_large(4) : matrix_small(&state, 20);
	return problems_new("one huge", m, COUNT, type, 1);
}

static matrix pattern(int64_t rows, int64_t cols, uint64_t seed)
{
	int64_t *lengths = grab(rows, sizeof *lengths);
	matrix m;

	for (int64_t i = 0; i < rows; i++)
		lengths[i] = cols > 0 ? random_below(&seed, 9) : 0;
	m = matrix_new("pattern", rows, cols, lengths);
	matrix_random_columns(&m, &seed);
	free(lengths);
	return m;
}

/* A tridiagonal one: rows of one length, but for the first and last. */
static matrix band(int64_t rows)
{
	int64_t *lengths = grab(rows, sizeof *lengths);
	matrix m;

	for (int64_t i = 0; i < rows; i++)
		lengths[i] = 1 + (i > 0) + (i + 1 < rows);
	m = matrix_new("band", rows, rows, lengths);
	for (int64_t i = 0; i < rows; i++)
		for (int64_t k = m.row_ptr[i]; k < m.row_ptr[i + 1]; k++)
			m.col[k] = i - (i > 0) + k - m.row_ptr[i];
	free(lengths);
	return m;
}

/* Rows of one length. */
static matrix level(int64_t rows, int64_t cols, int64_t each, uint64_t seed)
{
	int64_t *lengths = grab(rows, sizeof *lengths);
	matrix m;

	for (int64_t i = 0; i < rows; i++)
		lengths[i] = each;
	m = matrix_new("level", rows, cols, lengths);
	matrix_random_columns(&m, &seed);
	free(lengths);
	return m;
}

static problems many_level(const char *name, int64_t count, tulle_value_type type)
{
	matrix *m = grab(count, sizeof *m);

	for (int64_t i = 0; i < count; i++)
		m[i] = level(1 + i % 37, i % 7 == 0 ? 70000 : 20 + i, 1 + i % 11, (uint64_t)i + 1);
	return problems_new(name, m, count, type, 2);
}

/* All have the values of the first, and rows of other lengths. */
static problems values_of_first(tulle_value_type type)
{
	enum { COUNT = 5, NNZ = 60 };
	static const int64_t rows[COUNT] = { 12, 10, 60, 12, 5 };
	matrix *m = grab(COUNT, sizeof *m);
	problems p;

	for (int64_t i = 0; i < COUNT; i++)
		m[i] = level(rows[i], 9 + i, NNZ / rows[i], (uint64_t)i + 1);
	p = problems_new("values of the first", m, COUNT, type, 1);
	p.values = NNZ;
	p.val_at = grab(COUNT, sizeof *p.val_at);
	for (int64_t i = 0; i < COUNT; i++) {
		p.val_at[i] = 0;
		memcpy(m[i].val, m[0].val, NNZ * sizeof *m->val);
	}
	return p;
}

int batch_at(int n, tulle_value_type type, int full, problems *out)
{
	enum {
		ROWS = TULLE_SHARED_ROWS,
		PATTERN = ROWS | TULLE_SHARED_COLUMNS,
		VALUES = TULLE_SHARED_VALUES
	};

	switch (n) {
	case 0: *out = many_small("no problem", 0, 9, type); return 1;
	case 1: *out = many_small("one", 1, 30, type); return 1;
	case 2: *out = many_small("two", 2, 30, type); return 1;
	case 3: *out = all_shapes(type, 0); return 1;
	case 4: *out = many_small("small", full ? 10000 : 500, 40, type); return 1;
	case 5: *out = many_small("10,000 tiny", 10000, 6, type); return 1;
	case 6: *out = one_huge(type); return 1;
	case 7:
		*out = problems_of_pattern("one pattern", pattern(37, 29, 1), 21, type, PATTERN, 0, 0);
		return 1;
	case 8:
		*out = problems_of_pattern("equal patterns", pattern(19, 33, 2), 35, type, 0, 0, 0);
		return 1;
	case 9:
		*out = problems_of_pattern("scaled", pattern(16, 16, 3), 33, type, PATTERN, 0, 1);
		return 1;
	case 10:
		*out =
		    problems_of_pattern("one matrix", pattern(41, 17, 4), 18, type, PATTERN | VALUES, 0, 1);
		return 1;
	case 11:
		*out = problems_of_pattern("ones", pattern(23, 23, 5), 9, type, PATTERN, 1, 0);
		return 1;
	case 12:
		*out = problems_of_pattern("same rows", pattern(50, 64, 6), 12, type, ROWS, 0, 0);
		return 1;
	case 13:
		*out =
		    problems_of_pattern("same values", pattern(30, 44, 7), 12, type, ROWS | VALUES, 0, 1);
		return 1;
	case 14: *out = problems_of_pattern("bands", band(48), 16, type, 0, 0, 0); return 1;
	case 15:
		*out =
		    problems_of_pattern("large pattern", pattern(9000, 7000, 8), 19, type, PATTERN, 0, 0);
		return 1;
	case 16:
		*out = problems_of_pattern("wide pattern", pattern(700, 70000, 8), 9, type, PATTERN, 0, 0);
		return 1;
	case 17:
		*out = problems_of_pattern("no rows", pattern(0, 5, 8), 9, type, PATTERN, 0, 0);
		return 1;
	case 18:
		*out = problems_of_pattern("no columns", pattern(5, 0, 8), 9, type, PATTERN, 0, 0);
		return 1;
	case 19: *out = many_level("level", 80, type); return 1;
	case 20: *out = values_of_first(type); return 1;
	default: return 0;
	}
}

/* ---- calls ---- */

tulle_status batch_mul(const tulle_batch *b, tulle_value_type type, tulle_batch_layout layout,
                       double alpha, const void *x, double beta, void *y)
{
	return type == TULLE_F64 ? tulle_batch_mul_f64(b, layout, alpha, x, beta, y)
	                         : tulle_batch_mul_f32(b, layout, (float)alpha, x, (float)beta, y);
}

tulle_status batch_mul_list(const tulle_batch *b, tulle_value_type type, double alpha,
                            const void *const *x, double beta, void *const *y)
{
	return type == TULLE_F64 ? tulle_batch_mul_list_f64(b, alpha, (const double *const *)x, beta,
	                                                    (double *const *)y)
	                         : tulle_batch_mul_list_f32(b, (float)alpha, (const float *const *)x,
	                                                    (float)beta, (float *const *)y);
}

int same_bits(double a, double b)
{
	return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}
