/* backend.h -- the back end of a stand-in for libcuda: something that runs kernels on the CPU.
 *
 * driver.cpp exports the calls of CUDA's driver API that the library makes (src/gpu/cuda_api.h) and keeps
 * the books; fibers/ and ptx/ each add a back end to it, which makes a libcuda.so.1. */
#ifndef STANDIN_BACKEND_H
#define STANDIN_BACKEND_H

#include "gpu/cuda_api.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/* Back ends derive from these two. */
struct CUfunc_st {
	std::string name;
	std::vector<std::size_t> argument_bytes;
};

struct CUmod_st {
	virtual ~CUmod_st() = default;
	virtual CUfunction find(const std::string &name) = 0; /* NULL: has none of that name */
};

namespace standin
{
/* ---- what a back end has ---- */

extern const char model[];        /* the name of the device */
CUmodule load(const void *image); /* NULL: that is no image */
void run(CUfunction function, unsigned blocks, unsigned threads, void **arguments);

/* ---- what it may use ---- */

/* Where the kernel is that runs now, for the sentence of a fault. */
struct Place {
	const char *kernel;
	long long block;
	int thread;
};
extern Place place;

/* Says what is wrong, and where, on stderr, and aborts the process. */
[[noreturn]] void fault(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Why `bytes` bytes at this address of the device must not be touched; NULL: they may. */
const char *trouble(std::uint64_t address, std::size_t bytes);

/* The array that holds this address, which may be touched. */
struct Extent {
	std::uint64_t base;
	std::size_t bytes;
};
Extent extent_of(std::uint64_t address);

/* A number from the environment. */
long long setting(const char *name, long long otherwise);
} // namespace standin

#endif
