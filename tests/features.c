/* features.c -- what the planner finds out about a matrix is what a slow look at all of it finds. */
#include "analysis/cost.h"
#include "inner.h"
#include "kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	kit_matrix m;
	tulle__csr a;
	tulle__features f;
} looked;

static const tulle__machine *machine(void)
{
	static tulle__machine m;

	tulle__machine_fixed(&m);
	return &m;
}

static looked look(tulle__env *env, const char *spec)
{
	looked l = { .a = { 0 } };
	tulle_csr_view view;

	check_about("%s", spec);
	if (!CHECK_THAT(kit_generate(spec, &l.m) == 0, "%s", kit_error()))
		return l;
	view = kit_view(&l.m);
	l.a = inner_view(&view);
	CHECK_OK(tulle__analyse(&l.a, machine(), env, &l.f));
	return l;
}

/* ---- lengths: exact ---- */

static int falling(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x < y) - (x > y);
}

/* Lanes * steps of rows in chunks, sorted in windows of `window` rows (1: as they come). Rows that are
 * too long for a lane are left out before chunks are made. */
static double slow_steps(const kit_matrix *m, int64_t window)
{
	int64_t *length = grab(m->rows, sizeof *length), steps = 0, nonzeros = 0;

	for (int64_t begin = 0; begin < m->rows; begin += window) {
		const int64_t end = begin + window < m->rows ? begin + window : m->rows;
		int64_t n = 0;

		for (int64_t i = begin; i < end; i++)
			if (m->row_ptr[i + 1] - m->row_ptr[i] <= TULLE__LONG_ROW)
				length[n++] = m->row_ptr[i + 1] - m->row_ptr[i];
		qsort(length, (size_t)n, sizeof *length, falling);
		for (int64_t k = 0; k < n; k++) {
			nonzeros += length[k];
			steps += k % TULLE__LANE_ROWS == 0 ? length[k] * TULLE__LANE_ROWS : 0;
		}
	}
	free(length);
	return nonzeros > 0 ? (double)steps / (double)nonzeros : 1;
}

static void check_lengths(const looked *l)
{
	double min = INFINITY, max = 0, squares = 0, empty = 0, in_long = 0;
	const double rows = (double)l->m.rows, mean = (double)l->m.nnz / rows;

	for (int64_t i = 0; i < l->m.rows; i++) {
		const double n = (double)(l->m.row_ptr[i + 1] - l->m.row_ptr[i]);

		min = fmin(min, n);
		max = fmax(max, n);
		squares += (n - mean) * (n - mean);
		empty += n == 0;
		in_long += n > TULLE__LONG_ROW ? n : 0;
	}
	CHECK_THAT(l->f.row.min == min && l->f.row.max == max, "rows of %g to %g", l->f.row.min,
	           l->f.row.max);
	CHECK_THAT(fabs(l->f.row.sd - sqrt(squares / rows)) <= 1e-9 * (1 + max), "sd %g, not %g",
	           l->f.row.sd, sqrt(squares / rows));
	CHECK_THAT(l->f.empty_rows == empty / rows, "%g of the rows are empty", l->f.empty_rows);
	CHECK_THAT(l->f.long_nonzeros == in_long / (double)l->m.nnz, "%g in long rows",
	           l->f.long_nonzeros);
	/* One window in four is looked at, so these are only nearly right. */
	CHECK_THAT(l->f.steps[TULLE__SORTED] > .9 * slow_steps(&l->m, l->m.rows) &&
	               l->f.steps[TULLE__SORTED] < 1.1 * slow_steps(&l->m, 1024),
	           "%g steps when sorted, not %g", l->f.steps[TULLE__SORTED],
	           slow_steps(&l->m, l->m.rows));
	CHECK_THAT(fabs(l->f.steps[TULLE__WINDOW] / slow_steps(&l->m, 1024) - 1) < .1,
	           "%g steps in windows, not %g", l->f.steps[TULLE__WINDOW], slow_steps(&l->m, 1024));
	CHECK_THAT(l->f.steps[TULLE__UNSORTED] >= l->f.steps[TULLE__SORTED], "sorting makes it worse");
}

static void test_lengths(tulle__env *env)
{
	static const char *const specs[] = { "stencil5:n=60", "circuit:rows=20000",
		                                 "rmat:scale=12,order=shuffled",
		                                 "lp:rows=100,cols=3000,mean=900",
		                                 "random:rows=5000,cols=5000,mean=6" };

	for (size_t n = 0; n < sizeof specs / sizeof *specs; n++) {
		looked l = look(env, specs[n]);

		if (l.a.nnz > 0)
			check_lengths(&l);
		kit_free(&l.m);
	}
	check_group("row lengths and idle lanes");
}

/* ---- structure: matrices that are made so ---- */

static void test_structure(tulle__env *env)
{
	looked l = look(env, "stencil5:n=100,values=constant");

	CHECK_THAT(l.f.symmetric == 1 && l.f.sorted, "symmetric %d, sorted %d", l.f.symmetric,
	           l.f.sorted);
	CHECK_THAT(l.f.strips > .7 && l.f.stencil == l.f.strips, "strips %g, stencil %g", l.f.strips,
	           l.f.stencil);
	CHECK_THAT(l.f.near == 1, "near %g", l.f.near);
	CHECK_THAT(l.f.values == TULLE__TABLE, "values of class %d", (int)l.f.values);
	/* Seven of the eight stretches reach back one line of the grid, less where they begin inside one. */
	CHECK_THAT(l.f.halo > .06 && l.f.halo <= 7 * 100. / 10000, "halo %g", l.f.halo);
	CHECK_THAT(l.f.runs > .9, "runs %g", l.f.runs);
	kit_free(&l.m);

	l = look(env, "stencil5:n=100,values=varying");
	CHECK_THAT(l.f.stencil == 0 && l.f.values == TULLE__OWN, "stencil %g, class %d", l.f.stencil,
	           (int)l.f.values);
	kit_free(&l.m);

	l = look(env, "random:rows=5000,cols=5000,mean=6,values=ones");
	CHECK_THAT(l.f.values == TULLE__ONES, "values of class %d", (int)l.f.values);
	CHECK_THAT(l.f.symmetric == 0 && l.f.strips == 0, "symmetric %d, strips %g", l.f.symmetric,
	           l.f.strips);
	kit_free(&l.m);
	check_group("structure");
}

