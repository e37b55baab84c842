/* many.c -- tulle_mul_many: every vector within its bound, nothing between the vectors touched, the
 * same bits at any number of threads, and those of single products where the format promises it. */
#include "inner.h"
#include "kit.h"
#include "shapes.h"
#include "value_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, SMALL = 6, BETAS = 2 };

static const int64_t all_counts[] = { 1, 2, 3, 4, 5, 7, 8, 9, 10, 16, 17, 33, 64, 0 };
static const int64_t few_counts[] = { 2, 9, 0 };

static const double alpha = 1.5, betas[BETAS] = { 0, -0.5 }, mark = -77;

/* One operator, vectors to multiply it with, and what each of them has to give. */
typedef struct {
	matrix m;
	tulle_value_type type;
	tulle_op op;
	index_pair pair;
	arrays arr;         /* val NULL: ones */
	int64_t rows, cols; /* of the operator */
	void *x[MOST], *b[MOST];
	kit_oracle *oracle[BETAS][MOST];
	int vectors;
} problem;

static void fill_vectors(problem *p, uint64_t *state)
{
	for (int v = 0; v < p->vectors; v++) {
		p->x[v] = grab(p->cols, value_size(p->type));
		p->b[v] = grab(p->rows, value_size(p->type));
		for (int64_t j = 0; j < p->cols; j++)
			value_set(p->type, p->x[v], j, (float)random_unit(state));
		for (int64_t i = 0; i < p->rows; i++)
			value_set(p->type, p->b[v], i, (float)random_unit(state));
	}
	/* They must stay in the rows and vectors that they belong to. */
	if (p->vectors > 3 && p->cols > 0) {
		value_set(p->type, p->x[2], random_below(state, p->cols), (double)INFINITY);
		value_set(p->type, p->x[3], random_below(state, p->cols), (double)NAN);
	}
}

/* `turn` says which index types it has; every fourth one of no class has no values. */
static problem problem_new(matrix m, int turn, tulle_value_type type, tulle_op op, int vectors)
{
	problem p = { .m = m, .type = type, .op = op, .pair = pairs[turn % PAIRS], .vectors = vectors };
	uint64_t state = (uint64_t)turn + 5;
	const int t = op == TULLE_TRANSPOSED;

	p.arr = cast(&m, p.pair, type, 0);
	if (turn % 4 == 3) {
		free(p.arr.val);
		p.arr.val = NULL;
	}
	p.rows = t ? m.cols : m.rows;
	p.cols = t ? m.rows : m.cols;
	fill_vectors(&p, &state);
	const tulle_csr_view view = { .size = sizeof view,
		                          .rows = m.rows,
		                          .cols = m.cols,
		                          .nnz = m.nnz,
		                          .offset_type = p.pair.offset,
		                          .column_type = p.pair.column,
		                          .value_type = type,
		                          .row_ptr = p.arr.row_ptr,
		                          .col = p.arr.col,
		                          .val = p.arr.val };
	for (int n = 0; n < BETAS; n++)
		for (int v = 0; v < vectors; v++) {
			p.oracle[n][v] = kit_oracle_create(&view, op, alpha, p.x[v], betas[n], p.b[v]);
			CHECK_THAT(p.oracle[n][v], "the oracle: %s", kit_error());
		}
	return p;
}

static void problem_free(problem *p)
{
	for (int v = 0; v < p->vectors; v++) {
		free(p->x[v]);
		free(p->b[v]);
		for (int n = 0; n < BETAS; n++)
			kit_oracle_free(p->oracle[n][v]);
	}
	arrays_free(&p->arr);
	matrix_free(&p->m);
}

/* ---- blocks of vectors ---- */

/* k vectors of n elements with a gap after each line and some room after the last. */
typedef struct {
	tulle_order order;
	int64_t n, k, ld, room;
	void *at;
} block;

