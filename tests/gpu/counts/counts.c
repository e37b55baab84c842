/* counts.c -- multiply on the PTX interpreter and print what each product asked of the GPU, one line of JSON each.
 *
 * Usage: test_gpu_counts [--type f32|f64] [--values KIND] [--l2 BYTES] [--keep-x] [--pattern] [--format FORMAT]... MATRIX...
 *
 * A MATRIX is gen:SPEC, as in kit_generate(), a file, or a batch: NxSPEC, several of them with + between, N problems of
 * each matrix; a SPEC with a slash is a file; its FORMAT is a kernel for batches. Without --format, all formats that the library lists are
 * counted. --pattern also prints row_ptr and col of each matrix, from which the model computes the counts. --keep-x: the L2
 * model evicts lines of other arrays than x first. alpha is 1 and beta 0. Values change only the counts of formats that compress them; KIND: uniform (at random, the default),
 * floats (the same, rounded), table (16 different ones), ones, given (those of the matrix). */
#include "ptx/counts.h"
#include "kit.h"
#include "support.h"
#include "tulle_gpu.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FORMATS = 64 };

static struct {
	tulle_value_type type;
	const char *values;
	long long l2_bytes;
	int keep_x, pattern, formats;
	char *format[MOST_FORMATS];
} wanted = { .type = TULLE_F64, .values = "uniform", .l2_bytes = 64 << 10 };

static struct {
	void (*begin)(long long l2_bytes);
	void (*keep)(unsigned long long address);
	const char *(*end)(void);
	tulle_device *device;
	tulle_queue *queue;
} gpu;

/* ---- the device ---- */

static int open_device(void)
{
	void *library;

	if (!CHECK_OK(tulle_device_open(NULL, "cuda:0", NULL, &gpu.device)) ||
	    !CHECK_OK(tulle_queue_create(gpu.device, NULL, &gpu.queue)))
		return 0;
	library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	*(void **)&gpu.begin = library ? dlsym(library, "ptx_counts_begin") : NULL;
	*(void **)&gpu.keep = library ? dlsym(library, "ptx_counts_keep") : NULL;
	*(void **)&gpu.end = library ? dlsym(library, "ptx_counts_end") : NULL;
	return CHECK_THAT(gpu.begin && gpu.keep && gpu.end, "libcuda.so.1 is not the PTX interpreter");
}

static void close_device(void)
{
	tulle_queue_destroy(gpu.queue);
	tulle_device_close(gpu.device);
}

/* ---- matrices ---- */

static int64_t index_at(const void *a, tulle_index_type type, int64_t k)
{
	return type == TULLE_I32 ? ((const int32_t *)a)[k] : ((const int64_t *)a)[k];
}

/* Value k of a kind; `given`: NULL, the matrix has none. */
static double value_of(int64_t k, double any, const double *given)
{
	switch (wanted.values[0]) {
	case 'f': return (double)(float)any;
	case 't': return (double)(k % 16 + 2);
	case 'g': return given ? given[k] : 1;
	default: return any;
	}
}

/* The same pattern with values of the wanted type and kind. */
static tulle_matrix *with_type(const tulle_csr_view *a)
{
	const tulle_matrix_options o = { .size = sizeof o, .ownership = TULLE_COPY };
	const double *const given = a->value_type == TULLE_F64 ? a->val : NULL;
	void *val = grab(a->nnz, value_size(wanted.type));
	tulle_matrix *made = NULL;

	kit_random_fill(KIT_UNIFORM, 1, wanted.type, a->nnz, val);
	for (int64_t k = 0; k < a->nnz; k++)
		value_set(wanted.type, val, k, value_of(k, value_at(wanted.type, val, k), given));
	CHECK_OK(tulle_matrix_from_csr(NULL, a->rows, a->cols, a->offset_type, a->row_ptr,
	                               a->column_type, a->col, wanted.type,
	                               wanted.values[0] == 'o' ? NULL : val, &o, &made));
	free(val);
	return made;
}

