/* complex_eigen.cpp -- Eigen's complex products for bench/complex.py, which compiles this file. */
#include <Eigen/SparseCore>

#include <complex>
#include <cstdint>

namespace
{

template <typename T>
void multiply(int32_t rows, int32_t cols, const int32_t *row_ptr, const int32_t *col, const T *val,
              const T *x, T *y)
{
	const Eigen::Map<const Eigen::SparseMatrix<T, Eigen::RowMajor, int32_t>> a(
	    rows, cols, row_ptr[rows], row_ptr, col, val);
	using vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

	Eigen::Map<vector>(y, rows).noalias() = a * Eigen::Map<const vector>(x, cols);
}

} // namespace

extern "C" {

void eigen_threads(int threads)
{
	Eigen::setNbThreads(threads);
}

void eigen_c(int32_t rows, int32_t cols, const int32_t *row_ptr, const int32_t *col,
             const std::complex<float> *val, const std::complex<float> *x, std::complex<float> *y)
{
	multiply(rows, cols, row_ptr, col, val, x, y);
}

void eigen_z(int32_t rows, int32_t cols, const int32_t *row_ptr, const int32_t *col,
             const std::complex<double> *val, const std::complex<double> *x,
             std::complex<double> *y)
{
	multiply(rows, cols, row_ptr, col, val, x, y);
}
}
