/* format.h -- the table a storage format fills.
 *
 * One static const table per format; formats/formats.def lists them. Tests, bench, command and
 * planner iterate over that list and access a format only through its table, so a new format
 * requires no changes in other files.
 */
#ifndef TULLE_CORE_FORMAT_H
#define TULLE_CORE_FORMAT_H

#include "core/cpu.h"
#include "core/env.h"
#include "core/params.h"
#include "core/threads.h"
#include "core/types.h"
#include "tulle.h"

typedef struct tulle__csr tulle__csr;               /* csr/csr_matrix.h */
typedef struct tulle__bsr tulle__bsr;               /* csr/block_csr.h */
typedef struct tulle__features tulle__features;     /* analysis/features.h */
typedef struct tulle__estimate tulle__estimate;     /* analysis/cost.h */
typedef struct tulle__estimator tulle__estimator;   /* likewise */
typedef struct tulle__gpu_format tulle__gpu_format; /* gpu/gpu_plan.h */

/* Argument of every phase of a multiplication. b is y unless the caller passed another vector. */
typedef struct {
	const void *data; /* the result of convert */
	const void *x, *b;
	void *y, *scratch;
	tulle__scalar alpha, beta;
} tulle__call;

/* The same for k vectors at once: element i of vector v is x[i*ldx + v], and b is y. */
typedef struct {
	const void *data, *x;
	void *y, *scratch; /* scratch: k times that of one vector */
	tulle__scalar alpha, beta;
	int64_t k, ldx, ldy;
} tulle__call_many;

/* Up to three phases of one multiplication, e.g. permute x; multiply; add carries. `arg` of each is
 * a tulle__call. Kernels are serial and pure, and exactly one phase applies beta to a given y[i]. */
typedef struct {
	const char *name;
	tulle__work *phase[TULLE__PHASES]; /* NULL after the last */
} tulle__kernel;

/* Figures of a converted matrix. */
typedef struct {
	size_t bytes;                 /* of the stored matrix that one multiplication reads */
	size_t own_bytes;             /* memory that convert allocated */
	size_t scratch;               /* bytes of scratch for one call */
	int64_t parts[TULLE__PHASES]; /* of each phase; depends on the matrix, never on threads */
	int64_t main_phase;           /* the phase that reads the matrix */
	int64_t finishing_phase;      /* the phase of `finishes` */
	char note[96];                /* a property of this layout, "36 % padding"; may be empty */
	const char *values; /* how values are stored; NULL: in the type that the format gets */
	double value_error; /* relative, of a stored value; 0 unless the request is rounded */
} tulle__layout;

/* A row with more nonzeros is too long for one lane: the other lanes of its chunk would wait for it
 * (measured). */
#define TULLE__LONG_ROW 512

/* With fewer multiplications, neither a conversion nor the analysis of the matrix pays off. At 20, the
 * baseline costs 1.06 times the best, and a search costs 1.09 times the best (measured, geomean). */
enum { TULLE__FEW_MULTIPLIES = 20 };

/* Does the operation multiply by A^T or A^H alone? Does it have two directions? */
static inline int tulle__op_transposes(tulle_op op)
{
	return op == TULLE_TRANSPOSED || op == TULLE_CONJUGATE;
}

static inline int tulle__op_is_both(tulle_op op)
{
	return op == TULLE_BOTH || op == TULLE_BOTH_CONJUGATE;
}

/* How a plan performs its operation. */
typedef enum {
	TULLE__AS_IS,  /* the format stores A, which is the operator: y = A x, or A^T equals A */
	TULLE__BUILT,  /* A^T or A^H is built, and the format stores that */
	TULLE__SCATTER /* the format stores A, and A^T x is scattered from it */
} tulle__way;

/* The request of a plan to a format. */
typedef struct {
	/* convert gets A with TULLE_TRANSPOSED to scatter, or if A^T equals A; and A with TULLE_BOTH to
	 * multiply in both directions */
	tulle_op op;
	double multiplies;
	int64_t vectors; /* vectors per multiplication, 1 or more */
	int ordered;     /* sum each row in stored order; only for formats flagged ORDERED */
	int rounded;     /* how doubles may be rounded, as in options.lossy; likewise */
	tulle_value_type
	    given; /* the values were widened from this type of 16 bits; 0: they were not */
	size_t
	    releases; /* bytes of columns and values that `fill` will release; 0: no `fill` follows */
	tulle__params params;
} tulle__request;

/* A^T x from the data that `convert` made for TULLE_BOTH; A x uses the same data. */
typedef struct {
	const tulle__estimator *estimator; /* cost of A^T x, from the features of A */
	void (*describe)(const void *data,
	                 tulle__layout *out); /* bytes, scratch and parts; own_bytes is 0 */
	const tulle__kernel *(*kernel)(const void *data, tulle__isa isa, tulle_value_type type);
} tulle__backward;

enum {
	TULLE__ORDERED = 1,  /* can sum each row in stored order (reproducible = 2) */
	TULLE__BORROWS = 2,  /* reads the CSR it was made from: the plan keeps it alive */
	TULLE__SCATTERS = 4, /* adds into private copies of y, which need memory: few parts */
	TULLE__RESTRICTED =
	    8,                /* accepts one kind of matrix; others: TULLE_E_UNSUPPORTED, "NAME: why" */
	TULLE__ROUNDS = 16,   /* can keep doubles rounded (options.lossy) */
	TULLE__SLICES = 32,   /* some rows of a matrix show what the whole costs */
	TULLE__ANY_TYPE = 64, /* has kernels for the types of types.def that are SCALAR or WIDENED */
	TULLE__BASELINE =
	    128, /* needs no conversion; the planner compares the others with it. One format has it */
	TULLE__HAS_COMPLEX = 512, /* has kernels for the types of types.def that are COMPLEX */
	TULLE__MIRRORS = 256 /* asked for A^T or both and given A, it refuses A unless A^T equals A */
};

