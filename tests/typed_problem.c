/* typed_problem.c -- values for bf16 and c128, and the kit's oracle for their products.
 *
 * For bf16 the oracle gets the widened values. For c128 it gets the real matrix that complex numbers
 * stand for, with alpha and beta in it:
 *
 *     Re y = ar (Re A Re x - Im A Im x) - ai (Re A Im x + Im A Re x) + br Re b - bi Im b
 *     Im y = ar (Re A Im x + Im A Re x) + ai (Re A Re x - Im A Im x) + br Im b + bi Re b
 *
 * Parts of the factors are 0 or powers of two, so its entries are exact. A row of n complex entries
 * becomes two rows of 4n + 2 real ones, and their bound allows 4n + 4 roundings of each term. A kernel
 * rounds a product, the sum of its pair, n sums of the row, the sum of alpha's pair and the sum with
 * beta's: at most n + 4 times, and not more than twice where n = 0. */
#include "typed_problem.h"

#include <stdlib.h>
#include <string.h>

static int64_t rows_of(const matrix *m, int op)
{
	return op == TULLE_NORMAL ? m->rows : m->cols;
}

/* ---- values ---- */

static tulle_csr_view pattern_of(const matrix *m, tulle_value_type type)
{
	return (tulle_csr_view){ .size = sizeof(tulle_csr_view),
		                     .rows = m->rows,
		                     .cols = m->cols,
		                     .nnz = m->nnz,
		                     .offset_type = TULLE_I64,
		                     .column_type = TULLE_I64,
		                     .value_type = type,
		                     .row_ptr = m->row_ptr,
		                     .col = m->col };
}

static void fill_vectors(typed_problem *p, kit_values class, uint64_t seed)
{
	const int parts = p->type->parts;
	const tulle_value_type real = parts == 2 ? TULLE_F64 : p->type->compute;
	const size_t size = tulle__element_size(p->type->type);

	for (int op = 0; op < OPS; op++) {
		p->x[op] = grab(rows_of(&p->m, !op), size);
		p->b[op] = grab(rows_of(&p->m, op), size);
		kit_random_fill(class, seed + 1, real, parts * rows_of(&p->m, !op), p->x[op]);
		kit_random_fill(class, seed + 2, real, parts * rows_of(&p->m, op), p->b[op]);
	}
}

/* Any float, cut off to its upper half. */
static void fill_bf16(typed_problem *p, kit_values class, uint64_t seed)
{
	const tulle_csr_view pattern = pattern_of(&p->m, TULLE_F32);
	tulle__bf16 *val = grab(p->m.nnz, sizeof *val);

	p->val = val;
	p->wide = grab(p->m.nnz, sizeof *p->wide);
	kit_random_system(class, seed, &pattern, p->wide, p->x[TULLE_NORMAL]);
	for (int64_t k = 0; k < p->m.nnz; k++) {
		val[k].bits = (uint16_t)(tulle__bits(&p->wide[k], sizeof *p->wide) >> 16);
		tulle__set_bits(&p->wide[k], sizeof *p->wide, (uint64_t)val[k].bits << 16);
	}
}

static void fill_c128(typed_problem *p, kit_values class, uint64_t seed)
{
	const tulle_csr_view pattern = pattern_of(&p->m, TULLE_F64);
	double *val = grab(2 * p->m.nnz, sizeof *val), *part = grab(p->m.nnz, sizeof *part);
	double *x = p->x[TULLE_NORMAL], *x_part = grab(p->m.cols, sizeof *x_part);

	for (int r = 0; r < 2; r++) {
		kit_random_system(class, seed + (uint64_t)r, &pattern, part, x_part);
		for (int64_t k = 0; k < p->m.nnz; k++)
			val[2 * k + r] = part[k];
		for (int64_t j = 0; j < p->m.cols; j++)
			x[2 * j + r] = x_part[j];
	}
	p->val = val;
	free(part);
	free(x_part);
}

typed_problem typed_problem_new(matrix m, tulle_value_type type, int ones, kit_values class,
                                uint64_t seed)
{
	typed_problem p = { .m = m, .type = tulle__type_of(type), .ones = ones };

	fill_vectors(&p, class, seed);
	if (p.type->parts == 2)
		fill_c128(&p, class, seed);
	else
		fill_bf16(&p, class, seed);
	for (int64_t k = 0; ones && k < m.nnz; k++) {
		tulle__value_move(p.val, k, p.type->one, 0, p.type->size);
		if (p.wide)
			p.wide[k] = 1;
	}
	return p;
}

