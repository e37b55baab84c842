/* api.c -- tulle_gpu.h: misuse gets a sentence, handles die in any order, queues and memory may be the
 * caller's, threads share a plan. Usage: test_gpu_api [--none]; --none: there must be no device. */
#include "gpu/cuda.h"
#include "gpu/opencl.h"
#include "support.h"
#include "tulle_gpu.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 100 };

static matrix m;
static arrays a;
static tulle_matrix *handle;
static tulle_device *device;
static tulle_queue *queue;
static tulle_device_plan *plan;
static double host_x[N], want[N];

static void make_matrix(void)
{
	uint64_t state = 3;
	int64_t lengths[N];

	for (int i = 0; i < N; i++)
		lengths[i] = random_below(&state, 9);
	m = matrix_new("api", N, N, lengths);
	matrix_random_columns(&m, &state);
	matrix_whole_values(&m, &state, 8);
	a = cast(&m, pairs[0], TULLE_F64, 0);
	handle = borrow(NULL, &m, pairs[0], TULLE_F64, &a);
	for (int i = 0; i < N; i++)
		host_x[i] = i % 7 - 3;
	for (int64_t i = 0; i < N; i++) {
		want[i] = 0;
		for (int64_t k = m.row_ptr[i]; k < m.row_ptr[i + 1]; k++)
			want[i] += m.val[k] * host_x[m.col[k]];
	}
}

static void no_device(void)
{
	tulle_device_info info = { .size = sizeof info };
	int count = -1;

	CHECK_OK(tulle_device_count(NULL, &count));
	CHECK_EQUAL(count, 0);
	CHECK_STATUS(tulle_device_describe(NULL, 0, &info), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_open(NULL, NULL, NULL, &device), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "device libcuda.so.1 OpenCL");
	CHECK(device == NULL);
	CHECK_STATUS(tulle_device_open(NULL, "cuda:0", NULL, &device), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "cuda:0");
	check_group("no device");
}

/* ---- misuse ---- */

