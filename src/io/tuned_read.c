/* tuned_read.c -- a tuned file to CSR arrays: read by the team or mapped, then checked index by index. */
#include "core/memory.h"
#include "core/status.h"
#include "io/tuned_reader.h"

#include <errno.h>
#include <inttypes.h>

tulle_status tulle__tuned_read_array(tulle__env *env, const tulle__tuned_reader *r, int section,
                                     int64_t first, int64_t count, size_t size, void **out)
{
	tulle_status s = tulle__alloc(env, count, size, out);

	/* The section is inside the file, and these elements are inside the section: no product overflows. */
	return s == TULLE_OK ? tulle__tuned_read_bytes(env, r, section, first * (int64_t)size,
	                                               count * (int64_t)size, *out)
	                     : tulle__tuned_fail_in(r, section, s);
}

/* A whole section where it is mapped, or read into a new array, which *owned keeps. */
static tulle_status take_array(tulle__env *env, const tulle__tuned_reader *r, int section,
                               int64_t count, size_t size, const void **out, const void **owned)
{
	const char *const mapped = r->out->mapping.begin;
	void *read = NULL;
	tulle_status s = TULLE_OK;

	if (mapped) {
		*out = mapped + r->header.section[section].begin;
	} else {
		s = tulle__tuned_read_array(env, r, section, 0, count, size, &read);
		*out = *owned = read;
	}
	return s;
}

/* Does every offset and every column lie where a multiplication may read? */
static tulle_status check_arrays(tulle__env *env, const tulle__tuned_reader *r)
{
	const tulle__csr *a = &r->out->a;
	const int64_t last = tulle__csr_offset(a, a->rows);
	tulle_status s =
	    tulle__csr_check_offsets(env, a->rows, a->offset_type, a->row_ptr, 0, &tulle__words_of_csr);

	if (s == TULLE_OK && last != a->nnz)
		s = tulle__fail(TULLE_E_MATRIX, "row_ptr[%" PRId64 "] = %" PRId64 " is not nnz = %" PRId64,
		                a->rows, last, a->nnz);
	if (s != TULLE_OK)
		return tulle__tuned_fail_in(r, TULLE__TUNED_ROW_PTR, s);
	s = tulle__csr_check_indices(env, a->rows, a->cols, a->offset_type, a->row_ptr, a->column_type,
	                             a->col, 0, &tulle__words_of_csr);
	return s == TULLE_OK ? s : tulle__tuned_fail_in(r, TULLE__TUNED_COL, s);
}

static tulle_status take_arrays(tulle__env *env, const tulle__tuned_reader *r)
{
	tulle__csr *a = &r->out->a, *own = &r->out->owned;
	tulle_status s = take_array(env, r, TULLE__TUNED_ROW_PTR, a->rows + 1,
	                            tulle__index_size(a->offset_type), &a->row_ptr, &own->row_ptr);

	if (s == TULLE_OK)
		s = take_array(env, r, TULLE__TUNED_COL, a->nnz, tulle__index_size(a->column_type), &a->col,
		               &own->col);
	if (s == TULLE_OK)
		s = check_arrays(env, r);
	if (s == TULLE_OK && r->out->has_values)
		s = take_array(env, r, TULLE__TUNED_VAL, a->nnz, tulle__value_size(a->value_type), &a->val,
		               &own->val);
	return s;
}

static tulle_status map_file(const tulle__tuned_reader *r)
{
	const int error = tulle__map(r->source.fd, (size_t)r->out->bytes, &r->out->mapping);

	return error ? tulle__tuned_fail_system(r, error == ENOMEM ? TULLE_E_MEMORY : TULLE_E_IO,
	                                        "mapping", error)
	             : TULLE_OK;
}

tulle_status tulle__tuned_read(tulle__env *env, const char *path,
                               const tulle__tuned_options *options, tulle__tuned *out)
{
	tulle__tuned_reader r = { .source.fd = -1, .options = options, .out = out };
	tulle_status s = tulle__tuned_open(env, path, &r);

	if (s == TULLE_OK && options->map)
		s = map_file(&r);
	if (s == TULLE_OK)
		s = take_arrays(env, &r);
	if (s == TULLE_OK)
		s = tulle__tuned_change_type(env, &r);
	tulle__source_close(&r.source);
	if (s != TULLE_OK)
		tulle__tuned_release(env, out);
	return s;
}

void tulle__tuned_release(tulle__env *env, tulle__tuned *file)
{
	tulle__csr_release(env, &file->owned);
	tulle__unmap(&file->mapping);
}
