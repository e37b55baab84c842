/* tulle.h -- sparse matrix times vector, y = alpha A x + beta y.
 *
 * Four steps, always in this order:
 *
 *     tulle_matrix_from_csr()   say what A is: your arrays, borrowed or copied, checked once
 *     tulle_plan_create()       choose a storage format for A and convert to it
 *     tulle_mul_f64()           multiply, as often as you like, from as many threads as you like
 *     tulle_*_destroy()         in any order; every destroy accepts NULL
 *
 * In full, with error handling left out:
 *
 *     tulle_matrix *a;
 *     tulle_plan *p;
 *     tulle_matrix_from_csr(NULL, rows, cols, TULLE_I32, row_ptr, TULLE_I32, col,
 *                           TULLE_F64, val, NULL, &a);
 *     tulle_plan_create(a, NULL, &p);
 *     tulle_mul_f64(p, 1.0, x, 0.0, y);
 *     tulle_plan_destroy(p);
 *     tulle_matrix_destroy(a);
 *
 * Errors. Every function that can fail returns TULLE_OK (0) or a negative tulle_status, and
 * tulle_last_error() then holds a sentence that names the argument, the index and the value. After
 * a failure nothing has changed: outputs are untouched (handles are set to NULL), nothing leaks.
 *
 * Threads. A context, matrix or plan may be used by many threads at once as long as nobody
 * destroys or updates it meanwhile. A multiplication never writes to its plan.
 *
 * Bits. One plan gives the same bits at any number of threads: the work is cut by the matrix, never
 * by the thread count, and partial sums are added in a fixed order.
 *
 * Manners. The library never prints, exits, aborts, changes the floating-point environment or
 * writes to arrays that it only reads.
 *
 * Option and info structures begin with `size`. Set it to sizeof the structure; fields left zero
 * mean the default, so `{ .size = sizeof(tulle_plan_options), .multiplies = 500 }` is enough, and
 * programs compiled against an older tulle.h go on working. A NULL options pointer means defaults.
 */
#ifndef TULLE_H
#define TULLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TULLE_API __attribute__((visibility("default")))
#else
#define TULLE_API
#endif

#define TULLE_VERSION_MAJOR 0
#define TULLE_VERSION_MINOR 1
#define TULLE_VERSION_PATCH 0
#define TULLE_VERSION \
	(TULLE_VERSION_MAJOR * 10000 + TULLE_VERSION_MINOR * 100 + TULLE_VERSION_PATCH)

/* The TULLE_VERSION of the library that runs, which may be newer than the header's. */
TULLE_API int tulle_version(void);

/* ---- status ------------------------------------------------------------------------------- */

/* The numbers are pinned for ever; new ones may be added. */
typedef enum {
	TULLE_OK = 0,
	TULLE_E_ARGUMENT = -1,    /* a NULL, a negative size, an unknown enum or option */
	TULLE_E_MATRIX = -2,      /* the arrays or the file are not a matrix */
	TULLE_E_TYPE = -3,        /* f32 asked of an f64 plan, or the other way round */
	TULLE_E_MEMORY = -4,      /* the allocator said no */
	TULLE_E_LIMIT = -5,       /* the context's memory limit said no */
	TULLE_E_UNSUPPORTED = -6, /* this build, machine or format cannot do that */
	TULLE_E_IO = -7,          /* a file could not be opened, read or written */
	TULLE_E_DEVICE = -8,      /* the driver of a GPU failed (tulle_gpu.h) */
	TULLE_E_INTERNAL = -99    /* a bug of ours: please report the sentence */
} tulle_status;

/* "TULLE_E_MATRIX" for TULLE_E_MATRIX, and so on; never NULL. */
TULLE_API const char *tulle_status_name(tulle_status status);

/* The sentence of this thread's latest failure, "" before the first one, valid until the next: one
 * line of well-formed UTF-8; a long one is cut between two characters and ends in "...". */
TULLE_API const char *tulle_last_error(void);

/* ---- vocabulary ---------------------------------------------------------------------------- */

