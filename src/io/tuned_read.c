/* tuned_read.c -- a tuned file to CSR arrays: read by the team, then checked index by index.
 *
 * read() and not mmap(): a file that another process shortens must end as an error, not as SIGBUS; and what was checked
 * must not change afterwards. */
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "core/text.h"
#include "core/threads.h"
#include "io/tuned.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	PIECE = 1 << 20,  /* bytes that a thread reads at a time */
	WINDOW = 1 << 28, /* bytes between two reports of progress */
	ENDED = -1        /* the file was shortened since its length was compared */
};

typedef struct {
	tulle__source source;
	tulle__tuned_header header;
	const tulle__tuned_options *options;
	tulle__tuned *out;
} reader;

/* ---- bytes ---- */

typedef struct {
	int fd;
	char *to;
	uint64_t from; /* in the file */
	int64_t bytes;
	atomic_int error; /* of the system, or ENDED */
} window;

/* 0, an error of the system, or ENDED. */
static int read_bytes(int fd, char *to, int64_t bytes, uint64_t from)
{
	for (int64_t at = 0; at < bytes;) {
		const ssize_t n = pread(fd, to + at, (size_t)(bytes - at), (off_t)from + at);

		if (n > 0)
			at += n;
		else if (n == 0 || errno != EINTR)
			return n == 0 ? ENDED : errno;
	}
	return 0;
}

static void read_piece(const void *arg, int64_t part)
{
	window *const w = *(window *const *)arg;
	const int64_t at = part * PIECE, left = w->bytes - at;
	const int error =
	    read_bytes(w->fd, w->to + at, left < PIECE ? left : PIECE, w->from + (uint64_t)at);

	if (error)
		atomic_store(&w->error, error);
}

static tulle_status fail_read(const reader *r, int section, int error)
{
	char text[120] = "";

	if (error == ENDED)
		return tulle__fail(TULLE_E_IO, "%s: %s: the file was shortened while it was read",
		                   r->source.name, tulle__tuned_section_name(section));
	if (strerror_r(error, text, sizeof text) != 0 || !text[0])
		snprintf(text, sizeof text, "system error %d", error);
	return tulle__fail(TULLE_E_IO, "%s: %s: %s", r->source.name, tulle__tuned_section_name(section),
	                   text);
}

static tulle_status read_section(tulle__env *env, const reader *r, int section, void *to)
{
	const int64_t bytes = (int64_t)r->header.section[section].bytes;
	const uint64_t begin = r->header.section[section].begin;

	for (int64_t at = 0; at < bytes; at += WINDOW) {
		const int64_t left = bytes - at < WINDOW ? bytes - at : WINDOW;
		window w = { r->source.fd, (char *)to + at, begin + (uint64_t)at, left, 0 };
		window *const shared = &w;

		tulle__run_parts(env, read_piece, &shared, (left + PIECE - 1) / PIECE,
		                 left / (int64_t)sizeof(double));
		if (atomic_load(&w.error) != 0)
			return fail_read(r, section, atomic_load(&w.error));
		if (r->options && r->options->progress)
			r->options->progress(r->options->user, (double)(begin + (uint64_t)(at + left)) /
			                                           (double)r->header.file_bytes);
	}
	return TULLE_OK;
}

/* The bytes between two sections are zeros: nothing is in the file that is not looked at. */
static tulle_status check_gaps(const reader *r)
{
	uint64_t end = sizeof r->header;

	for (int n = 0; n < TULLE__TUNED_SECTIONS; n++) {
		char gap[TULLE__TUNED_ALIGN] = { 0 };
		const uint64_t begin = r->header.section[n].begin;
		const int error = read_bytes(r->source.fd, gap, (int64_t)(begin - end), end);

		if (error)
			return fail_read(r, n, error);
		for (uint64_t k = 0; k < begin - end; k++)
			if (gap[k] != 0)
				return tulle__fail(TULLE_E_MATRIX,
				                   "%s: %s: byte %" PRIu64 " before it is %d, not 0; the file is "
				                   "damaged: write it again from its source",
				                   r->source.name, tulle__tuned_section_name(n), end + k,
				                   (unsigned char)gap[k]);
		end = begin + r->header.section[n].bytes;
	}
	return TULLE_OK;
}

