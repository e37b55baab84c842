/* batch.h -- a batch in memory, as the kernels see it (README.md draws it). */
#ifndef TULLE_BATCH_BATCH_H
#define TULLE_BATCH_BATCH_H

#include "core/types.h"
#include "tulle_batch.h"

#include <stdatomic.h>

typedef enum { BATCH_CSR, BATCH_SELL, BATCH_ELL, BATCH_INTERLEAVED, BATCH_KERNELS } batch_kernel;

/* What is multiplied together: a problem, or a group of interleaved problems with one pattern. All
 * places are offsets into the arrays of batch_data, so that a device can use copies of them
 * unchanged. */
typedef struct {
	int64_t place; /* of its first problem */
	int64_t first; /* of its row pointers; SELL: of its chunks */
	int64_t col;   /* in units of 16 bits */
	int64_t val;
	int64_t lane; /* SELL: of its lanes */
	int32_t rows, cols, nnz;
	int32_t pieces;            /* rows, or chunks: a unit can be divided between them */
	int32_t width;             /* ELL: entries of each row */
	uint8_t kernel;            /* a batch_kernel */
	uint8_t near;              /* columns have 16 bits, else 32 */
	uint8_t lanes;             /* problems in it */
	uint8_t vectors_per_chunk; /* SELL: height of a chunk in vectors */
} batch_unit;

/* Where the vectors of a problem begin, in elements of the packed ones. */
typedef struct {
	int64_t x, y;
} batch_place;

/* Interleaved rows of a SELL unit, none longer than the one before it. The first `full` steps have an
 * entry of each lane, the steps up to `width` only of the longer rows. */
typedef struct {
	int32_t full, width;
	int32_t at;    /* of its first entry, from the unit's first */
	int32_t first; /* the lanes are rows first, first+1, ...; or BATCH_SCATTERED */
} batch_chunk;

enum { BATCH_SCATTERED = -1 };

/* A part begins at this piece of this unit. */
typedef struct {
	int64_t unit;
	int32_t piece;
} batch_cut;

typedef struct {
	int64_t count, units, parts;
	batch_unit *unit;
	batch_place *place; /* of each problem, in the order of the units */
	int64_t *problem;   /* its number in the caller's order */
	double *scale;      /* of each place; NULL: 1 */
	int32_t *row_ptr;   /* from 0 on for each problem */
	uint16_t *col;
	const void *val; /* NULL: ones. May be the caller's */
	batch_chunk *chunk;
	int32_t *lane_row, *lane_length; /* of the lanes of all chunks */
	batch_cut *cut;
	int one_value; /* all problems of a group have the same values: kept once */
} batch_data;

/* Working memory: one slot per thread that may be working, all of one size. A part takes a free
 * one. */
typedef struct {
	_Alignas(64) atomic_int taken;
} batch_flag;

typedef struct {
	int slots;
	size_t bytes; /* of a slot */
	batch_flag *flag;
	char *memory;
} batch_slots;

typedef struct {
	const batch_data *data;
	const void *x;
	void *y;
	const void *const *xs; /* vectors of each problem; NULL: packed in x and y */
	void *const *ys;
	tulle__scalar alpha, beta;
	batch_slots *slots; /* NULL: no unit needs one */
} batch_call;

/* The kernels, by number. */
enum { BATCH_PACKED_VECTORS, BATCH_PACKED_ONES, BATCH_INTERLEAVED_VECTORS, BATCH_INTERLEAVED_ONES };

#endif
