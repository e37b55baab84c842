/* tuned_write.c -- a CSR to a tuned file, in the narrowest types that hold its indices. */
#include "core/memory.h"
#include "core/status.h"
#include "io/sink.h"
#include "io/tuned.h"

#include <string.h>

enum {
	PIECE = 1 << 22,   /* bytes between two reports of progress */
	NARROWED = 1 << 14 /* indices that are narrowed at a time */
};

typedef struct {
	tulle__sink sink;
	const tulle_write_options *how;
	tulle__tuned_header header;
	uint64_t written;
} writer;

static tulle_status write_bytes(writer *w, const void *from, size_t bytes)
{
	const tulle_status s = tulle__sink_write(&w->sink, from, bytes);

	w->written += bytes;
	return s;
}

/* The zeros before a section. */
static tulle_status begin_section(writer *w, int section)
{
	static const char zeros[TULLE__TUNED_ALIGN];

	return write_bytes(w, zeros, (size_t)(w->header.section[section].begin - w->written));
}

static void report(const writer *w)
{
	if (w->how->progress && w->written < w->header.file_bytes)
		w->how->progress(w->how->user, (double)w->written / (double)w->header.file_bytes);
}

static tulle_status write_section(writer *w, int section, const void *from)
{
	const size_t bytes = (size_t)w->header.section[section].bytes;
	tulle_status s = begin_section(w, section);

	for (size_t at = 0; at < bytes && s == TULLE_OK; at += PIECE) {
		s = write_bytes(w, (const char *)from + at, bytes - at < PIECE ? bytes - at : PIECE);
		report(w);
	}
	return s;
}

/* 64-bit indices that fit in 32 bits. */
static tulle_status write_narrowed(writer *w, int section, const int64_t *index, int64_t count)
{
	int32_t narrow[NARROWED];
	tulle_status s = begin_section(w, section);

	for (int64_t at = 0; at < count && s == TULLE_OK; at += NARROWED) {
		const int64_t n = count - at < NARROWED ? count - at : NARROWED;

		for (int64_t k = 0; k < n; k++)
			narrow[k] = TULLE__I32(index[at + k]);
		s = write_bytes(w, narrow, (size_t)n * sizeof *narrow);
		report(w);
	}
	return s;
}

static tulle_status write_indices(writer *w, int section, tulle_index_type is,
                                  tulle_index_type becomes, const void *index, int64_t count)
{
	return is == becomes ? write_section(w, section, index)
	                     : write_narrowed(w, section, index, count);
}

static tulle_status write_all(writer *w, const tulle__csr *a, const tulle__csr *narrow,
                              const char *comment, const char *plan)
{
	tulle_status s = write_bytes(w, &w->header, sizeof w->header);

	if (s == TULLE_OK)
		s = write_section(w, TULLE__TUNED_COMMENT, comment);
	if (s == TULLE_OK)
		s = write_section(w, TULLE__TUNED_PLAN, plan);
	if (s == TULLE_OK)
		s = write_indices(w, TULLE__TUNED_ROW_PTR, a->offset_type, narrow->offset_type, a->row_ptr,
		                  a->rows + 1);
	if (s == TULLE_OK)
		s = write_indices(w, TULLE__TUNED_COL, a->column_type, narrow->column_type, a->col, a->nnz);
	return s == TULLE_OK ? write_section(w, TULLE__TUNED_VAL, a->val) : s;
}

/* The pairs that tulle computes with: offsets are never narrower than columns. */
static tulle__csr narrowest(const tulle__csr *a)
{
	tulle__csr narrow = *a;

	if (a->column_type == TULLE_I64)
		narrow.column_type = tulle__index_type_for(a->cols);
	if (a->offset_type == TULLE_I64 && narrow.column_type == TULLE_I32)
		narrow.offset_type = tulle__index_type_for(a->nnz);
	return narrow;
}

static size_t text_bytes(const char *text)
{
	const size_t bytes = strlen(text);

	return bytes < TULLE__TUNED_TEXT ? bytes : TULLE__TUNED_TEXT;
}

tulle_status tulle__tuned_write(const tulle__csr *a, const char *plan,
                                const tulle_write_options *how, const char *path)
{
	const tulle__csr narrow = narrowest(a);
	const char *comment = how->comment ? how->comment : "";
	writer w = { .how = how,
		         .header = tulle__tuned_lay_out(&narrow, text_bytes(comment), text_bytes(plan)) };
	tulle_status s = tulle__sink_open(path, &w.sink);

	if (s != TULLE_OK)
		return s;
	s = tulle__sink_close(&w.sink, write_all(&w, a, &narrow, comment, plan));
	if (s == TULLE_OK && how->progress)
		how->progress(how->user, 1);
	return s;
}
