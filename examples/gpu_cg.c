/* gpu_cg.c -- conjugate gradients whose products run on a GPU: heat in a plate, edges at zero.
 *
 * The matrix stays on the device. The short vector work stays on the host here, so p goes over and A p
 * comes back in every iteration; a program that keeps all of it on the device imports its own queue
 * and memory (tulle_queue_create, tulle_vector_create). */
#include <math.h>
#include <stdio.h>
#include <tulle_gpu.h>

enum { SIDE = 40, N = SIDE * SIDE, MOST = 5 * N };

static int32_t row_ptr[N + 1], col[MOST];
static double val[MOST];

/* The five-point stencil on a grid of SIDE x SIDE. */
static void assemble(void)
{
	static const int step[5][2] = { { -1, 0 }, { 0, -1 }, { 0, 0 }, { 0, 1 }, { 1, 0 } };
	int32_t k = 0;

	for (int i = 0; i < N; i++) {
		for (int s = 0; s < 5; s++) {
			const int y = i / SIDE + step[s][0], x = i % SIDE + step[s][1];

			if (y < 0 || y >= SIDE || x < 0 || x >= SIDE)
				continue;
			col[k] = y * SIDE + x;
			val[k++] = s == 2 ? 4 : -1;
		}
		row_ptr[i + 1] = k;
	}
}

static double dot(const double *a, const double *b)
{
	double sum = 0;

	for (int i = 0; i < N; i++)
		sum += a[i] * b[i];
	return sum;
}

typedef struct {
	tulle_device *device;
	tulle_queue *queue;
	tulle_device_plan *plan;
	tulle_vector *x, *y;
} gpu;

static tulle_status set_up(gpu *g, const tulle_device_info *info)
{
	tulle_matrix *a = NULL;
	tulle_status s = tulle_matrix_from_csr(NULL, N, N, TULLE_I32, row_ptr, TULLE_I32, col,
	                                       TULLE_F64, val, NULL, &a);

	if (!s)
		s = tulle_device_open(NULL, info->name, NULL, &g->device);
	if (!s)
		s = tulle_queue_create(g->device, NULL, &g->queue);
	if (!s)
		s = tulle_device_plan_create(g->device, a, NULL, &g->plan);
	if (!s)
		s = tulle_vector_create(g->device, TULLE_F64, N, NULL, &g->x);
	if (!s)
		s = tulle_vector_create(g->device, TULLE_F64, N, NULL, &g->y);
	tulle_matrix_destroy(a); /* the plan has its own copy, on the device */
	return s;
}

static void tear_down(gpu *g)
{
	tulle_vector_destroy(g->x);
	tulle_vector_destroy(g->y);
	tulle_device_plan_destroy(g->plan);
	tulle_queue_destroy(g->queue);
	tulle_device_close(g->device);
}

/* q = A p by way of the device. */
static tulle_status product(const gpu *g, const double *p, double *q)
{
	tulle_status s = tulle_vector_write(g->queue, g->x, 0, N, p);

	if (!s)
		s = tulle_device_mul(g->plan, g->queue, 1.0, g->x, 0.0, g->y);
	return s ? s : tulle_vector_read(g->queue, g->y, 0, N, q);
}

/* Solve A x = b; x begins at zero. */
static tulle_status solve(const gpu *g, const double *b, double *x, int *iterations)
{
	static double r[N], p[N], q[N];
	double rr = dot(b, b);
	const double stop = 1e-20 * rr;

	for (int i = 0; i < N; i++) {
		x[i] = 0;
		r[i] = p[i] = b[i];
	}
	for (*iterations = 0; rr > stop && *iterations < N; ++*iterations) {
		const tulle_status s = product(g, p, q);
		const double alpha = rr / dot(p, q), old = rr;

		if (s)
			return s;
		for (int i = 0; i < N; i++) {
			x[i] += alpha * p[i];
			r[i] -= alpha * q[i];
		}
		rr = dot(r, r);
		for (int i = 0; i < N; i++)
			p[i] = r[i] + rr / old * p[i];
	}
	return TULLE_OK;
}

/* |b - A x| over |b|, on the host. */
static double residual(const double *b, const double *x)
{
	double sum = 0;

	for (int i = 0; i < N; i++) {
		double r = b[i];

		for (int32_t k = row_ptr[i]; k < row_ptr[i + 1]; k++)
			r -= val[k] * x[col[k]];
		sum += r * r;
	}
	return sqrt(sum / dot(b, b));
}

/* The first device that can be used for doubles. */
static int find(tulle_device_info *info)
{
	int count = 0;

	tulle_device_count(NULL, &count);
	for (int n = 0; n < count; n++)
		if (!tulle_device_describe(NULL, n, info) && info->usable && info->f64)
			return 1;
	return 0;
}

int main(void)
{
	static double b[N], x[N];
	tulle_device_info info = { .size = sizeof info };
	gpu g = { 0 };
	int iterations = 0;
	double error = 1;
	tulle_status s;

	if (!find(&info)) {
		printf("no device for double precision here; `tulle devices` lists what was found\n");
		return 0;
	}
	assemble();
	for (int i = 0; i < N; i++)
		b[i] = 1;
	s = set_up(&g, &info);
	if (!s)
		s = solve(&g, b, x, &iterations);
	if (s)
		fprintf(stderr, "%s\n", tulle_last_error());
	else
		error = residual(b, x);
	tear_down(&g);
	if (!s)
		printf("%s (%s): %d iterations, residual %.1e, %.3f in the middle\n", info.name, info.model,
		       iterations, error, x[N / 2 + SIDE / 2]);
	return !(error < 1e-9);
}