typedef enum { TULLE_F32 = 1, TULLE_F64 = 2 } tulle_value_type;
typedef enum { TULLE_I32 = 1, TULLE_I64 = 2 } tulle_index_type;

/* Who keeps the arrays of a matrix.
 * BORROW: the caller. They stay alive and unchanged until the matrix and all its plans are gone.
 * COPY:   the library copies them; the caller may free them when the call returns. */
typedef enum { TULLE_BORROW = 0, TULLE_COPY = 1 } tulle_ownership;

/* What the arrays hold.
 * GENERAL:    every entry.
 * SYMMETRIC:  one triangle with the diagonal of A = A^T; the other is understood.
 * SKEW:       one triangle without the diagonal of A = -A^T; the other is understood. */
typedef enum { TULLE_GENERAL = 0, TULLE_SYMMETRIC = 1, TULLE_SKEW = 2 } tulle_kind;
typedef enum { TULLE_LOWER = 0, TULLE_UPPER = 1 } tulle_triangle;

/* How far the arrays are checked before they are believed.
 * FULL: every offset and every index; one parallel pass. Bad arrays cannot crash a multiplication.
 * FAST: offsets only.
 * NONE: nothing. Wrong arrays then make undefined behaviour, here or in a later call. */
typedef enum { TULLE_CHECK_FULL = 0, TULLE_CHECK_FAST = 1, TULLE_CHECK_NONE = 2 } tulle_check;

typedef enum { TULLE_NORMAL = 0, TULLE_TRANSPOSED = 1 } tulle_op;
typedef enum { TULLE_COLUMN_MAJOR = 0, TULLE_ROW_MAJOR = 1 } tulle_order;

typedef struct tulle_context tulle_context; /* where to compute: threads, instruction set, memory */
typedef struct tulle_matrix tulle_matrix;   /* what A is */
typedef struct tulle_plan tulle_plan;       /* how to multiply by A */

/* ---- context: NULL means the default one everywhere ------------------------------------------ */

typedef enum { TULLE_LOG_WARNING = 1, TULLE_LOG_INFO = 2, TULLE_LOG_DEBUG = 3 } tulle_log_level;

typedef struct {
	size_t size; /* = sizeof(tulle_context_options) */
	int threads; /* most of a call; 0: as OpenMP or $OMP_NUM_THREADS says, else one per CPU */

	/* "scalar", "avx2", "avx512"; NULL: $TULLE_ISA, else the best there is. Kernels of the last two gather x
	 * as is faster on this processor; "avx2_loads", "avx512_loads": by ordinary loads. */
	const char *isa;

	/* Multiplications of less work than this (nonzeros + rows) stay on the calling thread, and so do some
	 * after one in which other processes kept helpers from their CPUs. 0: the measured break-even;
	 * negative: none does for either reason. */
	int64_t serial_below;

	/* Memory. Give both functions or neither. alloc returns `bytes` bytes aligned to `align` (a
	 * power of two, at most 64) or NULL; free gets the same `bytes` back. Both may be called from
	 * any thread. `memory_limit` bounds the bytes held by this context, 0: no bound. */
	void *(*alloc)(void *user, size_t bytes, size_t align);
	void (*free)(void *user, void *block, size_t bytes);
	size_t memory_limit;

	/* Called with one finished line, no newline; NULL: silence. May be called from any thread. */
	void (*log)(void *user, tulle_log_level level, const char *line);
	void *user; /* handed to alloc, free and log */
} tulle_context_options;

typedef struct {
	size_t size;        /* = sizeof(tulle_context_info) */
	int threads;        /* the most threads a call will use */
	int last_team;      /* the team of the latest call: the caller and the threads it had to help */
	const char *isa;    /* what kernels are chosen for */
	size_t bytes_held;  /* memory held now by everything that belongs to this context */
	size_t blocks_held; /* the same in blocks: 0 when all is destroyed but the context */
} tulle_context_info;

TULLE_API tulle_status tulle_context_create(const tulle_context_options *options,
                                            tulle_context **out);
