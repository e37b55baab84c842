/* cuda.h -- the words of CUDA C++ that the dialect is written on, for g++: one fiber a thread. */
#ifndef FIBERS_CUDA_H
#define FIBERS_CUDA_H

#include "fibers/fibers.h"

#include <cmath>
#include <cstring>

using std::fma;

using fibers::blockDim;
using fibers::blockIdx;
using fibers::gridDim;
using fibers::threadIdx;

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(threads, blocks)
#define __shared__ static __attribute__((section(FIBERS_STRING(FIBERS_SHARED))))

/* Aligned to their size, as CUDA's. */
struct alignas(8) float2 {
	float x, y;
};

struct alignas(16) double2 {
	double x, y;
};

static inline float2 make_float2(float x, float y)
{
	return { x, y };
}

static inline double2 make_double2(double x, double y)
{
	return { x, y };
}

/* A line of a file, which all threads that meet must have in common. */
#define FIBERS_STRING_(text) #text
#define FIBERS_STRING(text) FIBERS_STRING_(text)
#define FIBERS_HERE __FILE__ ":" FIBERS_STRING(__LINE__)

#define __syncthreads() fibers::barrier(FIBERS_HERE)
#define __syncwarp() (void)fibers::exchange(0, FIBERS_HERE)
#define __shfl_sync(mask, value, from, width) fibers_shuffle(mask, value, from, width, FIBERS_HERE)

template <class V>
static inline V fibers_shuffle(unsigned mask, V value, int from, int width, const char *where)
{
	static_assert(sizeof(V) <= sizeof(std::uint64_t), "a shuffle moves at most 8 bytes");
	std::uint64_t bits = 0;

	if (mask != 0xffffffffu || width != fibers::LANES)
		standin::fault("%s: a shuffle that is not of the whole warp", where);
	if (from < 0 || from >= fibers::LANES)
		standin::fault("%s: a shuffle from lane %d", where, from);
	std::memcpy(&bits, &value, sizeof value);
	bits = fibers::exchange(bits, where)[from];
	std::memcpy(&value, &bits, sizeof value);
	return value;
}

static inline int __popc(unsigned word)
{
	return __builtin_popcount(word);
}

template <class V> static inline V __ldg(const V *p)
{
	return *p;
}

/* Fibers change only where they meet: nothing comes between these lines. */
template <class V> static inline V atomicAdd(V *p, V v)
{
	const V was = *p;

	*p = was + v;
	return was;
}

#endif
