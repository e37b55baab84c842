/* tuned_support.c -- tuned files of a test: made byte by byte, and compared with what was saved. */
#include "tuned_support.h"

#include "csr/csr_matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const good_plan = "format=csr:kernel=auto,transpose=auto\nop=normal\nway=as is\n"
                              "multiplies=500\nvectors=1\nordered=0\nlossy=0\nseconds=0.25\n"
                              "why=it is small\n";

const int32_t small_row_ptr[4] = { 0, 2, 2, 5 }, small_col[5] = { 0, 3, 1, 2, 3 };
const double small_val[5] = { 1.5, 2.5, 3.5, 4.5, 5.5 };

tulle__csr small_csr(void)
{
	return (tulle__csr){ 3,         4,        5, TULLE_I32, TULLE_I32, TULLE_F64, small_row_ptr,
		                 small_col, small_val };
}

bytes image_of(const tulle__csr *a, const char *comment, const char *plan)
{
	static const char zeros[TULLE__TUNED_ALIGN];
	const void *const from[] = { comment, plan, a->row_ptr, a->col, a->val };
	const tulle__tuned_header h = tulle__tuned_lay_out(a, strlen(comment), strlen(plan));
	bytes b = { 0 };

	bytes_add(&b, &h, sizeof h);
	for (int n = 0; n < TULLE__TUNED_SECTIONS; n++) {
		bytes_add(&b, zeros, (size_t)h.section[n].begin - b.count);
		if (h.section[n].bytes > 0)
			bytes_add(&b, from[n], (size_t)h.section[n].bytes);
	}
	return b;
}

static void check_not_loaded_by(const tulle_read_options *o, const char *path, tulle_status status,
                                const char *words)
{
	tulle_context *context = context_for(NULL, 1, 0);
	tulle_matrix *m = (tulle_matrix *)&context;
	tulle_plan *p = (tulle_plan *)&context;

	CHECK_STATUS(tulle_plan_load(context, path, o, &m, &p), status);
	CHECK_WORDS(tulle_last_error(), words);
	CHECK(m == NULL && p == NULL);
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
}

void check_not_loaded(const char *path, tulle_status status, const char *words)
{
	const tulle_read_options mapped = { .size = sizeof mapped, .map = 1 };

	check_not_loaded_by(NULL, path, status, words);
	check_not_loaded_by(&mapped, path, status, words);
}

int same_products(const tulle_plan *p, const tulle_plan *q)
{
	tulle_plan_info a = { .size = sizeof a }, b = { .size = sizeof b };
	uint64_t state = 42;
	size_t size;
	void *x, *y, *z;
	int same;

	CHECK_OK(tulle_plan_describe(p, &a));
	CHECK_OK(tulle_plan_describe(q, &b));
	if (!CHECK(a.rows == b.rows && a.cols == b.cols && a.value_type == b.value_type &&
	           a.vector_type == b.vector_type))
		return 0;
	size = value_size(a.vector_type);
	x = grab(a.cols + 1, size);
	y = grab(a.rows + 1, size);
	z = grab(a.rows + 1, size);
	for (int64_t j = 0; j < a.cols; j++)
		value_set(a.vector_type, x, j, random_unit(&state));
	for (int64_t i = 0; i < a.rows; i++)
		value_set(a.vector_type, y, i, random_unit(&state));
	memcpy(z, y, (size_t)a.rows * size);
	CHECK_OK(mul(p, a.vector_type, 1.5, x, -.5, y));
	CHECK_OK(mul(q, a.vector_type, 1.5, x, -.5, z));
	same = memcmp(y, z, (size_t)a.rows * size) == 0;
	free(x);
	free(y);
	free(z);
	return same;
}

int same_matrix(const tulle_matrix *a, const tulle_matrix *b)
{
	tulle_csr_view v = { .size = sizeof v }, w = { .size = sizeof w };
	int same;

	CHECK_OK(tulle_matrix_view_csr(a, &v));
	CHECK_OK(tulle_matrix_view_csr(b, &w));
	same = v.rows == w.rows && v.cols == w.cols && v.nnz == w.nnz && v.value_type == w.value_type &&
	       (!v.val == !w.val || v.nnz == 0);
	for (int64_t i = 0; same && i <= v.rows; i++)
		same = tulle__index_at(v.row_ptr, v.offset_type, i) ==
		       tulle__index_at(w.row_ptr, w.offset_type, i);
	for (int64_t k = 0; same && k < v.nnz; k++)
		same = tulle__index_at(v.col, v.column_type, k) == tulle__index_at(w.col, w.column_type, k);
	return same && (!v.val || v.nnz == 0 ||
	                memcmp(v.val, w.val, (size_t)v.nnz * value_size(v.value_type)) == 0);
}

void remove_parts(const char *path)
{
	char command[600];

	snprintf(command, sizeof command, "rm -f '%s'.*.part", path);
	CHECK_EQUAL(system(command), 0);
}
