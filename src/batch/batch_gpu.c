/* batch_gpu.c -- the pieces of a batch on a GPU, and the launches: one per team size. */
#include "batch/batch_gpu.h"
#include "batch/batch.gpu.h"
#include "core/memory.h"
#include "core/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PLACES = 5, SIZES = 6 /* as in batch.gpu */ };
enum { CLASSES = BATCH_GPU_CLASSES, BLOCK = CLASSES - 1 };

/* ---- pieces ---- */

typedef struct {
	int shift;             /* teams have 2^shift threads */
	int threads;           /* of a block */
	int64_t problems;      /* that have rows */
	int64_t pieces, teams; /* of this class */
	int64_t first;         /* piece; so are the records of pieces numbered */
	int even;              /* the first record describes all pieces, with the steps */
	int64_t val_step, x_step, y_step;
} class_of_size;

typedef struct {
	const tulle__problems *p;
	batch_gpu_way way;
	int width;
	batch_gpu_cut cut;
	class_of_size class[CLASSES];
	batch_gpu_arrays arrays;
	int64_t pieces;
	int64_t *place;
	int32_t *size, *begin;
	void *scale;
} job;

/* log2 of the lanes that share a row: no more than a team or warp has. */
static int spread_of(const job *j, const tulle__problem *a, int team)
{
	const int most = team < j->width ? team : j->width;
	int spread = 0;

	while (1 << spread < most && (j->way.method == BATCH_GPU_VECTOR || a->rows << spread < a->nnz))
		spread++;
	return spread;
}

static void count_pieces(job *j)
{
	for (int64_t i = 0; i < j->p->count; i++) {
		const tulle__problem *a = &j->p->problem[i];
		class_of_size *c = &j->class[tulle__batch_gpu_class(&j->cut, i)];

		c->problems += a->rows > 0;
		for (int64_t r = 0; r < a->rows; r = tulle__batch_gpu_piece_end(&j->cut, i, r))
			c->pieces++;
	}
	for (int n = 0; n < CLASSES; n++) {
		class_of_size *c = &j->class[n];

		c->teams = j->way.one_size ? c->problems : c->pieces;
		c->first = j->pieces;
		j->pieces += c->pieces;
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
	size[5] =
	    ell ? (int32_t)a->rows : spread_of(j, a, j->cut.team[tulle__batch_gpu_class(&j->cut, i)]);
	if (j->p->value_type == TULLE_F32)
		((float *)j->scale)[piece] = (float)a->scale;
	else
		((double *)j->scale)[piece] = a->scale;
}

/* begin: the first piece of each problem, where teams take more than one. */
static void fill_pieces(const job *j)
{
	int64_t piece[CLASSES], team = 0;

	for (int n = 0; n < CLASSES; n++)
		piece[n] = j->class[n].first;
	for (int64_t i = 0; i < j->p->count; i++) {
		const int64_t rows = j->p->problem[i].rows;
		const int n = tulle__batch_gpu_class(&j->cut, i);

		if (rows > 0 && j->way.one_size)
			j->begin[team++] = (int32_t)piece[n];
		for (int64_t r = 0; r < rows;) {
			const int64_t end = tulle__batch_gpu_piece_end(&j->cut, i, r);

			fill_piece(j, piece[n]++, i, r, end);
			r = end;
		}
	}
	if (j->way.one_size)
		j->begin[team] = (int32_t)j->pieces;
}

/* One record is enough for problems of one pattern whose values and vectors are at equal distances. */
static void find_even(const job *j, class_of_size *c)
{
	const int64_t *place = j->place + PLACES * c->first;
	const int32_t *size = j->size + SIZES * c->first;

	c->even = c->teams == c->pieces && c->pieces > 1;
	if (!c->even)
		return;
	c->val_step = place[PLACES + 2] - place[2];
	c->x_step = place[PLACES + 3] - place[3];
	c->y_step = place[PLACES + 4] - place[4];
	for (int64_t n = 1; n < c->pieces && c->even; n++) {
		const int64_t expected[PLACES] = { place[0], place[1], place[2] + n * c->val_step,
			                               place[3] + n * c->x_step, place[4] + n * c->y_step };

		c->even = memcmp(expected, place + PLACES * n, sizeof expected) == 0 &&
		          memcmp(size, size + SIZES * n, SIZES * sizeof *size) == 0;
	}
	if (!c->even)
		c->val_step = c->x_step = c->y_step = 0;
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
		s = tulle__alloc(env, j->p->count + 1, sizeof *j->begin, &j->begin);
	if (s == TULLE_OK)
		s = tulle__alloc(env, j->pieces, tulle__value_size(j->p->value_type), &j->scale);
	if (s != TULLE_OK)
		return s;
	fill_pieces(j);
	for (int n = 0; n < CLASSES; n++)
		find_even(j, &j->class[n]);
	return TULLE_OK;
}

/* ---- launches ---- */

typedef struct {
	tulle__gpu_memory place, size, begin, scale, start;
	tulle__gpu_csr m;
} device_arrays;

static int listed(const class_of_size *c)
{
	return c->teams < c->pieces;
}

/* The records that a class needs. */
static int64_t records(const class_of_size *c)
{
	return c->even ? 1 : c->pieces;
}

/* The number of a class's first record; only records that are needed are stored. */
static int64_t record_at(const job *j, const class_of_size *c)
{
	int64_t at = 0;

	for (const class_of_size *b = j->class; b < c; b++)
		at += records(b);
	return at;
}

static void drop_records(const job *j)
{
	for (int n = 0; n < CLASSES; n++) {
		const class_of_size *c = &j->class[n];
		const int64_t at = record_at(j, c);
		const size_t count = (size_t)records(c);

		if (count == 0)
			continue;
		memmove(j->place + PLACES * at, j->place + PLACES * c->first,
		        count * PLACES * sizeof *j->place);
		memmove(j->size + SIZES * at, j->size + SIZES * c->first, count * SIZES * sizeof *j->size);
	}
}

static tulle_status upload(tulle__gpu_plan *plan, const job *j, device_arrays *d)
{
	const class_of_size *last = &j->class[BLOCK];
	const int64_t kept = record_at(j, last) + records(last);
	tulle_status s = tulle__batch_gpu_upload(plan, &j->arrays, &d->m);

	drop_records(j);
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, j->place, PLACES * kept, sizeof *j->place, &d->place);
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, j->size, SIZES * kept, sizeof *j->size, &d->size);
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, j->begin, listed(last) ? last->teams + 1 : 0, sizeof *j->begin,
		                     &d->begin);
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, j->scale, j->p->scaled ? j->pieces : 0,
		                     tulle__value_size(j->p->value_type), &d->scale);
	return s;
}