static tulle_matrix *read_matrix(const char *name)
{
	tulle_csr_view view = { .size = sizeof view };
	tulle_matrix *file = NULL, *made = NULL;
	kit_matrix m = { 0 };

	if (strncmp(name, "gen:", 4) == 0) {
		if (CHECK_THAT(kit_generate(name + 4, &m) == 0, "%s: %s", name, kit_error())) {
			view = kit_view(&m);
			made = with_type(&view);
		}
	} else if (CHECK_OK(tulle_matrix_read(NULL, name, NULL, &file)) &&
	           CHECK_OK(tulle_matrix_view_csr(file, &view))) {
		made = with_type(&view);
	}
	kit_free(&m);
	tulle_matrix_destroy(file);
	return made;
}

static void print_indices(const char *name, const void *a, tulle_index_type type, int64_t count)
{
	printf(", \"%s\": [", name);
	for (int64_t k = 0; k < count; k++)
		printf("%s%" PRId64, k > 0 ? "," : "", index_at(a, type, k));
	printf("]");
}

static void print_pattern(const char *name, const tulle_csr_view *a)
{
	printf("{\"matrix\": \"%s\", \"rows\": %" PRId64 ", \"cols\": %" PRId64, name, a->rows,
	       a->cols);
	print_indices("row_ptr", a->row_ptr, a->offset_type, a->rows + 1);
	print_indices("col", a->col, a->column_type, a->nnz);
	printf("}\n");
}

/* ---- products ---- */

static const char *type_text(void)
{
	return wanted.type == TULLE_F32 ? "f32" : "f64";
}

typedef tulle_status multiplier(const void *made, const tulle_vector *x, tulle_vector *y);

/* The counts of one product, as JSON. */
static const char *count(multiplier *multiply_by, const void *made, int64_t rows, int64_t cols)
{
	const size_t size = wanted.type == TULLE_F32 ? sizeof(float) : sizeof(double);
	void *x = grab(cols, size);
	tulle_vector *dx = NULL, *dy = NULL;
	const char *text = NULL;

	kit_random_fill(KIT_INTEGER, 3, wanted.type, cols, x);
	if (CHECK_OK(tulle_vector_create(gpu.device, wanted.type, cols, NULL, &dx)) &&
	    CHECK_OK(tulle_vector_create(gpu.device, wanted.type, rows, NULL, &dy)) &&
	    CHECK_OK(tulle_vector_write(gpu.queue, dx, 0, cols, x)) &&
	    CHECK_OK(tulle_queue_finish(gpu.queue))) {
		gpu.begin(wanted.l2_bytes);
		if (wanted.keep_x)
			gpu.keep((uintptr_t)tulle_vector_native(dx));
		CHECK_OK(multiply_by(made, dx, dy));
		CHECK_OK(tulle_queue_finish(gpu.queue));
		text = gpu.end();
	}
	tulle_vector_destroy(dx);
	tulle_vector_destroy(dy);
	free(x);
	return text;
}

static void print_head(const char *name, const char *format, int64_t rows, int64_t cols,
                       int64_t nnz)
{
	printf("{\"matrix\": \"%s\", \"type\": \"%s\", \"values\": \"%s\", \"format\": \"%s\", "
	       "\"rows\": %" PRId64 ", \"cols\": %" PRId64 ", \"nnz\": %" PRId64,
	       name, type_text(), wanted.values, format, rows, cols, nnz);
}

static void print_counts(const char *note, const char *text)
{
	printf(", \"note\": \"%s\", %s}\n", note, text ? text : "\"failed\": true");
}

static tulle_status mul_plan(const void *made, const tulle_vector *x, tulle_vector *y)
{
	return tulle_device_mul(made, gpu.queue, 1, x, 0, y);
}

/* A format may refuse the matrix because of its padding: that is printed and is not a failure. */
static void count_format(const char *name, const tulle_matrix *m, const tulle_csr_view *a,
                         const char *format)
{
	const tulle_device_plan_options o = { .size = sizeof o, .format = format };
	tulle_device_plan_info info = { .size = sizeof info };
	tulle_device_plan *plan = NULL;
	const tulle_status s = tulle_device_plan_create(gpu.device, m, &o, &plan);

	print_head(name, format, a->rows, a->cols, a->nnz);
	if (s == TULLE_E_UNSUPPORTED)
		printf(", \"refused\": true}\n");
	else if (CHECK_OK(s) && CHECK_OK(tulle_device_plan_describe(plan, &info)))
		print_counts(info.note, count(mul_plan, plan, a->rows, a->cols));
	tulle_device_plan_destroy(plan);
}

