/* fuzz_tuned.c -- any bytes are a tuned file: refused with a sentence, or a sound matrix and a plan that multiplies.
 *
 * No fuzzer guesses a header whose sizes agree with the length of the file. So bytes that do not begin as a tuned file
 * are numbers of rows, columns and entries, types, lengths of the texts, and then the contents of the sections, in a
 * file whose header is right. */
#include "fuzz.h"
#include "io/tuned.h"
#include "sound.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LEAD = 7 };

/* As many bytes as the section has, those of the input first, then zeros. */
static void put_section(int fd, const uint8_t **data, size_t *size, size_t bytes)
{
	static const char zeros[1 << 16];
	const size_t n = bytes < *size ? bytes : *size;

	REQUIRE(bytes - n <= sizeof zeros);
	REQUIRE(write(fd, *data, n) == (ssize_t)n);
	REQUIRE(write(fd, zeros, bytes - n) == (ssize_t)(bytes - n));
	*data += n;
	*size -= n;
}

static void put_file(int fd, const uint8_t *data, size_t size)
{
	const uint8_t *lead = data;
	const tulle__csr a = { .rows = lead[0],
		                   .cols = lead[1] | (int64_t)(lead[3] & 0x80) << 26,
		                   .nnz = lead[2],
		                   .offset_type = lead[3] & 3 ? TULLE_I64 : TULLE_I32,
		                   .column_type = lead[3] & 2 ? TULLE_I64 : TULLE_I32,
		                   .value_type = lead[3] & 4 ? TULLE_F32 : TULLE_F64,
		                   .val = lead[3] & 8 ? NULL : lead };
	const tulle__tuned_header h =
	    tulle__tuned_lay_out(&a, lead[4], lead[5] + 256 * (size_t)(lead[6] & 1));
	uint64_t end = sizeof h;

	data += LEAD;
	size -= LEAD;
	REQUIRE(write(fd, &h, sizeof h) == sizeof h);
	for (int n = 0; n < TULLE__TUNED_SECTIONS; n++) {
		const uint8_t *none = lead;
		size_t no = 0;

		put_section(fd, &none, &no, (size_t)(h.section[n].begin - end));
		put_section(fd, &data, &size, (size_t)h.section[n].bytes);
		end = h.section[n].begin + h.section[n].bytes;
	}
}

static void check_loaded(const tulle_matrix *m, const tulle_plan *plan)
{
	enum { LONGEST = 1 << 12 };
	tulle_plan_info info = { .size = sizeof info };
	tulle_matrix *back = NULL;
	tulle_status s;

	check_sound(m);
	REQUIRE(tulle_plan_describe(plan, &info) == TULLE_OK);
	check_sentence(info.why);
	if (info.rows <= LONGEST && info.cols <= LONGEST) {
		const size_t value = info.value_type == TULLE_F32 ? sizeof(float) : sizeof(double);
		void *const x = vector(info.cols, value), *const y = vector(info.rows, value);

		REQUIRE(multiply_once(plan, info.value_type, x, y) == TULLE_OK);
		free(x);
		free(y);
	}
	s = tulle_matrix_from_plan(plan, &back);
	REQUIRE(s == TULLE_OK || s == TULLE_E_LIMIT);
	if (s == TULLE_OK)
		check_sound(back);
	tulle_matrix_destroy(back);
}

/* A mapped file is accepted where one that is read is, and where every part of it is. */
static void check_others(tulle_context *context, const char *path, int accepted)
{
	const tulle_read_options mapped = { .size = sizeof mapped, .map = 1 };
	tulle_file_info about = { .size = sizeof about };
	tulle_matrix *m = NULL;
	tulle_status s = tulle_matrix_read(context, path, &mapped, &m);
	int good = 1;

	/* The limit of memory does not count what is mapped. */
	REQUIRE(s == TULLE_OK || !accepted);
	if (s == TULLE_OK)
		check_sound(m);
	tulle_matrix_destroy(m);
	if (tulle_file_describe(path, &about) != TULLE_OK)
		return;
	for (int half = 0; half < 2; half++) {
		const int64_t middle = about.rows / 3;

		s = tulle_matrix_read_rows(context, path, half ? middle : 0, half ? about.rows : middle,
		                           NULL, &m);
		if (s == TULLE_OK)
			check_sound(m);
		else
			check_sentence(tulle_last_error());
		good &= s == TULLE_OK;
		tulle_matrix_destroy(m);
		m = NULL;
	}
	REQUIRE(good || !accepted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const tulle_context_options limits = { .size = sizeof limits,
		                                   .threads = 1,
		                                   .memory_limit = (size_t)2 << 20 };
	tulle_file_info about = { .size = sizeof about };
	tulle_context_info held = { .size = sizeof held };
	tulle_context *context;
	tulle_matrix *m = NULL;
	tulle_plan *p = NULL;
	char path[40];
	int accepted;
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);

	REQUIRE(fd >= 0);
	if (size < LEAD || data[0] == 0x89)
		REQUIRE(write(fd, data, size) == (ssize_t)size);
	else
		put_file(fd, data, size);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	REQUIRE(tulle_context_create(&limits, &context) == TULLE_OK);
	if (tulle_plan_load(context, path, NULL, &m, &p) == TULLE_OK) {
		REQUIRE(tulle_file_describe(path, &about) == TULLE_OK && about.has_plan);
		check_loaded(m, p);
	} else {
		check_sentence(tulle_last_error());
		REQUIRE(m == NULL && p == NULL);
	}
	tulle_plan_destroy(p);
	tulle_matrix_destroy(m);
	accepted = tulle_matrix_read(context, path, NULL, &m) == TULLE_OK;
	if (accepted)
		check_sound(m);
	else
		check_sentence(tulle_last_error());
	tulle_matrix_destroy(m);
	if (tulle_file_describe(path, &about) == TULLE_OK && strcmp(about.layout, "tuned") == 0)
		check_others(context, path, accepted);
	tulle_context_describe(context, &held);
	REQUIRE(held.blocks_held == 0);
	tulle_context_destroy(context);
	close(fd);
	return 0;
}
