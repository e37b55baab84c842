/* sell.c -- the format SELL-C-sigma (README.md draws it).
 *
 *   invariant 1   every row is in one lane, and lengths do not increase within a chunk
 *   invariant 2   full and width are the shortest and the longest length of the chunk's lanes
 *   invariant 3   chunks are contiguous, and share lists only with the one before them
 *   invariant 4   `first` is set if and only if the lanes are consecutive rows
 *   invariant 5   strips are rows of one length; near columns are within 65536 of each other
 *   invariant 6   the pieces are stored before the chunks and form the rows that are in no lane
 *   invariant 7   the cuts begin at 0, never go back, and end at the last chunk or piece
 *   invariant 8   the rows that a part finishes are all in its lanes
 *   invariant 9   the parts that scatter cover all chunks and pieces, and their copies are inside the columns
 */
#include "formats/sell/sell.h"
#include "formats/sell/sell_gpu.h"

#include "core/kernel_table.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "csr/chunks.h"
#include "csr/csr_matrix.h"
#include "csr/scatter_parts.h"
#include "csr/value_codes.h"
#include "formats/sell/sell_convert.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

TULLE__KERNEL_TABLE_COMPLEX(kernels, sell, );
TULLE__KERNEL_TABLE_COMPLEX_WITHOUT_GATHERS(many_kernels, sell_many, );

enum { PARAM_HEIGHT, PARAM_SIGMA, PARAM_LONGEST };

_Static_assert(TULLE__LONG_ROW == 512, "the default of longest in .tunables");

static const int heights[] = { 0, 4, 8, 16, 32 }; /* of the words of the tunable; 0: auto */

/* Two vectors of rows per chunk: two gathers are in flight, and the overhead per row is halved. Four
 * if rows are so short that this overhead dominates, unless memory bandwidth does. One for long rows
 * that are read from memory, which need neither: fewer lanes are idle. */
static int height_for(tulle__isa isa, const tulle__csr *a)
{
	enum { SHORT_ROW = 6, LONG_ROW = 32, OUT_OF_CACHE = 1000000 }; /* nonzeros (measured) */
	enum { LEAST = 4, WIDE = 64 }; /* lanes of a chunk; bytes of a vector */
	const size_t size = tulle__element_size(a->value_type);
	const int vector = tulle__vector_lanes(isa, size), lanes = vector > LEAST ? vector : LEAST;

	if (a->nnz > OUT_OF_CACHE)
		return a->nnz / a->rows >= LONG_ROW ? lanes : 2 * lanes;
	return vector * (int)size >= WIDE && a->nnz < SHORT_ROW * a->rows ? SELL_TALLEST : 2 * lanes;
}

void tulle__sell_release(sell_data *d, tulle__env *env)
{
	if (!d)
		return;
	tulle__free(env, d->chunk);
	tulle__free(env, d->row);
	tulle__free(env, d->length);
	tulle__free(env, d->col);
	tulle__free(env, d->val);
	tulle__free(env, d->scale);
	tulle__free(env, d->piece);
	tulle__free(env, d->split);
	tulle__free(env, d->cut);
	tulle__free(env, d->piece_cut);
	tulle__free(env, d->finished);
	tulle__release_scatter(env, &d->scatter);
	tulle__free(env, d);
}

static void release(void *data, tulle__env *env)
{
	tulle__sell_release(data, env);
}

/* ---- convert ---- */

/* The lane of each row. */
static tulle_status begin(const tulle__csr *a, const sell_shape *shape, tulle__env *env,
                          sell_data **out)
{
	const int64_t wanted = shape->ordered ? TULLE__I32_MAX : shape->longest;
	const int64_t longest = wanted < TULLE__I32_MAX ? wanted : TULLE__I32_MAX;
	sell_data *d;
	tulle_status s;

	*out = NULL;
	s = tulle__check_32_bits("sell", a,
	                         shape->height > SELL_TALLEST ? shape->height : SELL_TALLEST);
	if (s == TULLE_OK)
		s = tulle__alloc_zero(env, 1, sizeof *d, &d);
	if (s != TULLE_OK)
		return s;
	d->rows = a->rows;
	d->cols = a->cols;
	d->nnz = a->nnz;
	d->value_type = a->value_type;
	d->rounded = shape->rounded;
	d->given = shape->given;
	d->separate = shape->separate;
	d->height = shape->height;
	d->chunks = (a->rows + d->height - 1) / d->height;
	s = tulle__sell_lay_out(d, a, shape->sigma, longest, env);
	if (s == TULLE_OK && shape->ordered && d->pieces > 0)
		s = tulle__fail(TULLE_E_UNSUPPORTED,
		                "sell: a row of more than 2^31-1 entries is not summed in stored order");
	*out = d;
	return s;
}