static block block_new(tulle_order order, int64_t n, int64_t k, int64_t gap, tulle_value_type type)
{
	block b = { order, n, k, (order == TULLE_COLUMN_MAJOR ? n : k) + gap, 0, NULL };

	b.room = b.ld * (order == TULLE_COLUMN_MAJOR ? k : n) + 4;
	b.at = grab(b.room, value_size(type));
	value_fill(type, b.at, b.room, mark);
	return b;
}

/* Where element i of vector v is. */
static int64_t place(const block *b, int64_t i, int64_t v)
{
	return b->order == TULLE_COLUMN_MAJOR ? v * b->ld + i : i * b->ld + v;
}

static void put(const block *b, tulle_value_type type, int64_t v, const void *from)
{
	for (int64_t i = 0; i < b->n; i++)
		value_set(type, b->at, place(b, i, v), from ? value_at(type, from, i) : (double)NAN);
}

/* Take vector v out of the block, and leave marks. */
static void take(const block *b, tulle_value_type type, int64_t v, void *to)
{
	for (int64_t i = 0; i < b->n; i++) {
		value_set(type, to, i, value_at(type, b->at, place(b, i, v)));
		value_set(type, b->at, place(b, i, v), mark);
	}
}

static int64_t first_touched(const block *b, tulle_value_type type)
{
	for (int64_t at = 0; at < b->room; at++)
		if (value_at(type, b->at, at) != mark)
			return at;
	return -1;
}

/* ---- one plan ---- */

static tulle_status mul_many(const tulle_plan *plan, tulle_value_type type, const block *x,
                             double beta, const block *y)
{
	if (type == TULLE_F32)
		return tulle_mul_many_f32(plan, x->k, x->order, (float)alpha, x->at, x->ld, (float)beta,
		                          y->at, y->ld);
	return tulle_mul_many_f64(plan, x->k, x->order, alpha, x->at, x->ld, beta, y->at, y->ld);
}

/* The products of each vector by itself. */
typedef struct {
	void *y[BETAS][MOST];
} singles;

static singles multiply_apart(const problem *p, const tulle_plan *plan)
{
	singles alone;

	for (int n = 0; n < BETAS; n++)
		for (int v = 0; v < p->vectors; v++) {
			void *y = alone.y[n][v] = grab(p->rows, value_size(p->type));

			CHECK_OK(multiply(plan, p->type, MUL, alpha, p->x[v], betas[n], p->b[v], y, p->rows));
		}
	return alone;
}

static void singles_free(const problem *p, singles *alone)
{
	for (int n = 0; n < BETAS; n++)
		for (int v = 0; v < p->vectors; v++)
			free(alone->y[n][v]);
}

/* The first element whose bits are others; -1: none. One NaN is as good as another. */
static int64_t first_other(const problem *p, const void *got, const void *want)
{
	if (memcmp(got, want, (size_t)p->rows * value_size(p->type)) == 0)
		return -1;
	for (int64_t i = 0; i < p->rows; i++) {
		const double u = value_at(p->type, got, i), w = value_at(p->type, want, i);

		if (memcmp(&u, &w, sizeof u) != 0 && !(isnan(u) && isnan(w)))
			return i;
	}
	return -1;
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
	for (size_t n = 0; n + 4 <= count; n += 4) {
		uint32_t word;

		memcpy(&word, (const char *)bytes + n, sizeof word);
		hash = (hash ^ word) * 0x100000001b3u;
	}
	return hash;
}

