/* tuned_file.c -- writes plans to files and reads them: the matrix and its choice. */
#include "api/tuned_file.h"

#include "api/online.h"
#include "api/plan_record.h"
#include "core/memory.h"
#include "core/status.h"

#include <stdio.h>
#include <string.h>

/* ---- save ---- */

/* The matrix with the current values of the plan. `own`: the arrays to free. */
static tulle_status current_matrix(const tulle_plan *plan, const tulle_plan *now,
                                   const tulle__csr **a, tulle__csr *own)
{
	tulle__csr transposed;
	tulle_status s;

	memset(own, 0, sizeof *own);
	if (!plan->updated && !now->updated && !now->consumed)
		return tulle__matrix_csr(plan->matrix, a);
	*a = own;
	if (now->way != TULLE__BUILT) /* a plan that scatters holds A itself */
		return now->format->to_csr(now->data, now->env, own);
	s = now->format->to_csr(now->data, now->env, &transposed);
	if (s != TULLE_OK)
		return s;
	s = tulle__csr_adjoint(now->env, &transposed, now->operand.conjugate, own, NULL);
	tulle__csr_release(now->env, &transposed);
	return s;
}

tulle_status tulle_plan_save(const tulle_plan *plan, const char *path,
                             const tulle_write_options *options)
{
	char record[TULLE__TUNED_TEXT + 1];
	tulle_write_options known;
	const tulle_plan *now;
	const tulle__csr *a;
	tulle__csr own;
	tulle_status s = tulle__check_path(path);

	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	if (s == TULLE_OK)
		s = tulle__read_options("tulle_write_options", options, &known, sizeof known);
	if (s != TULLE_OK)
		return s;
	s = tulle__check_whole(plan->matrix, "tuned files");
	if (s != TULLE_OK)
		return s;
	now = tulle__now(plan);
	s = tulle__check_wide_type("a tuned file", tulle__given_type(now->value_type));
	if (s == TULLE_OK)
		s = tulle__check_has_choice(now);
	if (s != TULLE_OK)
		return s;
	s = current_matrix(plan, now, &a, &own);
	if (s != TULLE_OK)
		return s;
	tulle__plan_record_write(now, record);
	s = tulle__tuned_write(a, record, &known, path);
	tulle__csr_release(now->env, &own);
	return s;
}

/* ---- read ---- */

/* The matrix takes the arrays. */
static tulle_status make_matrix(tulle_context *context, tulle__tuned *file, tulle_matrix **out)
{
	const tulle_status s = tulle__matrix_new(context, TULLE_GENERAL, file->a.nnz, out);

	if (s != TULLE_OK) {
		tulle__tuned_release(&context->env, file);
		return s;
	}
	(*out)->a = file->a;
	(*out)->owned = file->owned;
	(*out)->mapping = file->mapping;
	return TULLE_OK;
}

/* A file in memory, which is too large for a stack. */
static tulle_status read_tuned(tulle_context *c, const char *path, const tulle__file_options *o,
                               tulle__tuned **file, tulle_matrix **out)
{
	const tulle__tuned_options options = { o->value_type, o->real_part, o->progress, o->user,
		                                   o->map };
	tulle_status s = tulle__alloc(&c->env, 1, sizeof **file, file);

	if (s == TULLE_OK)
		s = tulle__tuned_read(&c->env, path, &options, *file);
	return s == TULLE_OK ? make_matrix(c, *file, out) : s;
}

tulle_status tulle__matrix_read_tuned(tulle_context *context, const char *path,
                                      const tulle__file_options *o, tulle_matrix **out)
{
	tulle__tuned *file;
	const tulle_status s = read_tuned(context, path, o, &file, out);

	tulle__free(&context->env, file);
	return s;
}

