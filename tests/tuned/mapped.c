/* mapped.c -- tuned files that are mapped instead of read: the same bits and the same checks; the mapping lives as long as
 * something needs it. What is refused is tested with both in damage.c. */
#include "heap.h"
#include "tuned_support.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The system refuses to map if this is not 0. */
static int refusal;

void *real_mmap(void *at, size_t size, int rights, int flags, int fd,
                off_t from) __asm__("__real_mmap");
void *my_mmap(void *at, size_t size, int rights, int flags, int fd,
              off_t from) __asm__("__wrap_mmap");

void *my_mmap(void *at, size_t size, int rights, int flags, int fd, off_t from)
{
	if (!refusal || fd < 0)
		return real_mmap(at, size, rights, flags, fd, from);
	errno = refusal;
	return MAP_FAILED;
}

static tulle_context *context;
static const tulle_read_options mapped = { .size = sizeof mapped, .map = 1 };

/* A matrix of 5 entries in each row, for files of many pages. */
static tulle_matrix *wide_matrix(int rows)
{
	int64_t *const ptr = grab(rows + 1, sizeof *ptr);
	int32_t *const col = grab(5 * rows, sizeof *col);
	double *const val = grab(5 * rows, sizeof *val);
	const tulle_matrix_options copy = { .size = sizeof copy, .ownership = TULLE_COPY };
	tulle_matrix *a = NULL;
	uint64_t state = 7;

	for (int i = 0; i <= rows; i++)
		ptr[i] = 5 * i;
	for (int k = 0; k < 5 * rows; k++) {
		col[k] = (int32_t)random_below(&state, rows);
		val[k] = random_unit(&state);
	}
	CHECK_OK(tulle_matrix_from_csr(context, rows, rows, TULLE_I64, ptr, TULLE_I32, col, TULLE_F64,
	                               val, &copy, &a));
	free(ptr);
	free(col);
	free(val);
	return a;
}

/* Is a file of this name mapped into this process? */
static int is_mapped(const char *name)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[700];
	int found = 0;

	if (!CHECK(maps != NULL))
		return 0;
	while (fgets(line, sizeof line, maps))
		found |= strstr(line, name) != NULL;
	fclose(maps);
	return found;
}

static void save(const tulle_matrix *a, const char *format, tulle_op op, const char *path)
{
	const tulle_plan_options o = { .size = sizeof o, .format = format, .op = op };
	tulle_plan *p = NULL;

	CHECK_OK(tulle_plan_create(a, &o, &p));
	CHECK_OK(tulle_plan_save(p, path, NULL));
	tulle_plan_destroy(p);
}

/* ---- the same as a file that was read ---- */

static void check_same(const tulle_matrix *a, const char *format, tulle_op op)
{
	const char *path = file_path("same.tulle");
	tulle_csr_view v = { .size = sizeof v };
	tulle_plan_info info = { .size = sizeof info };
	tulle_matrix *read = NULL, *map = NULL;
	tulle_plan *p = NULL, *q = NULL;

	check_about("%s, op %d", format, (int)op);
	save(a, format, op, path);
	CHECK_OK(tulle_plan_load(context, path, NULL, &read, &p));
	CHECK_OK(tulle_plan_load(context, path, &mapped, &map, &q));
	CHECK(is_mapped("same.tulle"));
	CHECK(same_matrix(read, map));
	CHECK(same_products(p, q));
	CHECK_OK(tulle_plan_describe(q, &info));
	CHECK_EQUAL(info.borrows_values, 0);
	CHECK_OK(tulle_matrix_view_csr(map, &v));
	tulle_matrix_destroy(map);
	CHECK(is_mapped("same.tulle")); /* the plan holds the matrix, and that the mapping */
	CHECK(same_products(p, q));
	CHECK_OK(tulle_plan_update(q, v.col)); /* any values: here are enough readable bytes */
	CHECK_OK(tulle_plan_update(p, v.col));
	CHECK(same_products(p, q));
	tulle_plan_destroy(q);
	CHECK(!is_mapped("same.tulle"));
	tulle_plan_destroy(p);
	tulle_matrix_destroy(read);
	check_about(" ");
}

static void same_bits(void)
{
	static const char *const formats[] = { "csr", "sell", "csr5", "hyb" };
	tulle_matrix *a = wide_matrix(3000);

	for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
		for (int op = TULLE_NORMAL; op <= TULLE_TRANSPOSED; op++)
			check_same(a, formats[f], (tulle_op)op);
	tulle_matrix_destroy(a);
	check_group("the bits of a file that was read");
}

