/* build.c -- makes rows from triplets: one stable counting sort for every source that is not CSR.
 *
 * CSC, COO, one triangle, one-based arrays and A^T all become triplets first. The triplets are
 * divided into chunks. Each chunk counts its entries per row. Prefix sums of all counts give the
 * place of each chunk's first entry of each row, and each chunk then copies its entries there.
 * Entries of a row keep their order, so the result does not depend on the chunks. */
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"
#include "csr/csr_matrix.h"

#include <string.h>

/* Each chunk has a counter per row, so the number of chunks is limited. */
enum { MAX_CHUNKS = 8 };

typedef struct {
	const tulle__triplets *t;
	int64_t chunks, blocks;
	int64_t *next;      /* [chunk][row]: counts at first, then the place of the next entry */
	int64_t *block_sum; /* entries in each block of rows, then entries before it */
	tulle_index_type offset_type, column_type, source_type;
	void *row_ptr, *col, *source;
} build;

static int64_t row_of(const tulle__triplets *t, int64_t k)
{
	return tulle__index_at(t->row, t->row_type, k) - t->base;
}

static int64_t col_of(const tulle__triplets *t, int64_t k)
{
	return tulle__index_at(t->col, t->col_type, k) - t->base;
}

static void count_chunk(const void *arg, int64_t chunk)
{
	const build *b = arg;
	const tulle__triplets *t = b->t;
	const int64_t end = tulle__cut(t->nnz, b->chunks, chunk + 1);
	int64_t *count = b->next + chunk * t->rows;

	memset(count, 0, (size_t)t->rows * sizeof *count);
	for (int64_t k = tulle__cut(t->nnz, b->chunks, chunk); k < end; k++) {
		const int64_t i = row_of(t, k);

		count[i]++;
		if (t->kind != TULLE_GENERAL && col_of(t, k) != i)
			count[col_of(t, k)]++;
	}
}

/* ---- counts to places: sums of row blocks, a scan of the sums, places within the blocks ---- */

static void sum_block(const void *arg, int64_t block)
{
	const build *b = arg;
	const int64_t rows = b->t->rows, end = tulle__cut(rows, b->blocks, block + 1);
	int64_t sum = 0;

	for (int64_t c = 0; c < b->chunks; c++)
		for (int64_t i = tulle__cut(rows, b->blocks, block); i < end; i++)
			sum += b->next[c * rows + i];
	b->block_sum[block] = sum;
}

static void scan_blocks(const void *arg, int64_t part)
{
	const build *b = arg;
	int64_t before = 0;

	(void)part;
	for (int64_t block = 0; block < b->blocks; block++) {
		const int64_t sum = b->block_sum[block];

		b->block_sum[block] = before;
		before += sum;
	}
	b->block_sum[b->blocks] = before;
}

static void place_block(const void *arg, int64_t block)
{
	const build *b = arg;
	const int64_t rows = b->t->rows, end = tulle__cut(rows, b->blocks, block + 1);
	int64_t place = b->block_sum[block];

	for (int64_t i = tulle__cut(rows, b->blocks, block); i < end; i++) {
		tulle__index_set(b->row_ptr, b->offset_type, i, place);
		for (int64_t c = 0; c < b->chunks; c++) {
			int64_t *next = &b->next[c * rows + i];
			const int64_t count = *next;

			*next = place;
			place += count;
		}
	}
}

/* ---- entries to their places ---- */

static void put(const build *b, int64_t *next, int64_t i, int64_t j, int64_t source)
{
	const int64_t place = next[i]++;

	tulle__index_set(b->col, b->column_type, place, j);
	tulle__index_set(b->source, b->source_type, place, source);
}

