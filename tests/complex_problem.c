/* complex_problem.c -- complex systems between guard pages, and calls by the type of their values. */
#include "complex_problem.h"

#include "core/types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const tulle_op complex_ops[COMPLEX_OPS] = { TULLE_NORMAL, TULLE_TRANSPOSED, TULLE_CONJUGATE };

/* ---- sets ---- */

const char *complex_set(const char *isa)
{
	if (strncmp(isa, "avx512", 6) == 0)
		return "avx512";
	if (strncmp(isa, "avx2", 4) == 0)
		return "avx2";
	return strcmp(isa, "neon") == 0 || strncmp(isa, "sve", 3) == 0 ? isa : "scalar";
}

/* ---- memory ---- */

fenced fence(int64_t count, size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (size_t)count * size;
	const size_t inside = (bytes + page - 1) / page * page;
	fenced f = { .bytes = inside + 2 * page };

	f.map = mmap(NULL, f.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (f.map == MAP_FAILED || (inside && mprotect(f.map + page, inside, PROT_READ | PROT_WRITE))) {
		printf("no memory for guard pages\n");
		exit(1);
	}
	f.at = f.map + page + inside - bytes;
	return f;
}

void unfence(fenced *f)
{
	if (f->map)
		munmap(f->map, f->bytes);
	f->map = NULL;
}

/* ---- problems ---- */

int complex_side(tulle_op op)
{
	return op != TULLE_NORMAL;
}

int64_t complex_rows(const complex_problem *p, tulle_op op)
{
	return complex_side(op) ? p->m.cols : p->m.rows;
}

static tulle_value_type part_type(tulle_value_type type)
{
	return type == TULLE_C64 ? TULLE_F32 : TULLE_F64;
}

static size_t size_of(tulle_value_type type)
{
	return type == TULLE_C64 ? sizeof(tulle_c64) : sizeof(tulle_c128);
}

static fenced numbers(const complex_problem *p, int64_t count, kit_values class, uint64_t seed)
{
	const fenced f = fence(count, size_of(p->type));

	kit_random_fill(class, seed, part_type(p->type), 2 * count, f.at);
	return f;
}

static fenced indices(const int64_t *from, int64_t count, tulle_index_type type)
{
	const fenced f = fence(count, index_size(type));
	void *cast = cast_indices(from, count, type, 0);

	if (count > 0)
		memcpy(f.at, cast, (size_t)count * index_size(type));
	free(cast);
	return f;
}

/* Values above the diagonal are made from those below it, as the kind wants. Half of the Hermitian matrices have real
 * numbers on the diagonal. */
static void mirror(complex_problem *p, int real_diagonal)
{
	const tulle__type *type = tulle__type_of(p->type);
	const matrix *m = &p->m;

	for (int64_t i = 0; m->kind != TULLE_GENERAL && i < m->rows; i++)
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++) {
			const int64_t j = m->col[k];
			int64_t other = m->row_ptr[j];

			if (j == i && m->kind == TULLE_HERMITIAN && real_diagonal)
				value_set(part_type(p->type), p->val.at, 2 * k + 1, 0);
			if (j >= i)
				continue;
			while (m->col[other] != i)
				other++;
			tulle__value_move(p->val.at, other, p->val.at, k, type->size);
			if (m->kind == TULLE_SKEW)
				tulle__value_negate(type, p->val.at, other);
			if (m->kind == TULLE_HERMITIAN)
				tulle__value_conjugate(type, p->val.at, other);
		}
}

complex_problem complex_problem_new(matrix m, tulle_value_type type, index_pair pair, int ones,
                                    kit_values class, uint64_t seed)
{
	complex_problem p = { .m = m, .type = type, .pair = pair, .ones = ones };

	p.row_ptr = indices(m.row_ptr, m.rows + 1, pair.offset);
	p.col = indices(m.col, m.nnz, pair.column);
	p.val = numbers(&p, m.nnz, class, seed);
	if (m.kind == TULLE_SYMMETRIC && seed % 2 == 1 && !ones)
		p.m.kind = TULLE_HERMITIAN;
	mirror(&p, seed % 4 == 1);
	for (int side = 0; side < 2; side++) {
		const int64_t rows = side ? m.cols : m.rows, cols = side ? m.rows : m.cols;

		p.x[side] = numbers(&p, cols, class, seed + 1 + (uint64_t)side);
		p.b[side] = numbers(&p, rows, class, seed + 3 + (uint64_t)side);
		p.y[side] = fence(rows, size_of(type));
	}
	return p;
}

