/* steps.h -- what single instructions do, as templates over their types. instructions.cpp names them. */
#ifndef PTX_STEPS_H
#define PTX_STEPS_H

#include "ptx/program.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace ptx
{
template <class T> constexpr int bits = static_cast<int>(sizeof(T) * 8);

// Signed numbers wrap around in PTX, and must not in C++.
template <class T> auto wrapping(T value)
{
	if constexpr (std::is_integral_v<T>)
		return static_cast<std::uint64_t>(value);
	else
		return value;
}

/* ---- arithmetic: OPERATION(name, of two values) ---- */

#define OPERATION(name, expression)              \
	struct name {                                \
		template <class T> static T of(T a, T b) \
		{                                        \
			return static_cast<T>(expression);   \
		}                                        \
	}

OPERATION(Add, wrapping(a) + wrapping(b));
OPERATION(Sub, wrapping(a) - wrapping(b));
OPERATION(Mul, wrapping(a) * wrapping(b));
OPERATION(And, a &b);
OPERATION(Or, a | b);
OPERATION(Xor, a ^ b);
OPERATION(Smaller, std::is_floating_point_v<T> ? std::fmin(a, b) : (a < b ? a : b));
OPERATION(Larger, std::is_floating_point_v<T> ? std::fmax(a, b) : (a > b ? a : b));
OPERATION(High, (static_cast<__int128>(a) * static_cast<__int128>(b)) >> bits<T>);

struct Quotient {
	template <class T> static T of(T a, T b)
	{
		if constexpr (std::is_integral_v<T>)
			if (b == 0)
				standin::fault("divides a whole number by 0");
		return static_cast<T>(a / b);
	}
};

struct Remainder {
	template <class T> static T of(T a, T b)
	{
		if (b == 0)
			standin::fault("divides a whole number by 0");
		return static_cast<T>(a % b);
	}
};

template <class T, class Op> void two(Thread &t, const Instruction &i)
{
	put<T>(t, i, Op::of(get<T>(t, i, 0), get<T>(t, i, 1)));
}

template <class T, class Op> void two_predicates(Thread &t, const Instruction &i)
{
	put<T>(t, i, Op::of(T{ get_predicate(t, i, 0) }, T{ get_predicate(t, i, 1) }));
}

template <class T, class Wide> void multiply_wide(Thread &t, const Instruction &i)
{
	put<Wide>(t, i, static_cast<Wide>(Wide{ get<T>(t, i, 0) } * Wide{ get<T>(t, i, 1) }));
}

template <class T, class Wide> void multiply_add_wide(Thread &t, const Instruction &i)
{
	const Wide product = static_cast<Wide>(Wide{ get<T>(t, i, 0) } * Wide{ get<T>(t, i, 1) });

	put<Wide>(t, i, Add::of(product, get<Wide>(t, i, 2)));
}

template <class T> void multiply_add(Thread &t, const Instruction &i)
{
	if constexpr (std::is_floating_point_v<T>)
		put<T>(t, i, std::fma(get<T>(t, i, 0), get<T>(t, i, 1), get<T>(t, i, 2)));
	else
		put<T>(t, i, Add::of(Mul::of(get<T>(t, i, 0), get<T>(t, i, 1)), get<T>(t, i, 2)));
}

// Counts past the width give 0, or the sign.
template <class T> void shift_left(Thread &t, const Instruction &i)
{
	const unsigned count = get<std::uint32_t>(t, i, 1);

	put<T>(t, i, count < bits<T> ? static_cast<T>(get<T>(t, i, 0) << count) : T{ 0 });
}

template <class T> void shift_right(Thread &t, const Instruction &i)
{
	const unsigned count = get<std::uint32_t>(t, i, 1);
	const T value = get<T>(t, i, 0);

	put<T>(t, i, static_cast<T>(count < bits<T> ? value >> count : value < 0 ? -1 : 0));
}

/* ---- of one value ---- */

template <class T> void invert(Thread &t, const Instruction &i)
{
	put<T>(t, i, static_cast<T>(~get<T>(t, i, 0)));
}

inline void invert_predicate(Thread &t, const Instruction &i)
{
	put<std::uint64_t>(t, i, !get_predicate(t, i, 0));
}

template <class T> void negate(Thread &t, const Instruction &i)
{
	if constexpr (std::is_floating_point_v<T>)
		put<T>(t, i, -get<T>(t, i, 0));
	else
		put<T>(t, i, Sub::of(T{ 0 }, get<T>(t, i, 0)));
}

template <class T> void absolute(Thread &t, const Instruction &i)
{
	const T value = get<T>(t, i, 0);

	if constexpr (std::is_floating_point_v<T>)
		put<T>(t, i, std::fabs(value));
	else
		put<T>(t, i, value < 0 ? Sub::of(T{ 0 }, value) : value);
}

template <class T> void count_ones(Thread &t, const Instruction &i)
{
	put<std::uint32_t>(t, i, static_cast<std::uint32_t>(__builtin_popcountll(get<T>(t, i, 0))));
}

template <class T> void count_leading_zeros(Thread &t, const Instruction &i)
{
	const T value = get<T>(t, i, 0);
	std::uint32_t count = 0;

	while (count < bits<T> && (value >> (bits<T> - 1 - count) & 1) == 0)
		count++;
	put<std::uint32_t>(t, i, count);
}

template <class T> void reverse_bits(Thread &t, const Instruction &i)
{
	T value = get<T>(t, i, 0), reversed = 0;

	for (int n = 0; n < bits<T>; n++, value >>= 1)
		reversed = static_cast<T>(reversed << 1 | (value & 1));
	put<T>(t, i, reversed);
}

// One register, or one from two halves, or two halves from one.
template <class T, class Half> void move(Thread &t, const Instruction &i)
{
	T value = get<T>(t, i, 0);

	if (i.source.size() == 2)
		value = static_cast<T>(get<Half>(t, i, 0) | T{ get<Half>(t, i, 1) } << bits<Half>);
	if (i.result.size() == 2) {
		put<Half>(t, i, static_cast<Half>(value), 0);
		put<Half>(t, i, static_cast<Half>(value >> bits<Half>), 1);
	} else {
		put<T>(t, i, value);
	}
}

inline void move_predicate(Thread &t, const Instruction &i)
{
	put<std::uint64_t>(t, i, get_predicate(t, i, 0));
}

// Numbers beyond the range of the result become its ends, NaN becomes 0.
template <class To, class From> void convert(Thread &t, const Instruction &i)
{
	const From value = get<From>(t, i, 0);

	if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
		const From low = static_cast<From>(std::numeric_limits<To>::min());
		const From high = static_cast<From>(std::numeric_limits<To>::max());

		put<To>(t, i,
		        value != value  ? To{ 0 }
		        : value <= low  ? std::numeric_limits<To>::min()
		        : value >= high ? std::numeric_limits<To>::max()
		                        : static_cast<To>(value));
	} else if constexpr (std::is_integral_v<To>) {
		// Registers are wider than 16 bits: the result is extended by its sign.
		put<std::conditional_t<std::is_signed_v<To>, std::int64_t, std::uint64_t>>(
		    t, i, static_cast<To>(value));
	} else {
		put<To>(t, i, static_cast<To>(value));
	}
}

