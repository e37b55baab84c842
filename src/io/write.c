/* write.c -- a CSR to a Matrix Market file: the shortest digits that read back to the same bits.
 *
 * Entries are cut into pieces by their number; a team turns a batch of pieces into text (and packs
 * it), then the pieces are written in order. The file does not depend on the number of threads. */
#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "core/threads.h"
#include "io/decimal.h"
#include "io/gzip.h"
#include "io/io.h"
#include "io/sink.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PIECES = 16, PIECE = 1 << 14, LINE = 20 + 20 + 2 * TULLE__NUMBER_BYTES };

typedef struct {
	char *text, *packed; /* packed: NULL when the file is plain */
	size_t bytes;        /* of text, later of packed */
	tulle_status status; /* of packing */
} piece;

typedef struct {
	tulle__env *env;
	const tulle__csr *a;
	const tulle__lists *lists;
	tulle_kind kind;
	int64_t first; /* entry of this batch */
	piece piece[PIECES];
} writer;

static int is_stored(tulle_kind kind, int64_t i, int64_t j)
{
	return kind == TULLE_GENERAL || (kind == TULLE_SKEW ? j < i : j <= i);
}

static char *write_count(char *p, int64_t value)
{
	char digits[20];
	int n = 0;

	do {
		digits[n++] = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	while (n > 0)
		*p++ = digits[--n];
	return p;
}

static int64_t row_end(const tulle__csr *a, int64_t i)
{
	return tulle__index_at(a->row_ptr, a->offset_type, i + 1);
}

/* The row of entry k: the first that ends after it. */
static int64_t row_of(const tulle__csr *a, int64_t k)
{
	int64_t low = 0, high = a->rows - 1;

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		if (row_end(a, middle) > k)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static char *write_entry(const writer *w, int64_t i, int64_t j, int64_t k, char *p)
{
	const tulle__csr *const a = w->a;
	const int parts = a->value_type == TULLE_C64 || a->value_type == TULLE_C128 ? 2 : 1;
	const int wide = a->value_type == TULLE_F64 || a->value_type == TULLE_C128;

	p = write_count(p, tulle__listed(w->lists->row, i) + 1);
	*p++ = ' ';
	p = write_count(p, tulle__listed(w->lists->col, j) + 1);
	for (int part = 0; a->val && part < parts; part++) {
		const int64_t at = parts * k + part;

		*p++ = ' ';
		p += wide ? tulle__write_f64(((const double *)a->val)[at], p)
		          : tulle__write_f32(((const float *)a->val)[at], p);
	}
	*p++ = '\n';
	return p;
}

static void pack(tulle__env *env, piece *p)
{
	if (!p->packed || p->bytes == 0)
		return;
	p->status = tulle__gzip(env, p->text, p->bytes, p->packed, &p->bytes);
}

static void write_part(const void *arg, int64_t part)
{
	writer *const w = *(writer *const *)arg;
	const tulle__csr *const a = w->a;
	piece *const out = &w->piece[part];
	const int64_t begin = w->first + part * PIECE;
	const int64_t end = begin + PIECE < a->nnz ? begin + PIECE : a->nnz;
	char *p = out->text;
	int64_t i = 0;

	if (begin < end)
		i = row_of(a, begin);
	for (int64_t k = begin; k < end; k++) {
		const int64_t j = tulle__csr_column(a, k);

		while (k >= row_end(a, i))
			i++;
		if (is_stored(w->kind, i, j))
			p = write_entry(w, i, j, k, p);
	}
	out->bytes = (size_t)(p - out->text);
	pack(w->env, out);
}

static int64_t count_stored(const tulle__csr *a, tulle_kind kind)
{
	int64_t count = 0;

	if (kind == TULLE_GENERAL)
		return a->nnz;
	for (int64_t i = 0, k = 0; i < a->rows; i++)
		for (; k < row_end(a, i); k++)
			count += is_stored(kind, i, tulle__csr_column(a, k));
	return count;
}

static tulle_status put(const tulle__env *env, tulle__sink *sink, const piece *p)
{
	/* The sentence of the allocation that failed may be another thread's. */
	if (p->status == TULLE_E_LIMIT)
		return tulle__fail(TULLE_E_LIMIT,
		                   "%s: packing the file would pass the context's limit of %zu bytes",
		                   sink->name, env->memory_limit);
	if (p->status != TULLE_OK)
		return tulle__fail(p->status, "%s: %s", sink->name,
		                   p->status == TULLE_E_MEMORY ? "no memory to pack the file"
		                                               : "zlib failed to pack the file");
	return tulle__sink_write(sink, p->packed ? p->packed : p->text, p->bytes);
}

/* ---- the lines before the entries ---- */

static char *write_comment(const char *comment, char *p)
{
	int begins = 1;

	for (; *comment; comment++) {
		if (begins)
			*p++ = '%';
		begins = *comment == '\n';
		*p++ = *comment;
	}
	if (!begins)
		*p++ = '\n';
	return p;
}

static tulle_status write_head(const writer *w, tulle__sink *sink, const char *comment, int gzip)
{
	const tulle__csr *const a = w->a;
	/* Every character may be a newline that wants a percent sign after it. */
	const size_t room = 2 * strlen(comment) + 160;
	piece head = { 0 };
	tulle_status s = tulle__alloc(w->env, 1, room, &head.text);
	char *p;

	if (s == TULLE_OK && gzip)
		s = tulle__alloc(w->env, 1, tulle__gzip_bound(room), &head.packed);
	if (s == TULLE_OK) {
		p = head.text;
		/* A pattern is real. */
		p += sprintf(p, "%%%%MatrixMarket matrix coordinate %s %s\n",
		             !a->val                                     ? "pattern"
		             : tulle__type_of(a->value_type)->parts == 2 ? "complex"
		                                                         : "real",
		             w->kind == TULLE_GENERAL               ? "general"
		             : w->kind == TULLE_SKEW                ? "skew-symmetric"
		             : w->kind == TULLE_HERMITIAN && a->val ? "hermitian"
		                                                    : "symmetric");
		p = write_comment(comment, p);
		p += sprintf(p, "%" PRId64 " %" PRId64 " %" PRId64 "\n",
		             w->lists->row ? w->lists->rows : a->rows,
		             w->lists->col ? w->lists->cols : a->cols, count_stored(a, w->kind));
		head.bytes = (size_t)(p - head.text);
		pack(w->env, &head);
		s = put(w->env, sink, &head);
	}
	tulle__free(w->env, head.text);
	tulle__free(w->env, head.packed);
	return s;
}

/* ---- the whole ---- */

static tulle_status write_all(writer *w, tulle__sink *sink, const tulle_write_options *how,
                              int gzip)
{
	const size_t room = (size_t)(w->a->nnz < PIECE ? w->a->nnz : PIECE) * LINE;
	tulle_status s = write_head(w, sink, how->comment ? how->comment : "", gzip);

	for (int n = 0; n < PIECES && s == TULLE_OK; n++) {
		s = tulle__alloc(w->env, 1, room, &w->piece[n].text);
		if (s == TULLE_OK && gzip)
			s = tulle__alloc(w->env, 1, tulle__gzip_bound(room), &w->piece[n].packed);
	}
	for (w->first = 0; w->first < w->a->nnz && s == TULLE_OK; w->first += PIECES * PIECE) {
		tulle__run_parts(w->env, write_part, &w, PIECES, PIECES * PIECE);
		for (int n = 0; n < PIECES && s == TULLE_OK; n++)
			s = put(w->env, sink, &w->piece[n]);
		if (how->progress && w->first + PIECES * PIECE < w->a->nnz)
			how->progress(how->user, (double)(w->first + PIECES * PIECE) / (double)w->a->nnz);
	}
	return s;
}

tulle_status tulle__file_write(tulle__env *env, const tulle__csr *a, const tulle__lists *lists,
                               tulle_kind kind, const tulle_write_options *how, const char *path)
{
	writer w = { .env = env, .a = a, .lists = lists, .kind = kind };
	tulle__sink sink;
	tulle_status s;

	tulle__decimal_start();
	s = tulle__sink_open(path, &sink);
	if (s != TULLE_OK)
		return s;
	s = write_all(&w, &sink, how, tulle__ends_with(path, ".gz"));
	for (int n = 0; n < PIECES; n++) {
		tulle__free(env, w.piece[n].text);
		tulle__free(env, w.piece[n].packed);
	}
	s = tulle__sink_close(&sink, s);
	if (s == TULLE_OK && how->progress)
		how->progress(how->user, 1);
	return s;
}
