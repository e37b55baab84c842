/* fastload_gpu_convert.c -- CSR to FastLoad on the device: columns, their order, layers, entries. */
#include "formats/fastload/fastload.gpu.h"
#include "formats/fastload/fastload_gpu.h"
#include "gpu/scan.h"
#include "gpu/sort.h"

/* Temporary arrays. */
typedef struct {
	tulle__gpu_plan *plan;
	tulle__gpu_csr m;
	int threads;
	int64_t limit;
	tulle__gpu_memory length, col_ptr;    /* of the columns */
	tulle__gpu_memory entry;              /* in the order of CSC: numbers of entries of the CSR */
	tulle__gpu_memory place;              /* of each column among the sorted ones */
	tulle__gpu_memory sorted, sorted_ptr; /* lengths of the sorted columns, and their sums */
	tulle__gpu_memory first_piece; /* blocks before the layer that begins at a sorted column */
} building;

static tulle_status ints(const building *t, int64_t count, tulle__gpu_memory *out)
{
	return tulle__gpu_array(t->plan, NULL, count, sizeof(int32_t), out);
}

static int64_t blocks_for(const building *t, int64_t count)
{
	return tulle__gpu_blocks(count, t->threads);
}

/* CSR to CSC: col_ptr, and the entries sorted by column, in a column by row. */
static tulle_status make_columns(building *t)
{
	tulle__gpu_plan *const plan = t->plan;
	tulle_status s = tulle__gpu_zeros(plan, plan->cols, &t->length);

	if (s == TULLE_OK)
		s = tulle__gpu_run(plan,
		                   TULLE__LAUNCH(fastload_lengths, blocks_for(t, plan->nnz), t->threads,
		                                 .nnz = plan->nnz, .col = t->m.col, .length = t->length));
	if (s == TULLE_OK)
		s = tulle__gpu_scan(plan, t->length, plan->cols, &t->col_ptr, NULL);
	if (s == TULLE_OK)
		s = tulle__gpu_sort(plan, t->m.col, plan->nnz, plan->cols - 1, &t->entry);
	return s;
}

static tulle_status sort_columns(building *t, tulle__fastload_blocks *b)
{
	tulle__gpu_plan *const plan = t->plan;
	const int64_t longest = plan->nnz < TULLE__I32_MAX ? plan->nnz : TULLE__I32_MAX;
	tulle__gpu_memory order;
	tulle_status s = tulle__gpu_sort(plan, t->length, plan->cols, longest, &order);

	if (s == TULLE_OK)
		s = ints(t, plan->cols, &b->permutation);
	if (s == TULLE_OK)
		s = ints(t, plan->cols, &t->place);
	if (s == TULLE_OK)
		s = ints(t, plan->cols, &t->sorted);
	if (s != TULLE_OK)
		return s;
	s = tulle__gpu_run(plan, TULLE__LAUNCH(fastload_columns, blocks_for(t, plan->cols), t->threads,
	                                       .cols = plan->cols, .order = order, .length = t->length,
	                                       .permutation = b->permutation, .place = t->place,
	                                       .sorted = t->sorted));
	tulle__gpu_drop(plan, order);
	tulle__gpu_drop(plan, t->length);
	if (s == TULLE_OK)
		s = tulle__gpu_scan(plan, t->sorted, plan->cols, &t->sorted_ptr, NULL);
	return s;
}

static tulle_status count_blocks(building *t, tulle__fastload_blocks *b)
{
	tulle__gpu_plan *const plan = t->plan;
	tulle__gpu_memory pieces;
	tulle_status s = ints(t, plan->cols, &pieces);

	if (s == TULLE_OK)
		s = tulle__gpu_run(plan, TULLE__LAUNCH(fastload_layers, blocks_for(t, plan->cols),
		                                       t->threads, .cols = plan->cols, .limit = t->limit,
		                                       .sorted = t->sorted, .pieces = pieces));
	if (s == TULLE_OK)
		s = tulle__gpu_scan(plan, pieces, plan->cols, &t->first_piece, &b->blocks);
	if (s == TULLE_OK)
		tulle__gpu_drop(plan, pieces);
	return s;
}

