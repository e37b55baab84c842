/* tulle.h -- sparse matrix-vector products, y = alpha A x + beta y.
 *
 * Four steps, always in this order:
 *
 *     tulle_matrix_from_csr()   describe A: your arrays, borrowed or copied, checked once
 *     tulle_plan_create()       choose a storage format for A and convert to it
 *     tulle_mul_f64()           multiply, as often as you like, from as many threads as you like
 *     tulle_*_destroy()         in any order; every destroy accepts NULL
 *
 * A complete example, without error handling:
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
 * tulle_last_error() then returns a message that names the argument, the index and the value. A
 * failed call changes nothing: outputs are untouched (handles are set to NULL) and nothing leaks.
 *
 * Threads. A context, matrix or plan may be used by many threads at once as long as no thread
 * destroys or updates it at the same time. tulle_mul() never writes to its plan, except that a plan
 * with options.online counts multiplications. The first step with a plan allocates memory, which is
 * also safe (see steps).
 *
 * Determinism. One plan gives the same bits at any number of threads: how the work is divided
 * depends on the matrix, never on the thread count, and partial sums are added in a fixed order.
 * With options.online this applies separately to the calls before and after the change of format.
 *
 * Side effects. The library never prints, exits, aborts, changes the floating-point environment or
 * writes to its input arrays.
 *
 * Option and info structures begin with `size`. Set it to sizeof the structure. Fields left zero
 * mean the default, so `{ .size = sizeof(tulle_plan_options), .multiplies = 500 }` is enough, and
 * programs compiled against an older tulle.h keep working. A NULL options pointer means defaults.
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

/* The TULLE_VERSION of the library in use, which may be newer than the header. */
TULLE_API int tulle_version(void);

/* ---- status ------------------------------------------------------------------------------- */

/* The numbers never change; new ones may be added. */
typedef enum {
	TULLE_OK = 0,
	TULLE_E_ARGUMENT = -1,    /* NULL, a negative size, an unknown enum or option */
	TULLE_E_MATRIX = -2,      /* the arrays or the file are not a valid matrix */
	TULLE_E_TYPE = -3,        /* the vectors are of another type than the plan takes */
	TULLE_E_MEMORY = -4,      /* allocation failed */
	TULLE_E_LIMIT = -5,       /* the context's memory limit would be exceeded */
	TULLE_E_UNSUPPORTED = -6, /* not supported by this build, machine or format */
	TULLE_E_IO = -7,          /* a file could not be opened, read or written */
	TULLE_E_DEVICE = -8,      /* a GPU driver failed (tulle_gpu.h) */
	TULLE_E_INTERNAL = -99    /* a bug in tulle: please report the message */
} tulle_status;

/* The name of a status, for example "TULLE_E_MATRIX"; never NULL. */
TULLE_API const char *tulle_status_name(tulle_status status);

/* The message of this thread's latest failure, "" before the first one; valid until the next one.
 * It is one line of well-formed UTF-8. A long message is cut between two characters and ends in
 * "...". */
TULLE_API const char *tulle_last_error(void);

/* ---- types --------------------------------------------------------------------------------- */

/* f32, f64: float, double.
 * c64, c128: complex, a pair of floats or doubles. Arrays of C's float _Complex and double _Complex, of
 *            C++'s std::complex, of NumPy's complex64 and complex128 and of MKL's MKL_Complex8 and
 *            MKL_Complex16 have the same layout: cast the pointer. A product is the textbook's,
 *            (ac - bd) + (ad + bc) i, without C's rules for infinities. Supported by the formats csr,
 *            sell, csr5, bsell, sym and hot, by batches, and on devices by csr and sell
 *            (tulle_device_mul_complex). Other formats, batches on devices, steps and PageRank return
 *            TULLE_E_UNSUPPORTED. A library may be built without complex types (docs/complex.md).
 * f16, bf16: 16 bits, IEEE 754's binary16 and the upper half of a float: uint16_t, _Float16, NumPy's
 *            float16. For the values of a matrix only: x, y and all sums are f32, or f64 with
 *            options.vector_type. Values are widened without an error. For matrices from arrays
 *            (tulle_matrix_from_*), their plans and updates; files, devices and batches
 *            do not have them (TULLE_E_UNSUPPORTED). */
typedef enum {
	TULLE_F32 = 1,
	TULLE_F64 = 2,
	TULLE_C64 = 3,
	TULLE_C128 = 4,
	TULLE_F16 = 5,
	TULLE_BF16 = 6
} tulle_value_type;
typedef struct {
	float re, im;
} tulle_c64;
typedef struct {
	double re, im;
} tulle_c128;
typedef enum { TULLE_I32 = 1, TULLE_I64 = 2 } tulle_index_type;

/* Who owns the arrays of a matrix.
 * BORROW: the caller. Keep them valid and unchanged until the matrix and all its plans are
 *         destroyed.
 * COPY:   the library copies them; the caller may free them when the call returns. */
typedef enum { TULLE_BORROW = 0, TULLE_COPY = 1 } tulle_ownership;

/* What the arrays hold.
 * GENERAL:    every entry.
 * SYMMETRIC:  A = A^T: one triangle with the diagonal; the other triangle is implied.
 * SKEW:       A = -A^T: one triangle without the diagonal; the other triangle is implied.
 * HERMITIAN:  A = A^H: one triangle with the diagonal; the other is its conjugate. The diagonal is used
 *             as it is given, and its imaginary parts should be 0. If one is not, a plan for A^H may multiply
 *             by A instead. For a real matrix, the same as SYMMETRIC. */
typedef enum {
	TULLE_GENERAL = 0,
	TULLE_SYMMETRIC = 1,
	TULLE_SKEW = 2,
	TULLE_HERMITIAN = 3
} tulle_kind;
typedef enum { TULLE_LOWER = 0, TULLE_UPPER = 1 } tulle_triangle;

/* How thoroughly the arrays are checked before they are used.
 * FULL: every offset and every index, in one parallel pass. Invalid arrays cannot crash a
 *       multiplication.
 * FAST: offsets only.
 * NONE: nothing. Invalid arrays then cause undefined behaviour, in this call or a later one. */
typedef enum { TULLE_CHECK_FULL = 0, TULLE_CHECK_FAST = 1, TULLE_CHECK_NONE = 2 } tulle_check;

