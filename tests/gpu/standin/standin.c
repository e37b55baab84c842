/* standin.c -- the stand-ins for libcuda are right about a good kernel, and report every bad one.
 *
 * Usage: test_gpu_standin fibers|sanitized|ptx bad.ptx, with the stand-in on LD_LIBRARY_PATH. Each case runs
 * in a process of its own, whose last words are read. */
#include "check.h"
#include "gpu/cuda_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 256, THREADS = 256, FIBERS = 1, SANITIZED = 2, PTX = 4, ALL = 7 };

static struct {
#define MEMBER(name, ...) CUresult(*(name)) __VA_ARGS__;
	TULLE__CUDA_CALLS(MEMBER)
#undef MEMBER
} cuda;

static char *ptx; /* of the kernels */
static CUcontext context;
static CUmodule module;
static CUdeviceptr in, out;
static CUstream stream;

static void must(CUresult result, const char *call)
{
	if (result != CUDA_SUCCESS) {
		fprintf(stderr, "%s: %d\n", call, result);
		exit(3);
	}
}
#define MUST(name, ...) must(cuda.name(__VA_ARGS__), #name)

static void load(void)
{
	void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(3);
	}
#define LOOK_UP(name, ...) *(void **)&cuda.name = dlsym(library, #name);
	TULLE__CUDA_CALLS(LOOK_UP)
#undef LOOK_UP
}

static void read_ptx(const char *path)
{
	FILE *const file = fopen(path, "rb");
	const size_t most = 1 << 20;

	ptx = calloc(1, most);
	if (!file || !ptx || fread(ptx, 1, most - 1, file) == 0) {
		fprintf(stderr, "%s cannot be read\n", path);
		exit(3);
	}
	fclose(file);
}

/* ---- what the processes do ---- */

