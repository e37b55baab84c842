/* core_module.c -- the extension module tulle._core: what it holds, and the number of threads. */
#include "core_device.h"

#include <omp.h>

PyObject *core_empty, *core_dtypes[TULLE_C128 + 1];

/* ---- threads ---- */

/* Of set_threads(); 0: as OpenMP says. Read and written under the interpreter's lock. */
static int threads;

/* OpenMP keeps its number for each thread, and other libraries of the process ask for it too. So it
 * is set for the length of a call only. */
int core_set_team(void)
{
	const int before = threads > 0 ? omp_get_max_threads() : 0;

	if (threads > 0)
		omp_set_num_threads(threads);
	return before;
}

void core_restore_team(int before)
{
	if (before > 0)
		omp_set_num_threads(before);
}

core_detached core_detach(void)
{
	core_detached before = { .team = core_set_team() };

	before.thread = PyEval_SaveThread();
	return before;
}

void core_resume(core_detached before)
{
	PyEval_RestoreThread(before.thread);
	core_restore_team(before.team);
}

static PyObject *set_threads(PyObject *module, PyObject *count)
{
	enum { MOST = 4096 };
	const long number = count == Py_None ? 0 : PyLong_AsLong(count);

	(void)module;
	if (number == -1 && PyErr_Occurred())
		return NULL;
	if (number < 0 || number > MOST || (number == 0 && count != Py_None)) {
		PyErr_Format(PyExc_ValueError, "set_threads: %ld is not in 1 .. %d; None: as OpenMP says",
		             number, MOST);
		return NULL;
	}
	threads = (int)number;
	Py_RETURN_NONE;
}

static PyObject *get_threads(PyObject *module, PyObject *nothing)
{
	(void)module;
	(void)nothing;
	return PyLong_FromLong(threads > 0 ? threads : omp_get_max_threads());
}

static PyObject *formats(PyObject *module, PyObject *nothing)
{
	PyObject *list = PyList_New(0);
	const char *name;

	(void)module;
	(void)nothing;
	for (int n = 0; list && (name = tulle_formats(n)) != NULL; n++) {
		PyObject *word = PyUnicode_FromString(name);

		if (!word || PyList_Append(list, word) != 0)
			Py_CLEAR(list);
		Py_XDECREF(word);
	}
	return list;
}

/* ---- the module ---- */

static PyMethodDef functions[] = {
	{ "set_threads", set_threads, METH_O,
	  "set_threads(count, /)\n--\n\n"
	  "Use this number of threads for everything from now on; None: as many as OpenMP says.\n\n"
	  "The result of a product does not depend on it, to the last bit.\n\n"
	  ">>> import tulle\n"
	  ">>> tulle.set_threads(1)\n"
	  ">>> tulle.get_threads()\n"
	  "1\n"
	  ">>> tulle.set_threads(None)\n" },
	{ "get_threads", get_threads, METH_NOARGS,
	  "get_threads()\n--\n\nThe most threads that a call from this thread will use." },
	{ "formats", formats, METH_NOARGS,
	  "formats()\n--\n\nThe names of the storage formats, as Matrix.plan(format=) takes them.\n\n"
	  ">>> import tulle\n"
	  ">>> 'sell' in tulle.formats()\n"
	  "True\n" },
	{ "_same_bytes", (PyCFunction)(void (*)(void))core_same_bytes, METH_FASTCALL,
	  "_same_bytes(a, b): whether two contiguous arrays hold the same bytes" },
	{ NULL, NULL, 0, NULL },
};

static PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,  .m_name = "tulle._core", .m_doc = "libtulle for Python: the part in C.",
	.m_size = -1, /* its state is in variables, see core.h */
	.m_methods = functions,
};

static int find_numpy(void)
{
	PyObject *numpy = PyImport_ImportModule("numpy");

	if (!numpy)
		return -1;
	core_empty = PyObject_GetAttrString(numpy, "empty");
	for (int i = TULLE_F32; core_empty && i <= TULLE_C128; i++) {
		core_dtypes[i] =
		    PyObject_CallMethod(numpy, "dtype", "s", core_type_name((tulle_value_type)i));
		if (!core_dtypes[i])
			Py_CLEAR(core_empty);
	}
	Py_DECREF(numpy);
	return core_empty ? 0 : -1;
}

static int fill(PyObject *module)
{
	const int v = tulle_version();
	PyObject *type = core_make_type(module), *batch = core_make_batch_type(module), *version;
	int bad;

	if (!type || PyModule_AddObjectRef(module, "Matrix", type) != 0 || !batch ||
	    PyModule_AddObjectRef(module, "Batch", batch) != 0)
		return -1;
	Py_DECREF(batch);
	if (core_add_device(module) != 0 || core_add_vector(module) != 0 ||
	    core_add_device_plan(module) != 0)
		return -1;
	version = PyUnicode_FromFormat("%d.%d.%d", v / 10000, v / 100 % 100, v % 100);
	bad = !version || PyModule_AddObjectRef(module, "__version__", version) != 0;
	Py_XDECREF(version);
	return bad ? -1 : 0;
}

/* Python looks for this name, and Python.h has no prototype of it. */
/* NOLINTBEGIN(readability-identifier-naming) */
PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
/* NOLINTEND(readability-identifier-naming) */
{
	PyObject *module = PyModule_Create(&definition);

	if (module && (find_numpy() != 0 || fill(module) != 0))
		Py_CLEAR(module);
	return module;
}
