/* read.c -- a file to triplets, in windows of text.
 *
 * While a team parses the lines of one window, one of its threads first fetches (and unpacks) the
 * next, so that reading, unpacking and parsing overlap and only two windows are in memory whatever
 * the file's size. A window is cut into slices at line ends, and the lines of each are counted when
 * it is fetched, so that every slice knows the number of its first entry and writes straight to its
 * place. Nothing depends on which thread does what.
 *
 *     window    [ tail of the last one | new text | slack ]
 *               the text starts in the middle of the first field and ends at its last newline
 */
#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "core/threads.h"
#include "csr/csr_matrix.h"
#include "io/decimal.h"
#include "io/entries.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WINDOW_MIN = 1 << 22, WINDOW_MAX = 1 << 24, SLICES = 64 };

typedef struct {
	char *block;
	char *begin, *end; /* text; whole lines up to `tail` */
	char *tail;        /* the unfinished last line */
	int last;          /* 1: nothing comes after it */
	tulle__slice slice[SLICES];
} window;

typedef struct {
	tulle__source source;
	tulle__file *file;
	window now, next;
	size_t room;  /* for new text in a window */
	int64_t done; /* entries of the windows before this one */
	int64_t line; /* lines before this window */
} reader;

/* Cut whole lines at line ends into nearly equal parts, and count what is in them. */
static void cut(window *w)
{
	const char *at = w->begin;

	for (int64_t n = 0; n < SLICES; n++) {
		const char *to = w->begin + (w->tail - w->begin) * (n + 1) / SLICES;

		if (to <= at)
			to = at;
		else if (to[-1] != '\n')
			to = (const char *)memchr(to, '\n', (size_t)(w->tail - to)) + 1;
		w->slice[n].begin = at;
		w->slice[n].end = at = to;
		tulle__count_lines(&w->slice[n]);
	}
}

/* Get the text after `tail_bytes` bytes that lie before the new text already. */
static void fetch(reader *r, window *w, size_t tail_bytes)
{
	char *const text = w->block + TULLE__LINE_MAX;
	const size_t got = tulle__source_read(&r->source, text, r->room);

	w->begin = text - tail_bytes;
	w->end = text + got;
	w->last = got < r->room;
	/* The last line may lack its newline; one that a failure cut off must not look whole. */
	if (w->last && r->source.status == TULLE_OK && w->end > w->begin && w->end[-1] != '\n')
		*w->end++ = '\n';
	memset(w->end, 0, TULLE__TEXT_SLACK);
	for (w->tail = w->end; w->tail > w->begin && w->tail[-1] != '\n';)
		w->tail--;
	cut(w);
}

/* Part 0 fetches the next window; the others parse a slice each. */
static void parse_part(const void *arg, int64_t part)
{
	reader *const r = *(reader *const *)arg;
	int64_t first = r->done;

	if (part == 0) {
		const size_t tail = (size_t)(r->now.end - r->now.tail);

		if (r->now.last || tail > TULLE__LINE_MAX)
			return;
		memcpy(r->next.block + TULLE__LINE_MAX - tail, r->now.tail, tail);
		fetch(r, &r->next, tail);
		return;
	}
	for (int64_t n = 0; n < part - 1; n++)
		first += r->now.slice[n].entries;
	/* Past the last entry only the question remains which line is the first too many. */
	if (first > r->file->header.entries)
		first = r->file->header.entries;
	tulle__parse_lines(r->file, &r->now.slice[part - 1], first);
}

static int64_t lines_between(const char *from, const char *to)
{
	int64_t lines = 0;

	for (; from < to; from++)
		lines += *from == '\n';
	return lines;
}

static tulle_status parse_window(tulle__env *env, reader *r)
{
	/* In bytes: parsing one takes about as long as multiplying one nonzero. */
	tulle__run_parts(env, parse_part, &r, SLICES + 1, (int64_t)(r->now.tail - r->now.begin));
	for (int n = 0; n < SLICES; n++) {
		const tulle__slice *const s = &r->now.slice[n];

		if (s->problem != TULLE__LINE_GOOD)
			return tulle__line_fail(r->file, r->source.name,
			                        r->line + 1 + lines_between(r->now.begin, s->where), s->problem,
			                        s->where);
	}
	for (int n = 0; n < SLICES; n++) {
		r->done += r->now.slice[n].entries;
		r->line += r->now.slice[n].lines;
	}
	if (r->now.end - r->now.tail > TULLE__LINE_MAX)
		return tulle__line_fail(r->file, r->source.name, r->line + 1, TULLE__LINE_LONG,
		                        r->now.tail);
	return TULLE_OK;
}

static tulle_status read_entries(tulle__env *env, reader *r, const tulle__feed *feed,
                                 const tulle__file_options *options)
{
	const size_t waiting = feed->end - feed->begin;
	tulle_status status = TULLE_OK;

	memcpy(r->now.block + TULLE__LINE_MAX - waiting, feed->buffer + feed->begin, waiting);
	fetch(r, &r->now, waiting);
	r->line = feed->line;
	for (;;) {
		const window done = r->now;

		status = parse_window(env, r);
		if (status != TULLE_OK || r->now.last)
			break;
		if (tulle__source_is_padded(&r->source, r->done))
			return tulle__source_refuse_padding(&r->source, r->line + 1, r->done);
		if (options->progress)
			options->progress(options->user, tulle__source_fraction(&r->source));
		r->now = r->next;
		r->next = done;
	}
	if (status == TULLE_OK && r->source.status != TULLE_OK)
		return tulle__source_fail(&r->source);
	if (status == TULLE_OK && r->done < r->file->header.entries)
		return tulle__fail(TULLE_E_MATRIX,
		                   "%s:%" PRId64 ": the file ends after %" PRId64 " of %" PRId64 " entries",
		                   r->source.name, r->line + 1, r->done, r->file->header.entries);
	return status;
}