// Bits first .. first + count - 1 of the second source become the lowest of the first.
template <class T> void insert_bits(Thread &t, const Instruction &i)
{
	const unsigned first = get<std::uint32_t>(t, i, 2) & 0xff;
	const unsigned count = get<std::uint32_t>(t, i, 3) & 0xff;
	T result = get<T>(t, i, 1);

	for (unsigned n = 0; n < count && first + n < bits<T>; n++) {
		const T bit = T{ 1 } << (first + n);

		result = static_cast<T>(get<T>(t, i, 0) >> n & 1 ? result | bit : result & ~bit);
	}
	put<T>(t, i, result);
}

// Bits first .. first + count - 1, as a number without a sign.
template <class T> void extract_bits(Thread &t, const Instruction &i)
{
	const unsigned first = get<std::uint32_t>(t, i, 1) & 0xff;
	const unsigned count = get<std::uint32_t>(t, i, 2) & 0xff;
	T result = 0;

	for (unsigned n = 0; n < count && first + n < bits<T>; n++)
		result = static_cast<T>(result | (get<T>(t, i, 0) >> (first + n) & 1) << n);
	put<T>(t, i, result);
}

/* ---- choices ---- */

template <class T> void select(Thread &t, const Instruction &i)
{
	put<T>(t, i, get<T>(t, i, get_predicate(t, i, 2) ? 0 : 1));
}

#define COMPARISON(name, expression)                \
	struct name {                                   \
		template <class T> static bool of(T a, T b) \
		{                                           \
			return expression;                      \
		}                                           \
	}

COMPARISON(Equal, a == b);
COMPARISON(Unequal, a<b || a> b); // false for NaN, unlike !=
COMPARISON(Less, a < b);
COMPARISON(LessEqual, a <= b);
COMPARISON(Greater, a > b);
COMPARISON(GreaterEqual, a >= b);
COMPARISON(Ordered, a == a && b == b);

template <class Op> struct OrUnordered {
	template <class T> static bool of(T a, T b)
	{
		return a != a || b != b || Op::of(a, b);
	}
};

struct Unordered {
	template <class T> static bool of(T a, T b)
	{
		return a != a || b != b;
	}
};

// setp: the comparison, combined with a predicate if the opcode says so; a second result has its opposite.
template <class T, class Op> void compare(Thread &t, const Instruction &i)
{
	const bool holds = Op::of(get<T>(t, i, 0), get<T>(t, i, 1));
	const bool more = i.combine != 0 && get_predicate(t, i, 2);
	const auto both = [&](bool value) {
		return i.combine == '&'   ? value && more
		       : i.combine == '|' ? value || more
		       : i.combine == '^' ? value != more
		                          : value;
	};

	put<std::uint64_t>(t, i, both(holds), 0);
	put<std::uint64_t>(t, i, both(!holds), 1);
}

/* ---- flow ---- */

inline void branch(Thread &t, const Instruction &i)
{
	t.next = i.target;
}

inline void leave(Thread &t, const Instruction &)
{
	t.state = GONE;
}

inline void nothing(Thread &, const Instruction &)
{
}

/* ---- atomics ---- */

template <class T, class Op> void atomic(Thread &t, const Instruction &i)
{
	void *const place = atomic_place(t, i, sizeof(T));
	T was, now;

	std::memcpy(&was, place, sizeof was);
	now = Op::of(was, get<T>(t, i, 1));
	std::memcpy(place, &now, sizeof now);
	put<T>(t, i, was);
}

OPERATION(Second, ((void)a, b));

template <class T> void compare_and_swap(Thread &t, const Instruction &i)
{
	void *const place = atomic_place(t, i, sizeof(T));
	T was, now;

	std::memcpy(&was, place, sizeof was);
	now = was == get<T>(t, i, 1) ? get<T>(t, i, 2) : was;
	std::memcpy(place, &now, sizeof now);
	put<T>(t, i, was);
}
} // namespace ptx

#endif