TULLE_API tulle_status tulle_context_describe(const tulle_context *context,
                                              tulle_context_info *info);
TULLE_API void tulle_context_destroy(tulle_context *context);

/* ---- matrix -------------------------------------------------------------------------------- */

typedef struct {
	size_t size;               /* = sizeof(tulle_matrix_options) */
	tulle_ownership ownership; /* TULLE_BORROW */
	int base;                  /* 0 or 1: the first index of offsets, rows and columns */
	tulle_kind kind;           /* TULLE_GENERAL */
	tulle_triangle triangle;   /* which one is given, for SYMMETRIC and SKEW */
	tulle_check check;         /* TULLE_CHECK_FULL */
} tulle_matrix_options;

/* A from compressed rows: row i is col[k], val[k] for k = row_ptr[i] .. row_ptr[i+1] - 1.
 * Columns may stand in any order within a row. Duplicates are legal and add up. val == NULL means
 * that every entry is one. Offsets and columns have types of their own: 64-bit offsets with 32-bit
 * columns is the pair for more than 2^31 nonzeros. Rows, columns and nonzeros of a matrix from any
 * source are each below 2^59: with more, x, y or an array of A could not be addressed. That is
 * TULLE_E_ARGUMENT, or TULLE_E_MATRIX when it stands in offsets or in a file.
 * Nothing is copied when the arrays are borrowed, general and zero-based (offsets are widened when
 * 32-bit offsets come with 64-bit columns). Otherwise the library makes its own zero-based full
 * CSR; tulle_matrix_describe() tells which. */
TULLE_API tulle_status tulle_matrix_from_csr(tulle_context *context, int64_t rows, int64_t cols,
                                             tulle_index_type offset_type, const void *row_ptr,
                                             tulle_index_type column_type, const void *col,
                                             tulle_value_type value_type, const void *val,
                                             const tulle_matrix_options *options,
                                             tulle_matrix **out);

/* A from compressed columns: column j is row[k], val[k] for k = col_ptr[j] .. col_ptr[j+1] - 1.
 * Always builds rows of its own, so the caller's arrays are free when it returns. */
TULLE_API tulle_status tulle_matrix_from_csc(tulle_context *context, int64_t rows, int64_t cols,
                                             tulle_index_type offset_type, const void *col_ptr,
                                             tulle_index_type row_type, const void *row,
                                             tulle_value_type value_type, const void *val,
                                             const tulle_matrix_options *options,
                                             tulle_matrix **out);

/* A from nnz triplets in any order; entries of one row keep their order. Always builds rows of its
 * own, so the caller's arrays are free when it returns. */
TULLE_API tulle_status tulle_matrix_from_coo(tulle_context *context, int64_t rows, int64_t cols,
                                             int64_t nnz, tulle_index_type index_type,
                                             const void *row, const void *col,
                                             tulle_value_type value_type, const void *val,
                                             const tulle_matrix_options *options,
                                             tulle_matrix **out);

typedef struct {
	size_t size; /* = sizeof(tulle_matrix_info) */
	int64_t rows, cols;
	int64_t nnz;        /* entries of A, both triangles */
	int64_t stored_nnz; /* entries in the caller's arrays: as many values as an update takes */
	tulle_value_type value_type;
	tulle_index_type offset_type, column_type; /* of the zero-based CSR */
	tulle_kind kind;
	int shares_offsets, shares_columns, shares_values; /* 1: the caller's array itself is used */
	size_t bytes;                                      /* memory of its own */
} tulle_matrix_info;

TULLE_API tulle_status tulle_matrix_describe(const tulle_matrix *matrix, tulle_matrix_info *info);

/* The zero-based full CSR behind a matrix, to read; valid while the matrix lives. */
typedef struct {
	size_t size; /* = sizeof(tulle_csr_view) */
	int64_t rows, cols, nnz;
	tulle_index_type offset_type, column_type;
	tulle_value_type value_type;
	const void *row_ptr, *col, *val; /* val == NULL: all ones */
} tulle_csr_view;

TULLE_API tulle_status tulle_matrix_view_csr(const tulle_matrix *matrix, tulle_csr_view *view);

