/* alloc_failure.c -- the k-th allocation fails, for every k, once and for ever.
 *
 * Each scenario is a list of steps. A step that fails must say TULLE_E_MEMORY, leave its output and
 * the memory held as they were, and succeed when it is simply tried again; the y at the end has the
 * bits it has without failures, and everything is given back. */
#include "heap.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- scenarios ---- */

enum { ROWS = 300, VECTORS = 3 };

typedef enum {
	FROM_CSR,
	FROM_CSR_COPY,
	FROM_CSR_BASE1,
	FROM_SYMMETRIC,
	FROM_CSC,
	FROM_COO,
	FROM_F32, /* csr, for f64 vectors */
	FROM_COO_COMPACT,
	FROM_BF16, /* csr, for f64 vectors */
	MAKERS
} maker;

static const char *const maker_names[MAKERS] = { "csr",       "csr copy",    "csr base 1",
	                                             "symmetric", "csc",         "coo",
	                                             "f32",       "coo compact", "bf16" };

typedef struct {
	maker make;
	const char *spec; /* NULL: the library chooses */
	tulle_op op;
	int threads;
	tulle_lossy lossy;
} scenario;

/* One matrix in all the forms the makers need; lower triangle only, so that it serves them all. */
static struct {
	matrix m;
	int64_t *row;
	int32_t *ptr0, *ptr1, *col0, *col1;
	double *val, *other;
	float *val32, *other32;
	uint16_t *val16, *other16; /* the upper halves of those */
} input;

typedef struct {
	tulle_context *context;
	tulle_matrix *matrix, *back;
	tulle_plan *plan;
	double x[ROWS * VECTORS], y[ROWS * VECTORS];
} state;

static tulle_status make_context(state *s, const scenario *c)
{
	return tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                      .threads = c->threads,
	                                                      .serial_below = c->threads > 1 ? -1 : 0,
	                                                      .alloc = heap_alloc,
	                                                      .free = heap_free,
	                                                      .user = &heap },
	                            &s->context);
}

static tulle_status make_matrix(state *s, const scenario *c)
{
	const int one = c->make == FROM_CSR_BASE1;
	const tulle_matrix_options o = {
		.size = sizeof o,
		.base = one,
		.kind = c->make == FROM_SYMMETRIC ? TULLE_SYMMETRIC : TULLE_GENERAL,
		.ownership = c->make == FROM_CSR_COPY ? TULLE_COPY : TULLE_BORROW
	};

	if (c->make == FROM_CSC)
		return tulle_matrix_from_csc(s->context, ROWS, ROWS, TULLE_I32, input.ptr0, TULLE_I32,
		                             input.col0, TULLE_F64, input.val, &o, &s->matrix);
	if (c->make == FROM_COO)
		return tulle_matrix_from_coo(s->context, ROWS, ROWS, input.m.nnz, TULLE_I64, input.row,
		                             input.m.col, TULLE_F64, input.val, &o, &s->matrix);
	if (c->make == FROM_COO_COMPACT)
		return tulle_matrix_from_coo_compact(s->context, ROWS, ROWS, input.m.nnz, TULLE_I64,
		                                     input.row, input.m.col, TULLE_F64, input.val,
		                                     TULLE_COMPACT_BOTH, &o, &s->matrix);
	if (c->make == FROM_F32)
		return tulle_matrix_from_csr(s->context, ROWS, ROWS, TULLE_I32, input.ptr0, TULLE_I32,
		                             input.col0, TULLE_F32, input.val32, &o, &s->matrix);
	if (c->make == FROM_BF16)
		return tulle_matrix_from_csr(s->context, ROWS, ROWS, TULLE_I32, input.ptr0, TULLE_I32,
		                             input.col0, TULLE_BF16, input.val16, &o, &s->matrix);
	return tulle_matrix_from_csr(s->context, ROWS, ROWS, TULLE_I32, one ? input.ptr1 : input.ptr0,
	                             TULLE_I32, one ? input.col1 : input.col0, TULLE_F64, input.val, &o,
	                             &s->matrix);
}

static tulle_status make_plan(state *s, const scenario *c)
{
	return tulle_plan_create(s->matrix,
	                         &(tulle_plan_options){ .size = sizeof(tulle_plan_options),
	                                                .format = c->spec,
	                                                .op = c->op,
	                                                .lossy = (int)c->lossy,
	                                                .vector_type = TULLE_F64 },
	                         &s->plan);
}

