/* sources.c -- every way to hand a matrix over gives the same matrix: CSR, CSC and COO, one triangle
 * of a symmetric or skew one, base 0 and 1, borrowed and copied, with and without values. */
#include "inner.h"
#include "kit.h"

#include <stdlib.h>
#include <string.h>

typedef enum { CSR, CSC, COO, LAYOUTS } layout;

static const char *const layout_names[LAYOUTS] = { "csr", "csc", "coo" };

typedef struct {
	layout layout;
	tulle_kind kind;
	tulle_triangle triangle;
	int base;
	tulle_ownership ownership;
	int ones; /* val == NULL */
	index_pair pair;
} source;

/* Entries in the order in which the caller's arrays hold them. */
typedef struct {
	int64_t rows, cols, count;
	int64_t *row, *col;
	double *val;
} triplets;

static void triplets_free(triplets *t)
{
	free(t->row);
	free(t->col);
	free(t->val);
}

/* ---- what the caller hands over, and what it means ---- */

static int belongs(const source *s, int64_t i, int64_t j)
{
	if (s->kind == TULLE_GENERAL)
		return 1;
	if (i == j)
		return s->kind == TULLE_SYMMETRIC;
	return s->triangle == TULLE_LOWER ? i > j : i < j;
}

static void append(triplets *t, int64_t i, int64_t j, double v)
{
	t->row[t->count] = i;
	t->col[t->count] = j;
	t->val[t->count++] = v;
}

/* The entries of m that this source stores, by rows, by columns or shuffled. */
static triplets stored(const matrix *m, const source *s, uint64_t *state)
{
	matrix by_columns = matrix_transposed(m);
	const matrix *from = s->layout == CSC ? &by_columns : m;
	triplets t = { m->rows,
		           m->cols,
		           0,
		           grab(m->nnz, sizeof(int64_t)),
		           grab(m->nnz, sizeof(int64_t)),
		           grab(m->nnz, sizeof(double)) };

	for (int64_t r = 0; r < from->rows; r++) {
		for (int64_t k = from->row_ptr[r]; k < from->row_ptr[r + 1]; k++) {
			const int64_t i = s->layout == CSC ? from->col[k] : r;
			const int64_t j = s->layout == CSC ? r : from->col[k];

			if (belongs(s, i, j))
				append(&t, i, j, s->ones ? 1.0 : from->val[k]);
		}
	}
	for (int64_t k = t.count - 1; s->layout == COO && k > 0; k--) {
		const int64_t other = random_below(state, k + 1);
		const int64_t i = t.row[k], j = t.col[k];
		const double v = t.val[k];

		t.row[k] = t.row[other], t.row[other] = i;
		t.col[k] = t.col[other], t.col[other] = j;
		t.val[k] = t.val[other], t.val[other] = v;
	}
	matrix_free(&by_columns);
	return t;
}

/* The full matrix: entries sorted into rows, stably, and mirrored where one triangle is given. */
static matrix full(const triplets *t, tulle_kind kind)
{
	const int mirror = kind != TULLE_GENERAL;
	int64_t *next = grab(t->rows, sizeof *next);
	matrix m;

	for (int64_t k = 0; k < t->count; k++) {
		next[t->row[k]]++;
		if (mirror && t->row[k] != t->col[k])
			next[t->col[k]]++;
	}
	m = matrix_new("", t->rows, t->cols, next);
	memcpy(next, m.row_ptr, (size_t)t->rows * sizeof *next);
	for (int64_t k = 0; k < t->count; k++) {
		int64_t to = next[t->row[k]]++;

		m.col[to] = t->col[k];
		m.val[to] = t->val[k];
		if (mirror && t->row[k] != t->col[k]) {
			to = next[t->col[k]]++;
			m.col[to] = t->row[k];
			m.val[to] = kind == TULLE_SKEW ? -t->val[k] : t->val[k];
		}
	}
	free(next);
	return m;
}

/* ---- handing over ---- */

/* The caller's arrays; they live as long as the matrix may read them. */
typedef struct {
	void *first, *second, *val; /* offsets and indices, or rows and columns */
} handed;

static void handed_free(handed *h)
{
	free(h->first);
	free(h->second);
	free(h->val);
}