/* Where CSR-I's starting rows of a class lie: one per thread of each team that has a record. */
static int64_t starts_at(const job *j, const class_of_size *c)
{
	int64_t at = 0;

	for (const class_of_size *b = j->class; b < c; b++)
		at += records(b) << b->shift;
	return at;
}

/* Memory for them, filled with an invalid row: if the device failed to set one, tests would detect it. */
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
	const class_of_size *last = &j->class[BLOCK];
	const int threads = tulle__gpu_block(plan->device);
	tulle_status s =
	    make_starts(plan, starts_at(j, last) + (records(last) << last->shift), &d->start);

	for (int n = 0; n < CLASSES && s == TULLE_OK; n++) {
		const class_of_size *c = &j->class[n];

		s = tulle__gpu_run(
		    plan,
		    TULLE__LAUNCH(batch_csri_starts, tulle__gpu_blocks(records(c) << c->shift, threads),
		                  threads, .record = record_at(j, c), .count = records(c),
		                  .shift = c->shift, .place = d->place, .size = d->size,
		                  .row_ptr = d->m.row_ptr, .at = starts_at(j, c), .start = d->start));
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
#define PIECES(j, c, d)                                                                           \
	.first = (c)->first, .teams = (c)->teams, .team = 1 << (c)->shift, .shift = (c)->shift,       \
	.listed = listed(c), .even = (c)->even, .record = record_at(j, c), .val_step = (c)->val_step, \
	.x_step = (c)->x_step, .y_step = (c)->y_step, .begin = (d)->begin, .place = (d)->place,       \
	.size = (d)->size, .scaled = (j)->p->scaled, .scale = (d)->scale, .rows = (d)->m.row_ptr,     \
	.col = (d)->m.col, .val = (d)->m.val

static tulle_status add_step(tulle__gpu_plan *plan, const job *j, const class_of_size *c,
                             const device_arrays *d)
{
	const int64_t blocks = tulle__gpu_blocks(c->teams, c->threads >> c->shift);

	if (j->way.method == BATCH_GPU_BALANCED)
		return tulle__gpu_step(plan, TULLE__LAUNCH(batch_csri, blocks, c->threads, PIECES(j, c, d),
		                                           .at = starts_at(j, c), .start = d->start));
	return tulle__gpu_step(
	    plan, TULLE__LAUNCH_ONE(kernels[j->way.method], blocks, c->threads, PIECES(j, c, d)));
}

/* "teams: 100 of 8, 3 of 256" */
static void describe(const job *j, char *note, size_t size)
{
	size_t used = (size_t)snprintf(note, size, "teams:%s", j->pieces == 0 ? " none" : "");

	for (int n = 0; n < CLASSES && used < size; n++)
		if (j->class[n].teams > 0)
			used += (size_t)snprintf(note + used, size - used, "%s %" PRId64 " of %d",
			                         note[used - 1] == ':' ? "" : ",", j->class[n].teams,
			                         1 << j->class[n].shift);
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
	describe(j, plan->note, sizeof plan->note);
	return s;
}

/* Several teams share a block and its local memory; blocks have the largest number of threads. If shuffles are
 * barriers of the block, all teams of a block would have to reach the same ones: each team then has its own block, or
 * teams share one warp. */
static void size_blocks(job *j, const tulle__gpu_device *device)
{
	for (int n = 0; n < CLASSES; n++) {
		const int team = j->cut.team[n], least = team > j->width ? team : j->width;

		while (1 << j->class[n].shift < team)
			j->class[n].shift++;
		j->class[n].threads = device->shuffles ? TULLE__GPU_BLOCK : least;
	}
}

tulle_status tulle__batch_gpu_build(tulle__gpu_plan *plan, const tulle__problems *p,
                                    batch_gpu_way way)
{
	job j = { .p = p,
		      .way = way,
		      .width = plan->device->width,
		      .cut = tulle__batch_gpu_cut_for(p, plan->device, way.one_size) };
	tulle_status s = tulle__batch_gpu_lay_out(&j.cut, p, way.method, &j.arrays);

	if (s != TULLE_OK)
		return s;
	size_blocks(&j, plan->device);
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