static void misuse_of_devices(void)
{
	const tulle_device_options width = { .size = sizeof width, .width = 7 };
	const tulle_device_options negative = { .size = sizeof negative, .width = -1 };
	const tulle_device_options local = { .size = sizeof local, .local_exchange = 2 };
	tulle_device_info info = { .size = 3 };
	tulle_device *d = device;
	tulle_queue *q = queue;
	tulle_vector *v = (tulle_vector *)queue;

	CHECK_STATUS(tulle_device_count(NULL, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_describe(NULL, -1, &info), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_describe(NULL, 0, &info), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_describe(NULL, 0, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_open(NULL, NULL, NULL, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_open(NULL, "opencl:99", NULL, &d), TULLE_E_ARGUMENT);
	CHECK(d == NULL);
	CHECK_WORDS(tulle_last_error(), "opencl:99");
	CHECK_STATUS(tulle_device_open(NULL, "", NULL, &d), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_open(NULL, NULL, &width, &d), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "width 7");
	CHECK_STATUS(tulle_device_open(NULL, NULL, &negative, &d), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_open(NULL, NULL, &local, &d), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_queue_create(NULL, NULL, &q), TULLE_E_ARGUMENT);
	CHECK(q == NULL);
	CHECK_STATUS(tulle_queue_create(device, NULL, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_queue_finish(NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_vector_create(NULL, TULLE_F64, 1, NULL, &v), TULLE_E_ARGUMENT);
	CHECK(v == NULL);
	CHECK_STATUS(tulle_vector_create(device, TULLE_F64, -1, NULL, &v), TULLE_E_ARGUMENT);
	CHECK(v == NULL);
	CHECK_STATUS(tulle_vector_create(device, TULLE_F64, INT64_MAX, NULL, &v), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_vector_create(device, (tulle_value_type)9, 1, NULL, &v), TULLE_E_ARGUMENT);
	for (int type = TULLE_F16; type <= (int)TULLE_BF16; type++) {
		CHECK_STATUS(tulle_vector_create(device, (tulle_value_type)type, 1, NULL, &v),
		             TULLE_E_UNSUPPORTED);
		CHECK_WORDS(tulle_last_error(), "f16 matrices f32");
		CHECK(v == NULL);
	}
	CHECK_STATUS(tulle_vector_create(device, TULLE_F64, INT64_C(1) << 50, NULL, &v),
	             TULLE_E_MEMORY);
	tulle_device_close(NULL);
	tulle_queue_destroy(NULL);
	tulle_vector_destroy(NULL);
	tulle_device_plan_destroy(NULL);
	check_group("misuse of devices, queues and vectors");
}

static tulle_status plan_with(tulle_device_plan_options o)
{
	tulle_device_plan *p = plan;
	tulle_status s;

	o.size = sizeof o;
	s = tulle_device_plan_create(device, handle, &o, &p);
	CHECK(p == NULL);
	return s;
}

static void misuse_of_plans(void)
{
	tulle_device_plan_info info = { .size = sizeof info };
	tulle_device_plan *p = plan;

	CHECK_STATUS(tulle_device_plan_create(NULL, handle, NULL, &p), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_plan_create(device, NULL, NULL, &p), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_plan_create(device, handle, NULL, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(plan_with((tulle_device_plan_options){ .format = "nosuch" }), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "nosuch");
	CHECK_STATUS(plan_with((tulle_device_plan_options){ .format = "csr:kernel=no" }),
	             TULLE_E_ARGUMENT);
	CHECK_STATUS(plan_with((tulle_device_plan_options){ .format = "hot" }), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "hot GPU");
	CHECK_STATUS(plan_with((tulle_device_plan_options){ .op = (tulle_op)5 }), TULLE_E_ARGUMENT);
	CHECK_STATUS(plan_with((tulle_device_plan_options){ .offset_bits = 16 }), TULLE_E_ARGUMENT);
	CHECK_STATUS(plan_with((tulle_device_plan_options){ .reproducible = 3 }), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_plan_describe(NULL, &info), TULLE_E_ARGUMENT);
	CHECK_EQUAL(tulle_device_format(-1, &(tulle_device_format_info){ .size = 8 }), 0);
	check_group("misuse of plans");
}

static void misuse_of_products(tulle_vector *x, tulle_vector *y)
{
	tulle_vector *shorter = NULL, *floats = NULL, *foreign = NULL;
	tulle_device *other = NULL;
	tulle_queue *other_queue = NULL;
	double host[N];

	CHECK_OK(tulle_vector_create(device, TULLE_F64, N - 1, NULL, &shorter));
	CHECK_OK(tulle_vector_create(device, TULLE_F32, N, NULL, &floats));
	CHECK_OK(tulle_device_open(NULL, NULL, NULL, &other));
	CHECK_OK(tulle_queue_create(other, NULL, &other_queue));
	CHECK_OK(tulle_vector_create(other, TULLE_F64, N, NULL, &foreign));
	CHECK_STATUS(tulle_device_mul(NULL, queue, 1, x, 0, y), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_mul(plan, NULL, 1, x, 0, y), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_mul(plan, queue, 1, NULL, 0, y), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_mul(plan, queue, 1, x, 0, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_mul(plan, queue, 1, x, 0, x), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "x y same");
	CHECK_STATUS(tulle_device_mul(plan, queue, 1, shorter, 0, y), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "x 99 100");
	CHECK_STATUS(tulle_device_mul(plan, queue, 1, floats, 0, y), TULLE_E_TYPE);
	CHECK_STATUS(tulle_device_mul(plan, queue, 1, foreign, 0, y), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "x another device");
	CHECK_STATUS(tulle_device_mul(plan, other_queue, 1, x, 0, y), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_vector_write(queue, x, -1, 2, host_x), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_vector_write(queue, x, 1, N, host_x), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_vector_write(queue, x, 0, INT64_MAX, host_x), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_vector_read(queue, x, 0, 1, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_vector_read(other_queue, x, 0, 1, host), TULLE_E_ARGUMENT);
	CHECK_OK(tulle_vector_write(queue, x, N, 0, NULL));
	tulle_vector_destroy(shorter);
	tulle_vector_destroy(floats);
	tulle_device_close(other); /* before what is on it */
	tulle_queue_destroy(other_queue);
	tulle_vector_destroy(foreign);
	check_group("misuse of products");
}

/* ---- right use ---- */

static void check_product(tulle_queue *q, const tulle_device_plan *p, tulle_vector *x,
                          tulle_vector *y)
{
	double got[N];

	for (int i = 0; i < N; i++)
		got[i] = NAN;
	CHECK_OK(tulle_vector_write(q, x, 0, N, host_x));
	CHECK_OK(tulle_vector_write(q, y, 0, N, got));
	CHECK_OK(tulle_device_mul(p, q, 1, x, 0, y));
	CHECK_OK(tulle_vector_read(q, y, 0, N, got));
	for (int i = 0; i < N; i++)
		if (!CHECK_THAT(got[i] == want[i], "y[%d] = %g, not %g", i, got[i], want[i]))
			return;
}

static void vectors_pair(tulle_vector **x, tulle_vector **y)
{
	*x = *y = NULL;
	CHECK_OK(tulle_vector_create(device, TULLE_F64, N, NULL, x));
	CHECK_OK(tulle_vector_create(device, TULLE_F64, N, NULL, y));
}

/* A^T by options.op, against the same plan of a transposed matrix. */
static void transposed(void)
{
	const tulle_device_plan_options o = { .size = sizeof o, .op = TULLE_TRANSPOSED };
	tulle_device_plan *p = NULL;
	tulle_vector *x, *y;
	double got[N];

	vectors_pair(&x, &y);
	if (CHECK_OK(tulle_device_plan_create(device, handle, &o, &p))) {
		double sum[N] = { 0 };

		CHECK_OK(tulle_vector_write(queue, x, 0, N, host_x));
		CHECK_OK(tulle_device_mul(p, queue, 1, x, 0, y));
		CHECK_OK(tulle_vector_read(queue, y, 0, N, got));
		for (int64_t i = 0; i < N; i++)
			for (int64_t k = m.row_ptr[i]; k < m.row_ptr[i + 1]; k++)
				sum[m.col[k]] += m.val[k] * host_x[i];
		CHECK_THAT(memcmp(sum, got, sizeof got) == 0, "A^T x");
	}
	tulle_device_plan_destroy(p);
	tulle_vector_destroy(x);
	tulle_vector_destroy(y);
	check_group("transposed");
}

/* A plan without a format has the first of the ranking for this device. */
static void chosen_format(const char *name)
{
	tulle_device_candidate_info first = { .size = sizeof first };
	tulle_device_model model = { .size = sizeof model };
	tulle_device_plan_info info = { .size = sizeof info };
	tulle_device_ranking *ranking = NULL;

	CHECK_OK(tulle_device_model_find(NULL, name, &model));
	CHECK(strcmp(model.name, name) == 0 && model.units > 0 && model.bandwidth > 0);
	CHECK_OK(tulle_device_ranking_create(handle, &model, NULL, &ranking));
	CHECK(tulle_device_ranking_candidate(ranking, 0, &first) && !first.out);
	CHECK_OK(tulle_device_plan_describe(plan, &info));
	CHECK_THAT(strcmp(info.format, first.format) == 0, "%s, and %s is first", info.format,
	           first.format);
	CHECK_EQUAL(info.launches, first.launches);
	tulle_device_ranking_destroy(ranking);
	check_group("choice of the format");
}

static void *thread_body(void *unused)
{
	tulle_queue *q = NULL;
	tulle_vector *x, *y;

	vectors_pair(&x, &y);
	CHECK_OK(tulle_queue_create(device, NULL, &q));
	for (int n = 0; q && n < 25; n++)
		check_product(q, plan, x, y);
	tulle_vector_destroy(x);
	tulle_vector_destroy(y);
	tulle_queue_destroy(q);
	return unused;
}

static void threads_share_a_plan(void)
{
	enum { THREADS = 4 };
	pthread_t thread[THREADS];

	for (int n = 0; n < THREADS; n++)
		pthread_create(&thread[n], NULL, thread_body, NULL);
	for (int n = 0; n < THREADS; n++)
		pthread_join(thread[n], NULL);
	check_group("threads share a plan");
}

/* The caller's own context, queue and memory for x and y: used, and left alive. */
static void check_import(const char *name, void *context, void *native, void *memory_x,
                         void *memory_y)
{
	const tulle_device_options o = { .size = sizeof o, .native = context };
	tulle_device *mine = NULL;
	tulle_queue *q = NULL;
	tulle_vector *x = NULL, *y = NULL;
	tulle_device_plan *p = NULL;

	CHECK_OK(tulle_device_open(NULL, name, &o, &mine));
	CHECK(tulle_device_native(mine) == context);
	CHECK_OK(tulle_queue_create(mine, native, &q));
	CHECK(tulle_queue_native(q) == native);
	CHECK_OK(tulle_vector_create(mine, TULLE_F64, N, memory_x, &x));
	CHECK_OK(tulle_vector_create(mine, TULLE_F64, N, memory_y, &y));
	if (CHECK_OK(tulle_device_plan_create(mine, handle, NULL, &p)))
		check_product(q, p, x, y);
	tulle_device_plan_destroy(p);
	tulle_vector_destroy(x);
	tulle_vector_destroy(y);
	tulle_queue_destroy(q);
	tulle_device_close(mine);
}

static void check_small_buffer(void *context, void *buffer)
{
	const tulle_device_options o = { .size = sizeof o, .native = context };
	tulle_device *mine = NULL;
	tulle_vector *v = NULL;

	CHECK_OK(tulle_device_open(NULL, "opencl:0", &o, &mine));
	CHECK_EQUAL(tulle_vector_create(mine, TULLE_F64, N + 1, buffer, &v), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "native buffer bytes");
	CHECK(!v);
	tulle_device_close(mine);
}

static void opencl_import(void)
{
	const tulle__opencl_calls *const cl = tulle__opencl_load();
	cl_platform_id platform;
	cl_device_id id;
	cl_context context;
	cl_command_queue native;
	cl_mem buffer[2];
	cl_int error;
	double got[N];

	if (!CHECK(cl->clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS) ||
	    !CHECK(cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL) == CL_SUCCESS))
		return;
	context = cl->clCreateContext(NULL, 1, &id, NULL, NULL, &error);
	CHECK_EQUAL(error, CL_SUCCESS);
	native = cl->clCreateCommandQueue(context, id, 0, &error);
	CHECK_EQUAL(error, CL_SUCCESS);
	for (int n = 0; n < 2; n++)
		buffer[n] = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof host_x, NULL, &error);
	check_small_buffer(context, buffer[0]);
	check_import("opencl:0", context, native, buffer[0], buffer[1]);
	CHECK(cl->clEnqueueReadBuffer(native, buffer[1], 1, 0, sizeof got, got, 0, NULL, NULL) ==
	      CL_SUCCESS);
	CHECK_THAT(memcmp(got, want, sizeof got) == 0, "the caller's own buffer");
	for (int n = 0; n < 2; n++)
		CHECK_EQUAL(cl->clReleaseMemObject(buffer[n]), CL_SUCCESS);
	CHECK_EQUAL(cl->clReleaseCommandQueue(native), CL_SUCCESS);
	CHECK_EQUAL(cl->clReleaseContext(context), CL_SUCCESS);
	check_group("the caller's OpenCL context, queue and buffers");
}

static void cuda_import(void)
{
	const tulle__cuda_functions *const cu = &tulle__cuda_library;
	CUcontext context = tulle_device_native(device), before;
	CUdeviceptr memory[2] = { 0, 0 };
	CUstream stream = NULL;
	double got[N] = { 0 };

	CHECK_EQUAL(cu->cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
	CHECK_EQUAL(cu->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
	for (int n = 0; n < 2; n++)
		CHECK_EQUAL(cu->cuMemAlloc_v2(&memory[n], sizeof host_x), CUDA_SUCCESS);
	check_import("cuda:0", context, stream, (void *)(uintptr_t)memory[0],
	             (void *)(uintptr_t)memory[1]);
	CHECK_EQUAL(cu->cuMemcpyDtoHAsync_v2(got, memory[1], sizeof got, stream), CUDA_SUCCESS);
	CHECK_EQUAL(cu->cuStreamSynchronize(stream), CUDA_SUCCESS);
	CHECK_THAT(memcmp(got, want, sizeof got) == 0, "the caller's own memory");
	for (int n = 0; n < 2; n++)
		CHECK_EQUAL(cu->cuMemFree_v2(memory[n]), CUDA_SUCCESS);
	CHECK_EQUAL(cu->cuStreamDestroy_v2(stream), CUDA_SUCCESS);
	CHECK_EQUAL(cu->cuCtxPopCurrent_v2(&before), CUDA_SUCCESS);
	check_group("the caller's CUDA context, stream and memory");
}

/* Programs come back from the cache and give the same results. */
static void cached(void)
{
	char folder[] = "/tmp/tulle-gpu-api.XXXXXX", command[80];
	tulle_device_options o = { .size = sizeof o, .cache = folder };

	if (!CHECK(mkdtemp(folder)))
		return;
	for (int n = 0; n < 2; n++) {
		tulle_device *kept = device;
		tulle_vector *x, *y;
		tulle_queue *q = NULL;
		tulle_device_plan *p = NULL;

		CHECK_OK(tulle_device_open(NULL, NULL, &o, &device));
		CHECK_OK(tulle_queue_create(device, NULL, &q));
		vectors_pair(&x, &y);
		if (CHECK_OK(tulle_device_plan_create(device, handle, NULL, &p)))
			check_product(q, p, x, y);
		tulle_device_plan_destroy(p);
		tulle_vector_destroy(x);
		tulle_vector_destroy(y);
		tulle_queue_destroy(q);
		tulle_device_close(device);
		device = kept;
	}
	snprintf(command, sizeof command, "ls %s | grep -q opencl", folder);
	CHECK_THAT(system(command) == 0, "nothing was kept in %s", folder);
	snprintf(command, sizeof command, "rm -r %s", folder);
	CHECK_EQUAL(system(command), 0);
	check_group("cache of compiled kernels");
}

int main(int argc, char **argv)
{
	tulle_device_info info = { .size = sizeof info };
	tulle_vector *x, *y;
	int count = 0;

	if (argc > 1 && strcmp(argv[1], "--none") == 0) {
		no_device();
		return check_end();
	}
	CHECK_OK(tulle_device_count(NULL, &count));
	if (count == 0)
		return CHECK_SKIP;
	CHECK_OK(tulle_device_describe(NULL, 0, &info));
	CHECK(info.usable && info.width > 0 && info.units > 0 && info.memory > 0);
	make_matrix();
	if (!CHECK_OK(tulle_device_open(NULL, info.name, NULL, &device)) ||
	    !CHECK_OK(tulle_queue_create(device, NULL, &queue)) ||
	    !CHECK_OK(tulle_device_plan_create(device, handle, NULL, &plan)))
		return check_end();
	vectors_pair(&x, &y);
	misuse_of_devices();
	misuse_of_plans();
	misuse_of_products(x, y);
	check_product(queue, plan, x, y);
	chosen_format(info.name);
	transposed();
	threads_share_a_plan();
	if (strncmp(info.name, "opencl", 6) == 0) {
		opencl_import();
		cached();
	} else {
		cuda_import();
	}
	tulle_device_close(device); /* first, though everything is on it */
	tulle_matrix_destroy(handle);
	check_product(queue, plan, x, y);
	tulle_vector_destroy(x);
	tulle_vector_destroy(y);
	tulle_queue_destroy(queue);
	tulle_device_plan_destroy(plan);
	arrays_free(&a);
	matrix_free(&m);
	return check_end();
}