typedef struct {
	/* identity */
	const char *name;     /* used in wisdom files, command lines and logs: never change it */
	const char *summary;  /* what it stores, in one line */
	const char *tunables; /* "kernel=auto,scalar sigma=1..4096" (core/params.h) */
	int version;          /* of the layout in memory */
	int flags;

	/* choose: predicted cost, from features alone. NULL: used only if named */
	const tulle__estimator *estimator;

	/* A^T x by scattering from A, without building A^T: its cost; and whether a request that names
	 * the format asks for it. Both NULL: not supported */
	const tulle__estimator *scatter_estimator;
	int (*scatters)(const tulle__request *request);

	/* build: none of these depends on the number of threads */
	tulle_status (*convert)(const tulle__csr *a, const tulle__request *request, tulle__env *env,
	                        void **data);
	tulle_status (*update)(void *data, const tulle__csr *a,
	                       tulle__env *env); /* pattern as before */
	void (*release)(void *data, tulle__env *env);

	/* build in two steps, from a matrix whose columns and values are not needed afterwards: with
	 * request.releases, `convert` does everything that can fail and moves no entries. It may allocate that much
	 * beyond the limit of the context (tulle__allow_beyond_limit). `fill` moves the entries, and
	 * drops the pages of columns and values that it has read. `a` is as for `convert`; its row_ptr stays, and is
	 * all that `update` needs of it. NULL: not supported */
	void (*fill)(void *data, const tulle__csr *a, const tulle__request *request, tulle__env *env);

	/* build from block CSR, without expanding it: does the format keep blocks of this size, or smaller blocks
	 * that divide them? If so, the functions below give the same result as from the expansion. NULL: it gets
	 * the expansion */
	int (*keeps_blocks)(int64_t height, int64_t width, const tulle__request *request);
	tulle_status (*convert_blocks)(const tulle__bsr *a, const tulle__request *request,
	                               tulle__env *env, void **data);
	tulle_status (*update_blocks)(void *data, const tulle__bsr *a, tulle__env *env);

	/* One entry, inside the matrix: *value points to the stored value of the first entry in row i and
	 * column j, or is NULL if there is none. TULLE_E_UNSUPPORTED if no values are stored. May be
	 * NULL. */
	tulle_status (*entry)(void *data, int64_t i, int64_t j, void **value);

	/* describe */
	void (*describe)(const void *data, tulle__layout *out);

	/* Which rows of y a part of layout.finishing_phase finishes: after it, nothing else reads or writes rows
	 * *begin .. *end-1. The range may omit rows that the part finishes, or be empty (*begin >= *end). Steps
	 * use finished rows while they are in the cache. NULL: steps wait for the last phase. */
	void (*finishes)(const void *data, int64_t part, int64_t *begin, int64_t *end);

	/* prove: checks all invariants; and the inverse of convert, as a new CSR */
	tulle_status (*check)(const void *data, tulle__env *env);
	tulle_status (*to_csr)(const void *data, tulle__env *env, tulle__csr *out);

	/* run: the kernel for this data, or NULL if there is none for this instruction set; the core
	 * then tries the next lower set. The lowest set must have one. */
	const tulle__kernel *(*kernel)(const void *data, tulle__isa isa, tulle_value_type type);

	/* run, several vectors at once: the phases have the parts of `kernel` and take a
	 * tulle__call_many. Called with the instruction set of `kernel`. The member or its result may
	 * be NULL: the core then multiplies the vectors one by one. */
	const tulle__kernel *(*many)(const void *data, tulle__isa isa, tulle_value_type type);

	/* both directions from one store; NULL: A^T needs its own store */
	const tulle__backward *backward;

	/* run on a GPU, with separate arrays and kernels; NULL: not supported */
	const tulle__gpu_format *gpu;
} tulle__format;

/* Are k vectors so few that single products take less time? Rows of fewer bytes than this fill little of a
 * register, while a single product uses all lanes. The baseline loses no lanes (ADR 34). */
static inline int tulle__few_vectors(const tulle__format *format, int64_t k, size_t element)
{
	enum { NARROW = 32 };

	return (size_t)k * element < NARROW && !(format->flags & TULLE__BASELINE);
}

/* Has the format kernels for values of this type? */
int tulle__format_has(const tulle__format *format, const tulle__type *type);

/* TULLE_E_UNSUPPORTED where a format has no kernels for a value type: to be asked before `convert`. */
tulle_status tulle__format_takes(const tulle__format *format, tulle_value_type type);

/* The type in which a format has the values of a matrix of this type (csr/widened.h): the type itself, or a
 * wider one. `kernel` and `entry` are about values of this type. */
tulle_value_type tulle__format_type(const tulle__format *format, tulle_value_type type);

/* Does the format read the values of such a matrix where they are? One flagged BORROWS copies values that it
 * has to widen. */
int tulle__format_borrows(const tulle__format *format, tulle_value_type type);

/* The n-th format of formats.def, NULL past the last; the one of this name, or NULL; the baseline. */
const tulle__format *tulle__format_at(int n);
const tulle__format *tulle__format_named(const char *name, size_t length);
const tulle__format *tulle__baseline_format(void);

#endif
