/* batch_memory.c -- a batch on a device when the k-th allocation fails, for every k: nothing is left behind.
 *
 * A program of its own, for it opens the device once more: oclgrind would begin its log anew. */
#include "batches.h"
#include "device.h"
#include "heap.h"

#include <string.h>

/* Each of its own arrays, and what is chosen by lengths. */
static const char *const kernels[] = { "coo", "csr:kernel=balanced", "ell:form=block", NULL };

static tulle_status create(tulle_device *device, const problems *p, const char *kernel)
{
	const tulle_device_batch_options o = { .size = sizeof o, .kernel = kernel };
	const tulle_batch_source s = problems_source(p);
	tulle_device_batch *batch = NULL;
	const tulle_status status = tulle_device_batch_create(device, &s, &o, &batch);

	CHECK((status == TULLE_OK) == (batch != NULL));
	tulle_device_batch_destroy(batch);
	return status;
}

/* The first life compiles kernels, which the device keeps. */
static long fail_each(tulle_device *device, const problems *p, const char *kernel)
{
	long held, failures = 0;
	tulle_status status;

	heap.fail_at = 0;
	CHECK_OK(create(device, p, kernel));
	held = atomic_load(&heap.live_blocks);
	do {
		atomic_store(&heap.asked, 0);
		heap.fail_at = ++failures;
		status = create(device, p, kernel);
		CHECK_THAT(status == TULLE_OK || status == TULLE_E_MEMORY, "allocation %ld: %s", failures,
		           tulle_last_error());
		CHECK_EQUAL(atomic_load(&heap.live_blocks), held);
	} while (status != TULLE_OK && failures < 1000);
	heap.fail_at = 0;
	return failures - 1;
}

int main(int argc, char **argv)
{
	static const char *const two[] = { "33 rows", "long row" };
	problems p = these("memory", two, 2, TULLE_F32);
	tulle_context *context = NULL;
	tulle_device *device = NULL;

	if (!gpu_open(argc, argv))
		return check_end();
	memset(&heap, 0, sizeof heap);
	if (CHECK_OK(
	        tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                       .threads = 1,
	                                                       .alloc = heap_alloc,
	                                                       .free = heap_free,
	                                                       .user = &heap },
	                             &context)) &&
	    CHECK_OK(tulle_device_open(context, gpu.info.name, NULL, &device)))
		for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
			CHECK(fail_each(device, &p, kernels[k]) > 10);
	tulle_device_close(device);
	tulle_context_destroy(context);
	CHECK_EQUAL(atomic_load(&heap.live_blocks), 0);
	problems_free(&p);
	gpu_close();
	return check_end();
}
