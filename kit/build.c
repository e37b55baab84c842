/* build.c -- from a function that writes one row to a matrix; values, reordering, freeing. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "inner.h"

static _Thread_local char sentence[512];

const char *kit_error(void)
{
	return sentence;
}

int kit__fail(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(sentence, sizeof sentence, format, args);
	va_end(args);
	return -1;
}

void *kit__alloc(int64_t n, size_t size)
{
	void *p = n < 0 ? NULL : calloc(n > 0 ? (size_t)n : 1, size);
	if (!p)
		kit__fail("no memory for %lld elements of %zu bytes", (long long)n, size);
	return p;
}

void kit_free(kit_matrix *m)
{
	if (!m)
		return;
	free(m->row_ptr);
	free(m->col);
	free(m->val);
	*m = (kit_matrix){ .nnz = 0 };
}

tulle_csr_view kit_view(const kit_matrix *m)
{
	return (tulle_csr_view){ .size = sizeof(tulle_csr_view),
		                     .rows = m->rows,
		                     .cols = m->cols,
		                     .nnz = m->nnz,
		                     .offset_type = TULLE_I64,
		                     .column_type = TULLE_I32,
		                     .value_type = TULLE_F64,
		                     .row_ptr = m->row_ptr,
		                     .col = m->col,
		                     .val = m->val };
}

int kit__allocate(kit_matrix *out)
{
	if (!out->row_ptr)
		out->row_ptr = kit__alloc(out->rows + 1, sizeof *out->row_ptr);
	if (out->row_ptr && !out->col)
		out->col = kit__alloc(out->nnz, sizeof *out->col);
	return out->row_ptr && out->col ? 0 : -1;
}

void kit__lengths_to_offsets(kit_matrix *out)
{
	out->row_ptr[0] = 0;
	for (int64_t i = 0; i < out->rows; i++)
		out->row_ptr[i + 1] += out->row_ptr[i];
	out->nnz = out->row_ptr[out->rows];
}

typedef struct {
	const kit_matrix *out;
	kit__row *row;
	const void *self;
} rows;

static void count_row(const void *self, int64_t i)
{
	const rows *r = self;
	r->out->row_ptr[i + 1] = r->row(r->self, i, NULL);
}

static void fill_row(const void *self, int64_t i)
{
	const rows *r = self;
	r->row(r->self, i, r->out->col + r->out->row_ptr[i]);
}

int kit__build(kit_matrix *out, kit__row *row, const void *self)
{
	out->row_ptr = kit__alloc(out->rows + 1, sizeof *out->row_ptr);
	if (!out->row_ptr)
		return -1;
	const rows r = { out, row, self };
	kit__each(out->rows, count_row, &r);
	kit__lengths_to_offsets(out);
	if (kit__allocate(out))
		return -1;
	kit__each(out->rows, fill_row, &r);
	return 0;
}

typedef struct {
	const kit_matrix *m;
	uint64_t seed;
	int symmetric;
} random_values;

static void draw_row(const void *self, int64_t i)
{
	const random_values *v = self;
	for (int64_t k = v->m->row_ptr[i]; k < v->m->row_ptr[i + 1]; k++) {
		uint64_t r = (uint64_t)i, c = (uint64_t)v->m->col[k];
		v->m->val[k] = kit__signed(v->symmetric && r < c ? kit__hash(v->seed, c, r)
		                                                 : kit__hash(v->seed, r, c));
	}
}

int kit__values(kit_matrix *m, kit__val how, uint64_t seed)
{
	if (how == KIT__ONES)
		return 0;
	m->val = kit__alloc(m->nnz, sizeof *m->val);
	if (!m->val)
		return -1;
	kit__each(m->rows, draw_row, &(random_values){ m, seed, how == KIT__SYMMETRIC });
	return 0;
}

typedef struct {
	const kit_matrix *from, *to;
	const int32_t *order, *place;
} reordering;

static void rename_row(const void *self, int64_t i)
{
	const reordering *r = self;
	int64_t n = r->to->row_ptr[i + 1] - r->to->row_ptr[i];
	const int32_t *from = r->from->col + r->from->row_ptr[r->order[i]];
	int32_t *to = r->to->col + r->to->row_ptr[i];
	for (int64_t k = 0; k < n; k++)
		to[k] = r->place[from[k]];
	kit__sort(to, n);
}

int kit__reorder(kit_matrix *m, const int32_t *order)
{
	kit_matrix new = { .rows = m->rows, .cols = m->cols, .nnz = m->nnz };
	int32_t *place = kit__alloc(m->rows, sizeof *place);
	if (!place || kit__allocate(&new)) {
		free(place);
		kit_free(&new);
		return -1;
	}
	for (int64_t i = 0; i < m->rows; i++) {
		place[order[i]] = (int32_t)i;
		new.row_ptr[i + 1] = m->row_ptr[order[i] + 1] - m->row_ptr[order[i]];
	}
	kit__lengths_to_offsets(&new);
	kit__each(m->rows, rename_row, &(reordering){ m, &new, order, place });
	free(place);
	free(m->row_ptr);
	free(m->col);
	m->row_ptr = new.row_ptr;
	m->col = new.col;
	return 0;
}
