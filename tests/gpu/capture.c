/* capture.c -- products in CUDA streams of the caller: in the default streams, in one that is destroyed before the
 * queue, and captured: the graph gives the bits of a product that was not captured, for formats with and without
 * working memory. Usage: test_gpu_capture [--format FORMAT]; skipped without CUDA. */
#include "gpu/cuda.h"
#include "support.h"
#include "tulle_gpu.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3000 };

typedef struct CUgraph_st *CUgraph;

/* Calls that the library does not make. */
static struct {
	CUresult (*begin)(CUstream stream, int mode);
	CUresult (*end)(CUstream stream, CUgraph *graph);
	CUresult (*instantiate)(CUgraph *exec, CUgraph graph, unsigned long long flags);
	CUresult (*launch)(CUgraph exec, CUstream stream);
	CUresult (*destroy_exec)(CUgraph exec);
	CUresult (*destroy)(CUgraph graph);
} graphs;

static int find(void *library, const char *name, void *function)
{
	void *const found = dlsym(library, name);

	memcpy(function, &found, sizeof found);
	return CHECK_THAT(found != NULL, "%s is missing", name);
}

static int find_calls(void)
{
	void *const library = dlopen("libcuda.so.1", RTLD_NOW);

	return library && find(library, "cuStreamBeginCapture_v2", &graphs.begin) &&
	       find(library, "cuStreamEndCapture", &graphs.end) &&
	       find(library, "cuGraphInstantiateWithFlags", &graphs.instantiate) &&
	       find(library, "cuGraphLaunch", &graphs.launch) &&
	       find(library, "cuGraphExecDestroy", &graphs.destroy_exec) &&
	       find(library, "cuGraphDestroy", &graphs.destroy);
}

/* One long row, so that formats with equal shares have carries. */
static matrix make_matrix(void)
{
	uint64_t state = 5;
	int64_t lengths[N];
	matrix m;

	for (int i = 0; i < N; i++)
		lengths[i] = random_below(&state, 5);
	lengths[N / 2] = N - 1;
	m = matrix_new("capture", N, N, lengths);
	matrix_random_columns(&m, &state);
	for (int64_t k = 0; k < m.nnz; k++)
		m.val[k] = random_unit(&state);
	return m;
}

typedef struct {
	tulle_device *device;
	tulle_queue *queue;
	tulle_vector *x, *y;
	double want[N];
} scene;

static void fill_y(const scene *s)
{
	double none[N];

	for (int i = 0; i < N; i++)
		none[i] = NAN;
	CHECK_OK(tulle_vector_write(s->queue, s->y, 0, N, none));
}

static void check_y(const scene *s, const char *about)
{
	double got[N];

	CHECK_OK(tulle_vector_read(s->queue, s->y, 0, N, got));
	CHECK_THAT(memcmp(got, s->want, sizeof got) == 0, "%s: other bits than without capture", about);
}

