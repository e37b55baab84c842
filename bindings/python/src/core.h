/* core.h -- what the files of the extension module tulle._core share.
 *
 * NumPy is met through the buffer protocol alone, and Python through the limited API of 3.11, so one
 * binary serves every Python from 3.11 on and every NumPy. */
#ifndef TULLE_PYTHON_CORE_H
#define TULLE_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <tulle.h>

/* ---- words ---- */

/* Raise the exception that belongs to a status, with tulle's own sentence. Returns NULL. */
PyObject *core_raise(tulle_status status);

/* What a function that writes as snprintf does has to say about an object. */
typedef size_t core_explainer(const void *object, char *text, size_t size);
PyObject *core_text(core_explainer *explain, const void *object);

/* ---- buffers ---- */

/* Exporters may leave out shape and strides, and an empty array may begin anywhere. So only
 * core_buffers.c looks into a view; `start` is aligned even if there are no elements. */

/* An array as tulle wants it. */
typedef struct {
	Py_buffer view;
	const void *start;
	int64_t count; /* elements */
	int element;   /* bytes of one; negative: of a complex one */
} core_array;

/* Vectors as tulle wants them: one (k = 1) or several. */
typedef struct {
	Py_buffer view;
	void *start;
	Py_ssize_t strides[2]; /* bytes between rows and between columns */
	int64_t n, k, ld;
	tulle_order order;
	int both; /* 1: it may as well be taken in the other order */
	int wide; /* 1: two-dimensional */
} core_vectors;

/* The type of values of so many bytes, as in core_array; 2: float16, 3: bfloat16. */
tulle_value_type core_value_type(int element);

/* alpha or beta for this type: a number, or a pair of numbers for complex types. On failure an exception is set. */
tulle_c128 core_factor(tulle_value_type type, PyObject *number);
tulle_c64 core_narrow(tulle_c128 s);

/* "float32", "complex128", ... */
const char *core_type_name(tulle_value_type type);

/* Take an array of one dimension, contiguous, aligned and native, of floating point (kind 'f'), of floating point or
 * complex ('c'), of signed integers ('i') or of the bits of 16-bit numbers ('h'). On failure an exception that begins with `name` is set and there is nothing
 * to release. */
int core_take_array(PyObject *object, const char *name, char kind, core_array *out);

/* Take vectors of `n` elements of `type`. Returns 0, or -1 when they cannot be used as they lie; then
 * there is nothing to release and *why says what is wrong, in a word or two; no exception is set.
 * `write`: they will be written to. */
int core_take_vectors(PyObject *object, tulle_value_type type, int64_t n, int write,
                      core_vectors *out, const char **why);

/* Is this *why lack of memory? Then MemoryError is set. */
int core_no_memory(const char *why);

/* The same for vectors of one of the types that a matrix of this type is multiplied by: its own, and float64 for
 * float32. *vectors is the one that they have, or `type` on failure. */
int core_take_any_vectors(PyObject *object, tulle_value_type type, int64_t n, int write,
                          core_vectors *out, tulle_value_type *vectors, const char **why);

/* The same for one vector: an array of one dimension. */
int core_take_vector(PyObject *object, tulle_value_type type, int64_t n, int write,
                     core_vectors *out, const char **why);

/* The function _same_bytes(a, b) of the module: whether two contiguous arrays hold the same bytes. */
PyObject *core_same_bytes(PyObject *module, PyObject *const *args, Py_ssize_t count);

/* Make the orders of x and y agree. Returns 0 if they cannot. */
int core_same_order(core_vectors *x, core_vectors *y);

/* ---- threads ---- */

/* Give OpenMP the number of set_threads(); returns what core_restore_team() needs to undo that. */
int core_set_team(void);
void core_restore_team(int before);

/* What core_resume() needs to undo core_detach(). */
typedef struct {
	PyThreadState *thread;
	int team;
} core_detached;

/* Let other Python threads run, and set the team, for what follows. */
core_detached core_detach(void);
void core_resume(core_detached before);

/* ---- the matrix ---- */

/* Products run without the interpreter's lock, and another thread may plan anew or update meanwhile.
 * So a plan lives until the last product with it is done, and values live as long as a plan that may
 * read them. Counts are changed under that lock only. */

/* The values of an update. */
typedef struct {
	core_array array;
	int users; /* the matrix whose latest they are, and its plans */
} core_values;

typedef struct {
	tulle_plan *plan;
	core_values *values; /* NULL: those the matrix was made with */
	int users;           /* the matrix itself, and products */
	int both;            /* it multiplies by A^T, too */
} core_planned;