/* What a plan multiplies by.
 * NORMAL:     A.
 * TRANSPOSED: A^T.
 * BOTH:       A by tulle_mul(), and A^T by tulle_mul_transposed().
 * CONJUGATE:  A^H, the conjugate of A^T. For a real matrix, the same as TRANSPOSED.
 * BOTH_CONJUGATE:  A by tulle_mul(), and A^H by tulle_mul_transposed(). For a real matrix, the same as
 *             BOTH. A^H is built, unless stores is not 2 and A was created as TULLE_HERMITIAN, or sym was
 *             named and A^H equals A. */
typedef enum {
	TULLE_NORMAL = 0,
	TULLE_TRANSPOSED = 1,
	TULLE_BOTH = 2,
	TULLE_CONJUGATE = 3,
	TULLE_BOTH_CONJUGATE = 4
} tulle_op;
typedef enum { TULLE_COLUMN_MAJOR = 0, TULLE_ROW_MAJOR = 1 } tulle_order;

typedef struct tulle_context tulle_context; /* where to compute: threads, instruction set, memory */
typedef struct tulle_matrix tulle_matrix;   /* the matrix A */
typedef struct tulle_plan tulle_plan;       /* how to multiply by A */

/* ---- context: NULL means the default context everywhere ------------------------------------ */

typedef enum { TULLE_LOG_WARNING = 1, TULLE_LOG_INFO = 2, TULLE_LOG_DEBUG = 3 } tulle_log_level;

typedef struct {
	size_t size; /* = sizeof(tulle_context_options) */
	int threads; /* maximum per call; 0: as set by OpenMP or $OMP_NUM_THREADS, else one per CPU */

	/* "scalar", "avx2", "avx512"; NULL: $TULLE_ISA, else the best available one. avx2 and avx512 gather x
	 * by the method that is faster on this processor, "avx2_loads" and "avx512_loads" by ordinary
	 * loads. On Arm: "scalar", "neon", "sve128", "sve256", "sve512". */
	const char *isa;

	/* Multiplications with less work than this (nonzeros + rows) run on the calling thread alone.
	 * So do some multiplications after one whose helper threads were delayed by other processes. 0:
	 * the measured break-even; negative: never, in either case. */
	int64_t serial_below;

	/* Memory. Set both functions or neither. alloc returns `bytes` bytes aligned to `align` (a
	 * power of two, at most 64) or NULL; free gets the same `bytes` back. Both may be called from
	 * any thread. `memory_limit` limits the bytes held by this context; 0: no limit. */
	void *(*alloc)(void *user, size_t bytes, size_t align);
	void (*free)(void *user, void *block, size_t bytes);
	size_t memory_limit;

	/* Called with one complete line, no newline; NULL: no log. May be called from any thread. */
	void (*log)(void *user, tulle_log_level level, const char *line);
	void *user; /* passed to alloc, free and log */
} tulle_context_options;

typedef struct {
	size_t size;        /* = sizeof(tulle_context_info) */
	int threads;        /* the maximum number of threads per call */
	int last_team;      /* threads of the latest call: the caller and its helper threads */
	const char *isa;    /* the instruction set for which kernels are chosen */
	size_t bytes_held;  /* memory currently held by everything that belongs to this context */
	size_t blocks_held; /* the same in blocks: 0 if everything except the context is destroyed */
} tulle_context_info;

TULLE_API tulle_status tulle_context_create(const tulle_context_options *options,
                                            tulle_context **out);
TULLE_API tulle_status tulle_context_describe(const tulle_context *context,
                                              tulle_context_info *info);
TULLE_API void tulle_context_destroy(tulle_context *context);

/* ---- matrix -------------------------------------------------------------------------------- */

typedef struct {
	size_t size;               /* = sizeof(tulle_matrix_options) */
	tulle_ownership ownership; /* default TULLE_BORROW */
	int base;                  /* 0 or 1: the first index of offsets, rows and columns */
	tulle_kind kind;           /* default TULLE_GENERAL */
	tulle_triangle triangle;   /* which triangle is given, unless the kind is GENERAL */
	tulle_check check;         /* default TULLE_CHECK_FULL */
} tulle_matrix_options;

/* A from compressed rows: row i is col[k], val[k] for k = row_ptr[i] .. row_ptr[i+1] - 1.
 * Columns may be in any order within a row. Duplicates are allowed and add up. val == NULL means
 * that every entry is one. Offsets and columns have separate types: for more than 2^31 nonzeros use
 * 64-bit offsets with 32-bit columns. Rows, columns and nonzeros of a matrix from any source must
 * each be below 2^59: with more, x, y or an array of A could not be addressed. The error is
 * TULLE_E_ARGUMENT, or TULLE_E_MATRIX if the number comes from the offsets or from a file.
 * Nothing is copied if the arrays are borrowed, general and zero-based (offsets are widened if
 * 32-bit offsets come with 64-bit columns). Otherwise the library builds its own zero-based full
 * CSR; tulle_matrix_describe() reports which arrays are shared. */
TULLE_API tulle_status tulle_matrix_from_csr(tulle_context *context, int64_t rows, int64_t cols,
                                             tulle_index_type offset_type, const void *row_ptr,
                                             tulle_index_type column_type, const void *col,
                                             tulle_value_type value_type, const void *val,
                                             const tulle_matrix_options *options,
                                             tulle_matrix **out);

/* A from compressed rows of dense blocks, all of height x width (SciPy's bsr, PETSc's BAIJ, MKL's
 * BSR): block row i is blocks k = block_ptr[i] .. block_ptr[i+1] - 1, block k begins in column
 * block_col[k] * width, and its values are val[k * height * width ...], row by row
 * (TULLE_ROW_MAJOR, SciPy) or column by column (TULLE_COLUMN_MAJOR, PETSc). A has
 * block_rows * height rows and block_cols * width columns. Block columns may be in any order within
 * a block row, and may be repeated. Zeros in a block are stored entries like all others: they are
 * multiplied, so that a zero times an infinite or NaN x is NaN, and nnz counts them.
 *
 * Only TULLE_GENERAL; everything else is as for CSR, and messages name block rows. Borrowed arrays
 * are used directly, except that offsets and columns of base 1 are copied.
 *
 * bsell is built from the blocks directly if 2, 3, 4 or 6 divides height and width. For plans with
 * any other format, for A^T and for TULLE_MEASURE, the blocks are expanded to CSR once, and the plan
 * owns the expansion (info.extra_bytes). The expansion is freed after planning if the chosen format
 * keeps the blocks. A format gives the same bits from blocks as from the expansion.
 * tulle_matrix_view_csr(), files, devices, PageRank, and plans with TULLE_BOTH or options.online need
 * CSR: the first of these calls expands the blocks, and the matrix keeps the expansion
 * (tulle_matrix_info.bytes). Blocks of 1 x 1 are treated as CSR. */
