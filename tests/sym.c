/* sym.c -- what the format sym refuses and how it says so, in convert and in update; where its blocks, its strips,
 * its halos and its 16-bit columns end. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a matrix by its entries ---- */

enum { N = 6, MOST = 8 };

typedef struct {
	int64_t i, j;
	double value;
} entry;

/* The entries of each row in the order given; ends at the first with i < 0. */
static matrix by_entries(const char *name, int64_t cols, const entry *list)
{
	int64_t lengths[N] = { 0 }, next[N];
	matrix m;

	for (const entry *e = list; e->i >= 0; e++)
		lengths[e->i]++;
	m = matrix_new(name, N, cols, lengths);
	memcpy(next, m.row_ptr, sizeof next);
	for (const entry *e = list; e->i >= 0; e++) {
		m.col[next[e->i]] = e->j;
		m.val[next[e->i]++] = e->value;
	}
	return m;
}

/* ---- what is refused ---- */

static const struct {
	const char *name;
	int64_t cols;
	entry list[MOST];
	const char *words; /* of the sentence; NULL: it is taken */
} table[] = {
	{ "symmetric", N, { { 3, 5, 1.25 }, { 5, 3, 1.25 }, { 2, 2, 7 }, { -1, 0, 0 } }, NULL },
	{ "skew", N, { { 3, 5, 1.25 }, { 5, 3, -1.25 }, { 2, 2, 7 }, { -1, 0, 0 } }, NULL },
	{ "unsorted", N, { { 3, 5, 1 }, { 3, 1, 2 }, { 1, 3, 2 }, { 5, 3, 1 }, { -1, 0, 0 } }, NULL },
	{ "same NaN", N, { { 1, 4, NAN }, { 4, 1, NAN }, { -1, 0, 0 } }, NULL },
	{ "not square", N + 1, { { 0, 0, 1 }, { -1, 0, 0 } }, "sym: 6 rows 7 columns square" },
	{ "other value",
	  N,
	  { { 3, 5, 1.25 }, { 5, 3, 0.5 }, { -1, 0, 0 } },
	  "sym: a(3,5) = 1.25 but a(5,3) = 0.5" },
	{ "not stored",
	  N,
	  { { 1, 0, 2 }, { 0, 1, 2 }, { 5, 3, 1.5 }, { -1, 0, 0 } },
	  "sym: a(5,3) = 1.5 but a(3,5) is not stored" },
	{ "others stored",
	  N,
	  { { 1, 0, 2 }, { 2, 5, 2 }, { -1, 0, 0 } },
	  "sym: a(1,0) = 2 but a(0,1) is not stored" },
	{ "both kinds",
	  N,
	  { { 1, 0, 2 }, { 0, 1, -2 }, { 5, 3, 4 }, { 3, 5, 4 }, { -1, 0, 0 } },
	  "sym: a(3,5) = 4 but a(5,3) = 4, not its opposite" },
	{ "other zero",
	  N,
	  { { 1, 0, 2 }, { 0, 1, 2 }, { 5, 3, 0.0 }, { 3, 5, -0.0 }, { -1, 0, 0 } },
	  "sym: a(3,5) = -0 but a(5,3) = 0" },
	{ "stored twice",
	  N,
	  { { 4, 2, 1 }, { 4, 2, 1 }, { 2, 4, 1 }, { 2, 4, 1 }, { -1, 0, 0 } },
	  "sym: a(2,4) is stored twice" },
};

static tulle_status plan_sym(const tulle_matrix *a, const char *spec, tulle_plan **plan)
{
	const tulle_plan_options o = { .size = sizeof o, .format = spec };

	return tulle_plan_create(a, &o, plan);
}

