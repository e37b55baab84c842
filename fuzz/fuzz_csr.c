/* fuzz_csr.c -- arrays of any content through the interface: tulle_matrix_from_csr, _csc, _coo and _bsr refuse them with a
 * sentence, or make the matrix that they describe.
 *
 * The target knows which arrays are valid. An array of indices is as long as valid offsets say, and has no element if
 * offsets are invalid: whoever reads it then is seen by AddressSanitizer. */
#include "chosen.h"
#include "fuzz.h"
#include "sound.h"

#include <string.h>

typedef enum { CSR, CSC, COO, BSR, SOURCES } source;

enum { MOST_ROWS = 12, MOST_ENTRIES = 4096, TOO_MANY = -1 };

typedef struct {
	source from;
	int64_t rows, cols, height, width; /* blocks of a BSR, else 1 x 1 */
	int64_t majors, minors, nnz;       /* of the compressed arrays; nnz of blocks */
	tulle_order order;
	index_pair pair;
	tulle_matrix_options options;
	int64_t *ptr, *major, *minor; /* ptr: not of COO; major: only of COO */
	double *val;
	int valid;
} given;

/* Mostly an index, now and then a number that wraps, is negative or one too large. */
static int64_t choose_index(choices *c, int64_t base, int64_t n, tulle_index_type type)
{
	static const int64_t odd[] = { -1,        INT32_MIN, INT32_MAX, INT64_MIN,
		                           INT64_MAX, 1ll << 32, 1ll << 59 };
	int64_t number = base + choose(c, n);

	if (choose(c, 32) == 0) {
		const int64_t which = choose(c, 8);

		number = which == 7 ? base + n : odd[which];
		if (type == TULLE_I32)
			number = (int32_t)(uint32_t)(uint64_t)number;
	}
	return number;
}

/* Offsets, and whether they are valid. */
static void choose_offsets(choices *c, given *g)
{
	const int64_t base = g->options.base;
	int64_t at = base;

	g->ptr = grab(g->majors + 1, sizeof *g->ptr);
	for (int64_t i = 0; i <= g->majors; i++) {
		g->ptr[i] = at;
		at += choose(c, 6);
	}
	if (choose(c, 8) == 0)
		g->ptr[choose(c, g->majors + 1)] = choose_index(c, base, 64, g->pair.offset);
	g->valid = g->ptr[0] == base;
	for (int64_t i = 0; i < g->majors; i++)
		g->valid &= g->ptr[i] <= g->ptr[i + 1];
	g->nnz = g->valid ? g->ptr[g->majors] - base : 0;
	if (g->nnz >= 1ll << 59)
		g->valid = 0;
	if (g->valid && g->nnz > MOST_ENTRIES)
		g->nnz = TOO_MANY; /* the caller's arrays would have to be longer than ours */
	else if (!g->valid)
		g->nnz = 0;
}

static int is_valid_index(int64_t index, int base, int64_t n)
{
	return index >= base && index - base < n;
}

static int in_triangle(const tulle_matrix_options *o, int64_t i, int64_t j)
{
	if (o->kind == TULLE_GENERAL)
		return 1;
	if (i == j)
		return o->kind == TULLE_SYMMETRIC;
	return o->triangle == TULLE_LOWER ? j < i : j > i;
}

static int64_t major_at(const given *g, int64_t k)
{
	int64_t i = 0;

	if (g->from == COO)
		return g->major[k];
	while (g->ptr[i + 1] - g->options.base <= k)
		i++;
	return i + g->options.base;
}

/* Row and column of entry or block k, zero-based. */
static void place(const given *g, int64_t k, int64_t *i, int64_t *j)
{
	const int64_t major = major_at(g, k) - g->options.base, minor = g->minor[k] - g->options.base;

	*i = g->from == CSC ? minor : major;
	*j = g->from == CSC ? major : minor;
}

static void choose_indices(choices *c, given *g)
{
	const int base = g->options.base;
	int64_t i, j;

	g->minor = grab(g->nnz, sizeof *g->minor);
	g->major = grab(g->nnz, sizeof *g->major);
	for (int64_t k = 0; k < g->nnz; k++) {
		g->minor[k] = choose_index(c, base, g->minors, g->pair.column);
		g->major[k] = g->from == COO ? choose_index(c, base, g->majors, g->pair.column) : base;
		g->valid &= is_valid_index(g->minor[k], base, g->minors);
		g->valid &= g->from != COO || is_valid_index(g->major[k], base, g->majors);
	}
	for (int64_t k = 0; k < g->nnz && g->valid; k++) {
		place(g, k, &i, &j);
		g->valid &= in_triangle(&g->options, i, j);
	}
}

static given choose_given(choices *c)
{
	given g = { .from = (source)choose(c, SOURCES), .height = 1, .width = 1, .valid = 1 };
	const int square = (int)choose(c, 2);

	g.majors = choose(c, MOST_ROWS + 1);
	g.minors = square ? g.majors : choose(c, MOST_ROWS + 1);
	g.pair = (index_pair){ choose(c, 2) ? TULLE_I64 : TULLE_I32,
		                   choose(c, 2) ? TULLE_I64 : TULLE_I32, "" };
	g.options = (tulle_matrix_options){ .size = sizeof g.options,
		                                .ownership = (tulle_ownership)choose(c, 2),
		                                .base = (int)choose(c, 2),
		                                .kind = (tulle_kind)(square ? choose(c, 3) : 0),
		                                .triangle = (tulle_triangle)choose(c, 2) };
	if (g.from == BSR) {
		g.height = 1 + choose(c, 4);
		g.width = 1 + choose(c, 4);
		g.order = (tulle_order)choose(c, 2);
		g.options.kind = TULLE_GENERAL;
	}
	if (g.from == COO)
		g.nnz = choose(c, 40);
	else
		choose_offsets(c, &g);
	if (g.nnz != TOO_MANY)
		choose_indices(c, &g);
	g.rows = g.height * (g.from == CSC ? g.minors : g.majors);
	g.cols = g.width * (g.from == CSC ? g.majors : g.minors);
	return g;
}

