/* batch_store.h -- from the caller's problems to a batch in memory; shared by the files of this folder. */
#ifndef TULLE_BATCH_BATCH_STORE_H
#define TULLE_BATCH_BATCH_STORE_H

#include "batch/batch.h"
#include "core/env.h"
#include "core/format.h"
#include "csr/csr_matrix.h"

/* ---- problems, as the caller gave them ---- */

typedef struct {
	int64_t rows, cols, nnz;
	const void *row_ptr, *col, *val;
	int64_t x, y;     /* in the packed vectors */
	int64_t value_at; /* of its first value in the array that an update takes */
	double scale;

	/* The first problem that has the same row pointers, the same pattern, the same values. */
	int64_t same_rows, same_pattern, same_values;

	batch_kernel kernel;
	int vectors_per_chunk; /* SELL: vectors in a chunk */
	int class;
} tulle__problem;

typedef struct {
	int64_t count;
	tulle_index_type offset_type, column_type;
	tulle_value_type value_type;
	int ones;          /* there are no values */
	int scaled;        /* some scale is not 1 */
	int shares_values; /* problems may have equal same_values: whole updates keep them so */
	int64_t rows, cols, nnz, values;
	int64_t x_size, y_size;
	tulle__problem *problem;
	tulle__env *env;
} tulle__problems;

/* Checked as `check` requests; p->problem is allocated. same_... are not set. */
tulle_status tulle__problems_from_source(tulle__env *env, const tulle_batch_source *s,
                                         tulle_check check, tulle__problems *p);
tulle_status tulle__problems_from_views(tulle__env *env, int64_t count,
                                        const tulle_csr_view *matrices, tulle_check check,
                                        tulle__problems *p);

/* Problem i as a matrix. */
static inline tulle__csr tulle__problem_csr(const tulle__problems *p, int64_t i)
{
	const tulle__problem *a = &p->problem[i];

	return (tulle__csr){ a->rows,       a->cols,    a->nnz, p->offset_type, p->column_type,
		                 p->value_type, a->row_ptr, a->col, a->val };
}

/* Finds problems with equal rows and with equal patterns. */
tulle_status tulle__problems_compare(tulle__problems *p);

/* ---- classes ---- */

enum { TULLE__SIZE_CLASSES = 7, TULLE__BATCH_CLASSES = BATCH_KERNELS * TULLE__SIZE_CLASSES };

/* Problems with one kernel and of similar size. */
typedef struct {
	batch_kernel kernel;
	int64_t problems, rows, nnz, least_rows, most_rows;
	double bytes, seconds;
	char because[128];
} tulle__batch_class;

typedef struct {
	const char *special; /* what all problems have in common */
	int classes;
	tulle__batch_class class[TULLE__BATCH_CLASSES];
} tulle__batch_classes;

extern const char *const tulle__batch_kernel_name[BATCH_KERNELS];

/* Chooses a kernel for each problem: p->problem[i].kernel and .class. `only`: BATCH_KERNELS, or a kernel
 * to use wherever it is applicable. */
tulle_status tulle__problems_choose(tulle__problems *p, double multiplies, int only, int borrow,
                                    tulle__batch_classes *out);

/* ---- store ---- */

/* What units share is written by the first of them. */
enum {
	TULLE__FILLS_ROWS = 1,
	TULLE__FILLS_COLUMNS = 2,
	TULLE__FILLS_CHUNKS = 4,
	TULLE__FILLS_VALUES = 8
};

typedef struct {
	batch_data data;
	tulle_value_type value_type;
	int64_t work;      /* nonzeros and rows of all problems */
	size_t slot_bytes; /* working memory of a thread; 0: none is needed */
	int lanes;         /* of a group */
	int interleaved;   /* all units are groups of one pattern, in order */
	int borrows;       /* data.val is the caller's, else `val` */
	void *val;         /* NULL: borrowed, or ones */
	size_t bytes, own_bytes;
	int64_t values; /* in data.val */

	/* what only building and updating needs */
	uint8_t *fills; /* of each unit: what it is the first to have */
	int64_t lanes_held;
	int64_t *row_at;   /* of each unit, in data.row_ptr */
	int64_t *value_at; /* of each place, in the caller's values */
} tulle__batch_store;

/* On return everything except values is in place. On failure nothing is allocated. */
tulle_status tulle__store_create(const tulle__problems *p, int borrow, tulle__batch_store *out);
void tulle__store_release(tulle__env *env, tulle__batch_store *s);

/* Nonzeros, rows and problems of all units; and where each of d->parts parts begins, into d->cut. */
int64_t tulle__batch_work(const batch_data *d);
void tulle__batch_cuts(const tulle__problems *p, const batch_data *d, int64_t work);

/* Values of place n are at from[n]. */
void tulle__store_values(tulle__env *env, const tulle__batch_store *s, const void *const *from);

/* Moves rows and columns of all units to where they belong. */
tulle_status tulle__store_patterns(const tulle__problems *p, const tulle__batch_store *s);

/* ---- kernels ---- */

/* The kernels of a set by their numbers (batch.h); NULL: it has none for this type. */
const tulle__kernel *tulle__batch_kernels(tulle__isa isa, tulle_value_type type);

/* The set whose kernels serve `isa`: itself, or a lower one. */
tulle__isa tulle__batch_set(tulle__isa isa, tulle_value_type type);

/* Problems per group; a chunk has once or twice as many lanes for rows. */
int tulle__batch_lanes(tulle__isa isa, tulle_value_type type);

#endif
