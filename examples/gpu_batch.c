/* gpu_batch.c -- a thousand small matrices of different sizes times their vectors on a GPU, in one call. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tulle_gpu.h>

enum { COUNT = 1000, MOST_ROWS = 40, ROOM = COUNT * MOST_ROWS };

static int64_t rows[COUNT];
static int32_t row_ptr[ROOM + COUNT], col[3 * ROOM];
static float val[3 * ROOM], x[ROOM], y[ROOM];

/* Rods of 2 to 40 points, one after the other: -1 2 -1 in every row but the first and last of a rod.
 * Returns the number of points in all. */
static int64_t assemble(void)
{
	int64_t points = 0;
	int32_t *next_row = row_ptr;
	int64_t all = 0;

	for (int i = 0; i < COUNT; i++) {
		int32_t k = 0;

		rows[i] = 2 + i % (MOST_ROWS - 1);
		*next_row++ = 0; /* row pointers of each rod begin with 0 */
		for (int32_t r = 0; r < rows[i]; r++) {
			for (int32_t j = r > 0 ? r - 1 : 0; j <= r + 1 && j < rows[i]; j++, k++) {
				col[all + k] = j;
				val[all + k] = j == r ? 2 : -1;
			}
			*next_row++ = k;
		}
		all += k;
		points += rows[i];
	}
	return points;
}

/* A rod of equal temperature cools at its ends only: 1, 0, ..., 0, 1. */
static int check(void)
{
	const float *at = y;
	int wrong = 0;

	for (int i = 0; i < COUNT; at += rows[i++])
		for (int64_t r = 0; r < rows[i]; r++)
			wrong += at[r] != (r == 0 || r == rows[i] - 1 ? 1.0F : 0.0F);
	return wrong;
}

int main(void)
{
	const int64_t points = assemble();
	const tulle_batch_source source = { .size = sizeof source,
		                                .count = COUNT,
		                                .rows = rows,
		                                .cols = rows,
		                                .offset_type = TULLE_I32,
		                                .row_ptr = row_ptr,
		                                .column_type = TULLE_I32,
		                                .col = col,
		                                .value_type = TULLE_F32,
		                                .val = val };
	tulle_device *device = NULL;
	tulle_queue *queue = NULL;
	tulle_device_batch *batch = NULL;
	tulle_vector *on_x = NULL, *on_y = NULL;
	tulle_device_batch_info info = { .size = sizeof info };
	tulle_status s = tulle_device_open(NULL, NULL, NULL, &device);
	int wrong;

	if (s == TULLE_E_UNSUPPORTED) {
		printf("%s\n", tulle_last_error());
		return 0;
	}
	for (int64_t j = 0; j < points; j++)
		x[j] = 1;
	if (s || tulle_queue_create(device, NULL, &queue) ||
	    tulle_device_batch_create(device, &source, NULL, &batch) ||
	    tulle_device_batch_describe(batch, &info) ||
	    tulle_vector_create(device, TULLE_F32, info.x_size, NULL, &on_x) ||
	    tulle_vector_create(device, TULLE_F32, info.y_size, NULL, &on_y) ||
	    tulle_vector_write(queue, on_x, 0, points, x) ||
	    tulle_device_batch_mul(batch, queue, 1.0, on_x, 0.0, on_y) ||
	    tulle_vector_read(queue, on_y, 0, points, y)) {
		fprintf(stderr, "%s\n", tulle_last_error());
		return 1;
	}
	wrong = check();
	printf("%d rods, %lld points, by %s in %d launches (%s): %d wrong\n", COUNT, (long long)points,
	       info.kernel, info.launches, info.note, wrong);
	tulle_vector_destroy(on_x);
	tulle_vector_destroy(on_y);
	tulle_device_batch_destroy(batch);
	tulle_queue_destroy(queue);
	tulle_device_close(device);
	return wrong > 0;
}