static void test_blocks(tulle__env *env)
{
	uint64_t state = 1;

	for (int n = 0; n < TULLE__BLOCK_SIZES; n++) {
		const int b = tulle__block_sizes[n];
		matrix m = matrix_blocks("blocks", 120 * b, b, 5, 10, 0, &state);
		tulle__csr a = { .rows = m.rows,
			             .cols = m.cols,
			             .nnz = m.nnz,
			             .offset_type = TULLE_I64,
			             .column_type = TULLE_I64,
			             .value_type = TULLE_F64,
			             .row_ptr = m.row_ptr,
			             .col = m.col,
			             .val = m.val };
		tulle__features f;

		check_about("blocks of %d", b);
		if (CHECK_OK(tulle__analyse(&a, machine(), env, &f)))
			CHECK_THAT(f.fill[n] == 1 && f.full[n] == 1, "fill %g, full %g", f.fill[n], f.full[n]);
		matrix_free(&m);
	}
	check_group("blocks");
}

/* ---- x: columns in order meet their cache lines again, random ones do not ---- */

static void test_locality(tulle__env *env)
{
	looked l = look(env, "stencil5:n=600");

	CHECK_THAT(l.f.misses_l2 < .05, "a stencil misses %g", l.f.misses_l2);
	kit_free(&l.m);

	l = look(env, "random:rows=400000,cols=400000,mean=4");
	/* Half of a 2 MB cache holds a third of x. */
	CHECK_THAT(l.f.misses_l2 > .5 && l.f.misses_l2 < .9, "random columns miss %g", l.f.misses_l2);
	CHECK_THAT(fabs(l.f.hot[0] - 65536. / 400000) < .06, "%g in the hottest block", l.f.hot[0]);
	CHECK_THAT(fabs(l.f.hot[6] - 1) < .01, "%g in all blocks", l.f.hot[6]);
	kit_free(&l.m);

	l = look(env, "rmat:scale=17,order=shuffled");
	CHECK_THAT(l.f.hot[0] > .8, "%g in the hottest half of a power law", l.f.hot[0]);
	kit_free(&l.m);

	l = look(env, "random:rows=1000,cols=1000,mean=6");
	CHECK_THAT(l.f.misses_l1 == 0 && l.f.misses_l2 == 0, "a small x misses %g", l.f.misses_l1);
	kit_free(&l.m);
	check_group("locality of x");
}

/* ---- fingerprints ---- */

static void test_fingerprint(tulle__env *env)
{
	looked a = look(env, "random:rows=3000,cols=3000,mean=6,seed=1");
	looked b = look(env, "random:rows=3000,cols=3000,mean=6,seed=1");
	looked c = look(env, "random:rows=3000,cols=3000,mean=6,seed=2");

	CHECK_THAT(tulle__fingerprint(&a.a, &a.f) == tulle__fingerprint(&b.a, &b.f),
	           "one matrix has two fingerprints");
	CHECK_THAT(tulle__fingerprint(&a.a, &a.f) != tulle__fingerprint(&c.a, &c.f),
	           "two matrices have one fingerprint");
	kit_free(&a.m);
	kit_free(&b.m);
	kit_free(&c.m);
	check_group("fingerprints");
}

/* ---- nothing in it ---- */

static void test_empty(tulle__env *env)
{
	const int64_t offsets[4] = { 0 };

	for (int64_t rows = 0; rows < 4; rows += 3) {
		const tulle__csr a = { .rows = rows,
			                   .cols = 5 - rows,
			                   .offset_type = TULLE_I64,
			                   .column_type = TULLE_I32,
			                   .value_type = TULLE_F32,
			                   .row_ptr = offsets };
		tulle__features f;

		check_about("%d rows, nothing in them", (int)rows);
		CHECK_OK(tulle__analyse(&a, machine(), env, &f));
		CHECK(f.nnz == 0 && f.symmetric == 0);
	}
	check_group("empty matrices");
}

/* ---- a machine ---- */

static void test_machine(tulle__env *env)
{
	tulle__machine m;

	check_about("machine");
	tulle__machine_assume(env, &m);
	CHECK(m.cache[TULLE__L1] > 0 && m.cache[TULLE__L1] < m.cache[TULLE__L2]);
	CHECK(tulle__machine_signature(&m) != 0 && !m.caches_timed && !m.memory_timed);
	/* More is never faster, and what fits in a cache is no slower than what does not. */
	CHECK(tulle__read_seconds(&m, 100, 100) <= tulle__read_seconds(&m, 100, 1e12));
	check_group("machine");
}

int main(void)
{
	tulle__env env;

	inner_env(&env, TULLE__SCALAR);
	test_lengths(&env);
	test_structure(&env);
	test_blocks(&env);
	test_locality(&env);
	test_fingerprint(&env);
	test_empty(&env);
	test_machine(&env);
	CHECK_EQUAL(atomic_load(&env.blocks_held), 0);
	return check_end();
}
