/* huge.c -- more than 2^31 nonzeros in little memory: one small file mapped over and over.
 *
 * The arrays repeat with a period, so that every row sum is known from prefix sums of one period,
 * and all of them are whole numbers below 2^53: exact in any order. */
#include "repeated.h"
#include "support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { COLS = 1021, ROWS = 700 };

/* A period of whole pages that does not divide 2^31: an offset cut to 31 or 32 bits must land on
 * other numbers. */
static const int64_t period = 3 << 19;
static const int64_t nnz = 1367 * (int64_t)(3 << 19); /* the first multiple past 2^31 + 2^21 */

static double x[COLS], y[ROWS > COLS ? ROWS : COLS];
static int64_t row_ptr[ROWS + 1];
static int64_t *prefix;         /* of val * x[col] over one period */
static int64_t in_column[COLS]; /* of val over one period */

static int64_t column_of(int64_t k)
{
	return (k % period) * 7 % COLS;
}

static int64_t value_of(int64_t k)
{
	return 1 + k % period % 5;
}

static void *filled(size_t size, void (*fill)(void *to))
{
	void *array = repeated(period, nnz / period, size);

	fill(array);
	return array;
}

static void fill_values(void *to)
{
	for (int64_t k = 0; k < period; k++)
		((double *)to)[k] = (double)value_of(k);
}

static void fill_columns32(void *to)
{
	for (int64_t k = 0; k < period; k++)
		((int32_t *)to)[k] = (int32_t)column_of(k);
}

static void fill_columns64(void *to)
{
	for (int64_t k = 0; k < period; k++)
		((int64_t *)to)[k] = column_of(k);
}

/* Sum of val * x[col] over entries 0 .. k-1. */
static int64_t sum_before(int64_t k)
{
	return k / period * prefix[period] + prefix[k % period];
}

/* Rows of uneven length; in the second form one row alone has more than 2^31 entries. */
static void cut_rows(int one_giant)
{
	uint64_t state = 9;

	for (int64_t i = 1; i < ROWS; i++) {
		if (one_giant)
			row_ptr[i] = i <= ROWS / 2 ? 3 * i : nnz - 2 * (ROWS - i);
		else
			row_ptr[i] = nnz / ROWS * i + random_below(&state, 1 << 20);
	}
	row_ptr[ROWS] = nnz;
}

static void check_rows(const tulle_matrix *a)
{
	tulle_plan *plan = plan_for(a, "csr", TULLE_NORMAL);
	int64_t wrong = -1;

	value_fill(TULLE_F64, y, ROWS, -1);
	if (plan && CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y))) {
		for (int64_t i = 0; i < ROWS && wrong < 0; i++)
			if (y[i] != (double)(sum_before(row_ptr[i + 1]) - sum_before(row_ptr[i])))
				wrong = i;
		CHECK_THAT(wrong < 0, "row %" PRId64 ": %.17g", wrong, y[wrong < 0 ? 0 : wrong]);
	}
	tulle_plan_destroy(plan);
}

/* A^T times ones, without building A^T. */
static void check_columns(const tulle_matrix *a)
{
	static double ones[ROWS];
	tulle_plan *plan = plan_for(a, "csr:transpose=scatter", TULLE_TRANSPOSED);
	int64_t wrong = -1;

	value_fill(TULLE_F64, ones, ROWS, 1);
	value_fill(TULLE_F64, y, COLS, -1);
	if (plan && CHECK_OK(tulle_mul_f64(plan, 1, ones, 0, y))) {
		const int64_t periods = nnz / period;

		for (int64_t j = 0; j < COLS && wrong < 0; j++)
			if (y[j] != (double)(in_column[j] * periods))
				wrong = j;
		CHECK_THAT(wrong < 0, "column %" PRId64 ": %.17g", wrong, y[wrong < 0 ? 0 : wrong]);
	}
	tulle_plan_destroy(plan);
}

static void check_pair(index_pair pair, const void *col, const void *val, int transposed)
{
	for (int one_giant = 0; one_giant < 2; one_giant++) {
		tulle_matrix *a = NULL;

		cut_rows(one_giant);
		check_about("%s, %s", pair.name, one_giant ? "one giant row" : "long rows");
		if (CHECK_OK(tulle_matrix_from_csr(NULL, ROWS, COLS, pair.offset, row_ptr, pair.column, col,
		                                   TULLE_F64, val, NULL, &a))) {
			check_rows(a);
			if (transposed && !one_giant)
				check_columns(a);
		}
		tulle_matrix_destroy(a);
	}
	check_group("%s: %" PRId64 " nonzeros", pair.name, nnz);
}

int main(void)
{
	void *val, *col32, *col64;

	if (!CHECK(nnz % period == 0 && nnz > INT32_MAX && ((int64_t)1 << 31) % period != 0))
		return check_end();
	prefix = grab(period + 1, sizeof *prefix);
	for (int64_t j = 0; j < COLS; j++)
		x[j] = (double)(1 + j % 6);
	for (int64_t k = 0; k < period; k++) {
		prefix[k + 1] = prefix[k] + value_of(k) * (int64_t)x[column_of(k)];
		in_column[column_of(k)] += value_of(k);
	}
	val = filled(8, fill_values);
	col32 = filled(4, fill_columns32);
	check_pair(pairs[1], col32, val, 1);
	munmap(col32, (size_t)nnz * 4);
	col64 = filled(8, fill_columns64);
	check_pair(pairs[2], col64, val, 0);
	munmap(col64, (size_t)nnz * 8);
	munmap(val, (size_t)nnz * 8);
	free(prefix);
	return check_end();
}
