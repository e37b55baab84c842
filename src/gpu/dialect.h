/* dialect.h -- the vocabulary in which GPU kernels are written, defined for OpenCL C, CUDA C++ and, for tests, C++.
 *
 * A module (formats/csr/csr.gpu) is plain C that uses these words. It is compiled once per pair of types, with these
 * macros defined by the build:
 *
 *     TULLE_F64    1: T is double, 0: float
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
 * - Local memory: at most 32 KiB per block. LOCAL arrays are declared at the beginning of a kernel.
 * - Functions are always inlined: if a function is not yet inlined when PoCL 3.1 searches for LOCAL arrays, PoCL makes
 *   a LOCAL array that the function has as an argument static. All blocks that run at the same time then share it.
 */
#ifndef TULLE_GPU_DIALECT_H
#define TULLE_GPU_DIALECT_H

#if TULLE_F64
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

#if SUBGROUPS
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
typedef int warp;
#define WARP(w) const warp w = 0
#define shuffle(w, v, from) ((void)(w), sub_group_shuffle((v), (uint)((from) & (WIDTH - 1))))
#define shuffle_index(w, v, from) shuffle(w, (I)(v), from)
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
#else
#define NOT_UNROLLED
#define load_once(p) (*(p))
#endif
#define count_bits(word) __popc((unsigned)(word))

typedef int warp;
#define WARP(w) const warp w = 0
#define shuffle(w, v, from) ((void)(w), __shfl_sync(0xffffffffu, (v), (from) & (WIDTH - 1), WIDTH))
#define shuffle_index(w, v, from) shuffle(w, (I)(v), from)
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

FN void add_atomic(T *p, T v)
{
	atomicAdd(p, v);
}

FN int add_atomic_int(int *p, int v)
{
	return atomicAdd(p, v);
}

#endif

/* y = alpha s + beta y for one row. */
FN void store_row(GLOBAL T *y, i64 row, T alpha, T s, T beta)
{
	y[row] = beta == 0 ? alpha * s : alpha * s + beta * y[row];
}

/* ---- entries ---- */

/* How columns and values are stored: constants at every call. */
enum {
	COLUMNS_32,
	COLUMNS_16,  /* unsigned, two in an int */
	VALUES_OWN,  /* as T */
	VALUES_F32,  /* as float, where T is double */
	VALUES_CODE, /* as a byte: which value of a table */
	VALUES_ONE   /* not at all */
};

typedef struct {
	GLOBAL const int *col;
	GLOBAL const void *val;
	LOCAL_POINTER const T *table; /* VALUES_CODE; else not read */
	GLOBAL const T *x;
	i64 ldx; /* elements from that of a column to that of the next: 1, or more where several vectors are side by side */
	int once; /* a constant: columns and values are read by load_once() */
} entries;

#define LOAD_ENTRY(p, once) ((once) ? load_once(p) : *(p))

FN int column_at(entries e, i64 k, const int columns)
{
	return columns == COLUMNS_16 ? LOAD_ENTRY((GLOBAL const unsigned short *)e.col + k, e.once)
	                             : LOAD_ENTRY(e.col + k, e.once);
}

FN T value_at(entries e, i64 k, const int values)
{
	if (values == VALUES_ONE)
		return 1;
	if (values == VALUES_CODE)
		return e.table[LOAD_ENTRY((GLOBAL const unsigned char *)e.val + k, e.once)];
	return values == VALUES_F32 ? (T)LOAD_ENTRY((GLOBAL const float *)e.val + k, e.once)
	                            : LOAD_ENTRY((GLOBAL const T *)e.val + k, e.once);
}

/* Where value k is. */
FN GLOBAL const void *values_from(entries e, i64 k, const int values)
{
	return values == VALUES_ONE    ? e.val
	       : values == VALUES_CODE ? (GLOBAL const void *)((GLOBAL const unsigned char *)e.val + k)
	       : values == VALUES_F32  ? (GLOBAL const void *)((GLOBAL const float *)e.val + k)
	                               : (GLOBAL const void *)((GLOBAL const T *)e.val + k);
}

/* Adds to s, in this order, the products of the `count` entries whose columns are at c, c + c_stride, ... and whose
 * values are at v, v + v_stride, .... Four entries are loaded before the first of them is used, so that a lane has
 * four loads in flight. The remaining entries, up to three, come last. A compiler that unrolls the loop puts them
 * first: lanes with different counts are then at different steps, and their loads are not coalesced. */
