/* own_memory.c -- a program around calls that take a stream and memory of the caller; NULL where this program has none. */
#include <stdio.h>
#include <tulle_gpu.h>

int main(void)
{
	const int32_t row_ptr[] = { 0, 2, 3, 5 }, col[] = { 0, 2, 1, 0, 2 };
	const float val[] = { 4, 1, 3, 2, 5 };
	void *const stream = NULL, *const device_x = NULL, *const device_y = NULL;
	tulle_device *device = NULL;
	tulle_queue *queue = NULL;
	tulle_matrix *matrix = NULL;
	tulle_device_plan *a = NULL;
	tulle_vector *on_x = NULL, *on_y = NULL;

	if (tulle_device_open(NULL, NULL, NULL, &device) == TULLE_E_UNSUPPORTED) {
		printf("%s\n", tulle_last_error());
		return 0;
	}
	tulle_matrix_from_csr(NULL, 3, 3, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F32, val, NULL,
	                      &matrix);
	tulle_device_plan_create(device, matrix, NULL, &a);
	/* BLOCK */
	const int failed = tulle_queue_finish(queue) != TULLE_OK || !on_x || !on_y;
	tulle_vector_destroy(on_x);
	tulle_vector_destroy(on_y);
	tulle_device_plan_destroy(a);
	tulle_matrix_destroy(matrix);
	tulle_queue_destroy(queue);
	tulle_device_close(device);
	return failed;
}
