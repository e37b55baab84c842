/* typed_problem.c -- values for upper, and the kit's oracle for their products: it gets the widened values. */
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
	const tulle_value_type real = p->type->compute;
	const size_t size = tulle__element_size(p->type->type);

	for (int op = 0; op < OPS; op++) {
		p->x[op] = grab(rows_of(&p->m, !op), size);
		p->b[op] = grab(rows_of(&p->m, op), size);
		kit_random_fill(class, seed + 1, real, rows_of(&p->m, !op), p->x[op]);
		kit_random_fill(class, seed + 2, real, rows_of(&p->m, op), p->b[op]);
	}
}

/* Any float, cut off to its upper half. */
static void fill_upper(typed_problem *p, kit_values class, uint64_t seed)
{
	const tulle_csr_view pattern = pattern_of(&p->m, TULLE_F32);
	tulle__upper *val = grab(p->m.nnz, sizeof *val);

	p->val = val;
	p->wide = grab(p->m.nnz, sizeof *p->wide);
	kit_random_system(class, seed, &pattern, p->wide, p->x[TULLE_NORMAL]);
	for (int64_t k = 0; k < p->m.nnz; k++) {
		val[k].bits = (uint16_t)(tulle__bits(&p->wide[k], sizeof *p->wide) >> 16);
		tulle__set_bits(&p->wide[k], sizeof *p->wide, (uint64_t)val[k].bits << 16);
	}
}

typed_problem typed_problem_new(matrix m, tulle_value_type type, int ones, kit_values class,
                                uint64_t seed)
{
	typed_problem p = { .m = m, .type = tulle__type_of(type), .ones = ones };

	fill_vectors(&p, class, seed);
	fill_upper(&p, class, seed);
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

static kit_oracle *ask_upper(const typed_problem *p, int op, tulle__scalar alpha,
                             tulle__scalar beta)
{
	tulle_csr_view a = pattern_of(&p->m, TULLE_F32);

	a.val = p->wide;
	return kit_oracle_create(&a, (tulle_op)op, alpha.re, p->x[op], beta.re, p->b[op]);
}

kit_oracle *typed_problem_oracle(typed_problem *p, int op, tulle__scalar alpha, tulle__scalar beta)
{
	kit_oracle *o = ask_upper(p, op, alpha, beta);

	CHECK_THAT(o, "the oracle: %s", kit_error());
	return o;
}