enum { CORE_OPS = TULLE_CONJUGATE + 1 };

typedef struct {
	PyObject_HEAD
	    /* Set once, when the matrix is made. */
	    tulle_matrix *matrix;
	int64_t rows, cols, nnz;
	int64_t stored;         /* values that an update takes */
	tulle_value_type type;  /* of its products with vectors of the same type */
	tulle_value_type given; /* of its values: the same, or one of 16 bits */
	Py_buffer held[3];      /* the borrowed arrays */
	int held_count;

	/* For vectors of the matrix's type, and of float64 if it is float32; by tulle_op. NULL: not yet. */
	core_planned *planned[2][CORE_OPS];
	int latest;          /* which of the two the latest plan was made for */
	core_values *values; /* of the latest update; NULL: there was none */
} core_matrix;

/* The type of matrices, and how to make arrays of results. The module cannot be loaded twice in a
 * process, so these may live here: the limited API of 3.11 leads from a subclass to no module. */
extern PyTypeObject *core_matrix_type;
extern PyObject *core_empty,
    *core_dtypes[TULLE_C128 + 1]; /* numpy.empty; dtypes by tulle_value_type */

PyObject *core_make_type(PyObject *module);
PyObject *core_make_batch_type(PyObject *module);

/* The plan for op (A or A^T), or the one for both, made with defaults if there is neither; to be given
 * back by core_drop(). NULL with an exception set on failure. `vectors`: their type. */
core_planned *core_use(core_matrix *self, tulle_op op, tulle_value_type vectors);

/* The same for vectors of any type, the latest if there are two. */
core_planned *core_use_latest(core_matrix *self, tulle_op op);

/* 0: A, 1: A^T, 3: A^H, which is A^T for real matrices; as an operation. -1 with an exception set on failure. */
int core_op_of(const core_matrix *a, PyObject *number, tulle_op *op);

/* What multiplies by A, A^T or A^H, as op says; asked for at each use, since an update may change it. */
const tulle_plan *core_plan_for(const core_planned *planned, tulle_op op);
void core_drop(core_planned *planned); /* accepts NULL */

/* Make a plan that was loaded the matrix's own, in any case. -1 with an exception set on failure. */
int core_adopt(core_matrix *self, tulle_plan *plan);

/* Values for an update, with one user. NULL with an exception set on failure. */
core_values *core_take_values(const core_matrix *a, PyObject *given);

/* Accepts NULL. Giving values back may run Python code of their owner's, so callers have changed all
 * they want to change before they call this. */
void core_drop_values(core_values *values);

/* Whether the plan stores the values of an update rounded (options.lossy). */
int core_rounds(const core_matrix *a, const core_planned *planned);

/* A matrix with the values of the latest update as they were given; there was one. */
tulle_status core_matrix_of_update(const core_matrix *a, tulle_matrix **out);

/* ---- methods, by file ---- */

/* core_sources.c */
PyObject *core_from_csr(PyObject *cls, PyObject *args);
PyObject *core_from_csc(PyObject *cls, PyObject *args);
PyObject *core_from_coo(PyObject *cls, PyObject *args);
PyObject *core_from_bsr(PyObject *cls, PyObject *args);
PyObject *core_read(PyObject *cls, PyObject *args);
PyObject *core_load(PyObject *cls, PyObject *args);
PyObject *core_latest(PyObject *self, PyObject *nothing);
PyObject *core_arrays(PyObject *self, PyObject *nothing);

/* core_plan.c */
PyObject *core_plan(PyObject *self, PyObject *args);
PyObject *core_save(PyObject *self, PyObject *args);
PyObject *core_choices(PyObject *self, PyObject *nothing);
PyObject *core_plan_by(PyObject *self, PyObject *args);
PyObject *core_update(PyObject *self, PyObject *values);
PyObject *core_explain(PyObject *self, PyObject *transposed);
PyObject *core_describe(PyObject *self, PyObject *transposed);
PyObject *core_candidates(PyObject *self, PyObject *transposed);

/* core_pagerank.c */
PyObject *core_pagerank(PyObject *self, PyObject *args);

/* core_device_plan.c */
PyObject *core_rank(PyObject *self, PyObject *args);

/* core_multiply.c */
PyObject *core_matmul(PyObject *left, PyObject *right);
PyObject *core_product(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *core_multiply(PyObject *self, PyObject *const *args, Py_ssize_t count);

/* core_step.c */
PyObject *core_step(PyObject *self, PyObject *args);

#endif
