/* sell_gpu.c -- SELL-C-sigma on a GPU: the layout of the CPU, in chunks as high as a warp is wide. */
#include "formats/sell/sell_gpu.h"

#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"
#include "csr/chunks.h"
#include "csr/value_codes.h"
#include "formats/sell/sell.gpu.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

enum { HEIGHT, SIGMA, X }; /* params */
enum { CACHED, PLAIN };    /* x= */

_Static_assert(SELL_GPU_SIGMA == 1024, "the default in .tunables");
_Static_assert(COLUMNS_FAR == 0 && COLUMNS_NEAR == 1 && COLUMNS_STRIPS == 2 && COLUMNS_STENCIL == 3,
               "the kinds of sell.gpu");

static const tulle__gpu_variant variants[] = {
	{ "", "chunks as high as a warp is wide", TULLE__GPU_SAME_BITS, 0 },
	{ "height=32", "chunks of 32 rows", TULLE__GPU_SAME_BITS, 0 },
	{ "height=64", "chunks of 64 rows", TULLE__GPU_SAME_BITS, 0 },
	{ "sigma=1", "rows in their order", TULLE__GPU_SAME_BITS, 0 },
	{ "x=plain", "x by plain loads", TULLE__GPU_SAME_BITS, 0 },
	{ NULL, NULL, 0, 0 },
};

/* ---- the layout ---- */

int64_t tulle__sell_gpu_levels(const sell_data *d, int64_t c, int32_t *to)
{
	const int32_t *length = d->length + c * d->height;
	int64_t count = 0;
	int32_t end = 0;

	if (d->chunk[c].full == d->chunk[c].width)
		return 0;
	for (int r = d->height - 1; r >= 0; r--) {
		if (length[r] == end)
			continue;
		end = length[r];
		if (to) {
			to[2 * count] = r + 1;
			to[2 * count + 1] = end;
		}
		count++;
	}
	return count;
}

sell_gpu_counts tulle__sell_gpu_count(const sell_data *d)
{
	sell_gpu_counts all = { 0, 0 };

	for (int64_t c = 0; c < d->chunks; c++) {
		all.scattered += d->chunk[c].first == SELL_SCATTERED;
		all.levels += tulle__sell_gpu_levels(d, c, NULL);
	}
	return all;
}

double tulle__sell_gpu_bytes(const sell_data *d, const sell_gpu_counts *counts, size_t index)
{
	const double chunk = SELL_GPU_WORDS * sizeof(int32_t) + 2 * (double)index;
	const double table = d->code.class == TULLE__TABLE
	                         ? d->code.count * (double)tulle__value_size(d->value_type)
	                         : 0;

	return (double)d->units * sizeof *d->col + table +
	       (double)d->slots * (double)tulle__code_size(d->code.class, d->value_type) +
	       (double)d->chunks * chunk + 2 * (double)counts->levels * sizeof(int32_t) +
	       (double)(counts->scattered * d->height) * sizeof *d->row;
}

/* Clear the slots without an entry: the conversion does not set them, and kernels do not read them. On the device
 * they are 0, so that plans are reproducible. */
typedef struct {
	const sell_data *d;
	int64_t parts;
} clearing;

static void clear_part(const void *arg, int64_t part)
{
	const clearing *const all = arg;
	const sell_data *const d = all->d;
	const size_t size = tulle__code_size(d->code.class, d->value_type);
	const int64_t end = tulle__cut(d->chunks, all->parts, part + 1);

	for (int64_t c = tulle__cut(d->chunks, all->parts, part); c < end; c++) {
		const sell_chunk *chunk = &d->chunk[c];
		const int64_t entries = tulle__chunk_entries(d->length + c * d->height, d->height);
		const int64_t slots = tulle__sell_chunk_slots(d, c);
		const int64_t wide = chunk->columns == COLUMNS_NEAR ? 1 : 2;
		const int list = chunk->columns >= COLUMNS_STRIPS, one = chunk->columns == COLUMNS_STENCIL;
		const int64_t units = list ? 2 * (int64_t)chunk->width : wide * entries;
		const int64_t values = one ? chunk->width : entries;
		const int64_t all_units = list ? tulle__sell_list_units(chunk->width) : wide * slots;
		const int64_t all_values = one ? tulle__sell_list_slots(d, chunk->width) : slots;

		memset(d->col + chunk->col + units, 0, (size_t)(all_units - units) * sizeof *d->col);
		if (size > 0)
			memset((char *)d->val + (size_t)(chunk->base + values) * size, 0,
			       (size_t)(all_values - values) * size);
	}
}