static tulle_status end(tulle_status s, tulle__env *env, sell_data **out)
{
	if (s != TULLE_OK) {
		tulle__sell_release(*out, env);
		*out = NULL;
	}
	return s;
}

tulle_status tulle__sell_make(const tulle__csr *a, const sell_shape *shape, tulle__env *env,
                              sell_data **out)
{
	tulle_status s = begin(a, shape, env, out);

	if (s == TULLE_OK)
		s = tulle__sell_make_values(*out, a, shape->releases, env);
	if (s == TULLE_OK)
		s = tulle__sell_make_columns(*out, shape->releases, env);
	if (s == TULLE_OK && shape->releases == 0) {
		tulle__sell_move_values(*out, a, env);
		tulle__sell_move_columns(*out, a, env);
	}
	return end(s, env, out);
}

tulle_status tulle__sell_plan(const tulle__csr *a, const sell_shape *shape, tulle__env *env,
                              sell_data **out)
{
	tulle_status s = begin(a, shape, env, out);

	if (s == TULLE_OK)
		s = tulle__sell_place_values(*out, a, env);
	return end(s, env, out);
}

static tulle_status convert(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                            void **data)
{
	const int height = heights[request->params.value[PARAM_HEIGHT]];
	const sell_shape shape = { .height = height ? height : height_for(env->isa, a),
		                       .sigma = request->params.value[PARAM_SIGMA],
		                       .longest = request->params.value[PARAM_LONGEST],
		                       .ordered = request->ordered,
		                       .rounded = request->rounded,
		                       .given = request->given,
		                       .releases = request->releases };
	sell_data *d;
	tulle_status s = tulle__sell_make(a, &shape, env, &d);

	if (s == TULLE_OK && request->op == TULLE_BOTH)
		s = end(tulle__sell_cut_scatter(d, a, env), env, &d);
	*data = d;
	return s;
}

static void fill(void *data, const tulle__csr *a, const tulle__request *request, tulle__env *env)
{
	tulle__sell_fill(data, a, request->params.value[PARAM_SIGMA], env);
}

static tulle_status update(void *data, const tulle__csr *a, tulle__env *env)
{
	return tulle__sell_set_values(data, a, env);
}

/* Slots of busy and idle lanes, by the kind of columns. */
static int64_t count_slots(const sell_data *d, int64_t *of)
{
	int64_t all = 0;

	memset(of, 0, (COLUMNS_STENCIL + 1) * sizeof *of);
	for (int64_t c = 0; c < d->chunks; c++)
		of[d->chunk[c].columns] += (int64_t)d->chunk[c].width * d->height;
	for (int64_t p = 0; p < d->pieces; p++)
		of[d->piece[p].columns] += d->piece[p].length;
	for (int kind = 0; kind <= COLUMNS_STENCIL; kind++)
		all += of[kind];
	return all;
}

/* How columns and values are stored, and the padding. */
static void write_note(const sell_data *d, char *note, size_t size)
{
	static const char *const classes[] = { "",
		                                   "; values as f32",
		                                   "; values from a table",
		                                   "; all values one",
		                                   "; values as bf16",
		                                   "; values as f16" };
	int64_t of[COLUMNS_STENCIL + 1];
	const double all = (double)count_slots(d, of), percent = all > 0 ? 100 / all : 0;

	snprintf(note, size, "columns %.0f %% 16-bit, %.0f %% strided%s%s; %.1f %% padding",
	         percent * (double)of[COLUMNS_NEAR],
	         percent * (double)(of[COLUMNS_STRIPS] + of[COLUMNS_STENCIL]), classes[d->code.class],
	         d->code.rounded ? ", rounded" : "", percent * (all - (double)d->nnz));
}

static const char *words_of(const sell_data *d)
{
	if (!tulle__is_half(d->code.class) || d->scale)
		return tulle__class_name(d->code.class);
	return tulle__type_of(d->given)->name;
}

