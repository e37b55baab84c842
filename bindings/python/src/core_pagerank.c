/* core_pagerank.c -- PageRank of the graph that a matrix is. */
#include "core.h"

#include <tulle_pagerank.h>

/* Keeps the residuals, and lets Ctrl-C end the run. */
static int keep(void *residuals, int64_t iteration, double residual)
{
	const PyGILState_STATE state = PyGILState_Ensure();
	PyObject *number = PyFloat_FromDouble(residual);
	const int stop = !number || PyList_Append(residuals, number) != 0 || PyErr_CheckSignals() != 0;

	(void)iteration;
	Py_XDECREF(number);
	PyGILState_Release(state);
	return stop;
}

/* What was computed, and how it went. */
static PyObject *tell(const tulle_pagerank_info *info, const tulle_pagerank *graph,
                      PyObject *residuals)
{
	tulle_pagerank_rules rules = { .size = sizeof rules };
	tulle_plan_info plan = { .size = sizeof plan };
	tulle_status status = tulle_pagerank_describe(&rules);

	if (status == TULLE_OK)
		status = tulle_plan_describe(tulle_pagerank_plan(graph), &plan);
	if (status != TULLE_OK)
		return core_raise(status);
	return Py_BuildValue(
	    "{s:O,s:L,s:L,s:L,s:L,s:d,s:d,s:O,s:d,s:d,s:d,s:d,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s}",
	    "residuals", residuals, "nodes", (long long)info->nodes, "links", (long long)info->links,
	    "dangling", (long long)info->dangling, "iterations", (long long)info->iterations,
	    "residual", info->residual, "error_bound", info->error_bound, "converged",
	    info->converged ? Py_True : Py_False, "alpha", info->damping, "tol", info->tolerance,
	    "planning_seconds", info->create_seconds, "seconds_per_iteration",
	    info->seconds_per_iteration, "formula", rules.formula, "link_rule", rules.links,
	    "dangling_rule", rules.dangling, "teleport_rule", rules.teleport, "start", rules.start,
	    "norm", rules.norm, "stop_test", rules.stop, "format", plan.format, "why", plan.why);
}

static PyObject *rank(core_matrix *a, const tulle_plan_options *plan,
                      tulle_pagerank_options *options, double *ranks)
{
	tulle_pagerank_info info = { .size = sizeof info };
	PyObject *residuals = PyList_New(0), *told = NULL;
	tulle_pagerank *graph = NULL;
	core_detached before;
	tulle_status status;

	if (!residuals)
		return NULL;
	options->progress = keep;
	options->user = residuals;
	before = core_detach();
	status = tulle_pagerank_create(a->matrix, plan, &graph);
	if (status == TULLE_OK)
		status = tulle_pagerank_run(graph, options, ranks, &info);
	core_resume(before);
	if (status != TULLE_OK)
		core_raise(status);
	else if (!PyErr_Occurred())
		told = tell(&info, graph, residuals);
	tulle_pagerank_destroy(graph);
	Py_DECREF(residuals);
	return told;
}

/* (alpha, tol, most iterations, teleport or None, measure, format or None, ranks to be written) */
PyObject *core_pagerank(PyObject *self, PyObject *args)
{
	tulle_plan_options plan = { .size = sizeof plan };
	tulle_pagerank_options options = { .size = sizeof options };
	core_matrix *a = (core_matrix *)self;
	core_vectors teleport, ranks;
	PyObject *given, *out, *told = NULL;
	long long most;
	const char *why;
	int measure;

	if (!PyArg_ParseTuple(args, "ddLOpzO", &options.damping, &options.tolerance, &most, &given,
	                      &measure, &plan.format, &out))
		return NULL;
	options.max_iterations = most;
	plan.effort = measure ? TULLE_MEASURE : TULLE_ESTIMATE;
	if (core_take_vector(out, TULLE_F64, a->rows, 1, &ranks, &why) != 0)
		return core_no_memory(why) ? NULL
		                           : PyErr_Format(PyExc_ValueError, "the array for ranks %s", why);
	if (given == Py_None) {
		told = rank(a, &plan, &options, ranks.start);
	} else if (core_take_vector(given, TULLE_F64, a->rows, 0, &teleport, &why) == 0) {
		options.teleport = teleport.start;
		told = rank(a, &plan, &options, ranks.start);
		PyBuffer_Release(&teleport.view);
	} else if (!core_no_memory(why)) {
		PyErr_Format(PyExc_ValueError, "personalization %s", why);
	}
	PyBuffer_Release(&ranks.view);
	return told;
}
