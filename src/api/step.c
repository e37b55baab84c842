/* step.c -- a product with fused vector operations: check the pointers, take scratch, run the step. */
#include "api/online.h"
#include "core/inline.h"
#include "core/status.h"
#include "finish/finish.h"

#include <inttypes.h>

/* y = alpha A x + beta x + gamma w, with the requested dot products. gamma and w are in `v` as beta and b;
 * xy_name is the caller's name of x.y. */
typedef struct {
	tulle__product v;
	double beta;
	double *xy, *yy;
	const char *xy_name;
} request;

/* x.y and beta x need x and the result to have the same length. */
static tulle_status check_square(const tulle_plan *p, const request *r)
{
	const int64_t element = (int64_t)tulle__element_size(p->value_type);

	if (p->x_bytes == p->y_bytes || (!r->xy && r->beta == 0))
		return TULLE_OK;
	return tulle__fail(TULLE_E_ARGUMENT,
	                   "%s%s needs a square operator, this one is %" PRId64 " x %" PRId64,
	                   r->xy ? r->xy_name : "beta", r->xy ? "" : " x",
	                   (int64_t)p->y_bytes / element, (int64_t)p->x_bytes / element);
}

/* A product without vector operations. */
static int is_product(const request *r)
{
	return r->beta == 0 && !r->xy && !r->yy;
}

static void run(const tulle_plan *p, const request *r, void *scratch, void *step_scratch)
{
	const tulle__product *v = &r->v;
	const tulle__step_of of = { p->env, &p->run, p->shares_data ? NULL : p->format, &p->layout,
		                        p->vector_type };
	double xy, yy;
	tulle__step step = {
		.call = { p->data, v->x, v->b, v->y, scratch, v->alpha, v->beta },
		.beta = tulle__real(r->beta),
		.adds_x = r->beta != 0,
		.sums = r->xy   ? TULLE__SUM_BOTH
		        : r->yy ? TULLE__SUM_YY
		                : TULLE__NO_SUMS,
		.rows = (int64_t)(p->y_bytes / tulle__element_size(p->value_type)),
	};

	tulle__step_run(&of, &step, step_scratch, &xy, &yy);
	if (r->xy)
		*r->xy = xy;
	if (r->yy)
		*r->yy = yy;
}

/* With arguments that are checked. */
static tulle_status take_checked(const tulle_plan *p, const request *r)
{
	void *scratch, *step_scratch = NULL;
	tulle_status s = tulle__take_scratch(p->env, &p->run, &scratch);

	if (s != TULLE_OK)
		return s;
	if (is_product(r))
		tulle__multiply(p, r->v.alpha, r->v.x, r->v.beta, r->v.b, r->v.y, scratch);
	else
		s = tulle__take_scratch(p->env, &p->steps, &step_scratch);
	if (step_scratch)
		run(p, r, scratch, step_scratch);
	tulle__give_scratch(p->env, &p->steps, step_scratch);
	tulle__give_scratch(p->env, &p->run, scratch);
	return s;
}

static tulle_status take_step(const tulle_plan *p, tulle_value_type type, const request *r)
{
	tulle__turn turn;
	tulle_status s = tulle__check_product(p, type, &r->v);

	if (s == TULLE_OK)
		s = check_square(p, r);
	if (s != TULLE_OK)
		return s;
	turn = tulle__enter(p);
	s = take_checked(turn.plan, r);
	tulle__leave(p, turn, s == TULLE_OK);
	return s;
}

/* ---- y = A x, x.y, y.y ---- */

static tulle_status mul_dot(const tulle_plan *p, tulle_value_type type, const void *x, void *y,
                            double *xy, double *yy)
{
	return take_step(
	    p, type,
	    &(request){ { x, NULL, y, { 1, 0 }, { 0, 0 }, "b", "beta", "y" }, 0, xy, yy, "xy" });
}

tulle_status tulle_mul_dot_f32(const tulle_plan *plan, const float *x, float *y, double *xy,
                               double *yy)
{
	return mul_dot(plan, TULLE_F32, x, y, xy, yy);
}

tulle_status tulle_mul_dot_f64(const tulle_plan *plan, const double *x, double *y, double *xy,
                               double *yy)
{
	return mul_dot(plan, TULLE_F64, x, y, xy, yy);
}

/* ---- r = b - A x, r.r ---- */

static tulle_status residual(const tulle_plan *p, tulle_value_type type, const void *x,
                             const void *b, void *r, double *rr)
{
	return take_step(
	    p, type, &(request){ { x, b, r, { -1, 0 }, { 1, 0 }, "b", NULL, "r" }, 0, NULL, rr, "" });
}

tulle_status tulle_residual_f32(const tulle_plan *plan, const float *x, const float *b, float *r,
                                double *rr)
{
	return residual(plan, TULLE_F32, x, b, r, rr);
}

tulle_status tulle_residual_f64(const tulle_plan *plan, const double *x, const double *b, double *r,
                                double *rr)
{
	return residual(plan, TULLE_F64, x, b, r, rr);
}

/* ---- z = alpha A x + beta x + gamma w, x.z, z.z ---- */

static tulle_status step(const tulle_plan *p, tulle_value_type type, double alpha, const void *x,
                         double beta, double gamma, const void *w, void *z, double *xz, double *zz)
{
	return take_step(
	    p, type,
	    &(request){ { x, w, z, tulle__real(alpha), tulle__real(gamma), "w", "gamma", "z" },
	                beta,
	                xz,
	                zz,
	                "xz" });
}

tulle_status tulle_step_f32(const tulle_plan *plan, float alpha, const float *x, float beta,
                            float gamma, const float *w, float *z, double *xz, double *zz)
{
	return step(plan, TULLE_F32, (double)alpha, x, (double)beta, (double)gamma, w, z, xz, zz);
}

tulle_status tulle_step_f64(const tulle_plan *plan, double alpha, const double *x, double beta,
                            double gamma, const double *w, double *z, double *xz, double *zz)
{
	return step(plan, TULLE_F64, alpha, x, beta, gamma, w, z, xz, zz);
}
