/* core_plan.c -- plans of a matrix: made when first needed or when asked, updated, explained. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* ---- ownership ---- */

void core_drop(core_planned *planned)
{
	core_values *values;

	if (!planned || --planned->users > 0)
		return;
	values = planned->values;
	tulle_plan_destroy(planned->plan);
	free(planned);
	core_drop_values(values);
}

/* Give a plan new values, which it holds from now on; on failure it keeps the old ones. */
static tulle_status set_values(core_planned *planned, core_values *values)
{
	const int team = core_set_team();
	const tulle_status status = tulle_plan_update(planned->plan, values->array.start);
	core_values *old = planned->values;

	core_restore_team(team);
	if (status != TULLE_OK)
		return status;
	values->users++;
	planned->values = values;
	core_drop_values(old);
	return TULLE_OK;
}

/* ---- making ---- */

static core_planned *make(core_matrix *self, const tulle_plan_options *options)
{
	core_planned *planned = malloc(sizeof *planned);
	core_detached before;
	tulle_status status;

	if (!planned) {
		PyErr_NoMemory();
		return NULL;
	}
	*planned = (core_planned){ .users = 1, .both = options->op == TULLE_BOTH };
	before = core_detach();
	status = tulle_plan_create(self->matrix, options, &planned->plan);
	core_resume(before);
	/* Under the lock: an update may have come while we planned. */
	if (status == TULLE_OK && self->values)
		status = set_values(planned, self->values);
	if (status == TULLE_OK)
		return planned;
	core_raise(status);
	core_drop(planned);
	return NULL;
}

const tulle_plan *core_plan_for(const core_planned *planned, tulle_op op)
{
	return op == TULLE_TRANSPOSED && planned->both ? tulle_plan_transposed(planned->plan)
	                                               : planned->plan;
}

/* `wide`: for vectors of float64, which the matrix is not. */
static void put(core_matrix *self, int wide, tulle_op op, core_planned *planned)
{
	core_planned *old = self->planned[wide][op];

	self->planned[wide][op] = planned;
	if (planned)
		self->latest = wide;
	core_drop(old);
}

core_planned *core_use(core_matrix *self, tulle_op op, tulle_value_type vectors)
{
	const int wide = vectors != self->type;
	core_planned **plans = self->planned[wide];

	if (!plans[op] && plans[TULLE_BOTH] && op != TULLE_CONJUGATE)
		op = TULLE_BOTH;
	if (!plans[op]) {
		const tulle_plan_options options = { .size = sizeof options,
			                                 .op = op,
			                                 .vector_type = vectors };
		core_planned *planned = make(self, &options);

		if (!planned)
			return NULL;
		/* If another thread was faster: its plan may be one that was asked for. */
		if (plans[op])
			core_drop(planned);
		else
			put(self, wide, op, planned);
	}
	plans[op]->users++;
	return plans[op];
}

core_planned *core_use_latest(core_matrix *self, tulle_op op)
{
	const int narrow = self->planned[0][op] || self->planned[0][TULLE_BOTH];
	const int wide = self->planned[1][op] || self->planned[1][TULLE_BOTH];

	return core_use(self, op, wide && (self->latest || !narrow) ? TULLE_F64 : self->type);
}

/* A plan for both directions takes the place of those for one. */
static void keep(core_matrix *self, int wide, tulle_op op, core_planned *planned)
{
	put(self, wide, op, planned);
	for (int other = 0; op == TULLE_BOTH && other < TULLE_BOTH; other++)
		put(self, wide, (tulle_op)other, NULL);
}

/* (op, multiplies, measure, reproducible, format or None, lossy, wisdom or None, stores, vectors, online, wide) */
PyObject *core_plan(PyObject *self, PyObject *args)
{
	tulle_plan_options options = { .size = sizeof options };
	PyObject *wisdom, *path = NULL;
	core_planned *planned;
	int op, measure, wide;
	long long vectors;

	if (!PyArg_ParseTuple(args, "idpiziOiLpp", &op, &options.multiplies, &measure,
	                      &options.reproducible, &options.format, &options.lossy, &wisdom,
	                      &options.stores, &vectors, &options.online, &wide))
		return NULL;
	if (op < 0 || op >= CORE_OPS)
		return PyErr_Format(PyExc_ValueError, "op = %d: expected 0 to %d", op, CORE_OPS - 1);
	options.vector_type = wide ? TULLE_F64 : ((core_matrix *)self)->type;
	if (wisdom != Py_None && !PyUnicode_FSConverter(wisdom, &path))
		return NULL;
	options.vectors = vectors;
	options.wisdom = path ? PyBytes_AsString(path) : NULL;
	options.op = (tulle_op)op;
	options.effort = measure ? TULLE_MEASURE : TULLE_ESTIMATE;
	planned = make((core_matrix *)self, &options);
	Py_XDECREF(path);
	if (!planned)
		return NULL;
	keep((core_matrix *)self, wide, options.op, planned);
	Py_RETURN_NONE;
}

