/* gpu.c -- multiply on the first GPU, or whatever OpenCL or CUDA driver there is. */
#include <stdio.h>
#include <tulle_gpu.h>

int main(void)
{
	/* 1 0 2     1     7
	 * 0 3 0  *  2  =  6
	 * 4 0 5     3    19 */
	const int32_t row_ptr[] = { 0, 2, 3, 5 }, col[] = { 0, 2, 1, 0, 2 };
	const float val[] = { 1, 2, 3, 4, 5 }, x[] = { 1, 2, 3 };
	float y[3] = { 0 };
	tulle_matrix *a = NULL;
	tulle_device *device = NULL;
	tulle_queue *queue = NULL;
	tulle_device_plan *plan = NULL;
	tulle_vector *on_x = NULL, *on_y = NULL;
	tulle_status s = tulle_device_open(NULL, NULL, NULL, &device);

	if (s == TULLE_E_UNSUPPORTED) {
		printf("%s\n", tulle_last_error()); /* which drivers were looked for */
		return 0;
	}
	if (s ||
	    tulle_matrix_from_csr(NULL, 3, 3, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F32, val, NULL,
	                          &a) ||
	    tulle_queue_create(device, NULL, &queue) ||
	    tulle_device_plan_create(device, a, NULL, &plan) || /* copies the matrix */
	    tulle_vector_create(device, TULLE_F32, 3, NULL, &on_x) ||
	    tulle_vector_create(device, TULLE_F32, 3, NULL, &on_y) ||
	    tulle_vector_write(queue, on_x, 0, 3, x) ||
	    tulle_device_mul(plan, queue, 1.0, on_x, 0.0, on_y) || /* queued; returns at once */
	    tulle_vector_read(queue, on_y, 0, 3, y)) {             /* waits for it */
		fprintf(stderr, "%s\n", tulle_last_error());
		return 1;
	}
	printf("y = %g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
	tulle_vector_destroy(on_x);
	tulle_vector_destroy(on_y);
	tulle_device_plan_destroy(plan);
	tulle_queue_destroy(queue);
	tulle_device_close(device);
	tulle_matrix_destroy(a);
	return !(y[0] == 7 && y[1] == 6 && y[2] == 19);
}