static void check_table(tulle_value_type type, index_pair pair)
{
	for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
		matrix m = by_entries(table[t].name, table[t].cols, table[t].list);
		arrays arr = cast(&m, pair, type, 0);
		tulle_matrix *a = borrow(NULL, &m, pair, type, &arr);
		tulle_plan *plan = NULL;

		check_about("%s, %s, %s", m.name, type_name(type), pair.name);
		if (table[t].words) {
			CHECK_STATUS(plan_sym(a, "sym", &plan), TULLE_E_UNSUPPORTED);
			CHECK_WORDS(tulle_last_error(), table[t].words);
		} else {
			CHECK_OK(plan_sym(a, "sym", &plan));
		}
		tulle_plan_destroy(plan);
		tulle_matrix_destroy(a);
		arrays_free(&arr);
		matrix_free(&m);
	}
	check_group("%s, %s: what is taken and what is not", type_name(type), pair.name);
}

/* ---- updates ---- */

/* The first entry below the diagonal. */
static int64_t first_below(const matrix *m)
{
	for (int64_t i = 0; i < m->rows; i++)
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++)
			if (m->col[k] < i)
				return k;
	return -1;
}

/* Values that are not symmetric leave the plan as it was; skew ones are as welcome as symmetric ones. */
static void check_update(const char *spec, tulle_value_type type)
{
	uint64_t state = 5;
	matrix m = matrix_mirrored(matrix_blocks("nodes", 301, 3, 3, 20, 30, &state), TULLE_SYMMETRIC);
	void *x = grab(m.cols, value_size(type)), *y = grab(m.rows, value_size(type));
	void *want = grab(m.rows, value_size(type));
	const size_t bytes = (size_t)m.rows * value_size(type);
	arrays old, skew;
	tulle_matrix *a, *b;
	tulle_plan *plan = NULL, *fresh = NULL;

	check_about("%s, %s, update", spec, type_name(type));
	value_fill(type, x, m.cols, 0.75);
	matrix_whole_values(&m, &state, 99);
	old = cast(&m, pairs[0], type, 0);
	m.kind = TULLE_SKEW;
	matrix_whole_values(&m, &state, 99);
	skew = cast(&m, pairs[0], type, 0);
	a = borrow(NULL, &m, pairs[0], type, &old);
	b = borrow(NULL, &m, pairs[0], type, &skew);
	CHECK_OK(plan_sym(a, spec, &plan));
	CHECK_OK(plan_sym(b, spec, &fresh));
	if (plan && fresh) {
		void *spoilt = cast_values(m.val, m.nnz, type);
		const int64_t k = first_below(&m);

		CHECK_OK(mul(plan, type, 1, x, 0, want));
		value_set(type, spoilt, k, 0.5);
		CHECK_STATUS(tulle_plan_update(plan, spoilt), TULLE_E_UNSUPPORTED);
		CHECK_WORDS(tulle_last_error(), "sym: = 0.5 but");
		CHECK_OK(mul(plan, type, 1, x, 0, y));
		CHECK_THAT(memcmp(y, want, bytes) == 0, "a refused update changed the plan");
		free(spoilt);

		CHECK_OK(tulle_plan_update(plan, skew.val));
		CHECK_OK(mul(plan, type, 1, x, 0, y));
		CHECK_OK(mul(fresh, type, 1, x, 0, want));
		CHECK_THAT(memcmp(y, want, bytes) == 0, "skew values differ from a fresh plan");
	}
	tulle_plan_destroy(plan);
	tulle_plan_destroy(fresh);
	tulle_matrix_destroy(a);
	tulle_matrix_destroy(b);
	arrays_free(&old);
	arrays_free(&skew);
	matrix_free(&m);
	free(x);
	free(y);
	free(want);
}

/* ---- layout ---- */

static tulle_plan_info describe(const tulle_plan *plan)
{
	tulle_plan_info info = { .size = sizeof info };

	CHECK_OK(tulle_plan_describe(plan, &info));
	return info;
}

