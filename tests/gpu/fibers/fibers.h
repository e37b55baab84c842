/* fibers.h -- threads of a block as fibers of one thread of the CPU: where they are, where they meet. */
#ifndef FIBERS_FIBERS_H
#define FIBERS_FIBERS_H

#include "standin/backend.h"

namespace fibers
{
enum { LANES = 32 };

struct Position {
	unsigned x, y, z;
};
extern Position threadIdx, blockIdx, blockDim, gridDim;

/* Every thread of the block comes to the same barrier, or it is a fault. */
void barrier(const char *where);

/* Every lane of the warp brings a value to the same place, or it is a fault; the values of all lanes. */
const std::uint64_t *exchange(std::uint64_t value, const char *where);

/* A kernel, as register.h hands it over. */
struct Kernel : CUfunc_st {
	void (*body)();
	void (*call)(void (*body)(), void **arguments);
	char *shared; /* the shared memory of its module */
	std::size_t shared_bytes;
};
void add(const Kernel &kernel);
Kernel *named(const std::string &name);
} // namespace fibers

#endif