TULLE_API void tulle_matrix_destroy(tulle_matrix *matrix);

/* ---- files --------------------------------------------------------------------------------- */

typedef struct {
	size_t size;                 /* = sizeof(tulle_read_options) */
	tulle_value_type value_type; /* 0: TULLE_F64 */
	int real_part;               /* 1: take the real parts of complex values, else refused */

	/* Called now and then on the calling thread with the part of the file that has been read, 0 to
	 * 1; NULL: nobody wants to know. */
	void (*progress)(void *user, double fraction);
	void *user;
} tulle_read_options;

/* A from a Matrix Market file: coordinate or array; real, integer, pattern or complex; general,
 * symmetric, skew-symmetric or hermitian; plain, in gzip, or the one matrix in a tar archive of
 * either kind, as the SuiteSparse collection ships them. What a file is, is seen from its bytes.
 *
 * Numbers are rounded to nearest, whatever the locale and the rounding mode. A pattern has all ones.
 * Every element of an array file is stored, zeros too. Memory is taken only for entries that the
 * file has room for, and stays within the context's limit.
 *
 * TULLE_E_IO when the file cannot be opened or read, or is a directory, a FIFO or a device.
 * TULLE_E_MATRIX when its content is wrong; the sentence is "file:line: what". TULLE_E_UNSUPPORTED
 * for complex values without real_part. Control characters of names and files are never passed on:
 * the sentence is safe to print. */
TULLE_API tulle_status tulle_matrix_read(tulle_context *context, const char *path,
                                         const tulle_read_options *options, tulle_matrix **out);

/* What a file says about itself before its entries. */
typedef struct {
	size_t size;          /* = sizeof(tulle_file_info) */
	const char *packing;  /* "none", "gzip", "tar", "tar.gz"; these words live with the library */
	const char *layout;   /* "coordinate", "array" */
	const char *field;    /* "real", "integer", "pattern", "complex" */
	const char *symmetry; /* "general", "symmetric", "skew-symmetric", "hermitian" */
	tulle_kind kind;      /* of the matrix that tulle_matrix_read() makes of it */
	int64_t rows, cols;
	int64_t entries;    /* in the file: one triangle if it is symmetric */
	int64_t file_bytes; /* as packed */
	char comment[1024]; /* its first comment lines, made safe to print */
} tulle_file_info;

/* Reads only as far as the size line. Fails as tulle_matrix_read() does. */
TULLE_API tulle_status tulle_file_describe(const char *path, tulle_file_info *info);

typedef struct {
	size_t size;         /* = sizeof(tulle_write_options) */
	const char *comment; /* lines to put into the file as comments; NULL: none */

	/* Called now and then on the calling thread with the part of the entries that has been written,
	 * 0 to 1; NULL: nobody wants to know. */
	void (*progress)(void *user, double fraction);
	void *user;
} tulle_write_options;

/* Write A as a Matrix Market file, gzip when the name ends in ".gz". Values get the fewest digits
 * that read back to the same bits. Entries stand by row in stored order; of a matrix made as
 * symmetric or skew one triangle is written; a matrix without values is a pattern.
 *
 * The file appears under its name when it is complete, with the mode of the one it replaces; a failure
 * leaves that one. TULLE_E_IO also for what is not a regular file, and beyond the limit for files. */
TULLE_API tulle_status tulle_matrix_write(const tulle_matrix *matrix, const char *path,
                                          const tulle_write_options *options);

/* ---- plan ---------------------------------------------------------------------------------- */

/* How a plan finds the format that costs least, its conversion and all multiplications together.
 * ESTIMATE: by features of the matrix and a cost model; no format is timed.
 * MEASURE:  likely formats are tried, first on a slice of the matrix, the best ones on the whole. It
 *           takes at most a tenth of what the multiplications will take; fewer than 200 of them are
 *           not worth a trial, and it is as ESTIMATE. Times that other processes have disturbed are
 *           repeated; where that does not help the prediction counts, and nothing is stored. */
