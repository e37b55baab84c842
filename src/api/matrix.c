/* matrix.c -- the life of a matrix: made, held, made back from a plan, described, destroyed. */
#include "api/online.h"
#include "core/memory.h"
#include "core/status.h"

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

/* A caller's const promises that the matrix stays as it is. How often it is held is not part of that. */
tulle_matrix *tulle__matrix_hold(const tulle_matrix *matrix)
{
	tulle_matrix *held = (tulle_matrix *)(uintptr_t)matrix;

	atomic_fetch_add_explicit(&held->holds, 1, memory_order_relaxed);
	return held;
}

void tulle_matrix_destroy(tulle_matrix *matrix)
{
	tulle_context *context;

	if (!matrix || atomic_fetch_sub_explicit(&matrix->holds, 1, memory_order_acq_rel) != 1)
		return;
	context = matrix->context;
	tulle__csr_release(&context->env, &matrix->owned);
	tulle__free(&context->env, matrix->order.source);
	tulle__free(&context->env, matrix);
	tulle_context_destroy(context);
}

/* What the plan multiplies by, as a CSR that owns its arrays. */
static tulle_status give_back(const tulle_plan *p, tulle__csr *out)
{
	tulle__csr a;
	tulle__csr_order order;
	tulle_status s = p->format->to_csr(p->data, p->env, &a);

	/* A plan that scatters holds A itself. */
	if (s != TULLE_OK || p->way != TULLE__SCATTER) {
		*out = a;
		return s;
	}
	s = tulle__csr_transpose(p->env, &a, out, &order);
	tulle__csr_release(p->env, &a);
	if (s == TULLE_OK)
		tulle__free(p->env, order.source);
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

tulle_status tulle_matrix_describe(const tulle_matrix *matrix, tulle_matrix_info *info)
{
	const tulle_matrix *m = matrix;
	size_t bytes;

	if (!m)
		return tulle__fail(TULLE_E_ARGUMENT, "matrix is NULL");
	bytes = sizeof *m;
	if (m->owned.row_ptr)
		bytes += tulle__bytes(m->a.rows + 1, tulle__index_size(m->a.offset_type));
	if (m->owned.col)
		bytes += tulle__bytes(m->a.nnz, tulle__index_size(m->a.column_type));
	if (m->owned.val)
		bytes += tulle__bytes(m->a.nnz, tulle__value_size(m->a.value_type));
	if (m->order.source)
		bytes += tulle__bytes(m->a.nnz, tulle__index_size(m->order.type));
	return tulle__write_info("tulle_matrix_info", info,
	                         &(tulle_matrix_info){ .rows = m->a.rows,
	                                               .cols = m->a.cols,
	                                               .nnz = m->a.nnz,
	                                               .stored_nnz = m->stored_nnz,
	                                               .value_type = m->a.value_type,
	                                               .offset_type = m->a.offset_type,
	                                               .column_type = m->a.column_type,
	                                               .kind = m->kind,
	                                               .shares_offsets = !m->owned.row_ptr,
	                                               .shares_columns = m->a.col && !m->owned.col,
	                                               .shares_values = m->a.val && !m->owned.val,
	                                               .bytes = bytes },
	                         sizeof *info);
}

tulle_status tulle_matrix_view_csr(const tulle_matrix *matrix, tulle_csr_view *view)
{
	if (!matrix)
		return tulle__fail(TULLE_E_ARGUMENT, "matrix is NULL");
	return tulle__write_info("tulle_csr_view", view,
	                         &(tulle_csr_view){ .rows = matrix->a.rows,
	                                            .cols = matrix->a.cols,
	                                            .nnz = matrix->a.nnz,
	                                            .offset_type = matrix->a.offset_type,
	                                            .column_type = matrix->a.column_type,
	                                            .value_type = matrix->a.value_type,
	                                            .row_ptr = matrix->a.row_ptr,
	                                            .col = matrix->a.col,
	                                            .val = matrix->a.val },
	                         sizeof *view);
}