TULLE_API tulle_status tulle_matrix_from_bsr(tulle_context *context, int64_t block_rows,
                                             int64_t block_cols, int64_t height, int64_t width,
                                             tulle_order order, tulle_index_type offset_type,
                                             const void *block_ptr, tulle_index_type column_type,
                                             const void *block_col, tulle_value_type value_type,
                                             const void *val, const tulle_matrix_options *options,
                                             tulle_matrix **out);

/* A from compressed columns: column j is row[k], val[k] for k = col_ptr[j] .. col_ptr[j+1] - 1.
 * Always builds its own CSR arrays, so you may free yours when the call returns. */
TULLE_API tulle_status tulle_matrix_from_csc(tulle_context *context, int64_t rows, int64_t cols,
                                             tulle_index_type offset_type, const void *col_ptr,
                                             tulle_index_type row_type, const void *row,
                                             tulle_value_type value_type, const void *val,
                                             const tulle_matrix_options *options,
                                             tulle_matrix **out);

/* A from nnz triplets in any order; entries of one row keep their order. Always builds its own CSR
 * arrays, so you may free yours when the call returns. */
TULLE_API tulle_status tulle_matrix_from_coo(tulle_context *context, int64_t rows, int64_t cols,
                                             int64_t nnz, tulle_index_type index_type,
                                             const void *row, const void *col,
                                             tulle_value_type value_type, const void *val,
                                             const tulle_matrix_options *options,
                                             tulle_matrix **out);

/* Whether rows and columns without entries are omitted. The memory of a matrix with far more rows
 * than entries (hypersparse) then depends on its entries only. It is a matrix of the present rows
 * and columns: in all other calls, sizes, vectors, CSR arrays and positions refer to these, in
 * ascending order. tulle_matrix_lists() returns their indices in the whole matrix.
 * AUTO: rows, if there are more than 2^22 plus 2 per given entry, and columns likewise.
 * A symmetric, skew or Hermitian matrix omits both or neither. */
typedef enum {
	TULLE_COMPACT_NONE = 0,
	TULLE_COMPACT_ROWS = 1,
	TULLE_COMPACT_COLS = 2,
	TULLE_COMPACT_BOTH = 3,
	TULLE_COMPACT_AUTO = 4
} tulle_compact;

/* tulle_matrix_from_coo() for such a matrix. tulle_read_options has the same choice for files. Time
 * and memory depend on nnz, not on rows and cols. */
TULLE_API tulle_status tulle_matrix_from_coo_compact(
    tulle_context *context, int64_t rows, int64_t cols, int64_t nnz, tulle_index_type index_type,
    const void *row, const void *col, tulle_value_type value_type, const void *val,
    tulle_compact compact, const tulle_matrix_options *options, tulle_matrix **out);

/* The rows and columns of a matrix; the arrays belong to the matrix. */
typedef struct {
	size_t size;                        /* = sizeof(tulle_lists) */
	int64_t rows, cols;                 /* of the whole matrix */
	int64_t present_rows, present_cols; /* tulle_matrix_info.rows and cols */
	const int64_t *row, *col; /* zero-based indices of the present ones, ascending; NULL: all */
} tulle_lists;

TULLE_API tulle_status tulle_matrix_lists(const tulle_matrix *matrix, tulle_lists *lists);

/* A from the CSR of its present rows and columns, for a caller who has it in this form: row i of the
 * arrays is row lists->row[i] of the whole matrix, and column j is column lists->col[j]. row_ptr has
 * present_rows + 1 offsets. A list that is NULL means that all rows or columns are present, in their
 * order. Lists are copied; the arrays are treated as by tulle_matrix_from_csr(). A present row may have no
 * entries. Only TULLE_GENERAL (TULLE_E_UNSUPPORTED). TULLE_E_MATRIX if a list does not ascend or leaves
 * the matrix; with TULLE_CHECK_NONE this is not checked. */
TULLE_API tulle_status tulle_matrix_from_csr_lists(
    tulle_context *context, const tulle_lists *lists, tulle_index_type offset_type,
    const void *row_ptr, tulle_index_type column_type, const void *col, tulle_value_type value_type,
    const void *val, const tulle_matrix_options *options, tulle_matrix **out);

typedef struct {
	size_t size; /* = sizeof(tulle_matrix_info) */
	int64_t rows, cols;
	int64_t nnz;        /* entries of A, both triangles */
	int64_t stored_nnz; /* entries in the caller's arrays: the number of values for an update */
	tulle_value_type value_type;
	tulle_index_type offset_type, column_type; /* of the zero-based CSR, or of the expansion */
	tulle_kind kind;
	int shares_offsets, shares_columns, shares_values; /* 1: the caller's array itself is used */
	size_t bytes;                                      /* memory allocated by the matrix */
} tulle_matrix_info;

TULLE_API tulle_status tulle_matrix_describe(const tulle_matrix *matrix, tulle_matrix_info *info);

/* A matrix as zero-based full CSR, read-only; valid until the matrix is destroyed. If the matrix was
 * created from blocks, the first call expands them and may fail with TULLE_E_MEMORY or
 * TULLE_E_LIMIT. */
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
	tulle_value_type value_type; /* 0: TULLE_F64; of a tuned file: as it is stored */
	int real_part;               /* 1: a real value_type takes the real parts of complex values, and
	                                value_type 0 reads tuned files of c64 as f32, of c128 as f64.
	                                0: a real value_type refuses complex values */

	/* Called from time to time on the calling thread with the fraction of the file that has been
	 * read, 0 to 1; NULL: no progress reports. */
	void (*progress)(void *user, double fraction);
	void *user;
	tulle_compact compact; /* rows and columns to leave out; not for tuned files, which have all */
	int map;               /* 1: use the arrays of a tuned file where they are, see below */
} tulle_read_options;

/* options.map = 1 maps a tuned file into memory (mmap, read-only) instead of reading it. The matrix and plans in
 * csr use its arrays without a copy; other formats are converted from them. All checks are the same, and so
 * are the bits of products. The mapping lives as long as a matrix or plan that needs it, and does not count
 * towards the context's memory limit. TULLE_E_UNSUPPORTED for other files.
 *
 * Only for files that do not change while they are mapped. If another process truncates the file, the next
 * access to a missing page ends this process with SIGBUS, also during the call. If another process writes into the
 * file, indices can change after they were checked, and products can then access memory out of bounds. So map only
 * files that no untrusted user can write. Replacing a file by a rename, as tulle does, is safe: the old contents stay. */

