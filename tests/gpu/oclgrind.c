/* oclgrind.c -- what a program does for oclgrind, by way of the library's own table of OpenCL's functions. */
#include "oclgrind.h"

#include "check.h"
#include "gpu/opencl.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 256 };

static tulle__opencl_calls real; /* as they were before */
static FILE *list;
static struct {
	cl_kernel kernel;
	char name[96];
} known[MOST];
static int kernels;

static tulle__opencl_calls *calls(void)
{
	return (tulle__opencl_calls *)tulle__opencl_load();
}

static cl_int keep(cl_mem memory)
{
	(void)memory;
	return CL_SUCCESS;
}

void oclgrind_keep_buffers(void)
{
	calls()->clReleaseMemObject = keep;
}

static cl_kernel create(cl_program program, const char *name, cl_int *error)
{
	const cl_kernel kernel = real.clCreateKernel(program, name, error);

	if (kernel && CHECK_THAT(kernels < MOST, "more than %d kernels", MOST)) {
		known[kernels].kernel = kernel;
		snprintf(known[kernels++].name, sizeof known->name, "%s", name);
	}
	return kernel;
}

static cl_int launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                     const size_t *first, const size_t *all, const size_t *local, cl_uint waits,
                     const cl_event *wait, cl_event *event)
{
	for (int n = 0; n < kernels; n++)
		if (known[n].kernel == kernel)
			fprintf(list, "%s\n", known[n].name);
	return real.clEnqueueNDRangeKernel(queue, kernel, dimensions, first, all, local, waits, wait,
	                                   event);
}

void oclgrind_list_launches(const char *file)
{
	list = fopen(file, "w");
	if (!CHECK_THAT(list, "%s cannot be written", file))
		return;
	real = *calls();
	calls()->clCreateKernel = create;
	calls()->clEnqueueNDRangeKernel = launch;
}
