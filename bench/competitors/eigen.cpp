/* eigen.cpp -- Eigen's row-major sparse matrix with OpenMP, mapped onto our arrays. */
#include "competitor.h"

#include <Eigen/SparseCore>

namespace
{

using map = Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor, int32_t>>;

struct state {
	map a;
	size_t bytes;
};

void *prepare(const bench_problem *p, const char *variant)
{
	const bench_matrix *a = p->a;
	if (*variant)
		return nullptr;
	Eigen::setNbThreads(p->threads);
	return new state{ map(a->rows, a->cols, a->nnz, a->row_ptr, a->col, a->val),
		              bench_matrix_bytes(a) };
}

int multiply(void *s, const double *x, double *y)
{
	const map &a = static_cast<state *>(s)->a;
	Eigen::Map<Eigen::VectorXd>(y, a.rows()).noalias() =
	    a * Eigen::Map<const Eigen::VectorXd>(x, a.cols());
	return 0;
}

size_t bytes(const void *s)
{
	return static_cast<const state *>(s)->bytes;
}

void release(void *s)
{
	delete static_cast<state *>(s);
}

} // namespace

BENCH_EXPORT const bench_competitor bench_competitors[] = {
	{ "eigen", BENCH_ONE | BENCH_F64, prepare, multiply, bytes, release, nullptr },
	{ nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr },
};