typedef enum { TULLE_ESTIMATE = 0, TULLE_MEASURE = 1 } tulle_effort;

typedef struct {
	size_t size;       /* = sizeof(tulle_plan_options) */
	double multiplies; /* how often you will multiply; 0: unknown, taken as 1000 */
	tulle_op op;       /* plan y = A x or y = A^T x; who needs both makes two plans */

	/* A format and its tunables, "csr" or "csr:kernel=vector"; NULL: tulle chooses. tulle_formats()
	 * lists the names, tulle_format_tunables() what may follow the colon. */
	const char *format;

	/* 0: the fastest; one plan still gives the same bits at any thread count.
	 * 1: also the same choice on every machine and in every run.
	 * 2: also each row summed in stored order by fused multiply-adds, so the same bits on every
	 *    instruction set that has them. Refused with TULLE_E_UNSUPPORTED where the format or the
	 *    machine cannot promise it. */
	int reproducible;

	/* 1: keep f64 values rounded to f32, half their bytes; x, y and all sums stay f64. Rounding adds
	 * at most info.value_error |alpha| sum |a||x| to the error of a row. Never chosen unasked; refused
	 * (TULLE_E_UNSUPPORTED) by formats that cannot, and for values that f32 cannot hold. */
	int lossy;

	/* How tulle chooses; without effect where the format is named. */
	tulle_effort effort;
	double max_seconds; /* MEASURE ends the search after this; 0: no bound but the tenth */
	size_t max_bytes;   /* memory of the converted matrix, formats that need more are out; 0: any */

	/* A file of what earlier runs measured, on this machine or another; NULL: none. It is read by
	 * every plan that chooses. MEASURE adds to it, and replaces what it finds to be wrong. A file that is not there is made; one that
	 * is damaged or not ours is never an error, only a line in the log. */
	const char *wisdom;
} tulle_plan_options;

/* Choose a format for A and convert to it. The plan holds the matrix: you may destroy yours. */
TULLE_API tulle_status tulle_plan_create(const tulle_matrix *matrix,
                                         const tulle_plan_options *options, tulle_plan **out);

/* New values for the same pattern, in the order and number of the arrays the matrix came from
 * (info.stored_nnz of them, of the matrix's value type; NULL: all ones). The layout is kept, so this
 * is far cheaper than a new plan. The matrix and its other plans keep their values.
 *
 * A plan that chose its format takes all values. When that format does not (sym: values that are no
 * longer symmetric), the plan is converted to the best one that takes any, chosen as by ESTIMATE, and
 * keeps that; it costs as much as a new plan, and info and explanation tell of the new format. Refused
 * with TULLE_E_UNSUPPORTED are values that a format named by the caller does not take, and values that
 * f32 cannot hold in a plan with options.lossy.
 *
 * A plan with info.borrows_values goes on reading `val` itself, on the terms of TULLE_BORROW; any
 * other has read it when the call returns, and a plan that does not borrow never begins to. On failure
 * the plan is as it was: format, values and bits. */
TULLE_API tulle_status tulle_plan_update(tulle_plan *plan, const void *val);

/* One entry of the planned operator, row i and column j, where it lies in the plan: no conversion and
 * no copy of the values. What is not stored reads as 0 and cannot be set (TULLE_E_ARGUMENT: the
 * pattern is fixed); of duplicates the first is meant; the mirror image of an entry of a symmetric
 * matrix is an entry of its own. An f32 plan rounds `value`. The matrix and its other plans keep
 * theirs. TULLE_E_UNSUPPORTED when the plan's format cannot do it: one that multiplies the caller's
 * arrays never writes to them. */
TULLE_API tulle_status tulle_plan_get(const tulle_plan *plan, int64_t i, int64_t j, double *value);
TULLE_API tulle_status tulle_plan_set(tulle_plan *plan, int64_t i, int64_t j, double value);

/* The way back: the planned operator as a general matrix of its own, in the plan's context, made from
 * what the plan's format stores and from its latest values. Every entry is there, duplicates and
 * zeros too; in a row they stand in their old order or, after a conversion, sorted by column. A plan
 * for A^T gives A^T. */
