/* narrow.c -- 32-bit numbers end at 2^15 - 1 (core/limits.h): on both sides of that every format is
 * right or refuses, and everything that has a wide form takes it.
 *
 * All values are whole numbers, so that every sum is exact. */
#include "core/limits.h"
#include "inner.h"
#include "tulle_batch.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = TULLE__I32_MAX };

static double x_at(int64_t j)
{
	return (double)(j % 7 - 3);
}

/* ---- matrices ---- */

/* Symmetric, three diagonals: every format takes it that can number its rows and columns. */
static matrix diagonals(int64_t n)
{
	int64_t *lengths = grab(n, sizeof *lengths), k = 0;
	uint64_t state = 5;
	matrix m;

	for (int64_t i = 0; i < n; i++)
		lengths[i] = 1 + (i > 0) + (i + 1 < n);
	m = matrix_new("diagonals", n, n, lengths);
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++)
			m.col[k++] = j;
	m.kind = TULLE_SYMMETRIC;
	matrix_whole_values(&m, &state, 3);
	free(lengths);
	return m;
}

/* Few rows, one of them with more entries than 16 bits count, signed or not. */
static matrix one_long(int64_t cols)
{
	const int64_t lengths[] = { 3, 0, 5, 3 * (int64_t)MOST, 1, 700 };
	uint64_t state = 6;
	matrix m = matrix_new("one long row", 6, cols, lengths);

	matrix_random_columns(&m, &state);
	matrix_whole_values(&m, &state, 3);
	return m;
}

/* ---- products ---- */

static void check_y(const matrix *m, tulle_op op, const double *val, const double *y)
{
	const int64_t n = op == TULLE_NORMAL ? m->rows : m->cols;
	double *want = grab(n, sizeof *want);
	int64_t wrong = -1;

	memset(want, 0, (size_t)n * sizeof *want);
	for (int64_t i = 0; i < m->rows; i++)
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++) {
			const int64_t j = m->col[k];

			want[op == TULLE_NORMAL ? i : j] += val[k] * x_at(op == TULLE_NORMAL ? j : i);
		}
	for (int64_t i = 0; i < n && wrong < 0; i++)
		if (y[i] != want[i])
			wrong = i;
	CHECK_THAT(wrong < 0, "y[%" PRId64 "] = %g, not %g", wrong, y[wrong < 0 ? 0 : wrong],
	           want[wrong < 0 ? 0 : wrong]);
	free(want);
}

/* One format in one direction; 0 when it refused. */
static int check_format(const tulle_matrix *a, const matrix *m, const char *spec, tulle_op op)
{
	const tulle_plan_options o = { .size = sizeof o, .format = spec, .op = op };
	const int64_t longer = m->rows > m->cols ? m->rows : m->cols;
	double *x = grab(longer, sizeof *x), *y = grab(longer, sizeof *y);
	double *other = grab(m->nnz, sizeof *other);
	tulle_plan *plan = NULL;
	tulle_matrix *back = NULL;
	const tulle_status s = tulle_plan_create(a, &o, &plan);

	check_about("%s, %s %" PRId64 " x %" PRId64 ", op %d", spec ? spec : "auto", m->name, m->rows,
	            m->cols, (int)op);
	for (int64_t j = 0; j < longer; j++)
		x[j] = x_at(j);
	for (int64_t k = 0; k < m->nnz; k++)
		other[k] = 2 * m->val[k];
	CHECK_THAT(s == TULLE_OK || (spec && s == TULLE_E_UNSUPPORTED), "%s (%s)", tulle_status_name(s),
	           tulle_last_error());
	if (plan) {
		CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
		check_y(m, op, m->val, y);
		if (CHECK_OK(tulle_matrix_from_plan(plan, &back)) && op == TULLE_NORMAL) {
			const tulle__csr given = inner_csr(a), got = inner_csr(back);

			CHECK(inner_same(&given, &got));
		}
		CHECK_OK(tulle_plan_update(plan, other));
		CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
		check_y(m, op, other, y);
	}
	tulle_matrix_destroy(back);
	tulle_plan_destroy(plan);
	free(other);
	free(x);
	free(y);
	return s == TULLE_OK;
}

/* All formats, with all their tunables or as they are; returns how many took it as they are. */
static int check_matrix(const matrix *m, const tulle_matrix *a, int tunables)
{
	const char *format;
	int took = 0;

	for (int op = 0; op < 2; op++) {
		check_format(a, m, NULL, (tulle_op)op);
		for (int f = 0; (format = tulle_formats(f)); f++) {
			char *spec;

			for (int n = 0; n <= tunables && (spec = format_spec(format, n)); n++) {
				const int yes = check_format(a, m, spec, (tulle_op)op);

				took += n == 0 && op == 0 && yes;
				free(spec);
			}
		}
	}
	return took;
}

/* ---- sources ---- */

/* From triplets: all, or those of the lower triangle. */
static tulle_matrix *from_coo(const matrix *m, int triangle)
{
	const tulle_matrix_options o = { .size = sizeof o,
		                             .kind = triangle ? TULLE_SYMMETRIC : TULLE_GENERAL };
	int64_t *row = grab(m->nnz, sizeof *row), *col = grab(m->nnz, sizeof *col), n = 0;
	double *val = grab(m->nnz, sizeof *val);
	tulle_matrix *a = NULL;

	for (int64_t i = 0; i < m->rows; i++)
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++)
			if (!triangle || m->col[k] <= i) {
				row[n] = i;
				col[n] = m->col[k];
				val[n++] = m->val[k];
			}
	CHECK_OK(tulle_matrix_from_coo(NULL, m->rows, m->cols, n, TULLE_I64, row, col, TULLE_F64, val,
	                               &o, &a));
	free(row);
	free(col);
	free(val);
	return a;
}