/* Large windows save barriers, which cost most when other programs want the cores too; small files get
 * small ones, so that there is a next window to fetch while the first is parsed. Never more than one
 * byte beyond the end of the text: that is how the end shows. */
static size_t window_room(const tulle__source *s)
{
	const int64_t bound = tulle__source_bound(s);
	const int64_t wanted =
	    s->file_bytes / (s->inflater ? 4 : 16); /* gzip makes a quarter of text */
	const int64_t most = wanted < WINDOW_MAX ? wanted : WINDOW_MAX;
	const int64_t room = most > WINDOW_MIN ? most : WINDOW_MIN;

	return (size_t)(bound < room ? bound + 1 : room);
}

/* Memory for what the header promises, which the file's size has already borne out. */
static tulle_status reserve(tulle__env *env, reader *r, tulle_value_type type)
{
	const size_t room = window_room(&r->source);
	const size_t bytes = TULLE__LINE_MAX + room + 1 + TULLE__TEXT_SLACK;
	tulle__file *const file = r->file;
	const tulle__header *const h = &file->header;
	const int64_t longest = h->rows > h->cols ? h->rows : h->cols;
	tulle_status s;

	r->room = room;
	file->index_type = tulle__index_type_for(longest);
	file->value_type = type;
	s = tulle__alloc(env, 1, bytes, &r->now.block);
	if (s == TULLE_OK)
		s = tulle__alloc(env, 1, bytes, &r->next.block);
	if (s == TULLE_OK)
		s = tulle__alloc(env, h->entries, tulle__index_size(file->index_type), &file->row);
	if (s == TULLE_OK)
		s = tulle__alloc(env, h->entries, tulle__index_size(file->index_type), &file->col);
	if (s == TULLE_OK && h->field != TULLE__PATTERN)
		s = tulle__alloc(env, h->entries, tulle__value_size(type), &file->val);
	return s;
}

tulle_status tulle__file_refuse(const tulle__file *file, tulle_status status)
{
	char prefix[TULLE__NAME_BYTES + 24];
	const int64_t line = file->header.size_line;

	snprintf(prefix, sizeof prefix, "%s:%" PRId64, file->name, line > 0 ? line : 1);
	return tulle__fail_in(status, prefix);
}

static tulle_status read_open(tulle__env *env, reader *r, tulle__feed *feed,
                              const tulle__file_options *options)
{
	tulle_status s = tulle__read_header(feed, &r->file->header);

	if (s != TULLE_OK)
		return s;
	if (r->file->header.field == TULLE__COMPLEX && !options->real_part &&
	    tulle__type_of(options->value_type)->parts == 1)
		return tulle__fail(
		    TULLE_E_UNSUPPORTED,
		    "%s:1: the values are complex and would be read as a real type; request c64, c128 or "
		    "the real parts",
		    r->source.name);
	s = reserve(env, r, options->value_type);
	if (s != TULLE_OK)
		return tulle__file_refuse(r->file, s);
	return read_entries(env, r, feed, options);
}

tulle_status tulle__file_read(tulle__env *env, const char *path, const tulle__file_options *options,
                              tulle__file *out)
{
	reader *r;
	tulle_status s;

	memset(out, 0, sizeof *out);
	tulle__show(out->name, sizeof out->name, path, strlen(path));
	s = tulle__alloc_zero(env, 1, sizeof *r, &r);
	if (s != TULLE_OK)
		return tulle__file_refuse(out, s);
	r->file = out;
	tulle__decimal_start();
	s = tulle__source_open(env, path, &r->source);
	if (s == TULLE_OK) {
		tulle__feed feed = { .source = &r->source };

		s = tulle__alloc(env, TULLE__LINE_MAX, 1, &feed.buffer);
		s = s == TULLE_OK ? read_open(env, r, &feed, options) : tulle__file_refuse(out, s);
		tulle__free(env, feed.buffer);
		tulle__free(env, r->now.block);
		tulle__free(env, r->next.block);
		tulle__source_close(&r->source);
	}
	tulle__free(env, r);
	if (s != TULLE_OK)
		tulle__file_release(env, out);
	return s;
}

void tulle__file_release(tulle__env *env, tulle__file *file)
{
	tulle__free(env, file->row);
	tulle__free(env, file->col);
	tulle__free(env, file->val);
	file->row = file->col = file->val = NULL;
}

tulle_status tulle__file_look(tulle__env *env, const char *path, tulle__look *look)
{
	tulle__source source;
	tulle__feed feed = { .source = &source };
	tulle_status s = tulle__source_open(env, path, &source);

	if (s != TULLE_OK)
		return s;
	s = tulle__alloc(env, TULLE__LINE_MAX, 1, &feed.buffer);
	if (s == TULLE_OK)
		s = tulle__read_header(&feed, &look->header);
	look->bytes = source.file_bytes;
	look->packing =
	    source.tar ? (source.inflater ? "tar.gz" : "tar") : (source.inflater ? "gzip" : "none");
	tulle__free(env, feed.buffer);
	tulle__source_close(&source);
	return s;
}
