// From one stack to another: registers that a function must keep go on the old stack and come from the new.
#include "fibers/switch.h"

#include <cstdint>
#include <cstring>

#ifdef __x86_64__

extern "C" __attribute__((visibility("hidden"))) void fibers_switch(void **old_stack,
                                                                    void *new_stack);
asm(R"(
	.text
	.hidden fibers_switch
	.globl fibers_switch
	.type fibers_switch, @function
fibers_switch:
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq %rsp, (%rdi)
	movq %rsi, %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	ret
	.size fibers_switch, . - fibers_switch
)");

void fibers::prepare(Context *context, char *stack, std::size_t bytes, void (*entry)())
{
	enum { KEPT = 6, ENTRY = KEPT, RETURN, WORDS };
	const std::uintptr_t end =
	    reinterpret_cast<std::uintptr_t>(stack + bytes) & ~std::uintptr_t{ 15 };
	// At its first instruction a function's stack is 8 bytes off a multiple of 16.
	void **const top = reinterpret_cast<void **>(end) - WORDS;

	std::memset(top, 0, WORDS * sizeof *top);
	top[ENTRY] = reinterpret_cast<void *>(entry);
	context->stack = top;
}

void fibers::go(Context *here, const Context *there)
{
	fibers_switch(&here->stack, there->stack);
}

#else

void fibers::prepare(Context *context, char *stack, std::size_t bytes, void (*entry)())
{
	getcontext(&context->saved);
	context->saved.uc_stack.ss_sp = stack;
	context->saved.uc_stack.ss_size = bytes;
	context->saved.uc_link = nullptr;
	makecontext(&context->saved, entry, 0);
}

void fibers::go(Context *here, const Context *there)
{
	swapcontext(&here->saved, &there->saved);
}

#endif
