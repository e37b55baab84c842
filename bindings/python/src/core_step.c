/* core_step.c -- a product with what follows it in one pass: z = alpha A x + beta x + gamma w, x.z and z.z. */
#include "core.h"

typedef struct {
	core_vectors x, w, z;
	tulle_value_type type; /* of them */
	int has_w;
	double alpha, beta, gamma, xz, zz;
} step;

/* The vector called `name`, or an exception about it. */
static int take(PyObject *given, const char *name, tulle_value_type type, int64_t n, int write,
                core_vectors *out)
{
	const char *why;

	if (core_take_vector(given, type, n, write, out, &why) == 0)
		return 0;
	if (!core_no_memory(why))
		PyErr_Format(PyExc_ValueError, "%s %s; expected %s of shape (%lld,)", name, why,
		             core_type_name(type), (long long)n);
	return -1;
}

static int run(core_matrix *a, tulle_op op, step *s)
{
	double *xz = a->rows == a->cols ? &s->xz : NULL;
	const void *w = s->has_w ? s->w.start : NULL;
	core_planned *planned = core_use(a, op, s->type);
	const tulle_plan *plan;
	core_detached before;
	tulle_status status;

	if (!planned)
		return -1;
	plan = core_plan_for(planned, op);
	before = core_detach();
	status = s->type == TULLE_F64
	             ? tulle_step_f64(plan, s->alpha, s->x.start, s->beta, s->gamma, w, s->z.start, xz,
	                              &s->zz)
	             : tulle_step_f32(plan, (float)s->alpha, s->x.start, (float)s->beta,
	                              (float)s->gamma, w, s->z.start, xz, &s->zz);
	core_resume(before);
	core_drop(planned);
	if (status == TULLE_OK)
		return 0;
	core_raise(status);
	return -1;
}

static int run_with(core_matrix *a, tulle_op op, step *s, PyObject *x, PyObject *w, PyObject *z)
{
	const int64_t rows = op == TULLE_NORMAL ? a->rows : a->cols;
	const int64_t cols = op == TULLE_NORMAL ? a->cols : a->rows;
	int bad = take(x, "x", s->type, cols, 0, &s->x);

	if (bad)
		return -1;
	bad = take(z, "out", s->type, rows, 1, &s->z);
	if (!bad) {
		s->has_w = w != Py_None;
		bad = s->has_w && take(w, "w", s->type, rows, 0, &s->w);
		if (!bad) {
			bad = run(a, op, s);
			if (s->has_w)
				PyBuffer_Release(&s->w.view);
		}
		PyBuffer_Release(&s->z.view);
	}
	PyBuffer_Release(&s->x.view);
	return bad;
}

/* (transposed, alpha, x, beta, gamma, w, out, wide): w None if gamma is 0; wide: vectors of float64 with a matrix of
 * float32. Returns (x.z, z.z); x.z is None unless the matrix is square. */
PyObject *core_step(PyObject *self, PyObject *args)
{
	core_matrix *a = (core_matrix *)self;
	PyObject *x, *w, *z;
	step s = { .has_w = 0 };
	int transposed, wide;

	if (!PyArg_ParseTuple(args, "pdOddOOp:_step", &transposed, &s.alpha, &x, &s.beta, &s.gamma, &w,
	                      &z, &wide))
		return NULL;
	s.type = wide ? TULLE_F64 : a->type;
	if (run_with(a, transposed ? TULLE_TRANSPOSED : TULLE_NORMAL, &s, x, w, z) != 0)
		return NULL;
	if (a->rows != a->cols)
		return Py_BuildValue("Od", Py_None, s.zz);
	return Py_BuildValue("dd", s.xz, s.zz);
}
