/* executable.c -- core/executable.h: the phases of each operation, and scratch for calls in flight. */
#include "heap.h"
#include "inner.h"

#include "core/executable.h"

#include <string.h>

static void make_env(tulle__env *env)
{
	inner_env(env, 0);
	env->alloc = heap_alloc;
	env->free = heap_free;
	env->user = &heap;
	heap.fail_at = 0;
	atomic_store(&heap.asked, 0);
}

/* ---- operations ---- */

/* Parts that each function did. */
typedef struct {
	int first, second, third;
} tally;

static tally *did;

static void first(const void *arg, int64_t part)
{
	CHECK(arg == did && part == did->first);
	did->first++;
}

static void second(const void *arg, int64_t part)
{
	CHECK(arg == did && part == did->second);
	did->second++;
}

static void third(const void *arg, int64_t part)
{
	CHECK(arg == did && part == did->third);
	did->third++;
}

static const tulle__kernel single = { "mul", { first, second } }, many = { "many", { third } };
static const int64_t parts[TULLE__PHASES] = { 3, 2, 1 };

static int find_both(const void *of, tulle__isa isa, const tulle__kernel **kernel)
{
	(void)of;
	(void)isa;
	kernel[TULLE__MUL] = &single;
	kernel[TULLE__MUL_MANY] = &many;
	return 1;
}

static int find_one(const void *of, tulle__isa isa, const tulle__kernel **kernel)
{
	(void)of;
	(void)isa;
	kernel[TULLE__MUL] = &many;
	return 1;
}

static int find_none(const void *of, tulle__isa isa, const tulle__kernel **kernel)
{
	(void)of;
	CHECK(isa < TULLE__ISAS);
	kernel[TULLE__MUL] = &many;
	return 0;
}

static void check_parts(tulle__env *env, const tulle__executable *e, int operation, tally want)
{
	tally got = { 0 };

	check_about("operation %d", operation);
	did = &got;
	tulle__execute(env, e, operation, did);
	CHECK_EQUAL(got.first, want.first);
	CHECK_EQUAL(got.second, want.second);
	CHECK_EQUAL(got.third, want.third);
}

static void check_operations(void)
{
	tulle__executable e = { .work = 1 };
	tulle__env env;

	make_env(&env);
	if (!CHECK_OK(tulle__executable_prepare(&env, &e, "test", find_both, NULL, parts)))
		return;
	check_parts(&env, &e, TULLE__MUL, (tally){ .first = 3, .second = 2 });
	check_parts(&env, &e, TULLE__MUL_MANY, (tally){ .third = 3 });
	check_about("no kernels");
	CHECK_STATUS(tulle__executable_prepare(&env, &e, "test", find_none, NULL, parts),
	             TULLE_E_INTERNAL);
	CHECK_WORDS(tulle_last_error(), "test kernel");
	CHECK(e.kernel[TULLE__MUL] == &single && e.kernel[TULLE__MUL_MANY] == &many);
	check_about("prepared again, without the second operation");
	if (CHECK_OK(tulle__executable_prepare(&env, &e, "test", find_one, NULL, parts))) {
		CHECK(e.kernel[TULLE__MUL] == &many && !e.kernel[TULLE__MUL_MANY]);
		check_parts(&env, &e, TULLE__MUL, (tally){ .third = 3 });
		check_parts(&env, &e, TULLE__MUL_MANY, (tally){ 0 });
	}
	check_group("phases and parts of each operation");
}

/* ---- scratch ---- */

enum { BYTES = 100, IN_FLIGHT = TULLE__POOL_BLOCKS + 4 };

/* Nobody may have the block of another. */
static void take(tulle__env *env, const tulle__executable *e, int count, void **block)
{
	for (int n = 0; n < count; n++) {
		CHECK_OK(tulle__take_scratch(env, e, &block[n]));
		CHECK(block[n]);
		if (!block[n])
			continue;
		memset(block[n], n, BYTES);
		for (int other = 0; other < n; other++)
			CHECK_THAT(block[other] != block[n], "calls %d and %d share scratch", other, n);
	}
}

static void give(tulle__env *env, const tulle__executable *e, int count, void *const *block)
{
	for (int n = 0; n < count; n++)
		tulle__give_scratch(env, e, block[n]);
}

static void check_pool(void)
{
	tulle__executable e = { .work = 1 };
	void *block[IN_FLIGHT];
	long asked;
	tulle__env env;

	make_env(&env);
	if (!CHECK_OK(tulle__executable_reserve(&env, &e, BYTES)))
		return;
	asked = atomic_load(&heap.asked);
	check_about("one caller");
	for (int call = 0; call < 3; call++) {
		take(&env, &e, 1, block);
		give(&env, &e, 1, block);
	}
	CHECK_EQUAL(atomic_load(&heap.asked), asked);
	check_about("%d callers", IN_FLIGHT);
	take(&env, &e, IN_FLIGHT, block);
	give(&env, &e, IN_FLIGHT, block);
	CHECK_EQUAL(atomic_load(&heap.live_blocks), 1 + TULLE__POOL_BLOCKS);
	asked = atomic_load(&heap.asked);
	take(&env, &e, TULLE__POOL_BLOCKS, block);
	CHECK_EQUAL(atomic_load(&heap.asked), asked);
	heap.fail_at = asked + 1;
	CHECK_STATUS(tulle__take_scratch(&env, &e, &block[TULLE__POOL_BLOCKS]), TULLE_E_MEMORY);
	CHECK(!block[TULLE__POOL_BLOCKS]);
	give(&env, &e, TULLE__POOL_BLOCKS + 1, block);
	tulle__executable_release(&env, &e);
	CHECK_EQUAL(atomic_load(&heap.live_blocks), 0);
	check_group("scratch of calls in flight");
}

static void check_no_scratch(void)
{
	tulle__executable e = { .work = 1 };
	void *block = &e;
	tulle__env env;

	make_env(&env);
	CHECK_OK(tulle__executable_reserve(&env, &e, 0));
	CHECK_OK(tulle__take_scratch(&env, &e, &block));
	CHECK(!block);
	tulle__give_scratch(&env, &e, block);
	tulle__executable_release(&env, &e);
	CHECK_EQUAL(atomic_load(&heap.asked), 0);
	check_group("calls that need no scratch");
}

static void check_failures_to_reserve(void)
{
	for (int n = 1; n <= 2; n++) {
		tulle__executable e = { .work = 1 };
		tulle__env env;

		check_about("allocation %d fails", n);
		make_env(&env);
		heap.fail_at = n;
		CHECK_STATUS(tulle__executable_reserve(&env, &e, BYTES), TULLE_E_MEMORY);
		tulle__executable_release(&env, &e);
		CHECK_EQUAL(atomic_load(&heap.live_blocks), 0);
	}
	check_group("scratch that cannot be allocated");
}

int main(void)
{
	check_operations();
	check_pool();
	check_no_scratch();
	check_failures_to_reserve();
	return check_end();
}
