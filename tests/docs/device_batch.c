/* device_batch.c -- a program around calls for a batch on a device, if there is one. */
#include <stdio.h>
#include <tulle_batch.h>
#include <tulle_gpu.h>

int main(void)
{
	const int64_t rows[] = { 3 }, cols[] = { 3 };
	const int32_t row_ptr[] = { 0, 2, 3, 5 }, col[] = { 0, 2, 1, 0, 2 };
	const float val[] = { 4, 1, 3, 2, 5 }, on_host[] = { 1, 2, 3 };
	const tulle_batch_source s = { .size = sizeof s,
		                           .count = 1,
		                           .rows = rows,
		                           .cols = cols,
		                           .offset_type = TULLE_I32,
		                           .row_ptr = row_ptr,
		                           .column_type = TULLE_I32,
		                           .col = col,
		                           .value_type = TULLE_F32,
		                           .val = val };
	float result[3] = { 0 };
	tulle_device *device = NULL;
	tulle_queue *queue = NULL;
	tulle_vector *x = NULL, *y = NULL;

	if (tulle_device_open(NULL, NULL, NULL, &device) == TULLE_E_UNSUPPORTED) {
		printf("%s\n", tulle_last_error());
		return 0;
	}
	tulle_queue_create(device, NULL, &queue);
	tulle_vector_create(device, TULLE_F32, 3, NULL, &x);
	tulle_vector_create(device, TULLE_F32, 3, NULL, &y);
	tulle_vector_write(queue, x, 0, 3, on_host);
	/* BLOCK */
	tulle_vector_read(queue, y, 0, 3, result);
	if (result[2] != 17)
		fprintf(stderr, "%s\n", tulle_last_error());
	tulle_device_batch_destroy(b);
	tulle_vector_destroy(x);
	tulle_vector_destroy(y);
	tulle_queue_destroy(queue);
	tulle_device_close(device);
	return !(result[0] == 7 && result[1] == 6 && result[2] == 17);
}
