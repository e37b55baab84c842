/* kept.c -- plans go to a file and come back: the same matrix, the same choice, the same bits. */
#include "tuned_support.h"

#include "shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tulle_context *context;

static void random_values(matrix *m, uint64_t seed)
{
	for (int64_t k = 0; k < m->nnz; k++)
		m->val[k] = (double)(float)random_unit(&seed);
	matrix_mirror_values(m);
}

/* The plan is the one that was saved: all that describes the choice, and its products. `narrowed`: indices were wider
 * than in the file, which shows in figures that compare with CSR. */
static void check_same_plan(const tulle_plan *p, const tulle_plan *q, int narrowed)
{
	tulle_plan_info a = { .size = sizeof a }, b = { .size = sizeof b };

	CHECK_OK(tulle_plan_describe(p, &a));
	CHECK_OK(tulle_plan_describe(q, &b));
	CHECK_THAT(strcmp(a.format, b.format) == 0 && strcmp(a.kernel, b.kernel) == 0 &&
	               strcmp(a.way, b.way) == 0 && strcmp(a.isa, b.isa) == 0,
	           "%s %s %s became %s %s %s", a.format, a.kernel, a.way, b.format, b.kernel, b.way);
	CHECK_THAT(a.parts == b.parts &&
	               (narrowed || (a.bytes == b.bytes && strcmp(a.note, b.note) == 0)),
	           "%s: another layout, %s and %s", a.format, a.note, b.note);
	CHECK(fmin(a.multiplies, 1e18) == b.multiplies && a.vectors == b.vectors);
	CHECK(a.multiply_seconds == b.multiply_seconds && b.candidates == 0);
	CHECK_THAT(strncmp(b.why, "as saved: ", 10) == 0 && strncmp(b.why + 10, a.why, 300) == 0,
	           "\"%s\" became \"%s\"", a.why, b.why);
	CHECK_THAT(same_products(p, q), "products have other bits");
}

/* The choice as text alone, for the same matrix. */
static void check_choice(const tulle_matrix *a, const tulle_plan *p)
{
	char text[TULLE_CHOICE_BYTES], again[TULLE_CHOICE_BYTES];
	tulle_plan *q = NULL;

	if (!CHECK_OK(tulle_plan_choice(p, text)))
		return;
	if (CHECK_OK(tulle_plan_from_choice(a, text, &q))) {
		check_same_plan(p, q, 0);
		CHECK_OK(tulle_plan_choice(q, again));
		CHECK_THAT(strcmp(text, again) == 0, "the choice\n%sbecame\n%s", text, again);
	}
	tulle_plan_destroy(q);
}

/* Save, load, compare. */
static void check_kept(const tulle_plan *p, int narrowed)
{
	const char *path = file_path("kept.tulle");
	tulle_plan *q = NULL;

	if (!CHECK_OK(tulle_plan_save(p, path, NULL)))
		return;
	if (CHECK_OK(tulle_plan_load(context, path, NULL, NULL, &q)))
		check_same_plan(p, q, narrowed);
	tulle_plan_destroy(q);
}

static int check_plan(matrix *m, const char *spec, tulle_op op, index_pair pair,
                      tulle_value_type type)
{
	const tulle_plan_options o = {
		.size = sizeof o, .format = spec, .op = op, .multiplies = 77, .vectors = 3
	};
	arrays old, new;
	tulle_matrix *a;
	tulle_plan *p = NULL;
	tulle_status s;

	check_about("%s, op %d, %s, %s, %s", spec, (int)op, pair.name, type_name(type), m->name);
	random_values(m, 1);
	old = cast(m, pair, type, 0);
	random_values(m, 2);
	new = cast(m, pair, type, 0);
	a = borrow(context, m, pair, type, &old);
	s = tulle_plan_create(a, &o, &p);
	if (!refused(spec, s) && s != TULLE_E_UNSUPPORTED && CHECK_OK(s)) {
		check_choice(a, p);
		check_kept(p, pair.offset == TULLE_I64);
		CHECK_OK(tulle_plan_update(p, new.val));
		check_about("%s, op %d, %s, updated", spec, (int)op, m->name);
		check_kept(p, pair.offset == TULLE_I64);
	}
	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
	arrays_free(&old);
	arrays_free(&new);
	return s == TULLE_OK;
}