/* A from a Matrix Market file: coordinate or array; real, integer, pattern or complex; general,
 * symmetric, skew-symmetric or hermitian; plain, compressed with gzip, or the only matrix in a tar
 * archive, plain or compressed, as distributed by the SuiteSparse collection. Also from a tuned file
 * (tulle_plan_save()): then without its plan. The kind of file is detected from its content.
 *
 * Numbers are rounded to nearest, whatever the locale and the rounding mode. All values of a
 * pattern are one. Every element of an array file is stored, including zeros. Memory is allocated
 * only for as many entries as fit in a file of this size, and stays within the context's limit.
 *
 * TULLE_E_IO if the file cannot be opened or read, or is a directory, a FIFO or a device.
 * TULLE_E_MATRIX if its content is invalid; the message is "file:line: what", of a tuned file
 * "file: section: what". TULLE_E_UNSUPPORTED for complex values if value_type is real and real_part 0. Control
 * characters in names and files are never copied into the message: it is safe to print. */
TULLE_API tulle_status tulle_matrix_read(tulle_context *context, const char *path,
                                         const tulle_read_options *options, tulle_matrix **out);

/* Rows first .. end-1 of a tuned file as a matrix of end - first rows and all columns, without the plan. Only
 * these rows are read: a process of many reads its own part. The header, every offset and every column of
 * these rows are checked. TULLE_E_ARGUMENT if the file does not have these rows; TULLE_E_UNSUPPORTED with
 * options.map or compact; otherwise as tulle_matrix_read(). */
TULLE_API tulle_status tulle_matrix_read_rows(tulle_context *context, const char *path,
                                              int64_t first, int64_t end,
                                              const tulle_read_options *options,
                                              tulle_matrix **out);

/* What a file declares before its entries. */
typedef struct {
	size_t size;         /* = sizeof(tulle_file_info) */
	const char *packing; /* "none", "gzip", "tar", "tar.gz"; a static string, like the next three */
	const char *layout;  /* "coordinate", "array", "tuned" */
	const char *field;   /* "real", "integer", "pattern", "complex" */
	const char *symmetry; /* "general", "symmetric", "skew-symmetric", "hermitian" */
	tulle_kind kind;      /* of the matrix that tulle_matrix_read() creates from it; the real parts
	                         of TULLE_HERMITIAN are TULLE_SYMMETRIC */
	int64_t rows, cols;
	int64_t entries;    /* in the file: one triangle if it is symmetric */
	int64_t file_bytes; /* size of the file on disk */
	char comment[1024]; /* its first comment lines, made safe to print */
	int has_plan;       /* 1: tulle_plan_load() can load it */
} tulle_file_info;

/* Reads the file only up to the size line, or the header and the texts of a tuned file. Fails like
 * tulle_matrix_read(). */
TULLE_API tulle_status tulle_file_describe(const char *path, tulle_file_info *info);

typedef struct {
	size_t size;         /* = sizeof(tulle_write_options) */
	const char *comment; /* lines to put into the file as comments; NULL: none */

	/* Called from time to time on the calling thread with the fraction of the entries that has been
	 * written, 0 to 1; NULL: no progress reports. */
	void (*progress)(void *user, double fraction);
	void *user;
} tulle_write_options;

/* Write A as a Matrix Market file, compressed with gzip if the name ends in ".gz". Values are
 * written with the fewest digits that read back to the same bits. Entries are written row by row,
 * in stored order. For a matrix of which one triangle was given, one triangle is written. A matrix
 * without values is written as a pattern. A matrix with lists (tulle_compact) is written whole. If the
 * name ends in ".tulle", the file is a tuned file without a plan: see tulle_plan_save();
 * TULLE_E_UNSUPPORTED if the matrix has lists.
 *
 * The file appears under its name when it is complete and synced to disk, with the mode of the
 * file that it replaces. If the call fails, the old file stays in place, except if only the sync
 * of the renamed file's folder failed. TULLE_E_IO also if the path exists and is not a regular
 * file, or if the file size limit is exceeded. */
TULLE_API tulle_status tulle_matrix_write(const tulle_matrix *matrix, const char *path,
                                          const tulle_write_options *options);

/* ---- plan ---------------------------------------------------------------------------------- */

/* How a plan finds the format with the least total cost of the conversion and all multiplications.
 * ESTIMATE: by features of the matrix and a cost model; no format is timed.
 * MEASURE:  likely formats are timed, first on a slice of the matrix, then the best ones on the
 *           whole matrix. This takes at most a tenth of the time that the multiplications will
 *           take; below 200 multiplications it falls back to ESTIMATE. Measurements disturbed by
 *           other processes are repeated; if that does not help, the prediction is used and nothing
 *           is stored. */
typedef enum { TULLE_ESTIMATE = 0, TULLE_MEASURE = 1 } tulle_effort;

/* How f64 values of a matrix may be rounded.
 * EXACT:      not at all.
 * LOSSY_F32:  to f32, half the bytes; the relative error of a value is at most 2^-24.
 * LOSSY_F16:  to f16, a quarter of the bytes; at most 2^-11. The values of a chunk of rows are scaled by a
 *             power of two, and must be within a factor of 2^28 of each other (or 0).
 * LOSSY_BF16: to bf16, a quarter of the bytes; at most 2^-8. As f16, within a factor of 2^126. */
typedef enum {
	TULLE_EXACT = 0,
	TULLE_LOSSY_F32 = 1,
	TULLE_LOSSY_F16 = 2,
	TULLE_LOSSY_BF16 = 3
} tulle_lossy;