int core_adopt(core_matrix *self, tulle_plan *plan)
{
	tulle_plan_info info = { .size = sizeof info };
	core_planned *planned = malloc(sizeof *planned);
	tulle_status status;

	if (!planned) {
		PyErr_NoMemory();
		tulle_plan_destroy(plan);
		return -1;
	}
	*planned = (core_planned){ .plan = plan, .users = 1 };
	status = tulle_plan_describe(plan, &info);
	if (status != TULLE_OK) {
		core_raise(status);
		core_drop(planned);
		return -1;
	}
	keep(self, 0, info.op, planned);
	return 0;
}

/* The plan's file with the values of the update, which the plan has rounded. */
static tulle_status save_update(const core_matrix *a, const tulle_plan *rounded, const char *path)
{
	char choice[TULLE_CHOICE_BYTES];
	tulle_matrix *matrix = NULL;
	tulle_plan *plan = NULL;
	tulle_status status = tulle_plan_choice(rounded, choice);

	if (status == TULLE_OK)
		status = core_matrix_of_update(a, &matrix);
	if (status == TULLE_OK)
		status = tulle_plan_from_choice(matrix, choice, &plan);
	if (status == TULLE_OK)
		status = tulle_plan_save(plan, path, NULL);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(matrix);
	return status;
}

static tulle_status save(const core_matrix *a, const core_planned *planned, const char *path)
{
	return core_rounds(a, planned) ? save_update(a, planned->plan, path)
	                               : tulle_plan_save(planned->plan, path, NULL);
}

/* (transposed, path) */
PyObject *core_save(PyObject *self, PyObject *args)
{
	core_planned *planned;
	core_detached before;
	tulle_status status;
	PyObject *path, *transposed;
	tulle_op op;

	if (!PyArg_ParseTuple(args, "OO&", &transposed, PyUnicode_FSConverter, &path))
		return NULL;
	planned = core_op_of((core_matrix *)self, transposed, &op) == 0
	              ? core_use((core_matrix *)self, op, ((core_matrix *)self)->type)
	              : NULL;
	if (planned) {
		before = core_detach();
		status = save((core_matrix *)self, planned, PyBytes_AsString(path));
		core_resume(before);
		core_drop(planned);
		if (status == TULLE_OK) {
			Py_DECREF(path);
			Py_RETURN_NONE;
		}
		core_raise(status);
	}
	Py_DECREF(path);
	return NULL;
}

/* ---- choices ---- */

/* The choices of plans as text, by tulle_op; None: there is no plan, or it has no text. */
PyObject *core_choices(PyObject *self, PyObject *nothing)
{
	core_matrix *a = (core_matrix *)self;
	PyObject *texts = PyTuple_New(CORE_OPS);

	(void)nothing;
	for (int op = 0; texts && op < CORE_OPS; op++) {
		const core_planned *planned = a->planned[0][op];
		char text[TULLE_CHOICE_BYTES];
		PyObject *one = Py_None;

		if (planned && tulle_plan_choice(planned->plan, text) == TULLE_OK)
			one = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
		else
			Py_INCREF(one);
		if (!one || PyTuple_SetItem(texts, op, one) != 0)
			Py_CLEAR(texts);
	}
	return texts;
}

/* (text) */
PyObject *core_plan_by(PyObject *self, PyObject *args)
{
	tulle_plan *plan = NULL;
	core_detached before;
	tulle_status status;
	const char *text;

	if (!PyArg_ParseTuple(args, "s", &text))
		return NULL;
	before = core_detach();
	status = tulle_plan_from_choice(((core_matrix *)self)->matrix, text, &plan);
	core_resume(before);
	if (status != TULLE_OK)
		return core_raise(status);
	if (core_adopt((core_matrix *)self, plan) != 0)
		return NULL;
	Py_RETURN_NONE;
}

/* ---- updating ---- */

static int in_use(const core_matrix *a)
{
	for (int op = 0; op < CORE_OPS; op++)
		for (int wide = 0; wide < 2; wide++)
			if (a->planned[wide][op] && a->planned[wide][op]->users > 1)
				return 1;
	return 0;
}

/* The lock is kept: nobody can begin to multiply meanwhile. */
static tulle_status update_plans(core_matrix *self, core_values *values)
{
	tulle_status status = TULLE_OK;

	for (int op = 0; op < CORE_OPS; op++)
		for (int wide = 0; wide < 2 && status == TULLE_OK; wide++)
			if (self->planned[wide][op])
				status = set_values(self->planned[wide][op], values);
	return status;
}

PyObject *core_update(PyObject *self, PyObject *given)
{
	core_matrix *a = (core_matrix *)self;
	core_values *new = core_take_values(a, given), *old;
	tulle_status status;

	if (!new)
		return NULL;
	/* Looked at after `given`, whose code may have let other threads run. */
	if (in_use(a)) {
		PyErr_SetString(PyExc_RuntimeError,
		                "another thread multiplies by this matrix: update it afterwards");
		core_drop_values(new);
		return NULL;
	}
	status = update_plans(a, new);
	if (status != TULLE_OK) {
		core_raise(status);
		/* A plan that has the new values already goes: the next product plans anew, with the old. */
		for (int op = 0; op < CORE_OPS; op++)
			for (int wide = 0; wide < 2; wide++)
				if (a->planned[wide][op] && a->planned[wide][op]->values == new)
					put(a, wide, (tulle_op)op, NULL);
		core_drop_values(new);
		return NULL;
	}
	old = a->values;
	a->values = new;
	core_drop_values(old);
	Py_RETURN_NONE;
}

