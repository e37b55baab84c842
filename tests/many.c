/* many.c -- tulle_mul_many gives each vector the bits of a product of its own, and touches nothing
 * between the vectors. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5 };

/* Where element i of vector j is. */
static int64_t place(tulle_order order, int64_t i, int64_t j, int64_t ld)
{
	return order == TULLE_COLUMN_MAJOR ? j * ld + i : i * ld + j;
}

/* A block of k vectors with n elements and a gap after each line, all set to `mark`. */
typedef struct {
	tulle_order order;
	int64_t n, k, ld, room;
	void *at;
} block;

static const double mark = -77;

static block block_new(tulle_order order, int64_t n, int64_t k, int64_t gap, tulle_value_type type)
{
	block b = { order, n, k, (order == TULLE_COLUMN_MAJOR ? n : k) + gap, 0, NULL };

	b.room = b.ld * (order == TULLE_COLUMN_MAJOR ? k : n) + 4;
	b.at = grab(b.room, value_size(type));
	value_fill(type, b.at, b.room, mark);
	return b;
}

static int is_element(const block *b, int64_t at)
{
	for (int64_t j = 0; j < b->k; j++)
		for (int64_t i = 0; i < b->n; i++)
			if (place(b->order, i, j, b->ld) == at)
				return 1;
	return 0;
}

static tulle_status mul_many(const tulle_plan *plan, tulle_value_type type, double alpha,
                             const block *x, double beta, const block *y)
{
	if (type == TULLE_F32)
		return tulle_mul_many_f32(plan, x->k, x->order, (float)alpha, x->at, x->ld, (float)beta,
		                          y->at, y->ld);
	return tulle_mul_many_f64(plan, x->k, x->order, alpha, x->at, x->ld, beta, y->at, y->ld);
}

static void check_block(const tulle_plan *plan, tulle_value_type type, int64_t rows, int64_t cols,
                        tulle_order order, int64_t k, int64_t gap, double beta)
{
	block x = block_new(order, cols, k, gap, type), y = block_new(order, rows, k, 2 * gap, type);
	void *one_x = grab(cols, value_size(type)), *one_y = grab(rows, value_size(type));
	void *want = grab(y.room, value_size(type));
	int64_t wrong = -1;

	for (int64_t j = 0; j < k; j++) {
		for (int64_t i = 0; i < cols; i++)
			value_set(type, x.at, place(order, i, j, x.ld), 1.0 / (double)(i + 2 * j + 1));
		for (int64_t i = 0; i < rows; i++)
			value_set(type, y.at, place(order, i, j, y.ld), beta == 0 ? NAN : (double)(i - j));
	}
	value_fill(type, want, y.room, mark);
	for (int64_t j = 0; j < k; j++) {
		for (int64_t i = 0; i < cols; i++)
			value_set(type, one_x, i, value_at(type, x.at, place(order, i, j, x.ld)));
		for (int64_t i = 0; i < rows; i++)
			value_set(type, one_y, i, value_at(type, y.at, place(order, i, j, y.ld)));
		CHECK_OK(mul(plan, type, 1.5, one_x, beta, one_y));
		for (int64_t i = 0; i < rows; i++)
			value_set(type, want, place(order, i, j, y.ld), value_at(type, one_y, i));
	}
	if (CHECK_OK(mul_many(plan, type, 1.5, &x, beta, &y))) {
		for (int64_t at = 0; at < y.room && wrong < 0; at++)
			if (value_at(type, y.at, at) != value_at(type, want, at))
				wrong = at;
		CHECK_THAT(wrong < 0, "order %d, k %lld, gap %lld, beta %g: %s %lld", (int)order,
		           (long long)k, (long long)gap, beta,
		           is_element(&y, wrong) ? "wrong element" : "touched between vectors",
		           (long long)wrong);
	}
	free(x.at);
	free(y.at);
	free(one_x);
	free(one_y);
	free(want);
}

static void check_plan(const tulle_plan *plan, tulle_value_type type, int64_t rows, int64_t cols)
{
	for (int64_t k = 0; k <= MOST; k++)
		for (int64_t gap = 0; gap < 4; gap += 3)
			for (int n = 0; n < 4; n++)
				check_block(plan, type, rows, cols, n % 2 ? TULLE_ROW_MAJOR : TULLE_COLUMN_MAJOR, k,
				            gap, n / 2 ? -0.5 : 0);
}

static void check_spec(const char *spec, const matrix *m)
{
	for (int t = TULLE_F32; t <= TULLE_F64; t++) {
		const tulle_value_type type = (tulle_value_type)t;
		arrays arr = cast(m, pairs[0], type, 0);
		tulle_matrix *a = borrow(NULL, m, pairs[0], type, &arr);

		for (int op = 0; a && op < 2; op++) {
			tulle_plan *plan = plan_for(a, spec, (tulle_op)op);

			check_about("%s, %s, op %d, %s", spec, type_name(type), op, m->name);
			if (plan)
				check_plan(plan, type, op ? m->cols : m->rows, op ? m->rows : m->cols);
			tulle_plan_destroy(plan);
		}
		tulle_matrix_destroy(a);
		arrays_free(&arr);
	}
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const char *format;
	char *spec;

	for (int f = 0; (format = tulle_formats(f)); f++) {
		for (int n = 0; wants_format(&o, format) && (spec = format_spec(format, n)); n++) {
			uint64_t state = 31;

			for (int turn = 0; turn < 12; turn++) {
				matrix m = matrix_small(&state, 30);

				for (int64_t k = 0; k < m.nnz; k++)
					m.val[k] = (float)random_unit(&state);
				check_spec(spec, &m);
				matrix_free(&m);
			}
			check_group("%s", spec);
			free(spec);
		}
	}
	return check_end();
}