static void put_chunk(const void *arg, int64_t chunk)
{
	const build *b = arg;
	const tulle__triplets *t = b->t;
	const int64_t end = tulle__cut(t->nnz, b->chunks, chunk + 1);
	int64_t *next = b->next + chunk * t->rows;

	for (int64_t k = tulle__cut(t->nnz, b->chunks, chunk); k < end; k++) {
		const int64_t i = row_of(t, k), j = col_of(t, k);

		put(b, next, i, j, k);
		if (t->kind != TULLE_GENERAL && i != j)
			put(b, next, j, i, t->kind == TULLE_SYMMETRIC ? k : ~k);
	}
}

tulle_status tulle__csr_build(tulle__env *env, const tulle__triplets *t, tulle__csr *out,
                              tulle__csr_order *order)
{
	int64_t work, block_sum[TULLE__MAX_PARTS + 1] = { 0 };
	build b = { .t = t, .block_sum = block_sum };
	tulle__phases sums = { { sum_block, scan_blocks }, { 0, 1 } };
	tulle_status s;

	*out = (tulle__csr){ .rows = t->rows, .cols = t->cols };
	*order = (tulle__csr_order){ .type = tulle__index_type_for(t->nnz),
		                         .hermitian = t->kind == TULLE_HERMITIAN };
	/* The order, and so the result, is the same for any number of chunks. */
	b.chunks = tulle__parts(t->nnz);
	if (b.chunks > tulle__threads(env))
		b.chunks = tulle__threads(env);
	if (b.chunks > MAX_CHUNKS)
		b.chunks = MAX_CHUNKS;
	b.blocks = tulle__parts(t->rows);
	/* One counter per row and chunk. The number of rows is not trusted: it is multiplied or added
	 * to only after memory for the rows has been allocated. */
	s = tulle__alloc(env, t->rows, (size_t)b.chunks * sizeof *b.next, &b.next);
	if (s != TULLE_OK)
		return s;
	work = t->nnz + t->rows;

	tulle__run_parts(env, count_chunk, &b, b.chunks, work);
	/* The number of entries of both triangles, which is known only now, determines the offset
	 * type. */
	sums.parts[0] = b.blocks;
	tulle__run(env, &sums, &b, work);
	out->nnz = block_sum[b.blocks];
	out->column_type = tulle__index_type_for(t->cols);
	out->offset_type = out->column_type == TULLE_I64 ? TULLE_I64 : tulle__index_type_for(out->nnz);
	b.offset_type = out->offset_type;
	b.column_type = out->column_type;
	b.source_type = order->type;
	s = tulle__alloc(env, t->rows + 1, tulle__index_size(b.offset_type), &b.row_ptr);
	if (s == TULLE_OK)
		s = tulle__alloc(env, out->nnz, tulle__index_size(b.column_type), &b.col);
	if (s == TULLE_OK)
		s = tulle__alloc(env, out->nnz, tulle__index_size(b.source_type), &b.source);
	out->row_ptr = b.row_ptr;
	out->col = b.col;
	order->source = b.source;
	if (s == TULLE_OK) {
		tulle__run_parts(env, place_block, &b, b.blocks, work);
		tulle__index_set(b.row_ptr, b.offset_type, t->rows, out->nnz);
		tulle__run_parts(env, put_chunk, &b, b.chunks, work);
	} else {
		tulle__csr_release(env, out);
		tulle__free(env, order->source);
		order->source = NULL;
	}
	tulle__free(env, b.next);
	return s;
}

/* ---- values ---- */

typedef struct {
	const tulle__csr_order *order;
	int64_t nnz, parts;
	const tulle__type *type;
	const void *val;
	void *to;
} fill;

static void fill_part(const void *arg, int64_t part)
{
	const fill *f = arg;
	const int64_t end = tulle__cut(f->nnz, f->parts, part + 1);

	for (int64_t k = tulle__cut(f->nnz, f->parts, part); k < end; k++) {
		const int64_t from =
		    f->order->source ? tulle__index_at(f->order->source, f->order->type, k) : k;
		const size_t size = f->type->size;

		tulle__value_move(f->to, k,
		                  tulle__value_or_one(f->val, from < 0 ? ~from : from, size, f->type->one),
		                  0, size);
		if (from < 0 && !f->order->hermitian)
			tulle__value_negate(f->type, f->to, k);
		if ((from < 0 && f->order->hermitian) != f->order->conjugate)
			tulle__value_conjugate(f->type, f->to, k);
	}
}

