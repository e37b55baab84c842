/* cusparse.c -- NVIDIA's cuSPARSE on a GPU: cusparseSpMV of its generic API, algorithm by algorithm.
 *
 * Buffer and preprocessing are part of prepare(), once per matrix. */
#include "device_competitor.h"

#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { CSR, COO, SELL } layout;

/* Nothing is promised for them here; the harness reports whose bits changed. */
static const bench_device_variant variants[] = {
	{ "csr", 0 },      { "csr-alg1", 0 }, { "csr-alg2", 0 },  { "coo", 0 },
	{ "coo-alg1", 0 }, { "coo-alg2", 0 }, { "sell-alg1", 0 }, { NULL, 0 },
};

/* As in `variants`. */
static const struct {
	layout is;
	cusparseSpMVAlg_t alg;
} ways[] = {
	{ CSR, CUSPARSE_SPMV_ALG_DEFAULT }, { CSR, CUSPARSE_SPMV_CSR_ALG1 },
	{ CSR, CUSPARSE_SPMV_CSR_ALG2 },    { COO, CUSPARSE_SPMV_ALG_DEFAULT },
	{ COO, CUSPARSE_SPMV_COO_ALG1 },    { COO, CUSPARSE_SPMV_COO_ALG2 },
	{ SELL, CUSPARSE_SPMV_SELL_ALG1 },
};

enum { ARRAYS = 3, SLICE = 32 /* rows of a slice: a warp */ };

typedef struct {
	cusparseSpMatDescr_t matrix;
	cusparseDnVecDescr_t x, y;
	void *array[ARRAYS], *x_memory, *y_memory, *buffer;
	size_t bytes, x_bytes, y_bytes;
	cudaDataType type;
	cusparseSpMVAlg_t alg;
	float f32[2]; /* alpha, beta */
	double f64[2];
} state;

/* One for all states: a loop over a batch has thousands of them. */
static cusparseHandle_t handle;

static int about(int number, char *text, size_t room)
{
	int runtime = 0, devices = 0;
	const cudaError_t error = cudaGetDeviceCount(&devices);
	if (error || number >= devices) {
		snprintf(text, room, "no driver for it (%s)",
		         error ? cudaGetErrorString(error) : "no such device");
		return -1;
	}
	cudaRuntimeGetVersion(&runtime);
	snprintf(text, room, "%d.%d.%d, CUDA runtime %d.%d", CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR,
	         CUSPARSE_VER_PATCH, runtime / 1000, runtime / 10 % 100);
	return 0;
}

static void release(void *s)
{
	state *p = s;
	if (p->x)
		cusparseDestroyDnVec(p->x);
	if (p->y)
		cusparseDestroyDnVec(p->y);
	if (p->matrix)
		cusparseDestroySpMat(p->matrix);
	for (int n = 0; n < ARRAYS; n++)
		cudaFree(p->array[n]);
	cudaFree(p->x_memory);
	cudaFree(p->y_memory);
	cudaFree(p->buffer);
	free(p);
}

/* ---- arrays ---- */

/* One more array of the matrix on the device. */
static int put(state *p, int n, const void *from, size_t bytes)
{
	p->bytes += bytes;
	return cudaMalloc(&p->array[n], bytes ? bytes : 1) ||
	       cudaMemcpy(p->array[n], from, bytes, cudaMemcpyHostToDevice);
}

static size_t value_size(const bench_device_matrix *a)
{
	return a->f32 ? sizeof(float) : sizeof(double);
}

static int make_csr(state *p, const bench_device_matrix *a)
{
	const size_t nnz = (size_t)a->nnz;
	return put(p, 0, a->row_ptr, ((size_t)a->rows + 1) * sizeof *a->row_ptr) ||
	       put(p, 1, a->col, nnz * sizeof *a->col) || put(p, 2, a->val, nnz * value_size(a)) ||
	       cusparseCreateCsr(&p->matrix, a->rows, a->cols, a->nnz, p->array[0], p->array[1],
	                         p->array[2], CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
	                         CUSPARSE_INDEX_BASE_ZERO, p->type);
}

static int make_coo(state *p, const bench_device_matrix *a)
{
	const size_t nnz = (size_t)a->nnz;
	int32_t *row = malloc((nnz + 1) * sizeof *row);
	if (!row)
		return -1;
	for (int32_t i = 0; i < a->rows; i++)
		for (int32_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
			row[k] = i;
	const int failed = put(p, 0, row, nnz * sizeof *row) ||
	                   put(p, 1, a->col, nnz * sizeof *a->col) ||
	                   put(p, 2, a->val, nnz * value_size(a));
	free(row);
	return failed ||
	       cusparseCreateCoo(&p->matrix, a->rows, a->cols, a->nnz, p->array[0], p->array[1],
	                         p->array[2], CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, p->type);
}

/* Slices of SLICE rows, column by column, each as wide as its longest row; padding has column -1. */
static int64_t cut_slices(const bench_device_matrix *a, int32_t *offset)
{
	int64_t total = 0;
	for (int64_t first = 0, s = 0; first < a->rows; first += SLICE, s++) {
		int32_t widest = 0;
		for (int64_t i = first; i < first + SLICE && i < a->rows; i++)
			if (a->row_ptr[i + 1] - a->row_ptr[i] > widest)
				widest = a->row_ptr[i + 1] - a->row_ptr[i];
		total += (int64_t)SLICE * widest;
		if (total > INT32_MAX)
			return -1;
		offset[s + 1] = (int32_t)total;
	}
	return total;
}

static void fill_slices(const bench_device_matrix *a, const int32_t *offset, int32_t *col,
                        char *val)
{
	const size_t size = value_size(a);
	for (int64_t i = 0; i < a->rows; i++) {
		int64_t at = offset[i / SLICE] + i % SLICE;
		for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++, at += SLICE) {
			col[at] = a->col[k];
			memcpy(val + (size_t)at * size, (const char *)a->val + (size_t)k * size, size);
		}
	}
}

