/* csr_gpu_shares.c -- plain CSR on a GPU with an equal share of the entries per warp: launches of the
 * kernels balanced and segsum. */
#include "formats/csr/csr_gpu.h"

#include "core/memory.h"
#include "formats/csr/csr.gpu.h"
#include "gpu/steps.h"

/* Entries of a share, per lane of the warp. */
enum { BALANCED_EACH = TULLE__CSR_GPU_SHARE, SEGSUM_EACH = 32 };

/* ---- balanced ---- */

static int64_t row_of(const void *entries, int64_t k)
{
	return tulle__csr_row_at(entries, 0, k);
}

/* The row of the first entry of each share; then the number of rows. */
static tulle_status find_rows(tulle__gpu_plan *plan, const tulle__csr *a, int64_t each,
                              int64_t shares, tulle__gpu_memory *out)
{
	tulle__env *env = plan->device->env;
	int32_t *row;
	tulle_status s = tulle__alloc(env, shares + 1, sizeof *row, &row);

	if (s != TULLE_OK)
		return s;
	for (int64_t n = 0; n < shares; n++)
		row[n] = (int32_t)row_of(a, n * each);
	row[shares] = (int32_t)a->rows;
	s = tulle__gpu_array(plan, row, shares + 1, sizeof *row, out);
	tulle__free(env, row);
	return s;
}

tulle_status tulle__csr_gpu_balanced(tulle__gpu_plan *plan, const tulle__csr *a,
                                     const tulle__gpu_csr *m)
{
	const int threads = tulle__gpu_block(plan->device), width = plan->device->width;
	const int each = BALANCED_EACH * width;
	const int64_t shares = tulle__gpu_blocks(a->nnz, each);
	tulle__gpu_memory row;
	double beta;
	tulle_status s = tulle__gpu_step_empty_rows(plan, a, &beta);

	if (s == TULLE_OK)
		s = find_rows(plan, a, each, shares, &row);
	if (s == TULLE_OK)
		s = tulle__gpu_step(
		    plan, TULLE__LAUNCH(csr_balanced, tulle__gpu_blocks(shares * width, threads), threads,
		                        .nnz = a->nnz, .each = each, .share_row = row, TULLE__GPU_CSR(m),
		                        .carry = TULLE__GPU_SCRATCH, .beta = beta));
	return s == TULLE_OK ? tulle__gpu_step_shares(plan, a->nnz, each, row_of, a, beta) : s;
}

/* ---- segmented sum ---- */

/* begins[n] = 1 where a row begins in share n. */
static tulle_status find_beginnings(tulle__gpu_plan *plan, const tulle__csr *a, int64_t each,
                                    int64_t shares, tulle__gpu_memory *out)
{
	tulle__env *env = plan->device->env;
	char *begins;
	tulle_status s = tulle__alloc(env, shares, 1, &begins);

	if (s != TULLE_OK)
		return s;
	for (int64_t n = 0; n < shares; n++) {
		const int64_t first = n * each, last = (a->nnz - first < each ? a->nnz : first + each) - 1;

		begins[n] = tulle__csr_offset(a, row_of(a, last)) >= first;
	}
	s = tulle__gpu_array(plan, begins, shares, 1, out);
	tulle__free(env, begins);
	return s;
}

/* The flags, step 1, depend only on the pattern: they are set once. */
static tulle_status set_flags(tulle__gpu_plan *plan, const tulle__csr *a, const tulle__gpu_csr *m,
                              tulle__gpu_memory *flag)
{
	const int threads = tulle__gpu_block(plan->device);
	tulle__env *env = plan->device->env;
	char *none;
	tulle_status s = tulle__alloc_zero(env, a->nnz, 1, &none);

	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, none, a->nnz, 1, flag);
	tulle__free(env, none);
	if (s == TULLE_OK)
		s = tulle__gpu_run(plan,
		                   TULLE__LAUNCH(csr_flags, tulle__gpu_blocks(a->rows, threads), threads,
		                                 .rows = a->rows, .row_ptr = m->row_ptr, .flag = *flag));
	return s;
}

tulle_status tulle__csr_gpu_segsum(tulle__gpu_plan *plan, const tulle__csr *a,
                                   const tulle__gpu_csr *m)
{
	const int threads = tulle__gpu_block(plan->device), width = plan->device->width;
	const int each = SEGSUM_EACH * width;
	const int64_t shares = tulle__gpu_blocks(a->nnz, each);
	tulle__gpu_memory flag, begins;
	tulle_status s = set_flags(plan, a, m, &flag);

	tulle__gpu_scratch(plan, (size_t)(a->nnz + shares) * tulle__value_size(a->value_type));
	if (s == TULLE_OK)
		s = find_beginnings(plan, a, each, shares, &begins);
	if (s == TULLE_OK)
		s = tulle__gpu_step(plan, TULLE__LAUNCH(csr_products, tulle__gpu_blocks(a->nnz, threads),
		                                        threads, .nnz = a->nnz, .col = m->col,
		                                        .val = m->val, .product = TULLE__GPU_SCRATCH));
	if (s == TULLE_OK)
		s = tulle__gpu_step(plan,
		                    TULLE__LAUNCH(csr_segments, tulle__gpu_blocks(shares * width, threads),
		                                  threads, .nnz = a->nnz, .each = each, .flag = flag,
		                                  .product = TULLE__GPU_SCRATCH));
	if (s == TULLE_OK)
		s = tulle__gpu_step(plan, TULLE__LAUNCH(csr_shares, shares > 1, width, .nnz = a->nnz,
		                                        .shares = shares, .begins = begins,
		                                        .product = TULLE__GPU_SCRATCH));
	if (s == TULLE_OK)
		s = tulle__gpu_step(plan,
		                    TULLE__LAUNCH(csr_collect, tulle__gpu_blocks(a->rows, threads), threads,
		                                  .rows = a->rows, .nnz = a->nnz, .each = each,
		                                  .row_ptr = m->row_ptr, .product = TULLE__GPU_SCRATCH));
	return s;
}
