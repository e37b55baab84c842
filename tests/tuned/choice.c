/* choice.c -- the choice of a plan as text, where no file can take it: matrices with lists, of blocks, of one triangle,
 * of 16-bit values, other copies of the arrays; and texts that are refused. tuned.kept has all formats. */
#include "tuned_support.h"

#include "core/unicode.h"

#include <stdlib.h>
#include <string.h>

static tulle_context *context;

/* A plan for `a`, its choice, a plan for `b` by it: the same format and the same bits. */
static void check_moved(const char *what, const tulle_matrix *a, const tulle_matrix *b,
                        tulle_plan_options o)
{
	tulle_plan_info before = { .size = sizeof before }, after = { .size = sizeof after };
	char text[TULLE_CHOICE_BYTES];
	tulle_plan *p = NULL, *q = NULL;

	check_about("%s", what);
	o.size = sizeof o;
	CHECK_OK(tulle_plan_create(a, &o, &p));
	CHECK_OK(tulle_plan_choice(p, text));
	if (CHECK_OK(tulle_plan_from_choice(b, text, &q))) {
		CHECK_OK(tulle_plan_describe(p, &before));
		CHECK_OK(tulle_plan_describe(q, &after));
		CHECK_THAT(strcmp(before.format, after.format) == 0 && strcmp(before.way, after.way) == 0,
		           "%s became %s", before.format, after.format);
		CHECK_EQUAL(after.candidates, 0);
		CHECK(same_products(p, q));
	}
	tulle_plan_destroy(p);
	tulle_plan_destroy(q);
	check_about(" ");
}

static void lists(void)
{
	const int64_t row[] = { 5, 5, 900, 1000000 }, col[] = { 7, 70000000, 3, 7 };
	const double val[] = { 1, 2, 3, 4 };
	tulle_lists l = { .size = sizeof l };
	tulle_csr_view v = { .size = sizeof v };
	tulle_matrix *a = NULL, *b = NULL;

	CHECK_OK(tulle_matrix_from_coo_compact(context, 2000000, 80000000, 4, TULLE_I64, row, col,
	                                       TULLE_F64, val, TULLE_COMPACT_BOTH, NULL, &a));
	CHECK_OK(tulle_matrix_lists(a, &l));
	CHECK_OK(tulle_matrix_view_csr(a, &v));
	CHECK_OK(tulle_matrix_from_csr_lists(context, &l, v.offset_type, v.row_ptr, v.column_type,
	                                     v.col, v.value_type, v.val, NULL, &b));
	check_moved("lists, sell", a, b, (tulle_plan_options){ .format = "sell" });
	check_moved("lists, A^T", a, b, (tulle_plan_options){ .op = TULLE_TRANSPOSED });
	tulle_matrix_destroy(a);
	tulle_matrix_destroy(b);
	check_group("matrices with lists");
}

/* Plans for blocks go to the CSR of the same entries, and the other way round. */
static void blocks(void)
{
	const int32_t ptr[] = { 0, 1, 2 }, col[] = { 1, 0 };
	tulle_csr_view v = { .size = sizeof v };
	tulle_matrix *a = NULL, *b = NULL;
	double val[18];

	for (int k = 0; k < 18; k++)
		val[k] = k + .25;
	CHECK_OK(tulle_matrix_from_bsr(context, 2, 2, 3, 3, TULLE_ROW_MAJOR, TULLE_I32, ptr, TULLE_I32,
	                               col, TULLE_F64, val, NULL, &a));
	CHECK_OK(tulle_matrix_view_csr(a, &v));
	CHECK_OK(tulle_matrix_from_csr(context, v.rows, v.cols, v.offset_type, v.row_ptr, v.column_type,
	                               v.col, v.value_type, v.val, NULL, &b));
	check_moved("blocks to CSR", a, b, (tulle_plan_options){ .format = "bsell" });
	check_moved("CSR to blocks", b, a, (tulle_plan_options){ .format = "csr5" });
	tulle_matrix_destroy(a);
	tulle_matrix_destroy(b);
	check_group("block CSR");
}

/* A plan that was made by a text takes the values of the caller's one triangle, like any plan of its matrix. */
static void triangles(void)
{
	const int32_t ptr[] = { 0, 1, 3, 4 }, col[] = { 0, 0, 1, 2 };
	const double val[] = { 1, 2, 3, 4 }, other[] = { 5, 6, 7, 8 };
	const tulle_matrix_options symmetric = { .size = sizeof symmetric, .kind = TULLE_SYMMETRIC };
	const tulle_plan_options sell = { .size = sizeof sell, .format = "sell" };
	char text[TULLE_CHOICE_BYTES];
	tulle_matrix *a = NULL;
	tulle_plan *p = NULL, *q = NULL;

	CHECK_OK(tulle_matrix_from_csr(context, 3, 3, TULLE_I32, ptr, TULLE_I32, col, TULLE_F64, val,
	                               &symmetric, &a));
	check_moved("symmetric, sym", a, a, (tulle_plan_options){ .format = "sym" });
	CHECK_OK(tulle_plan_create(a, &sell, &p));
	CHECK_OK(tulle_plan_choice(p, text));
	CHECK_OK(tulle_plan_from_choice(a, text, &q));
	CHECK_OK(tulle_plan_update(p, other));
	CHECK_OK(tulle_plan_update(q, other));
	CHECK(same_products(p, q));
	tulle_plan_destroy(p);
	tulle_plan_destroy(q);
	tulle_matrix_destroy(a);
	check_group("one triangle, updated");
}

