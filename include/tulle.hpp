/* tulle.hpp -- tulle.h for C++17 and later: objects, vectors with sizes, exceptions.
 *
 *     const auto a = tulle::matrix::from_csr(rows, cols, row_ptr, col, val);
 *     tulle::plan_options options;
 *     options.multiplies = 500;
 *     const tulle::plan p(a, options);
 *     p.mul(1.0, x, 0.0, y);
 *
 * Objects. A context, matrix or plan owns a handle of tulle.h and destroys it. It can be moved but
 * not copied. get() returns the handle for calls that this header lacks, check() turns their status
 * into an exception, matrix(handle) takes ownership of a handle.
 *
 * Arrays. Functions accept what std::data() and std::size() accept: vectors, arrays, spans. Sizes are
 * checked. The arrays of a matrix are borrowed unless options.ownership is TULLE_COPY: keep them
 * valid and unchanged until the matrix and its plans are destroyed.
 *
 * Errors. Every failure throws tulle::error. what() is the message, .status the status.
 */
#ifndef TULLE_HPP
#define TULLE_HPP

#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#if __cplusplus >= 202002L
#include <span>
#endif

#include "tulle.h"

namespace tulle
{
struct error : std::runtime_error {
	error(tulle_status why, const std::string &message) : std::runtime_error(message), status(why)
	{
	}
	tulle_status status;
};

inline void check(tulle_status status)
{
	if (status != TULLE_OK)
		throw error(status, tulle_last_error());
}

#if __cplusplus >= 202002L
using std::span;
#else
/* A pointer and a size, made from both or from anything that std::data() and std::size() accept. */
template <class T> class span
{
	T *data_;
	std::size_t size_;

  public:
	constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size)
	{
	}
	template <class A, class E = std::remove_pointer_t<decltype(std::data(std::declval<A &>()))>,
	          class = std::enable_if_t<std::is_convertible_v<E (*)[], T (*)[]>>>
	constexpr span(A &&array) noexcept : span(std::data(array), std::size(array))
	{
	}
	constexpr T *data() const noexcept
	{
		return data_;
	}
	constexpr std::size_t size() const noexcept
	{
		return size_;
	}
};
#endif

/* A structure of tulle.h with its size set and all other fields zero, which means the default. */
template <class S> struct sized : S {
	sized() : S()
	{
		this->size = sizeof(S);
	}
};
using context_options = sized<tulle_context_options>;
using matrix_options = sized<tulle_matrix_options>;
using read_options = sized<tulle_read_options>;
using plan_options = sized<tulle_plan_options>;

namespace detail
{
template <class H, void (*destroy)(H *)>
using owner = std::unique_ptr<H, std::integral_constant<void (*)(H *), destroy>>;
template <class H, class... P, class... A>
H *made(tulle_status (*create)(P...), const A &...arguments)
{
	H *handle = nullptr;
	check(create(arguments..., &handle));
	return handle;
}
template <class I, class H> I described(tulle_status (*describe)(const H *, I *), const H *handle)
{
	sized<I> info;
	check(describe(handle, &info));
	return info;
}
template <class A>
using element = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<A &>()))>>;
template <class A, class I = element<A>> constexpr tulle_index_type index_type()
{
	static_assert(std::is_integral_v<I> && (sizeof(I) == 4 || sizeof(I) == 8), "4 or 8 bytes");
	return sizeof(I) == 4 ? TULLE_I32 : TULLE_I64;
}
template <class A, class V = element<A>> constexpr tulle_value_type value_type()
{
	static_assert(std::is_same_v<V, float> || std::is_same_v<V, double>, "float or double");
	return sizeof(V) == 4 ? TULLE_F32 : TULLE_F64;
}
inline void check_size(const char *name, std::size_t size, uint64_t wanted)
{
	if (size != wanted)
		throw error(TULLE_E_ARGUMENT, std::string(name) + " has " + std::to_string(size) +
		                                  " elements, not " + std::to_string(wanted));
}
/* What a plan P does with vectors of T. */
template <class P, class T, auto mul_add_call, auto step_call, auto transposed_call> class products
{
	const tulle_plan *sized(span<const T> x, const char *b_name, span<const T> b,
	                        const char *y_name, span<T> y) const
	{
		const auto &plan = static_cast<const P &>(*this);
		check_size("x", x.size(), plan.cols_);
		check_size(y_name, y.size(), plan.rows_);
		check_size(b_name, b.size(), plan.rows_);
		return plan.get();
	}

  public:
	/* y = alpha A x + beta y. */
	void mul(T alpha, span<const T> x, T beta, span<T> y) const
	{
		mul_add(alpha, x, beta, span<const T>(y), y);
	}
	/* y = alpha A x + beta b; b is y, or disjoint from it. */
	void mul_add(T alpha, span<const T> x, T beta, span<const T> b, span<T> y) const
	{
		check(mul_add_call(sized(x, "b", b, "y", y), alpha, x.data(), beta, b.data(), y.data()));
	}
	/* y = alpha A^T x + beta y, with a plan for TULLE_BOTH. */
	void mul_transposed(T alpha, span<const T> x, T beta, span<T> y) const
	{
		const auto &plan = static_cast<const P &>(*this);
		check_size("x", x.size(), plan.rows_);
		check_size("y", y.size(), plan.cols_);
		check(transposed_call(plan.get(), alpha, x.data(), beta, y.data()));
	}
	/* z = alpha A x + beta x + gamma w for a square A; w is z, or disjoint from it. Returns x.z, z.z. */
	std::pair<double, double> step(T alpha, span<const T> x, T beta, T gamma, span<const T> w,
	                               span<T> z) const
	{
		std::pair<double, double> dots;
		check(step_call(sized(x, "w", w, "z", z), alpha, x.data(), beta, gamma, w.data(), z.data(),
		                &dots.first, &dots.second));
		return dots;
	}
};
} // namespace detail