static tulle_status multiply_once(state *s, const scenario *c)
{
	(void)c;
	return tulle_mul_f64(s->plan, 1, s->x, 0, s->y);
}

static tulle_status update(state *s, const scenario *c)
{
	return tulle_plan_update(s->plan, c->make == FROM_F32    ? (void *)input.other32
	                                  : c->make == FROM_BF16 ? (void *)input.other16
	                                                         : (void *)input.other);
}

static tulle_status give_back(state *s, const scenario *c)
{
	(void)c;
	return tulle_matrix_from_plan(s->plan, &s->back);
}

static tulle_status multiply_many(state *s, const scenario *c)
{
	(void)c;
	return tulle_mul_many_f64(s->plan, VECTORS, TULLE_ROW_MAJOR, 1, s->x, VECTORS, 0, s->y,
	                          VECTORS);
}

static tulle_status multiply_columns(state *s, const scenario *c)
{
	(void)c;
	return tulle_mul_many_f64(s->plan, VECTORS, TULLE_COLUMN_MAJOR, 1, s->x, ROWS, 0, s->y, ROWS);
}

static tulle_status multiply_and_dot(state *s, const scenario *c)
{
	const int square = c->make != FROM_COO_COMPACT;
	double xy, yy;

	return tulle_mul_dot_f64(s->plan, s->x, s->y, square ? &xy : NULL, &yy);
}

static tulle_status (*const steps[])(state *s, const scenario *c) = {
	make_context, make_matrix,   make_plan,        multiply_once,   update,
	give_back,    multiply_many, multiply_and_dot, multiply_columns
};

enum { STEPS = sizeof steps / sizeof *steps };

static long points, refusals;

/* After a refused step: nothing has changed. */
static void check_refused(const state *s, const state *before, int step, tulle_status status,
                          long blocks)
{
	refusals++;
	CHECK_THAT(status == TULLE_E_MEMORY, "step %d, allocation %ld: %s (%s)", step, heap.fail_at,
	           tulle_status_name(status), tulle_last_error());
	CHECK_THAT(*tulle_last_error() != 0, "no sentence");
	CHECK_THAT(memcmp(s->y, before->y, sizeof s->y) == 0, "step %d touched y", step);
	CHECK_THAT(s->context == before->context && s->matrix == before->matrix &&
	               s->back == before->back && s->plan == before->plan,
	           "step %d left a handle", step);
	CHECK_THAT(atomic_load(&heap.live_blocks) == blocks,
	           "step %d, allocation %ld: %ld blocks held, %ld before", step, heap.fail_at,
	           atomic_load(&heap.live_blocks), blocks);
	if (s->context)
		CHECK_EQUAL(context_info(s->context).bytes_held > 0, blocks > 1);
}

/* Run all steps; returns how many allocations there were. y after the last step goes to `y`. */
static long run(const scenario *c, long fail_at, int for_ever, double *y)
{
	state *s = grab(1, sizeof *s), *before = grab(1, sizeof *before);
	long asked;

	heap.fail_at = fail_at;
	heap.for_ever = for_ever;
	atomic_store(&heap.asked, 0);
	for (int i = 0; i < ROWS * VECTORS; i++) {
		s->x[i] = 1.0 / (i + 1);
		s->y[i] = -3;
	}
	for (int step = 0; step < STEPS; step++) {
		const long blocks = atomic_load(&heap.live_blocks);
		tulle_status status;

		*before = *s;
		status = steps[step](s, c);
		if (status != TULLE_OK) {
			check_refused(s, before, step, status, blocks);
			heap.fail_at = 0;
			if (!CHECK_OK(steps[step](s, c)))
				break;
		}
	}
	memcpy(y, s->y, sizeof s->y);
	asked = atomic_load(&heap.asked);
	tulle_plan_destroy(s->plan);
	tulle_matrix_destroy(s->matrix);
	tulle_matrix_destroy(s->back);
	if (s->context) {
		CHECK_EQUAL(context_info(s->context).blocks_held, 0);
		CHECK_EQUAL(context_info(s->context).bytes_held, 0);
	}
	tulle_context_destroy(s->context);
	CHECK_EQUAL(atomic_load(&heap.live_blocks), 0);
	CHECK_EQUAL(atomic_load(&heap.live_bytes), 0);
	free(s);
	free(before);
	return asked;
}

