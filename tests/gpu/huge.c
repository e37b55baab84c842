/* huge.c -- more than 2^31 nonzeros on a stand-in for CUDA that maps one piece of memory over and over.
 *
 * Usage: test_gpu_huge FORMAT..., with STANDIN_SPARSE set. The arrays repeat with the stand-in's period, so
 * that every row sum is known from prefix sums of one period; all are whole numbers below 2^53: exact in any
 * order. An offset that is cut to 32 bits is negative here. */
#include "repeated.h"
#include "support.h"
#include "tulle_gpu.h"

#include <inttypes.h>

enum {
	COLS = 1021,
	ROWS = 700,
	PERIOD = 1 << 21,
	PERIODS = 1025
}; /* a period: 16 MiB of doubles */

static const int64_t nnz = PERIODS * (int64_t)PERIOD;
static double x[COLS], y[ROWS];
static int64_t row_ptr[ROWS + 1], prefix[PERIOD + 1];

static int32_t column_of(int64_t k)
{
	return (int32_t)(k * 7 % COLS);
}

static double value_of(int64_t k)
{
	return (double)(1 + k % 5);
}

/* Sum of val * x[col] over entries 0 .. k-1. */
static double sum_before(int64_t k)
{
	return (double)(k / PERIOD * prefix[PERIOD] + prefix[k % PERIOD]);
}

static void check_product(tulle_device *device, const tulle_matrix *a, const char *format)
{
	const tulle_device_plan_options o = { .size = sizeof o, .format = format };
	tulle_device_plan *plan = NULL;
	tulle_queue *queue = NULL;
	tulle_vector *dx = NULL, *dy = NULL;

	check_about("%s", format);
	if (CHECK_OK(tulle_queue_create(device, NULL, &queue)) &&
	    CHECK_OK(tulle_vector_create(device, TULLE_F64, COLS, NULL, &dx)) &&
	    CHECK_OK(tulle_vector_create(device, TULLE_F64, ROWS, NULL, &dy)) &&
	    CHECK_OK(tulle_vector_write(queue, dx, 0, COLS, x)) &&
	    CHECK_OK(tulle_device_plan_create(device, a, &o, &plan)) &&
	    CHECK_OK(tulle_device_mul(plan, queue, 1, dx, 0, dy)) &&
	    CHECK_OK(tulle_vector_read(queue, dy, 0, ROWS, y)))
		for (int i = 0; i < ROWS; i++) {
			const double want = sum_before(row_ptr[i + 1]) - sum_before(row_ptr[i]);

			CHECK_THAT(y[i] == want, "y[%d] = %.17g, not %.17g", i, y[i], want);
		}
	tulle_device_plan_destroy(plan);
	tulle_vector_destroy(dx);
	tulle_vector_destroy(dy);
	tulle_queue_destroy(queue);
	check_group("%s, %" PRId64 " nonzeros", format, nnz);
}

int main(int argc, char **argv)
{
	const tulle_matrix_options o = { .size = sizeof o, .check = TULLE_CHECK_NONE };
	int32_t *col = repeated(PERIOD, PERIODS, sizeof *col);
	double *val = repeated(PERIOD, PERIODS, sizeof *val);
	tulle_device *device = NULL;
	tulle_matrix *a = NULL;
	int count = 0;

	CHECK_OK(tulle_device_count(NULL, &count));
	if (count == 0)
		return CHECK_SKIP;
	for (int j = 0; j < COLS; j++)
		x[j] = j % 3;
	for (int64_t k = 0; k < PERIOD; k++) {
		col[k] = column_of(k);
		val[k] = value_of(k);
		prefix[k + 1] = prefix[k] + (int64_t)(val[k] * x[col[k]]);
	}
	for (int64_t i = 0; i <= ROWS; i++)
		row_ptr[i] = i < ROWS ? nnz / ROWS * i + i % 7 : nnz;
	if (CHECK_OK(tulle_device_open(NULL, NULL, NULL, &device)) &&
	    CHECK_OK(tulle_matrix_from_csr(NULL, ROWS, COLS, TULLE_I64, row_ptr, TULLE_I32, col,
	                                   TULLE_F64, val, &o, &a)))
		for (int n = 1; n < argc; n++)
			check_product(device, a, argv[n]);
	tulle_matrix_destroy(a);
	tulle_device_close(device);
	return check_end();
}