/* Types and index pairs in turn: each save waits for the disk. */
static int check_shape(const void *arg, const char *spec, int n, matrix *m, int shape)
{
	static int turn;
	int done = 0;

	(void)arg;
	if (shape % (n > 0 ? 17 : 3) != 0)
		return 0;
	for (int op = TULLE_NORMAL; op <= TULLE_TRANSPOSED; op++, turn++)
		done += check_plan(m, spec, (tulle_op)op, pairs[turn / 2 % PAIRS],
		                   turn % 2 ? TULLE_F32 : TULLE_F64);
	return done;
}

/* ---- plans that are not made by a format's name alone ---- */

static void check_options(const tulle_matrix *a, const char *what, tulle_plan_options o)
{
	tulle_plan *p = NULL;
	tulle_status s;

	check_about("%s", what);
	o.size = sizeof o;
	s = tulle_plan_create(a, &o, &p);
	if (s == TULLE_E_UNSUPPORTED && o.reproducible == 2 && !fused_available())
		return;
	if (CHECK_OK(s)) {
		check_kept(p, 0);
		check_choice(a, p);
	}
	tulle_plan_destroy(p);
	check_about(" ");
}

static void chosen_plans(void)
{
	matrix m = matrix_level(3);
	arrays arr;
	tulle_matrix *a;

	random_values(&m, 5);
	arr = cast(&m, pairs[0], TULLE_F64, 0);
	a = borrow(context, &m, pairs[0], TULLE_F64, &arr);
	check_options(a, "chosen", (tulle_plan_options){ .multiplies = 5000 });
	check_options(a, "few", (tulle_plan_options){ .multiplies = 2 });
	check_options(a, "countless", (tulle_plan_options){ .multiplies = INFINITY, .format = "sell" });
	check_options(a, "A^T", (tulle_plan_options){ .op = TULLE_TRANSPOSED, .multiplies = 5000 });
	check_options(a, "A^T, few", (tulle_plan_options){ .op = TULLE_TRANSPOSED, .multiplies = 2 });
	check_options(a, "lossy", (tulle_plan_options){ .lossy = 1, .format = "sell" });
	check_options(a, "ordered", (tulle_plan_options){ .reproducible = 2 });
	check_options(a, "online", (tulle_plan_options){ .online = 1 });
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	matrix_free(&m);
	check_group("plans that the planner chose");
}

/* One entry set in place is saved, too. */
static void set_entries(void)
{
	static const char *const formats[] = { "sell", "ell", "coo" };
	const double val[] = { 1, 2, 3, 4, 5 };

	for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
		const tulle_plan_options o = { .size = sizeof o, .format = formats[f] };
		tulle_matrix *a = NULL;
		tulle_plan *p = NULL;

		check_about("%s", formats[f]);
		CHECK_OK(tulle_matrix_from_csr(context, 3, 4, TULLE_I32, small_row_ptr, TULLE_I32,
		                               small_col, TULLE_F64, val, NULL, &a));
		CHECK_OK(tulle_plan_create(a, &o, &p));
		if (tulle_plan_set(p, 2, 1, 33) == TULLE_OK)
			check_kept(p, 0);
		tulle_plan_destroy(p);
		tulle_matrix_destroy(a);
	}
	check_about(" ");
	check_group("entries set in place");
}