static void clear_slots(const sell_data *d, tulle__env *env)
{
	const clearing all = { d, tulle__parts(d->rows) };

	tulle__run_parts(env, clear_part, &all, all.parts, d->rows);
}

/* ---- build ---- */

typedef struct {
	sell_gpu_counts counts;
	int32_t *chunk, *level, *row;
	int64_t *base;
} tables;

static tulle_status alloc_tables(const sell_data *d, tulle__env *env, tables *t)
{
	tulle_status s = tulle__alloc(env, d->chunks * SELL_GPU_WORDS, sizeof *t->chunk, &t->chunk);

	t->counts = tulle__sell_gpu_count(d);
	if (s == TULLE_OK)
		s = tulle__alloc(env, 2 * d->chunks, sizeof *t->base, &t->base);
	if (s == TULLE_OK)
		s = tulle__alloc(env, 2 * t->counts.levels, sizeof *t->level, &t->level);
	if (s == TULLE_OK)
		s = tulle__alloc_zero(env, t->counts.scattered * d->height, sizeof *t->row, &t->row);
	return s;
}

static void fill_tables(const sell_data *d, const tables *t)
{
	int64_t scattered = 0, levels = 0;

	for (int64_t c = 0; c < d->chunks; c++) {
		const sell_chunk *chunk = &d->chunk[c];
		const int64_t lane = c * d->height, rows = d->rows - lane;
		const int64_t count = tulle__sell_gpu_levels(d, c, t->level + 2 * levels);
		int32_t *const words = t->chunk + SELL_GPU_WORDS * c;

		words[SELL_GPU_FIRST] = chunk->first == SELL_SCATTERED ? (int32_t)~scattered : chunk->first;
		words[SELL_GPU_ORIGIN] = chunk->origin;
		words[SELL_GPU_KIND] = (int32_t)(count << SELL_GPU_KIND_BITS) | (int32_t)chunk->columns;
		words[SELL_GPU_STEPS] = count > 0 ? (int32_t)levels : chunk->width;
		t->base[2 * c] = chunk->base / d->height;
		t->base[2 * c + 1] = chunk->col / SELL_GPU_UNITS;
		if (chunk->first == SELL_SCATTERED)
			memcpy(t->row + scattered++ * d->height, d->row + lane,
			       (size_t)(rows < d->height ? rows : d->height) * sizeof *t->row);
		levels += count;
	}
}

static tulle_status upload_values(tulle__gpu_plan *plan, const sell_data *d, tulle__gpu_memory *val,
                                  tulle__gpu_memory *table)
{
	const size_t size = tulle__code_size(d->code.class, d->value_type);
	const int own = d->code.class == TULLE__OWN, coded = d->code.class == TULLE__TABLE;
	const tulle_status s = own ? tulle__gpu_values(plan, d->val, d->slots, val)
	                           : tulle__gpu_array(plan, d->val, size > 0 ? d->slots : 0, size, val);

	if (s != TULLE_OK)
		return s;
	return tulle__gpu_array(plan, &d->code.table, coded ? d->code.count : 0,
	                        tulle__value_size(d->value_type), table);
}

static const tulle__sell_rows_kernel *kernel_for(tulle__value_class class, int plain)
{
	switch (class) {
	case TULLE__SINGLE:
		return plain ? &tulle__kernel_sell_floats_plain : &tulle__kernel_sell_floats;
	case TULLE__TABLE: return plain ? &tulle__kernel_sell_codes_plain : &tulle__kernel_sell_codes;
	case TULLE__ONES: return plain ? &tulle__kernel_sell_ones_plain : &tulle__kernel_sell_ones;
	default: break; /* devices do not round to 16 bits */
	}
	return plain ? &tulle__kernel_sell_rows_plain : &tulle__kernel_sell_rows;
}

static const tulle__sell_rows_many_kernel *many_for(tulle__value_class class)
{
	switch (class) {
	case TULLE__SINGLE: return &tulle__kernel_sell_floats_many;
	case TULLE__TABLE: return &tulle__kernel_sell_codes_many;
	case TULLE__ONES: return &tulle__kernel_sell_ones_many;
	default: break; /* devices do not round to 16 bits */
	}
	return &tulle__kernel_sell_rows_many;
}