static void *offsets(const int64_t *major, int64_t count, int64_t majors, const source *s)
{
	int64_t *ptr = grab(majors + 1, sizeof *ptr);
	void *typed;

	for (int64_t k = 0; k < count; k++)
		ptr[major[k] + 1]++;
	for (int64_t i = 0; i < majors; i++)
		ptr[i + 1] += ptr[i];
	typed = cast_indices(ptr, majors + 1, s->pair.offset, s->base);
	free(ptr);
	return typed;
}

static tulle_status hand_over(tulle_context *context, const triplets *t, const source *s,
                              tulle_value_type type, handed *h, tulle_matrix **out)
{
	const tulle_matrix_options o = { .size = sizeof o,
		                             .ownership = s->ownership,
		                             .base = s->base,
		                             .kind = s->kind,
		                             .triangle = s->triangle };
	const tulle_index_type index = s->pair.column;

	h->val = s->ones ? NULL : cast_values(t->val, t->count, type);
	switch (s->layout) {
	case CSR:
		h->first = offsets(t->row, t->count, t->rows, s);
		h->second = cast_indices(t->col, t->count, index, s->base);
		return tulle_matrix_from_csr(context, t->rows, t->cols, s->pair.offset, h->first, index,
		                             h->second, type, h->val, &o, out);
	case CSC:
		h->first = offsets(t->col, t->count, t->cols, s);
		h->second = cast_indices(t->row, t->count, index, s->base);
		return tulle_matrix_from_csc(context, t->rows, t->cols, s->pair.offset, h->first, index,
		                             h->second, type, h->val, &o, out);
	default:
		h->first = cast_indices(t->row, t->count, index, s->base);
		h->second = cast_indices(t->col, t->count, index, s->base);
		return tulle_matrix_from_coo(context, t->rows, t->cols, t->count, index, h->first,
		                             h->second, type, h->val, &o, out);
	}
}

/* Only borrowed compressed rows are read after the call; the others' arrays are the caller's again,
 * and are overwritten here to see whether that is true. */
static void spoil(handed *h, const triplets *t, const source *s, tulle_value_type type)
{
	const int64_t majors = s->layout == CSR ? t->rows : t->cols;

	if (s->layout == CSR && s->ownership == TULLE_BORROW)
		return;
	if (s->layout == COO)
		memset(h->first, 0x7f, (size_t)t->count * index_size(s->pair.column));
	else
		memset(h->first, 0x7f, (size_t)(majors + 1) * index_size(s->pair.offset));
	memset(h->second, 0x7f, (size_t)t->count * index_size(s->pair.column));
	if (h->val)
		memset(h->val, 0xff, (size_t)t->count * value_size(type));
}

/* ---- checks ---- */

static void check_sharing(const tulle_matrix *a, const matrix *whole, const triplets *t,
                          const source *s, const handed *h)
{
	const int borrowed = s->layout == CSR && s->ownership == TULLE_BORROW &&
	                     s->kind == TULLE_GENERAL && s->base == 0;
	const int widened = s->pair.offset == TULLE_I32 && s->pair.column == TULLE_I64;
	tulle_matrix_info info = { .size = sizeof info };
	tulle_csr_view view = { .size = sizeof view };

	if (!CHECK_OK(tulle_matrix_describe(a, &info)) || !CHECK_OK(tulle_matrix_view_csr(a, &view)))
		return;
	CHECK_EQUAL(info.rows, whole->rows);
	CHECK_EQUAL(info.cols, whole->cols);
	CHECK_EQUAL(info.nnz, whole->nnz);
	CHECK_EQUAL(info.stored_nnz, t->count);
	CHECK_EQUAL(info.kind, s->kind);
	CHECK_EQUAL(info.shares_offsets, view.row_ptr == h->first);
	CHECK_EQUAL(info.shares_columns, view.col == h->second);
	CHECK_EQUAL(info.shares_values, view.val && view.val == h->val);
	if (borrowed && t->count > 0) {
		CHECK_EQUAL(info.shares_offsets, !widened);
		CHECK_EQUAL(info.shares_columns, 1);
		CHECK_EQUAL(info.shares_values, !s->ones);
	}
	if (s->ownership == TULLE_COPY)
		CHECK_EQUAL(info.shares_offsets + info.shares_columns + info.shares_values, 0);
	if (borrowed && !widened)
		CHECK_THAT(info.bytes < 512, "%zu bytes, but nothing had to be copied", info.bytes);
}

