/* file.c -- read a matrix file and tell what is in it: file FILE.mtx[.gz] or the .tar.gz of the
 * SuiteSparse collection. Without a name it first writes a small file of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <tulle.h>

static int fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, tulle_last_error());
	return 1;
}

/* The lower triangle of the 5-point Laplacian on an N x N grid. */
static tulle_status write_laplacian(const char *path)
{
	enum { N = 30, NNZ = 3 * N * N };
	static int32_t row[NNZ], col[NNZ];
	static double val[NNZ];
	int nnz = 0;
	for (int32_t i = 0; i < N * N; i++) {
		row[nnz] = col[nnz] = i, val[nnz++] = 4;
		if (i % N > 0)
			row[nnz] = i, col[nnz] = i - 1, val[nnz++] = -1;
		if (i >= N)
			row[nnz] = i, col[nnz] = i - N, val[nnz++] = -1;
	}
	const tulle_matrix_options symmetric = { .size = sizeof symmetric, .kind = TULLE_SYMMETRIC };
	tulle_matrix *a = NULL;
	tulle_status status = tulle_matrix_from_coo(NULL, N * N, N * N, nnz, TULLE_I32, row, col,
	                                            TULLE_F64, val, &symmetric, &a);
	if (!status)
		status = tulle_matrix_write(a, path, NULL);
	tulle_matrix_destroy(a);
	return status;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "laplacian.mtx.gz";
	if (argc <= 1 && write_laplacian(path))
		return fail("write");

	tulle_file_info file = { .size = sizeof file };
	if (tulle_file_describe(path, &file))
		return fail("describe");
	printf("%s: %s %s %s, %lld entries\n", path, file.layout, file.field, file.symmetry,
	       (long long)file.entries);

	tulle_matrix *a = NULL;
	tulle_plan *p = NULL;
	tulle_matrix_info info = { .size = sizeof info };
	if (tulle_matrix_read(NULL, path, NULL, &a) || tulle_matrix_describe(a, &info) ||
	    tulle_plan_create(a, NULL, &p))
		return fail("read");
	printf("%lld rows, %lld columns, %lld nonzeros with both triangles\n", (long long)info.rows,
	       (long long)info.cols, (long long)info.nnz);

	/* A times ones: the sum of each row. */
	double sum = 0;
	double *x = malloc(sizeof *x * (size_t)info.cols), *y = malloc(sizeof *y * (size_t)info.rows);
	for (int64_t j = 0; x && j < info.cols; j++)
		x[j] = 1;
	tulle_status status = x && y ? tulle_mul_f64(p, 1.0, x, 0.0, y) : TULLE_E_MEMORY;
	for (int64_t i = 0; !status && i < info.rows; i++)
		sum += y[i];
	free(x);
	free(y);
	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
	if (status)
		return fail("multiply");
	printf("all entries add up to %g\n", sum);

	/* On our own file: a row sums to the number of neighbours that it lacks, 4 * 30 in all. */
	return argc <= 1 && sum != 120;
}