/* One call; returns `hash` with the bits of the result mixed in. */
static uint64_t check_call(const problem *p, const tulle_plan *plan, tulle_order order, int64_t k,
                           int64_t gap, int n, const singles *alone, uint64_t hash)
{
	const size_t size = value_size(p->type);
	block x = block_new(order, p->cols, k, gap, p->type);
	block y = block_new(order, p->rows, k, 2 * gap, p->type);
	void *one = grab(p->rows, size);

	for (int64_t v = 0; v < k; v++) {
		put(&x, p->type, v, p->x[v]);
		put(&y, p->type, v, betas[n] == 0 ? NULL : p->b[v]);
	}
	if (CHECK_OK(mul_many(plan, p->type, &x, betas[n], &y))) {
		for (int64_t v = 0; v < k; v++) {
			take(&y, p->type, v, one);
			const kit_verdict verdict = kit_oracle_check(p->oracle[n][v], one);

			CHECK_THAT(verdict.violations == 0,
			           "order %d, k %lld, gap %lld, beta %g: row %lld of vector %lld is beyond the "
			           "bound",
			           (int)order, (long long)k, (long long)gap, betas[n],
			           (long long)verdict.worst_row, (long long)v);
			if (alone) {
				const int64_t other = first_other(p, one, alone->y[n][v]);

				CHECK_THAT(other < 0,
				           "order %d, k %lld, beta %g: y[%lld] of vector %lld has other "
				           "bits than alone",
				           (int)order, (long long)k, betas[n], (long long)other, (long long)v);
			}
			hash = mix(hash, one, (size_t)p->rows * size);
		}
		const int64_t touched = first_touched(&y, p->type);

		CHECK_THAT(touched < 0, "order %d, k %lld, gap %lld: touched between vectors at %lld",
		           (int)order, (long long)k, (long long)gap, (long long)touched);
	}
	free(x.at);
	free(y.at);
	free(one);
	return hash;
}

/* All calls of a plan; returns a hash of all their bits. */
static uint64_t check_spec(const problem *p, tulle_context *context, const char *spec,
                           const int64_t *counts)
{
	const tulle__format *format = tulle__format_named(spec, strcspn(spec, ":"));
	const int same = !format->many || format->flags & TULLE__ORDERED;
	tulle_matrix *a = borrow(context, &p->m, p->pair, p->type, &p->arr);
	tulle_plan *plan = a ? plan_unless_padded(a, spec, p->op) : NULL;
	uint64_t hash = 0xcbf29ce484222325u;

	check_about("%s, %s, %s, op %d, %s", spec, type_name(p->type), p->pair.name, (int)p->op,
	            p->m.name);
	if (plan) {
		singles alone = multiply_apart(p, plan);

		for (; *counts; counts++)
			for (int n = 0; n < 4; n++)
				hash = check_call(p, plan, n % 2 ? TULLE_ROW_MAJOR : TULLE_COLUMN_MAJOR, *counts,
				                  *counts % 3 ? 0 : 3, n / 2, same || *counts == 1 ? &alone : NULL,
				                  hash);
		singles_free(p, &alone);
	}
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	return hash;
}

/* ---- all ---- */

/* Problem number `turn`. `hashes`: bits of one thread, kept or compared with. */
static void walk(const options *o, const problem *p, int turn, int threads, const int64_t *counts,
                 uint64_t *hashes)
{
	const char *format;
	char *spec;
	int at = 0;

	for (int i = 0; i < ISAS; i++) {
		tulle_context *context = wants_isa(o, isas[i]) ? context_for(isas[i], threads, -1) : NULL;

		for (int f = 0; context && (format = tulle_formats(f)); f++) {
			for (int n = 0; wants_format(o, format) && (spec = format_spec(format, n)); n++) {
				const uint64_t hash =
				    wants_shape(o, n, turn) ? check_spec(p, context, spec, counts) : 0;

				if (hashes && threads == 1)
					hashes[at] = hash;
				else if (hashes)
					CHECK_THAT(hash == hashes[at], "%s: other bits with %d threads than with one",
					           isas[i], threads);
				at++;
				free(spec);
			}
		}
		tulle_context_destroy(context);
	}
}

/* ---- classes of values, kinds of columns ---- */

static double floats(int64_t row, int64_t col, int64_t k)
{
	(void)row;
	(void)col;
	return 0.25 + (double)(k % 1000);
}

static double by_diagonal(int64_t row, int64_t col, int64_t k)
{
	(void)k;
	return 1.0 / (double)(3 + (row > col ? row - col : col - row));
}

/* Shapes have columns of 16 and of 32 bits, strips, long rows, blocks with and without holes. A shape has one
 * class and one number of vectors: the numbers of classes and counts have no common divisor, so that all pairs
 * of them occur. */