TULLE_API tulle_status tulle_matrix_from_plan(const tulle_plan *plan, tulle_matrix **out);

typedef struct {
	size_t size;        /* = sizeof(tulle_plan_info) */
	const char *format; /* "csr"; lives as long as the library */
	const char *kernel; /* which loop of the format, "rows" or "scatter"; likewise */
	const char *isa;    /* the instruction set of the kernel that runs, not the one asked for */
	tulle_op op;
	int64_t rows, cols; /* of the planned operator: y has rows elements, x has cols */
	int64_t nnz;
	tulle_value_type value_type;
	size_t bytes;       /* read by one multiplication from the stored matrix */
	size_t extra_bytes; /* memory of the plan's own, without the matrix */
	size_t scratch;     /* bytes of working memory of one call */
	int64_t parts;      /* independent pieces of the main phase */
	int borrows_values; /* 1: the caller's values are read by every multiplication */
	double seconds;     /* spent in tulle_plan_create, or in the update that changed the format */
	const char *note;   /* a figure of the format's own, "36 % padding", or ""; lives as the plan */
	double
	    value_error; /* relative error of stored values: 0, or 2^-24 when options.lossy rounded */

	const char *why;         /* half a sentence: why this format; lives as the plan */
	double multiplies;       /* the number that was planned for */
	double convert_seconds;  /* of .seconds, spent in the conversion */
	double multiply_seconds; /* one multiplication, measured or predicted; 0: neither */
	int measured;            /* 1: it was measured, now or by an earlier run */
	int candidates;          /* formats that were weighed; 0: the choice was clear without that */
	double read_bandwidth; /* bytes a second that the team reads, from where the matrix lies ... */
	int machine_measured;  /* ... 1: as timed on this machine; 0: as assumed */
	const char
	    *wisdom_key; /* tulle_wisdom_info.matrix of its records; "": none; lives as the plan */
} tulle_plan_info;

TULLE_API tulle_status tulle_plan_describe(const tulle_plan *plan, tulle_plan_info *info);

/* A format that was weighed, in the order of the registry: the first is csr, even when it is out. */
typedef struct {
	size_t size;        /* = sizeof(tulle_candidate_info) */
	const char *format; /* lives as long as the library */
	int chosen;
	double bytes;                               /* read by one multiplication, predicted */
	double convert_seconds, multiply_seconds;   /* predicted */
	double measured_convert, measured_multiply; /* 0: not measured */
	double total_seconds; /* conversion and all multiplications, by what is known best */
	double break_even; /* multiplications from which on it beats csr; 0 for csr; infinite: never */
	const char *because; /* what speaks for it, or against it when it is out; until an update */
	int out;             /* 1: it does not take this matrix, or may not */
	double spread; /* of measured_multiply: the middle sample over the least; 0: not measured */
	const char
	    *doubt; /* it was timed, but why that is not trusted: the prediction counts; else NULL */
} tulle_candidate_info;

/* n = 0 .. info.candidates - 1. */
TULLE_API tulle_status tulle_plan_candidate(const tulle_plan *plan, int n,
                                            tulle_candidate_info *info);

/* Write some lines for a person to read: what was chosen, why, and what it costs; after an empty line,
 * if formats were weighed, what each of them would cost, and what speaks for or against it. Works like
 * snprintf: at most `size` bytes with the final zero; returns the length the whole text has. */
TULLE_API size_t tulle_plan_explain(const tulle_plan *plan, char *text, size_t size);

/* ---- wisdom -------------------------------------------------------------------------------- */

/* A record of a wisdom file (docs/wisdom.md). */
typedef struct {
	size_t size;      /* = sizeof(tulle_wisdom_info) */
	char matrix[17];  /* 16 hexadecimal digits for its structure; zeros: the machine alone */
	char machine[17]; /* likewise for processor, instruction set, caches and threads */
	char name[24];    /* of the format, or of something else that is kept: "search", "machine" */
	int used;         /* 1: times of a format, which this version believes; else all below is 0 */
	double convert_seconds;  /* 0: not known */
	double multiply_seconds; /* one multiplication */
	double spread;           /* of it: the middle sample over the least */
	int sliced;              /* 1: measured on a part of the matrix */
} tulle_wisdom_info;

