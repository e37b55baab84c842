/* real_parts.c -- the real parts of complex tuned files, and real tuned files as complex ones: what text files give; read,
 * mapped, by rows and with a plan. */
#include "tuned_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tulle_context *context;

/* Numbers that f32 holds, also those of c64. */
static const double wide[10] = { 1.5, 9, -2.5, -9, 0, 9, -0.0, 9, 3.25, 9 };
static const float narrow[10] = { 1.5f, 9, -2.5f, -9, 0, 9, -0.0f, 9, 3.25f, 9 };

/* 3 x 4 with 5 entries of this type; `val` may be NULL. */
static const char *put(tulle_value_type type, const void *val, const char *plan)
{
	tulle__csr a = small_csr();
	const char *path;
	bytes b;

	a.value_type = type;
	a.val = val;
	b = image_of(&a, "", plan);
	path = file_put("complex.tulle", b.at, b.count);
	free(b.at);
	return path;
}

/* Entries first .. of the file, as their real parts: the same bits. */
static void check_view(const tulle_matrix *m, tulle_value_type type, int64_t first, int64_t nnz)
{
	tulle_csr_view v = { .size = sizeof v };

	CHECK_OK(tulle_matrix_view_csr(m, &v));
	if (!CHECK_EQUAL(v.value_type, type) || !CHECK_EQUAL(v.nnz, nnz))
		return;
	for (int64_t k = 0; k < nnz; k++)
		CHECK_THAT(memcmp((const char *)v.val + (size_t)k * value_size(type),
		                  type == TULLE_F32 ? (const void *)&narrow[2 * (first + k)]
		                                    : (const void *)&wide[2 * (first + k)],
		                  value_size(type)) == 0,
		           "val[%d] is %g", (int)k, value_at(type, v.val, k));
}

/* ---- each pair of types ---- */

static void check_types(tulle_value_type from, tulle_value_type to, tulle_value_type want)
{
	const char *path = put(from, from == TULLE_C64 ? (const void *)narrow : wide, good_plan);
	tulle_read_options how = { .size = sizeof how, .value_type = to, .real_part = 1 };
	tulle_matrix *m = NULL;
	tulle_plan *p = NULL;

	check_about("type %d as %d", (int)from, (int)to);
	for (how.map = 0; how.map < 2; how.map++) {
		if (CHECK_OK(tulle_matrix_read(context, path, &how, &m)))
			check_view(m, want, 0, 5);
		tulle_matrix_destroy(m);
		if (CHECK_OK(tulle_plan_load(context, path, &how, &m, &p)))
			check_view(m, want, 0, 5);
		tulle_plan_destroy(p);
		tulle_matrix_destroy(m);
	}
	how.map = 0;
	if (CHECK_OK(tulle_matrix_read_rows(context, path, 1, 3, &how, &m)))
		check_view(m, want, 2, 3);
	tulle_matrix_destroy(m);
	how.real_part = 0;
	if (to != 0) {
		CHECK_STATUS(tulle_matrix_read(context, path, &how, &m), TULLE_E_UNSUPPORTED);
		CHECK_WORDS(tulle_last_error(), "complex.tulle: val: cannot be read as");
		CHECK_STATUS(tulle_matrix_read_rows(context, path, 1, 3, &how, &m), TULLE_E_UNSUPPORTED);
	}
	check_about(" ");
}

static void types(void)
{
	for (int from = TULLE_C64; from <= TULLE_C128; from++) {
		check_types((tulle_value_type)from, 0, from == TULLE_C64 ? TULLE_F32 : TULLE_F64);
		for (int to = TULLE_F32; to <= TULLE_F64; to++)
			check_types((tulle_value_type)from, (tulle_value_type)to, (tulle_value_type)to);
	}
	check_group("real parts of c64 and c128 as f32 and f64");
}

/* ---- what real_part leaves as it is ---- */

static void check_kept(const char *path, tulle_value_type to, tulle_value_type want)
{
	const tulle_read_options how = { .size = sizeof how, .value_type = to, .real_part = 1 };
	tulle_csr_view v = { .size = sizeof v };
	tulle_matrix *m = NULL;

	if (!CHECK_OK(tulle_matrix_read(context, path, &how, &m)))
		return;
	CHECK_OK(tulle_matrix_view_csr(m, &v));
	CHECK_EQUAL(v.value_type, want);
	if (want == TULLE_C128)
		CHECK(memcmp(v.val, wide, sizeof wide) == 0);
	else if (v.val)
		CHECK(value_at(want, v.val, 4) == 5.5);
	tulle_matrix_destroy(m);
}

static void others(void)
{
	check_kept(put(TULLE_C128, wide, ""), TULLE_C128, TULLE_C128);
	check_kept(put(TULLE_C64, narrow, ""), TULLE_C128, TULLE_C128);
	check_kept(put(TULLE_F64, small_val, ""), 0, TULLE_F64);
	check_kept(put(TULLE_F64, small_val, ""), TULLE_F32, TULLE_F32);
	check_kept(put(TULLE_C64, NULL, ""), 0, TULLE_F32);
	check_kept(put(TULLE_C128, NULL, ""), TULLE_F64, TULLE_F64);
	check_group("complex types, real files and files without values");
}