/* ---- texts ---- */

static tulle_status read_texts(tulle__env *env, const reader *r)
{
	char comment[TULLE__TUNED_TEXT];
	const char *line = comment, *end = comment + r->header.section[TULLE__TUNED_COMMENT].bytes;
	size_t used = 0;
	tulle__tuned *out = r->out;
	tulle_status s = read_section(env, r, TULLE__TUNED_COMMENT, comment);

	out->has_values = r->header.section[TULLE__TUNED_VAL].bytes > 0;
	out->plan.bytes = (size_t)r->header.section[TULLE__TUNED_PLAN].bytes;
	if (s == TULLE_OK)
		s = read_section(env, r, TULLE__TUNED_PLAN, out->plan.at);
	if (s != TULLE_OK)
		return s;
	out->plan.at[out->plan.bytes] = '\n';
	while (line < end && used + 9 <= sizeof out->comment) { /* the least that tulle__show wants */
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		const char *stop = newline ? newline : end;

		if (used > 0)
			out->comment[used++] = '\n';
		tulle__show(out->comment + used, sizeof out->comment - used, line, (size_t)(stop - line));
		used += strlen(out->comment + used);
		line = stop + 1;
	}
	return TULLE_OK;
}

/* ---- arrays ---- */

static tulle_status fail_in(const reader *r, int section, tulle_status s)
{
	char where[TULLE__NAME_BYTES + 16];

	snprintf(where, sizeof where, "%s: %s", r->source.name, tulle__tuned_section_name(section));
	return tulle__fail_in(s, where);
}

static tulle_status read_array(tulle__env *env, const reader *r, int section, int64_t count,
                               size_t size, const void **out)
{
	void *to;
	tulle_status s = tulle__alloc(env, count, size, &to);

	*out = to;
	return s == TULLE_OK ? read_section(env, r, section, to) : fail_in(r, section, s);
}

/* Does every offset and every column lie where a multiplication may read? */
static tulle_status check_arrays(tulle__env *env, const reader *r)
{
	static const tulle__csr_words words = { "row_ptr", "col", "row" };
	const tulle__csr *a = &r->out->a;
	const int64_t last = tulle__csr_offset(a, a->rows);
	tulle_status s = tulle__csr_check_offsets(env, a->rows, a->offset_type, a->row_ptr, 0, &words);

	if (s == TULLE_OK && last != a->nnz)
		s = tulle__fail(TULLE_E_MATRIX, "row_ptr[%" PRId64 "] = %" PRId64 " is not nnz = %" PRId64,
		                a->rows, last, a->nnz);
	if (s != TULLE_OK)
		return fail_in(r, TULLE__TUNED_ROW_PTR, s);
	s = tulle__csr_check_indices(env, a->rows, a->cols, a->offset_type, a->row_ptr, a->column_type,
	                             a->col, 0, &words);
	return s == TULLE_OK ? s : fail_in(r, TULLE__TUNED_COL, s);
}

static tulle_status read_arrays(tulle__env *env, const reader *r)
{
	tulle__csr *a = &r->out->a;
	tulle_status s = read_array(env, r, TULLE__TUNED_ROW_PTR, a->rows + 1,
	                            tulle__index_size(a->offset_type), &a->row_ptr);

	if (s == TULLE_OK)
		s = read_array(env, r, TULLE__TUNED_COL, a->nnz, tulle__index_size(a->column_type),
		               &a->col);
	if (s == TULLE_OK)
		s = check_arrays(env, r);
	if (s == TULLE_OK && r->out->has_values)
		s = read_array(env, r, TULLE__TUNED_VAL, a->nnz, tulle__value_size(a->value_type), &a->val);
	return s;
}

/* ---- another value type ---- */

typedef struct {
	const double *wide_from;
	const float *narrow_from;
	double *wide;
	float *narrow;
	int64_t count, parts;
	_Atomic int64_t large; /* a value that f32 cannot hold; -1: none */
} rounding;

