/* layouts.c -- what the conversions on the device leave there, array by array, against plain loops.
 *
 * Usage: as device.h says; --format csr5 or fastload. Products see most faults of a layout, but not all: a
 * tile that is marked without need, or a block in a class that serves any block, only costs time. Values are
 * the numbers of the entries, so that a value out of place is one too. */
#include "api/device.h"
#include "device.h"
#include "formats/csr5/csr5_gpu.h"
#include "formats/fastload/fastload_gpu.h"
#include "matrices.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	matrix m;
	arrays a;
	tulle__csr csr;       /* the same, as the conversions take it */
	tulle__gpu_plan plan; /* what they fill */
	int64_t *row;         /* of each entry; after the last stands the number of rows */
} subject;

/* ---- arrays on the device ---- */

typedef enum { INT, OFFSET, VALUE } element; /* int, I and T of the dialect */

static size_t element_size(const subject *s, element e)
{
	return e == INT      ? sizeof(uint32_t)
	       : e == OFFSET ? index_size(s->plan.types.index)
	                     : value_size(s->plan.types.value);
}

static int64_t element_at(const subject *s, element e, const void *array, int64_t i)
{
	return e == INT      ? ((const uint32_t *)array)[i]
	       : e == OFFSET ? tulle__index_at(array, s->plan.types.index, i)
	                     : (int64_t)value_at(s->plan.types.value, array, i);
}

/* Takes `want` away. */
static void compare(subject *s, const char *name, tulle__gpu_memory memory, element e,
                    int64_t count, int64_t *want)
{
	const size_t size = element_size(s, e);
	void *got = grab(count, size);
	int64_t i = 0;

	if (count == 0 || CHECK_OK(tulle__gpu_read(&s->plan, memory, got, (size_t)count * size))) {
		while (i < count && element_at(s, e, got, i) == want[i])
			i++;
		CHECK_THAT(i == count, "%s[%" PRId64 "] = %" PRId64 ", not %" PRId64, name, i,
		           i < count ? element_at(s, e, got, i) : 0, i < count ? want[i] : 0);
	}
	free(got);
	free(want);
}

static int64_t *numbers(int64_t count)
{
	return grab(count, sizeof(int64_t));
}

/* ---- CSR5 ---- */

enum { EMPTY_BIT = 31 }; /* of a tile's pointer: it has empty rows */

typedef struct {
	const subject *s;
	const tulle__csr5_tiles *c;
	int64_t size; /* entries of a tile */
} tiling;

static int begins(const tiling *g, int64_t k)
{
	return k % g->size == 0 || g->s->row[k] != g->s->row[k - 1];
}

static int64_t flags_of(const tiling *g, int64_t tile, int lane)
{
	const int64_t first = tile * g->size + (int64_t)lane * g->c->shape.sigma;
	int64_t flags = 0;

	for (int j = 0; j < g->c->shape.sigma; j++)
		flags |= (int64_t)begins(g, first + j) << j;
	return flags;
}

static int has_empty_rows(const tiling *g, int64_t tile)
{
	const int64_t *row_ptr = g->s->m.row_ptr;
	int64_t i = g->s->row[tile * g->size];

	while (i < g->s->row[(tile + 1) * g->size] && row_ptr[i] < row_ptr[i + 1])
		i++;
	return i < g->s->row[(tile + 1) * g->size];
}

static void check_desc(subject *s, const tiling *g)
{
	const tulle__csr5_tiles *c = g->c;
	const int64_t count = c->tiles * c->shape.units * gpu.width;
	int64_t *desc = numbers(count), *at = desc;

	CHECK(c->shape.sigma <= 32 * (c->shape.units - 1) + c->shape.seg_shift);
	CHECK(gpu.width <= 1 << (c->shape.y_shift - c->shape.seg_shift));
	CHECK(g->size <= INT64_C(1) << (32 - c->shape.y_shift));
	for (int64_t t = 0; t < c->tiles; t++, at += c->shape.units * gpu.width) {
		int64_t rows = 0; /* that began in lanes before */

		for (int lane = 0; lane < gpu.width; lane++) {
			int64_t quiet = 0;

			while (lane + 1 + quiet < gpu.width && !flags_of(g, t, (int)(lane + 1 + quiet)))
				quiet++;
			for (int bit = 0; bit < c->shape.sigma; bit += 32)
				at[bit / 32 * gpu.width + lane] =
				    (int64_t)((uint64_t)flags_of(g, t, lane) >> bit & UINT32_MAX);
			at[(c->shape.units - 1) * gpu.width + lane] |=
			    rows << c->shape.y_shift | quiet << c->shape.seg_shift;
			rows += __builtin_popcountll((unsigned long long)flags_of(g, t, lane));
		}
	}
	compare(s, "desc", c->desc, INT, count, desc);
}

