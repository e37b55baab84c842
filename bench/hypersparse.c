/* hypersparse.c -- tulle-hypersparse: a matrix with far more rows than entries, compared with GraphBLAS.
 *
 *     tulle-hypersparse [ROWS [ENTRIES [columns]]]      default 1e9 1e7
 *
 * Values and x are small whole numbers, so that all results must be equal. tulle multiplies the present
 * rows and columns. GraphBLAS multiplies its hypersparse matrix with an x that has elements for the present
 * columns, and with one that has all. `columns`: also a matrix by columns. */
#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tulle.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(int failed, const char *what)
{
	if (failed) {
		fprintf(stderr, "tulle-hypersparse: %s failed: %s\n", what, tulle_last_error());
		exit(1);
	}
}

static void *grab(int64_t count, size_t size)
{
	void *const block = calloc((size_t)count, size);

	must(!block, "allocation");
	return block;
}

/* ---- the matrix ---- */

typedef struct {
	int64_t rows, nnz;
	int64_t *row, *col;
	float *val;
} triplets;

/* A number of 0 .. 2^53 - 1 for each n (splitmix64). */
static uint64_t hash(uint64_t n)
{
	n = (n + 1) * 0x9e3779b97f4a7c15u;
	n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
	n = (n ^ n >> 27) * 0x94d049bb133111ebu;
	return (n ^ n >> 31) >> 11;
}

/* Evenly spread, or most of them among the first. */
static int64_t draw(uint64_t n, int64_t size, int skewed)
{
	double u = (double)hash(n) * 0x1p-53;

	if (skewed)
		u = u * u * u * u;
	return (int64_t)(u * (double)size);
}

static triplets generate(int64_t rows, int64_t nnz, int skewed)
{
	triplets t = { rows, nnz, grab(nnz, sizeof *t.row), grab(nnz, sizeof *t.col),
		           grab(nnz, sizeof *t.val) };

	for (int64_t k = 0; k < nnz; k++) {
		t.row[k] = draw(2 * (uint64_t)k, rows, skewed);
		t.col[k] = draw(2 * (uint64_t)k + 1, rows, skewed);
		t.val[k] = (float)(1 + k % 3);
	}
	return t;
}

static float x_at(int64_t j)
{
	return (float)(j % 5 - 2);
}

/* ---- timing ---- */

typedef struct {
	void (*multiply)(void *of);
	void *of;
} timed;

/* The least time of all multiplications in two seconds, of at least three. */
static double least_time(const timed t)
{
	const double begin = now();
	double least = 1e300;

	for (int n = 0; n < 3 || now() - begin < 2; n++) {
		const double start = now();

		t.multiply(t.of);
		const double took = now() - start;
		least = took < least ? took : least;
	}
	return least;
}

static void print(const char *who, double build, double least, double bytes)
{
	printf("  %-44s %9.2f s %10.2f ms %10.1f MB\n", who, build, 1e3 * least, 1e-6 * bytes);
	fflush(stdout);
}

/* ---- tulle ---- */

typedef struct {
	tulle_matrix *matrix;
	tulle_plan *plan;
	tulle_lists lists;
	float *x, *y;
} ours;

static void multiply_ours(void *of)
{
	const ours *const o = of;

	must(tulle_mul_f32(o->plan, 1, o->x, 0, o->y), "tulle_mul_f32");
}

static ours run_ours(const triplets *t, const char *format)
{
	const tulle_plan_options how = { .size = sizeof how, .format = format };
	tulle_matrix_info about = { .size = sizeof about };
	tulle_plan_info info = { .size = sizeof info };
	ours o = { .lists.size = sizeof o.lists };
	char who[64];
	const double begin = now();

	must(tulle_matrix_from_coo_compact(NULL, t->rows, t->rows, t->nnz, TULLE_I64, t->row, t->col,
	                                   TULLE_F32, t->val, TULLE_COMPACT_AUTO, NULL, &o.matrix),
	     "tulle_matrix_from_coo_compact");
	must(tulle_plan_create(o.matrix, &how, &o.plan), "tulle_plan_create");
	const double built = now() - begin;
	must(tulle_matrix_lists(o.matrix, &o.lists), "tulle_matrix_lists");
	tulle_matrix_describe(o.matrix, &about);
	tulle_plan_describe(o.plan, &info);
	o.x = grab(o.lists.present_cols, sizeof *o.x);
	o.y = grab(o.lists.present_rows, sizeof *o.y);
	for (int64_t j = 0; j < o.lists.present_cols; j++)
		o.x[j] = x_at(o.lists.col ? o.lists.col[j] : j);
	const double least = least_time((timed){ multiply_ours, &o });
	snprintf(who, sizeof who, "tulle %s%s", info.format, format ? "" : " (chosen)");
	print(who, built, least, (double)(about.bytes + info.extra_bytes));
	return o;
}

