/* batch_cases.c -- batches to measure: real matrices mixed or alone, and generated ones. */
#include "batch_cases.h"

#include "kit.h"
#include "memory.h"
#include "suite.h"
#include "tulle.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the matrices that problems are made of ---- */

typedef struct {
	bench_loaded *item;
	int64_t count;
} sources;

static void sources_free(sources *s)
{
	for (int64_t n = 0; n < s->count; n++)
		bench_unload(&s->item[n]);
	free(s->item);
}

/* -1 if it is not available. */
static int add(sources *s, const char *name)
{
	bench_item item = { .name = (char *)(uintptr_t)name, .max_nnz = INT64_MAX };
	bench_loaded *more = realloc(s->item, (size_t)(s->count + 1) * sizeof *more);
	if (!more)
		return -1;
	s->item = more;
	if (bench_load(&item, &s->item[s->count]))
		return -1;
	s->count++;
	return 0;
}

static int is_matrix(const struct dirent *entry)
{
	return strstr(entry->d_name, ".mtx") != NULL;
}

/* All real matrices of at most `most` rows and columns. */
static int add_small(sources *s, int64_t most)
{
	const char *folder = getenv("TULLE_MATRICES");
	struct dirent **entries;
	int count = folder ? scandir(folder, &entries, is_matrix, alphasort) : 0, status = 0;
	if (count <= 0)
		return 1;
	for (int n = 0; n < count; n++) {
		tulle_file_info info = { .size = sizeof info };
		char path[4096];
		snprintf(path, sizeof path, "%s/%s", folder, entries[n]->d_name);
		if (!status && !tulle_file_describe(path, &info) && info.rows <= most &&
		    info.cols <= most && info.entries > 0)
			status = add(s, path);
		free(entries[n]);
	}
	free(entries);
	return status ? -1 : s->count == 0;
}

/* One real matrix by its name, or a generated one. */
static int add_named(sources *s, const char *name)
{
	const char *folder = getenv("TULLE_MATRICES"), *const ends[] = { ".mtx.gz", ".mtx" };
	if (!strncmp(name, "gen:", 4))
		return add(s, name);
	for (int n = 0; folder && n < 2; n++) {
		char path[4096];
		snprintf(path, sizeof path, "%s/%s%s", folder, name, ends[n]);
		FILE *file = fopen(path, "r");
		if (!file)
			continue;
		fclose(file);
		return add(s, path);
	}
	return 1;
}

static int add_list(sources *s, const char *list)
{
	char names[2048], *rest;
	snprintf(names, sizeof names, "%s", list);
	for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
		if (add_named(s, name))
			return 1;
	return s->count == 0;
}

static int add_seeds(sources *s, const char *spec, int64_t count)
{
	for (int64_t n = 0; n < count; n++) {
		char name[256];
		snprintf(name, sizeof name, "gen:%s%cseed=%lld", spec, strchr(spec, ':') ? ',' : ':',
		         (long long)n + 1);
		if (add(s, name))
			return -1;
	}
	return 0;
}

/* ---- problems ---- */

/* The matrix of each problem, and by how much its rows and columns are rotated. */
typedef struct {
	const bench_matrix *a;
	int64_t turn, column_turn;
} choice;

static choice choose(const sources *s, int64_t i, int rotate, uint64_t *state)
{
	if (rotate) {
		const bench_matrix *a = &s->item[i % s->count].a;
		int64_t turn = i / s->count, rows = a->rows > 0 ? a->rows : 1,
		        cols = a->cols > 0 ? a->cols : 1;
		return (choice){ a, turn % rows, turn / rows % cols };
	}
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (choice){ &s->item[s->count == 1 ? 0 : (int64_t)((*state >> 33) % (uint64_t)s->count)].a,
		             0, 0 };
}

static void set_value(const bench_batch *b, void *val, int64_t k, double v)
{
	if (b->f32)
		((float *)val)[k] = (float)v;
	else
		((double *)val)[k] = v;
}

/* Row r of problem i is row (r + turn) of its matrix. */
static void fill(const bench_batch *b, int64_t i, const choice *c, int pattern)
{
	const bench_matrix *a = c->a;
	int32_t *row_ptr = (int32_t *)(uintptr_t)b->row_ptr + b->row_at[i];
	int32_t *col = (int32_t *)(uintptr_t)b->col + b->col_at[i];
	int32_t at = 0;
	row_ptr[0] = 0;
	for (int64_t r = 0; r < a->rows; r++) {
		int64_t from = (r + c->turn) % a->rows;
		for (int32_t k = a->row_ptr[from]; k < a->row_ptr[from + 1]; k++, at++) {
			if (pattern)
				col[at] = (int32_t)((a->col[k] + c->column_turn) % a->cols);
			/* Similar to the value of the matrix, but different in each problem. */
			set_value(b, (void *)(uintptr_t)b->val, b->val_at[i] + at,
			          a->val[k] * (1 + 0.25 * (double)((i * 31 + k) % 16) / 16));
		}
		if (pattern)
			row_ptr[r + 1] = at;
	}
}

static void *offsets(int64_t count)
{
	return bench_array(count + 1, sizeof(int64_t));
}

