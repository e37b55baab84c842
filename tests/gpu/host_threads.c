/* host_threads.c -- layouts that the host makes for a device are the same, bit for bit, at any number of threads.
 *
 * Usage: as device.h says. The matrix is large enough that its rows, chunks and indices are cut into many parts. */
#include "api/device.h"
#include "core/format.h"
#include "device.h"
#include "gpu/gpu_check.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 9000, COLS = 5000, MOST = 24 /* entries of a row */ };

/* Formats with arrays that the host lays out; of the first and the last it converts indices only, and csr5 is made on
 * the device, of hundreds of tiles. */
static const char *const formats[] = {
	"csr:kernel=scalar", "csr:kernel=padded", "ellr:lanes=4", "sell", "coo", "hyb", "csr5"
};

static matrix make_matrix(void)
{
	uint64_t state = 23;
	int64_t lengths[ROWS];
	matrix m;

	for (int64_t i = 0; i < ROWS; i++)
		lengths[i] = i * i % (MOST + 1);
	m = matrix_new("uneven", ROWS, COLS, lengths);
	matrix_random_columns(&m, &state);
	return m;
}

/* A plan made by so many threads. */
typedef struct {
	tulle_context *context;
	tulle_device *device;
	tulle_matrix *a;
	tulle_device_plan *plan;
} made;

static made make(const matrix *m, tulle_value_type type, const char *format, int threads,
                 const arrays *a)
{
	made p = { NULL, NULL, NULL, NULL };

	CHECK_OK(tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                        .threads = threads,
	                                                        .serial_below = 1 },
	                              &p.context));
	CHECK_OK(tulle_device_open(
	    p.context, gpu.info.name,
	    &(tulle_device_options){ .size = sizeof(tulle_device_options), .width = gpu.width },
	    &p.device));
	CHECK_OK(tulle_matrix_from_csr(p.context, m->rows, m->cols, TULLE_I64, a->row_ptr, TULLE_I64,
	                               a->col, type, a->val, NULL, &p.a));
	CHECK_OK(tulle_device_plan_create(
	    p.device, p.a,
	    &(tulle_device_plan_options){ .size = sizeof(tulle_device_plan_options), .format = format },
	    &p.plan));
	return p;
}

static void release(made *p)
{
	tulle_device_plan_destroy(p->plan);
	tulle_matrix_destroy(p->a);
	tulle_device_close(p->device);
	tulle_context_destroy(p->context);
}

static void *read_array(const tulle__gpu_plan *plan, const tulle__gpu_array_held *held)
{
	tulle__gpu_device *const device = plan->device;
	void *bytes = grab((int64_t)held->bytes, 1), *queue = NULL;

	if (CHECK_OK(device->driver->queue_open(device, NULL, &queue))) {
		CHECK_OK(device->driver->read(device, queue, held->memory, 0, bytes, held->bytes));
		device->driver->queue_close(device, queue);
	}
	return bytes;
}

static void compare(const tulle__gpu_plan *a, const tulle__gpu_plan *b)
{
	CHECK_EQUAL(a->arrays, b->arrays);
	for (int n = 0; n < a->arrays && n < b->arrays; n++) {
		void *const of_a = read_array(a, &a->array[n]), *const of_b = read_array(b, &b->array[n]);

		if (CHECK_EQUAL((int64_t)a->array[n].bytes, (int64_t)b->array[n].bytes))
			CHECK_THAT(memcmp(of_a, of_b, a->array[n].bytes) == 0, "array %d differs", n);
		free(of_a);
		free(of_b);
	}
}

static void check_format(const matrix *m, tulle_value_type type, const char *format)
{
	static const index_pair wide = { .offset = TULLE_I64, .column = TULLE_I64, .name = "i64" };
	arrays a = cast(m, wide, type, 0);
	made one = make(m, type, format, 1, &a), several = make(m, type, format, 3, &a);

	check_about("%s, %s", format, type_name(type));
	if (one.plan && several.plan) {
		compare(&one.plan->gpu, &several.plan->gpu);
		CHECK_OK(tulle__gpu_plan_check(&several.plan->gpu,
		                               tulle__format_named(format, strcspn(format, ":"))->gpu));
	}
	release(&one);
	release(&several);
	arrays_free(&a);
}

int main(int argc, char **argv)
{
	matrix m;

	if (!gpu_open(argc, argv))
		return check_end();
	m = make_matrix();
	for (size_t n = 0; n < sizeof formats / sizeof *formats; n++)
		for (int t = TULLE_F32; t <= TULLE_F64; t++)
			if (gpu_wants(formats[n], (tulle_value_type)t))
				check_format(&m, (tulle_value_type)t, formats[n]);
	matrix_free(&m);
	gpu_close();
	return check_end();
}