void tulle__sell_describe(const void *data, tulle__layout *out)
{
	const sell_data *d = data;
	const size_t pieces = (size_t)d->pieces * sizeof *d->piece;
	const size_t scales = d->scale ? (size_t)(d->chunks + d->pieces) * sizeof *d->scale : 0;
	const size_t values =
	    (size_t)d->slots * tulle__code_size(d->code.class, d->value_type) + scales;
	const size_t nonzeros = values + (size_t)d->units * sizeof *d->col;
	const size_t chunks = (size_t)d->chunks * sizeof *d->chunk;
	const size_t lengths = (size_t)d->chunks * (size_t)d->height * sizeof *d->length;
	size_t scattered = 0, ragged = 0;

	for (int64_t c = 0; c < d->chunks; c++) {
		scattered += d->chunk[c].first == SELL_SCATTERED;
		ragged += d->chunk[c].full < d->chunk[c].width;
	}
	*out = (tulle__layout){
		.bytes = nonzeros + chunks + pieces +
		         (scattered * sizeof *d->row + ragged * sizeof *d->length) * (size_t)d->height,
		.own_bytes = sizeof *d + nonzeros + chunks + pieces + lengths +
		             (size_t)d->rows * sizeof *d->row + (size_t)d->splits * sizeof *d->split +
		             (size_t)(d->chunk_parts + d->piece_parts + 2) * sizeof *d->cut +
		             (size_t)d->chunk_parts * sizeof *d->finished +
		             tulle__scatter_bytes(&d->scatter),
		.parts = { d->chunk_parts + d->piece_parts, d->splits > 0 },
		.scratch = d->splits > 0 ? 2 * (size_t)d->pieces * tulle__element_size(d->value_type) : 0,
		.values = words_of(d),
		.value_error = tulle__code_error(&d->code),
	};
	write_note(d, out->note, sizeof out->note);
}

/* Long rows are finished by parts of pieces, or in a later phase. */
static void finishes(const void *data, int64_t part, int64_t *begin, int64_t *end)
{
	const sell_data *d = data;
	const sell_range of = part < d->chunk_parts ? d->finished[part] : (sell_range){ 0, 0 };

	*begin = of.begin;
	*end = of.end;
}

/* ---- proofs ---- */

static tulle_status check_chunk(const sell_data *d, int64_t c)
{
	const int64_t lane = c * d->height;
	const sell_chunk chunk = d->chunk[c];
	const tulle_status s = tulle__check_lanes("sell", c, d->length + lane, d->height, chunk.lanes,
	                                          chunk.full, chunk.width);

	if (s != TULLE_OK)
		return s;
	return tulle__check_first("sell", c, d->row + lane, d->height, chunk.lanes, 1, chunk.first);
}

/* Columns and values of the chunks follow those of the pieces and are contiguous, except for lists
 * that a chunk shares with the chunk before it. */
static tulle_status check_places(const sell_data *d)
{
	int64_t slot = d->piece_slots, unit = d->units;

	for (int64_t c = d->chunks; c-- > 0;) {
		const sell_chunk *chunk = &d->chunk[c];
		const int strips = chunk->columns >= COLUMNS_STRIPS;

		if (strips && sell_shares_columns(d, c))
			continue;
		unit -= strips ? tulle__sell_list_units(chunk->width)
		               : tulle__sell_chunk_slots(d, c) * (chunk->columns == COLUMNS_NEAR ? 1 : 2);
		if (chunk->col != unit)
			return tulle__fail(TULLE_E_INTERNAL, "sell: chunk %" PRId64 " has no columns", c);
	}
	for (int64_t c = 0; c < d->chunks; c++) {
		const sell_chunk *chunk = &d->chunk[c];
		const int stencil = chunk->columns == COLUMNS_STENCIL;

		if (stencil && sell_shares_values(d, c))
			continue;
		if (chunk->base != slot)
			return tulle__fail(TULLE_E_INTERNAL, "sell: chunk %" PRId64 " has no values", c);
		slot += stencil ? tulle__sell_list_slots(d, chunk->width) : tulle__sell_chunk_slots(d, c);
	}
	if (slot != d->slots)
		return tulle__fail(TULLE_E_INTERNAL, "sell: the chunks do not fill their values");
	return TULLE_OK;
}

static tulle_status to_csr(const void *data, tulle__env *env, tulle__csr *out)
{
	const sell_data *d = data;
	int64_t *row_ptr;
	int32_t *col;
	void *val;
	const tulle_status s =
	    tulle__csr_new(env, d->rows, d->cols, d->nnz, d->value_type, out, &row_ptr, &col, &val);

	if (s != TULLE_OK)
		return s;
	for (int64_t lane = 0; lane < d->rows; lane++)
		row_ptr[d->row[lane] + 1] = d->length[lane];
	for (int64_t p = 0; p < d->pieces; p++)
		row_ptr[d->piece[p].row + 1] += d->piece[p].length;
	for (int64_t i = 0; i < d->rows; i++)
		row_ptr[i + 1] += row_ptr[i];
	tulle__sell_give_back(d, out, col, val, env);
	return TULLE_OK;
}