static void check_shapes(const options *o)
{
	static value_rule *const rules[] = { any, one, sixteen, floats, by_diagonal };
	static const int64_t counts[] = { 2, 3, 4, 5, 10, 16, 17, 64 };
	matrix m;

	for (int n = 0; shape_at(n, &m); n++) {
		const tulle_value_type type = n / 8 % 2 ? TULLE_F32 : TULLE_F64;
		/* Where x is long, many vectors of it would take more time than they show. */
		const int64_t k = m.cols > 20000 ? 5 : counts[n % 8], list[] = { k, 0 };

		if (!wants_type(o, type)) {
			matrix_free(&m);
			continue;
		}
		for (int64_t i = 0; i < m.rows; i++)
			for (int64_t e = m.row_ptr[i]; e < m.row_ptr[i + 1]; e++)
				m.val[e] = rules[n % 5](i, m.col[e], e);
		matrix_mirror_values(&m);
		problem p = problem_new(m, 4 * n, type, TULLE_NORMAL, (int)k);

		walk(o, &p, n, 1, list, NULL);
		problem_free(&p);
	}
	check_group("classes of values, kinds of columns");
}

/* A matrix that is dense enough for column-major vectors to be brought together, too. */
static matrix matrix_dense(uint64_t *state)
{
	int64_t lengths[20];
	matrix m;

	for (int i = 0; i < 20; i++)
		lengths[i] = 8 + i;
	m = matrix_new("dense", 20, 17, lengths);
	matrix_random_columns(&m, state);
	return m;
}

static void check_small(const options *o)
{
	uint64_t state = 31;

	for (int turn = 0; turn < SMALL; turn++)
		for (int n = 0; n < 4; n++) {
			matrix m = turn % 5 ? matrix_small(&state, 30) : matrix_dense(&state);

			for (int64_t k = 0; k < m.nnz; k++)
				m.val[k] = (float)random_unit(&state);
			matrix_mirror_values(&m);
			problem p =
			    problem_new(m, turn, n % 2 ? TULLE_F32 : TULLE_F64, (tulle_op)(n / 2), MOST);

			if (wants_type(o, p.type))
				walk(o, &p, turn, 1, all_counts, NULL);
			problem_free(&p);
		}
	check_group("small matrices");
}

/* Two rows that are cut, several parts; not so uneven that a format may refuse it. */
static matrix matrix_in_parts(int64_t cols)
{
	enum { ROWS = 70, LONG = 9000 };
	int64_t lengths[ROWS];
	uint64_t state = 77;
	matrix m;

	for (int64_t i = 0; i < ROWS; i++)
		lengths[i] = i % 7 == 3 ? 0 : 1 + random_below(&state, 1000);
	lengths[ROWS / 3] = LONG;
	lengths[ROWS - 1] = LONG;
	m = matrix_new("in parts", ROWS, cols, lengths);
	matrix_random_columns(&m, &state);
	for (int64_t k = 0; k < m.nnz; k++)
		m.val[k] = random_unit(&state);
	return m;
}

static void check_parts(const options *o)
{
	static const int threads[] = { 1, 2, 5 };
	enum { SPECS = 1024 };
	uint64_t *hashes = grab(SPECS, sizeof *hashes);

	for (int n = 0; n < 4; n += o->brief ? 3 : 1) {
		const tulle_value_type type = n % 2 ? TULLE_F64 : TULLE_F32;

		if (!wants_type(o, type))
			continue;
		problem p = problem_new(matrix_in_parts(n < 2 ? 500 : 70000), 0, type, TULLE_NORMAL, 9);

		for (int t = 0; t < 3; t++)
			walk(o, &p, n, threads[t], few_counts, hashes);
		problem_free(&p);
	}
	free(hashes);
	check_group("a matrix in parts");
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);

	check_small(&o);
	check_shapes(&o);
	check_parts(&o);
	return walk_end();
}