/* Full blocks of b x b, as many as `each` in a row of blocks, are found and take few bytes. */
static void check_block(int64_t b, int64_t each)
{
	uint64_t state = (uint64_t)b;
	matrix m = matrix_mirrored(matrix_blocks("full nodes", 400 * b, b, each, 30, 0, &state),
	                           TULLE_SYMMETRIC);
	arrays arr;
	tulle_matrix *a;
	tulle_plan *plan = NULL;
	char note[64];

	matrix_whole_values(&m, &state, 9);
	arr = cast(&m, pairs[0], TULLE_F64, 0);
	a = borrow(NULL, &m, pairs[0], TULLE_F64, &arr);
	check_about("blocks of %d", (int)b);
	if (CHECK_OK(plan_sym(a, "sym", &plan))) {
		const tulle_plan_info info = describe(plan);
		const double each_bytes = (double)info.bytes / (double)m.nnz;
		const double half = (double)(m.nnz + b * m.rows) / 2 / (double)m.nnz; /* diagonal: whole */

		snprintf(note, sizeof note, "symmetric, %d x %d blocks hold 100 %% of the entries", (int)b,
		         (int)b);
		CHECK_THAT(strcmp(info.note, note) == 0, "it says \"%s\", not \"%s\"", info.note, note);
		CHECK_THAT(each_bytes < half * (8 + 2.0 / (double)(b * b)) + 0.3, "%.2f bytes per nonzero",
		           each_bytes);
	}
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	matrix_free(&m);
}

/* A band of whole numbers, and in a late row an entry `apart` columns from the diagonal. */
static matrix band_and_one(int64_t rows, int64_t reach, int64_t apart, uint64_t *state)
{
	int64_t *lengths = grab(rows, sizeof *lengths), k = 0;
	matrix m;

	for (int64_t i = 0; i < rows; i++)
		lengths[i] = (i < reach ? i : reach) + 1 + (i == rows - 1);
	m = matrix_new("band and one", rows, rows, lengths);
	for (int64_t i = 0; i < rows; i++) {
		if (i == rows - 1)
			m.col[k++] = i - apart;
		for (int64_t j = i < reach ? 0 : i - reach; j <= i; j++)
			m.col[k++] = j;
	}
	free(lengths);
	m = matrix_mirrored(m, TULLE_SYMMETRIC);
	matrix_whole_values(&m, state, 9);
	return m;
}

/* Whole numbers are exact: every row is what a loop over the entries gives. `words`: of the note, or NULL. */
static void check_exact(const char *spec, const matrix *m, const char *words)
{
	arrays arr = cast(m, pairs[0], TULLE_F64, 0);
	tulle_matrix *a = borrow(NULL, m, pairs[0], TULLE_F64, &arr);
	double *x = grab(m->cols, sizeof *x), *y = grab(m->rows, sizeof *y);
	tulle_plan *plan = NULL;
	int64_t wrong = 0;

	check_about("%s, %s", spec, m->name);
	for (int64_t j = 0; j < m->cols; j++)
		x[j] = (double)(j % 13 - 6);
	if (CHECK_OK(plan_sym(a, spec, &plan)) && CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y))) {
		for (int64_t i = 0; i < m->rows; i++) {
			double sum = 0;

			for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++)
				sum += m->val[k] * x[m->col[k]];
			wrong += sum != y[i];
		}
		CHECK_THAT(wrong == 0, "%lld rows are wrong", (long long)wrong);
		if (words)
			CHECK_WORDS(describe(plan).note, words);
	}
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	free(x);
	free(y);
}

static void check_apart(const char *spec, int64_t apart)
{
	uint64_t state = 3;
	matrix m = band_and_one(apart + 500, 12, apart, &state);

	check_exact(spec, &m, NULL);
	matrix_free(&m);
}

/* Rows with entries at these distances from the diagonal: in runs of 1, 2, .. rows, then of 1, 2, .. rows without. They
 * meet the ends of vectors, of spans and of parts, and own and mirrored rows overlap or do not. */
