/* tuned_open.c -- a tuned file that is open: header, gaps and texts, and the bytes of its sections, read by the team.
 *
 * read() and not mmap(): a file that another process shortens must end as an error, not as SIGBUS; and what was checked
 * must not change afterwards. Arrays are mapped if the caller asks for it (tuned_read.c). */
#include "core/status.h"
#include "core/text.h"
#include "core/threads.h"
#include "io/tuned_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	PIECE = 1 << 20,  /* bytes that a thread reads at a time */
	WINDOW = 1 << 28, /* bytes between two reports of progress */
	ENDED = -1        /* the file was shortened since its length was compared */
};

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

tulle_status tulle__tuned_fail_system(const tulle__tuned_reader *r, tulle_status s,
                                      const char *where, int error)
{
	return tulle__fail(s, "%s: %s: %s", r->source.name, where, tulle__system_error(error).text);
}

static tulle_status fail_read(const tulle__tuned_reader *r, int section, int error)
{
	const char *name = tulle__tuned_section_name(section);

	return error == ENDED
	           ? tulle__fail(TULLE_E_IO, "%s: %s: the file was shortened while it was read",
	                         r->source.name, name)
	           : tulle__tuned_fail_system(r, TULLE_E_IO, name, error);
}

tulle_status tulle__tuned_read_bytes(tulle__env *env, const tulle__tuned_reader *r, int section,
                                     int64_t from, int64_t bytes, void *to)
{
	const uint64_t begin = r->header.section[section].begin + (uint64_t)from;

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

tulle_status tulle__tuned_fail_in(const tulle__tuned_reader *r, int section, tulle_status s)
{
	char where[TULLE__NAME_BYTES + 16];

	snprintf(where, sizeof where, "%s: %s", r->source.name, tulle__tuned_section_name(section));
	return tulle__fail_in(s, where);
}

/* The bytes between two sections are zeros: nothing is in the file that is not looked at. */
static tulle_status check_gaps(const tulle__tuned_reader *r)
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

static tulle_status read_text(tulle__env *env, const tulle__tuned_reader *r, int section, char *to)
{
	return tulle__tuned_read_bytes(env, r, section, 0, (int64_t)r->header.section[section].bytes,
	                               to);
}

static tulle_status read_texts(tulle__env *env, const tulle__tuned_reader *r)
{
	char comment[TULLE__TUNED_TEXT];
	const char *line = comment, *end = comment + r->header.section[TULLE__TUNED_COMMENT].bytes;
	size_t used = 0;
	tulle__tuned *out = r->out;
	tulle_status s = read_text(env, r, TULLE__TUNED_COMMENT, comment);

	out->has_values = r->header.section[TULLE__TUNED_VAL].bytes > 0;
	out->plan.bytes = (size_t)r->header.section[TULLE__TUNED_PLAN].bytes;
	if (s == TULLE_OK)
		s = read_text(env, r, TULLE__TUNED_PLAN, out->plan.at);
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

tulle_status tulle__tuned_open(tulle__env *env, const char *path, tulle__tuned_reader *r)
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
	tulle__tuned_reader r = { .source.fd = -1, .out = out };
	const tulle_status s = tulle__tuned_open(env, path, &r);

	tulle__source_close(&r.source);
	return s;
}