static void check_product(const tulle_matrix *a, const matrix *whole, const char *format,
                          tulle_value_type type, tulle_op op)
{
	const int64_t rows = op == TULLE_NORMAL ? whole->rows : whole->cols;
	const int64_t cols = whole->rows + whole->cols - rows;
	arrays arr = cast(whole, pairs[2], type, 0);
	const tulle_csr_view view = { .size = sizeof view,
		                          .rows = whole->rows,
		                          .cols = whole->cols,
		                          .nnz = whole->nnz,
		                          .offset_type = TULLE_I64,
		                          .column_type = TULLE_I64,
		                          .value_type = type,
		                          .row_ptr = arr.row_ptr,
		                          .col = arr.col,
		                          .val = arr.val };
	void *x = grab(cols, value_size(type)), *y = grab(rows, value_size(type));
	tulle_plan *plan = plan_for(a, format, op);
	kit_oracle *oracle;

	kit_random_fill(KIT_UNIFORM, 3, type, cols, x);
	kit_random_fill(KIT_UNIFORM, 4, type, rows, y);
	oracle = kit_oracle_create(&view, op, -0.5, x, 2, y);
	if (plan && CHECK_THAT(oracle, "the oracle: %s", kit_error()) &&
	    CHECK_OK(mul(plan, type, -0.5, x, 2, y))) {
		const kit_verdict v = kit_oracle_check(oracle, y);

		CHECK_THAT(v.violations == 0, "%lld rows beyond the bound, the worst %g of it",
		           (long long)v.violations, v.worst);
	}
	kit_oracle_free(oracle);
	tulle_plan_destroy(plan);
	arrays_free(&arr);
	free(x);
	free(y);
}

/* update() takes values in the caller's order, whatever order the library keeps. */
static void check_update(const tulle_matrix *a, const triplets *t, const source *s,
                         const char *format, tulle_value_type type, tulle_op op)
{
	const source with_values = {
		s->layout, s->kind, s->triangle, s->base, s->ownership, 0, s->pair
	};
	const int64_t rows = op == TULLE_NORMAL ? t->rows : t->cols;
	void *x = grab(t->rows + t->cols - rows, value_size(type));
	void *y = grab(rows, value_size(type)), *want = grab(rows, value_size(type));
	triplets fresh = *t;
	handed h = { NULL, NULL, NULL };
	tulle_matrix *b = NULL;
	tulle_plan *plan = plan_for(a, format, op), *other;

	fresh.val = grab(t->count, sizeof *fresh.val);
	for (int64_t k = 0; k < t->count; k++)
		fresh.val[k] = (double)(k % 8191) + 0.25;
	kit_random_fill(KIT_UNIFORM, 5, type, t->rows + t->cols - rows, x);
	if (CHECK_OK(hand_over(NULL, &fresh, &with_values, type, &h, &b))) {
		other = plan_for(b, format, op);
		if (plan && other) {
			CHECK_OK(tulle_plan_update(plan, h.val));
			CHECK_OK(mul(plan, type, 1, x, 0, y));
			CHECK_OK(mul(other, type, 1, x, 0, want));
			CHECK_THAT(memcmp(y, want, (size_t)rows * value_size(type)) == 0,
			           "update() differs from a fresh plan");
		}
		tulle_plan_destroy(other);
	}
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(b);
	handed_free(&h);
	free(fresh.val);
	free(x);
	free(y);
	free(want);
}