/* What the library builds has wide arrays as soon as narrow ones would not do. */
static void check_types(const matrix *m, const tulle_matrix *a)
{
	tulle_matrix_info info = { .size = sizeof info };

	check_about("%s, %" PRId64 " x %" PRId64 ", %" PRId64 " entries", m->name, m->rows, m->cols,
	            m->nnz);
	CHECK_OK(tulle_matrix_describe(a, &info));
	CHECK_EQUAL(info.column_type, m->cols > MOST ? TULLE_I64 : TULLE_I32);
	CHECK_EQUAL(info.offset_type, m->cols > MOST || m->nnz > MOST ? TULLE_I64 : TULLE_I32);
}

/* The arrays that the library built, entry by entry. */
static void check_built(const matrix *m, const tulle_matrix *a)
{
	const arrays arr = { m->row_ptr, m->col, m->val };
	tulle_matrix *wide = borrow(NULL, m, pairs[2], TULLE_F64, &arr);
	const tulle__csr given = inner_csr(wide), built = inner_csr(a);

	CHECK(inner_same(&given, &built));
	tulle_matrix_destroy(wide);
}

/* The same matrix as triplets (formats with some of their tunables), and as the caller's own arrays of each pair of types. */
static int check_all(matrix m, int tunables)
{
	tulle_matrix *a = from_coo(&m, 0);
	int took;

	check_types(&m, a);
	took = check_matrix(&m, a, tunables);
	tulle_matrix_destroy(a);
	if (m.kind == TULLE_SYMMETRIC) {
		a = from_coo(&m, 1);
		check_types(&m, a);
		check_built(&m, a);
		tulle_matrix_destroy(a);
	}
	for (int p = 0; p < PAIRS; p++) {
		arrays arr = cast(&m, pairs[p], TULLE_F64, 0);

		a = borrow(NULL, &m, pairs[p], TULLE_F64, &arr);
		if (a)
			CHECK_EQUAL(check_matrix(&m, a, 0), took);
		tulle_matrix_destroy(a);
		arrays_free(&arr);
	}
	check_group("%s, %" PRId64 " x %" PRId64 ": %d formats", m.name, m.rows, m.cols, took);
	matrix_free(&m);
	return took;
}

/* ---- what is asked of a format directly ---- */

/* A row that is too long for a lane has no sum in stored order. */
static void check_ordered(void)
{
	matrix m = one_long(100);
	arrays arr = cast(&m, pairs[1], TULLE_F64, 0);
	tulle_matrix *a = borrow(NULL, &m, pairs[1], TULLE_F64, &arr);
	const tulle__csr csr = inner_csr(a);
	tulle__request request = { .op = TULLE_NORMAL, .ordered = 1 };
	const tulle__format *const f = tulle__format_named("sell", 4);
	tulle__env env;
	void *data = NULL;

	inner_env(&env, TULLE__SCALAR);
	CHECK_OK(tulle__params_parse(f->tunables, NULL, &request.params));
	CHECK_STATUS(f->convert(&csr, &request, &env, &data), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "sell: stored order");
	CHECK_EQUAL(atomic_load(&env.blocks_held), 0);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	matrix_free(&m);
	check_group("ordered");
}

/* A problem of a batch ends somewhat before. */
static tulle_status batch_of(int64_t n)
{
	matrix m = diagonals(n);
	arrays arr = cast(&m, pairs[2], TULLE_F64, 0);
	const tulle_csr_view v = { sizeof v,  n,         n,           m.nnz,   TULLE_I64,
		                       TULLE_I64, TULLE_F64, arr.row_ptr, arr.col, arr.val };
	double *x = grab(n, sizeof *x), *y = grab(n, sizeof *y);
	tulle_batch *b = NULL;
	const tulle_status s = tulle_batch_from_csr(NULL, 1, &v, NULL, &b);

	for (int64_t j = 0; j < n; j++)
		x[j] = x_at(j);
	if (s == TULLE_OK && CHECK_OK(tulle_batch_mul_f64(b, TULLE_PACKED, 1, x, 0, y)))
		check_y(&m, TULLE_NORMAL, m.val, y);
	tulle_batch_destroy(b);
	free(x);
	free(y);
	arrays_free(&arr);
	matrix_free(&m);
	return s;
}

int main(void)
{
	int formats = 0;

	while (tulle_formats(formats))
		formats++;
	if (!CHECK_EQUAL(MOST, INT16_MAX))
		return check_end();
	/* Few entries; more than 32 bits count with both triangles only; with either. */
	CHECK_EQUAL(check_all(diagonals(MOST / 4), 0), formats);
	CHECK_EQUAL(check_all(diagonals(MOST / 5 * 2), INT_MAX), formats);
	CHECK_EQUAL(check_all(diagonals(MOST - 1000), 0), formats);
	/* Some want room for whole chunks. From there on only csr has 64-bit columns. */
	check_all(diagonals(MOST - 1), 0);
	check_all(diagonals(MOST), 0);
	CHECK_EQUAL(check_all(diagonals(MOST + 1), 0), 1);
	CHECK_EQUAL(check_all(diagonals(2 * MOST + 9), 0), 1);
	check_all(one_long(100), 0);
	check_all(one_long(MOST), INT_MAX);
	check_all(one_long(3 * MOST), 0);
	check_ordered();
	CHECK_OK(batch_of((MOST - 64) / 3));
	CHECK_STATUS(batch_of(MOST - 64), TULLE_E_UNSUPPORTED);
	check_group("batch");
	return check_end();
}