/* Call `record` for each record that counts, in the order of the file; a file that is not there has none.
 * TULLE_E_IO when it cannot be read or is not a wisdom file. context may be NULL. */
TULLE_API tulle_status tulle_wisdom_list(tulle_context *context, const char *path,
                                         void (*record)(void *user, const tulle_wisdom_info *info),
                                         void *user);

/* Take out the records of a matrix, on every machine (16 digits as above; NULL: all records), and tell how
 * many there were (forgotten may be NULL). What other processes add meanwhile is kept. TULLE_E_IO when the
 * file cannot be replaced; it is then as it was. */
TULLE_API tulle_status tulle_wisdom_forget(tulle_context *context, const char *path,
                                           const char *matrix, int64_t *forgotten);

TULLE_API void tulle_plan_destroy(tulle_plan *plan);

/* Name of the n-th format in this build, n = 0, 1, ...; NULL past the last. */
TULLE_API const char *tulle_formats(int n);

/* What may follow the colon of a format's name, "kernel=auto,scalar,vector"; NULL: no such format. */
TULLE_API const char *tulle_format_tunables(const char *format);

/* ---- multiply ------------------------------------------------------------------------------ */

/* y = alpha A x + beta y.
 *
 * x has as many elements as the planned operator has columns, y as many as it has rows (a plan for
 * TULLE_TRANSPOSED multiplies by A^T). x and y must not overlap. beta == 0 never reads y, so y may
 * hold NaN. No allocation unless several threads multiply by one plan at once. Fails only with
 * TULLE_E_ARGUMENT, TULLE_E_TYPE, or TULLE_E_MEMORY in that last case. */
TULLE_API tulle_status tulle_mul_f32(const tulle_plan *plan, float alpha, const float *x,
                                     float beta, float *y);
TULLE_API tulle_status tulle_mul_f64(const tulle_plan *plan, double alpha, const double *x,
                                     double beta, double *y);

/* y = alpha A x + beta b: residuals and the like. b may be y itself, but must not overlap it
 * otherwise. beta == 0 never reads b, which may then be NULL. */
TULLE_API tulle_status tulle_mul_add_f32(const tulle_plan *plan, float alpha, const float *x,
                                         float beta, const float *b, float *y);
TULLE_API tulle_status tulle_mul_add_f64(const tulle_plan *plan, double alpha, const double *x,
                                         double beta, const double *b, double *y);

/* Y = alpha A X + beta Y for k vectors at once. COLUMN_MAJOR: vector j is X + j*ldx, so ldx is at
 * least the number of elements of a vector. ROW_MAJOR: element i of vector j is X[i*ldx + j], so
 * ldx is at least k. Y likewise. Elements between the vectors are not touched.
 *
 * Formats with a kernel for it read the matrix once for many vectors; it wants them row-major, best
 * of all with rows that begin at a cache line. Column-major vectors are brought into that order and
 * back where that pays. The other formats multiply one vector after the other.
 *
 * The same bits at any number of threads. Each vector has the bits of tulle_mul() in formats that
 * sum each row in stored order (reproducible = 2) or have no such kernel, and in all when k is 1.
 *
 * Takes working memory for the call, so it may fail with TULLE_E_MEMORY or TULLE_E_LIMIT; Y is
 * then untouched. */
TULLE_API tulle_status tulle_mul_many_f32(const tulle_plan *plan, int64_t k, tulle_order order,
                                          float alpha, const float *x, int64_t ldx, float beta,
                                          float *y, int64_t ldy);
TULLE_API tulle_status tulle_mul_many_f64(const tulle_plan *plan, int64_t k, tulle_order order,
                                          double alpha, const double *x, int64_t ldx, double beta,
                                          double *y, int64_t ldy);

#ifdef __cplusplus
}
#endif
#endif