static void check_source(const options *o, const matrix *m, const source *s, tulle_value_type type,
                         uint64_t *state)
{
	triplets t = stored(m, s, state);
	matrix whole = full(&t, s->kind);
	arrays arr = cast(&whole, pairs[2], type, 0);
	const tulle__csr want = { whole.rows, whole.cols,  whole.nnz, TULLE_I64, TULLE_I64,
		                      type,       arr.row_ptr, arr.col,   arr.val };
	handed h = { NULL, NULL, NULL };
	tulle_matrix *a = NULL;
	const char *format;

	check_about("%s of %s, kind %d, triangle %d, base %d, ownership %d, %s, %s, %s",
	            layout_names[s->layout], m->name, (int)s->kind, (int)s->triangle, s->base,
	            (int)s->ownership, s->ones ? "ones" : "values", s->pair.name, type_name(type));
	if (CHECK_OK(hand_over(NULL, &t, s, type, &h, &a))) {
		tulle__csr got;

		spoil(&h, &t, s, type);
		got = inner_csr(a);
		check_sharing(a, &whole, &t, s, &h);
		if (CHECK_THAT(inner_same(&got, &want), "the matrix is another one")) {
			for (int f = 0; (format = tulle_formats(f)); f++) {
				for (int op = 0; wants_format(o, format) && op < 2; op++) {
					check_product(a, &whole, format, type, (tulle_op)op);
					check_update(a, &t, s, format, type, (tulle_op)op);
				}
			}
		}
	}
	tulle_matrix_destroy(a);
	handed_free(&h);
	arrays_free(&arr);
	matrix_free(&whole);
	triplets_free(&t);
}

static const struct {
	tulle_kind kind;
	tulle_triangle triangle;
} kinds[] = { { TULLE_GENERAL, TULLE_LOWER },
	          { TULLE_SYMMETRIC, TULLE_LOWER },
	          { TULLE_SYMMETRIC, TULLE_UPPER },
	          { TULLE_SKEW, TULLE_LOWER },
	          { TULLE_SKEW, TULLE_UPPER } };

static const index_pair source_pairs[] = { { TULLE_I32, TULLE_I32, "32/32" },
	                                       { TULLE_I64, TULLE_I32, "64/32" },
	                                       { TULLE_I64, TULLE_I64, "64/64" },
	                                       { TULLE_I32, TULLE_I64, "32/64" } };

static void check_matrix(const options *o, const matrix *m, tulle_value_type type, uint64_t *state)
{
	source s;

	/* Briefly: one of seven, which meets every value of every choice. */
	for (int n = 0; n < LAYOUTS * 5 * 2 * 2 * 2 * 4; n += o->brief ? 7 : 1) {
		int rest = n;

		s.layout = (layout)(rest % LAYOUTS), rest /= LAYOUTS;
		s.base = rest % 2, rest /= 2;
		s.ownership = (tulle_ownership)(rest % 2), rest /= 2;
		s.ones = rest % 2, rest /= 2;
		s.pair = source_pairs[rest % 4], rest /= 4;
		s.kind = kinds[rest].kind;
		s.triangle = kinds[rest].triangle;
		if (s.kind == TULLE_GENERAL || m->rows == m->cols)
			check_source(o, m, &s, type, state);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		int64_t rows, cols, longest;
		int distinct; /* no entry twice */
	} sizes[] = { { 0, 0, 0, 0 },   { 1, 1, 2, 0 },   { 0, 3, 0, 0 },
		          { 7, 0, 0, 0 },   { 9, 5, 4, 0 },   { 5, 9, 7, 0 },
		          { 40, 40, 9, 1 }, { 40, 40, 9, 0 }, { 900, 900, 60, 0 } };
	const options o = read_options(argc, argv);
	uint64_t state = 11;

	for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
		int64_t *lengths = grab(sizes[n].rows, sizeof *lengths);
		matrix m;

		/* The largest is cut into parts by the library's own loops. */
		for (int64_t i = 0; i < sizes[n].rows; i++)
			lengths[i] = random_below(&state, sizes[n].longest + 1);
		m = matrix_new("", sizes[n].rows, sizes[n].cols, lengths);
		matrix_random_columns(&m, &state);
		if (sizes[n].distinct)
			m = matrix_mirrored(m, TULLE_GENERAL);
		for (int64_t k = 0; k < m.nnz; k++)
			m.val[k] = (float)random_unit(&state);
		for (int t = TULLE_F32; t <= TULLE_F64; t++)
			if (wants_type(&o, (tulle_value_type)t))
				check_matrix(&o, &m, (tulle_value_type)t, &state);
		check_group("%lld x %lld, %lld entries", (long long)m.rows, (long long)m.cols,
		            (long long)m.nnz);
		matrix_free(&m);
		free(lengths);
	}
	return walk_end();
}
