/* switch.h -- from one stack to another. */
#ifndef FIBERS_SWITCH_H
#define FIBERS_SWITCH_H

#include <cstddef>

namespace fibers
{
#ifdef __x86_64__
/* Ten times faster than swapcontext(), which asks the kernel for the signal mask each time. */
struct Context {
	void *stack;
};
#else
} // namespace fibers
#include <ucontext.h>
namespace fibers
{
struct Context {
	ucontext_t saved;
};
#endif

/* A context that begins at entry(), which never returns, on the stack of `bytes` bytes. */
void prepare(Context *context, char *stack, std::size_t bytes, void (*entry)());

/* Keeps where we are in `here`, and goes on in `there`. */
void go(Context *here, const Context *there);
} // namespace fibers

#endif