/* Which tiles have empty rows, and the rows of their segments. */
static void check_tile_ptr(subject *s, const tiling *g)
{
	const tulle__csr5_tiles *c = g->c;
	int64_t *tile_ptr = numbers(c->tiles + 1), *empty_ptr = numbers(c->tiles + 1);
	int64_t *offset = numbers(s->m.nnz), offsets = 0;

	for (int64_t t = 0; t < c->tiles; t++) {
		const int64_t first = t * g->size, marked = has_empty_rows(g, t);

		tile_ptr[t] = s->row[first] | marked << EMPTY_BIT;
		empty_ptr[t] = offsets;
		for (int64_t k = first; marked && k < first + g->size; k++)
			if (begins(g, k))
				offset[offsets++] = s->row[k] - s->row[first];
	}
	tile_ptr[c->tiles] = s->row[c->tiles * g->size];
	empty_ptr[c->tiles] = offsets;
	CHECK_EQUAL(c->empty_offsets, offsets);
	compare(s, "tile_ptr", c->tile_ptr, INT, c->tiles + 1, tile_ptr);
	compare(s, "empty_ptr", c->empty_ptr, OFFSET, offsets > 0 ? c->tiles + 1 : 0, empty_ptr);
	compare(s, "empty_offset", c->empty_offset, INT, offsets, offset);
}

/* Within a complete tile lane after lane, the rest as it was. */
static void check_turned(subject *s, const tiling *g)
{
	int64_t *col = numbers(s->m.nnz), *val = numbers(s->m.nnz);

	for (int64_t k = 0; k < s->m.nnz; k++) {
		const int64_t t = k / g->size, p = k % g->size;
		const int64_t from =
		    t < g->c->tiles ? t * g->size + p % gpu.width * g->c->shape.sigma + p / gpu.width : k;

		col[k] = s->m.col[from];
		val[k] = from;
	}
	compare(s, "col", g->c->m.col, INT, s->m.nnz, col);
	compare(s, "val", g->c->m.val, VALUE, s->m.nnz, val);
}

static tulle_status check_csr5(subject *s, int sigma)
{
	tulle__csr5_tiles c;
	const tiling g = { s, &c, (int64_t)gpu.width * sigma };
	const tulle_status status = tulle__csr5_gpu_convert(&s->plan, &s->csr, sigma, &c);

	if (status == TULLE_OK && CHECK_EQUAL(c.tiles, s->m.nnz / g.size)) {
		check_desc(s, &g);
		check_tile_ptr(s, &g);
		check_turned(s, &g);
	}
	return status;
}

/* ---- FastLoad ---- */

enum { SHORT, UNIFORM, RUNS }; /* fastload.gpu */

/* Columns by length, those of equal length in their own order. */
static int64_t *sorted_columns(const matrix *columns)
{
	int64_t *order = numbers(columns->rows), n = 0;

	for (int64_t length = 0; n < columns->rows; length++)
		for (int64_t j = 0; j < columns->rows; j++)
			if (columns->row_ptr[j + 1] - columns->row_ptr[j] == length)
				order[n++] = j;
	return order;
}

/* What plain loops make, and how far they are. */
typedef struct {
	int64_t *order, *first, *column, *length, *height, *kind; /* of blocks, but order */
	int64_t *row, *val, *where;                               /* of entries */
	int64_t blocks, entries;
} blocks;

/* One block: steps `below` .. of the columns from sorted column `c` on. */
static void add_block(blocks *w, const subject *s, const matrix *columns, int64_t c, int64_t length,
                      int64_t below, int64_t height)
{
	int changes = 0;

	w->first[w->blocks] = w->entries;
	w->column[w->blocks] = c;
	w->length[w->blocks] = length;
	w->height[w->blocks] = height;
	for (int64_t step = 0; step < height; step++)
		for (int64_t lane = 0; lane < length; lane++) {
			const int64_t entry =
			    (int64_t)columns->val[columns->row_ptr[w->order[c + lane]] + below + step];

			changes |= lane > 0 && s->row[entry] != w->row[w->entries - 1];
			w->row[w->entries] = s->row[entry];
			w->val[w->entries] = entry;
			w->where[entry] = w->entries++;
		}
	w->kind[w->blocks++] = length < gpu.width ? SHORT : changes ? RUNS : UNIFORM;
}

/* A layer has the columns from c on, all of them longer than those before. */
static void add_layers(blocks *w, const subject *s, const matrix *columns, int64_t limit)
{
	int64_t below = 0;

	for (int64_t c = 0; c < s->m.cols; c++) {
		const int64_t *at = columns->row_ptr + w->order[c], end = at[1] - at[0];

		for (int64_t left = c; end > below && left < s->m.cols; left += gpu.width)
			for (int64_t step = below; step < end; step += limit)
				add_block(w, s, columns, left,
				          s->m.cols - left < gpu.width ? s->m.cols - left : gpu.width, step,
				          end - step < limit ? end - step : limit);
		below = end;
	}
}

