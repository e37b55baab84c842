/* full_device.c -- a plan that chooses its format takes the next one of the ranking if the first does not fit in what
 * the device has left. */
#include "device.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 4000, COLS = 100000, LONGEST = 40 };

/* One row in eight is long, and values and columns need all their bits: sell comes first and pads. */
static matrix make_matrix(void)
{
	uint64_t state = 5;
	int64_t lengths[ROWS];
	matrix m;

	for (int64_t i = 0; i < ROWS; i++)
		lengths[i] = i % 8 == 0 ? LONGEST : 2;
	m = matrix_new("full device", ROWS, COLS, lengths);
	matrix_random_columns(&m, &state);
	kit_random_fill(KIT_UNIFORM, 3, TULLE_F64, m.nnz, m.val);
	return m;
}

static tulle_status make_plan(const tulle_matrix *a, const char *format, tulle_device_plan **plan,
                              tulle_device_plan_info *info)
{
	const tulle_device_plan_options o = { .size = sizeof o, .format = format };
	const tulle_status s = tulle_device_plan_create(gpu.device, a, &o, plan);

	info->size = sizeof *info;
	if (s == TULLE_OK)
		CHECK_OK(tulle_device_plan_describe(*plan, info));
	return s;
}

/* Bytes that a plan needs while it is built; format NULL: the first of the ranking. */
static size_t needed(const tulle_matrix *a, const char *format, tulle_device_plan_info *info)
{
	tulle_device_plan *plan = NULL;

	if (!CHECK_OK(make_plan(a, format, &plan, info)))
		return 0;
	tulle_device_plan_destroy(plan);
	return info->peak;
}

/* A plan that chooses, with so many bytes left. */
static tulle_status with_room(const tulle_matrix *a, size_t room, tulle_device_plan_info *info)
{
	const int64_t filled = (int64_t)((gpu.info.memory - room) / sizeof(float));
	tulle_device_plan *plan = NULL;
	tulle_vector *fill = NULL;
	tulle_status s;

	CHECK_OK(tulle_vector_create(gpu.device, TULLE_F32, filled, NULL, &fill));
	s = make_plan(a, NULL, &plan, info);
	CHECK((s == TULLE_OK) == (plan != NULL));
	tulle_device_plan_destroy(plan);
	tulle_vector_destroy(fill);
	return s;
}

int main(int argc, char **argv)
{
	tulle_device_plan_info first, next;
	tulle_matrix *a;
	size_t most, least;
	arrays of;
	matrix m;

	if (!gpu_open(argc, argv))
		return check_end();
	m = make_matrix();
	of = cast(&m, pairs[0], TULLE_F64, 0);
	a = borrow(NULL, &m, pairs[0], TULLE_F64, &of);
	most = needed(a, NULL, &first);
	least = needed(a, "csr:kernel=scalar", &next);
	printf("%s needs %zu bytes, csr %zu\n", first.format, most, least);
	if (CHECK(least < most)) {
		CHECK_OK(with_room(a, most, &next));
		CHECK(strcmp(next.format, first.format) == 0);
		CHECK_OK(with_room(a, (least + most) / 2, &next));
		CHECK(strcmp(next.format, first.format) != 0);
		CHECK_STATUS(with_room(a, 4096, &next), TULLE_E_MEMORY);
	}
	tulle_matrix_destroy(a);
	arrays_free(&of);
	matrix_free(&m);
	gpu_close();
	check_group("a device that is nearly full");
	return check_end();
}