static void release_ours(ours *o)
{
	tulle_plan_destroy(o->plan);
	tulle_matrix_destroy(o->matrix);
	free(o->x);
	free(o->y);
}

/* ---- GraphBLAS ---- */

typedef struct {
	GrB_Matrix a;
	GrB_Vector u, w;
	GrB_Descriptor how; /* NULL: as GraphBLAS chooses */
} theirs;

static void multiply_theirs(void *of)
{
	const theirs *const g = of;

	must(GrB_mxv(g->w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, g->a, g->u, g->how) ||
	         GrB_Vector_wait(g->w, GrB_MATERIALIZE),
	     "GrB_mxv");
}

/* x on the present columns, or everywhere. */
static GrB_Vector make_x(const ours *o, int64_t cols, int full)
{
	const int64_t n = full ? cols : o->lists.present_cols;
	float *x = grab(n, sizeof *x);
	GrB_Vector u;

	for (int64_t j = 0; j < n; j++)
		x[j] = x_at(full ? j : o->lists.col[j]);
	must(GrB_Vector_new(&u, GrB_FP32, (GrB_Index)cols), "GrB_Vector_new");
	if (full) {
		void *packed = x;

		must(GxB_Vector_pack_Full(u, &packed, (size_t)n * sizeof *x, false, NULL), "pack_Full");
	} else {
		must(GrB_Vector_build_FP32(u, (const GrB_Index *)o->lists.col, x, (GrB_Index)n,
		                           GrB_PLUS_FP32),
		     "GrB_Vector_build");
		free(x);
	}
	must(GrB_Vector_wait(u, GrB_MATERIALIZE), "GrB_Vector_wait");
	return u;
}

/* The number of elements that differ from ours, including those that are missing in w. */
static void compare(const theirs *g, const ours *o)
{
	GrB_Index n = 0;

	GrB_Vector_nvals(&n, g->w);
	GrB_Index *const at = grab((int64_t)n + 1, sizeof *at);
	float *const y = grab((int64_t)n + 1, sizeof *y);
	must(GrB_Vector_extractTuples_FP32(at, y, &n, g->w), "GrB_Vector_extractTuples");
	must((int64_t)n != o->lists.present_rows, "comparison of the number of rows");
	for (GrB_Index k = 0; k < n; k++)
		must((int64_t)at[k] != o->lists.row[k] || y[k] != o->y[k], "comparison of the results");
	free(at);
	free(y);
}

typedef enum { BY_ROWS, BY_ROWS_FULL, BY_COLUMNS, BY_COLUMNS_HASH, VARIANTS } variant;

static void run_theirs(const triplets *t, const ours *o, variant v)
{
	static const char *const names[VARIANTS] = { "by rows, sparse x", "by rows, full x",
		                                         "by columns, sparse x",
		                                         "by columns, sparse x, hash" };
	const GxB_Format_Value order =
	    v == BY_COLUMNS || v == BY_COLUMNS_HASH ? GxB_BY_COL : GxB_BY_ROW;
	theirs g = { .how = NULL };
	size_t bytes = 0;
	char who[64];
	if (v == BY_COLUMNS_HASH)
		must(GrB_Descriptor_new(&g.how) || GxB_Desc_set(g.how, GxB_AxB_METHOD, GxB_AxB_HASH),
		     "GrB_Descriptor_new");
	snprintf(who, sizeof who, "GraphBLAS hypersparse %s", names[v]);
	const double begin = now();

	must(GrB_Matrix_new(&g.a, GrB_FP32, (GrB_Index)t->rows, (GrB_Index)t->rows) ||
	         GxB_Matrix_Option_set(g.a, GxB_FORMAT, order) ||
	         GxB_Matrix_Option_set(g.a, GxB_SPARSITY_CONTROL, GxB_HYPERSPARSE) ||
	         GrB_Matrix_build_FP32(g.a, (const GrB_Index *)t->row, (const GrB_Index *)t->col,
	                               t->val, (GrB_Index)t->nnz, GrB_PLUS_FP32) ||
	         GrB_Matrix_wait(g.a, GrB_MATERIALIZE),
	     "GrB_Matrix_build");
	const double built = now() - begin;
	g.u = make_x(o, t->rows, v == BY_ROWS_FULL);
	must(GrB_Vector_new(&g.w, GrB_FP32, (GrB_Index)t->rows), "GrB_Vector_new");
	const double least = least_time((timed){ multiply_theirs, &g });
	GxB_Matrix_memoryUsage(&bytes, g.a);
	print(who, built, least, (double)bytes);
	compare(&g, o);
	GrB_Descriptor_free(&g.how);
	GrB_Vector_free(&g.w);
	GrB_Vector_free(&g.u);
	GrB_Matrix_free(&g.a);
}