/* Does the format take what this maker makes? */
static int takes(const scenario *c)
{
	state *s = grab(1, sizeof *s);
	int yes;

	heap.fail_at = 0;
	CHECK_OK(make_context(s, c));
	CHECK_OK(make_matrix(s, c));
	yes = !refused(c->spec, make_plan(s, c));
	tulle_plan_destroy(s->plan);
	tulle_matrix_destroy(s->matrix);
	tulle_context_destroy(s->context);
	free(s);
	return yes;
}

static void sweep(const scenario *c)
{
	static double want[ROWS * VECTORS], got[ROWS * VECTORS];
	const long asked = run(c, 0, 0, want);

	CHECK_THAT(asked > 1, "the library did not use the allocator");
	for (long k = 1; k <= asked; k++) {
		for (int for_ever = 0; for_ever < 2; for_ever++) {
			const long before = refusals;

			check_about("%s, %s, op %d, %d threads, allocation %ld fails %s", maker_names[c->make],
			            c->spec ? c->spec : "auto", (int)c->op, c->threads, k,
			            for_ever ? "for ever" : "once");
			run(c, k, for_ever, got);
			CHECK_THAT(refusals == before + 1, "the failure was not reported");
			CHECK_THAT(memcmp(got, want, sizeof got) == 0, "the retry gives other bits");
			points++;
		}
	}
}

/* One caller at a time: a multiplication does not allocate. */
static void check_no_allocation(maker make, const char *spec, tulle_op op)
{
	const scenario c = { make, spec, op, 2, TULLE_EXACT };
	state *s = grab(1, sizeof *s);
	long asked;

	check_about("%s, op %d", spec, (int)op);
	heap.fail_at = 0;
	for (int step = 0; step < 3; step++)
		CHECK_OK(steps[step](s, &c));
	asked = atomic_load(&heap.asked);
	for (int n = 0; n < 10; n++)
		CHECK_OK(multiply_once(s, &c));
	CHECK_EQUAL(atomic_load(&heap.asked), asked);
	tulle_plan_destroy(s->plan);
	tulle_matrix_destroy(s->matrix);
	tulle_context_destroy(s->context);
	free(s);
}

/* ---- the memory limit ---- */

/* With every limit from nothing to enough: TULLE_E_LIMIT or success, and never more held. */
static void check_limit(const scenario *c)
{
	size_t limit = 1;
	int refused = 0, done = 0;

	for (; !done && limit < (size_t)1 << 30; limit += limit / 16 + 64) {
		state *s = grab(1, sizeof *s);
		tulle_status status;

		check_about("%s, %s, limit %zu", maker_names[c->make], c->spec ? c->spec : "auto", limit);
		CHECK_OK(
		    tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
		                                                   .memory_limit = limit },
		                         &s->context));
		status = make_matrix(s, c);
		CHECK(context_info(s->context).bytes_held <= limit);
		if (status == TULLE_OK)
			status = make_plan(s, c);
		CHECK(context_info(s->context).bytes_held <= limit);
		if (status == TULLE_OK)
			status = multiply_once(s, c);
		done = status == TULLE_OK;
		if (!done) {
			CHECK_STATUS(status, TULLE_E_LIMIT);
			CHECK_WORDS(tulle_last_error(), "limit bytes");
			refused++;
		}
		tulle_plan_destroy(s->plan);
		tulle_matrix_destroy(s->matrix);
		CHECK_EQUAL(context_info(s->context).blocks_held, 0);
		tulle_context_destroy(s->context);
		free(s);
	}
	CHECK(done);
	CHECK(refused > 0);
}

/* ---- input ---- */

static uint16_t *upper_halves(const float *from)
{
	uint16_t *to = grab(input.m.nnz, sizeof *to);
	uint32_t bits;

	for (int64_t k = 0; k < input.m.nnz; k++) {
		memcpy(&bits, &from[k], sizeof bits);
		to[k] = (uint16_t)(bits >> 16);
	}
	return to;
}

