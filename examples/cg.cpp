/* cg.cpp -- conjugate gradients in C++: heat in a plate whose edges are kept at zero. */
#include <cmath>
#include <cstdio>
#include <numeric>
#include <tulle.hpp>
#include <vector>

struct sparse {
	int n = 0;
	std::vector<int> row_ptr{ 0 }, col;
	std::vector<double> val;
};

/* The five-point stencil on a grid of side x side. */
static sparse assemble(int side)
{
	sparse a;
	const auto add = [&a](int j, double v) {
		a.col.push_back(j);
		a.val.push_back(v);
	};

	for (a.n = 0; a.n < side * side; a.n++) {
		const int row = a.n / side, column = a.n % side;

		if (row > 0)
			add(a.n - side, -1);
		if (column > 0)
			add(a.n - 1, -1);
		add(a.n, 4);
		if (column < side - 1)
			add(a.n + 1, -1);
		if (row < side - 1)
			add(a.n + side, -1);
		a.row_ptr.push_back(static_cast<int>(a.col.size()));
	}
	return a;
}

static double dot(const std::vector<double> &a, const std::vector<double> &b)
{
	return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/* y += alpha x */
static void axpy(double alpha, const std::vector<double> &x, std::vector<double> &y)
{
	for (std::size_t i = 0; i < y.size(); i++)
		y[i] += alpha * x[i];
}

/* Solve A x = b, beginning with the x that is given. Returns the number of iterations. */
static std::size_t solve(const tulle::plan &a, const std::vector<double> &b, std::vector<double> &x)
{
	std::vector<double> r(b.size()), q(b.size());
	std::size_t iterations = 0;

	a.mul_add(-1, x, 1, b, r); /* r = b - A x */
	std::vector<double> p = r;
	double rr = dot(r, r);
	for (const double stop = 1e-20 * dot(b, b); rr > stop && iterations < b.size(); iterations++) {
		const auto [pq, qq] = a.step(1, p, 0, 0, q, q); /* q = A p, p.q and q.q in one pass */
		const double alpha = rr / pq, old = rr;
		axpy(alpha, p, x);
		axpy(-alpha, q, r);
		rr = dot(r, r);
		for (std::size_t i = 0; i < p.size(); i++)
			p[i] = r[i] + rr / old * p[i];
	}
	return iterations;
}

int main()
try {
	const int side = 60;
	const sparse s = assemble(side);
	tulle::plan_options options;
	options.multiplies = 200;
	const tulle::plan a(tulle::matrix::from_csr(s.n, s.n, s.row_ptr, s.col, s.val), options);
	const std::vector<double> b(s.row_ptr.size() - 1, 1.0);
	std::vector<double> x(b.size()), r(b.size());

	const std::size_t iterations = solve(a, b, x);
	a.mul_add(-1, x, 1, b, r);
	const double residual = std::sqrt(dot(r, r) / dot(b, b));
	std::printf("%s: %zu iterations, residual %.1e\n", a.info().format, iterations, residual);
	return !(residual < 1e-9);
} catch (const std::exception &e) {
	std::fprintf(stderr, "%s\n", e.what());
	return 1;
}