/* The rows and columns that tulle found, as an ordinary matrix with full vectors. */
static void run_compacted(const ours *o)
{
	tulle_csr_view v = { .size = sizeof v };
	theirs g = { .how = NULL };
	size_t bytes = 0;

	must(tulle_matrix_view_csr(o->matrix, &v), "tulle_matrix_view_csr");
	GrB_Index *row = grab(v.nnz, sizeof *row), *col = grab(v.nnz, sizeof *col);
	float *const x = grab(v.cols, sizeof *x);
	const int32_t *const row_ptr = v.row_ptr, *const columns = v.col;
	for (int64_t i = 0; i < v.rows; i++)
		for (int64_t k = row_ptr[i]; k < row_ptr[i + 1]; k++) {
			row[k] = (GrB_Index)i;
			col[k] = (GrB_Index)columns[k];
		}
	memcpy(x, o->x, (size_t)v.cols * sizeof *x);
	const double begin = now();
	must(GrB_Matrix_new(&g.a, GrB_FP32, (GrB_Index)v.rows, (GrB_Index)v.cols) ||
	         GrB_Matrix_build_FP32(g.a, row, col, v.val, (GrB_Index)v.nnz, GrB_PLUS_FP32) ||
	         GrB_Matrix_wait(g.a, GrB_MATERIALIZE),
	     "GrB_Matrix_build");
	const double built = now() - begin;
	void *packed = x;
	must(GrB_Vector_new(&g.u, GrB_FP32, (GrB_Index)v.cols) ||
	         GxB_Vector_pack_Full(g.u, &packed, (size_t)v.cols * sizeof *x, false, NULL) ||
	         GrB_Vector_new(&g.w, GrB_FP32, (GrB_Index)v.rows),
	     "GrB_Vector_new");
	const double least = least_time((timed){ multiply_theirs, &g });
	GxB_Matrix_memoryUsage(&bytes, g.a);
	print("GraphBLAS on tulle's rows and columns, full x", built, least, (double)bytes);
	GrB_Vector_free(&g.w);
	GrB_Vector_free(&g.u);
	GrB_Matrix_free(&g.a);
	free(row);
	free(col);
}

int main(int argc, char **argv)
{
	const int64_t rows = argc > 1 ? (int64_t)strtod(argv[1], NULL) : 1000000000;
	const int64_t nnz = argc > 2 ? (int64_t)strtod(argv[2], NULL) : 10000000;
	const int columns = argc > 3 && !strcmp(argv[3], "columns");
	tulle_context_info context = { .size = sizeof context };

	must(GrB_init(GrB_NONBLOCKING), "GrB_init");
	tulle_context_describe(NULL, &context);
	GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, context.threads);
	for (int skewed = 0; skewed < 2; skewed++) {
		triplets t = generate(rows, nnz, skewed);
		printf("%.0e x %.0e, %.0e entries, %s, f32, %d threads\n", (double)rows, (double)rows,
		       (double)nnz, skewed ? "skewed" : "evenly spread", context.threads);
		printf("  %-44s %11s %13s %13s\n", "", "build", "multiply", "matrix");
		ours o = run_ours(&t, NULL);
		printf("  (%lld rows and %lld columns have entries)\n", (long long)o.lists.present_rows,
		       (long long)o.lists.present_cols);
		for (int n = 0; n < 2; n++) {
			ours named = run_ours(&t, n ? "sell" : "csr");
			must(memcmp(named.y, o.y, (size_t)o.lists.present_rows * sizeof *o.y) != 0,
			     "comparison of formats");
			release_ours(&named);
		}
		run_compacted(&o);
		for (int v = BY_ROWS; v < (columns ? VARIANTS : BY_COLUMNS); v++)
			run_theirs(&t, &o, (variant)v);
		release_ours(&o);
		free(t.row);
		free(t.col);
		free(t.val);
	}
	GrB_finalize();
	return 0;
}