/* A^H of a real matrix is A^T, also where a text asks for it: vectors of a matrix with lists have the sizes of A^T. */
static void conjugate_of_real(void)
{
	const int64_t row[] = { 5, 5, 900, 1000000 }, col[] = { 7, 70, 3, 7 };
	const double val[] = { 1, 2, 3, 4 }, x[] = { 1, 10, 100 };
	double whole[80], y[3] = { 0 };
	tulle_matrix *a = NULL;
	tulle_plan *p = NULL;

	CHECK_OK(tulle_matrix_from_coo_compact(context, 2000000, 80, 4, TULLE_I64, row, col, TULLE_F64,
	                                       val, TULLE_COMPACT_BOTH, NULL, &a));
	CHECK_OK(
	    tulle_plan_from_choice(a,
	                           "format=sell\nop=conjugate\nway=built\nmultiplies=1\nvectors=1\n"
	                           "ordered=0\nlossy=0\nseconds=0\nwhy=a test\n",
	                           &p));
	CHECK_OK(tulle_mul_f64(p, 1, x, 0, y));
	CHECK(y[0] == 30 && y[1] == 401 && y[2] == 2);
	memset(whole, 0, sizeof whole);
	CHECK_OK(tulle_scatter_f64(p, y, 0, whole));
	CHECK(whole[3] == 30 && whole[7] == 401 && whole[70] == 2 && whole[0] == 0);
	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
	check_group("A^H of a real matrix");
}

/* The plan for A^T has the last values, too. */
static void one_direction(void)
{
	const tulle_plan_options two = {
		.size = sizeof two, .format = "csr5", .op = TULLE_BOTH, .stores = 2
	};
	const double other[] = { 5, 6, 7, 8, 9 };
	const char *path = file_path("direction.tulle");
	tulle_matrix *a = NULL;
	tulle_plan *p = NULL, *q = NULL;

	CHECK_OK(tulle_matrix_from_csr(context, 3, 4, TULLE_I32, small_row_ptr, TULLE_I32, small_col,
	                               TULLE_F64, small_val, NULL, &a));
	for (int set = 0; set < 2; set++) {
		CHECK_OK(tulle_plan_create(a, &two, &p));
		CHECK_OK(set ? tulle_plan_set(p, 0, 3, -1) : tulle_plan_update(p, other));
		CHECK_OK(tulle_plan_save(tulle_plan_transposed(p), path, NULL));
		if (CHECK_OK(tulle_plan_load(context, path, NULL, NULL, &q)))
			CHECK(same_products(tulle_plan_transposed(p), q));
		tulle_plan_destroy(q);
		tulle_plan_destroy(p);
	}
	tulle_matrix_destroy(a);
	check_group("one direction of a plan for both");
}

/* Values of 16 bits with their default vectors, f32: no file has them. */
static void halves(void)
{
	static const char *const formats[] = { NULL, "csr", "sell", "csr5", "bsell", "sym" };
	static const tulle_value_type types[] = { TULLE_F16, TULLE_BF16 };
	/* 2 on the diagonal, 1 beside it */
	static const uint16_t val[2][7] = { { 0x4000, 0x3c00, 0x3c00, 0x4000, 0x3c00, 0x3c00, 0x4000 },
		                                { 0x4000, 0x3f80, 0x3f80, 0x4000, 0x3f80, 0x3f80,
		                                  0x4000 } };
	const int32_t ptr[] = { 0, 2, 5, 7 }, col[] = { 0, 1, 0, 1, 2, 1, 2 };

	for (int t = 0; t < 2; t++) {
		const tulle_plan_options given = { .size = sizeof given, .vector_type = TULLE_F32 },
		                         mixed = { .size = sizeof mixed, .vector_type = TULLE_F64 };
		char text[TULLE_CHOICE_BYTES];
		tulle_matrix *a = NULL;
		tulle_plan *p = NULL;

		CHECK_OK(tulle_matrix_from_csr(context, 3, 3, TULLE_I32, ptr, TULLE_I32, col, types[t],
		                               val[t], NULL, &a));
		for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
			check_moved(type_name(types[t]), a, a, (tulle_plan_options){ .format = formats[f] });
		check_moved("f32 vectors by name", a, a, given);
		check_moved("A^T", a, a, (tulle_plan_options){ .op = TULLE_TRANSPOSED });
		CHECK_OK(tulle_plan_create(a, &mixed, &p));
		CHECK_STATUS(tulle_plan_choice(p, text), TULLE_E_UNSUPPORTED);
		CHECK_WORDS(tulle_last_error(), "vector_type");
		tulle_plan_destroy(p);
		tulle_matrix_destroy(a);
	}
	check_group("values of 16 bits");
}