typedef struct {
	size_t size; /* = sizeof(tulle_plan_options) */

	/* How often you will multiply; 0: unknown, 1000 is assumed. BOTH: by A, and as often by A^T. */
	double multiplies;
	tulle_op op; /* plan y = A x, y = A^T x, y = A^H x or two of them */

	/* A format and its tunables, for example "csr" or "csr:kernel=vector"; NULL: tulle chooses.
	 * tulle_formats() lists the names, tulle_format_tunables() lists what may follow the colon. */
	const char *format;

	/* 0: the fastest plan; one plan still gives the same bits at any thread count.
	 * 1: also the same choice on every machine and in every run.
	 * 2: also each row is summed in stored order by fused multiply-adds, so the bits are the same
	 *    on every instruction set that has them. TULLE_E_UNSUPPORTED if the format or the machine
	 *    cannot guarantee this. */
	int reproducible;

	/* A tulle_lossy: store f64 values rounded; x, y and all sums stay f64. Rounding adds at most
	 * info.value_error |alpha| sum |a||x| to the error of a row. Never chosen automatically.
	 * TULLE_E_UNSUPPORTED for formats that cannot do this (sell can), and for values that the type
	 * cannot hold. */
	int lossy;

	/* How tulle chooses; no effect if the format is named. */
	tulle_effort effort;
	double max_seconds; /* MEASURE stops after this time; 0: no limit except the tenth */
	size_t max_bytes;   /* limit for the converted matrix, and for A^T if it is built; candidates
	                       that need more are ruled out; 0: none */

	/* A file with measurements of earlier runs, on this machine or another; NULL: none. Every plan
	 * that chooses its format reads it. MEASURE adds to it, and replaces what it finds to be wrong.
	 * A missing file is created. A file that is damaged or not a wisdom file is never an error,
	 * only a line in the log. */
	const char *wisdom;

	/* For TULLE_BOTH. 1: one stored matrix for both directions; 2: one for each, which is faster and
	 * takes more memory; 0: tulle chooses, by predicted times and max_bytes. TULLE_E_UNSUPPORTED if
	 * options exclude it: no stored matrix gives A^T x in stored order (reproducible = 2), or gives
	 * A^H x (TULLE_BOTH_CONJUGATE). */
	int stores;
	/* How many vectors a multiplication will have (tulle_mul_many): the format is chosen for that many
	 * at once, and `multiplies` counts calls. 0: one. Any number may be multiplied with any plan. */
	int64_t vectors;

	/* 1: for an unknown number of multiplications. The plan is ready at once and multiplies by csr.
	 * When the time spent in multiplications would have repaid a conversion, a background thread of
	 * low priority converts the matrix to the format that is best for `multiplies`, and later calls
	 * use the new format. A call uses one format from beginning to end. Until then the plan reads
	 * the arrays of the matrix, from both threads. If the conversion fails, or csr is the best, the
	 * plan stays with csr; that is not an error. info.online reports the phase (docs/online.md).
	 * Excludes format, reproducible, lossy, MEASURE and TULLE_BOTH (TULLE_E_ARGUMENT): for both
	 * directions make one such plan for each.
	 *
	 * tulle_plan_update() and tulle_plan_set() wait for a running conversion; tulle_plan_destroy()
	 * stops it early and waits for its end. A child of fork() has no such thread: if a conversion
	 * was running, the plan stays with csr there. */
	int online;

	/* The type of x, y and all sums. 0: that of the matrix, f32 for an f16 or bf16 matrix. TULLE_F64 for
	 * an f32, f16 or bf16 matrix: multiply by tulle_mul_f64() and the other f64 functions. Products have
	 * the bits of the same format with the values widened to the type of the vectors. csr reads your f32
	 * values as they are, and copies f16 and bf16 values to f32. sell stores no more than the bytes that
	 * you gave; hot 4 bytes per value or less; the other formats store the type of the vectors.
	 * tulle_plan_update() takes values of the matrix's type. Such a plan cannot be saved.
	 * TULLE_E_UNSUPPORTED: f32 vectors for an f64 matrix. */
	tulle_value_type vector_type;
} tulle_plan_options;

/* Phases of a plan with options.online. The numbers never change. */
typedef enum {
	TULLE_OFFLINE = 0,           /* not such a plan */
	TULLE_ONLINE_COUNTING = 1,   /* csr: the multiplications so far do not repay a conversion */
	TULLE_ONLINE_CONVERTING = 2, /* csr, while the conversion is running */
	TULLE_ONLINE_CONVERTED = 3,  /* the format of the conversion */
	TULLE_ONLINE_STAYED = 4      /* csr for good: it is the best, or the conversion failed */
} tulle_online_phase;

/* Choose a format for A and convert to it. The plan holds a reference to the matrix: you may
 * destroy your handle. */
TULLE_API tulle_status tulle_plan_create(const tulle_matrix *matrix,
                                         const tulle_plan_options *options, tulle_plan **out);

/* tulle_plan_create() and tulle_matrix_destroy() in one call, for a matrix that fits in memory once but not
 * twice. On success *matrix is NULL. If the plan's format is sell, columns and values of the matrix are
 * released while they are converted: at the peak, memory holds the larger of CSR and the plan's format,
 * not both, and a limit of the context counts that. Products have the same bits, and everything that
 * a plan can do is possible. On failure the matrix is unchanged: entries are moved when nothing can
 * fail any more.
 *
 * The matrix stays in memory until the plan is destroyed, as with the two calls, if its arrays are
 * borrowed; if another plan uses it; if the context has its own allocation functions; for formats other than
 * sell; for any op but TULLE_NORMAL, options.online, and f64 vectors with an f32 matrix. MEASURE may
 * convert the matrix before it is released. tulle_plan_update() then does not change the format of a plan with
 * options.lossy: it returns TULLE_E_UNSUPPORTED for values that the format cannot hold. */
TULLE_API tulle_status tulle_plan_consume(tulle_matrix **matrix, const tulle_plan_options *options,
                                          tulle_plan **out);

/* New values for the same pattern, in the order and number of the arrays from which the matrix was
 * created (info.stored_nnz values of the matrix's value type; NULL: all ones). The layout is kept,
 * so this is far cheaper than a new plan. The matrix and its other plans keep their values.
 *
 * A plan that chose its format accepts any values. If its format does not (sym: values that are no
 * longer symmetric), the plan is converted to the best format that accepts any values, chosen as by
 * ESTIMATE, and stays in that format. This costs as much as a new plan; info and explanation then
 * describe the new format. TULLE_E_UNSUPPORTED if a format that you named does not accept the
 * values, or if a plan with options.lossy gets values that it cannot hold.
 *
 * TULLE_BOTH: both directions get the new values, or neither does. With two stored matrices the one
 * for A^T is converted again: its old values are kept until nothing can fail.
 *
 * A plan with info.borrows_values continues to read `val` itself, under the rules of TULLE_BORROW.
 * Any other plan does not access `val` after the call returns. On failure the plan is unchanged:
 * format, values and bits. */
TULLE_API tulle_status tulle_plan_update(tulle_plan *plan, const void *val);

/* Read or change one entry of the planned operator in place, in row i and column j: no conversion
 * and no copy of the values. A position that is not stored reads as 0 and cannot be set
 * (TULLE_E_ARGUMENT: the pattern is fixed). The first of several duplicates is used. The mirror
 * image of an entry of a symmetric matrix is a separate entry. An f32 plan rounds `value`. The
 * matrix and its other plans keep their values. TULLE_E_UNSUPPORTED if the plan's format cannot do
 * it: a format that multiplies the caller's arrays never writes to them. Also if a plan for both
 * directions stores A alone because A^T equals A, and i != j. */