/* csr takes no memory for the arrays, not even beside a limit; other value types take some for the values. */
static void memory(void)
{
	enum { ROWS = 20000 };
	const tulle_context_options limits = { .size = sizeof limits,
		                                   .threads = 1,
		                                   .memory_limit = 200000 };
	const char *path = file_path("memory.tulle");
	tulle_read_options narrow = mapped;
	tulle_matrix_info info = { .size = sizeof info };
	tulle_matrix *a = wide_matrix(ROWS), *m = NULL;
	tulle_context *small = NULL;
	tulle_plan *p = NULL;
	char text[2000];

	save(a, "csr", TULLE_NORMAL, path);
	CHECK_OK(tulle_context_create(&limits, &small));
	CHECK_STATUS(tulle_plan_load(small, path, NULL, &m, &p), TULLE_E_LIMIT);
	CHECK_OK(tulle_plan_load(small, path, &mapped, &m, &p));
	CHECK_OK(tulle_matrix_describe(m, &info));
	CHECK(info.bytes < 10000);
	CHECK(!info.shares_offsets && !info.shares_columns && !info.shares_values);
	CHECK(tulle_plan_explain(p, text, sizeof text) < sizeof text);
	CHECK_WORDS(text, "conversion none uses the arrays of the mapped file");
	tulle_plan_destroy(p);
	tulle_matrix_destroy(m);
	narrow.value_type = TULLE_F32;
	CHECK_STATUS(tulle_matrix_read(small, path, &narrow, &m), TULLE_E_LIMIT);
	CHECK_OK(tulle_matrix_read(context, path, &narrow, &m));
	CHECK_OK(tulle_matrix_describe(m, &info));
	CHECK(info.value_type == TULLE_F32 && info.bytes < 10000 + 5 * ROWS * sizeof(float));
	CHECK_OK(tulle_plan_consume(&m, NULL, &p));
	CHECK(m == NULL && is_mapped("memory.tulle"));
	tulle_plan_destroy(p);
	CHECK(!is_mapped("memory.tulle"));
	tulle_context_destroy(small);
	tulle_matrix_destroy(a);
	check_group("memory that is not allocated");
}

/* An f32 matrix times f64 vectors is a second view of the same arrays. */
static void two_types(void)
{
	const tulle_plan_options wide = { .size = sizeof wide,
		                              .vector_type = TULLE_F64,
		                              .format = "csr" };
	tulle_read_options narrow = mapped;
	double x[4] = { 1, 1, 1, 1 }, y[3];
	tulle__csr a = small_csr();
	tulle_matrix *m = NULL;
	tulle_plan *p = NULL;
	bytes b;

	narrow.value_type = TULLE_F32;
	b = image_of(&a, "", "");
	CHECK_OK(tulle_matrix_read(context, file_put("types.tulle", b.at, b.count), &narrow, &m));
	CHECK_OK(tulle_plan_create(m, &wide, &p));
	tulle_matrix_destroy(m);
	CHECK_OK(tulle_mul_f64(p, 1, x, 0, y));
	CHECK(y[0] == 4 && y[1] == 0 && y[2] == 13.5);
	tulle_plan_destroy(p);
	CHECK(!is_mapped("types.tulle"));
	free(b.at);
	check_group("vectors of another type");
}

/* ---- files that change ---- */

