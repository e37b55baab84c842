/* fuzz_machine.c -- any bytes are the description of a device (tulle_device_model_find), and the records of a machine in a wisdom
 * file (tulle_machine_describe): a sentence, or figures that a device can have; what is not believed of a machine is
 * assumed.
 *
 * In the second file, a '#' at the end of a line becomes its check sum and a '@' the number of this machine. */
#include "api/handles.h"
#include "planner/known_machine.h"
#include "sound.h"
#include "summed.h"
#include "tulle_gpu.h"
#include "tulle_machine.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file in memory. */
typedef struct {
	int fd;
	char path[40];
} file;

static file file_of(const void *head, size_t head_bytes, const void *data, size_t size)
{
	file f = { .fd = memfd_create("fuzz", MFD_CLOEXEC) };

	REQUIRE(f.fd >= 0 && write(f.fd, head, head_bytes) == (ssize_t)head_bytes);
	REQUIRE(write(f.fd, data, size) == (ssize_t)size);
	snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.fd);
	return f;
}

static int within(double value, double least, double most)
{
	return value >= least && value <= most; /* NaN is not */
}

/* ---- devices ---- */

static void check_ranking(const tulle_matrix *a, const tulle_device_model *model)
{
	tulle_device_candidate_info c = { .size = sizeof c };
	tulle_device_ranking *ranking = NULL;

	REQUIRE(tulle_device_ranking_create(a, model, NULL, &ranking) == TULLE_OK);
	for (int n = 0; tulle_device_ranking_candidate(ranking, n, &c); n++)
		REQUIRE(c.out || (isfinite(c.relative) && c.relative >= 1 && within(c.occupancy, 0, 1)));
	tulle_device_ranking_destroy(ranking);
}

static void check_device(tulle_context *context, const tulle_matrix *a, const uint8_t *data,
                         size_t size)
{
	tulle_device_model m = { .size = sizeof m };
	const file f = file_of("", 0, data, size);
	const tulle_status s = tulle_device_model_find(context, f.path, &m);

	if (s == TULLE_OK) {
		REQUIRE(m.units >= 1 && m.units <= 65536);
		REQUIRE(m.width >= 1 && m.width <= 64 && (m.width & (m.width - 1)) == 0);
		REQUIRE(within(m.clock, 1e6, 1e11) && within(m.bandwidth, 1e6, 1e15));
		REQUIRE(within(m.l2, 1, 1e13) && within(m.memory, 1, 1e16) && within(m.warps, 1, 1024));
		REQUIRE(within(m.registers, 1, 1e7) && within(m.shared, 1, 1e9));
		REQUIRE(within(m.issue, .01, 64) && within(m.f32, .01, 1e5) && within(m.f64, .01, 1e5));
		check_sentence(m.model);
		check_ranking(a, &m);
	} else {
		REQUIRE(s == TULLE_E_ARGUMENT);
		check_sentence(tulle_last_error());
	}
	close(f.fd);
}

/* ---- records of this machine ---- */

static void check_machine(tulle_context *context, const tulle_matrix *a, const uint8_t *data,
                          size_t size)
{
	const double least = 1e-15, most = 1e-3;
	tulle_machine_info info = { .size = sizeof info };
	tulle_plan_options o = { .size = sizeof o, .multiplies = 1e6 };
	tulle_plan *plan = NULL;
	tulle__machine machine;
	size_t count;
	char *text;
	file f;

	tulle__machine_assume(&context->env, &machine);
	text = summed_text(data, size, tulle__machine_signature(&machine), &count);
	f = file_of(TULLE__WISDOM_HEADER, TULLE__WISDOM_HEADER_BYTES, text, count);
	REQUIRE(tulle_machine_describe(context, f.path, &info) == TULLE_OK);
	for (int level = 0; level < TULLE_MACHINE_LEVELS; level++)
		REQUIRE(within(info.read_bandwidth[level], 1 / most, 1.01 / least) &&
		        within(info.gather_seconds[level], least, 2 * most));
	REQUIRE(within(info.region_seconds, 0, most) && info.caches_timed >= info.memory_timed);
	o.wisdom = f.path;
	REQUIRE(tulle_plan_create(a, &o, &plan) == TULLE_OK);
	tulle_plan_destroy(plan);
	close(f.fd);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int32_t row_ptr[] = { 0, 2, 4, 5 }, col[] = { 0, 1, 1, 2, 2 };
	const tulle_context_options limits = { .size = sizeof limits, .threads = 1 };
	tulle_context_info held = { .size = sizeof held };
	tulle_context *context;
	tulle_matrix *a = NULL;

	REQUIRE(tulle_context_create(&limits, &context) == TULLE_OK);
	REQUIRE(tulle_matrix_from_csr(context, 3, 3, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F64,
	                              NULL, NULL, &a) == TULLE_OK);
	check_device(context, a, data, size);
	check_machine(context, a, data, size);
	tulle_matrix_destroy(a);
	tulle_context_describe(context, &held);
	REQUIRE(held.blocks_held == 0);
	tulle_context_destroy(context);
	return 0;
}