static void count_matrix(const char *name)
{
	tulle_device_format_info f = { .size = sizeof f };
	tulle_csr_view a = { .size = sizeof a };
	tulle_matrix *m = read_matrix(name);

	if (m && CHECK_OK(tulle_matrix_view_csr(m, &a))) {
		if (wanted.pattern)
			print_pattern(name, &a);
		for (int n = 0; n < wanted.formats; n++)
			count_format(name, m, &a, wanted.format[n]);
		for (int n = 0; wanted.formats == 0 && tulle_device_format(n, &f); n++)
			if (f.width <= 32)
				count_format(name, m, &a, f.format);
	}
	tulle_matrix_destroy(m);
}

/* ---- batches ---- */

enum { MOST_PARTS = 16 };

/* Matrices of which a batch has `copies` each, and the packed arrays of all problems. */
typedef struct {
	int parts;
	int64_t copies[MOST_PARTS];
	kit_matrix m[MOST_PARTS];
	int64_t count, all_rows, all_cols, nnz;
	int64_t *rows, *cols, *row_ptr;
	int32_t *col;
	void *val;
} batch;

static int read_file(const char *path, kit_matrix *out)
{
	tulle_csr_view a = { .size = sizeof a };
	tulle_matrix *file = NULL;
	const int right = CHECK_OK(tulle_matrix_read(NULL, path, NULL, &file)) &&
	                  CHECK_OK(tulle_matrix_view_csr(file, &a));

	if (right) {
		*out = (kit_matrix){ .rows = a.rows, .cols = a.cols, .nnz = a.nnz };
		out->row_ptr = grab(a.rows + 1, sizeof *out->row_ptr);
		out->col = grab(a.nnz, sizeof *out->col);
		for (int64_t i = 0; i <= a.rows; i++)
			out->row_ptr[i] = index_at(a.row_ptr, a.offset_type, i);
		for (int64_t k = 0; k < a.nnz; k++)
			out->col[k] = (int32_t)index_at(a.col, a.column_type, k);
	}
	tulle_matrix_destroy(file);
	return right;
}

static int read_part(const char *spec, kit_matrix *out)
{
	return strchr(spec, '/')
	           ? read_file(spec, out)
	           : CHECK_THAT(kit_generate(spec, out) == 0, "%s: %s", spec, kit_error());
}

static int read_batch(const char *name, batch *b)
{
	char part[512];

	*b = (batch){ .parts = 0 };
	while (*name && b->parts < MOST_PARTS) {
		const size_t length = strcspn(name, "+");
		char *spec;

		snprintf(part, sizeof part, "%.*s", (int)length, name);
		b->copies[b->parts] = strtoll(part, &spec, 10);
		if (!CHECK_THAT(*spec == 'x', "%s: not a number, x and a matrix", part) ||
		    !read_part(spec + 1, &b->m[b->parts]))
			return 0;
		b->count += b->copies[b->parts];
		b->all_rows += b->copies[b->parts] * b->m[b->parts].rows;
		b->all_cols += b->copies[b->parts] * b->m[b->parts].cols;
		b->nnz += b->copies[b->parts] * b->m[b->parts].nnz;
		b->parts++;
		name += length + (name[length] == '+');
	}
	return 1;
}

