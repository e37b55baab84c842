/* support.h -- what all tests share: matrices of any type, the walk over the registry, contexts.
 *
 * A test matrix is held once, wide (64-bit offsets and columns, double values), and cast() makes the
 * caller's arrays of whatever types are under test. Values of an f32 test are rounded to float when
 * they are made, so the wide copy is exact. */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include "check.h"
#include "core/cpu.h"
#include "tulle.h"

/* ---- random numbers: the same everywhere, seeded by the test ---- */

uint64_t random_next(uint64_t *state);
int64_t random_below(uint64_t *state, int64_t n);
double random_unit(uint64_t *state); /* -1 .. 1 */

/* ---- matrices ---- */

typedef struct {
	char name[48];
	int64_t rows, cols, nnz;
	int64_t *row_ptr, *col;
	double *val;
	tulle_kind kind; /* not general: the pattern is symmetric, the values have to follow */
} matrix;

/* An allocation that ends the test when there is no memory; never NULL. */
void *grab(int64_t count, size_t size);

matrix matrix_new(const char *name, int64_t rows, int64_t cols, const int64_t *lengths);
void matrix_free(matrix *m);
matrix
matrix_transposed(const matrix *m); /* stable: entries of a row stand in order of their rows */

/* Row i gets `lengths[i]` columns drawn at random, unsorted, duplicates as they come. */
void matrix_random_columns(matrix *m, uint64_t *state);

/* Turns m into a square matrix of this kind: each entry once, and once more where it is mirrored;
 * rows are sorted. */
matrix matrix_mirrored(matrix m, tulle_kind kind);

/* To be called when values were filled in: those above the diagonal are made from those below it, as
 * the kind wants. Nothing happens to a general matrix. */
void matrix_mirror_values(matrix *m);

/* About `nodes` node blocks of `b` x `b`, of which each entry is missing with a chance of 1 in
 * `holes` (0: none), `each` of them in a row of blocks within `reach` of the diagonal; the last
 * block row may be cut off. */
matrix matrix_blocks(const char *name, int64_t rows, int64_t b, int64_t each, int64_t reach,
                     int64_t holes, uint64_t *state);

/* Small random matrices for tests that want thousands: up to `most` rows and columns. One in three
 * has node blocks, and two in three of these are symmetric or skew. */
matrix matrix_small(uint64_t *state, int64_t most);

/* A large one for threads: empty rows, short rows, one row longer than a part, over 64 parts. */
matrix matrix_large(uint64_t seed);

/* The same with no row longer than 24: for formats that would pad the large one to absurd sizes, and
 * refuse it with TULLE_E_UNSUPPORTED. This one none may refuse. */
matrix matrix_level(uint64_t seed);

/* A symmetric one with node blocks of 3 x 3, for formats that take no other: over 64 parts. */
matrix matrix_nodes(uint64_t seed);

/* The five-point stencil of a square grid, symmetric: rows of 3 to 5 in order. */
matrix matrix_grid(int64_t side);

/* Whole numbers from -limit to limit, never zero, mirrored. */
void matrix_whole_values(matrix *m, uint64_t *state, int64_t limit);

/* ---- the caller's arrays ---- */

typedef struct {
	tulle_index_type offset, column;
	const char *name;
} index_pair;

enum { PAIRS = 3 };
extern const index_pair pairs[PAIRS];

size_t index_size(tulle_index_type type);
size_t value_size(tulle_value_type type);
const char *type_name(tulle_value_type type);

/* `count` indices (plus `base`) or values as the type; free() them. */
void *cast_indices(const int64_t *from, int64_t count, tulle_index_type type, int64_t base);
void *cast_values(const double *from, int64_t count, tulle_value_type type);

typedef struct {
	void *row_ptr, *col, *val;
} arrays;

arrays cast(const matrix *m, index_pair pair, tulle_value_type type, int base);
void arrays_free(arrays *a);

/* A tulle matrix of zero-based borrowed arrays; NULL after a failed check. */
tulle_matrix *borrow(tulle_context *context, const matrix *m, index_pair pair,
                     tulle_value_type type, const arrays *a);

/* ---- vectors of a type known at run time ---- */

double value_at(tulle_value_type type, const void *v, int64_t i);
void value_set(tulle_value_type type, void *v, int64_t i, double value);
void value_fill(tulle_value_type type, void *v, int64_t count, double value);

typedef enum { MUL, MUL_ADD, MUL_ADD_SELF, CALLS } call_kind;
extern const char *const call_names[CALLS];

/* y = alpha A x + beta b by tulle_mul (b is copied into y first), by tulle_mul_add with b apart, or
 * by tulle_mul_add with b == y. With beta == 0 y is filled with NaN instead of b. */
tulle_status multiply(const tulle_plan *plan, tulle_value_type type, call_kind call, double alpha,
                      const void *x, double beta, const void *b, void *y, int64_t rows);

/* tulle_mul_f32 or _f64. */
tulle_status mul(const tulle_plan *plan, tulle_value_type type, double alpha, const void *x,
                 double beta, void *y);

/* ---- the registry ---- */

/* Every way to ask for a format: its name alone, then each tunable moved on its own to each of its
 * other words, or to both ends of its range. NULL past the last; free() the text. */
char *format_spec(const char *format, int n);

/* May this format (the one of the spec) have refused the matrix with this status? Only one that takes
 * one kind of matrix may, and its sentence has to say why. Whoever converts asks, since
 * walk_end() wants to see each such format that was asked accept something. */
int refused(const char *spec, tulle_status status);

/* A plan by such a spec; NULL after a failed check, or when it may refuse and did. */
tulle_plan *plan_for(const tulle_matrix *a, const char *spec, tulle_op op);

/* The same for a matrix with a few very long rows: NULL without a failure when the format refuses to
 * pad all rows to their length. The shapes of shapes.h none may refuse. */
tulle_plan *plan_unless_padded(const tulle_matrix *a, const char *spec, tulle_op op);

/* ---- the process ---- */

/* How many entries a folder has, "." and ".." among them: "/proc/self/fd", "/proc/self/task". */
int entries_of(const char *folder);

/* ---- contexts and the command line ---- */

/* check_end(), after a last check: formats that may refuse have not refused everything. */
int walk_end(void);

/* Names of all instruction sets, those that this build or this machine lacks among them. */
enum { ISAS = TULLE__ISAS };
extern const char *const isas[ISAS];
int isa_available(const char *isa);
int fused_available(void); /* one with fused multiply-adds */

/* threads == 0 and serial_below == 0 are the defaults; NULL after a failed check. */
tulle_context *context_for(const char *isa, int threads, int64_t serial_below);
tulle_context_info context_info(const tulle_context *context);

typedef struct {
	int full, brief;          /* --full: the long tier; --brief: the least that says something */
	const char *format, *isa; /* --format, --isa; NULL: all */
	tulle_value_type type;    /* --type; 0: both */
} options;

/* Exits with CHECK_SKIP when the machine or the build lacks the instruction set. */
options read_options(int argc, char **argv);

/* Does the test run for this format, instruction set, type? */
int wants_format(const options *o, const char *format);
int wants_isa(const options *o, const char *isa);
int wants_type(const options *o, tulle_value_type type);

/* Does spec number n of a format (format_spec) meet this shape? Briefly, a format's own choice meets
 * all, each of its tunables a quarter of them, others than the next. */
int wants_shape(const options *o, int n, int shape);

#endif
