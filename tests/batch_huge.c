/* batch_huge.c -- a batch of more than 2^32 nonzeros, and a vector more than 2^32 elements into its array.
 *
 * A million problems share one full matrix and five vectors of whole numbers below 2^24, so that little
 * memory is needed and every sum is exact in f32. */
#include "support.h"
#include "tulle_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { N = 64, VECTORS = 5 };

static const int64_t count = 1100000, far = ((int64_t)1 << 32) + 5;

static float value_of(int k)
{
	return (float)(k % 7 - 3);
}

static float element_of(int vector, int j)
{
	return (float)((3 * vector + j) % 11 - 5);
}

static int32_t row_ptr[N + 1], col[N * N];
static float val[N * N], x[VECTORS * N], want[VECTORS][N];

static void fill(void)
{
	for (int i = 0; i <= N; i++)
		row_ptr[i] = i * N;
	for (int k = 0; k < N * N; k++) {
		col[k] = k % N;
		val[k] = value_of(k);
	}
	for (int v = 0; v < VECTORS; v++)
		for (int k = 0; k < N * N; k++) {
			x[v * N + k % N] = element_of(v, k % N);
			want[v][k / N] += value_of(k) * element_of(v, k % N);
		}
}

/* Every row of every problem; the last problem's y lies far after the others'. */
static int64_t wrong_rows(const float *y, const int64_t *y_at)
{
	int64_t wrong = 0;

	for (int64_t p = 0; p < count; p++)
		for (int i = 0; i < N; i++)
			wrong += y[y_at[p] + i] != want[p % VECTORS][i];
	return wrong;
}

int main(void)
{
	const size_t bytes = (size_t)(far + N) * sizeof(float);
	int64_t *const n = grab(count, sizeof *n), *const x_at = grab(count, sizeof *x_at);
	int64_t *const y_at = grab(count, sizeof *y_at);
	float *const y = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	tulle_batch_info info = { .size = sizeof info };
	tulle_batch *b = NULL;

	if (y == MAP_FAILED) {
		printf("no address space\n");
		exit(1);
	}
	fill();
	for (int64_t p = 0; p < count; p++) {
		n[p] = N;
		x_at[p] = p % VECTORS * N;
		y_at[p] = p < count - 1 ? p * N : far;
	}
	const tulle_batch_source s = {
		.size = sizeof s,
		.count = count,
		.rows = n,
		.cols = n,
		.offset_type = TULLE_I32,
		.column_type = TULLE_I32,
		.value_type = TULLE_F32,
		.shared = TULLE_SHARED_ROWS | TULLE_SHARED_COLUMNS | TULLE_SHARED_VALUES,
		.row_ptr = row_ptr,
		.col = col,
		.val = val,
		.x_at = x_at,
		.y_at = y_at,
	};
	if (CHECK_OK(tulle_batch_create(NULL, &s, NULL, &b)) &&
	    CHECK_OK(tulle_batch_describe(b, &info))) {
		CHECK_EQUAL(info.nnz, count * N * N);
		CHECK_EQUAL(info.y_size[TULLE_PACKED], far + N);
		CHECK_OK(tulle_batch_mul_f32(b, TULLE_PACKED, 1, x, 0, y));
		CHECK_EQUAL(wrong_rows(y, y_at), 0);
	}
	tulle_batch_destroy(b);
	munmap(y, bytes);
	free(y_at);
	free(x_at);
	free(n);
	return check_end();
}
