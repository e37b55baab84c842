/* inner.h -- shared by the files of the kit: random numbers, specs, and building row by row. */
#ifndef KIT_INNER_H
#define KIT_INNER_H

#include <stddef.h>
#include <string.h>

#include "kit.h"

/* ---- errors ---- */

/* Stores the message for kit_error(). Always returns -1, so that callers can return it. */
int kit__fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* n * size zeroed bytes, or NULL with a message stored. A size of zero gives one byte. */
void *kit__alloc(int64_t n, size_t size);

/* ---- loops ---- */

/* Processes item i. Called from many threads, so it writes only data of item i. */
typedef void kit__item(const void *self, int64_t i);

/* Processes the items 0 .. n-1 in any order, on kit_set_threads() threads, or on fewer if no more
 * can be created. A short loop runs on the calling thread. */
void kit__each(int64_t n, kit__item *item, const void *self);

/* ---- random numbers by position: each element is computed independently, so loops run in parallel
 * ---- */

static inline uint64_t kit__mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline uint64_t kit__hash(uint64_t seed, uint64_t i, uint64_t j)
{
	return kit__mix(kit__mix(seed + 0x9e3779b97f4a7c15u * (i + 1)) + 0x9e3779b97f4a7c15u * (j + 1));
}

static inline double kit__unit(uint64_t bits)
{
	return (double)(bits >> 11) * 0x1p-53;
}

/* Uniform in [-1, 1) without 0, so that no stored entry vanishes. */
static inline double kit__signed(uint64_t bits)
{
	return (double)((int64_t)bits >> 11 | 1) * 0x1p-52;
}

/* k distinct ascending numbers of lo .. hi-1; k is at most hi - lo. */
void kit__sample(kit_rng *rng, int64_t k, int64_t lo, int64_t hi, int32_t *out);

void kit__sort(int32_t *a, int64_t n);

/* Sorts and removes duplicates; returns the number of elements left. */
int64_t kit__unique(int32_t *a, int64_t n);

/* A permutation of 0 .. n-1, or NULL with a message stored. */
int32_t *kit__permutation(uint64_t seed, int64_t n);

/* ---- specs ---- */

typedef struct {
	const kit_kind *kind;
	const char *value[12]; /* text of the kind's n-th parameter: given or default */
	char text[512];        /* the given texts live here */
} kit__spec;

/* An integer in lo .. hi, a real number in lo .. hi, one of the words "a|b|c" (its place, from 0);
 * -1 with a message if the text is anything else. The parameter must exist. */
int kit__integer(const kit__spec *s, const char *name, int64_t lo, int64_t hi, int64_t *out);
int kit__real(const kit__spec *s, const char *name, double lo, double hi, double *out);
int kit__word(const kit__spec *s, const char *name, const char *words, int *out);

typedef struct {
	kit_kind kind;
	int (*make)(const kit__spec *spec, kit_matrix *out);
} kit__maker;

extern const kit__maker kit__stencils[], kit__meshes[], kit__graphs[]; /* end with a NULL name */

/* ---- building ---- */

/* Writes the columns of row i, strictly ascending, and returns how many; col == NULL: only counts.
 * Called from many threads, twice per row, so the result must depend on i alone. */
typedef int64_t kit__row(const void *self, int64_t i, int32_t *col);

/* Fill out->rows rows with `row`; on failure *out is freed. */
int kit__build(kit_matrix *out, kit__row *row, const void *self);

/* Allocates col, and row_ptr if it is NULL, for out->rows and out->nnz. */
int kit__allocate(kit_matrix *out);

/* Turn row lengths row_ptr[1 ..] into offsets; sets nnz. */
void kit__lengths_to_offsets(kit_matrix *out);

typedef enum { KIT__ONES, KIT__RANDOM, KIT__SYMMETRIC } kit__val;

/* Values by position: random ones that depend on seed, row and column only. */
int kit__values(kit_matrix *m, kit__val how, uint64_t seed);

/* Row i of the result is row order[i] of m, its columns renamed the same way; m must be square. */
int kit__reorder(kit_matrix *m, const int32_t *order);

#endif