static void round_part(const void *arg, int64_t part)
{
	rounding *const w = *(rounding *const *)arg;
	const int64_t end = tulle__cut(w->count, w->parts, part + 1);

	for (int64_t k = tulle__cut(w->count, w->parts, part); k < end; k++) {
		if (w->wide) {
			w->wide[k] = (double)w->narrow_from[k];
			continue;
		}
		w->narrow[k] = (float)w->wide_from[k];
		if (isinf(w->narrow[k]) && !isinf(w->wide_from[k]))
			atomic_store(&w->large, k);
	}
}

static tulle_status change_type(tulle__env *env, const reader *r)
{
	tulle__csr *a = &r->out->a, old = { .val = a->val };
	const tulle_value_type type = r->options->value_type;
	const tulle__type *was = tulle__type_of(a->value_type), *becomes = tulle__type_of(type);
	rounding w = { .count = was->parts * a->nnz, .parts = tulle__parts(a->nnz), .large = -1 };
	rounding *const shared = &w;
	void *to = NULL;
	tulle_status s;

	if (was->parts != becomes->parts)
		return tulle__fail(TULLE_E_UNSUPPORTED, "%s: val: values of %s do not become %s",
		                   r->source.name, was->name, becomes->name);
	a->value_type = type;
	if (!a->val)
		return TULLE_OK;
	s = tulle__alloc(env, a->nnz, tulle__value_size(type), &to);
	if (s != TULLE_OK)
		return fail_in(r, TULLE__TUNED_VAL, s);
	if (becomes->part_size > was->part_size) {
		w.narrow_from = a->val;
		w.wide = to;
	} else {
		w.wide_from = a->val;
		w.narrow = to;
	}
	tulle__run_parts(env, round_part, &shared, w.parts, a->nnz);
	a->val = to;
	if (w.large >= 0)
		s = tulle__fail(TULLE_E_MATRIX, "%s: val: val[%" PRId64 "] = %g is too large for %s",
		                r->source.name, (int64_t)w.large / was->parts, w.wide_from[w.large],
		                becomes->name);
	tulle__csr_release(env, &old);
	return s;
}

/* ---- the whole ---- */

int tulle__tuned_is(const char *path)
{
	char magic[8];
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	int error;

	if (fd < 0)
		return 0;
	error = read_bytes(fd, magic, sizeof magic, 0);
	close(fd);
	return !error && memcmp(magic, TULLE__TUNED_MAGIC, sizeof magic) == 0;
}

static tulle_status open_tuned(tulle__env *env, const char *path, reader *r)
{
	tulle__tuned *out = r->out;
	tulle_status s;

	memset(out, 0, sizeof *out);
	s = tulle__source_open(env, path, &r->source);
	if (s != TULLE_OK)
		return s;
	memcpy(out->name, r->source.name, sizeof out->name);
	out->bytes = r->source.file_bytes;
	/* The source has read the first bytes to see what they are. */
	memcpy(&r->header, r->source.head, sizeof r->header);
	s = r->source.inflater || r->source.tar || r->source.head_end < sizeof r->header
	        ? tulle__fail(TULLE_E_MATRIX,
	                      "%s: header: is not that of a tuned file; 'tulle convert IN OUT.tulle' "
	                      "writes such files",
	                      r->source.name)
	        : tulle__tuned_check_header(&r->header, out->bytes, r->source.name, &out->a);
	if (s == TULLE_OK)
		s = check_gaps(r);
	return s == TULLE_OK ? read_texts(env, r) : s;
}

tulle_status tulle__tuned_look(tulle__env *env, const char *path, tulle__tuned *out)
{
	reader r = { .source.fd = -1, .out = out };
	const tulle_status s = open_tuned(env, path, &r);

	tulle__source_close(&r.source);
	return s;
}

tulle_status tulle__tuned_read(tulle__env *env, const char *path,
                               const tulle__tuned_options *options, tulle__tuned *out)
{
	reader r = { .source.fd = -1, .options = options, .out = out };
	tulle_status s = open_tuned(env, path, &r);

	if (s == TULLE_OK)
		s = read_arrays(env, &r);
	if (s == TULLE_OK && options->value_type != 0 && options->value_type != out->a.value_type)
		s = change_type(env, &r);
	tulle__source_close(&r.source);
	if (s != TULLE_OK)
		tulle__csr_release(env, &out->a);
	return s;
}
