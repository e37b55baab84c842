/* batch_gpu.c -- which teams of threads multiply which pieces of a batch on a GPU, and the launches.
 *
 * A problem goes to the smallest team that has room for its vectors and is done with its entries in
 * some dozens of steps: a quarter of a warp, a warp, a block. What is too large even for a block
 * is cut by rows into pieces, a block for each. So there are at most three launches. In the paper's form
 * there is one, and a block for every problem. */
#include "batch/batch_gpu.h"
#include "batch/batch.gpu.h"
#include "core/memory.h"
#include "core/status.h"

#include <inttypes.h>
#include <stdio.h>

/* As in batch.gpu. */
enum { EACH = 4, PLACES = 5, SIZES = 6 };

enum {
	STEPS = 32,       /* of a small team: more entries go to a larger one */
	BLOCK_STEPS = 64, /* of a block: more entries are cut */
	QUARTER = 0,      /* classes: of a warp */
	WARP,
	BLOCK,
	CLASSES
};

/* ---- pieces ---- */

typedef struct {
	int team, threads;       /* of a team, of a block */
	int64_t problems;        /* that have rows */
	int64_t pieces, teams;   /* of this class */
	int64_t first, begin_at; /* piece, entry of begin[] */
} class_of_size;

typedef struct {
	const tulle__problems *p;
	batch_gpu_way way;
	int width;
	class_of_size class[CLASSES];
	batch_gpu_arrays arrays;
	int64_t pieces, teams;
	int64_t *place;
	int32_t *size, *begin;
	void *scale;
} job;

static int fits(const tulle__problem *a, int64_t team)
{
	return a->rows <= EACH * team && a->cols <= EACH * team && a->nnz <= STEPS * team;
}

static int class_of(const job *j, const tulle__problem *a)
{
	if (j->way.one_block || !fits(a, j->class[WARP].team))
		return BLOCK;
	return fits(a, j->class[QUARTER].team) ? QUARTER : WARP;
}

/* The row after the piece of problem i that begins at row r: as many as there is room for and, but for the
 * first of them, as a block has steps for. */
static int64_t piece_end(const job *j, int64_t i, int64_t r)
{
	const tulle__csr a = tulle__problem_csr(j->p, i);
	const int64_t room = EACH * j->class[BLOCK].team, most = BLOCK_STEPS * j->class[BLOCK].team;
	const int64_t last = a.rows - r < room ? a.rows : r + room;
	int64_t end = r + 1;

	if (j->way.one_block)
		return last;
	while (end < last && tulle__csr_offset(&a, end + 1) - tulle__csr_offset(&a, r) <= most)
		end++;
	return end;
}

static int lanes_of(const job *j, const tulle__problem *a, int team)
{
	const int most = team < j->width ? team : j->width;
	int lanes = 1;

	if (j->way.method == BATCH_GPU_ELL)
		return (int)a->rows;
	while (lanes < most && (j->way.method == BATCH_GPU_VECTOR || lanes * a->rows < a->nnz))
		lanes *= 2;
	return lanes;
}

static void count_pieces(job *j)
{
	for (int64_t i = 0; i < j->p->count; i++) {
		const tulle__problem *a = &j->p->problem[i];
		class_of_size *c = &j->class[class_of(j, a)];

		c->problems += a->rows > 0;
		for (int64_t r = 0; r < a->rows; r = piece_end(j, i, r))
			c->pieces++;
	}
	for (int n = 0; n < CLASSES; n++) {
		class_of_size *c = &j->class[n];

		c->teams = j->way.one_block ? c->problems : c->pieces;
		c->first = j->pieces;
		c->begin_at = j->teams + n;
		j->pieces += c->pieces;
		j->teams += c->teams;
	}
}

static void fill_piece(const job *j, int64_t piece, int64_t i, int64_t r, int64_t end)
{
	const batch_gpu_arrays *arrays = &j->arrays;
	const tulle__problem *a = &j->p->problem[i];
	const tulle__csr csr = tulle__problem_csr(j->p, i);
	const int ell = j->way.method == BATCH_GPU_ELL;
	int64_t *place = j->place + PLACES * piece;
	int32_t *size = j->size + SIZES * piece;

	place[0] = arrays->rows_at[i] + (j->way.method == BATCH_GPU_COO ? 0 : r);
	place[1] = arrays->columns_at[i];
	place[2] = arrays->values_at[i];
	place[3] = a->x;
	place[4] = a->y + r;
	size[0] = (int32_t)(end - r);
	size[1] = (int32_t)a->cols;
	size[2] = (int32_t)r;
	size[3] = ell ? 0 : (int32_t)tulle__csr_offset(&csr, r);
	size[4] = (int32_t)(ell ? arrays->width[i] : tulle__csr_offset(&csr, end));
	size[5] = lanes_of(j, a, j->class[class_of(j, a)].team);
	if (j->p->value_type == TULLE_F32)
		((float *)j->scale)[piece] = (float)a->scale;
	else
		((double *)j->scale)[piece] = a->scale;
}

