/* block_problem.c -- random blocks, and their places in the expansion one by one. */
#include "block_problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double random_value(const recipe *r, uint64_t *seed)
{
	const double value = r->whole ? (double)random_below(seed, 9) - 4 : random_unit(seed);

	/* zeros are entries, too */
	return random_below(seed, 7) == 0 ? 0 : r->type == TULLE_F32 ? (double)(float)value : value;
}

/* Block columns of one block row: rising, or any. */
static void draw_columns(const recipe *r, int64_t *col, int64_t count, uint64_t *seed)
{
	for (int64_t n = 0; n < count; n++)
		col[n] = r->sorted
		             ? r->block_cols * n / count +
		                   random_below(seed, r->block_cols / count > 0 ? r->block_cols / count : 1)
		             : random_below(seed, r->block_cols);
}

/* The place of row i, column j of a block among its values. */
static int64_t place_of(const recipe *r, int64_t i, int64_t j)
{
	return r->order == TULLE_ROW_MAJOR ? i * r->width + j : j * r->height + i;
}

static void expand(problem *p, const int64_t *ptr, const int64_t *col, const double *val,
                   const double *other)
{
	const recipe *r = &p->recipe;
	int64_t n = 0;

	p->row_ptr = grab(p->rows + 1, sizeof *p->row_ptr);
	p->expanded_col = grab(p->nnz, sizeof *p->expanded_col);
	p->expanded = grab(p->nnz, sizeof(double));
	p->other_expanded = grab(p->nnz, sizeof(double));
	for (int64_t i = 0; i < p->rows; i++) {
		for (int64_t k = ptr[i / r->height]; k < ptr[i / r->height + 1]; k++)
			for (int64_t j = 0; j < r->width; j++, n++) {
				const int64_t at = k * r->height * r->width + place_of(r, i % r->height, j);

				p->expanded_col[n] = (int32_t)(col[k] * r->width + j);
				value_set(p->type, p->expanded, n, val[at]);
				value_set(p->type, p->other_expanded, n, other[at]);
			}
		p->row_ptr[i + 1] = n;
	}
}

problem problem_new(const recipe *r, uint64_t *seed)
{
	problem p = { .recipe = *r,
		          .height = r->height,
		          .width = r->width,
		          .rows = r->block_rows * r->height,
		          .cols = r->block_cols * r->width,
		          .type = r->type };
	int64_t *ptr = grab(r->block_rows + 1, sizeof *ptr), *col;
	double *val, *other, *x;
	const int64_t longest = p.rows > p.cols ? p.rows : p.cols;

	for (int64_t i = 0; i < r->block_rows; i++)
		ptr[i + 1] = ptr[i] + (i % 5 == 4 ? 0 : 1 + random_below(seed, 12));
	p.blocks = ptr[r->block_rows];
	p.nnz = p.blocks * r->height * r->width;
	col = grab(p.blocks, sizeof *col);
	val = grab(p.nnz, sizeof *val);
	other = grab(p.nnz, sizeof *other);
	x = grab(longest, sizeof *x);
	for (int64_t i = 0; i < r->block_rows; i++)
		draw_columns(r, col + ptr[i], ptr[i + 1] - ptr[i], seed);
	for (int64_t k = 0; k < p.nnz; k++) {
		val[k] = random_value(r, seed);
		other[k] = random_value(r, seed);
	}
	for (int64_t k = 0; k < longest; k++)
		x[k] = random_value(r, seed);
	p.ptr = cast_indices(ptr, r->block_rows + 1, r->pair.offset, r->base);
	p.col = cast_indices(col, p.blocks, r->pair.column, r->base);
	p.val = cast_values(val, p.nnz, r->type);
	p.other = cast_values(other, p.nnz, r->type);
	p.x = cast_values(x, longest, r->type);
	expand(&p, ptr, col, val, other);
	snprintf(p.name, sizeof p.name, "%d x %d blocks, %s-major, %s, %s", (int)r->height,
	         (int)r->width, r->order == TULLE_ROW_MAJOR ? "row" : "column", type_name(r->type),
	         r->pair.name);
	free(ptr);
	free(col);
	free(val);
	free(other);
	free(x);
	return p;
}

void problem_free(problem *p)
{
	free(p->ptr);
	free(p->col);
	free(p->val);
	free(p->other);
	free(p->row_ptr);
	free(p->expanded_col);
	free(p->expanded);
	free(p->other_expanded);
	free(p->x);
}

tulle_matrix *from_blocks(const problem *p, tulle_context *context)
{
	const recipe *r = &p->recipe;
	const tulle_matrix_options o = { .size = sizeof o, .base = r->base };
	tulle_matrix *a = NULL;

	CHECK_OK(tulle_matrix_from_bsr(context, r->block_rows, r->block_cols, r->height, r->width,
	                               r->order, r->pair.offset, p->ptr, r->pair.column, p->col,
	                               p->type, p->val, &o, &a));
	return a;
}

tulle_matrix *from_expansion(const problem *p)
{
	tulle_matrix *a = NULL;

	CHECK_OK(tulle_matrix_from_csr(NULL, p->rows, p->cols, TULLE_I64, p->row_ptr, TULLE_I32,
	                               p->expanded_col, p->type, p->expanded, NULL, &a));
	return a;
}

tulle_csr_view expansion_view(const problem *p)
{
	return (tulle_csr_view){ .size = sizeof(tulle_csr_view),
		                     .rows = p->rows,
		                     .cols = p->cols,
		                     .nnz = p->nnz,
		                     .offset_type = TULLE_I64,
		                     .column_type = TULLE_I32,
		                     .value_type = p->type,
		                     .row_ptr = p->row_ptr,
		                     .col = p->expanded_col,
		                     .val = p->expanded };
}

size_t expansion_bytes(const problem *p)
{
	return (size_t)p->nnz * (4 + value_size(p->type)) + (size_t)(p->rows + 1) * 4;
}

int keeps(const problem *p, const char *spec)
{
	static const int sizes[] = { 2, 3, 4, 6 };
	const char *block = strstr(spec, "block=");
	int any = 0;

	for (int n = 0; n < 4; n++)
		any |= p->height % sizes[n] == 0 && p->width % sizes[n] == 0 &&
		       (!block || atoi(block + 6) == sizes[n]);
	return any;
}