static int well_formed(const char *text)
{
	const size_t length = strlen(text);
	uint32_t character;
	size_t n = 1;

	for (size_t i = 0; n > 0 && i < length; i += n)
		n = tulle__utf8_decode(text + i, length - i, &character);
	return n > 0;
}

/* Reasons of every length, from a text that others wrote: a long one is cut between two characters. */
static void reasons(void)
{
	static const char end[] = "it is small\n"; /* of good_plan */
	static const char accents[] = "\xc3\xa9\xc3\xa9\xc3\xa9\n";
	const size_t start = strlen(good_plan) - strlen(end);
	tulle_matrix *a = NULL;

	CHECK_OK(tulle_matrix_from_csr(context, 3, 4, TULLE_I32, small_row_ptr, TULLE_I32, small_col,
	                               TULLE_F64, small_val, NULL, &a));
	for (size_t n = 380; n < 460; n++) {
		tulle_plan_info info = { .size = sizeof info };
		char text[TULLE_CHOICE_BYTES];
		tulle_plan *p = NULL;

		memcpy(text, good_plan, start);
		memset(text + start, 'a', n);
		memcpy(text + start + n, accents, sizeof accents);
		CHECK_OK(tulle_plan_from_choice(a, text, &p));
		CHECK_OK(tulle_plan_describe(p, &info));
		CHECK_THAT(strncmp(info.why, "as saved: aaa", 13) == 0 && well_formed(info.why),
		           "a reason of %zu letters and three of two bytes became \"%s\"", n, info.why);
		tulle_plan_destroy(p);
	}
	tulle_matrix_destroy(a);
	check_group("long reasons");
}

static void check_wrong(const tulle_matrix *a, const char *text, tulle_status status,
                        const char *words)
{
	tulle_plan *p = (tulle_plan *)&context;

	CHECK_STATUS(tulle_plan_from_choice(a, text, &p), status);
	CHECK_WORDS(tulle_last_error(), words);
	CHECK(p == NULL);
}

static void refusals(void)
{
	const tulle_plan_options both = { .size = sizeof both, .op = TULLE_BOTH },
	                         mixed = { .size = sizeof mixed, .vector_type = TULLE_F64 };
	const float narrow[] = { 1, 2, 3, 4, 5 };
	char text[TULLE_CHOICE_BYTES] = "untouched", longer[TULLE_CHOICE_BYTES + 8];
	tulle_matrix *a = NULL;
	tulle_plan *p = NULL;

	CHECK_OK(tulle_matrix_from_csr(context, 3, 4, TULLE_I32, small_row_ptr, TULLE_I32, small_col,
	                               TULLE_F32, narrow, NULL, &a));
	memset(longer, 'x', sizeof longer - 1);
	longer[sizeof longer - 1] = '\0';
	check_wrong(a, "", TULLE_E_MATRIX, "line 1 wrong");
	check_wrong(a, "format=csr\n", TULLE_E_MATRIX, "line 2 wrong");
	check_wrong(a, longer, TULLE_E_MATRIX, "choice 4096 bytes");
	longer[TULLE_CHOICE_BYTES - 1] = '\0';
	check_wrong(a, longer, TULLE_E_MATRIX, "line 1 wrong");
	check_wrong(a, NULL, TULLE_E_ARGUMENT, "choice NULL");
	check_wrong(NULL, good_plan, TULLE_E_ARGUMENT, "matrix NULL");
	CHECK_STATUS(tulle_plan_from_choice(a, good_plan, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_plan_choice(NULL, text), TULLE_E_ARGUMENT);
	CHECK_OK(tulle_plan_create(a, &both, &p));
	CHECK_STATUS(tulle_plan_choice(p, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_plan_choice(p, text), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "both directions");
	tulle_plan_destroy(p);
	CHECK_OK(tulle_plan_create(a, &mixed, &p));
	CHECK_STATUS(tulle_plan_choice(p, text), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "vector_type");
	tulle_plan_destroy(p);
	CHECK_THAT(strcmp(text, "untouched") == 0, "a failed call wrote \"%s\"", text);
	tulle_matrix_destroy(a);
	check_group("plans without a choice, and texts that are not a choice");
}

int main(void)
{
	context = context_for(NULL, 1, 0);
	lists();
	blocks();
	triangles();
	conjugate_of_real();
	one_direction();
	halves();
	reasons();
	refusals();
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	return check_end();
}
