/* dialect.h -- the vocabulary in which GPU kernels are written, defined for OpenCL C, CUDA C++ and, for tests, C++.
 *
 * A module (formats/csr/csr.gpu) is plain C that uses these words. It is compiled once per pair of types, with these
 * macros defined by the build:
 *
 *     TULLE_F64    1: R is double, 0: float
 *     TULLE_COMPLEX  1: T, the type of values and vectors, is a complex number, a pair of R; 0: T is R
 *     TULLE_I64    1: I, the type of offsets into the arrays of entries, has 64 bits; 0: 32
 *     WIDTH        lanes of a warp: a power of two; 32 in CUDA
 *     BLOCK        largest number of threads per block; a launch may have fewer, always whole warps
 *     SUBGROUPS    OpenCL: 1: lanes exchange values by sub-group functions, 0: through local memory
 *
 * Rules. Each of them follows from a failure:
 * - shuffle() and warp_sync() are barriers of the whole block where there are no sub-groups: every thread of the block
 *   must reach each of them, the same number of times. A kernel whose warps diverge is launched with blocks of one
 *   warp on such devices (tulle__gpu_warp_block()).
 * - No thread returns before the last shuffle or block_sync(). Threads without work use zeros.
 * - No block waits for another block: there is no guarantee that both run at the same time.
 * - Sums of segments are computed within the segment, never as a difference of prefix sums: one Inf or one large value
 *   would destroy all the others.
 * - Padding is never multiplied: 0 * Inf is NaN. beta == 0 never reads y.
 * - A number that is multiplied by the index of a block or warp is an i64.
 * - restrict is used only in the parameters of kernels: oclgrind fails on the code that the compiler generates for it
 *   in functions.
 * - OpenCL C multiplies pairs part by part. A kernel that is compiled for complex numbers therefore has its products
 *   from the words below (times(), multiply_add(), scaled(), add_scaled(), is_zero()), and ZERO for 0. +, += and - are
 *   those of pairs in all languages. cmake/gpu.cmake lists the modules that are compiled for complex numbers.
 * - Local memory: at most 32 KiB per block. LOCAL arrays are declared at the beginning of a kernel.
 * - Functions are always inlined: if a function is not yet inlined when PoCL 3.1 searches for LOCAL arrays, PoCL makes
 *   a LOCAL array that the function has as an argument static. All blocks that run at the same time then share it.
 */
#ifndef TULLE_GPU_DIALECT_H
#define TULLE_GPU_DIALECT_H

#if TULLE_F64
typedef double R;
#else
typedef float R;
#endif

#if TULLE_COMPLEX && TULLE_F64
typedef double2 T;
#define TYPE_NAME c128
#define CUDA_PAIR make_double2
#elif TULLE_COMPLEX
typedef float2 T;
#define TYPE_NAME c64
#define CUDA_PAIR make_float2
#elif TULLE_F64
typedef double T;
#define TYPE_NAME f64
#else
typedef float T;
#define TYPE_NAME f32
#endif

/* Kernel names contain the types, so that all variants can be linked into one program. */
#if TULLE_I64
#define INDEX_NAME i64
#else
#define INDEX_NAME i32
#endif
#define JOIN3_(a, b, c) a##_##b##_##c
#define JOIN3(a, b, c) JOIN3_(a, b, c)
#define KERNEL_NAME(name) JOIN3(name, TYPE_NAME, INDEX_NAME)

#ifdef __OPENCL_C_VERSION__
/* ---- OpenCL C --------------------------------------------------------------------------------- */

typedef long i64;
#if TULLE_F64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
typedef ulong value_bits;
#define AS_BITS as_ulong
#define AS_VALUE as_double
#define COMPARE_AND_SWAP atom_cmpxchg
#else
typedef uint value_bits;
#define AS_BITS as_uint
#define AS_VALUE as_float
#define COMPARE_AND_SWAP atomic_cmpxchg
#endif

#define GLOBAL __global
#define LOCAL __local
#define LOCAL_POINTER __local
#define FN static inline __attribute__((always_inline))
#if SUBGROUPS && defined(SUBGROUP_SIZE_ATTRIBUTE)
#define KERNEL(name) \
	__kernel __attribute__((intel_reqd_sub_group_size(WIDTH))) void KERNEL_NAME(name)
#else
#define KERNEL(name) __kernel void KERNEL_NAME(name)
#endif