static void fill_pieces(const job *j)
{
	int64_t piece[CLASSES], team[CLASSES];

	for (int n = 0; n < CLASSES; n++) {
		piece[n] = j->class[n].first;
		team[n] = j->class[n].begin_at;
	}
	for (int64_t i = 0; i < j->p->count; i++) {
		const int64_t rows = j->p->problem[i].rows;
		const int n = class_of(j, &j->p->problem[i]);

		for (int64_t r = 0; r < rows;) {
			const int64_t end = piece_end(j, i, r);

			if (r == 0 || !j->way.one_block)
				j->begin[team[n]++] = (int32_t)piece[n];
			fill_piece(j, piece[n]++, i, r, end);
			r = end;
		}
	}
	for (int n = 0; n < CLASSES; n++)
		j->begin[team[n]] = (int32_t)piece[n];
}

static tulle_status make_pieces(job *j)
{
	tulle__env *env = j->p->env;
	tulle_status s;

	count_pieces(j);
	if (j->pieces > TULLE__I32_MAX)
		return tulle__fail(TULLE_E_UNSUPPORTED, "%" PRId64 " pieces of problems: more than 2^31-1",
		                   j->pieces);
	s = tulle__alloc(env, PLACES * j->pieces, sizeof *j->place, &j->place);
	if (s == TULLE_OK)
		s = tulle__alloc(env, SIZES * j->pieces, sizeof *j->size, &j->size);
	if (s == TULLE_OK)
		s = tulle__alloc(env, j->teams + CLASSES, sizeof *j->begin, &j->begin);
	if (s == TULLE_OK)
		s = tulle__alloc(env, j->pieces, tulle__value_size(j->p->value_type), &j->scale);
	if (s == TULLE_OK)
		fill_pieces(j);
	return s;
}

/* ---- launches ---- */

typedef struct {
	tulle__gpu_memory place, size, begin, scale, start;
	tulle__gpu_csr m;
} device_arrays;

static tulle_status upload(tulle__gpu_plan *plan, const job *j, device_arrays *d)
{
	tulle_status s = tulle__batch_gpu_upload(plan, &j->arrays, &d->m);

	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, j->place, PLACES * j->pieces, sizeof *j->place, &d->place);
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, j->size, SIZES * j->pieces, sizeof *j->size, &d->size);
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, j->begin, j->teams + CLASSES, sizeof *j->begin, &d->begin);
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, j->scale, j->p->scaled ? j->pieces : 0,
		                     tulle__value_size(j->p->value_type), &d->scale);
	return s;
}

/* Warps of a team. */
static int64_t warps(const job *j, const class_of_size *c)
{
	return c->team < j->width ? 1 : c->team / j->width;
}

/* Where CSR-I's starting rows of a class lie, counted from piece 0 of it. */
static int64_t starts_at(const job *j, const class_of_size *c)
{
	int64_t at = 0;

	for (const class_of_size *b = j->class; b < c; b++)
		at += b->pieces * warps(j, b);
	return at - c->first * warps(j, c);
}

/* Room for them. A start that the device would not find leads far out of the matrix: tests would see it. */
static tulle_status make_starts(tulle__gpu_plan *plan, int64_t count, tulle__gpu_memory *out)
{
	tulle__env *env = plan->device->env;
	int32_t *nowhere;
	tulle_status s = tulle__alloc(env, count, sizeof *nowhere, &nowhere);

	if (s != TULLE_OK)
		return s;
	for (int64_t n = 0; n < count; n++)
		nowhere[n] = INT32_MAX / 2;
	s = tulle__gpu_array(plan, nowhere, count, sizeof *nowhere, out);
	tulle__free(env, nowhere);
	return s;
}