/* ---- */

static tulle_status make(tulle_context *context, const given *g, const arrays *a, const void *major,
                         tulle_matrix **out)
{
	switch (g->from) {
	case CSR:
		return tulle_matrix_from_csr(context, g->rows, g->cols, g->pair.offset, a->row_ptr,
		                             g->pair.column, a->col, TULLE_F64, a->val, &g->options, out);
	case CSC:
		return tulle_matrix_from_csc(context, g->rows, g->cols, g->pair.offset, a->row_ptr,
		                             g->pair.column, a->col, TULLE_F64, a->val, &g->options, out);
	case COO:
		return tulle_matrix_from_coo(context, g->rows, g->cols, g->nnz, g->pair.column, major,
		                             a->col, TULLE_F64, a->val, &g->options, out);
	default:
		return tulle_matrix_from_bsr(context, g->majors, g->minors, g->height, g->width, g->order,
		                             g->pair.offset, a->row_ptr, g->pair.column, a->col, TULLE_F64,
		                             a->val, &g->options, out);
	}
}

enum { WIDEST = MOST_ROWS * 4 };

/* Whole numbers, so that sums are exact. */
static void add_given(const given *g, double dense[WIDEST][WIDEST], int64_t *entries)
{
	const int64_t size = g->height * g->width;

	*entries = 0;
	for (int64_t k = 0; k < g->nnz * size; k++) {
		const int64_t n = k % size;
		int64_t i, j;

		place(g, k / size, &i, &j);
		i = i * g->height + (g->order == TULLE_ROW_MAJOR ? n / g->width : n % g->height);
		j = j * g->width + (g->order == TULLE_ROW_MAJOR ? n % g->width : n / g->height);
		dense[i][j] += g->val[k];
		++*entries;
		if (g->options.kind != TULLE_GENERAL && i != j) {
			dense[j][i] += g->options.kind == TULLE_SKEW ? -g->val[k] : g->val[k];
			++*entries;
		}
	}
}

static void check_matrix(const given *g, const tulle_matrix *m)
{
	double dense[WIDEST][WIDEST] = { { 0 } }, x[WIDEST], y[WIDEST], want;
	tulle_csr_view v = { .size = sizeof v };
	tulle_plan *plan = NULL;
	int64_t entries;

	check_sound(m);
	add_given(g, dense, &entries);
	REQUIRE(tulle_matrix_view_csr(m, &v) == TULLE_OK);
	REQUIRE(v.rows == g->rows && v.cols == g->cols && v.nnz == entries);
	REQUIRE(tulle_plan_create(m, NULL, &plan) == TULLE_OK);
	for (int64_t j = 0; j < g->cols; j++)
		x[j] = (double)(1 + j % 5);
	REQUIRE(tulle_mul_f64(plan, 1, x, 0, y) == TULLE_OK);
	for (int64_t i = 0; i < g->rows; i++) {
		want = 0;
		for (int64_t j = 0; j < g->cols; j++)
			want += dense[i][j] * x[j];
		REQUIRE(y[i] == want);
		for (int64_t k = index_at(v.row_ptr, v.offset_type, i);
		     k < index_at(v.row_ptr, v.offset_type, i + 1); k++)
			dense[i][index_at(v.col, v.column_type, k)] -= v.val ? ((const double *)v.val)[k] : 1;
		for (int64_t j = 0; j < g->cols; j++)
			REQUIRE(dense[i][j] == 0);
	}
	tulle_plan_destroy(plan);
}

static void check_given(tulle_context *context, given *g, int ones)
{
	const int64_t values = g->nnz * g->height * g->width;
	arrays a = { .col = cast_indices(g->minor, g->nnz, g->pair.column, 0) };
	void *major = cast_indices(g->major, g->nnz, g->pair.column, 0);
	tulle_matrix *m = NULL;
	tulle_status s;

	if (g->ptr)
		a.row_ptr = cast_indices(g->ptr, g->majors + 1, g->pair.offset, 0);
	g->val = grab(values, sizeof *g->val);
	for (int64_t k = 0; k < values; k++)
		g->val[k] = ones ? 1 : (double)(k % 7 - 3);
	a.val = ones ? NULL : cast_values(g->val, values, TULLE_F64);
	s = make(context, g, &a, major, &m);
	REQUIRE((s == TULLE_OK) == g->valid && (m != NULL) == g->valid);
	if (s == TULLE_OK) {
		check_matrix(g, m);
	} else {
		REQUIRE(s == TULLE_E_MATRIX);
		check_sentence(tulle_last_error());
	}
	tulle_matrix_destroy(m);
	arrays_free(&a);
	free(major);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const tulle_context_options limits = { .size = sizeof limits, .threads = 1 };
	tulle_context_info held = { .size = sizeof held };
	choices c = choices_of_bytes(data, size);
	const int ones = (int)choose(&c, 4) == 0;
	given g = choose_given(&c);
	tulle_context *context;

	if (g.nnz != TOO_MANY) {
		REQUIRE(tulle_context_create(&limits, &context) == TULLE_OK);
		check_given(context, &g, ones);
		tulle_context_describe(context, &held);
		REQUIRE(held.blocks_held == 0);
		tulle_context_destroy(context);
	}
	free(g.ptr);
	free(g.major);
	free(g.minor);
	free(g.val);
	return 0;
}