TULLE_API tulle_status tulle_plan_get(const tulle_plan *plan, int64_t i, int64_t j, double *value);
TULLE_API tulle_status tulle_plan_set(tulle_plan *plan, int64_t i, int64_t j, double value);

/* Convert back: the planned operator as a new general matrix in the plan's context, built from what
 * the plan's format stores and from its latest values. It has every entry, including duplicates and
 * zeros. The entries of a row are in their original order or, after a conversion, sorted by column.
 * A plan for A^T gives A^T, a plan for both gives A. It has no lists (tulle_compact). */
TULLE_API tulle_status tulle_matrix_from_plan(const tulle_plan *plan, tulle_matrix **out);

typedef struct {
	size_t size;        /* = sizeof(tulle_plan_info) */
	const char *format; /* for example "csr"; a static string */
	const char *kernel; /* the format's loop, for example "rows" or "scatter"; a static string */
	const char *isa;    /* the instruction set of the kernel in use, not the requested one */
	tulle_op op;
	int64_t rows, cols; /* of the planned operator: y has rows elements, x has cols */
	int64_t nnz;
	tulle_value_type value_type;
	size_t bytes;       /* read from the stored matrix by one multiplication */
	size_t extra_bytes; /* memory allocated by the plan, for both directions; without the matrix */
	size_t scratch;     /* bytes of working memory per call */
	int64_t parts;      /* independent parts of the main phase */
	int borrows_values; /* 1: every multiplication reads the caller's values */
	double seconds;   /* spent in tulle_plan_create, or in the update or the background thread that
	                       changed the format */
	const char *note; /* a figure of the format, "36 % padding", or ""; freed with the plan */
	double
	    value_error; /* largest relative error of a stored value; 0 unless options.lossy rounded */

	const char *why;         /* the reason for this format, a phrase; freed with the plan */
	double multiplies;       /* the number of multiplications planned for */
	double convert_seconds;  /* the part of .seconds spent in the conversion */
	double multiply_seconds; /* one multiplication, measured or predicted; 0: neither */
	int measured;            /* 1: multiply_seconds was measured, now or by an earlier run */
	int candidates;          /* candidates that were compared; 0: no comparison was needed */
	double read_bandwidth; /* bytes per second, all threads, from the level that holds the matrix */
	int machine_measured;  /* 1: read_bandwidth was measured on this machine; 0: assumed */
	const char *wisdom_key; /* tulle_wisdom_info.matrix of its records or ""; freed with the plan */
	const char *way; /* "as is": y = A x, or A^T equals A; for A^T also "built": A^T was built, in
	                    convert_seconds and extra_bytes; "scatter": A^T x from A; a static string */
	int stores;      /* stored matrices: 1, or 2 for TULLE_BOTH with a separate one for A^T */
	int transposed_measured;   /* 1: transposed_seconds was measured, now or by an earlier run */
	double transposed_seconds; /* TULLE_BOTH: one multiplication by A^T, like multiply_seconds */
	int64_t vectors; /* per multiplication, as planned; multiply_seconds is for all of them */
	tulle_online_phase online;    /* the format and all figures above are those of this phase */
	double online_multiplies;     /* vectors multiplied by csr until the phase was decided */
	double online_seconds;        /* time of these multiplications */
	double online_threshold;      /* the time at which the conversion begins; 0: not known yet */
	const char *online_why;       /* why it did or did not convert, or ""; freed with the plan */
	tulle_value_type vector_type; /* of x, y and sums: which functions multiply by this plan */
	const char
	    *stored_values; /* how the format stores values, for example "f64", "f32" or "ones"; a
	                                 static string */
} tulle_plan_info;

TULLE_API tulle_status tulle_plan_describe(const tulle_plan *plan, tulle_plan_info *info);

/* A candidate: a format, and for y = A^T x the way it is used. In the order of the registry: the first is
 * csr without a conversion (for A^T: "scatter"), even if it is ruled out. */
typedef struct {
	size_t size;        /* = sizeof(tulle_candidate_info) */
	const char *format; /* a static string */
	int chosen;
	double bytes;                               /* read by one multiplication, predicted */
	double convert_seconds, multiply_seconds;   /* predicted */
	double measured_convert, measured_multiply; /* 0: not measured */
	double total_seconds; /* conversion and all multiplications, by the best known times */
	double break_even;    /* multiplications to break even with the first; infinite: never */
	const char *because;  /* its advantage, or why it is ruled out; valid until an update */
	int out;              /* 1: ruled out, it cannot or may not be used for this matrix */
	double spread;     /* of measured_multiply: median sample divided by minimum; 0: not measured */
	const char *doubt; /* why the prediction is used instead of its measured time; else NULL */
	const char *way;   /* as in tulle_plan_info; "built": convert_seconds includes building A^T */
} tulle_candidate_info;

/* n = 0 .. info.candidates - 1. */
TULLE_API tulle_status tulle_plan_candidate(const tulle_plan *plan, int n,
                                            tulle_candidate_info *info);

/* Write a few lines of text: the choice, the reason for it and its cost. If formats were compared,
 * an empty line follows, then the cost of each candidate, and its advantage or why it is ruled out.
 * Works like snprintf: writes at most `size` bytes including the final zero, and returns the length
 * of the whole text. */
TULLE_API size_t tulle_plan_explain(const tulle_plan *plan, char *text, size_t size);

/* ---- tuned files --------------------------------------------------------------------------- */

/* Write the matrix of a plan, with the plan's latest values, and the choice of the plan: format,
 * tunables, operation, number of multiplications and reason (docs/files.md). The matrix is stored as
 * CSR with every entry, in the narrowest index types. Names usually end in ".tulle". The file is
 * written like that of tulle_matrix_write().
 *
 * TULLE_E_UNSUPPORTED for a matrix with lists (tulle_compact), for f16 and bf16 values, for
 * options.vector_type, and for TULLE_BOTH: save a plan for each direction. A plan with options.online is
 * saved in its present format. A plan for A^T of a matrix created as TULLE_SYMMETRIC is saved as a
 * plan for A. */
TULLE_API tulle_status tulle_plan_save(const tulle_plan *plan, const char *path,
                                       const tulle_write_options *options);

/* A matrix and its plan from a tuned file: nothing is analysed, compared or timed. The conversion is
 * done again with the stored tunables, so products have the bits of the saved plan on every machine
 * that uses the same instruction set. The matrix is general, with every entry: an update takes all
 * of them. The plan behaves like one whose format you named. options.value_type and real_part
 * convert the values first. `matrix` may be NULL; otherwise *matrix becomes the plan's matrix, which you
 * destroy like any other.
 *
 * The file need not be trusted: sizes are compared with its length before memory is allocated, and
 * every offset and column is checked. TULLE_E_MATRIX if something is wrong; the message is
 * "file: section: what". TULLE_E_UNSUPPORTED if the file comes from a newer version or from a machine
 * of the other byte order, has no plan, or its format is not supported here; the last two can be
 * read by tulle_matrix_read(). */
