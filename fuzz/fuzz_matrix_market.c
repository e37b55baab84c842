/* fuzz_matrix_market.c -- any bytes are a matrix file: refused with a sentence, or a sound matrix.
 *
 * The bytes go through the public call, as a file in memory, so unpacking and archives are reached
 * too. A matrix that comes out is checked to the last index. */
#include "fuzz.h"
#include "tulle.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int64_t index_at(const void *array, tulle_index_type type, int64_t k)
{
	return type == TULLE_I32 ? ((const int32_t *)array)[k] : ((const int64_t *)array)[k];
}

static volatile double seen; /* keeps the values' reads */

static void check_sound(const tulle_matrix *a)
{
	tulle_csr_view v = { .size = sizeof v };
	double sum = 0;

	REQUIRE(tulle_matrix_view_csr(a, &v) == TULLE_OK);
	REQUIRE(index_at(v.row_ptr, v.offset_type, 0) == 0);
	REQUIRE(index_at(v.row_ptr, v.offset_type, v.rows) == v.nnz);
	for (int64_t i = 0; i < v.rows; i++)
		REQUIRE(index_at(v.row_ptr, v.offset_type, i) <= index_at(v.row_ptr, v.offset_type, i + 1));
	for (int64_t k = 0; k < v.nnz; k++) {
		const int64_t j = index_at(v.col, v.column_type, k);

		REQUIRE(j >= 0 && j < v.cols);
		if (v.val)
			sum += v.value_type == TULLE_F32 ? (double)((const float *)v.val)[k]
			                                 : ((const double *)v.val)[k];
	}
	seen = sum;
}

/* Nothing of a message may steer a terminal. */
static void check_sentence(const char *text)
{
	REQUIRE(*text);
	for (; *text; text++)
		REQUIRE((unsigned char)*text >= 0x20 && *text != 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Little memory: large row counts only cost time here. */
	const tulle_context_options limits = { .size = sizeof limits,
		                                   .threads = 1,
		                                   .memory_limit = (size_t)2 << 20 };
	const tulle_read_options read_options = { .size = sizeof read_options,
		                                      .value_type = size % 2 ? TULLE_F32 : TULLE_F64,
		                                      .real_part = 1 };
	tulle_file_info about = { .size = sizeof about };
	tulle_context_info held = { .size = sizeof held };
	tulle_context *context;
	tulle_matrix *a = NULL;
	char path[40];
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);

	REQUIRE(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	REQUIRE(tulle_context_create(&limits, &context) == TULLE_OK);
	if (tulle_matrix_read(context, path, &read_options, &a) == TULLE_OK) {
		REQUIRE(tulle_file_describe(path, &about) == TULLE_OK);
		check_sound(a);
		tulle_matrix_destroy(a);
	} else {
		check_sentence(tulle_last_error());
		REQUIRE(a == NULL);
	}
	tulle_context_describe(context, &held);
	REQUIRE(held.blocks_held == 0);
	tulle_context_destroy(context);
	close(fd);
	return 0;
}
