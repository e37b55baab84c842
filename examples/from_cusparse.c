/* from_cusparse.c -- the program of docs/migration/cusparse.md, with tulle instead of cuSPARSE. */
#include <stdio.h>
#include <tulle_gpu.h>

static void check(tulle_status status, const char *what)
{
	if (status)
		fprintf(stderr, "%s: %s\n", what, tulle_last_error());
}

int main(void)
{
	/*     4 0 1
	 * A = 0 3 0
	 *     2 0 5 */
	const int32_t row_ptr[] = { 0, 2, 3, 5 }, col[] = { 0, 2, 1, 0, 2 };
	const float val[] = { 4, 1, 3, 2, 5 }, x[] = { 1, 2, 3 };
	float y[3] = { 0 };
	const tulle_device_plan_options options = { .size = sizeof options, .reproducible = 1 };
	tulle_device *device = NULL;
	tulle_queue *queue = NULL;
	tulle_matrix *matrix = NULL;
	tulle_device_plan *a = NULL;
	tulle_vector *on_x = NULL, *on_y = NULL;

	if (tulle_device_open(NULL, NULL, NULL, &device) == TULLE_E_UNSUPPORTED) {
		printf("%s\n", tulle_last_error()); /* no driver, or no usable device */
		return 0;
	}
	check(tulle_queue_create(device, NULL, &queue), "queue");
	check(tulle_matrix_from_csr(NULL, 3, 3, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F32, val,
	                            NULL, &matrix),
	      "matrix");
	check(tulle_device_plan_create(device, matrix, &options, &a), "plan");
	tulle_matrix_destroy(matrix); /* the plan has its own copy on the device */
	check(tulle_vector_create(device, TULLE_F32, 3, NULL, &on_x), "x");
	check(tulle_vector_create(device, TULLE_F32, 3, NULL, &on_y), "y");
	check(tulle_vector_write(queue, on_x, 0, 3, x), "x to the device");

	check(tulle_device_mul(a, queue, 1.0, on_x, 0.0, on_y), "A x");
	check(tulle_vector_read(queue, on_y, 0, 3, y), "y from the device");
	printf("A x = %g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);

	tulle_vector_destroy(on_x);
	tulle_vector_destroy(on_y);
	tulle_device_plan_destroy(a);
	tulle_queue_destroy(queue);
	tulle_device_close(device);
	return !(y[0] == 7 && y[1] == 6 && y[2] == 17);
}