/* Exit status or, negative, the signal of a child that multiplies by a mapped file after `path` was truncated. */
static int truncated_below_child(const char *path)
{
	int ready[2] = { -1, -1 }, go[2] = { -1, -1 }, status = 0;
	char byte = 0;
	pid_t child;

	CHECK(pipe(ready) == 0 && pipe(go) == 0);
	child = fork();
	if (child == 0) {
		tulle_context *own = context_for(NULL, 1, 0);
		tulle_plan *p = NULL;
		double *x = grab(20000, sizeof *x), *y = grab(20000, sizeof *y);

		signal(SIGBUS, SIG_DFL); /* sanitizers have handlers */
		memset(x, 0, 20000 * sizeof *x);
		if (tulle_plan_load(own, path, &mapped, NULL, &p) != TULLE_OK ||
		    tulle_mul_f64(p, 1, x, 0, y) != TULLE_OK || write(ready[1], "r", 1) != 1 ||
		    read(go[0], &byte, 1) != 1)
			_exit(1);
		tulle_mul_f64(p, 1, x, 0, y);
		_exit(0);
	}
	CHECK(child > 0 && read(ready[0], &byte, 1) == 1);
	CHECK(truncate(path, 4096) == 0 && write(go[1], "g", 1) == 1);
	CHECK(waitpid(child, &status, 0) == child);
	for (int n = 0; n < 2; n++) {
		close(ready[n]);
		close(go[n]);
	}
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* Mapping is for files that do not change (tulle.h). A plan that was converted does not need the file any more. */
static void truncated_files(void)
{
	const char *path = file_path("truncated.tulle");
	tulle_matrix *a = wide_matrix(20000);

	save(a, "csr", TULLE_NORMAL, path);
	CHECK_EQUAL(truncated_below_child(path), -SIGBUS);
	check_not_loaded(path, TULLE_E_MATRIX, "header: 4096 bytes copy it again");
	save(a, "sell", TULLE_NORMAL, path);
	CHECK_EQUAL(truncated_below_child(path), 0);
	tulle_matrix_destroy(a);
	check_group("a file that another process truncates");
}

/* A file that is replaced by a rename, as tulle does, keeps its old contents. */
static void replaced_files(void)
{
	const char *path = file_path("replaced.tulle");
	tulle_matrix *a = wide_matrix(2000), *b = wide_matrix(300), *m = NULL;

	CHECK_OK(tulle_matrix_write(a, path, NULL));
	CHECK_OK(tulle_matrix_read(context, path, &mapped, &m));
	CHECK_OK(tulle_matrix_write(b, path, NULL));
	CHECK(same_matrix(a, m));
	CHECK_OK(tulle_matrix_write(m, path, NULL));
	tulle_matrix_destroy(m);
	CHECK_OK(tulle_matrix_read(context, path, &mapped, &m));
	CHECK(same_matrix(a, m));
	tulle_matrix_destroy(m);
	tulle_matrix_destroy(a);
	tulle_matrix_destroy(b);
	check_group("files that are replaced, by themselves as well");
}

/* ---- failures ---- */

static void other_files(void)
{
	tulle_matrix *m = NULL;

	CHECK_STATUS(
	    tulle_matrix_read(
	        context,
	        file_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n"),
	        &mapped, &m),
	    TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "a.mtx: options.map tuned files only");
	CHECK(m == NULL);
	check_refused(file_path("absent.mtx"), &mapped, TULLE_E_IO, "absent.mtx: No such file");
	check_refused(file_path("absent.tulle"), &mapped, TULLE_E_IO, "absent.tulle: No such file");
	check_refused(file_path(""), &mapped, TULLE_E_IO, "directory");
	check_group("files of other kinds, and none");
}

static void check_refusal(const char *path, int error, tulle_status status, const char *words)
{
	tulle_matrix *m = NULL;

	refusal = error;
	CHECK_STATUS(tulle_matrix_read(context, path, &mapped, &m), status);
	CHECK_WORDS(tulle_last_error(), words);
	CHECK(m == NULL);
	refusal = 0;
}

static void refusals(void)
{
	const tulle__csr a = small_csr();
	bytes b = image_of(&a, "", "");
	const char *path = file_put("small.tulle", b.at, b.count);

	check_refusal(path, ENOMEM, TULLE_E_MEMORY, "small.tulle: mapping: memory");
	check_refusal(path, ENODEV, TULLE_E_IO, "small.tulle: mapping: device");
	check_refusal(path, 9999, TULLE_E_IO, "small.tulle: mapping: 9999");
	free(b.at);
	check_group("systems that do not map");
}

static void no_memory(void)
{
	const tulle_context_options how = {
		.size = sizeof how, .threads = 1, .alloc = heap_alloc, .free = heap_free, .user = &heap
	};
	const tulle__csr a = small_csr();
	bytes b = image_of(&a, "", good_plan);
	const char *path = file_put("refused.tulle", b.at, b.count);
	tulle_status s = TULLE_E_MEMORY;
	tulle_context *own = NULL;
	long k;

	CHECK_OK(tulle_context_create(&how, &own));
	for (k = 1; k < 100 && s != TULLE_OK; k++) {
		const long before = atomic_load(&heap.live_blocks);
		tulle_plan *p = NULL;

		atomic_store(&heap.asked, 0);
		heap.fail_at = k;
		s = tulle_plan_load(own, path, &mapped, NULL, &p);
		heap.fail_at = 0;
		CHECK(s == TULLE_OK || s == TULLE_E_MEMORY);
		CHECK((p != NULL) == (s == TULLE_OK) && is_mapped("refused.tulle") == (s == TULLE_OK));
		tulle_plan_destroy(p);
		CHECK_EQUAL(atomic_load(&heap.live_blocks), before);
	}
	CHECK(k > 4 && k < 100 && !is_mapped("refused.tulle"));
	tulle_context_destroy(own);
	free(b.at);
	check_group("each of %ld allocations refused", k - 2);
}

int main(void)
{
	context = context_for(NULL, 0, 0);
	truncated_files();
	same_bits();
	memory();
	two_types();
	replaced_files();
	other_files();
	refusals();
	no_memory();
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	return check_end();
}