static tulle_status make_blocks(building *t, tulle__fastload_blocks *b)
{
	tulle__gpu_plan *const plan = t->plan;
	tulle_status s = count_blocks(t, b);

	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, NULL, b->blocks, tulle__index_size(plan->types.index),
		                     &b->first);
	if (s == TULLE_OK)
		s = ints(t, b->blocks, &b->column);
	if (s == TULLE_OK)
		s = ints(t, b->blocks, &b->length);
	if (s == TULLE_OK)
		s = ints(t, b->blocks, &b->height);
	if (s == TULLE_OK)
		s = tulle__gpu_run(
		    plan, TULLE__LAUNCH(fastload_pieces, blocks_for(t, b->blocks), t->threads,
		                        .cols = plan->cols, .count = b->blocks, .limit = t->limit,
		                        .sorted = t->sorted, .sorted_ptr = t->sorted_ptr,
		                        .first_piece = t->first_piece, .first = b->first,
		                        .column = b->column, .length = b->length, .height = b->height));
	if (s == TULLE_OK)
		tulle__gpu_drop(plan, t->first_piece);
	return s;
}

static tulle_status fill(building *t, int phases, tulle__fastload_blocks *b)
{
	tulle__gpu_plan *const plan = t->plan;
	tulle_status s = ints(t, phases ? 0 : plan->nnz, &b->row);

	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, NULL, phases ? plan->nnz : 0,
		                     tulle__index_size(plan->types.index), &b->where);
	if (s == TULLE_OK)
		s = tulle__gpu_values(plan, NULL, plan->nnz, &b->val);
	if (s != TULLE_OK)
		return s;
	return tulle__gpu_run(
	    plan, TULLE__LAUNCH(fastload_fill, blocks_for(t, plan->nnz), t->threads, .rows = plan->rows,
	                        .cols = plan->cols, .nnz = plan->nnz, .phases = phases,
	                        TULLE__GPU_CSR(&t->m), .col_ptr = t->col_ptr, .entry = t->entry,
	                        .place = t->place, .sorted = t->sorted, .sorted_ptr = t->sorted_ptr,
	                        .row = b->row, .where = b->where, .value = b->val));
}

tulle_status tulle__fastload_gpu_convert(tulle__gpu_plan *plan, const tulle__csr *a, int64_t limit,
                                         int phases, tulle__fastload_blocks *b)
{
	building t = { .plan = plan, .threads = tulle__gpu_block(plan->device), .limit = limit };
	tulle_status s = tulle__gpu_upload(plan, a, &t.m);

	*b = (tulle__fastload_blocks){ .row_ptr = t.m.row_ptr };
	if (s == TULLE_OK)
		s = make_columns(&t);
	if (s == TULLE_OK)
		s = sort_columns(&t, b);
	if (s == TULLE_OK)
		s = make_blocks(&t, b);
	if (s == TULLE_OK)
		s = fill(&t, phases, b);
	if (s != TULLE_OK)
		return s;
	tulle__gpu_drop(plan, t.m.col);
	tulle__gpu_drop(plan, t.m.val);
	tulle__gpu_drop(plan, t.col_ptr);
	tulle__gpu_drop(plan, t.entry);
	tulle__gpu_drop(plan, t.place);
	tulle__gpu_drop(plan, t.sorted);
	tulle__gpu_drop(plan, t.sorted_ptr);
	if (!phases)
		tulle__gpu_drop(plan, t.m.row_ptr);
	return TULLE_OK;
}

tulle_status tulle__fastload_gpu_kinds(tulle__gpu_plan *plan, tulle__fastload_blocks *b)
{
	const int threads = tulle__gpu_block(plan->device);
	const tulle_status s = tulle__gpu_array(plan, NULL, b->blocks, sizeof(int32_t), &b->kind);

	if (s != TULLE_OK)
		return s;
	return tulle__gpu_run(
	    plan,
	    TULLE__LAUNCH(fastload_kinds, tulle__gpu_blocks(b->blocks, threads / plan->device->width),
	                  threads, .count = b->blocks, .first = b->first, .length = b->length,
	                  .height = b->height, .row = b->row, .kind = b->kind));
}