/* Both triangles are stored, A^T is A, and all ones stay without values. */
static void kinds(void)
{
	const int32_t ptr[] = { 0, 1, 3, 4 }, col[] = { 0, 0, 1, 2 };
	const double val[] = { 1, 2, 3, 4 };
	const tulle_matrix_options symmetric = { .size = sizeof symmetric, .kind = TULLE_SYMMETRIC };
	const tulle_plan_options back = { .size = sizeof back, .op = TULLE_TRANSPOSED };
	tulle_plan_info info = { .size = sizeof info };
	tulle_matrix_info about = { .size = sizeof about };
	tulle_matrix *a = NULL, *b = NULL;
	tulle_plan *p = NULL, *q = NULL;
	const char *path = file_path("kinds.tulle");

	for (int ones = 0; ones < 2; ones++) {
		CHECK_OK(tulle_matrix_from_csr(context, 3, 3, TULLE_I32, ptr, TULLE_I32, col, TULLE_F64,
		                               ones ? NULL : val, &symmetric, &a));
		CHECK_OK(tulle_plan_create(a, &back, &p));
		CHECK_OK(tulle_plan_save(p, path, NULL));
		CHECK_OK(tulle_plan_load(context, path, NULL, &b, &q));
		CHECK(same_matrix(a, b) && same_products(p, q));
		CHECK_OK(tulle_plan_describe(q, &info));
		CHECK_EQUAL(info.op, TULLE_NORMAL);
		CHECK_OK(tulle_matrix_describe(b, &about));
		CHECK(about.kind == TULLE_GENERAL && about.stored_nnz == 5 && about.nnz == 5);
		tulle_plan_destroy(p);
		tulle_plan_destroy(q);
		tulle_matrix_destroy(a);
		tulle_matrix_destroy(b);
	}
	check_group("symmetric matrices");
}

static void from_blocks(void)
{
	const int32_t ptr[] = { 0, 1, 2 }, col[] = { 1, 0 };
	double val[18];
	tulle_matrix *a = NULL, *b = NULL;
	tulle_plan *p = NULL, *q = NULL;
	const tulle_plan_options o = { .size = sizeof o, .format = "bsell" };
	const char *path = file_path("blocks.tulle");

	for (int k = 0; k < 18; k++)
		val[k] = k + .25;
	CHECK_OK(tulle_matrix_from_bsr(context, 2, 2, 3, 3, TULLE_ROW_MAJOR, TULLE_I32, ptr, TULLE_I32,
	                               col, TULLE_F64, val, NULL, &a));
	CHECK_OK(tulle_plan_create(a, &o, &p));
	CHECK_OK(tulle_plan_save(p, path, NULL));
	CHECK_OK(tulle_plan_load(context, path, NULL, &b, &q));
	CHECK(same_matrix(a, b));
	check_same_plan(p, q, 1);
	tulle_plan_destroy(p);
	tulle_plan_destroy(q);
	tulle_matrix_destroy(a);
	tulle_matrix_destroy(b);
	check_group("block CSR");
}

/* ---- files without a plan, and by the calls for any file ---- */

static void check_matrix_file(index_pair pair, tulle_value_type type, int ones)
{
	matrix m = matrix_level(4);
	tulle_csr_view w = { .size = sizeof w };
	tulle_file_info info = { .size = sizeof info };
	const tulle_write_options how = { .size = sizeof how, .comment = "one\ntwo\x1b" };
	const char *path = file_path("matrix.tulle");
	arrays arr;
	tulle_matrix *a, *b = NULL;

	random_values(&m, 6);
	arr = cast(&m, pair, type, 0);
	if (ones) {
		free(arr.val);
		arr.val = NULL;
	}
	a = borrow(context, &m, pair, type, &arr);
	CHECK_OK(tulle_matrix_write(a, path, &how));
	CHECK_OK(tulle_matrix_read(context, path, NULL, &b));
	CHECK_THAT(same_matrix(a, b), "%s, %s: another matrix", pair.name, type_name(type));
	CHECK_OK(tulle_matrix_view_csr(b, &w));
	CHECK(w.offset_type == TULLE_I32 && w.column_type == TULLE_I32);
	CHECK_OK(tulle_file_describe(path, &info));
	CHECK(strcmp(info.layout, "tuned") == 0 && info.rows == m.rows && info.cols == m.cols &&
	      info.entries == m.nnz && info.has_plan == 0);
	CHECK(strcmp(info.field, ones ? "pattern" : "real") == 0);
	CHECK_THAT(strcmp(info.comment, "one\ntwo\\x1b") == 0, "comment \"%s\"", info.comment);
	check_not_loaded(path, TULLE_E_UNSUPPORTED, "plan: has none read alone");
	tulle_matrix_destroy(a);
	tulle_matrix_destroy(b);
	arrays_free(&arr);
	matrix_free(&m);
}

