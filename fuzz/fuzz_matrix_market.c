/* fuzz_matrix_market.c -- any bytes are a matrix file: refused with a sentence, or a sound matrix.
 *
 * The bytes go through the public call, as a file in memory, so unpacking and archives are reached
 * too. A matrix that comes out is checked to the last index, converted to every format and back, and
 * multiplied when its vectors are short. */
#include "fuzz.h"
#include "sound.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- every format ---- */

enum { LONGEST = 1 << 12 }; /* of the vectors that are multiplied */

static void check_product(const tulle_plan *plan, const tulle_csr_view *v, int transposed)
{
	const int64_t rows = transposed ? v->cols : v->rows, cols = transposed ? v->rows : v->cols;
	const size_t value = v->value_type == TULLE_F32 ? sizeof(float) : sizeof(double);
	double some = 0;

	if (cols > 0)
		REQUIRE(multiply_once(plan, v->value_type, NULL, &some) == TULLE_E_ARGUMENT);
	if (rows > 0)
		REQUIRE(multiply_once(plan, v->value_type, &some, NULL) == TULLE_E_ARGUMENT);
	if (rows <= LONGEST && cols <= LONGEST) {
		void *const x = vector(cols, value), *const y = vector(rows, value);

		REQUIRE(multiply_once(plan, v->value_type, x, y) == TULLE_OK);
		free(y);
		free(x);
	}
}

/* The planned matrix comes back with as many entries in each row. */
static void check_back(const tulle_plan *plan, const tulle_csr_view *v, int transposed)
{
	tulle_csr_view w = { .size = sizeof w };
	tulle_matrix *back = NULL;
	const tulle_status s = tulle_matrix_from_plan(plan, &back);

	REQUIRE(s == TULLE_OK || s == TULLE_E_LIMIT);
	if (s != TULLE_OK)
		return;
	check_sound(back);
	REQUIRE(tulle_matrix_view_csr(back, &w) == TULLE_OK);
	REQUIRE(w.nnz == v->nnz);
	REQUIRE(w.rows == (transposed ? v->cols : v->rows) &&
	        w.cols == (transposed ? v->rows : v->cols));
	for (int64_t i = 0; i <= v->rows && !transposed; i++)
		REQUIRE(index_at(w.row_ptr, w.offset_type, i) == index_at(v->row_ptr, v->offset_type, i));
	tulle_matrix_destroy(back);
}

/* format == NULL: as the library chooses. */
static void check_plan(const tulle_matrix *a, const char *format, tulle_op op)
{
	const tulle_plan_options options = { .size = sizeof options, .format = format, .op = op };
	tulle_plan_info info = { .size = sizeof info };
	tulle_csr_view v = { .size = sizeof v };
	const int t = op == TULLE_TRANSPOSED;
	tulle_plan *plan = NULL;
	const tulle_status s = tulle_plan_create(a, &options, &plan);

	REQUIRE(s == TULLE_OK || s == TULLE_E_LIMIT || (format && s == TULLE_E_UNSUPPORTED));
	if (s != TULLE_OK)
		return;
	REQUIRE(tulle_matrix_view_csr(a, &v) == TULLE_OK);
	REQUIRE(tulle_plan_describe(plan, &info) == TULLE_OK);
	REQUIRE((t ? info.rows : info.cols) == v.cols && (t ? info.cols : info.rows) == v.rows);
	check_product(plan, &v, t);
	check_back(plan, &v, t);
	tulle_plan_destroy(plan);
}

static void check_formats(const tulle_matrix *a)
{
	const char *format;

	for (int op = 0; op < 2; op++) {
		check_plan(a, NULL, (tulle_op)op);
		for (int n = 0; (format = tulle_formats(n)); n++)
			check_plan(a, format, (tulle_op)op);
	}
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
		check_formats(a);
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