/* The matrices in turn, so that neighbouring problems differ. */
static void pack_batch(batch *b)
{
	int64_t at = 0, row = 0, k = 0;

	b->rows = grab(b->count, sizeof *b->rows);
	b->cols = grab(b->count, sizeof *b->cols);
	b->row_ptr = grab(b->all_rows + b->count, sizeof *b->row_ptr);
	b->col = grab(b->nnz, sizeof *b->col);
	b->val = grab(b->nnz, value_size(wanted.type));
	kit_random_fill(KIT_UNIFORM, 1, wanted.type, b->nnz, b->val);
	for (int64_t turn = 0; at < b->count; turn++)
		for (int n = 0; n < b->parts; n++)
			if (turn < b->copies[n]) {
				const kit_matrix *m = &b->m[n];

				b->rows[at] = m->rows;
				b->cols[at++] = m->cols;
				memcpy(b->row_ptr + row, m->row_ptr, (size_t)(m->rows + 1) * sizeof *m->row_ptr);
				memcpy(b->col + k, m->col, (size_t)m->nnz * sizeof *m->col);
				row += m->rows + 1;
				k += m->nnz;
			}
}

static void free_batch(batch *b)
{
	for (int n = 0; n < b->parts; n++)
		kit_free(&b->m[n]);
	free(b->rows);
	free(b->cols);
	free(b->row_ptr);
	free(b->col);
	free(b->val);
}

static tulle_status mul_batch(const void *made, const tulle_vector *x, tulle_vector *y)
{
	return tulle_device_batch_mul(made, gpu.queue, 1, x, 0, y);
}

static void count_kernel(const char *name, const batch *b, const char *kernel)
{
	const tulle_batch_source s = { .size = sizeof s,
		                           .count = b->count,
		                           .rows = b->rows,
		                           .cols = b->cols,
		                           .offset_type = TULLE_I64,
		                           .column_type = TULLE_I32,
		                           .value_type = wanted.type,
		                           .row_ptr = b->row_ptr,
		                           .col = b->col,
		                           .val = b->val };
	const tulle_device_batch_options o = { .size = sizeof o, .kernel = kernel };
	tulle_device_batch_info info = { .size = sizeof info };
	tulle_device_batch *made = NULL;

	if (CHECK_OK(tulle_device_batch_create(gpu.device, &s, &o, &made)) &&
	    CHECK_OK(tulle_device_batch_describe(made, &info))) {
		print_head(name, kernel, b->all_rows, b->all_cols, b->nnz);
		print_counts(info.note, count(mul_batch, made, b->all_rows, b->all_cols));
	}
	tulle_device_batch_destroy(made);
}

static void count_batch(const char *name)
{
	tulle_device_batch_kernel_info k = { .size = sizeof k };
	batch b;

	if (read_batch(name, &b)) {
		pack_batch(&b);
		for (int n = 0; n < wanted.formats; n++)
			count_kernel(name, &b, wanted.format[n]);
		for (int n = 0; wanted.formats == 0 && tulle_device_batch_kernel(n, &k); n++)
			count_kernel(name, &b, k.kernel);
	}
	free_batch(&b);
}

/* Returns the number of the first matrix. */
static int read_arguments(int argc, char **argv)
{
	int n = 1;

	for (; n < argc && strncmp(argv[n], "--", 2) == 0; n++) {
		if (strcmp(argv[n], "--pattern") == 0)
			wanted.pattern = 1;
		else if (strcmp(argv[n], "--keep-x") == 0)
			wanted.keep_x = 1;
		else if (strcmp(argv[n], "--type") == 0 && n + 1 < argc)
			wanted.type = strcmp(argv[++n], "f32") == 0 ? TULLE_F32 : TULLE_F64;
		else if (strcmp(argv[n], "--values") == 0 && n + 1 < argc)
			wanted.values = argv[++n];
		else if (strcmp(argv[n], "--l2") == 0 && n + 1 < argc)
			wanted.l2_bytes = atoll(argv[++n]);
		else if (strcmp(argv[n], "--format") == 0 && n + 1 < argc && wanted.formats < MOST_FORMATS)
			wanted.format[wanted.formats++] = argv[++n];
		else
			CHECK_THAT(0, "%s: not understood", argv[n]);
	}
	return n;
}

int main(int argc, char **argv)
{
	const int first = read_arguments(argc, argv);

	CHECK_THAT(first < argc, "no matrix");
	if (open_device())
		for (int n = first; n < argc; n++) {
			if (argv[n][0] >= '1' && argv[n][0] <= '9')
				count_batch(argv[n]);
			else
				count_matrix(argv[n]);
		}
	close_device();
	return check_end();
}