static int make_sell(state *p, const bench_device_matrix *a)
{
	const size_t slices = (size_t)((a->rows + SLICE - 1) / SLICE);
	int32_t *offset = calloc(slices + 1, sizeof *offset);
	const int64_t total = offset ? cut_slices(a, offset) : -1;
	int32_t *col = total < 0 ? NULL : malloc(((size_t)total + 1) * sizeof *col);
	char *val = total < 0 ? NULL : calloc((size_t)total + 1, value_size(a));
	int failed = !col || !val;
	if (!failed) {
		memset(col, 0xff, (size_t)total * sizeof *col);
		fill_slices(a, offset, col, val);
		failed = put(p, 0, offset, (slices + 1) * sizeof *offset) ||
		         put(p, 1, col, (size_t)total * sizeof *col) ||
		         put(p, 2, val, (size_t)total * value_size(a)) ||
		         cusparseCreateSlicedEll(&p->matrix, a->rows, a->cols, a->nnz, total, SLICE,
		                                 p->array[0], p->array[1], p->array[2], CUSPARSE_INDEX_32I,
		                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, p->type);
	}
	free(offset);
	free(col);
	free(val);
	return failed;
}

/* ---- the contender ---- */

static const void *scalar(const state *p, int n)
{
	return p->type == CUDA_R_32F ? (const void *)&p->f32[n] : (const void *)&p->f64[n];
}

static int make_vectors(state *p, const bench_device_matrix *a)
{
	p->x_bytes = (size_t)a->cols * value_size(a);
	p->y_bytes = (size_t)a->rows * value_size(a);
	return cudaMalloc(&p->x_memory, p->x_bytes + 1) || cudaMalloc(&p->y_memory, p->y_bytes + 1) ||
	       cusparseCreateDnVec(&p->x, a->cols, p->x_memory, p->type) ||
	       cusparseCreateDnVec(&p->y, a->rows, p->y_memory, p->type);
}

static int get_ready(state *p)
{
	size_t buffer = 0;
	if (cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, scalar(p, 0), p->matrix,
	                            p->x, scalar(p, 1), p->y, p->type, p->alg, &buffer) ||
	    cudaMalloc(&p->buffer, buffer ? buffer : 1))
		return -1;
	p->bytes += buffer;
#if CUSPARSE_VERSION >= 12400
	if (cusparseSpMV_preprocess(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, scalar(p, 0), p->matrix,
	                            p->x, scalar(p, 1), p->y, p->type, p->alg, p->buffer))
		return -1;
#endif
	return cudaDeviceSynchronize() != cudaSuccess;
}

static int make(state *p, const bench_device_matrix *a, int number, int way)
{
	static int (*const makers[])(state *, const bench_device_matrix *) = { make_csr, make_coo,
		                                                                   make_sell };
	p->type = a->f32 ? CUDA_R_32F : CUDA_R_64F;
	p->alg = ways[way].alg;
	p->f32[0] = 1;
	p->f64[0] = 1;
	p->f32[1] = (float)a->adds;
	p->f64[1] = a->adds;
	return cudaSetDevice(number) || (!handle && cusparseCreate(&handle)) ||
	       makers[ways[way].is](p, a) || make_vectors(p, a) || get_ready(p);
}

static void *prepare(const bench_device_matrix *a, int number, const char *variant, char *why,
                     size_t room)
{
	state *p = calloc(1, sizeof *p);
	int way = 0;
	while (variants[way].name && strcmp(variants[way].name, variant))
		way++;
	if (p && variants[way].name && !make(p, a, number, way))
		return p;
	snprintf(why, room, "not prepared: %s", cudaGetErrorString(cudaGetLastError()));
	if (p)
		release(p);
	return NULL;
}

static int set(void *s, const void *x, const void *y)
{
	const state *p = s;
	return cudaMemcpy(p->x_memory, x, p->x_bytes, cudaMemcpyHostToDevice) ||
	       cudaMemcpy(p->y_memory, y, p->y_bytes, cudaMemcpyHostToDevice);
}

static int queue(void *s)
{
	const state *p = s;
	return cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, scalar(p, 0), p->matrix, p->x,
	                    scalar(p, 1), p->y, p->type, p->alg, p->buffer) != CUSPARSE_STATUS_SUCCESS;
}

static int wait(void *s)
{
	(void)s;
	return cudaDeviceSynchronize() != cudaSuccess;
}

static int get(void *s, void *y)
{
	const state *p = s;
	return cudaMemcpy(y, p->y_memory, p->y_bytes, cudaMemcpyDeviceToHost) != cudaSuccess;
}

static size_t bytes(const void *s)
{
	return ((const state *)s)->bytes;
}

static const bench_device_calls calls = { "cuda", variants, about, prepare, set,
	                                      queue,  wait,     get,   bytes,   release };

BENCH_EXPORT const bench_competitor bench_competitors[] = {
	{ "cusparse", BENCH_DEVICE | BENCH_F32 | BENCH_F64, NULL, NULL, NULL, NULL, &calls },
	{ 0 },
};