/* ---- real files as complex ones ---- */

/* Numbers that f32 holds, also with the sign of a zero. */
static const double wide_real[5] = { 1.5, -2.5, 0, -0.0, 3.25 };
static const float narrow_real[5] = { 1.5f, -2.5f, 0, -0.0f, 3.25f };

/* Entries first .. of the file; imaginary parts are 0. */
static void check_complex_view(const tulle_matrix *m, tulle_value_type type, int64_t first,
                               int64_t nnz)
{
	const float narrow_want[10] = { 1.5f, 0, -2.5f, 0, 0, 0, -0.0f, 0, 3.25f, 0 };
	const double wide_want[10] = { 1.5, 0, -2.5, 0, 0, 0, -0.0, 0, 3.25, 0 };
	const void *want =
	    type == TULLE_C64 ? (const void *)&narrow_want[2 * first] : &wide_want[2 * first];
	tulle_csr_view v = { .size = sizeof v };

	CHECK_OK(tulle_matrix_view_csr(m, &v));
	CHECK_EQUAL(v.value_type, type);
	CHECK_EQUAL(v.nnz, nnz);
	CHECK(memcmp(v.val, want, (size_t)nnz * value_size(type)) == 0);
}

/* x is (1, i) in turn: row 0 has the columns 0 and 3. */
static void check_complex_product(const tulle_plan *p, tulle_value_type type)
{
	const tulle_c64 narrow_x[4] = { { 1, 0 }, { 0, 1 }, { 1, 0 }, { 0, 1 } };
	const tulle_c128 wide_x[4] = { { 1, 0 }, { 0, 1 }, { 1, 0 }, { 0, 1 } };
	tulle_c64 narrow_y[3];
	tulle_c128 y[3];

	if (type == TULLE_C64) {
		CHECK_OK(tulle_mul_c64(p, (tulle_c64){ 1, 0 }, narrow_x, (tulle_c64){ 0, 0 }, narrow_y));
		y[0] = (tulle_c128){ narrow_y[0].re, narrow_y[0].im };
	} else {
		CHECK_OK(tulle_mul_c128(p, (tulle_c128){ 1, 0 }, wide_x, (tulle_c128){ 0, 0 }, y));
	}
	CHECK_THAT(y[0].re == 1.5 && y[0].im == -2.5, "%g + %g i", y[0].re, y[0].im);
}

static void check_widened(tulle_value_type from, tulle_value_type to)
{
	const char *path =
	    put(from, from == TULLE_F32 ? (const void *)narrow_real : wide_real, good_plan);
	tulle_read_options how = { .size = sizeof how, .value_type = to };
	tulle_matrix *m = NULL;
	tulle_plan *p = NULL;

	check_about("type %d as %d", (int)from, (int)to);
	for (how.map = 0; how.map < 2; how.map++) {
		if (CHECK_OK(tulle_matrix_read(context, path, &how, &m)))
			check_complex_view(m, to, 0, 5);
		tulle_matrix_destroy(m);
		if (CHECK_OK(tulle_plan_load(context, path, &how, &m, &p))) {
			check_complex_view(m, to, 0, 5);
			check_complex_product(p, to);
		}
		tulle_plan_destroy(p);
		tulle_matrix_destroy(m);
	}
	how.map = 0;
	how.real_part = 1; /* which is for real types */
	if (CHECK_OK(tulle_matrix_read_rows(context, path, 1, 3, &how, &m)))
		check_complex_view(m, to, 2, 3);
	tulle_matrix_destroy(m);
	check_about(" ");
}

/* The format of the plan has no complex kernels: the matrix can be read, and planned anew. */
static void check_plan_refused(void)
{
	const tulle_read_options how = { .size = sizeof how, .value_type = TULLE_C128 };
	const char *path =
	    put(TULLE_F64, wide_real,
	        "format=csr2\nop=normal\nway=as is\nmultiplies=500\nvectors=1\nordered=0\n"
	        "lossy=0\nseconds=0.25\nwhy=it is small\n");
	tulle_matrix *m = NULL;
	tulle_plan *p = NULL;

	CHECK_STATUS(tulle_plan_load(context, path, &how, &m, &p), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "complex.tulle: plan: csr2 kernel");
	CHECK(m == NULL && p == NULL);
	CHECK_OK(tulle_matrix_read(context, path, &how, &m));
	tulle_matrix_destroy(m);
}

static void widened(void)
{
	for (int from = TULLE_F32; from <= TULLE_F64; from++)
		for (int to = TULLE_C64; to <= TULLE_C128; to++)
			check_widened((tulle_value_type)from, (tulle_value_type)to);
	check_plan_refused();
	check_group("f32 and f64 as c64 and c128");
}

