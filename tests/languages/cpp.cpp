/* cpp.cpp -- tulle.hpp: types of arrays, sizes, exceptions, ownership. Compiled as C++17 and as C++20. */
#include <tulle.hpp>

#include <array>
#include <cstdio>
#include <cstring>
#include <vector>

static int failures;

static void expect(bool right, const char *what)
{
	if (!right) {
		std::printf("FAILED: %s\n", what);
		failures++;
	}
}

/* The body throws tulle::error with this status and with this text in its message. */
template <class F> static void expect_error(tulle_status status, const char *text, F body)
{
	try {
		body();
		std::printf("FAILED: no exception with \"%s\"\n", text);
		failures++;
	} catch (const std::runtime_error &caught) {
		const auto *e = dynamic_cast<const tulle::error *>(&caught);
		expect(e && e->status == status, "the exception has the status");
		if (!std::strstr(caught.what(), text)) {
			std::printf("FAILED: \"%s\" is not in \"%s\"\n", text, caught.what());
			failures++;
		}
	}
}

/*     1 0 0 2
 * A = 0 0 0 0
 *     0 3 4 5 */
template <class O, class C, class V> struct example {
	O row_ptr[4] = { 0, 2, 2, 5 };
	std::vector<C> col{ 0, 3, 1, 2, 3 };
	std::array<V, 5> val{ { 1, 2, 3, 4, 5 } };

	tulle::matrix matrix() const
	{
		return tulle::matrix::from_csr(3, 4, row_ptr, col, val);
	}
};

template <class O, class C, class V> static void products()
{
	const example<O, C, V> data;
	const tulle::matrix a = data.matrix();
	const tulle::plan p(a);
	const std::vector<V> x{ 1, 10, 100, 1000 };
	const std::array<V, 3> b{ { 1, 2, 3 } };
	V y[3] = { 1, 2, 3 };

	p.mul(1, x, -1, y);
	expect(y[0] == 2000 && y[1] == -2 && y[2] == 5427, "mul");
	std::vector<V> z(5, 7);
	p.mul_add(2, x, 1, b, tulle::span<V>(z.data() + 1, 3));
	expect(z == std::vector<V>{ 7, 4003, 2, 10863, 7 }, "mul_add");
	tulle::plan_options both;
	both.op = TULLE_BOTH;
	std::vector<V> t(4, 1);
	tulle::plan(a, both).mul_transposed(2, b, -1, t);
	expect(t == std::vector<V>{ 1, 17, 23, 33 }, "mul_transposed");
	expect(a.info().value_type == (sizeof(V) == 4 ? TULLE_F32 : TULLE_F64), "type of values");
	expect(a.info().shares_values == 1, "borrowed arrays are used as they are");
}

template <class V> static void steps()
{
	const std::vector<int> row_ptr{ 0, 1, 2 }, col{ 0, 1 };
	const std::vector<V> val{ 2, 3 }, x{ 1, 2 }, w{ 1, 1 };
	const tulle::plan p(tulle::matrix::from_csr(2, 2, row_ptr, col, val));
	std::vector<V> z(2), few(1);

	const auto [xz, zz] = p.step(2, x, -1, -1, w, z);
	expect(z == std::vector<V>{ 2, 9 } && xz == 20 && zz == 85, "step");
	expect_error(TULLE_E_ARGUMENT, "w has 1 elements, not 2", [&] { p.step(1, x, 0, 1, few, z); });
	expect_error(TULLE_E_ARGUMENT, "z has 1 elements, not 2", [&] { p.step(1, x, 0, 1, w, few); });
	expect_error(TULLE_E_ARGUMENT, "overlap", [&] { p.step(1, z, 0, 1, w, z); });
}

static void one_based()
{
	const std::vector<long long> row_ptr{ 1, 2, 3 };
	const std::vector<int> col{ 2, 1 };
	const std::vector<float> val{ 3, 4 }, x{ 10, 20 };
	std::vector<float> y(2);
	tulle::matrix_options options;

	options.base = 1;
	tulle::plan(tulle::matrix::from_csr(2, 2, row_ptr, col, val, options)).mul(1, x, 0, y);
	expect(y[0] == 60 && y[1] == 40, "base 1");
}

static void transposed_and_updated()
{
	const example<int, int, double> data;
	tulle::plan_options options;
	options.op = TULLE_TRANSPOSED;
	tulle::plan p(data.matrix(), options);
	const std::vector<double> x{ 1, 10, 100 }, twice{ 2, 4, 6, 8, 10 };
	std::vector<double> y(4);

	p.update(twice);
	p.mul(0.5, x, 0, y);
	expect(y == std::vector<double>{ 1, 300, 400, 502 }, "A^T x with new values");
	expect(p.info().rows == 4 && p.info().cols == 3, "sizes of A^T");
	expect_error(TULLE_E_ARGUMENT, "val has 4 elements, not 5", [&] { p.update(y); });
	expect_error(TULLE_E_TYPE, "another type", [&] { p.update(std::vector<float>(5)); });
}