static tulle_status check_pieces(const sell_data *d)
{
	int64_t slot = 0, more = 0;

	for (int64_t p = 0; p < d->pieces; p++) {
		const sell_piece piece = d->piece[p];

		if (piece.base != slot || piece.length <= 0 || piece.row < 0 || piece.row >= d->rows)
			return tulle__fail(TULLE_E_INTERNAL, "sell: piece %" PRId64 " is wrong", p);
		if (piece.skip != 0 && (p == 0 || piece.row != d->piece[p - 1].row))
			return tulle__fail(TULLE_E_INTERNAL, "sell: piece %" PRId64 " has no beginning", p);
		slot += tulle__round_up(piece.length, SELL_TALLEST);
		more += piece.skip != 0;
	}
	for (int64_t s = 0; s < d->splits; s++)
		more -= d->split[s].last - d->split[s].first;
	if (slot != d->piece_slots || more != 0)
		return tulle__fail(TULLE_E_INTERNAL, "sell: the pieces do not make up their rows");
	return TULLE_OK;
}

static tulle_status check(const void *data, tulle__env *env)
{
	static const tulle__csr_words words = { "sell: row_ptr", "sell: col", "row" };
	const sell_data *d = data;
	tulle__csr a;
	tulle_status s = tulle__check_distinct(env, d->row, d->rows, d->rows, "sell: row");

	for (int64_t c = 0; c < d->chunks && s == TULLE_OK; c++)
		s = check_chunk(d, c);
	if (s == TULLE_OK)
		s = check_places(d);
	if (s == TULLE_OK)
		s = check_pieces(d);
	if (s == TULLE_OK)
		s = tulle__check_cuts("sell", d->cut, d->chunk_parts, d->chunks);
	if (s == TULLE_OK)
		s = tulle__check_cuts("sell", d->piece_cut, d->piece_parts, d->pieces);
	if (s == TULLE_OK)
		s = tulle__sell_check_finished(d);
	if (s == TULLE_OK && d->scatter.cut)
		s = tulle__check_scatter("sell", &d->scatter, d->chunks + d->pieces, d->cols);
	if (s != TULLE_OK)
		return s;
	s = to_csr(d, env, &a);
	if (s != TULLE_OK)
		return s;
	s = tulle__csr_check_indices(env, a.rows, a.cols, TULLE_I64, a.row_ptr, TULLE_I32, a.col, 0,
	                             &words);
	tulle__csr_release(env, &a);
	return s;
}

const tulle__kernel *tulle__sell_variant(const sell_data *d, const tulle__kernel *variants)
{
	if (!variants)
		return NULL;
	return &variants[d->height == 4 ? 0 : d->height == 8 ? 1 : d->height == 16 ? 2 : 3];
}

static const tulle__kernel *kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	return tulle__sell_variant(data, kernels[isa][type]);
}

static const tulle__kernel *many(const void *data, tulle__isa isa, tulle_value_type type)
{
	const sell_data *d = data;

	/* The kernel multiplies by ones, which a complex Inf does not survive; a single product adds. */
	if (d->code.class == TULLE__ONES && tulle__type_of(type)->parts == 2)
		return NULL;
	return many_kernels[isa][type];
}

const tulle__format tulle__format_sell = {
	.name = "sell",
	.summary = "chunks of sorted rows, one row per lane, with compressed columns and values "
	           "(SELL-C-sigma)",
	.tunables = "height=auto,4,8,16,32 sigma=1..65536:1024 longest=0..2147483647:512",
	.version = 1,
	.flags = TULLE__ORDERED | TULLE__ROUNDS | TULLE__SLICES | TULLE__HAS_COMPLEX,
	.estimator = &tulle__sell_estimator,
	.convert = convert,
	.fill = fill,
	.update = update,
	.release = release,
	.describe = tulle__sell_describe,
	.finishes = finishes,
	.check = check,
	.to_csr = to_csr,
	.kernel = kernel,
	.many = many,
	.backward = &tulle__sell_backward,
	.gpu = &tulle__sell_gpu,
};
