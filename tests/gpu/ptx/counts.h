/* counts.h -- counts of what kernels do: instructions, sectors, loads in flight, bank conflicts, bytes through an L2.
 *
 * Between begin and end the interpreter runs threads in warps of 32 lanes (warps.cpp) and counts every instruction that
 * a warp issues. docs/gpu-counts.md defines the counts. The stand-in exports both functions: a program looks them
 * up in libcuda.so.1. */
#ifndef PTX_COUNTS_H
#define PTX_COUNTS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Reset all counts and start counting. l2_bytes: size of the L2 model, which starts empty. */
void ptx_counts_begin(long long l2_bytes);

/* Until the next begin, the L2 model evicts lines of other arrays than the one at this address first, once they are read: what
 * loads with an evict-first hint would do at best. */
void ptx_counts_keep(unsigned long long address);

/* Stop counting. Returns the counts since begin as JSON; valid until the next begin. */
const char *ptx_counts_end(void);

#ifdef __cplusplus
}
#endif

#endif
