/* matrix.c -- the lifecycle of a matrix: create, hold, recover from a plan, describe, destroy. */
#include "api/online.h"
#include "core/memory.h"
#include "core/status.h"
#include "csr/widened.h"

tulle_status tulle__matrix_new(tulle_context *context, tulle_kind kind, int64_t stored_nnz,
                               tulle_matrix **out)
{
	tulle_matrix *m;
	const tulle_status status = tulle__alloc_zero(&context->env, 1, sizeof *m, &m);

	if (status != TULLE_OK)
		return status;
	atomic_init(&m->holds, 1);
	m->context = context;
	tulle__context_hold(m->context);
	m->stored_nnz = stored_nnz;
	m->kind = kind;
	*out = m;
	return TULLE_OK;
}

/* const refers to the contents of the matrix; its reference count may change. */
tulle_matrix *tulle__matrix_hold(const tulle_matrix *matrix)
{
	tulle_matrix *held = (tulle_matrix *)(uintptr_t)matrix;

	atomic_fetch_add_explicit(&held->holds, 1, memory_order_relaxed);
	return held;
}

static void drop_expansion(tulle__env *env, tulle__csr *expanded)
{
	if (expanded)
		tulle__csr_release(env, expanded);
	tulle__free(env, expanded);
}

/* Two threads may expand at the same time; the first expansion is kept. */
tulle_status tulle__matrix_csr(const tulle_matrix *matrix, const tulle__csr **out)
{
	tulle_matrix *m = (tulle_matrix *)(uintptr_t)matrix; /* as for tulle__matrix_hold */
	tulle__csr *made = NULL, *there;
	tulle_status s;

	*out = m->blocks.ptr ? atomic_load(&m->expanded) : &m->a;
	if (*out)
		return TULLE_OK;
	s = tulle__alloc(&m->context->env, 1, sizeof *made, &made);
	if (s == TULLE_OK)
		s = tulle__bsr_expand(&m->context->env, &m->blocks, made);
	if (s != TULLE_OK) {
		tulle__free(&m->context->env, made);
		return s;
	}
	there = NULL;
	*out = made;
	if (!atomic_compare_exchange_strong(&m->expanded, &there, made)) {
		drop_expansion(&m->context->env, made);
		*out = there;
	}
	return TULLE_OK;
}

void tulle_matrix_destroy(tulle_matrix *matrix)
{
	tulle_context *context;

	if (!matrix || atomic_fetch_sub_explicit(&matrix->holds, 1, memory_order_acq_rel) != 1)
		return;
	context = matrix->context;
	drop_expansion(&context->env, atomic_load(&matrix->expanded));
	if (matrix->of) {
		tulle_matrix_destroy(matrix->of);
	} else {
		tulle__csr_release(&context->env, &matrix->owned);
		tulle__bsr_release(&context->env, &matrix->owned_blocks);
		tulle__lists_release(&context->env, &matrix->lists);
		tulle__unmap(&matrix->mapping);
		tulle__free(&context->env, matrix->order.source);
	}
	tulle__free(&context->env, matrix);
	tulle_context_destroy(context);
}

/* What the plan multiplies by, as a CSR that owns its arrays. */
static tulle_status give_back(const tulle_plan *p, tulle__csr *out)
{
	tulle__csr a;
	tulle_status s = tulle__format_give_back(p->format, p->data, p->value_type, p->env, &a);

	/* A plan that scatters holds A itself. */
	if (s != TULLE_OK || p->way != TULLE__SCATTER) {
		*out = a;
		return s;
	}
	s = tulle__csr_transpose(p->env, &a, out, NULL);
	tulle__csr_release(p->env, &a);
	return s;
}

tulle_status tulle_matrix_from_plan(const tulle_plan *plan, tulle_matrix **out)
{
	tulle_matrix *m;
	tulle__csr a;
	tulle_status s;

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	s = tulle__matrix_new(plan->matrix->context, TULLE_GENERAL, plan->a.nnz, &m);
	if (s != TULLE_OK)
		return s;
	s = give_back(tulle__now(plan), &a);
	if (s != TULLE_OK) {
		tulle_matrix_destroy(m);
		return s;
	}
	m->a = m->owned = a;
	*out = m;
	return TULLE_OK;
}

/* Memory that the matrix owns: arrays, and the expansion of blocks if there is one. */
static size_t bytes_of(const tulle_matrix *m)
{
	const tulle__csr *expanded = atomic_load(&m->expanded);
	size_t bytes = sizeof *m;

	if (m->owned.row_ptr)
		bytes += tulle__bytes(m->a.rows + 1, tulle__index_size(m->a.offset_type));
	if (m->owned.col)
		bytes += tulle__bytes(m->a.nnz, tulle__index_size(m->a.column_type));
	if (m->owned.val || m->owned_blocks.val)
		bytes += tulle__bytes(m->a.nnz, tulle__value_size(m->a.value_type));
	if (m->order.source)
		bytes += tulle__bytes(m->a.nnz, tulle__index_size(m->order.type));
	if (m->owned_blocks.ptr)
		bytes += tulle__bytes(m->blocks.block_rows + 1, tulle__index_size(m->blocks.offset_type)) +
		         tulle__bytes(m->blocks.blocks, tulle__index_size(m->blocks.column_type));
	if (m->lists.row)
		bytes += tulle__bytes(m->a.rows, sizeof *m->lists.row);
	if (m->lists.col && m->lists.col != m->lists.row)
		bytes += tulle__bytes(m->a.cols, sizeof *m->lists.col);
	if (expanded)
		bytes += sizeof *expanded + tulle__csr_bytes(expanded);
	return bytes;
}

tulle_status tulle_matrix_describe(const tulle_matrix *matrix, tulle_matrix_info *info)
{
	const tulle_matrix *m = matrix;
	int owned, shares;

	if (!m)
		return tulle__fail(TULLE_E_ARGUMENT, "matrix is NULL");
	owned = m->owned.col || m->owned_blocks.col;
	shares = !m->mapping.begin;
	return tulle__write_info(
	    "tulle_matrix_info", info,
	    &(tulle_matrix_info){ .rows = m->a.rows,
	                          .cols = m->a.cols,
	                          .nnz = m->a.nnz,
	                          .stored_nnz = m->stored_nnz,
	                          .value_type = m->a.value_type,
	                          .offset_type = m->a.offset_type,
	                          .column_type = m->a.column_type,
	                          .kind = m->kind,
	                          .shares_offsets = shares && !m->owned.row_ptr && !m->owned_blocks.ptr,
	                          .shares_columns = shares && (m->a.col || m->blocks.col) && !owned,
	                          .shares_values =
	                              shares && m->a.val && !m->owned.val && !m->owned_blocks.val,
	                          .bytes = bytes_of(m) },
	    sizeof *info);
}

tulle_status tulle_matrix_view_csr(const tulle_matrix *matrix, tulle_csr_view *view)
{
	const tulle__csr *a;
	tulle_status s;

	if (!matrix)
		return tulle__fail(TULLE_E_ARGUMENT, "matrix is NULL");
	s = tulle__matrix_csr(matrix, &a);
	if (s != TULLE_OK)
		return s;
	return tulle__write_info("tulle_csr_view", view,
	                         &(tulle_csr_view){ .rows = a->rows,
	                                            .cols = a->cols,
	                                            .nnz = a->nnz,
	                                            .offset_type = a->offset_type,
	                                            .column_type = a->column_type,
	                                            .value_type = a->value_type,
	                                            .row_ptr = a->row_ptr,
	                                            .col = a->col,
	                                            .val = a->val },
	                         sizeof *view);
}
