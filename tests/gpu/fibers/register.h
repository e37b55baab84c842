/* register.h -- hands every kernel of a module to the back end, under its name and with its types.
 *
 * Kernels need no list: KERNEL(name)(parameters) becomes the name, kept under a number, and a function
 * with a parameter more, whose type tells the number. FIBERS_PARAMETERS is at the end of what KERNEL
 * becomes, so that it takes the parameters in the brackets that follow. */
#ifndef FIBERS_REGISTER_H
#define FIBERS_REGISTER_H

#include "fibers/fibers.h"

#include <utility>

namespace fibers
{
template <std::size_t N> struct Number {
};

template <std::size_t N, class... A, std::size_t... I>
void call(void (*body)(Number<N>, A...), void **arguments, std::index_sequence<I...>)
{
	body(Number<N>(), *static_cast<A *>(arguments[I])...);
}

template <std::size_t N, class... A>
void add_kernel(void (*body)(Number<N>, A...), const char *name, char *shared, std::size_t bytes)
{
	Kernel kernel;

	kernel.name = name;
	kernel.argument_bytes = { sizeof(A)... };
	kernel.body = reinterpret_cast<void (*)()>(body);
	kernel.call = [](void (*any)(), void **arguments) {
		call(reinterpret_cast<void (*)(Number<N>, A...)>(any), arguments,
		     std::index_sequence_for<A...>());
	};
	kernel.shared = shared;
	kernel.shared_bytes = bytes;
	add(kernel);
}
} // namespace fibers

template <std::size_t N> static const char *fibers_name();
static constexpr std::size_t FIBERS_FIRST = __COUNTER__ + 1;

/* The name takes one number, the parameters the next. */
#undef KERNEL
#define KERNEL(name) FIBERS_KERNEL(__COUNTER__, KERNEL_NAME(name))
#define FIBERS_KERNEL(number, name)               \
	template <> const char *fibers_name<number>() \
	{                                             \
		return FIBERS_STRING(name);               \
	}                                             \
	static void fibers_body FIBERS_PARAMETERS
#define FIBERS_PARAMETERS(...) (fibers::Number<__COUNTER__>, __VA_ARGS__)

/* Stands after the module. The linker knows where its shared memory begins and ends. */
#define FIBERS_JOIN_(a, b) a##b
#define FIBERS_JOIN(a, b) FIBERS_JOIN_(a, b)
#define FIBERS_BEGIN FIBERS_JOIN(__start_, FIBERS_SHARED)
#define FIBERS_END FIBERS_JOIN(__stop_, FIBERS_SHARED)
#define FIBERS_REGISTER                                                                       \
	extern "C" __attribute__((weak, visibility("hidden"))) char FIBERS_BEGIN[], FIBERS_END[]; \
	template <std::size_t... N> static bool fibers_add(std::index_sequence<N...>)             \
	{                                                                                         \
		(fibers::add_kernel<FIBERS_FIRST + 2 * N + 1>(                                        \
		     fibers_body, fibers_name<FIBERS_FIRST + 2 * N>(), FIBERS_BEGIN,                  \
		     static_cast<std::size_t>(FIBERS_END - FIBERS_BEGIN)),                            \
		 ...);                                                                                \
		return true;                                                                          \
	}                                                                                         \
	static const bool fibers_added =                                                          \
	    fibers_add(std::make_index_sequence<(__COUNTER__ - FIBERS_FIRST) / 2>());

#endif
