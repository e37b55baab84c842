/* tuned_header.c -- the header of a tuned file: made from a matrix, and compared with what a file has. */
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "io/tuned.h"

#include <inttypes.h>
#include <string.h>

/* What to do about a file that is not what was written. */
#define DAMAGED "; the file is damaged: write it again from its source"

const char *tulle__tuned_section_name(int section)
{
	static const char *const names[] = { "comment", "plan", "row_ptr", "col", "val" };

	return names[section];
}

tulle__tuned_header tulle__tuned_lay_out(const tulle__csr *a, size_t comment_bytes,
                                         size_t plan_bytes)
{
	const size_t bytes[TULLE__TUNED_SECTIONS] = {
		comment_bytes, plan_bytes, tulle__bytes(a->rows + 1, tulle__index_size(a->offset_type)),
		tulle__bytes(a->nnz, tulle__index_size(a->column_type)),
		a->val ? tulle__bytes(a->nnz, tulle__value_size(a->value_type)) : 0
	};
	tulle__tuned_header h = { .endian = TULLE__TUNED_ENDIAN,
		                      .version = TULLE__TUNED_VERSION,
		                      .rows = a->rows,
		                      .cols = a->cols,
		                      .nnz = a->nnz,
		                      .value_type = (uint32_t)a->value_type,
		                      .offset_bytes = (uint32_t)tulle__index_size(a->offset_type),
		                      .column_bytes = (uint32_t)tulle__index_size(a->column_type),
		                      .sections = TULLE__TUNED_SECTIONS,
		                      .file_bytes = sizeof h };

	memcpy(h.magic, TULLE__TUNED_MAGIC, sizeof h.magic);
	for (int n = 0; n < TULLE__TUNED_SECTIONS; n++) {
		h.section[n].number = (uint32_t)n + 1;
		h.section[n].begin =
		    (h.file_bytes + TULLE__TUNED_ALIGN - 1) / TULLE__TUNED_ALIGN * TULLE__TUNED_ALIGN;
		h.section[n].bytes = bytes[n];
		h.file_bytes = h.section[n].begin + bytes[n];
	}
	return h;
}

/* ---- check ---- */

static tulle_status check_origin(const tulle__tuned_header *h, const char *name)
{
	if (memcmp(h->magic, TULLE__TUNED_MAGIC, sizeof h->magic) != 0)
		return tulle__fail(TULLE_E_MATRIX,
		                   "%s: header: is not that of a tuned file; 'tulle convert IN OUT.tulle' "
		                   "writes such files",
		                   name);
	if (h->endian == __builtin_bswap32(TULLE__TUNED_ENDIAN))
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "%s: header: was written by a machine of the other byte order; convert "
		                   "it to .mtx there",
		                   name);
	if (h->endian != TULLE__TUNED_ENDIAN)
		return tulle__fail(TULLE_E_MATRIX, "%s: header: byte order mark = 0x%08" PRIx32 DAMAGED,
		                   name, h->endian);
	if (h->version > TULLE__TUNED_VERSION)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "%s: header: version = %" PRIu32
		                   ", this tulle reads %d; use a newer one",
		                   name, h->version, TULLE__TUNED_VERSION);
	if (h->version < TULLE__TUNED_VERSION)
		return tulle__fail(TULLE_E_MATRIX, "%s: header: version = %" PRIu32 DAMAGED, name,
		                   h->version);
	return TULLE_OK;
}

static tulle_status check_count(const char *name, const char *what, int64_t count)
{
	if (count < 0 || count >= TULLE__MOST)
		return tulle__fail(TULLE_E_MATRIX,
		                   "%s: header: %s = %" PRId64 " is outside 0 .. 2^59-1" DAMAGED, name,
		                   what, count);
	return TULLE_OK;
}

static tulle_status check_bytes(const char *name, const char *what, uint32_t bytes)
{
	if (bytes != 4 && bytes != 8)
		return tulle__fail(TULLE_E_MATRIX,
		                   "%s: header: bytes of %s = %" PRIu32 " are not 4 or 8" DAMAGED, name,
		                   what, bytes);
	return TULLE_OK;
}