#define thread() ((int)get_local_id(0))
#define threads() ((int)get_local_size(0))
#define block() ((i64)get_group_id(0))
#define blocks() ((i64)get_num_groups(0))
#define block_sync() barrier(CLK_LOCAL_MEM_FENCE)
#if SUBGROUPS
#define warp_sync() sub_group_barrier(CLK_LOCAL_MEM_FENCE)
#else
#define warp_sync() block_sync()
#endif
#define NOT_UNROLLED
#define count_bits(word) ((int)popcount((uint)(word)))
#define load_x(x, i, cached) ((void)(cached), (x)[i])
#define load_once(p) (*(p))
#define PAIR(re, im) ((T)((re), (im)))

#if SUBGROUPS
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
typedef int warp;
#define WARP(w) const warp w = 0
#define shuffle_word(w, v, from) ((void)(w), sub_group_shuffle((v), (uint)((from) & (WIDTH - 1))))
#else
typedef struct {
	__local T *value;
	__local i64 *index;
} warp;
#define WARP(w)                   \
	__local T w##_value[BLOCK];   \
	__local i64 w##_index[BLOCK]; \
	const warp w = { w##_value, w##_index }
#endif

#else
/* ---- CUDA and its stand-ins -------------------------------------------------------------------- */

typedef long long i64;
#define restrict __restrict__
#define GLOBAL
#define LOCAL __shared__
#define LOCAL_POINTER
#define FN static __device__ __forceinline__
/* Three blocks per multiprocessor leave 80 registers per thread. Without this, ptxas uses fewer and spills. */
#define KERNEL(name) extern "C" __global__ void __launch_bounds__(BLOCK, 3) KERNEL_NAME(name)

#define thread() ((int)threadIdx.x)
#define threads() ((int)blockDim.x)
#define block() ((i64)blockIdx.x)
#define blocks() ((i64)gridDim.x)
#define block_sync() __syncthreads()
#define warp_sync() __syncwarp()
#ifdef __CUDACC__
#define NOT_UNROLLED _Pragma("unroll 1")
/* load_once(p): *p, of an array that is not written and whose entries are read once each. This is a hint to evict it
 * first, so that the caches keep x. __ldcs() is not used: it has no .nc, so loads could not move ahead of stores. */
#define LOAD_ONCE(type, suffix, holder, letter)                               \
	FN type load_once(const type *p)                                          \
	{                                                                         \
		holder v;                                                             \
                                                                              \
		asm("ld.global.cs.nc." suffix " %0, [%1];" : "=" letter(v) : "l"(p)); \
		return (type)v;                                                       \
	}
LOAD_ONCE(unsigned char, "u8", unsigned short, "h")
LOAD_ONCE(unsigned short, "u16", unsigned short, "h")
LOAD_ONCE(int, "s32", int, "r")
LOAD_ONCE(float, "f32", float, "f")
LOAD_ONCE(double, "f64", double, "d")
#define LOAD_ONCE_PAIR(type, suffix, letter)                \
	FN type load_once(const type *p)                        \
	{                                                       \
		type v;                                             \
                                                            \
		asm("ld.global.cs.nc.v2." suffix " {%0, %1}, [%2];" \
		    : "=" letter(v.x), "=" letter(v.y)              \
		    : "l"(p));                                      \
		return v;                                           \
	}
LOAD_ONCE_PAIR(float2, "f32", "f")
LOAD_ONCE_PAIR(double2, "f64", "d")
#else
#define NOT_UNROLLED
#define load_once(p) (*(p))
#endif
#define count_bits(word) __popc((unsigned)(word))
#define PAIR(re, im) CUDA_PAIR((re), (im))

typedef int warp;
#define WARP(w) const warp w = 0
#define shuffle_word(w, v, from) \
	((void)(w), __shfl_sync(0xffffffffu, (v), (from) & (WIDTH - 1), WIDTH))

#if TULLE_COMPLEX
FN T operator+(T a, T b)
{
	return PAIR(a.x + b.x, a.y + b.y);
}

FN T &operator+=(T &a, T b)
{
	return a = a + b;
}

FN T operator-(T a)
{
	return PAIR(-a.x, -a.y);
}
#endif
#endif

/* ---- both --------------------------------------------------------------------------------------- */

#if TULLE_I64
typedef i64 I;
#else
typedef int I;
#endif

#define lane() (thread() & (WIDTH - 1))
#define global_thread() (block() * threads() + thread())
#define global_warp() (global_thread() / WIDTH)

/* shuffle(w, v, from): v of lane `from` of the same warp; shuffle_index() is that of an I. */
#ifdef shuffle_word
#define shuffle_index(w, v, from) shuffle_word(w, (I)(v), from)
#if TULLE_COMPLEX
FN T shuffle(warp w, T v, int from)
{
	return PAIR(shuffle_word(w, v.x, from), shuffle_word(w, v.y, from));
}
#else
#define shuffle shuffle_word
#endif
#endif

#ifdef __OPENCL_C_VERSION__

#if !SUBGROUPS
/* v of lane `from` of the same warp. `from` is taken modulo WIDTH, as on every other back end. */
FN T shuffle(warp w, T v, int from)
{
	const int first = thread() & ~(WIDTH - 1);

	w.value[thread()] = v;
	block_sync();
	v = w.value[first | (from & (WIDTH - 1))];
	block_sync();
	return v;
}

FN I shuffle_index(warp w, I v, int from)
{
	const int first = thread() & ~(WIDTH - 1);

	w.index[thread()] = v;
	block_sync();
	v = (I)w.index[first | (from & (WIDTH - 1))];
	block_sync();
	return v;
}
#endif

#if !TULLE_COMPLEX
/* *p += v, atomically: other blocks may do the same. */
FN void add_atomic(volatile GLOBAL T *p, T v)
{
	volatile GLOBAL value_bits *bits = (volatile GLOBAL value_bits *)p;
	value_bits now = COMPARE_AND_SWAP(bits, (value_bits)0, (value_bits)0); /* an atomic read */
	value_bits seen;

	do {
		seen = now;
		now = COMPARE_AND_SWAP(bits, seen, AS_BITS(AS_VALUE(seen) + v));
	} while (now != seen);
}
#endif

/* Returns the previous value. */
FN int add_atomic_int(volatile GLOBAL int *p, int v)
{
	return atomic_add(p, v);
}

#else

/* x[i]. If `cached`, a constant, is not 0, x is read through the read-only path. A kernel for plain loads must declare
 * x without `restrict`: otherwise the compiler uses that path by itself. */
FN T load_x(const T *x, i64 i, int cached)
{
	return cached ? __ldg(x + i) : x[i];
}

#if !TULLE_COMPLEX
FN void add_atomic(T *p, T v)
{
	atomicAdd(p, v);
}
#endif

FN int add_atomic_int(int *p, int v)
{
	return atomicAdd(p, v);
}

#endif

/* ---- numbers ---- */

/* times(a, b): a b, where a is a value of the matrix; multiply_add(s, a, b): s + a b. The same by a factor (alpha,
 * beta): scaled(), add_scaled(). */
#if TULLE_COMPLEX

#define ZERO PAIR(0, 0)
#define ONE PAIR(1, 0)
#define is_zero(a) ((a).x == 0 && (a).y == 0)
#define conjugated(a) PAIR((a).x, -(a).y)

/* The textbook's product, rounded as by the sets of the CPU that have fused multiply-adds (simd/one.h). */
FN T times(T a, T b)
{
	return PAIR(fma(a.x, b.x, -(a.y * b.y)), fma(a.x, b.y, a.y * b.x));
}

FN T multiply_add(T s, T a, T b)
{
	return PAIR(fma(a.x, b.x, -fma(a.y, b.y, -s.x)), fma(a.x, b.y, fma(a.y, b.x, s.y)));
}

/* A factor without an imaginary part multiplies like a real number. */
FN T scaled(T factor, T v)
{
	return factor.y == 0 ? PAIR(factor.x * v.x, factor.x * v.y) : times(factor, v);
}

FN T add_scaled(T s, T factor, T v)
{
	return factor.y == 0 ? PAIR(fma(factor.x, v.x, s.x), fma(factor.x, v.y, s.y))
	                     : multiply_add(s, factor, v);
}

#else

#define ZERO ((T)0)
#define ONE ((T)1)
#define is_zero(a) ((a) == 0)
#define conjugated(a) (a)
#define times(a, b) ((a) * (b))
#define multiply_add(s, a, b) ((s) + (a) * (b))
#define scaled(factor, v) times(factor, v)
#define add_scaled(s, factor, v) multiply_add(s, factor, v)

#endif

#endif
