/* csr_gpu_blocks.c -- plain CSR on a GPU by row blocks (CSR-Adaptive, Greathouse and Daga 2014): the host
 * assigns rows to blocks.
 *
 *   several rows   of STREAM entries together, or rows: their products go through local memory
 *   one row        of more than STREAM entries: all threads of the block along it
 *   a long row     of more than LONG: a block for every LONG entries, and a second launch adds their sums */
#include "formats/csr/csr_gpu.h"

#include "core/memory.h"
#include "formats/csr/csr.gpu.h"
#include "gpu/steps.h"

enum { STREAM = TULLE__CSR_GPU_STREAM, LONG = TULLE__CSR_GPU_LONG };

typedef struct {
	int64_t blocks, splits;
	int32_t *row;   /* of each block, and rows: in which it begins */
	int64_t *first; /* entry of each block, and nnz */
	tulle__split_row *split;
} row_blocks;

static void add_block(row_blocks *b, int64_t row, int64_t first)
{
	if (b->row) {
		b->row[b->blocks] = (int32_t)row;
		b->first[b->blocks] = first;
	}
	b->blocks++;
}

/* The row after the last one that shares a block with row i; i itself if row i is too long for such a
 * block. */
static int64_t stream_end(const tulle__csr *a, int64_t i)
{
	const int64_t first = tulle__csr_offset(a, i), most = i + STREAM;

	while (i < a->rows && i < most && tulle__csr_offset(a, i + 1) - first <= STREAM)
		i++;
	return i;
}

static void add_long_row(row_blocks *b, const tulle__csr *a, int64_t i)
{
	const int64_t blocks = tulle__gpu_blocks(tulle__csr_length(a, i), LONG);

	if (blocks > 1 && b->split)
		b->split[b->splits] = (tulle__split_row){ i, b->blocks, b->blocks + blocks - 1 };
	b->splits += blocks > 1;
	for (int64_t n = 0; n < blocks; n++)
		add_block(b, i, tulle__csr_offset(a, i) + n * LONG);
}

/* Without arrays it only counts. */
static void cut_rows(row_blocks *b, const tulle__csr *a)
{
	b->blocks = b->splits = 0;
	for (int64_t i = 0; i < a->rows;) {
		const int64_t end = stream_end(a, i);

		if (end > i)
			add_block(b, i, tulle__csr_offset(a, i));
		else
			add_long_row(b, a, i);
		i = end > i ? end : i + 1;
	}
	if (b->row) {
		b->row[b->blocks] = (int32_t)a->rows;
		b->first[b->blocks] = a->nnz;
	}
}

static tulle_status make(row_blocks *b, tulle__env *env, const tulle__csr *a)
{
	tulle_status s;

	cut_rows(b, a);
	s = tulle__alloc(env, b->blocks + 1, sizeof *b->row, &b->row);
	if (s == TULLE_OK)
		s = tulle__alloc(env, b->blocks + 1, sizeof *b->first, &b->first);
	if (s == TULLE_OK)
		s = tulle__alloc(env, b->splits, sizeof *b->split, &b->split);
	if (s == TULLE_OK)
		cut_rows(b, a);
	return s;
}

int64_t tulle__csr_gpu_count_blocks(const tulle__csr *a, int64_t *splits)
{
	row_blocks b = { 0 };

	cut_rows(&b, a);
	*splits = b.splits;
	return b.blocks;
}

static tulle_status steps(tulle__gpu_plan *plan, const row_blocks *b, const tulle__gpu_csr *m)
{
	const int threads = tulle__gpu_block(plan->device);
	tulle__gpu_memory row, first;
	tulle_status s = tulle__gpu_array(plan, b->row, b->blocks + 1, sizeof *b->row, &row);

	if (s == TULLE_OK)
		s = tulle__gpu_offsets(plan, b->first, TULLE_I64, b->blocks + 1, &first);
	if (s == TULLE_OK)
		s = tulle__gpu_step(plan, TULLE__LAUNCH(csr_adaptive, b->blocks, threads, .first_row = row,
		                                        .first = first, TULLE__GPU_CSR(m),
		                                        .carry = TULLE__GPU_SCRATCH));
	return s == TULLE_OK ? tulle__gpu_step_carries(plan, b->blocks, b->split, b->splits, 0) : s;
}

tulle_status tulle__csr_gpu_adaptive(tulle__gpu_plan *plan, const tulle__csr *a,
                                     const tulle__gpu_csr *m)
{
	tulle__env *env = plan->device->env;
	row_blocks b = { 0 };
	tulle_status s = make(&b, env, a);

	if (s == TULLE_OK)
		s = steps(plan, &b, m);
	tulle__free(env, b.row);
	tulle__free(env, b.first);
	tulle__free(env, b.split);
	return s;
}