static int allocate(bench_case *c, int64_t row_ptrs, int64_t cols)
{
	bench_batch *b = &c->b;
	size_t size = b->f32 ? sizeof(float) : sizeof(double);
	b->row_ptr = bench_array(row_ptrs + 1, sizeof *b->row_ptr);
	b->col = bench_array(cols + 1, sizeof *b->col);
	b->val = bench_array(b->total_nnz + 1, size);
	c->x = bench_array(b->total_cols + 1, size);
	c->y0 = bench_array(b->total_rows + 1, size);
	return b->row_ptr && b->col && b->val && c->x && c->y0 ? 0 : -1;
}

static int assemble(bench_case *c, const sources *s, int64_t count, int rotate)
{
	bench_batch *b = &c->b;
	choice *chosen = malloc((size_t)(count + 1) * sizeof *chosen);
	int64_t *at[7], row_ptrs = 0, cols = 0;
	uint64_t state = 1;
	int failed = !chosen;
	for (int n = 0; n < 7; n++)
		failed |= !(at[n] = offsets(count));
	b->count = count;
	b->rows = at[0];
	b->cols = at[1];
	b->row_at = at[2];
	b->col_at = at[3];
	b->val_at = at[4];
	b->x_at = at[5];
	b->y_at = at[6];
	for (int64_t i = 0; i < count && !failed; i++) {
		chosen[i] = choose(s, i, rotate, &state);
		at[0][i] = chosen[i].a->rows;
		at[1][i] = chosen[i].a->cols;
		at[2][i] = b->one_pattern ? 0 : row_ptrs;
		at[3][i] = b->one_pattern ? 0 : cols;
		at[4][i] = b->total_nnz;
		at[5][i] = b->total_cols;
		at[6][i] = b->total_rows;
		row_ptrs += chosen[i].a->rows + 1;
		cols += chosen[i].a->nnz;
		b->total_rows += chosen[i].a->rows;
		b->total_cols += chosen[i].a->cols;
		b->total_nnz += chosen[i].a->nnz;
	}
	if (b->one_pattern && count > 0) {
		row_ptrs = chosen[0].a->rows + 1;
		cols = chosen[0].a->nnz;
	}
	failed = failed || allocate(c, row_ptrs, cols);
	for (int64_t i = 0; i < count && !failed; i++)
		fill(b, i, &chosen[i], i == 0 || !b->one_pattern);
	free(chosen);
	if (failed) {
		fprintf(stderr, "%s: out of memory\n", c->name);
		return -1;
	}
	kit_random_fill(KIT_UNIFORM, 1, b->f32 ? TULLE_F32 : TULLE_F64, b->total_cols, c->x);
	kit_random_fill(KIT_UNIFORM, 2, b->f32 ? TULLE_F32 : TULLE_F64, b->total_rows, c->y0);
	return 0;
}

int bench_case_make(const char *spec, int64_t count, int f32, bench_case *out)
{
	const char *of = strchr(spec, ':');
	sources s = { 0 };
	int status, rotate = 0;
	memset(out, 0, sizeof *out);
	snprintf(out->name, sizeof out->name, "%s", spec);
	out->b.f32 = f32;
	if (!strncmp(spec, "different", 9)) {
		rotate = 1;
		status = add_small(&s, of ? atoll(of + 1) : 1024);
	} else if (of && !strncmp(spec, "mixed:", 6)) {
		status = add_list(&s, of + 1);
	} else if (of && !strncmp(spec, "pattern:", 8)) {
		out->b.one_pattern = 1;
		status = add_named(&s, of + 1);
	} else if (of && !strncmp(spec, "turned:", 7)) {
		rotate = 1;
		status = add_named(&s, of + 1);
	} else if (of && !strncmp(spec, "each:", 5)) {
		rotate = 1; /* number i, as it is */
		status = add_seeds(&s, of + 1, count);
	} else {
		fprintf(stderr, "no batch %s; --help shows what there is\n", spec);
		status = -1;
	}
	out->kinds = s.count;
	if (!status)
		status = assemble(out, &s, count, rotate);
	sources_free(&s);
	if (status)
		bench_case_free(out);
	return status;
}

void bench_case_free(bench_case *c)
{
	const bench_batch *b = &c->b;
	const void *own[] = { b->rows, b->cols,    b->row_at, b->col_at, b->val_at, b->x_at,
		                  b->y_at, b->row_ptr, b->col,    b->val,    c->x,      c->y0 };
	for (size_t n = 0; n < sizeof own / sizeof *own; n++)
		free((void *)(uintptr_t)own[n]);
	memset(&c->b, 0, sizeof c->b);
}

int64_t bench_longest_row(const bench_batch *b)
{
	int64_t longest = 0;
	for (int64_t i = 0; i < b->count; i++) {
		const int32_t *row_ptr = b->row_ptr + b->row_at[i];
		for (int64_t r = 0; r < b->rows[i]; r++)
			if (row_ptr[r + 1] - row_ptr[r] > longest)
				longest = row_ptr[r + 1] - row_ptr[r];
	}
	return longest;
}