void complex_problem_free(complex_problem *p)
{
	fenced *all[] = { &p->row_ptr, &p->col,  &p->val,  &p->x[0], &p->x[1],
		              &p->b[0],    &p->b[1], &p->y[0], &p->y[1] };

	for (size_t n = 0; n < sizeof all / sizeof *all; n++)
		unfence(all[n]);
	matrix_free(&p->m);
}

tulle_matrix *complex_matrix(const complex_problem *p, tulle_context *context)
{
	tulle_matrix *a = NULL;

	CHECK_OK(tulle_matrix_from_csr(context, p->m.rows, p->m.cols, p->pair.offset, p->row_ptr.at,
	                               p->pair.column, p->col.at, p->type, p->ones ? NULL : p->val.at,
	                               NULL, &a));
	return a;
}

kit_complex_oracle *complex_oracle(const complex_problem *p, tulle_op op)
{
	const tulle_csr_view view = { .size = sizeof view,
		                          .rows = p->m.rows,
		                          .cols = p->m.cols,
		                          .nnz = p->m.nnz,
		                          .offset_type = p->pair.offset,
		                          .column_type = p->pair.column,
		                          .value_type = p->type,
		                          .row_ptr = p->row_ptr.at,
		                          .col = p->col.at,
		                          .val = p->ones ? NULL : p->val.at };
	kit_complex_oracle *o = kit_complex_oracle_create(&view, op, p->x[complex_side(op)].at);

	CHECK_THAT(o, "the oracle: %s", kit_error());
	return o;
}

void complex_judge(const kit_complex_oracle *o, const char *call, kit_complex alpha,
                   kit_complex beta, const void *b, const void *y)
{
	const kit_verdict v = kit_complex_oracle_check(o, alpha, beta, b, y);

	CHECK_THAT(v.violations == 0,
	           "%s, alpha %g%+gi, beta %g%+gi: %lld parts beyond the bound, row %lld by %g", call,
	           alpha.re, alpha.im, beta.re, beta.im, (long long)v.violations,
	           (long long)v.worst_row, v.worst);
}

/* ---- calls ---- */

static tulle_c64 narrow(kit_complex s)
{
	return (tulle_c64){ (float)s.re, (float)s.im };
}

static tulle_c128 wide(kit_complex s)
{
	return (tulle_c128){ s.re, s.im };
}

tulle_status complex_mul(const tulle_plan *plan, tulle_value_type type, kit_complex alpha,
                         const void *x, kit_complex beta, void *y)
{
	return type == TULLE_C64 ? tulle_mul_c64(plan, narrow(alpha), x, narrow(beta), y)
	                         : tulle_mul_c128(plan, wide(alpha), x, wide(beta), y);
}

tulle_status complex_mul_add(const tulle_plan *plan, tulle_value_type type, kit_complex alpha,
                             const void *x, kit_complex beta, const void *b, void *y)
{
	return type == TULLE_C64 ? tulle_mul_add_c64(plan, narrow(alpha), x, narrow(beta), b, y)
	                         : tulle_mul_add_c128(plan, wide(alpha), x, wide(beta), b, y);
}

tulle_status complex_mul_transposed(const tulle_plan *plan, tulle_value_type type,
                                    kit_complex alpha, const void *x, kit_complex beta, void *y)
{
	return type == TULLE_C64 ? tulle_mul_transposed_c64(plan, narrow(alpha), x, narrow(beta), y)
	                         : tulle_mul_transposed_c128(plan, wide(alpha), x, wide(beta), y);
}

tulle_status complex_mul_many(const tulle_plan *plan, tulle_value_type type, int64_t k,
                              tulle_order order, kit_complex alpha, const void *x, int64_t ldx,
                              kit_complex beta, void *y, int64_t ldy)
{
	return type == TULLE_C64
	           ? tulle_mul_many_c64(plan, k, order, narrow(alpha), x, ldx, narrow(beta), y, ldy)
	           : tulle_mul_many_c128(plan, k, order, wide(alpha), x, ldx, wide(beta), y, ldy);
}

void complex_turn(tulle_value_type type, void *a, int64_t to, const void *b, int64_t from,
                  int turns)
{
	const tulle_value_type part = part_type(type);
	double re = value_at(part, b, 2 * from), im = value_at(part, b, 2 * from + 1);

	for (; turns % 4 != 0; turns--) {
		const double old = re;

		re = -im;
		im = old;
	}
	value_set(part, a, 2 * to, re);
	value_set(part, a, 2 * to + 1, im);
}

tulle_plan_info info_of(const tulle_plan *plan)
{
	tulle_plan_info info = { .size = sizeof info };

	CHECK_OK(tulle_plan_describe(plan, &info));
	return info;
}