static void check_value_types(void)
{
	const double val[] = { 1.5, -2.5, 1e-300, INFINITY, 3 };
	tulle_read_options how = { .size = sizeof how, .value_type = TULLE_F32 };
	tulle_csr_view v = { .size = sizeof v };
	tulle__csr a = small_csr();
	tulle_matrix *m = NULL;
	bytes b;

	a.val = val;
	b = image_of(&a, "", good_plan);
	CHECK_OK(tulle_matrix_read(context, file_put("types.tulle", b.at, b.count), &how, &m));
	CHECK_OK(tulle_matrix_view_csr(m, &v));
	CHECK(v.value_type == TULLE_F32);
	for (int k = 0; k < 5; k++)
		CHECK(((const float *)v.val)[k] == (float)val[k]);
	CHECK_OK(tulle_matrix_write(m, file_path("narrow.tulle"), NULL));
	tulle_matrix_destroy(m);
	how.value_type = TULLE_F64;
	CHECK_OK(tulle_matrix_read(context, file_path("narrow.tulle"), &how, &m));
	CHECK_OK(tulle_matrix_view_csr(m, &v));
	CHECK(v.value_type == TULLE_F64 && ((const double *)v.val)[1] == -2.5);
	tulle_matrix_destroy(m);
	how.value_type = TULLE_F32;
	((double *)(void *)(b.at + b.count))[-1] = 1e300;
	CHECK_STATUS(tulle_matrix_read(context, file_put("large.tulle", b.at, b.count), &how, &m),
	             TULLE_E_MATRIX);
	CHECK_WORDS(tulle_last_error(), "large.tulle: val: val[4] 1e+300 f32");
	free(b.at);
}

/* All ones have no values to convert. */
static void check_type_of_ones(void)
{
	tulle_read_options how = { .size = sizeof how, .value_type = TULLE_F32 };
	tulle_csr_view v = { .size = sizeof v };
	tulle__csr a = small_csr();
	tulle_matrix *m = NULL;
	bytes b;

	a.val = NULL;
	b = image_of(&a, "", good_plan);
	CHECK_OK(tulle_matrix_read(context, file_put("ones.tulle", b.at, b.count), &how, &m));
	CHECK_OK(tulle_matrix_view_csr(m, &v));
	CHECK(v.value_type == TULLE_F32 && v.val == NULL);
	tulle_matrix_destroy(m);
	free(b.at);
}

/* Shares grow, and the last one is 1. */
static void note(void *user, double share)
{
	double *last = user;

	CHECK_THAT(share >= *last && share <= 1, "%g after %g", share, *last);
	*last = share;
}

static void check_progress(void)
{
	double last = 0;
	const tulle_read_options in = { .size = sizeof in, .progress = note, .user = &last };
	const tulle_write_options out = { .size = sizeof out, .progress = note, .user = &last };
	const char *path = file_path("progress.tulle");
	tulle_matrix *a = NULL;
	tulle_plan *p = NULL, *q = NULL;

	CHECK_OK(tulle_matrix_from_csr(context, 3, 4, TULLE_I32, small_row_ptr, TULLE_I32, small_col,
	                               TULLE_F64, small_val, NULL, &a));
	CHECK_OK(tulle_plan_create(a, NULL, &p));
	CHECK_OK(tulle_plan_save(p, path, &out));
	CHECK(last == 1);
	last = 0;
	CHECK_OK(tulle_plan_load(context, path, &in, NULL, &q));
	CHECK(last == 1);
	tulle_matrix_destroy(a);
	last = 0;
	CHECK_OK(tulle_matrix_read_rows(context, path, 1, 3, &in, &a));
	CHECK(last == 1);
	tulle_plan_destroy(q);
	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
	check_group("progress");
}