static void empty()
{
	const std::vector<int> row_ptr{ 0 }, col;
	const std::vector<double> val;
	std::vector<double> y;

	tulle::plan(tulle::matrix::from_csr(0, 0, row_ptr, col, val)).mul(1, val, 0, y);
}

/* What a wrong size would read or write lies past the end of an array: AddressSanitizer sees it. */
static void sizes()
{
	const example<int, int, double> data;
	const std::vector<double> x(4);
	std::vector<double> y(3);
	const auto from = [&data](int64_t rows, std::size_t offsets, std::size_t cols,
	                          std::size_t vals) {
		tulle::matrix::from_csr(rows, 4, tulle::span<const int>(data.row_ptr, offsets),
		                        tulle::span<const int>(data.col.data(), cols),
		                        tulle::span<const double>(data.val.data(), vals));
	};

	from(3, 4, 5, 5);
	expect_error(TULLE_E_ARGUMENT, "rows is negative", [&] { from(-1, 0, 5, 5); });
	expect_error(TULLE_E_ARGUMENT, "row_ptr has 4 elements, not 5", [&] { from(4, 4, 5, 5); });
	expect_error(TULLE_E_ARGUMENT, "col has 4 elements, not 5", [&] { from(3, 4, 4, 5); });
	expect_error(TULLE_E_ARGUMENT, "val has 4 elements, not 5", [&] { from(3, 4, 5, 4); });

	const tulle::plan p(data.matrix());
	expect_error(TULLE_E_ARGUMENT, "x has 3 elements, not 4", [&] { p.mul(1, y, 0, y); });
	expect_error(TULLE_E_ARGUMENT, "b has 4 elements, not 3", [&] { p.mul_add(1, x, 1, x, y); });
	expect_error(TULLE_E_ARGUMENT, "x has 4 elements, not 3",
	             [&] { p.mul_transposed(1, x, 0, y); });
	std::vector<double> t(4);
	expect_error(TULLE_E_ARGUMENT, "TULLE_BOTH", [&] { p.mul_transposed(1, y, 0, t); });
	y.pop_back();
	expect_error(TULLE_E_ARGUMENT, "y has 2 elements, not 3", [&] { p.mul(1, x, 0, y); });
}

static void library_errors()
{
	example<int, int, double> data;
	const std::vector<float> x(4);
	std::vector<float> y(3);
	tulle::plan_options options;
	options.format = "no-such-format";

	expect_error(TULLE_E_TYPE, "f64", [&] { tulle::plan(data.matrix()).mul(1, x, 0, y); });
	expect_error(TULLE_E_ARGUMENT, "no-such-format", [&] { tulle::plan(data.matrix(), options); });
	expect_error(TULLE_E_IO, "no-such-file", [] { tulle::matrix::read("no-such-file.mtx"); });
	data.col[4] = 4;
	expect_error(TULLE_E_MATRIX, "col[4] = 4", [&] { data.matrix(); });
}

/* Handles follow their objects, and the last object frees everything. */
static void ownership()
{
	const example<int, int, double> data;
	tulle::context_options options;
	options.threads = 1;
	const tulle::context c(options);
	tulle::sized<tulle_context_info> info;
	{
		auto a = tulle::matrix::from_csr(3, 4, data.row_ptr, data.col, data.val, {}, c);
		tulle::plan_options csr5;
		csr5.format = "csr5";
		tulle::plan p(a, csr5), q(a);
		a = tulle::matrix(nullptr);
		std::swap(p, q);
		expect(std::strcmp(q.info().format, "csr5") == 0, "a plan is moved");
		expect(q.explain().find("y = A x with csr5") == 0, "explain");
		expect(q.explain().find('\0') == std::string::npos, "no zero in the explanation");
		const std::vector<double> x(4);
		std::vector<double> y(3, 1);
		q.mul(1, x, 0, y);
		expect(y[0] == 0, "a plan outlives its matrix");
	}
	tulle::check(tulle_context_describe(c.get(), &info));
	expect(info.blocks_held == 0, "everything is freed");
}

template <class T>
constexpr bool only_moves =
    std::is_nothrow_move_constructible_v<T> &&std::is_nothrow_move_assignable_v<T> &&
    !std::is_copy_constructible_v<T>;
static_assert(only_moves<tulle::context> && only_moves<tulle::matrix> && only_moves<tulle::plan>);
static_assert(!std::is_convertible_v<std::vector<float> &, tulle::span<double>>);
static_assert(!std::is_convertible_v<const std::vector<double> &, tulle::span<double>>);

int main()
try {
	steps<float>();
	steps<double>();
	products<int32_t, int32_t, float>();
	products<int64_t, int32_t, double>();
	products<long long, long, float>();
	products<unsigned, uint32_t, double>();
	products<std::size_t, std::size_t, double>();
	one_based();
	transposed_and_updated();
	empty();
	sizes();
	library_errors();
	ownership();
	std::printf("C++ %ld: %d failures\n", __cplusplus, failures);
	return failures != 0;
} catch (const std::exception &e) {
	std::printf("FAILED: %s\n", e.what());
	return 1;
}