static tulle_status find_starts(tulle__gpu_plan *plan, const job *j, device_arrays *d)
{
	const int threads = tulle__gpu_block(plan->device);
	int64_t count = 0;
	tulle_status s;

	for (int n = 0; n < CLASSES; n++)
		count += j->class[n].pieces * warps(j, &j->class[n]);
	s = make_starts(plan, count, &d->start);
	for (int n = 0; n < CLASSES && s == TULLE_OK; n++) {
		const class_of_size *c = &j->class[n];

		s = tulle__gpu_run(plan, TULLE__LAUNCH(batch_csri_starts,
		                                       tulle__gpu_blocks(c->pieces * warps(j, c), threads),
		                                       threads, .first = c->first, .count = c->pieces,
		                                       .team = c->team, .place = d->place, .size = d->size,
		                                       .row_ptr = d->m.row_ptr, .at = starts_at(j, c),
		                                       .start = d->start));
	}
	return s;
}

/* All but BATCH_GPU_BALANCED have the same parameters. */
static const tulle__batch_csr_scalar_kernel *const kernels[BATCH_GPU_METHODS] = {
	[BATCH_GPU_COO] = &tulle__kernel_batch_coo,
	[BATCH_GPU_SCALAR] = &tulle__kernel_batch_csr_scalar,
	[BATCH_GPU_VECTOR] = &tulle__kernel_batch_csr_lanes,
	[BATCH_GPU_SMART] = &tulle__kernel_batch_csr_lanes,
	[BATCH_GPU_ELL] = &tulle__kernel_batch_ell,
};

/* Arguments that all of them have. */
#define PIECES(j, c, d)                                                                    \
	.first = (c)->begin_at, .teams = (c)->teams, .team = (c)->team, .begin = (d)->begin,   \
	.place = (d)->place, .size = (d)->size, .scaled = (j)->p->scaled, .scale = (d)->scale, \
	.rows = (d)->m.row_ptr, .col = (d)->m.col, .val = (d)->m.val

static tulle_status add_step(tulle__gpu_plan *plan, const job *j, const class_of_size *c,
                             const device_arrays *d)
{
	const int64_t blocks = tulle__gpu_blocks(c->teams, c->threads / c->team);

	if (j->way.method == BATCH_GPU_BALANCED)
		return tulle__gpu_step(plan, TULLE__LAUNCH(batch_csri, blocks, c->threads, PIECES(j, c, d),
		                                           .at = starts_at(j, c), .start = d->start));
	return tulle__gpu_step(
	    plan, TULLE__LAUNCH_ONE(kernels[j->way.method], blocks, c->threads, PIECES(j, c, d)));
}

static tulle_status place_on_device(tulle__gpu_plan *plan, const job *j)
{
	device_arrays d = { .place = { 0 } };
	tulle_status s = upload(plan, j, &d);

	if (s == TULLE_OK && j->way.method == BATCH_GPU_BALANCED)
		s = find_starts(plan, j, &d);
	for (int n = 0; n < CLASSES && s == TULLE_OK; n++)
		if (j->class[n].teams > 0)
			s = add_step(plan, j, &j->class[n], &d);
	snprintf(plan->note, sizeof plan->note,
	         "teams: %" PRId64 " quarter warps, %" PRId64 " warps, %" PRId64 " blocks",
	         j->class[QUARTER].teams, j->class[WARP].teams, j->class[BLOCK].teams);
	return s;
}

tulle_status tulle__batch_gpu_build(tulle__gpu_plan *plan, const tulle__problems *p,
                                    batch_gpu_way way)
{
	const int width = plan->device->width, block = TULLE__GPU_BLOCK;
	const int shared = tulle__gpu_warp_block(plan->device);
	job j = { .p = p,
		      .way = way,
		      .width = width,
		      .class = { [QUARTER] = { .team = width > 4 ? width / 4 : 1, .threads = shared },
		                 [WARP] = { .team = width, .threads = shared },
		                 [BLOCK] = { .team = block, .threads = block } } };
	tulle_status s = tulle__batch_gpu_lay_out(p, way.method, &j.arrays);

	if (s != TULLE_OK)
		return s;
	s = make_pieces(&j);
	if (s == TULLE_OK)
		s = place_on_device(plan, &j);
	tulle__free(p->env, j.scale);
	tulle__free(p->env, j.begin);
	tulle__free(p->env, j.size);
	tulle__free(p->env, j.place);
	tulle__batch_gpu_forget(&j.arrays);
	return s;
}