/* Begins with working memory that is too small for the plan, or absent. */
static void check_format(scene *s, const tulle_matrix *a, const char *format)
{
	const tulle_device_plan_options o = { .size = sizeof o, .format = format };
	CUstream stream = tulle_queue_native(s->queue);
	CUcontext before, context = tulle_device_native(s->device);
	tulle_device_plan *plan = NULL;
	CUgraph graph = NULL, exec = NULL;

	if (!CHECK_OK(tulle_device_plan_create(s->device, a, &o, &plan)))
		return;
	CHECK_OK(tulle_device_mul_prepare(plan, s->queue));
	CHECK_EQUAL(tulle__cuda_library.cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
	CHECK_EQUAL(graphs.begin(stream, 0), CUDA_SUCCESS);
	CHECK_OK(tulle_device_mul(plan, s->queue, 1, s->x, 0, s->y));
	if (CHECK_EQUAL(graphs.end(stream, &graph), CUDA_SUCCESS) &&
	    CHECK_EQUAL(graphs.instantiate(&exec, graph, 0), CUDA_SUCCESS)) {
		fill_y(s);
		CHECK_OK(tulle_device_mul(plan, s->queue, 1, s->x, 0, s->y));
		CHECK_OK(tulle_vector_read(s->queue, s->y, 0, N, s->want));
		for (int n = 0; n < 2; n++) {
			fill_y(s);
			CHECK_EQUAL(graphs.launch(exec, stream), CUDA_SUCCESS);
			check_y(s, format);
		}
	}
	CHECK_EQUAL(graphs.destroy_exec(exec), CUDA_SUCCESS);
	CHECK_EQUAL(graphs.destroy(graph), CUDA_SUCCESS);
	CHECK_EQUAL(tulle__cuda_library.cuCtxPopCurrent_v2(&before), CUDA_SUCCESS);
	tulle_device_plan_destroy(plan);
	check_group("%s", format);
}

/* Without tulle_device_mul_prepare(), working memory would be allocated during the capture. */
static void check_unprepared(scene *s, const tulle_matrix *a)
{
	const tulle_device_plan_options o = { .size = sizeof o, .format = "csr5" };
	CUcontext before, context = tulle_device_native(s->device);
	CUstream stream = tulle_queue_native(s->queue);
	tulle_device_plan *plan = NULL;
	CUgraph graph = NULL;

	if (!CHECK_OK(tulle_device_plan_create(s->device, a, &o, &plan)))
		return;
	CHECK_EQUAL(tulle__cuda_library.cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
	CHECK_EQUAL(graphs.begin(stream, 0), CUDA_SUCCESS);
	CHECK_STATUS(tulle_device_mul(plan, s->queue, 1, s->x, 0, s->y), TULLE_E_DEVICE);
	CHECK_WORDS(tulle_last_error(), "CAPTURE");
	CHECK_EQUAL(graphs.end(stream, &graph), CUDA_SUCCESS);
	CHECK_EQUAL(graphs.destroy(graph), CUDA_SUCCESS);
	CHECK_EQUAL(tulle__cuda_library.cuCtxPopCurrent_v2(&before), CUDA_SUCCESS);
	CHECK_STATUS(tulle_device_mul_prepare(NULL, s->queue), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_mul_prepare(plan, NULL), TULLE_E_ARGUMENT);
	tulle_device_plan_destroy(plan);
	check_group("not prepared");
}

/* A product in the caller's stream, which may be destroyed before plan and queue. */
static void check_stream(scene *s, const tulle_matrix *a, CUstream stream, int destroy)
{
	const tulle_device_plan_options o = { .size = sizeof o,
		                                  .format = "csr5" }; /* has working memory */
	tulle_device_plan *plan = NULL;
	tulle_queue *own = s->queue, *queue = NULL;

	CHECK_OK(tulle_queue_create(s->device, stream, &queue));
	if (CHECK_OK(tulle_device_plan_create(s->device, a, &o, &plan))) {
		CHECK_OK(tulle_device_mul(plan, own, 1, s->x, 0, s->y));
		CHECK_OK(tulle_vector_read(own, s->y, 0, N, s->want));
		fill_y(s);
		CHECK_OK(tulle_device_mul(plan, queue, 1, s->x, 0, s->y));
		s->queue = queue;
		check_y(s, "the caller's stream");
		s->queue = own;
	}
	if (destroy)
		CHECK_EQUAL(tulle__cuda_library.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
	tulle_device_plan_destroy(plan);
	tulle_queue_destroy(queue);
}

static void check_streams(scene *s, const tulle_matrix *a)
{
	CUcontext before, context = tulle_device_native(s->device);
	CUstream stream = NULL;

	CHECK_EQUAL(tulle__cuda_library.cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
	CHECK_EQUAL(tulle__cuda_library.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
	check_stream(s, a, stream, 1);
	for (uintptr_t handle = 1; handle <= 2; handle++) /* CU_STREAM_LEGACY, CU_STREAM_PER_THREAD */
		check_stream(s, a, (CUstream)handle, 0);
	CHECK_EQUAL(tulle__cuda_library.cuCtxPopCurrent_v2(&before), CUDA_SUCCESS);
	CHECK(tulle_vector_native(s->x) && tulle_vector_native(s->x) != tulle_vector_native(s->y));
	CHECK(!tulle_vector_native(NULL));
	check_group("streams of the caller");
}

int main(int argc, char **argv)
{
	const char *const only = argc > 2 ? argv[argc - 1] : NULL; /* --format FORMAT */
	static const char *const formats[] = {
		"sell", "csr:kernel=vector", "csr:kernel=adaptive", "csr:kernel=balanced", "csr5", "coo"
	};
	matrix m = make_matrix();
	arrays arr = cast(&m, pairs[0], TULLE_F64, 0);
	tulle_matrix *a = borrow(NULL, &m, pairs[0], TULLE_F64, &arr);
	static scene s;
	double x[N];

	for (int i = 0; i < N; i++)
		x[i] = 1.0 / (3 + i);
	if (tulle_device_open(NULL, "cuda:0", NULL, &s.device) != TULLE_OK)
		return CHECK_SKIP;
	if (!find_calls())
		return check_end();
	CHECK_OK(tulle_queue_create(s.device, NULL, &s.queue));
	CHECK_OK(tulle_vector_create(s.device, TULLE_F64, N, NULL, &s.x));
	CHECK_OK(tulle_vector_create(s.device, TULLE_F64, N, NULL, &s.y));
	CHECK_OK(tulle_vector_write(s.queue, s.x, 0, N, x));
	check_unprepared(&s, a);
	check_streams(&s, a);
	for (size_t n = 0; n < sizeof formats / sizeof *formats; n++)
		if (!only || strcmp(only, formats[n]) == 0)
			check_format(&s, a, formats[n]);
	tulle_vector_destroy(s.x);
	tulle_vector_destroy(s.y);
	tulle_queue_destroy(s.queue);
	tulle_device_close(s.device);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	matrix_free(&m);
	return check_end();
}
