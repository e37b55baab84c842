/* steps.c -- steps of a multiplication that several formats record. */
#include "gpu/steps.h"

#include "core/memory.h"
#include "gpu/carries.gpu.h"
#include "gpu/coo.gpu.h"
#include "gpu/ell.gpu.h"

/* ---- rows that are shared ---- */

tulle_status tulle__gpu_step_carries(tulle__gpu_plan *plan, int64_t parts,
                                     const tulle__split_row *split, int64_t count, double beta)
{
	const int threads = tulle__gpu_block(plan->device);
	tulle__gpu_memory rows;
	tulle_status s;

	tulle__gpu_scratch(plan, 2 * (size_t)parts * tulle__value_size(plan->types.value));
	s = tulle__gpu_array(plan, split, 3 * count, sizeof(int64_t), &rows);
	if (s != TULLE_OK)
		return s;
	return tulle__gpu_step(
	    plan,
	    TULLE__LAUNCH(carries, tulle__gpu_blocks(count * plan->device->width, threads), threads,
	                  .count = count, .split = rows, .carry = TULLE__GPU_SCRATCH, .beta = beta));
}

/* Rows with entries on both sides of a cut; split == NULL: only counts them. */
static int64_t find_splits(int64_t nnz, int64_t each, tulle__gpu_row_of *row_of,
                           const void *entries, tulle__split_row *split)
{
	int64_t count = 0, before = -1; /* the row that was cut last */

	for (int64_t part = 1; part < tulle__gpu_blocks(nnz, (int)each); part++) {
		const int64_t row = row_of(entries, part * each);

		if (row_of(entries, part * each - 1) != row)
			continue;
		if (row != before && split)
			split[count] = (tulle__split_row){ row, part - 1, part };
		else if (split)
			split[count - 1].last = part;
		count += row != before;
		before = row;
	}
	return count;
}

tulle_status tulle__gpu_step_shares(tulle__gpu_plan *plan, int64_t nnz, int64_t each,
                                    tulle__gpu_row_of *row_of, const void *entries, double beta)
{
	const int64_t count = find_splits(nnz, each, row_of, entries, NULL);
	tulle__split_row *split;
	tulle_status s = tulle__alloc(plan->device->env, count, sizeof *split, &split);

	if (s != TULLE_OK)
		return s;
	find_splits(nnz, each, row_of, entries, split);
	s = tulle__gpu_step_carries(plan, tulle__gpu_blocks(nnz, (int)each), split, count, beta);
	tulle__free(plan->device->env, split);
	return s;
}

tulle_status tulle__gpu_step_empty_rows(tulle__gpu_plan *plan, const tulle__csr *a, double *beta)
{
	int64_t i = 0;

	while (i < a->rows && tulle__csr_length(a, i) > 0)
		i++;
	*beta = i < a->rows;
	return i < a->rows ? tulle__gpu_step_scale(plan) : TULLE_OK;
}

/* ---- ELLPACK and COO ---- */

tulle_status tulle__gpu_step_ell(tulle__gpu_plan *plan, const tulle__ell *e)
{
	const int threads = tulle__gpu_block(plan->device);
	const int64_t slots = e->lead * e->width;
	tulle__gpu_memory col, val;
	tulle_status s = tulle__gpu_array(plan, e->col, slots, sizeof *e->col, &col);

	if (s == TULLE_OK)
		s = tulle__gpu_values(plan, e->val, slots, &val);
	if (s != TULLE_OK)
		return s;
	return tulle__gpu_step(plan, TULLE__LAUNCH(ell_rows, tulle__gpu_blocks(e->rows, threads),
	                                           threads, .rows = e->rows, .lead = e->lead,
	                                           .width = e->width, .col = col, .val = val));
}

static int64_t row_of(const void *entries, int64_t k)
{
	const tulle__coo *c = entries;

	return c->row[k];
}

tulle_status tulle__gpu_step_coo(tulle__gpu_plan *plan, const tulle__coo *c, double beta)
{
	enum { EACH_LANE = 8 };
	const int threads = tulle__gpu_block(plan->device), width = plan->device->width;
	const int each = EACH_LANE * width;
	tulle__gpu_memory row, col, val;
	tulle_status s = tulle__gpu_array(plan, c->row, c->nnz, sizeof *c->row, &row);

	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, c->col, c->nnz, sizeof *c->col, &col);
	if (s == TULLE_OK)
		s = tulle__gpu_values(plan, c->val, c->nnz, &val);
	if (s == TULLE_OK)
		s = tulle__gpu_step(
		    plan, TULLE__LAUNCH(coo_segments,
		                        tulle__gpu_blocks(tulle__gpu_blocks(c->nnz, each) * width, threads),
		                        threads, .nnz = c->nnz, .each = each, .row = row, .col = col,
		                        .val = val, .carry = TULLE__GPU_SCRATCH, .beta = beta));
	return s == TULLE_OK ? tulle__gpu_step_shares(plan, c->nnz, each, row_of, c, beta) : s;
}