static void make_input(void)
{
	uint64_t seed = 77;
	int64_t lengths[ROWS];
	int64_t k = 0;

	for (int64_t i = 0; i < ROWS; i++)
		lengths[i] = i % 5 == 0 ? 0 : i < 7 ? 1 : 1 + i % 7;
	input.m = matrix_new("lower", ROWS, ROWS, lengths);
	input.row = grab(input.m.nnz, sizeof *input.row);
	for (int64_t i = 0; i < ROWS; i++) {
		for (; k < input.m.row_ptr[i + 1]; k++) {
			input.row[k] = i;
			const int64_t n = k - input.m.row_ptr[i], length = lengths[i]; /* no column twice */

			input.m.col[k] = (i + 1) * n / length + random_below(&seed, (i + 1) / length);
			input.m.val[k] = random_unit(&seed);
		}
	}
	input.ptr0 = cast_indices(input.m.row_ptr, ROWS + 1, TULLE_I32, 0);
	input.ptr1 = cast_indices(input.m.row_ptr, ROWS + 1, TULLE_I32, 1);
	input.col0 = cast_indices(input.m.col, input.m.nnz, TULLE_I32, 0);
	input.col1 = cast_indices(input.m.col, input.m.nnz, TULLE_I32, 1);
	input.val = cast_values(input.m.val, input.m.nnz, TULLE_F64);
	input.other = cast_values(input.m.val, input.m.nnz, TULLE_F64);
	for (k = 0; k < input.m.nnz; k++)
		input.other[k] = 1.0 / (double)(k + 2);
	input.val32 = cast_values(input.val, input.m.nnz, TULLE_F32);
	input.other32 = cast_values(input.other, input.m.nnz, TULLE_F32);
	input.val16 = upper_halves(input.val32);
	input.other16 = upper_halves(input.other32);
}

static void free_input(void)
{
	matrix_free(&input.m);
	free(input.row);
	free(input.ptr0);
	free(input.ptr1);
	free(input.col0);
	free(input.col1);
	free(input.val);
	free(input.other);
	free(input.val32);
	free(input.other32);
	free(input.val16);
	free(input.other16);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const char *format;
	char *spec;

	make_input();
	for (int make = 0; make < MAKERS; make++) {
		for (int op = 0; op < 2; op++) {
			sweep(&(scenario){ (maker)make, NULL, (tulle_op)op, 1, TULLE_EXACT });
			check_limit(&(scenario){ (maker)make, NULL, (tulle_op)op, 1, TULLE_EXACT });
		}
		check_group("from %s, plan chosen by the library", maker_names[make]);
	}
	for (int f = 0; (format = tulle_formats(f)); f++) {
		for (int n = 0; wants_format(&o, format) && (spec = format_spec(format, n)); n++) {
			maker last = FROM_CSR;

			/* What comes after a compact matrix is what comes after any from triplets. */
			for (int make = 0; make < FROM_COO_COMPACT; make++) {
				if (!takes(&(scenario){ (maker)make, spec, TULLE_NORMAL, 1, TULLE_EXACT }))
					continue;
				for (int op = 0; op < 2; op++)
					sweep(&(scenario){ (maker)make, spec, (tulle_op)op, 1 + (make + op) % 2,
					                   TULLE_EXACT });
				last = (maker)make;
			}
			for (int op = 0; op < 2; op++) {
				check_no_allocation(last, spec, (tulle_op)op);
				check_limit(&(scenario){ last, spec, (tulle_op)op, 1, TULLE_EXACT });
			}
			check_group("%s", spec);
			free(spec);
		}
	}
	for (int lossy = TULLE_LOSSY_F32; wants_format(&o, "sell") && lossy <= TULLE_LOSSY_BF16;
	     lossy++) {
		sweep(&(scenario){ FROM_CSR, "sell", TULLE_NORMAL, 1, (tulle_lossy)lossy });
		check_group("sell, rounded, %d", lossy);
	}
	for (int n = 0; n < 2; n++) {
		const char *given = n == 0 ? "csr" : "sell";

		if (!wants_format(&o, given))
			continue;
		sweep(&(scenario){ FROM_BF16, given, TULLE_NORMAL, 1, TULLE_EXACT });
		check_group("%s, bf16", given);
	}
	printf("%ld points of failure\n", points);
	CHECK(points >= 200);
	free_input();
	return walk_end();
}
