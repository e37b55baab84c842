/* single_launches.c -- the launches of a plan one by one: described, queued in order they are the product, and
 * repeated alone they harm no later product. Usage: test_gpu_single_launches, with the options of device.h. */
#include "device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 700, REPEATS = 3 };

static matrix m;
static double x[N], want[N];
static tulle_vector *on_x, *on_y;

/* Whole numbers, exact in any order; row 5 is long and every eleventh row is empty. */
static void make_matrix(void)
{
	uint64_t state = 3;
	int64_t lengths[N];

	for (int i = 0; i < N; i++)
		lengths[i] = i == 5 ? N / 2 : i % 11 == 0 ? 0 : random_below(&state, 12);
	m = matrix_new("single launches", N, N, lengths);
	matrix_random_columns(&m, &state);
	matrix_whole_values(&m, &state, 8);
	for (int i = 0; i < N; i++)
		x[i] = i % 7 - 3;
	for (int64_t i = 0; i < N; i++)
		for (int64_t k = m.row_ptr[i]; k < m.row_ptr[i + 1]; k++)
			want[i] += m.val[k] * x[m.col[k]];
}

/* y = 2 A x - y from y = 3: the second launch of a format must not forget beta. */
static void start(void)
{
	double y[N];

	for (int i = 0; i < N; i++)
		y[i] = 3;
	CHECK_OK(tulle_vector_write(gpu.queue, on_y, 0, N, y));
}

static void check_product(const char *how)
{
	double y[N];

	CHECK_OK(tulle_vector_read(gpu.queue, on_y, 0, N, y));
	for (int i = 0; i < N; i++)
		if (!CHECK_THAT(y[i] == 2 * want[i] - 3, "%s: y[%d] = %g, not %g", how, i, y[i],
		                2 * want[i] - 3))
			return;
}

static void check_misuse(const tulle_device_plan *plan, int launches)
{
	tulle_device_launch_info info = { .size = sizeof info };

	CHECK_STATUS(tulle_device_plan_launch(NULL, 0, &info), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_plan_launch(plan, 0, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_plan_launch(plan, -1, &info), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_plan_launch(plan, launches, &info), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "launches");
	CHECK_STATUS(tulle_device_mul_launch(NULL, gpu.queue, 0, 1, on_x, 0, on_y), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_mul_launch(plan, gpu.queue, launches, 1, on_x, 0, on_y),
	             TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_mul_launch(plan, gpu.queue, 0, 1, on_x, 0, on_x), TULLE_E_ARGUMENT);
}

static void check_plan(const tulle_device_plan *plan)
{
	tulle_device_plan_info info = { .size = sizeof info };
	tulle_device_launch_info launch = { .size = sizeof launch };

	CHECK_OK(tulle_device_plan_describe(plan, &info));
	CHECK(info.launches > 0);
	start();
	for (int n = 0; n < info.launches; n++)
		CHECK_OK(tulle_device_mul_launch(plan, gpu.queue, n, 2, on_x, -1, on_y));
	check_product("launch after launch");
	for (int n = 0; n < info.launches; n++) {
		CHECK_OK(tulle_device_plan_launch(plan, n, &launch));
		CHECK_THAT(*launch.kernel && launch.blocks >= 0 && launch.threads > 0, "launch %d", n);
		for (int again = 0; again < REPEATS; again++)
			CHECK_OK(tulle_device_mul_launch(plan, gpu.queue, n, 2, on_x, -1, on_y));
	}
	start();
	CHECK_OK(tulle_device_mul(plan, gpu.queue, 2, on_x, -1, on_y));
	check_product("after single launches");
	check_misuse(plan, info.launches);
}

static void check_format(tulle_matrix *handle, const char *format)
{
	const tulle_device_plan_options o = { .size = sizeof o, .format = format };
	tulle_device_plan *plan = NULL;

	check_about("%s", format);
	if (CHECK_OK(tulle_device_plan_create(gpu.device, handle, &o, &plan)))
		check_plan(plan);
	tulle_device_plan_destroy(plan);
	check_group("%s", format);
}

int main(int argc, char **argv)
{
	tulle_device_format_info f = { .size = sizeof f };
	tulle_matrix *handle;
	arrays a;

	if (!gpu_open(argc, argv))
		return check_end();
	make_matrix();
	a = cast(&m, pairs[0], TULLE_F64, 0);
	handle = borrow(NULL, &m, pairs[0], TULLE_F64, &a);
	CHECK_OK(tulle_vector_create(gpu.device, TULLE_F64, N, NULL, &on_x));
	CHECK_OK(tulle_vector_create(gpu.device, TULLE_F64, N, NULL, &on_y));
	CHECK_OK(tulle_vector_write(gpu.queue, on_x, 0, N, x));
	for (int n = 0; handle && tulle_device_format(n, &f); n++)
		if (f.width <= gpu.width && gpu_wants(f.format, TULLE_F64))
			check_format(handle, f.format);
	tulle_vector_destroy(on_x);
	tulle_vector_destroy(on_y);
	tulle_matrix_destroy(handle);
	arrays_free(&a);
	matrix_free(&m);
	gpu_close();
	return check_end();
}
