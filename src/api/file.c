/* file.c -- reads and writes matrix files: the public functions. */
#include "api/tuned_file.h"
#include "core/status.h"
#include "core/text.h"
#include "io/io.h"

#include <string.h>

tulle_status tulle__check_path(const char *path)
{
	if (!path || !*path)
		return tulle__fail(TULLE_E_ARGUMENT, "path is %s", path ? "empty" : "NULL");
	return TULLE_OK;
}

tulle_status tulle__check_read(tulle_context *context, const char *path,
                               const tulle_read_options *given, tulle_context **c,
                               tulle__file_options *o)
{
	tulle_read_options known;
	tulle_status s = tulle__check_path(path);

	if (s == TULLE_OK)
		s = tulle__read_options("tulle_read_options", given, &known, sizeof known);
	if (s == TULLE_OK)
		s = tulle__context_of(context, c);
	if (s == TULLE_OK && known.value_type != 0)
		s = tulle__check_compute_type("options.value_type", known.value_type);
	if (s == TULLE_OK)
		s = tulle__check_compact("options.compact", known.compact);
	if (s != TULLE_OK)
		return s;
	*o = (tulle__file_options){ .value_type = known.value_type,
		                        .real_part = known.real_part,
		                        .progress = known.progress,
		                        .user = known.user,
		                        .compact = known.compact,
		                        .map = known.map };
	return TULLE_OK;
}

/* Only tuned files are mapped. A file that cannot be opened fails as it does without options.map. */
static tulle_status refuse_map(tulle_context *c, const char *path)
{
	tulle__source source;
	const tulle_status s = tulle__source_open(&c->env, path, &source);

	if (s != TULLE_OK)
		return s;
	tulle__source_close(&source);
	return tulle__fail(TULLE_E_UNSUPPORTED, "%s: options.map is for tuned files only", source.name);
}

tulle_status tulle_matrix_read(tulle_context *context, const char *path,
                               const tulle_read_options *options, tulle_matrix **out)
{
	tulle__file_options o;
	tulle__file file;
	tulle_context *c;
	tulle_status s;

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	s = tulle__check_read(context, path, options, &c, &o);
	if (s == TULLE_OK && tulle__tuned_is(path))
		return tulle__matrix_read_tuned(c, path, &o, out);
	if (s == TULLE_OK && o.map)
		s = refuse_map(c, path);
	if (s != TULLE_OK)
		return s;
	o.value_type = o.value_type ? o.value_type : TULLE_F64;
	s = tulle__file_read(&c->env, path, &o, &file);
	if (s != TULLE_OK)
		return s;
	const tulle__triplets t = { .rows = file.header.rows,
		                        .cols = file.header.cols,
		                        .nnz = file.header.entries,
		                        .row_type = file.index_type,
		                        .col_type = file.index_type,
		                        .row = file.row,
		                        .col = file.col,
		                        .kind = file.header.hermitian &&
		                                        tulle__type_of(o.value_type)->parts == 2
		                                    ? TULLE_HERMITIAN
		                                    : file.header.kind };
	s = tulle__matrix_from_triplets(c, &t, o.value_type, file.val, o.compact, out);
	if (s != TULLE_OK)
		s = tulle__file_refuse(&file, s);
	tulle__file_release(&c->env, &file);
	if (s == TULLE_OK && o.progress)
		o.progress(o.user, 1);
	return s;
}

tulle_status tulle_file_describe(const char *path, tulle_file_info *info)
{
	tulle_file_info known = { .size = sizeof known };
	tulle_context *c;
	tulle__look look;
	tulle_status s = tulle__check_path(path);

	if (s == TULLE_OK)
		s = tulle__context_of(NULL, &c);
	if (s == TULLE_OK && tulle__tuned_is(path))
		return tulle__describe_tuned(c, path, info);
	if (s == TULLE_OK)
		s = tulle__file_look(&c->env, path, &look);
	if (s != TULLE_OK)
		return s;
	known.packing = look.packing;
	known.layout = tulle__layout_word(&look.header);
	known.field = tulle__field_word(&look.header);
	known.symmetry = tulle__symmetry_word(&look.header);
	known.kind = look.header.hermitian ? TULLE_HERMITIAN : look.header.kind;
	known.rows = look.header.rows;
	known.cols = look.header.cols;
	known.entries = look.header.entries;
	known.file_bytes = look.bytes;
	memcpy(known.comment, look.header.comment, sizeof known.comment);
	return tulle__write_info("tulle_file_info", info, &known, sizeof known);
}

tulle_status tulle_matrix_write(const tulle_matrix *matrix, const char *path,
                                const tulle_write_options *options)
{
	tulle_write_options known;
	const tulle__csr *a;
	int tuned;
	tulle_status s = tulle__check_path(path);

	if (!matrix)
		return tulle__fail(TULLE_E_ARGUMENT, "matrix is NULL");
	if (s == TULLE_OK)
		s = tulle__read_options("tulle_write_options", options, &known, sizeof known);
	if (s != TULLE_OK)
		return s;
	tuned = tulle__ends_with(path, ".tulle");
	s = tulle__check_wide_type("a file", matrix->a.value_type);
	if (s == TULLE_OK && tuned)
		s = tulle__check_whole(matrix, "tuned files");
	if (s == TULLE_OK)
		s = tulle__matrix_csr(matrix, &a);
	if (s != TULLE_OK)
		return s;
	return tuned ? tulle__tuned_write(a, "", &known, path)
	             : tulle__file_write(&matrix->context->env, a, &matrix->lists, matrix->kind, &known,
	                                 path);
}