TULLE_API tulle_status tulle_plan_load(tulle_context *context, const char *path,
                                       const tulle_read_options *options, tulle_matrix **matrix,
                                       tulle_plan **out);

/* The choice of a plan as text: the lines that a tuned file has (docs/files.md), with a zero after them.
 * For programs that move a matrix by means of their own, for example to another process.
 * TULLE_E_UNSUPPORTED for TULLE_BOTH and for options.vector_type, as for tulle_plan_save(). The matrix may
 * have lists, and f16 or bf16 values. */
enum { TULLE_CHOICE_BYTES = 4097 };
TULLE_API tulle_status tulle_plan_choice(const tulle_plan *plan, char text[TULLE_CHOICE_BYTES]);

/* A plan for `matrix` by such a text: nothing is analysed, compared or timed. The text need not be
 * trusted. Products have the bits of the plan it comes from if the matrix has the same entries in the
 * same order and the instruction set is the same. TULLE_E_MATRIX if a line is wrong; TULLE_E_UNSUPPORTED
 * if the format is not supported here or does not take this matrix. */
TULLE_API tulle_status tulle_plan_from_choice(const tulle_matrix *matrix, const char *choice,
                                              tulle_plan **out);

/* ---- wisdom -------------------------------------------------------------------------------- */

/* A record of a wisdom file (docs/wisdom.md). */
typedef struct {
	size_t size;      /* = sizeof(tulle_wisdom_info) */
	char matrix[17];  /* 16 hexadecimal digits for its structure; zeros: record of the machine */
	char machine[17]; /* likewise for processor, instruction set, caches and threads */
	char name[24];    /* the format, with "/" and the way unless that is "as is" ("csr/scatter"), or
	                     another kind of record: "search", "machine" */
	int used;         /* 1: times of a format that this version uses; else all fields below are 0 */
	double convert_seconds;  /* 0: unknown */
	double multiply_seconds; /* one multiplication */
	double spread;           /* of multiply_seconds: median sample divided by minimum */
	int sliced;              /* 1: measured on a part of the matrix */
} tulle_wisdom_info;

/* Call `record` for each record in effect, in the order of the file. A file that does not exist
 * has no records. TULLE_E_IO if the file cannot be read or is not a wisdom file. context may be
 * NULL. */
TULLE_API tulle_status tulle_wisdom_list(tulle_context *context, const char *path,
                                         void (*record)(void *user, const tulle_wisdom_info *info),
                                         void *user);

/* Delete the records of a matrix, for every machine (16 digits as above; NULL: all records), and
 * report how many there were (forgotten may be NULL). Records that other processes add meanwhile
 * are kept. TULLE_E_IO if the file cannot be replaced; it is then unchanged. */
TULLE_API tulle_status tulle_wisdom_forget(tulle_context *context, const char *path,
                                           const char *matrix, int64_t *forgotten);

/* The part of a TULLE_BOTH plan that multiplies by A^T, as a read-only plan: for tulle_mul_add(),
 * steps, several vectors and descriptions. It is the plan itself if A^T equals A. It belongs to the
 * plan: never destroy it, and call this again after tulle_plan_update(), since A^T may no longer equal
 * A. It has the values of the plan's latest update. NULL if the plan is for one
 * direction only; tulle_last_error() then says so. */
TULLE_API const tulle_plan *tulle_plan_transposed(const tulle_plan *plan);

TULLE_API void tulle_plan_destroy(tulle_plan *plan);

/* Name of the n-th format in this build, n = 0, 1, ...; NULL after the last. */
TULLE_API const char *tulle_formats(int n);

/* What a format stores, in one line; NULL: unknown format. */
TULLE_API const char *tulle_format_summary(const char *format);

/* What may follow the colon after a format's name, for example "kernel=auto,scalar,vector"; NULL:
 * unknown format. */
TULLE_API const char *tulle_format_tunables(const char *format);

/* ---- multiply ------------------------------------------------------------------------------ */

/* y = alpha A x + beta y.
 *
 * x has as many elements as the planned operator has columns, y as many as it has rows (a plan for
 * TULLE_TRANSPOSED multiplies by A^T). x and y must not overlap. beta == 0 never reads y, so y may
 * hold NaN. A complex factor without an imaginary part multiplies like a real one: 1 + 0i changes
 * nothing. Allocates nothing unless several threads use one plan at the same time. Fails only with
 * TULLE_E_ARGUMENT, TULLE_E_TYPE, or TULLE_E_MEMORY or TULLE_E_LIMIT in that last case. */
TULLE_API tulle_status tulle_mul_f32(const tulle_plan *plan, float alpha, const float *x,
                                     float beta, float *y);
TULLE_API tulle_status tulle_mul_f64(const tulle_plan *plan, double alpha, const double *x,
                                     double beta, double *y);
TULLE_API tulle_status tulle_mul_c64(const tulle_plan *plan, tulle_c64 alpha, const tulle_c64 *x,
                                     tulle_c64 beta, tulle_c64 *y);
TULLE_API tulle_status tulle_mul_c128(const tulle_plan *plan, tulle_c128 alpha, const tulle_c128 *x,
                                      tulle_c128 beta, tulle_c128 *y);

/* y = alpha A^T x + beta y, with a plan for TULLE_BOTH, or A^H with TULLE_BOTH_CONJUGATE: x has as many elements as A has rows, y as many
 * as A has columns. Otherwise like tulle_mul(). TULLE_E_ARGUMENT if the plan is for one direction. */
TULLE_API tulle_status tulle_mul_transposed_f32(const tulle_plan *plan, float alpha, const float *x,
                                                float beta, float *y);
TULLE_API tulle_status tulle_mul_transposed_f64(const tulle_plan *plan, double alpha,
                                                const double *x, double beta, double *y);
TULLE_API tulle_status tulle_mul_transposed_c64(const tulle_plan *plan, tulle_c64 alpha,
                                                const tulle_c64 *x, tulle_c64 beta, tulle_c64 *y);
TULLE_API tulle_status tulle_mul_transposed_c128(const tulle_plan *plan, tulle_c128 alpha,
                                                 const tulle_c128 *x, tulle_c128 beta,
                                                 tulle_c128 *y);