static void begin(void)
{
	double values[N];

	for (int i = 0; i < N; i++)
		values[i] = i;
	MUST(cuInit, 0);
	MUST(cuDevicePrimaryCtxRetain, &context, 0);
	MUST(cuCtxPushCurrent_v2, context);
	MUST(cuModuleLoadData, &module, ptx);
	MUST(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
	MUST(cuMemAlloc_v2, &in, sizeof values);
	MUST(cuMemAlloc_v2, &out, sizeof values);
	MUST(cuMemcpyHtoDAsync_v2, in, values, sizeof values, stream);
	MUST(cuStreamSynchronize, stream);
}

static void end(void)
{
	MUST(cuMemFree_v2, in);
	MUST(cuMemFree_v2, out);
	MUST(cuStreamDestroy_v2, stream);
	MUST(cuModuleUnload, module);
	MUST(cuDevicePrimaryCtxRelease_v2, 0);
}

static void launch(const char *name, unsigned blocks, unsigned threads)
{
	long long n = N;
	void *arguments[] = { &n, &in, &out };
	CUfunction function;
	char full[64];

	snprintf(full, sizeof full, "%s_f64_i32", name);
	MUST(cuModuleGetFunction, &function, module, full);
	MUST(cuLaunchKernel, function, blocks, 1, 1, threads, 1, 1, 0, stream, arguments, NULL);
	n = -1; /* arguments were copied */
}

/* Exit status 4 for wrong results. */
static void read_results(double *y)
{
	MUST(cuMemcpyDtoHAsync_v2, y, out, N * sizeof *y, stream);
	MUST(cuStreamSynchronize, stream);
}

static void run_good(const char *name)
{
	double y[N];

	begin();
	launch(name, N / THREADS, THREADS);
	read_results(y);
	for (int i = 0; i < N; i++) {
		const int first = i / 32 * 32;

		if (y[i] != first * 32 + 31 * 16 + (i + 1) % N) {
			fprintf(stderr, "y[%d] = %g\n", i, y[i]);
			exit(4);
		}
	}
	end();
}

static void run_kernel(const char *name)
{
	begin();
	launch(name, N / THREADS, THREADS);
	MUST(cuStreamSynchronize, stream);
	end();
}

static void run_two_blocks(const char *name)
{
	begin();
	launch(name, 2, THREADS / 2);
	MUST(cuStreamSynchronize, stream);
	end();
}

/* What was never written is NaN. */
static void run_not_written(const char *name)
{
	double y[N];

	begin();
	launch(name, N / THREADS, THREADS);
	read_results(y);
	for (int i = 0; i < N; i++)
		if (y[i] == y[i])
			exit(4);
	fprintf(stderr, "all NaN\n");
	abort();
}

static void free_too_early(const char *name)
{
	begin();
	launch(name, N / THREADS, THREADS);
	MUST(cuMemFree_v2, in);
	MUST(cuStreamSynchronize, stream);
}

static void copy_too_late(const char *name)
{
	double y[N];

	(void)name;
	begin();
	MUST(cuMemcpyHtoDAsync_v2, out, y, sizeof y, stream);
	MUST(cuMemFree_v2, out);
	MUST(cuStreamSynchronize, stream);
}

static void hold_memory(const char *name)
{
	(void)name;
	begin();
	MUST(cuMemFree_v2, in);
	exit(0);
}

static void forget_context(const char *name)
{
	(void)name;
	begin();
	MUST(cuCtxPopCurrent_v2, &context);
	must(cuda.cuCtxSynchronize(), "cuCtxSynchronize");
}

static void take_half_a_warp(const char *name)
{
	begin();
	launch(name, 1, 16);
}

static void copy_beyond_the_end(const char *name)
{
	static double y[2 * N];

	(void)name;
	begin();
	MUST(cuMemcpyDtoHAsync_v2, y, out, sizeof y, stream);
}

/* ---- what they must say ---- */

static const struct {
	const char *name, *says; /* says == NULL: nothing, and ends well */
	void (*run)(const char *name);
	int by; /* which stand-ins can tell */
} cases[] = {
	{ "good", NULL, run_good, ALL },
	{ "left_before_shuffle", "left the kernel", run_kernel, ALL },
	{ "left_before_barrier", "left the kernel", run_kernel, ALL },
	{ "different_shuffles", "thread bad.gpu", run_kernel, FIBERS | SANITIZED },
	{ "different_shuffles", "another place", run_kernel, PTX },
	{ "different_barriers", "bad.gpu meeting", run_kernel, FIBERS | SANITIZED },
	{ "different_barriers", "another place", run_kernel, PTX },
	{ "barrier_and_shuffle", "threads that are elsewhere", run_kernel, ALL },
	{ "read_outside", "heap-buffer-overflow READ", run_kernel, SANITIZED },
	{ "read_outside", "global read outside every array", run_kernel, PTX },
	{ "write_outside", "heap-buffer-overflow WRITE", run_kernel, SANITIZED },
	{ "write_outside", "global write outside every array", run_kernel, PTX },
	{ "not_aligned", "misaligned address", run_kernel, SANITIZED },
	{ "not_aligned", "not aligned", run_kernel, PTX },
	{ "shared_race", "shared race", run_kernel, PTX },
	{ "shared_outside", "outside its array", run_kernel, PTX },
	{ "global_race", "global race", run_two_blocks, PTX },
	{ "not_written", "all NaN", run_not_written, ALL },
	{ "overflow", "signed integer overflow", run_kernel, SANITIZED },
	{ "good", "heap-use-after-free", free_too_early, SANITIZED },
	{ "good", "outside every array", free_too_early, PTX },
	{ "no kernel: a copy whose turn comes too late", "reached its turn", copy_too_late, ALL },
	{ "no kernel: memory that is never given back", "still holds", hold_memory, ALL },
	{ "no kernel: no context", "cuCtxSynchronize: 201", forget_context, ALL },
	{ "good", "cuLaunchKernel: 1", take_half_a_warp, ALL },
	{ "no kernel: a copy beyond the end", "cuMemcpyDtoHAsync_v2: 1", copy_beyond_the_end, ALL },
};

/* Runs a case in a process of its own; its exit status, -1 for a signal, and what it said. */
static int run_apart(size_t n, char *said, size_t size)
{
	int ends[2], status = 0;
	size_t length = 0;
	ssize_t more;
	pid_t child;

	fflush(NULL);
	if (pipe(ends) != 0 || (child = fork()) < 0)
		return 3;
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		load();
		cases[n].run(cases[n].name);
		exit(0);
	}
	close(ends[1]);
	while ((more = read(ends[0], said + length, size - 1 - length)) > 0)
		length += (size_t)more;
	said[length] = '\0';
	close(ends[0]);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
	static char said[1 << 16];
	const int by = argc < 3                            ? 0
	               : strcmp(argv[1], "fibers") == 0    ? FIBERS
	               : strcmp(argv[1], "sanitized") == 0 ? SANITIZED
	               : strcmp(argv[1], "ptx") == 0       ? PTX
	                                                   : 0;

	if (!by) {
		fprintf(stderr, "usage: test_gpu_standin fibers|sanitized|ptx bad.ptx\n");
		return 2;
	}
	read_ptx(argv[2]);
	for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
		int status;

		if (!(cases[n].by & by))
			continue;
		check_about("%s", cases[n].name);
		status = run_apart(n, said, sizeof said);
		CHECK_THAT((status == 0) == !cases[n].says, "ended with %d and said: %s", status, said);
		if (cases[n].says)
			CHECK_WORDS(said, cases[n].says);
	}
	free(ptx);
	return check_end();
}