static tulle_status check_fastload(subject *s, int64_t limit, int phases)
{
	const int64_t n = s->m.nnz;
	matrix columns = matrix_transposed(&s->m);
	blocks w = { sorted_columns(&columns),
		         numbers(n),
		         numbers(n),
		         numbers(n),
		         numbers(n),
		         numbers(n),
		         numbers(n),
		         numbers(n),
		         numbers(n),
		         0,
		         0 };
	tulle__fastload_blocks b;
	tulle_status status = tulle__fastload_gpu_convert(&s->plan, &s->csr, limit, phases, &b);

	if (status == TULLE_OK && !phases)
		status = tulle__fastload_gpu_kinds(&s->plan, &b);
	add_layers(&w, s, &columns, limit);
	if (status == TULLE_OK && CHECK_EQUAL(b.blocks, w.blocks) && CHECK_EQUAL(w.entries, n)) {
		compare(s, "permutation", b.permutation, INT, s->m.cols, w.order);
		compare(s, "first", b.first, OFFSET, b.blocks, w.first);
		compare(s, "column", b.column, INT, b.blocks, w.column);
		compare(s, "length", b.length, INT, b.blocks, w.length);
		compare(s, "height", b.height, INT, b.blocks, w.height);
		compare(s, "kind", b.kind, INT, phases ? 0 : b.blocks, w.kind);
		compare(s, "row", b.row, INT, phases ? 0 : n, w.row);
		compare(s, "val", b.val, VALUE, n, w.val);
		compare(s, "where", b.where, OFFSET, phases ? n : 0, w.where);
	}
	matrix_free(&columns);
	return status;
}

/* ---- the walk ---- */

static void make(subject *s, tulle_value_type type)
{
	s->row = numbers(s->m.nnz + 1);
	for (int64_t i = 0; i < s->m.rows; i++)
		for (int64_t k = s->m.row_ptr[i]; k < s->m.row_ptr[i + 1]; k++)
			s->row[k] = i;
	s->row[s->m.nnz] = s->m.rows;
	for (int64_t k = 0; k < s->m.nnz; k++)
		s->m.val[k] = (double)k;
	s->a = cast(&s->m, pairs[0], type, 0);
	s->csr = (tulle__csr){ .rows = s->m.rows,
		                   .cols = s->m.cols,
		                   .nnz = s->m.nnz,
		                   .offset_type = pairs[0].offset,
		                   .column_type = pairs[0].column,
		                   .value_type = type,
		                   .row_ptr = s->a.row_ptr,
		                   .col = s->a.col,
		                   .val = s->a.val };
}

/* One conversion in a plan of its own. csr5: `n` is sigma; fastload: the limit of heights, -1 for two phases
 * without a limit. */
static void check_one(subject *s, int csr5, int n)
{
	const tulle_index_type index = gpu.offsets == 64 ? TULLE_I64 : TULLE_I32;

	check_about("%s %d, %s, %s", csr5 ? "csr5" : "fastload", n, type_name(s->csr.value_type),
	            s->m.name);
	if (!CHECK_OK(tulle__gpu_plan_begin(&s->plan, &gpu.device->gpu, s->csr.value_type, index)))
		return;
	s->plan.rows = s->m.rows;
	s->plan.cols = s->m.cols;
	s->plan.nnz = s->m.nnz;
	CHECK_OK(tulle__gpu_plan_end(&s->plan, csr5 ? check_csr5(s, n)
	                                            : check_fastload(s, n > 0 ? n : INT32_MAX, n < 0)));
	tulle__gpu_plan_release(&s->plan);
}

int main(int argc, char **argv)
{
	static const int sigmas[] = { 4, 7, 32, 48 }, limits[] = { 1, 3, 0, -1 };
	subject s;

	if (!gpu_open(argc, argv))
		return check_end();
	for (int t = TULLE_F32; t <= TULLE_F64; t++) {
		const tulle_value_type type = (tulle_value_type)t;

		for (int n = 0; gpu_matrix(n, gpu.terse, &s.m); n++) {
			make(&s, type);
			for (int i = 0; i < 4 && gpu_wants("csr5", type); i++)
				check_one(&s, 1, sigmas[i]);
			for (int i = 0; i < 4 && gpu_wants("fastload", type); i++)
				check_one(&s, 0, limits[i]);
			arrays_free(&s.a);
			free(s.row);
			matrix_free(&s.m);
		}
		check_group("%s", type_name(type));
	}
	gpu_close();
	return check_end();
}