/* ---- as text files ---- */

/* A Hermitian file gives a symmetric matrix. */
static void text(void)
{
	const char *const hermitian = "%%MatrixMarket matrix coordinate complex hermitian\n3 3 4\n"
	                              "1 1 1 0\n2 1 0.1 4\n3 2 -7 1e300\n3 3 5 0\n";
	const char *const path = file_path("hermitian.tulle");
	tulle_read_options how = { .size = sizeof how, .value_type = TULLE_C128 };
	tulle_matrix *a = NULL, *b = NULL;

	CHECK_OK(tulle_matrix_read(context, file_text("h.mtx", hermitian), &how, &a));
	CHECK_OK(tulle_matrix_write(a, path, NULL));
	tulle_matrix_destroy(a);
	how.real_part = 1;
	for (int type = 0; type <= (int)TULLE_F64; type++) {
		how.value_type = (tulle_value_type)type;
		CHECK_OK(tulle_matrix_read(context, file_text("h.mtx", hermitian), &how, &a));
		CHECK_OK(tulle_matrix_read(context, path, &how, &b));
		CHECK_THAT(same_matrix(a, b), "type %d", type);
		tulle_matrix_destroy(a);
		tulle_matrix_destroy(b);
	}
	check_group("the matrix of a text file");
}

/* Imaginary parts may be too large for f32, real parts not. */
static void large(void)
{
	const double val[10] = { 1, 1e300, 2, -1e300, 3, 1e300, 4, 0, 1e300, 0 };
	tulle_read_options how = { .size = sizeof how, .value_type = TULLE_F32, .real_part = 1 };
	tulle_matrix *m = NULL;

	for (how.map = 0; how.map < 2; how.map++) {
		CHECK_STATUS(tulle_matrix_read(context, put(TULLE_C128, val, ""), &how, &m),
		             TULLE_E_MATRIX);
		CHECK_WORDS(tulle_last_error(), "complex.tulle: val: val[4] = 1e+300 f32");
		CHECK(m == NULL);
	}
	how.map = 0;
	CHECK_OK(tulle_matrix_read_rows(context, put(TULLE_C128, val, ""), 0, 1, &how, &m));
	tulle_matrix_destroy(m);
	how.value_type = TULLE_C64;
	CHECK_STATUS(tulle_matrix_read(
	                 context, put(TULLE_F64, (const double[5]){ 1, 2, 3, 1e300, 5 }, ""), &how, &m),
	             TULLE_E_MATRIX);
	CHECK_WORDS(tulle_last_error(), "complex.tulle: val: val[3] = 1e+300 c64");
	check_group("values too large for f32");
}

/* ---- plans ---- */

/* A plan for A^H becomes one for A^T, in the same way. */
static void check_adjoint(const char *format, const char *way)
{
	const tulle_c128 val[] = { { 1, 0 }, { 3, 4 }, { 3, -4 }, { 2, 0 } };
	const int32_t ptr[] = { 0, 2, 4 }, col[] = { 0, 1, 0, 1 };
	const tulle__csr a = { 2, 2, 4, TULLE_I32, TULLE_I32, TULLE_C128, ptr, col, val };
	const tulle_read_options how = { .size = sizeof how, .real_part = 1 };
	const double x[] = { 1, 10 };
	tulle_plan_info info = { .size = sizeof info };
	double y[2] = { 0, 0 };
	tulle_plan *p = NULL;
	char plan[300];
	bytes b;

	check_about("%s", format);
	snprintf(plan, sizeof plan,
	         "format=%s\nop=conjugate\nway=%s\nmultiplies=500\nvectors=1\nordered=0\nlossy=0\n"
	         "seconds=0.25\nwhy=it is small\n",
	         format, way);
	b = image_of(&a, "", plan);
	if (CHECK_OK(
	        tulle_plan_load(context, file_put("adjoint.tulle", b.at, b.count), &how, NULL, &p))) {
		CHECK_OK(tulle_plan_describe(p, &info));
		CHECK_EQUAL(info.op, TULLE_TRANSPOSED);
		CHECK_THAT(strcmp(info.format, format) == 0 && strcmp(info.way, way) == 0, "%s, %s",
		           info.format, info.way);
		CHECK_OK(tulle_mul_f64(p, 1, x, 0, y));
		CHECK_THAT(y[0] == 31 && y[1] == 23, "%g, %g", y[0], y[1]);
	}
	tulle_plan_destroy(p);
	free(b.at);
	check_about(" ");
}

static void plans(void)
{
	check_adjoint("csr", "built");
	check_adjoint("sell", "built");
	check_adjoint("sym", "built");
	check_adjoint("sym", "as is");
	check_group("plans for A^H");
}

int main(void)
{
	context = context_for(NULL, 0, 0);
	types();
	others();
	widened();
	text();
	large();
	plans();
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	return check_end();
}