static void matrix_files(void)
{
	for (int p = 0; p < PAIRS; p++)
		for (int type = TULLE_F32; type <= TULLE_F64; type++)
			check_matrix_file(pairs[p], (tulle_value_type)type, p == 1);
	check_value_types();
	check_type_of_ones();
	check_group("files without a plan, index and value types");
}

/* Plans of a matrix without its empty rows, and of two value types. */
static void refuse_to_save(void)
{
	const int64_t row[] = { 5, 900 }, col[] = { 7, 3 };
	const float val[] = { 1, 2 };
	const tulle_plan_options mixed = { .size = sizeof mixed, .vector_type = TULLE_F64 };
	const char *path = file_path("refused.tulle");
	tulle_matrix *a = NULL;
	tulle_plan *p = NULL;

	CHECK_OK(tulle_matrix_from_coo_compact(context, 1000, 1000, 2, TULLE_I64, row, col, TULLE_F32,
	                                       val, TULLE_COMPACT_BOTH, NULL, &a));
	CHECK_OK(tulle_plan_create(a, NULL, &p));
	CHECK_STATUS(tulle_plan_save(p, path, NULL), TULLE_E_UNSUPPORTED);
	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
	CHECK_OK(tulle_matrix_from_coo(context, 1000, 1000, 2, TULLE_I64, row, col, TULLE_F32, val,
	                               NULL, &a));
	CHECK_OK(tulle_plan_create(a, &mixed, &p));
	CHECK_STATUS(tulle_plan_save(p, path, NULL), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "vector_type save the matrix alone");
	CHECK_EQUAL(file_count("refused.tulle"), 0);
	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
}

static void refusals(void)
{
	const tulle_plan_options both = { .size = sizeof both, .op = TULLE_BOTH };
	tulle_matrix *a = NULL;
	tulle_plan *p = NULL, *q = NULL;

	CHECK_OK(tulle_matrix_from_csr(context, 3, 4, TULLE_I32, small_row_ptr, TULLE_I32, small_col,
	                               TULLE_F64, small_val, NULL, &a));
	CHECK_OK(tulle_plan_create(a, &both, &p));
	CHECK_STATUS(tulle_plan_save(p, file_path("both.tulle"), NULL), TULLE_E_UNSUPPORTED);
	CHECK_STATUS(tulle_plan_save(NULL, file_path("both.tulle"), NULL), TULLE_E_ARGUMENT);
	refuse_to_save();
	CHECK_STATUS(tulle_plan_save(p, "", NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_plan_load(context, NULL, NULL, NULL, &q), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_plan_load(context, "x", NULL, NULL, NULL), TULLE_E_ARGUMENT);
	check_not_loaded(file_path("absent.tulle"), TULLE_E_IO, "absent.tulle No such file");
	check_not_loaded(file_path(""), TULLE_E_IO, "directory");
	check_not_loaded(file_text("text.tulle", "%%MatrixMarket matrix"), TULLE_E_MATRIX,
	                 "text.tulle: header: convert");
	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
	check_group("what cannot be saved or loaded");
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const char *format;

	context = context_for(o.isa, 0, 0);
	chosen_plans();
	set_entries();
	kinds();
	from_blocks();
	matrix_files();
	check_progress();
	refusals();
	for (int f = 0; (format = tulle_formats(f)); f++) {
		int done;

		if (!wants_format(&o, format))
			continue;
		done = each_shape(format, check_shape, NULL);
		CHECK(done > 0);
		check_group("%s: %d plans", format, done);
	}
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	return walk_end();
}