static int shift_of(int height)
{
	int shift = 0;

	while (1 << shift < height)
		shift++;
	return shift;
}

/* Arguments of all kernels. */
typedef struct {
	tulle__gpu_memory chunk, base, level, row, col, val, table;
} arrays;
#define ARRAYS(m)                                                                                  \
	.chunk = (m)->chunk, .base = (m)->base, .level = (m)->level, .row = (m)->row, .col = (m)->col, \
	.val = (m)->val, .table = (m)->table

static tulle_status upload(tulle__gpu_plan *plan, const sell_data *d, const tables *t, arrays *m)
{
	tulle_status s =
	    tulle__gpu_array(plan, t->chunk, d->chunks * SELL_GPU_WORDS, sizeof *t->chunk, &m->chunk);

	if (s == TULLE_OK)
		s = tulle__gpu_offsets(plan, t->base, TULLE_I64, 2 * d->chunks, &m->base);
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, t->level, 2 * t->counts.levels, sizeof *t->level, &m->level);
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, t->row, t->counts.scattered * d->height, sizeof *t->row,
		                     &m->row);
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, d->col, d->units, sizeof *d->col, &m->col);
	return s == TULLE_OK ? upload_values(plan, d, &m->val, &m->table) : s;
}

static tulle_status add_steps(tulle__gpu_plan *plan, const sell_data *d, const arrays *m, int plain)
{
	const int threads = tulle__gpu_block(plan->device), shift = shift_of(d->height);
	const tulle_status s = tulle__gpu_step(
	    plan, TULLE__LAUNCH_ONE(kernel_for(d->code.class, plain),
	                            tulle__gpu_blocks(d->rows, threads), threads, .rows = d->rows,
	                            .shift = shift, .codes = d->code.count, ARRAYS(m)));

	if (s != TULLE_OK)
		return s;
	return tulle__gpu_step_many(plan, TULLE__LAUNCH_ONE(many_for(d->code.class), 0, threads,
	                                                    .rows = d->rows, .shift = shift,
	                                                    .codes = d->code.count, ARRAYS(m)));
}

static void write_note(tulle__gpu_plan *plan, const sell_data *d, const sell_gpu_counts *counts)
{
	static const char *const classes[] = { "", ", values as f32", ", values from a table",
		                                   ", all values one" };
	const double bytes = tulle__sell_gpu_bytes(d, counts, tulle__index_size(plan->types.index));

	snprintf(plan->note, sizeof plan->note, "height %d, %.2f bytes per nonzero%s", d->height,
	         d->nnz > 0 ? bytes / (double)d->nnz : 0, classes[d->code.class]);
	plan->value_error = d->code.rounded ? FLT_EPSILON / 2 : 0;
}

/* An update writes new values without analysing them, so each value needs its own uncompressed
 * slot. */
static tulle_status build(tulle__gpu_plan *plan, const tulle__csr *a, const tulle__params *params)
{
	static const int heights[] = { 0, 32, 64 };
	tulle__env *const env = plan->device->env;
	const int asked = heights[params->value[HEIGHT]];
	const sell_shape shape = { .height =
		                           asked ? asked : tulle__sell_gpu_height(plan->device->width),
		                       .sigma = params->value[SIGMA],
		                       .ordered = 1,
		                       .rounded = plan->lossy,
		                       .separate = plan->updates };
	tables t = { .chunk = NULL };
	arrays m;
	sell_data *d;
	tulle_status s = tulle__sell_make(a, &shape, env, &d);

	if (s != TULLE_OK)
		return s;
	clear_slots(d, env);
	s = alloc_tables(d, env, &t);
	if (s == TULLE_OK) {
		fill_tables(d, &t);
		s = upload(plan, d, &t, &m);
		if (s == TULLE_OK)
			s = add_steps(plan, d, &m, params->value[X] == PLAIN);
		write_note(plan, d, &t.counts);
	}
	tulle__free(env, t.chunk);
	tulle__free(env, t.base);
	tulle__free(env, t.level);
	tulle__free(env, t.row);
	tulle__sell_release(d, env);
	return s;
}

const tulle__gpu_format tulle__sell_gpu = {
	.tunables = "height=auto,32,64 sigma=1..65536:1024 x=cached,plain",
	.variant = variants,
	.complex = 1,
	.rounds = 1,
	.build = build,
	.estimate = tulle__sell_gpu_estimate,
	.check = tulle__sell_gpu_check,
};