void tulle__csr_values(tulle__env *env, const tulle__csr_order *order, int64_t nnz,
                       tulle_value_type type, const void *val, void *to)
{
	const fill f = { order, nnz, tulle__parts(nnz), tulle__type_of(type), val, to };

	tulle__run_parts(env, fill_part, &f, f.parts, nnz);
}

/* ---- compressed arrays as triplets ---- */

typedef struct {
	int64_t majors, parts;
	tulle_index_type offset_type, type;
	const void *ptr;
	int base;
	void *major;
} expand;

static void expand_part(const void *arg, int64_t part)
{
	const expand *e = arg;
	const int64_t end = tulle__cut(e->majors, e->parts, part + 1);

	for (int64_t i = tulle__cut(e->majors, e->parts, part); i < end; i++) {
		const int64_t stop = tulle__index_at(e->ptr, e->offset_type, i + 1) - e->base;

		for (int64_t k = tulle__index_at(e->ptr, e->offset_type, i) - e->base; k < stop; k++)
			tulle__index_set(e->major, e->type, k, i + e->base);
	}
}

void tulle__csr_expand(tulle__env *env, int64_t majors, tulle_index_type offset_type,
                       const void *ptr, int base, tulle_index_type type, void *major)
{
	const int64_t work = majors + tulle__index_at(ptr, offset_type, majors) - base;
	const expand e = { majors, tulle__parts(work), offset_type, type, ptr, base, major };

	tulle__run_parts(env, expand_part, &e, e.parts, work);
}

static tulle_status transpose(tulle__env *env, const tulle__csr *a, int conjugate, tulle__csr *out,
                              tulle__csr_order *order)
{
	tulle__triplets t = { .rows = a->cols,
		                  .cols = a->rows,
		                  .nnz = a->nnz,
		                  .row_type = a->column_type,
		                  .row = a->col,
		                  .col_type = tulle__index_type_for(a->rows) };
	void *rows = NULL, *val = NULL;
	tulle_status s = tulle__alloc(env, a->nnz, tulle__index_size(t.col_type), &rows);

	*out = (tulle__csr){ 0 };
	*order = (tulle__csr_order){ 0 };
	if (s != TULLE_OK)
		return s;
	tulle__csr_expand(env, a->rows, a->offset_type, a->row_ptr, 0, t.col_type, rows);
	t.col = rows;
	s = tulle__csr_build(env, &t, out, order);
	tulle__free(env, rows);
	if (s != TULLE_OK)
		return s;
	order->conjugate = conjugate;
	out->value_type = a->value_type;
	if (!a->val)
		return TULLE_OK;
	s = tulle__alloc(env, out->nnz, tulle__value_size(a->value_type), &val);
	if (s != TULLE_OK) {
		tulle__csr_release(env, out);
		tulle__free(env, order->source);
		order->source = NULL;
		return s;
	}
	tulle__csr_values(env, order, out->nnz, a->value_type, a->val, val);
	out->val = val;
	return TULLE_OK;
}

tulle_status tulle__csr_adjoint(tulle__env *env, const tulle__csr *a, int conjugate,
                                tulle__csr *out, tulle__csr_order *order)
{
	tulle__csr_order own = { 0 };
	const tulle_status s = transpose(env, a, conjugate, out, order ? order : &own);

	if (!order)
		tulle__free(env, own.source);
	return s;
}

tulle_status tulle__csr_transpose(tulle__env *env, const tulle__csr *a, tulle__csr *out,
                                  tulle__csr_order *order)
{
	return tulle__csr_adjoint(env, a, 0, out, order);
}
