/* calls.cpp -- a program around C++ calls of a page. */
#include <cstdint>
#include <tulle.hpp>
#include <vector>

int main()
{
	const std::int64_t rows = 3, cols = 3;
	const std::vector<std::int32_t> row_ptr{ 0, 2, 3, 5 }, col{ 0, 2, 1, 0, 2 };
	const std::vector<double> val{ 4, 1, 3, 2, 5 }, x{ 1, 2, 3 }, w{ 1, 1, 1 };
	const double beta = 2, gamma = 1;
	std::vector<double> y(3), z(3);

	/* BLOCK */
	return !(y[0] == 7 && y[1] == 6 && y[2] == 17 && xz == 104 && zz == 797);
}
