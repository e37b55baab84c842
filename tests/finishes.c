/* finishes.c -- what formats say about finished rows: no part and no phase after it touches a row that a part
 * has finished, and most rows of a grid are finished by a part. */
#include "inner.h"
#include "shapes.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MARK = 0x5a };

typedef struct {
	inner in;
	tulle__layout layout;
	const tulle__kernel *kernel;
	tulle__call call;
	int64_t rows;
	double *y, *kept; /* rows when they were finished */
	char *is_finished;
	int64_t finished;
} run;

/* Keep what the part has finished, and overwrite it: whoever reads or writes it afterwards shows. */
static void keep_finished(run *r, int64_t part)
{
	int64_t begin, end;

	r->in.format->finishes(r->in.data, part, &begin, &end);
	if (begin >= end)
		return;
	if (!CHECK_THAT(begin >= 0 && end <= r->rows, "part %lld finishes rows %lld to %lld of %lld",
	                (long long)part, (long long)begin, (long long)end, (long long)r->rows))
		return;
	for (int64_t i = begin; i < end; i++) {
		if (r->is_finished[i])
			CHECK_THAT(0, "row %lld is finished twice", (long long)i);
		r->is_finished[i] = 1;
		r->kept[i] = r->y[i];
		memset(&r->y[i], MARK, sizeof r->y[i]);
		r->finished++;
	}
}

/* Threads run the parts of a phase in any order; here from the first to the last, or from the last to the first. */
static void multiply_in_parts(run *r, int backwards)
{
	memset(r->is_finished, 0, (size_t)r->rows);
	r->finished = 0;
	for (int phase = 0; phase < TULLE__PHASES && r->kernel->phase[phase]; phase++)
		for (int64_t n = 0; n < r->layout.parts[phase]; n++) {
			const int64_t part = backwards ? r->layout.parts[phase] - 1 - n : n;

			r->kernel->phase[phase](&r->call, part);
			if (phase == r->layout.finishing_phase)
				keep_finished(r, part);
		}
}

/* Compare with `want`, which a multiplication without interruption gave. */
static void compare(const run *r, const double *want)
{
	double mark;

	memset(&mark, MARK, sizeof mark);
	for (int64_t i = 0; i < r->rows; i++) {
		const double *got = r->is_finished[i] ? &r->kept[i] : &r->y[i];

		if (memcmp(got, &want[i], sizeof *got) != 0)
			CHECK_THAT(0, "row %lld is %g, not %g: it was not finished", (long long)i, *got,
			           want[i]);
		if (r->is_finished[i] && memcmp(&r->y[i], &mark, sizeof mark) != 0)
			CHECK_THAT(0, "row %lld was touched again", (long long)i);
	}
}

/* The share of rows that parts have finished; -1: the format refuses the matrix, or never says. */
static double check_matrix(const char *spec, const matrix *m)
{
	const index_pair pair = { TULLE_I32, TULLE_I32, "32/32" };
	arrays arr = cast(m, pair, TULLE_F64, 0);
	tulle_matrix *a = borrow(NULL, m, pair, TULLE_F64, &arr);
	const tulle__csr csr = inner_csr(a);
	double *x = grab(m->cols, sizeof *x), *want = grab(m->rows, sizeof *want);
	run r = { .rows = m->rows };
	double share = -1;

	check_about("%s, %s", spec, m->name);
	for (int64_t j = 0; j < m->cols; j++)
		x[j] = 1.0 / (double)(j + 3);
	if (inner_convert(&r.in, spec, TULLE__SCALAR, &csr)) {
		r.kernel = r.in.format->kernel(r.in.data, TULLE__SCALAR, TULLE_F64);
		r.in.format->describe(r.in.data, &r.layout);
		if (r.in.format->finishes &&
		    CHECK_OK(tulle__alloc(&r.in.env, 1, r.layout.scratch, &r.call.scratch))) {
			r.y = grab(m->rows, sizeof *r.y);
			r.kept = grab(m->rows, sizeof *r.kept);
			r.is_finished = grab(m->rows, 1);
			inner_multiply(&r.in, TULLE__SCALAR, TULLE_F64, 1.5, x, 0, NULL, want);
			r.call = (tulle__call){ .data = r.in.data,
				                    .x = x,
				                    .y = r.y,
				                    .b = r.y,
				                    .scratch = r.call.scratch,
				                    .alpha = tulle__real(1.5) };
			for (int backwards = 0; backwards < 2; backwards++) {
				multiply_in_parts(&r, backwards);
				compare(&r, want);
			}
			share = m->rows > 0 ? (double)r.finished / (double)m->rows : 1;
			free(r.y);
			free(r.kept);
			free(r.is_finished);
			tulle__free(&r.in.env, r.call.scratch);
		}
		inner_release(&r.in);
	}
	free(x);
	free(want);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	return share;
}

static int check_shape(const void *arg, const char *spec, int n, matrix *m, int shape)
{
	uint64_t state = (uint64_t)shape;

	(void)arg;
	(void)n;
	for (int64_t k = 0; k < m->nnz; k++)
		m->val[k] = random_unit(&state);
	matrix_mirror_values(m);
	return check_matrix(spec, m) >= 0;
}

/* Parts of sell are as long as windows here: rows that sorting has moved across a cut are left over. */
static void check_grid(const char *format, const matrix *grid)
{
	const double share = check_matrix(format, grid);

	if (share < 0)
		return;
	CHECK_THAT(share > .7, "parts finish only %.0f %% of the rows", 100 * share);
	check_group("%s: %.1f %% of the rows of a grid", format, 100 * share);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	matrix grid = matrix_grid(1000), large = matrix_large(9), nodes = matrix_nodes(9);
	const char *format;

	for (int f = 0; (format = tulle_formats(f)); f++) {
		if (!wants_format(&o, format))
			continue;
		check_group("%s: %d matrices", format, each_shape(format, check_shape, NULL));
		check_matrix(format, &nodes);
		if (strcmp(format, "ell") != 0 && strcmp(format, "ellr") != 0)
			check_matrix(format, &large);
		check_grid(format, &grid);
	}
	matrix_free(&grid);
	matrix_free(&large);
	matrix_free(&nodes);
	return walk_end();
}
