/* load.c -- loads one matrix, in the form that all contenders accept. */
#include "suite.h"

#include "kit.h"
#include "memory.h"
#include "tulle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t index_at(const void *a, tulle_index_type type, int64_t k)
{
	return type == TULLE_I32 ? ((const int32_t *)a)[k] : ((const int64_t *)a)[k];
}

static double value_at(const tulle_csr_view *v, int64_t k)
{
	if (!v->val)
		return 1.0;
	return v->value_type == TULLE_F32 ? (double)((const float *)v->val)[k]
	                                  : ((const double *)v->val)[k];
}

typedef struct {
	int32_t col;
	double val;
} entry;

static int by_column(const void *a, const void *b)
{
	int32_t u = ((const entry *)a)->col, v = ((const entry *)b)->col;
	return (u > v) - (u < v);
}

/* Ascending columns in one row; `room` for its entries. */
static void sort_row(int32_t *col, double *val, int64_t n, entry *room)
{
	int64_t k = 1;
	while (k < n && col[k - 1] <= col[k])
		k++;
	if (k >= n)
		return;
	for (k = 0; k < n; k++)
		room[k] = (entry){ col[k], val[k] };
	qsort(room, (size_t)n, sizeof *room, by_column);
	for (k = 0; k < n; k++) {
		col[k] = room[k].col;
		val[k] = room[k].val;
	}
}

static int64_t longest_row(const bench_matrix *a)
{
	int64_t longest = 0;
	for (int64_t i = 0; i < a->rows; i++)
		if (a->row_ptr[i + 1] - a->row_ptr[i] > longest)
			longest = a->row_ptr[i + 1] - a->row_ptr[i];
	return longest;
}

static int sort_rows(const bench_matrix *a, int64_t longest, int32_t *col, double *val)
{
	entry *room = bench_array(longest, sizeof *room);
	if (!room)
		return -1;
	for (int64_t i = 0; i < a->rows; i++)
		sort_row(col + a->row_ptr[i], val + a->row_ptr[i], a->row_ptr[i + 1] - a->row_ptr[i], room);
	free(room);
	return 0;
}

static int copy(const tulle_csr_view *v, bench_loaded *out)
{
	if (v->nnz > INT32_MAX || v->rows >= INT32_MAX || v->cols > INT32_MAX) {
		fprintf(stderr, "%s: too large for 32-bit indices, which all contenders share\n",
		        out->name);
		return -1;
	}
	int32_t *row_ptr = bench_array(v->rows + 1, sizeof *row_ptr),
	        *col = bench_array(v->nnz, sizeof *col);
	double *val = bench_array(v->nnz, sizeof *val);
	out->a = (bench_matrix){ v->rows, v->cols, v->nnz, row_ptr, col, val, NULL };
	if (row_ptr && col && val) {
		for (int64_t i = 0; i <= v->rows; i++)
			row_ptr[i] = (int32_t)index_at(v->row_ptr, v->offset_type, i);
		for (int64_t k = 0; k < v->nnz; k++) {
			col[k] = (int32_t)index_at(v->col, v->column_type, k);
			val[k] = value_at(v, k);
		}
		out->longest = longest_row(&out->a);
		if (!sort_rows(&out->a, out->longest, col, val))
			return 0;
	}
	fprintf(stderr, "%s: out of memory\n", out->name);
	bench_unload(out);
	return -1;
}

static int is_generated(const char *item)
{
	return !strncmp(item, "gen:", 4);
}

static int is_stand_in(const char *item)
{
	return !strncmp(item, "like:", 5);
}

/* "dir/pwtk.mtx.gz" is pwtk, a generated matrix is its spec; a stand-in keeps its "like:", to be
 * distinguished from the real matrix. */
static void name_of(const char *item, char *name, size_t size)
{
	if (is_generated(item)) {
		snprintf(name, size, "%s", item + 4);
	} else if (is_stand_in(item)) {
		snprintf(name, size, "%s", item);
	} else {
		const char *base = strrchr(item, '/');
		base = base ? base + 1 : item;
		const char *end = strstr(base, ".mtx");
		snprintf(name, size, "%.*s", end ? (int)(end - base) : (int)strlen(base), base);
	}
}

static int load_kit(const char *item, bench_loaded *out)
{
	kit_matrix m;
	int failed = is_generated(item) ? kit_generate(item + 4, &m) : kit_like(item + 5, &m);
	if (failed) {
		fprintf(stderr, "%s: %s\n", item, kit_error());
		return -1;
	}
	tulle_csr_view view = kit_view(&m);
	int status = copy(&view, out);
	kit_free(&m);
	return status;
}

static int load_file(const char *path, bench_loaded *out)
{
	tulle_matrix *matrix;
	tulle_read_options options = { .size = sizeof options, .real_part = 1 };
	tulle_csr_view view = { .size = sizeof view };
	int status = -1;
	if (tulle_matrix_read(NULL, path, &options, &matrix) || tulle_matrix_view_csr(matrix, &view))
		fprintf(stderr, "%s: %s\n", path, tulle_last_error());
	else
		status = copy(&view, out);
	tulle_matrix_destroy(matrix);
	return status;
}

int bench_load(const bench_item *item, bench_loaded *out)
{
	const char *name = item->name;
	memset(out, 0, sizeof *out);
	name_of(name, out->name, sizeof out->name);
	out->class = item->class;
	out->bound = item->bound;
	if (!bench_may_belong(item))
		return 1;
	if (is_generated(name) || is_stand_in(name) ? load_kit(name, out) : load_file(name, out))
		return -1;
	if (out->a.nnz >= item->min_nnz && out->a.nnz <= item->max_nnz)
		return 0;
	bench_unload(out);
	return 1;
}

void bench_unload(bench_loaded *m)
{
	free((void *)(uintptr_t)m->a.row_ptr);
	free((void *)(uintptr_t)m->a.col);
	free((void *)(uintptr_t)m->a.val);
	memset(&m->a, 0, sizeof m->a);
}