/* ---- telling ---- */

/* *plan multiplies by A or A^T. */
static core_planned *use_by(PyObject *self, PyObject *transposed, const tulle_plan **plan)
{
	core_matrix *a = (core_matrix *)self;
	tulle_op op;
	core_planned *planned = core_op_of(a, transposed, &op) != 0 ? NULL : core_use_latest(a, op);

	*plan = planned ? core_plan_for(planned, op) : NULL;
	return planned;
}

static size_t explain_plan(const void *plan, char *text, size_t size)
{
	return tulle_plan_explain(plan, text, size);
}

PyObject *core_explain(PyObject *self, PyObject *transposed)
{
	const tulle_plan *plan;
	core_planned *planned = use_by(self, transposed, &plan);
	PyObject *text;

	if (!planned)
		return NULL;
	text = core_text(explain_plan, plan);
	core_drop(planned);
	return text;
}

static PyObject *boolean(int value)
{
	return value ? Py_True : Py_False;
}

static const char *phase_name(tulle_online_phase phase)
{
	static const char *const names[] = { [TULLE_OFFLINE] = "",
		                                 [TULLE_ONLINE_COUNTING] = "counting",
		                                 [TULLE_ONLINE_CONVERTING] = "converting",
		                                 [TULLE_ONLINE_CONVERTED] = "converted",
		                                 [TULLE_ONLINE_STAYED] = "stayed" };

	return names[phase];
}

PyObject *core_describe(PyObject *self, PyObject *transposed)
{
	tulle_plan_info info = { .size = sizeof info };
	const tulle_plan *plan;
	core_planned *planned = use_by(self, transposed, &plan);
	PyObject *dict = NULL;
	tulle_status status;

	if (!planned)
		return NULL;
	status = tulle_plan_describe(plan, &info);
	if (status == TULLE_OK)
		dict = Py_BuildValue(
		    "{s:s,s:s,s:s,s:s,s:s,s:s,s:K,s:K,s:d,s:d,s:d,s:d,s:O,s:d,s:O,s:O,s:d,s:i,s:d,s:O,s:L,"
		    "s:s,s:d,s:d,s:s,s:s,s:s}",
		    "format", info.format, "way", info.way, "kernel", info.kernel, "isa", info.isa, "note",
		    info.note, "why", info.why, "bytes", (unsigned long long)info.bytes, "extra_bytes",
		    (unsigned long long)info.extra_bytes, "multiplies", info.multiplies, "seconds",
		    info.seconds, "convert_seconds", info.convert_seconds, "multiply_seconds",
		    info.multiply_seconds, "measured", boolean(info.measured), "read_bandwidth",
		    info.read_bandwidth, "machine_measured", boolean(info.machine_measured),
		    "borrows_values", boolean(info.borrows_values), "value_error", info.value_error,
		    "stores", info.stores, "transposed_seconds", info.transposed_seconds,
		    "transposed_measured", boolean(info.transposed_measured), "vectors",
		    (long long)info.vectors, "online", phase_name(info.online), "online_multiplies",
		    info.online_multiplies, "online_seconds", info.online_seconds, "online_why",
		    info.online_why, "stored_values", info.stored_values, "vector_dtype",
		    core_type_name(info.vector_type));
	else
		core_raise(status);
	core_drop(planned);
	return dict;
}

static PyObject *candidate(const tulle_plan *plan, int n)
{
	tulle_candidate_info info = { .size = sizeof info };
	const tulle_status status = tulle_plan_candidate(plan, n, &info);

	if (status != TULLE_OK)
		return core_raise(status);
	return Py_BuildValue("{s:s,s:s,s:O,s:O,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:s}", "format", info.format,
	                     "way", info.way, "chosen", boolean(info.chosen), "out", boolean(info.out),
	                     "bytes", info.bytes, "convert_seconds", info.convert_seconds,
	                     "multiply_seconds", info.multiply_seconds, "measured_convert",
	                     info.measured_convert, "measured_multiply", info.measured_multiply,
	                     "total_seconds", info.total_seconds, "break_even", info.break_even,
	                     "because", info.because);
}

PyObject *core_candidates(PyObject *self, PyObject *transposed)
{
	tulle_plan_info info = { .size = sizeof info };
	const tulle_plan *plan;
	core_planned *planned = use_by(self, transposed, &plan);
	PyObject *list;

	if (!planned)
		return NULL;
	tulle_plan_describe(plan, &info);
	list = PyList_New(0);
	for (int n = 0; list && n < info.candidates; n++) {
		PyObject *one = candidate(plan, n);

		if (!one || PyList_Append(list, one) != 0)
			Py_CLEAR(list);
		Py_XDECREF(one);
	}
	core_drop(planned);
	return list;
}
