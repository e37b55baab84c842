/* failing.c -- one product on the first device, every call of which may fail: exits with 0 when all went well,
 * with 5 when something failed and said so. failures.py lets each call of the driver fail in turn. */
#include "tulle_gpu.h"

#include <stdio.h>
#include <string.h>

enum { N = 40, TOLD = 5 };

static tulle_device *device;
static tulle_queue *queue;
static tulle_matrix *matrix;
static tulle_device_plan *plan;
static tulle_vector *x, *y;

/* They live on: where waiting for a copy failed, the copy may still come. */
static double host[N], got[N];

static tulle_status run(const char *format)
{
	const tulle_device_plan_options o = { .size = sizeof o, .format = format };
	int row_ptr[N + 1], col[N];
	double val[N];
	tulle_status s;

	for (int i = 0; i < N; i++) {
		row_ptr[i] = i;
		col[i] = N - 1 - i;
		val[i] = i;
		host[i] = 2;
	}
	row_ptr[N] = N;
	s = tulle_matrix_from_csr(NULL, N, N, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F64, val, NULL,
	                          &matrix);
	if (s == TULLE_OK)
		s = tulle_device_open(NULL, NULL, NULL, &device);
	if (s == TULLE_OK)
		s = tulle_queue_create(device, NULL, &queue);
	if (s == TULLE_OK)
		s = tulle_device_plan_create(device, matrix, &o, &plan);
	if (s == TULLE_OK)
		s = tulle_vector_create(device, TULLE_F64, N, NULL, &x);
	if (s == TULLE_OK)
		s = tulle_vector_create(device, TULLE_F64, N, NULL, &y);
	if (s == TULLE_OK)
		s = tulle_vector_write(queue, x, 0, N, host);
	if (s == TULLE_OK)
		s = tulle_device_mul(plan, queue, 1, x, 0, y);
	if (s == TULLE_OK)
		s = tulle_vector_read(queue, y, 0, N, got);
	if (s == TULLE_OK)
		s = tulle_queue_finish(queue);
	for (int i = 0; i < N && s == TULLE_OK; i++)
		if (got[i] != 2 * i) {
			printf("y[%d] = %g\n", i, got[i]);
			s = TULLE_E_INTERNAL;
		}
	return s;
}

int main(int argc, char **argv)
{
	const tulle_status s = run(argc > 1 ? argv[1] : "csr");
	const int told = s != TULLE_OK && strlen(tulle_last_error()) > 0;

	if (s != TULLE_OK)
		printf("%s: %s\n", tulle_status_name(s), tulle_last_error());
	tulle_vector_destroy(x);
	tulle_vector_destroy(y);
	tulle_device_plan_destroy(plan);
	tulle_queue_destroy(queue);
	tulle_device_close(device);
	tulle_matrix_destroy(matrix);
	return s == TULLE_OK ? 0 : told ? TOLD : 1;
}