/* Where to compute. context(nullptr) is the default context. */
class context : detail::owner<tulle_context, tulle_context_destroy>
{
  public:
	using unique_ptr::get;
	using unique_ptr::unique_ptr;
	explicit context(const context_options &options)
	    : unique_ptr(detail::made<tulle_context>(tulle_context_create, &options))
	{
	}
};

/* The matrix A, from compressed rows or from a Matrix Market file. */
class matrix : detail::owner<tulle_matrix, tulle_matrix_destroy>
{
  public:
	using unique_ptr::get;
	using unique_ptr::unique_ptr;
	template <class R, class C, class V>
	static matrix from_csr(int64_t rows, int64_t cols, const R &row_ptr, const C &col, const V &val,
	                       const matrix_options &options = {}, const context &where = nullptr)
	{
		using namespace detail;
		if (rows < 0)
			throw error(TULLE_E_ARGUMENT, "rows is negative");
		check_size("row_ptr", std::size(row_ptr), static_cast<uint64_t>(rows) + 1);
		const uint64_t nnz =
		    static_cast<uint64_t>(std::data(row_ptr)[rows]) - static_cast<uint64_t>(options.base);
		check_size("col", std::size(col), nnz);
		check_size("val", std::size(val), nnz);
		return matrix(made<tulle_matrix>(tulle_matrix_from_csr, where.get(), rows, cols,
		                                 index_type<const R>(), std::data(row_ptr),
		                                 index_type<const C>(), std::data(col),
		                                 value_type<const V>(), std::data(val), &options));
	}
	static matrix read(const std::string &path, const read_options &options = {},
	                   const context &where = nullptr)
	{
		return matrix(
		    detail::made<tulle_matrix>(tulle_matrix_read, where.get(), path.c_str(), &options));
	}
	tulle_matrix_info info() const
	{
		return detail::described(tulle_matrix_describe, get());
	}
};

/* How to multiply by A. Holds what it needs of the matrix, which may be destroyed. */
class plan
    : detail::owner<tulle_plan, tulle_plan_destroy>,
      detail::products<plan, float, tulle_mul_add_f32, tulle_step_f32, tulle_mul_transposed_f32>,
      detail::products<plan, double, tulle_mul_add_f64, tulle_step_f64, tulle_mul_transposed_f64>
{
	uint64_t rows_, cols_, values_;
	using singles =
	    detail::products<plan, float, tulle_mul_add_f32, tulle_step_f32, tulle_mul_transposed_f32>;
	using doubles =
	    detail::products<plan, double, tulle_mul_add_f64, tulle_step_f64, tulle_mul_transposed_f64>;
	template <class, class, auto, auto, auto> friend class detail::products;

  public:
	using unique_ptr::get;
	explicit plan(const matrix &a, const plan_options &options = {})
	    : unique_ptr(detail::made<tulle_plan>(tulle_plan_create, a.get(), &options)),
	      rows_(static_cast<uint64_t>(info().rows)), cols_(static_cast<uint64_t>(info().cols)),
	      values_(static_cast<uint64_t>(a.info().stored_nnz))
	{
	}
	using doubles::mul, doubles::mul_add, doubles::step, doubles::mul_transposed;
	using singles::mul, singles::mul_add, singles::step, singles::mul_transposed;
	/* New values for the same pattern, of the matrix's type: see tulle_plan_update(). */
	template <class V> void update(const V &val)
	{
		detail::check_size("val", std::size(val), values_);
		if (detail::value_type<const V>() != info().value_type)
			throw error(TULLE_E_TYPE, "val has another type than the values of the plan");
		check(tulle_plan_update(get(), std::data(val)));
	}
	tulle_plan_info info() const
	{
		return detail::described(tulle_plan_describe, get());
	}
	std::string explain() const
	{
		std::string text(tulle_plan_explain(get(), nullptr, 0), '\0');
		tulle_plan_explain(get(), text.data(), text.size() + 1);
		return text;
	}
};

} // namespace tulle
#endif
