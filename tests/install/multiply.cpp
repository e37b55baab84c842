/* multiply.cpp -- multiply.c in C++: multiplies with the installed library and checks y. */
#include <cstdio>
#include <tulle.hpp>
#include <vector>

int main()
try {
	const std::vector<int64_t> row_ptr{ 0, 2, 2, 5 };
	const std::vector<int> col{ 0, 3, 1, 2, 3 };
	const std::vector<double> val{ 1, 2, 3, 4, 5 }, x{ 1, 10, 100, 1000 };
	std::vector<double> y{ 1, 2, 3 };

	tulle::plan(tulle::matrix::from_csr(3, 4, row_ptr, col, val)).mul(1, x, -1, y);
	std::printf("y = %g %g %g\n", y[0], y[1], y[2]);
	return !(y == std::vector<double>{ 2000, -2, 5427 });
} catch (const std::exception &e) {
	std::fprintf(stderr, "%s\n", e.what());
	return 1;
}
