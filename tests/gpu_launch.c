/* gpu_launch.c -- gpu/launch.h without a device: what a kernel gets for what a launch names and leaves out.
 *
 * Compiled with one of the macros WRONG_NAME, WRONG_TYPE, WRONG_ARRAY and WRONG_CHOICE it must not compile. */
#include "check.h"

#include "formats/csr5/csr5.gpu.h"
#include "formats/ell/ellr.gpu.h"
#include "gpu/carries.gpu.h"
#include "gpu/gpu_plan.h"
#include "gpu/vectors.gpu.h"

#include <string.h>

/* ---- a driver that keeps what it gets ---- */

static struct {
	const char *module, *name;
	int launches, count;
	tulle__gpu_word word[TULLE__GPU_PARAMS];
} seen;

static tulle_status find_kernel(tulle__gpu_device *device, const char *module, const char *name,
                                tulle__gpu_types types, void **out)
{
	(void)device;
	(void)types;
	seen.module = module;
	seen.name = name;
	*out = &seen;
	return TULLE_OK;
}

static tulle_status launch(tulle__gpu_device *device, void *queue, void *kernel, int64_t blocks,
                           int threads, int count, const tulle__gpu_word *word)
{
	(void)device;
	(void)queue;
	CHECK(kernel == &seen && blocks == 3 && threads == 64);
	seen.launches++;
	seen.count = count;
	memcpy(seen.word, word, (size_t)count * sizeof *word);
	return TULLE_OK;
}

static const tulle__gpu_driver driver = { .kernel = find_kernel, .launch = launch };
static tulle__gpu_device device = { .driver = &driver };

static tulle__gpu_memory array(uint64_t handle)
{
	return (tulle__gpu_memory){ handle };
}

static tulle__gpu_plan empty_plan(tulle_value_type value, tulle_index_type index)
{
	return (tulle__gpu_plan){ .device = &device, .types = { value, index } };
}

static const tulle__gpu_call call = {
	.x = { 1001 }, .y = { 1002 }, .scratch = { 1003 }, .alpha = { 0.5, 0 }, .beta = { 0.25, 0 }
};

static void check_memory(int n, uint64_t handle)
{
	CHECK_EQUAL(seen.word[n].size, sizeof(tulle__gpu_memory));
	CHECK_EQUAL(seen.word[n].is.memory.handle, handle);
}

/* ---- what a kernel gets ---- */

static void check_named(void)
{
	tulle__gpu_plan plan = empty_plan(TULLE_F64, TULLE_I32);

	CHECK_OK(tulle__gpu_step(&plan, TULLE__LAUNCH(ellr_rows, 3, 64, .col = array(2005), .rows = 7,
	                                              .lead = 32, .shift = 5, .length = array(2004),
	                                              .val = array(2006))));
	CHECK_OK(tulle__gpu_plan_run(&plan, NULL, &call));
	CHECK(strcmp(seen.module, "ellr") == 0 && strcmp(seen.name, "ellr_rows") == 0);
	CHECK_EQUAL(seen.count, 10);
	CHECK(seen.word[0].size == 8 && seen.word[0].is.i64 == 7);
	CHECK(seen.word[1].size == 8 && seen.word[1].is.i64 == 32);
	CHECK(seen.word[2].size == 4 && seen.word[2].is.i32 == 5);
	for (int n = 3; n < 6; n++)
		check_memory(n, 2001 + (uint64_t)n);
	check_memory(6, 1001);
	check_memory(7, 1002);
	CHECK(seen.word[8].size == 8 && seen.word[8].is.f64 == 0.5 && seen.word[9].is.f64 == 0.25);
	check_group("arguments by name, in the order of the kernel");
}

static void check_given(void)
{
	tulle__gpu_plan plan = empty_plan(TULLE_F32, TULLE_I64);

	CHECK_OK(tulle__gpu_step(&plan, TULLE__LAUNCH(carries, 3, 64, .count = 1, .split = array(5),
	                                              .carry = TULLE__GPU_SCRATCH, .beta = 1)));
	CHECK_OK(tulle__gpu_plan_run(&plan, NULL, &call));
	check_memory(2, 1003);
	CHECK(seen.word[4].size == 4 && seen.word[4].is.f32 == 0.5F && seen.word[5].is.f32 == 1);
	plan.steps = 0;
	CHECK_OK(tulle__gpu_step(&plan, TULLE__LAUNCH(permute, 3, 64, .order = array(6),
	                                              .x = TULLE__GPU_SCRATCH, .to = array(7))));
	CHECK_OK(tulle__gpu_plan_run(&plan, NULL, &call));
	check_memory(2, 1003);
	check_group("beta, x and scratch memory where they are given");
}