static matrix runs_of_rows(int64_t rows, tulle_kind kind)
{
	static const int64_t back[] = { 1200, 1199, 700, 193, 65, 64, 16, 5, 3, 1, 0 };
	enum { DISTANCES = sizeof back / sizeof *back, LONGEST = 260 };
	int64_t *lengths = grab(rows, sizeof *lengths), k = 0;
	char *present = grab(rows * DISTANCES, 1);
	uint64_t state = 7;
	matrix m;

	for (int n = 0; n < DISTANCES; n++)
		for (int64_t i = 0, length = 1 + n; i < rows;
		     i += 2 * length, length = length % LONGEST + 1)
			for (int64_t r = i; r < i + length && r < rows; r++)
				present[r * DISTANCES + n] = r >= back[n];
	for (int64_t i = 0; i < rows; i++) {
		lengths[i] = 0;
		for (int n = 0; n < DISTANCES; n++)
			lengths[i] += present[i * DISTANCES + n];
	}
	m = matrix_new("runs of rows", rows, rows, lengths);
	for (int64_t i = 0; i < rows; i++)
		for (int n = 0; n < DISTANCES; n++)
			if (present[i * DISTANCES + n])
				m.col[k++] = i - back[n];
	free(lengths);
	free(present);
	m = matrix_mirrored(m, kind);
	matrix_whole_values(&m, &state, 9);
	return m;
}

/* Where most of a matrix is in strips, they are chosen, if blocks are not asked for. */
static void check_strips(void)
{
	for (int kind = TULLE_SYMMETRIC; kind <= TULLE_SKEW; kind++) {
		matrix m = runs_of_rows(40000, (tulle_kind)kind);

		check_exact("sym", &m, "strips hold % of the entries");
		check_exact("sym:block=1", &m, "strips hold % of the entries");
		check_exact("sym:strips=no,block=1", &m, "no blocks");
		check_exact("sym:strips=yes,block=2", &m, "2 x 2 blocks hold");
		matrix_free(&m);
	}
}

/* Columns anywhere make halos as long as the matrix. */
static void check_halos(int64_t rows, int64_t each, int too_large)
{
	uint64_t state = 9;
	matrix m =
	    matrix_mirrored(matrix_blocks("anywhere", rows, 1, each, rows, 0, &state), TULLE_SYMMETRIC);
	arrays arr;
	tulle_matrix *a;
	tulle_plan *plan = NULL;

	matrix_whole_values(&m, &state, 9);
	arr = cast(&m, pairs[0], TULLE_F64, 0);
	a = borrow(NULL, &m, pairs[0], TULLE_F64, &arr);
	check_about("%lld rows, columns anywhere", (long long)rows);
	if (too_large) {
		CHECK_STATUS(plan_sym(a, "sym", &plan), TULLE_E_UNSUPPORTED);
		CHECK_WORDS(tulle_last_error(),
		            "sym: too far from the diagonal: 8 parts bytes of partial sums");
	} else if (CHECK_OK(plan_sym(a, "sym", &plan))) {
		CHECK_EQUAL(describe(plan).parts, 1);
	}
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	matrix_free(&m);
}

int main(void)
{
	static const char *const specs[] = { "sym", "sym:block=1", "sym:block=3", "sym:strips=yes" };

	for (int type = TULLE_F32; type <= TULLE_F64; type++) {
		for (int pair = 0; pair < PAIRS; pair++)
			check_table((tulle_value_type)type, pairs[pair]);
		for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
			check_update(specs[s], (tulle_value_type)type);
	}
	check_group("updates");
	check_block(2, 6);
	check_block(3, 6);
	check_block(4, 6);
	check_block(6, 6);
	check_group("blocks are found");
	check_strips();
	check_group("strips");
	for (int64_t apart = UINT16_MAX; apart <= UINT16_MAX + 1; apart++)
		check_apart("sym:block=1,strips=no", apart);
	for (int64_t apart = 2 * UINT16_MAX; apart <= 2 * UINT16_MAX + 3; apart++)
		check_apart("sym:block=2", apart);
	check_group("columns of 16 and of 32 bits");
	check_halos(4000, 4, 0);
	check_halos(20000, 4, 1);
	check_group("halos");
	return check_end();
}