/* y = alpha A x + beta b, for example for residuals. b must equal y or be disjoint from it.
 * beta == 0 never reads b, which may then be NULL. */
TULLE_API tulle_status tulle_mul_add_f32(const tulle_plan *plan, float alpha, const float *x,
                                         float beta, const float *b, float *y);
TULLE_API tulle_status tulle_mul_add_f64(const tulle_plan *plan, double alpha, const double *x,
                                         double beta, const double *b, double *y);
TULLE_API tulle_status tulle_mul_add_c64(const tulle_plan *plan, tulle_c64 alpha,
                                         const tulle_c64 *x, tulle_c64 beta, const tulle_c64 *b,
                                         tulle_c64 *y);
TULLE_API tulle_status tulle_mul_add_c128(const tulle_plan *plan, tulle_c128 alpha,
                                          const tulle_c128 *x, tulle_c128 beta, const tulle_c128 *b,
                                          tulle_c128 *y);

/* Vectors of the whole matrix, for plans of a matrix that leaves out rows or columns (tulle_compact).
 * Both take the lists of the planned operator: with a plan for A^T, x has rows and y has columns of A.
 *
 * gather:  x[j] = whole[list[j]], the elements of a vector of the whole matrix that are multiplied.
 * scatter: whole = y + beta whole, where y is 0 in rows that are omitted. beta == 0 never reads
 *          `whole`. With beta == 1 only the present rows are read and written.
 *
 * The two vectors must not overlap. They fail with TULLE_E_ARGUMENT or TULLE_E_TYPE only, and allocate
 * nothing. */
TULLE_API tulle_status tulle_gather_f32(const tulle_plan *plan, const float *whole, float *x);
TULLE_API tulle_status tulle_gather_f64(const tulle_plan *plan, const double *whole, double *x);
TULLE_API tulle_status tulle_scatter_f32(const tulle_plan *plan, const float *y, float beta,
                                         float *whole);
TULLE_API tulle_status tulle_scatter_f64(const tulle_plan *plan, const double *y, double beta,
                                         double *whole);

/* ---- steps of iterative methods ------------------------------------------------------------ */

/* A product fused with dot products and vector updates, in one pass: each part of the result is
 * used while it is in the cache (docs/steps.md).
 *
 * Pointers to dot products may be NULL. x.y, x.z and beta x need a square operator; without them A
 * may have any shape. x must not overlap the result; b or w must equal the result or be disjoint
 * from it, and may equal x.
 *
 * y and r have the same bits as from tulle_mul() and tulle_mul_add(). So has z before beta x is
 * added, which is rounded first. Dot products are summed in double, also by the f32 functions, in
 * blocks of 256 rows that are added pairwise. Their bits depend only on x and the result, not on
 * the number of threads, the format or the instruction set. Their error is at most k u / (1 - k u)
 * sum |x||y| with u = 2^-53 and k = 21 + ceil(log2(rows / 256)), unless a product of two elements
 * underflows.
 *
 * The first call with a plan allocates 17 bytes for each 256 rows, which the plan keeps; after it,
 * one caller at a time never allocates. All of them fail like tulle_mul(), and with TULLE_E_MEMORY
 * or TULLE_E_LIMIT; outputs are then untouched. */

/* y = A x, *xy = x.y, *yy = y.y: conjugate gradients, power method. */
TULLE_API tulle_status tulle_mul_dot_f32(const tulle_plan *plan, const float *x, float *y,
                                         double *xy, double *yy);
TULLE_API tulle_status tulle_mul_dot_f64(const tulle_plan *plan, const double *x, double *y,
                                         double *xy, double *yy);

/* r = b - A x, *rr = r.r. */
TULLE_API tulle_status tulle_residual_f32(const tulle_plan *plan, const float *x, const float *b,
                                          float *r, double *rr);
TULLE_API tulle_status tulle_residual_f64(const tulle_plan *plan, const double *x, const double *b,
                                          double *r, double *rr);

/* z = alpha A x + beta x + gamma w, *xz = x.z, *zz = z.z: Lanczos, Chebyshev. A term whose factor is
 * 0 is left out; w may be NULL if gamma is 0. */
TULLE_API tulle_status tulle_step_f32(const tulle_plan *plan, float alpha, const float *x,
                                      float beta, float gamma, const float *w, float *z, double *xz,
                                      double *zz);
TULLE_API tulle_status tulle_step_f64(const tulle_plan *plan, double alpha, const double *x,
                                      double beta, double gamma, const double *w, double *z,
                                      double *xz, double *zz);

/* ---- several vectors ----------------------------------------------------------------------- */

/* Y = alpha A X + beta Y for k vectors at once. COLUMN_MAJOR: vector j is X + j*ldx, so ldx is at
 * least the number of elements of a vector. ROW_MAJOR: element i of vector j is X[i*ldx + j], so
 * ldx is at least k. Y likewise. Elements between the vectors are not touched.
 *
 * Formats with a kernel for many vectors, among them all that the planner chooses, read the matrix
 * once for many vectors. This kernel needs row-major vectors, ideally with rows that begin at a cache
 * line. Column-major vectors are transposed, and the results transposed back, where that pays off. The
 * other formats multiply the vectors one by one. With options.vectors the planner chooses a format for
 * several vectors.
 *
 * The bits are the same at any number of threads. Each vector has the bits of tulle_mul() in
 * formats that sum each row in stored order (reproducible = 2) or have no such kernel, and in all
 * formats if k is 1.
 *
 * Allocates working memory for the call, so it may fail with TULLE_E_MEMORY or TULLE_E_LIMIT; Y is
 * then untouched. */
TULLE_API tulle_status tulle_mul_many_f32(const tulle_plan *plan, int64_t k, tulle_order order,
                                          float alpha, const float *x, int64_t ldx, float beta,
                                          float *y, int64_t ldy);
TULLE_API tulle_status tulle_mul_many_f64(const tulle_plan *plan, int64_t k, tulle_order order,
                                          double alpha, const double *x, int64_t ldx, double beta,
                                          double *y, int64_t ldy);
TULLE_API tulle_status tulle_mul_many_c64(const tulle_plan *plan, int64_t k, tulle_order order,
                                          tulle_c64 alpha, const tulle_c64 *x, int64_t ldx,
                                          tulle_c64 beta, tulle_c64 *y, int64_t ldy);
TULLE_API tulle_status tulle_mul_many_c128(const tulle_plan *plan, int64_t k, tulle_order order,
                                           tulle_c128 alpha, const tulle_c128 *x, int64_t ldx,
                                           tulle_c128 beta, tulle_c128 *y, int64_t ldy);

#ifdef __cplusplus
}
#endif
#endif