/* I is the only type whose size the plan decides. */
static void check_index(void)
{
	for (int wide = 0; wide < 2; wide++) {
		tulle__gpu_plan plan = empty_plan(TULLE_F64, wide ? TULLE_I64 : TULLE_I32);

		CHECK_OK(tulle__gpu_step(
		    &plan, TULLE__LAUNCH(csr5_tail, 3, 64, .first = 9, .row_ptr = array(2), .col = array(3),
		                         .val = array(4), .carry = TULLE__GPU_SCRATCH)));
		CHECK_OK(tulle__gpu_plan_run(&plan, NULL, &call));
		CHECK_EQUAL(seen.word[2].size, wide ? 8 : 4);
		CHECK_EQUAL(wide ? seen.word[2].is.i64 : seen.word[2].is.i32, 9);
	}
	check_group("offsets of both sizes");
}

static void check_complex(void)
{
	const tulle__gpu_call turned = {
		.x = { 1 }, .y = { 2 }, .alpha = { 0.5, -3 }, .beta = { 0, 0.25 }
	};
	tulle__gpu_plan wide = empty_plan(TULLE_C128, TULLE_I32);
	tulle__gpu_plan narrow = empty_plan(TULLE_C64, TULLE_I32);
	const tulle__gpu_launch *const scaling = TULLE__LAUNCH(scale, 3, 64, .n = 7);
	const tulle__gpu_launch *const summing =
	    TULLE__LAUNCH(carries, 3, 64, .count = 1, .split = array(5), .carry = array(6), .beta = 1);

	CHECK_OK(tulle__gpu_step(&wide, scaling));
	CHECK_OK(tulle__gpu_plan_run(&wide, NULL, &turned));
	CHECK(seen.word[2].size == 16 && seen.word[2].is.c128[0] == 0 &&
	      seen.word[2].is.c128[1] == 0.25);
	CHECK_OK(tulle__gpu_step(&narrow, summing));
	CHECK_OK(tulle__gpu_plan_run(&narrow, NULL, &turned));
	CHECK(seen.word[4].size == 8 && seen.word[4].is.c64[0] == 0.5F && seen.word[4].is.c64[1] == -3);
	CHECK(seen.word[5].is.c64[0] == 1 && seen.word[5].is.c64[1] == 0);
	CHECK_STATUS(
	    tulle__gpu_step(&wide, TULLE__LAUNCH(csr5_tail, 3, 64, .first = 9, .row_ptr = array(2),
	                                         .col = array(3), .val = array(4), .carry = array(5))),
	    TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "csr5.gpu has no kernels for c128");
	check_group("complex factors, and a module without complex kernels");
}

static void check_missing(void)
{
	tulle__gpu_plan plan = empty_plan(TULLE_F64, TULLE_I32);

	CHECK_STATUS(
	    tulle__gpu_step(&plan, TULLE__LAUNCH(ellr_rows, 3, 64, .col = array(4), .val = array(5))),
	    TULLE_E_INTERNAL);
	CHECK_WORDS(tulle_last_error(), "ellr_rows length");
	CHECK_STATUS(tulle__gpu_run(&plan, TULLE__LAUNCH(permute, 3, 64, .order = array(6))),
	             TULLE_E_INTERNAL);
	CHECK_WORDS(tulle_last_error(), "permute to");
	check_group("an array that is not given");
}

static void check_choice(void)
{
	for (int plain = 0; plain < 2; plain++) {
		tulle__gpu_plan plan = empty_plan(TULLE_F64, TULLE_I32);

		CHECK_OK(tulle__gpu_step(
		    &plan,
		    TULLE__LAUNCH_ONE(plain ? &tulle__kernel_ellr_rows_plain : &tulle__kernel_ellr_rows, 3,
		                      64, .length = array(4), .col = array(5), .val = array(6))));
		CHECK(strcmp(seen.name, plain ? "ellr_rows_plain" : "ellr_rows") == 0);
	}
	check_group("one of two kernels");
}

/* ---- what does not compile ---- */

#ifdef WRONG_NAME
static const tulle__gpu_launch *wrong(void)
{
	return TULLE__LAUNCH(scale, 3, 64, .rows = 7);
}
#endif
#ifdef WRONG_TYPE
static const tulle__gpu_launch *wrong(void)
{
	return TULLE__LAUNCH(scale, 3, 64, .n = array(2));
}
#endif
#ifdef WRONG_ARRAY
static const tulle__gpu_launch *wrong(void)
{
	return TULLE__LAUNCH(permute, 3, 64, .order = 7);
}
#endif
#ifdef WRONG_CHOICE
static const tulle__gpu_launch *wrong(int n)
{
	return TULLE__LAUNCH_ONE(n ? &tulle__kernel_scale : &tulle__kernel_permute, 3, 64, .n = 7);
}
#endif

int main(void)
{
	check_named();
	check_given();
	check_index();
	check_complex();
	check_missing();
	check_choice();
	CHECK_EQUAL(seen.launches, 7);
	return check_end();
}