FN T add_entries(T s, entries e, I c, I c_stride, I v, I v_stride, I count, const int columns,
                 const int values, const int cached)
{
	NOT_UNROLLED
	for (; count >= 4; count -= 4, c += 4 * c_stride, v += 4 * v_stride) {
		const I c1 = c + c_stride, c2 = c1 + c_stride, v1 = v + v_stride, v2 = v1 + v_stride;
		const int j0 = column_at(e, c, columns), j1 = column_at(e, c1, columns);
		const int j2 = column_at(e, c2, columns), j3 = column_at(e, c2 + c_stride, columns);
		const T a0 = value_at(e, v, values), a1 = value_at(e, v1, values);
		const T a2 = value_at(e, v2, values), a3 = value_at(e, v2 + v_stride, values);
		const T x0 = load_x(e.x, j0 * e.ldx, cached), x1 = load_x(e.x, j1 * e.ldx, cached);
		const T x2 = load_x(e.x, j2 * e.ldx, cached), x3 = load_x(e.x, j3 * e.ldx, cached);

		s += a0 * x0;
		s += a1 * x1;
		s += a2 * x2;
		s += a3 * x3;
	}
	if (count > 0) {
		const I c1 = c + c_stride, c2 = c1 + c_stride, v1 = v + v_stride, v2 = v1 + v_stride;
		const int j0 = column_at(e, c, columns), j1 = count > 1 ? column_at(e, c1, columns) : 0;
		const int j2 = count > 2 ? column_at(e, c2, columns) : 0;
		const T a0 = value_at(e, v, values), a1 = count > 1 ? value_at(e, v1, values) : 0;
		const T a2 = count > 2 ? value_at(e, v2, values) : 0;
		const T x0 = load_x(e.x, j0 * e.ldx, cached);
		const T x1 = count > 1 ? load_x(e.x, j1 * e.ldx, cached) : 0;
		const T x2 = count > 2 ? load_x(e.x, j2 * e.ldx, cached) : 0;

		s += a0 * x0;
		if (count > 1)
			s += a1 * x1;
		if (count > 2)
			s += a2 * x2;
	}
	return s;
}

/* The sum of `count` entries k, k + stride, ..., stored in full. The distance from the first to the last must fit in
 * I. */
FN T sum_entries(i64 k, I stride, I count, GLOBAL const int *col, GLOBAL const T *val,
                 GLOBAL const T *x, const int cached)
{
	const entries e = { col + k, val + k, 0, x, 1, 0 };

	return add_entries(0, e, 0, stride, 0, stride, count, COLUMNS_32, VALUES_OWN, cached);
}

/* The sum of every 2^shift-th of the entries begin .. end - 1, starting with that of lane `part`. */
FN T sum_part(I begin, I end, int part, int shift, GLOBAL const int *col, GLOBAL const T *val,
              GLOBAL const T *x, const int cached)
{
	const I lanes = (I)1 << shift;

	return sum_entries((i64)begin + part, lanes, (end - begin - part + lanes - 1) >> shift, col,
	                   val, x, cached);
}

/* The sum of v over each group of `lanes` lanes (a power of two), in the group's first lane. */
FN T group_sum(warp w, T v, int lanes)
{
	for (int d = lanes / 2; d > 0; d /= 2)
		v += shuffle(w, v, lane() + d);
	return v;
}

/* The sum of v over this lane and the lanes directly before it that have the same key. Lanes of one segment are
 * adjacent; a segment has at most `lanes` of them (a power of two). */
FN T segment_scan(warp w, T v, I key, int lanes)
{
	for (int d = 1; d < lanes; d *= 2) {
		const I before = shuffle_index(w, key, lane() - d);
		const T more = shuffle(w, v, lane() - d);

		if (lane() >= d && before == key)
			v += more;
	}
	return v;
}

/* ---- rows that several warps share ---------------------------------------------------------------- */

/* The last of the rows first .. last that begins at or before entry k. This is the row of entry k if it is among
 * them. */
FN int find_row(GLOBAL const I *row_ptr, int first, int last, I k)
{
	while (first < last) {
		const int middle = last - (last - first) / 2;

		if (row_ptr[middle] <= k)
			first = middle;
		else
			last = middle - 1;
	}
	return first;
}

/* The entries of one warp, processed in row order, WIDTH at a time. Sums of rows that belong to this warp alone are
 * written to y. Row `head` begins before the warp's entries and row `tail` continues after them (-1: none). Their sums
 * are stored in carry[0] and carry[1], and a later launch adds them (kernel `carries`). A row that is both head and
 * tail has its sum in carry[0]. */
typedef struct {
	int head, tail;
	GLOBAL T *carry;
	GLOBAL T *y;
	T alpha, beta;
	int row; /* that of the last entry so far, -1 before the first; its sum */
	T sum;
} share;

FN void share_put(const share *s, int row, T sum)
{
	if (row >= 0 && row == s->head)
		s->carry[0] = sum;
	else if (row >= 0 && row == s->tail)
		s->carry[1] = sum;
	else if (row >= 0)
		store_row(s->y, row, s->alpha, sum, s->beta);
}

/* v is the product of this lane's entry, `row` its row. Lanes after the last entry pass 0 and -1. */
FN void share_step(warp w, share *s, T v, int row)
{
	I next;

	if (lane() == 0 && s->row == row)
		v += s->sum;
	else if (lane() == 0)
		share_put(s, s->row, s->sum);
	v = segment_scan(w, v, (I)row, WIDTH);
	next = shuffle_index(w, (I)row, lane() + 1);
	if (lane() < WIDTH - 1 && next != row)
		share_put(s, row, v);
	s->sum = shuffle(w, v, WIDTH - 1);
	s->row = (int)shuffle_index(w, (I)row, WIDTH - 1);
}

/* After the last step. */
FN void share_end(const share *s)
{
	if (lane() == 0)
		share_put(s, s->row, s->sum);
}

#endif