static tulle_status check_sizes(const tulle__tuned_header *h, const char *name)
{
	tulle_status s = check_count(name, "rows", h->rows);

	if (s == TULLE_OK)
		s = check_count(name, "cols", h->cols);
	if (s == TULLE_OK)
		s = check_count(name, "nnz", h->nnz);
	if (s == TULLE_OK)
		s = check_bytes(name, "an offset", h->offset_bytes);
	if (s == TULLE_OK)
		s = check_bytes(name, "a column", h->column_bytes);
	if (s == TULLE_OK && h->offset_bytes < h->column_bytes)
		s = tulle__fail(TULLE_E_MATRIX, "%s: header: offsets of 4 bytes with columns of 8" DAMAGED,
		                name);
	if (s == TULLE_OK && (h->value_type < TULLE_F32 || h->value_type > TULLE_C128))
		s = tulle__fail(TULLE_E_MATRIX,
		                "%s: header: value type = %" PRIu32
		                " is not 1 (f32), 2 (f64), 3 (c64) or 4 (c128)" DAMAGED,
		                name, h->value_type);
	if (s == TULLE_OK)
		s = tulle__check_compute_type(name, (tulle_value_type)h->value_type);
	if (s == TULLE_OK && h->sections != TULLE__TUNED_SECTIONS)
		s = tulle__fail(TULLE_E_MATRIX, "%s: header: sections = %" PRIu32 ", not %d" DAMAGED, name,
		                h->sections, TULLE__TUNED_SECTIONS);
	return s;
}

static tulle_status check_texts(const tulle__tuned_header *h, const char *name)
{
	for (int n = TULLE__TUNED_COMMENT; n <= TULLE__TUNED_PLAN; n++)
		if (h->section[n].bytes > TULLE__TUNED_TEXT)
			return tulle__fail(TULLE_E_MATRIX,
			                   "%s: header: section %s has %" PRIu64 " bytes, more than %d" DAMAGED,
			                   name, tulle__tuned_section_name(n), h->section[n].bytes,
			                   TULLE__TUNED_TEXT);
	return TULLE_OK;
}

/* Sections are contiguous and have the sizes that follow from the counts. */
static tulle_status check_sections(const tulle__tuned_header *h, const tulle__tuned_header *want,
                                   const char *name)
{
	for (int n = 0; n < TULLE__TUNED_SECTIONS; n++) {
		const char *section = tulle__tuned_section_name(n);

		if (h->section[n].bytes != want->section[n].bytes)
			return tulle__fail(TULLE_E_MATRIX,
			                   "%s: header: section %s has %" PRIu64
			                   " bytes, the counts need %" PRIu64 DAMAGED,
			                   name, section, h->section[n].bytes, want->section[n].bytes);
		if (h->section[n].begin != want->section[n].begin)
			return tulle__fail(TULLE_E_MATRIX,
			                   "%s: header: section %s begins at %" PRIu64
			                   ", not at %" PRIu64 DAMAGED,
			                   name, section, h->section[n].begin, want->section[n].begin);
	}
	if (memcmp(h, want, sizeof *h) != 0)
		return tulle__fail(TULLE_E_MATRIX,
		                   "%s: header: the numbers or unused fields of sections differ" DAMAGED,
		                   name);
	return TULLE_OK;
}

static tulle_status check_length(const tulle__tuned_header *h, int64_t file_bytes, const char *name)
{
	if (h->file_bytes != (uint64_t)file_bytes)
		return tulle__fail(TULLE_E_MATRIX,
		                   "%s: header: the file has %" PRId64 " bytes, not %" PRIu64
		                   "; it is incomplete or was changed: copy it again",
		                   name, file_bytes, h->file_bytes);
	return TULLE_OK;
}

tulle_status tulle__tuned_check_header(const tulle__tuned_header *h, int64_t file_bytes,
                                       const char *name, tulle__csr *a)
{
	static const char some; /* stands for an array of values, which is not looked at */
	tulle__tuned_header want;
	tulle_status s = check_origin(h, name);

	if (s == TULLE_OK)
		s = check_length(h, file_bytes, name);
	if (s == TULLE_OK)
		s = check_sizes(h, name);
	if (s == TULLE_OK)
		s = check_texts(h, name);
	if (s != TULLE_OK)
		return s;
	*a = (tulle__csr){ .rows = h->rows,
		               .cols = h->cols,
		               .nnz = h->nnz,
		               .offset_type = h->offset_bytes == 4 ? TULLE_I32 : TULLE_I64,
		               .column_type = h->column_bytes == 4 ? TULLE_I32 : TULLE_I64,
		               .value_type = (tulle_value_type)h->value_type,
		               .val = h->section[TULLE__TUNED_VAL].bytes > 0 ? &some : NULL };
	want = tulle__tuned_lay_out(a, (size_t)h->section[TULLE__TUNED_COMMENT].bytes,
	                            (size_t)h->section[TULLE__TUNED_PLAN].bytes);
	a->val = NULL;
	return check_sections(h, &want, name);
}