void typed_problem_free(typed_problem *p)
{
	for (int op = 0; op < OPS; op++) {
		free(p->x[op]);
		free(p->b[op]);
	}
	free(p->val);
	free(p->wide);
	matrix_free(&p->m);
}

int64_t typed_problem_rows(const typed_problem *p, int op)
{
	return rows_of(&p->m, op);
}

/* ---- the oracle ---- */

static kit_oracle *ask_bf16(const typed_problem *p, int op, tulle__scalar alpha, tulle__scalar beta)
{
	tulle_csr_view a = pattern_of(&p->m, TULLE_F32);

	a.val = p->wide;
	return kit_oracle_create(&a, (tulle_op)op, alpha.re, p->x[op], beta.re, p->b[op]);
}

/* The real matrix: its columns are the parts of x, then those of b. */
typedef struct {
	int64_t *row_ptr, *col, nnz;
	double *val;
} real_matrix;

static void add(real_matrix *r, int64_t column, double value)
{
	r->col[r->nnz] = column;
	r->val[r->nnz++] = value;
}

/* Part `im` of (s.re + i s.im)(v + i w), where v and w are columns of the real matrix. */
static void add_scaled(real_matrix *r, tulle__scalar s, double factor, int64_t column, int im)
{
	if (im) {
		add(r, column + 1, s.re * factor);
		add(r, column, s.im * factor);
	} else {
		add(r, column, s.re * factor);
		add(r, column + 1, -s.im * factor);
	}
}

/* Part `im` of alpha a x: a = v + i w gives alpha v x + (i alpha) w x. */
static void add_entry(real_matrix *r, tulle__scalar alpha, const double *a, int64_t column, int im)
{
	const tulle__scalar turned = { -alpha.im, alpha.re };

	add_scaled(r, alpha, a[0], column, im);
	add_scaled(r, turned, a[1], column, im);
}

static kit_oracle *ask_c128(typed_problem *p, int op, tulle__scalar alpha, tulle__scalar beta)
{
	matrix t = { .rows = 0 };
	const matrix *m = &p->m;
	const int64_t rows = rows_of(m, op), cols = rows_of(m, !op);
	const int reads_b = beta.re != 0 || beta.im != 0;
	real_matrix r = { .nnz = 0 };
	double *vectors = grab(2 * (rows + cols), sizeof *vectors);
	kit_oracle *o;

	for (int64_t k = 0; k < m->nnz; k++)
		m->val[k] = (double)k; /* which entry of p->val this is */
	if (op == TULLE_TRANSPOSED) {
		t = matrix_transposed(m);
		m = &t;
	}
	r.row_ptr = grab(2 * rows + 1, sizeof *r.row_ptr);
	r.col = grab(8 * m->nnz + 4 * rows, sizeof *r.col);
	r.val = grab(8 * m->nnz + 4 * rows, sizeof *r.val);
	for (int64_t i = 0; i < 2 * rows; i++) {
		const int im = i % 2 == 1;

		for (int64_t k = m->row_ptr[i / 2]; k < m->row_ptr[i / 2 + 1]; k++)
			add_entry(&r, alpha, (const double *)p->val + 2 * (int64_t)m->val[k], 2 * m->col[k],
			          im);
		if (reads_b)
			add_scaled(&r, beta, 1, 2 * (cols + i / 2), im);
		r.row_ptr[i + 1] = r.nnz;
	}
	memcpy(vectors, p->x[op], 2 * (size_t)cols * sizeof *vectors);
	memcpy(vectors + 2 * cols, p->b[op], 2 * (size_t)rows * sizeof *vectors);
	o = kit_oracle_create(&(tulle_csr_view){ .size = sizeof(tulle_csr_view),
	                                         .rows = 2 * rows,
	                                         .cols = 2 * (rows + cols),
	                                         .nnz = r.nnz,
	                                         .offset_type = TULLE_I64,
	                                         .column_type = TULLE_I64,
	                                         .value_type = TULLE_F64,
	                                         .row_ptr = r.row_ptr,
	                                         .col = r.col,
	                                         .val = r.val },
	                      TULLE_NORMAL, 1, vectors, 0, NULL);
	free(r.row_ptr);
	free(r.col);
	free(r.val);
	free(vectors);
	matrix_free(&t);
	return o;
}

kit_oracle *typed_problem_oracle(typed_problem *p, int op, tulle__scalar alpha, tulle__scalar beta)
{
	kit_oracle *o =
	    p->type->parts == 2 ? ask_c128(p, op, alpha, beta) : ask_bf16(p, op, alpha, beta);

	CHECK_THAT(o, "the oracle: %s", kit_error());
	return o;
}