static tulle_status read_rows(tulle_context *c, const char *path, const tulle__file_options *o,
                              int64_t first, int64_t end, tulle_matrix **out)
{
	const tulle__tuned_options options = { o->value_type, o->real_part, o->progress, o->user, 0 };
	tulle__tuned *file;
	tulle_status s = tulle__alloc(&c->env, 1, sizeof *file, &file);

	if (s == TULLE_OK)
		s = tulle__tuned_read_rows(&c->env, path, &options, first, end, file);
	if (s == TULLE_OK)
		s = make_matrix(c, file, out);
	tulle__free(&c->env, file);
	return s;
}

tulle_status tulle_matrix_read_rows(tulle_context *context, const char *path, int64_t first,
                                    int64_t end, const tulle_read_options *options,
                                    tulle_matrix **out)
{
	tulle__file_options o;
	tulle_context *c;
	tulle_status s;

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	s = tulle__check_read(context, path, options, &c, &o);
	if (s == TULLE_OK && (o.map || o.compact))
		s = tulle__fail(TULLE_E_UNSUPPORTED, "options.%s is not for single rows",
		                o.map ? "map" : "compact");
	if (s == TULLE_OK)
		s = read_rows(c, path, &o, first, end, out);
	if (s == TULLE_OK && o.progress)
		o.progress(o.user, 1);
	return s;
}

tulle_status tulle__describe_tuned(tulle_context *context, const char *path, tulle_file_info *info)
{
	tulle_file_info known = {
		.size = sizeof known, .packing = "none", .layout = "tuned", .symmetry = "general"
	};
	tulle__tuned *file;
	tulle_status s = tulle__alloc(&context->env, 1, sizeof *file, &file);

	if (s == TULLE_OK)
		s = tulle__tuned_look(&context->env, path, file);
	if (s == TULLE_OK) {
		known.field = !file->has_values                                ? "pattern"
		              : tulle__type_of(file->a.value_type)->parts == 2 ? "complex"
		                                                               : "real";
		known.rows = file->a.rows;
		known.cols = file->a.cols;
		known.entries = file->a.nnz;
		known.file_bytes = file->bytes;
		memcpy(known.comment, file->comment, sizeof known.comment);
		known.has_plan = file->plan.bytes > 0;
		s = tulle__write_info("tulle_file_info", info, &known, sizeof known);
	}
	tulle__free(&context->env, file);
	return s;
}

/* ---- load ---- */

static tulle_status load(tulle_context *c, const char *path, const tulle__file_options *o,
                         tulle_matrix **matrix, tulle_plan **plan)
{
	tulle__tuned *file;
	tulle_status s = read_tuned(c, path, o, &file, matrix);

	if (s == TULLE_OK && file->plan.bytes == 0)
		s = tulle__fail(TULLE_E_UNSUPPORTED,
		                "the file has none; read the matrix alone and plan it");
	else if (s == TULLE_OK)
		s = tulle__plan_by_choice(*matrix, &file->plan, plan);
	if (s != TULLE_OK && *matrix) {
		char where[TULLE__NAME_BYTES + 8];

		snprintf(where, sizeof where, "%s: plan", file->name);
		s = tulle__fail_in(s, where);
		tulle_matrix_destroy(*matrix);
		*matrix = NULL;
	}
	tulle__free(&c->env, file);
	return s;
}

tulle_status tulle_plan_load(tulle_context *context, const char *path,
                             const tulle_read_options *options, tulle_matrix **matrix,
                             tulle_plan **out)
{
	tulle__file_options o;
	tulle_matrix *m = NULL;
	tulle_context *c;
	tulle_status s;

	if (matrix)
		*matrix = NULL;
	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	s = tulle__check_read(context, path, options, &c, &o);
	if (s == TULLE_OK)
		s = load(c, path, &o, &m, out);
	if (s != TULLE_OK)
		return s;
	if (o.progress)
		o.progress(o.user, 1);
	if (matrix)
		*matrix = m;
	else
		tulle_matrix_destroy(m); /* the plan holds it */
	return TULLE_OK;
}
