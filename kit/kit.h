/* kit.h -- test matrices, and the oracle that checks results.
 *
 * Used by the tests, the bench and the command; not part of libtulle, and links nothing of it.
 *
 * Everything here is deterministic: the same spec and seed give the same bytes on any machine, with
 * any compiler and at any number of threads. Functions that can fail return -1 or NULL, and kit_error() then
 * returns a message. */
#ifndef KIT_H
#define KIT_H

#include <stdint.h>

#include "tulle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many threads its loops use. 0, the default: one per CPU that the process may use. */
void kit_set_threads(int threads);

/* ---- matrices ------------------------------------------------------------------------------ */

/* Compressed rows, zero-based; columns strictly ascend within a row. */
typedef struct {
	char name[64];
	int64_t rows, cols, nnz;
	int64_t *row_ptr; /* rows + 1 offsets */
	int32_t *col;
	double *val;  /* NULL: a pattern, every entry is one */
	int stand_in; /* 1: made after a published matrix's statistics, not that matrix itself */
} kit_matrix;

/* A matrix from a kind and its parameters, "stencil5:n=1000,values=constant,seed=7"; parameters
 * left out have the defaults kit_kind_at() lists. 0, or -1 with a message that names the wrong word and the
 * valid ones; *out is then all zero. */
int kit_generate(const char *spec, kit_matrix *out);

/* A stand-in for a matrix of the papers, by any of its names: "pwtk", "Wind Tunnel". Symmetric
 * ones also as the stored half (lower triangle with the diagonal), as the CSR2 paper ran them:
 * "pwtk:half". */
int kit_like(const char *name, kit_matrix *out);

/* Frees the arrays and zeroes the structure. Accepts a zeroed structure and NULL. */
void kit_free(kit_matrix *m);

/* The arrays as tulle_matrix_view_csr() would show them: 64-bit offsets, 32-bit columns, f64. */
tulle_csr_view kit_view(const kit_matrix *m);

/* The message of the latest failure on the calling thread; "" before the first. */
const char *kit_error(void);

typedef struct {
	const char *name, *value, *about; /* parameter, its default, what it means */
} kit_param;

typedef struct {
	const char *name, *about; /* "stencil5", one sentence */
	const kit_param *params;  /* ends with a NULL name */
} kit_kind;

/* The n-th kind of kit_generate(), n = 0, 1, ...; NULL past the last. */
const kit_kind *kit_kind_at(int n);

/* ---- what the papers say about their matrices ------------------------------------------------ */

/* A figure that no paper gives is -1. */
typedef struct {
	const char *name;   /* the usual name, "pwtk" */
	const char *alias;  /* another one a paper uses, "Wind Tunnel"; "" if none */
	const char *papers; /* "CSR5 CSR2 ELLPACK-R" */
	int64_t rows, cols, nnz;
	int64_t half_nnz;         /* entries of the stored half, as the CSR2 paper counts them */
	int rounded;              /* 1: the papers print rows, cols or nnz rounded to K or M only */
	double min, avg, max, sd; /* of the row lengths */
	int irregular;            /* the class its paper puts it in */
	int symmetric;
} kit_published;

/* The n-th published matrix, n = 0, 1, ...; NULL past the last. */
const kit_published *kit_published_at(int n);

/* ---- random numbers -------------------------------------------------------------------------- */

/* Integer arithmetic only, so the same numbers everywhere. Streams of one seed are independent. */
typedef struct {
	uint64_t state;
} kit_rng;

kit_rng kit_random_seed(uint64_t seed, uint64_t stream);
uint64_t kit_random_u64(kit_rng *rng);
double kit_random_unit(kit_rng *rng);              /* in [0, 1), 53 bits */
int64_t kit_random_below(kit_rng *rng, int64_t n); /* in 0 .. n-1, n >= 1 */

/* Classes of values, reliability's C2 and C2b. In the ranges given here, no product and no row of
 * less than 10^9 entries overflows. */
typedef enum {
	KIT_UNIFORM,  /* [-1, 1) */
	KIT_WIDE,     /* exponents spread over 2^-300 .. 2^300 (f32: 2^-30 .. 2^30) */
	KIT_CANCEL,   /* rows whose sum is some 2^-40 (f32: 2^-15) of its terms */
	KIT_DENORMAL, /* products around and below the smallest normal number */
	KIT_MIXED,    /* 2^-50, 1 and 2^50 (f32: 2^-20 ...) side by side */
	KIT_INTEGER   /* small integers: every sum is exact in any order */
} kit_values;
enum { KIT_VALUES = 6 }; /* how many classes there are */

const char *kit_values_name(kit_values c);

/* n values of one class. KIT_CANCEL here means pairs v, -v(1+tiny); KIT_INTEGER -8 .. 8. */
void kit_random_fill(kit_values c, uint64_t seed, tulle_value_type type, int64_t n, void *out);

/* Values for a pattern (a->val is not read) and a matching x, so that the products a x of each row are of one
 * class. val: a->nnz elements, x: a->cols. KIT_INTEGER keeps |alpha| sum |a||x| + |beta||b| below 2^24 for
 * |alpha|, |beta| <= 2 and |b| <= 8, by rows and by columns, so that f32 results are exact too. */
void kit_random_system(kit_values c, uint64_t seed, const tulle_csr_view *a, void *val, void *x);

/* ---- oracle ---------------------------------------------------------------------------------- */

/* The reference for y = alpha op(A) x + beta b: the sum in 100 to 113 bits, and for each row the bound
 *
 *     gamma_{n+2} (|alpha| sum |a||x| + |beta||b|) + (n |alpha| + 4) eta
 *
 * that holds for any order of summation, with or without fma; n is the number of entries of the row of op(A),
 * gamma_k = ku/(1 - ku), u = 2^-53 or 2^-24, eta = 2^-1074 or 2^-149. */
typedef struct kit_oracle kit_oracle;

typedef struct {
	double worst;       /* the largest error / bound; infinity for an unexpected NaN */
	int64_t worst_row;  /* where; -1: no row was checked */
	int64_t violations; /* rows beyond their bound */
	int64_t rows;       /* rows looked at, without the overflowed ones */
	int64_t overflowed; /* rows where a partial sum may overflow: not checked */
} kit_verdict;

/* x and b are of the view's value type; alpha and beta are rounded to it. beta == 0 never reads b,
 * which may then be NULL. Computed once, in parallel; NULL if memory is exhausted or an argument is wrong.
 * Rows with NaN or Inf among their inputs must give the NaN or the Inf that any order of summation gives. */
kit_oracle *kit_oracle_create(const tulle_csr_view *a, tulle_op op, double alpha, const void *x,
                              double beta, const void *b);

/* y: of the view's value type, as many elements as op(A) has rows. */
kit_verdict kit_oracle_check(const kit_oracle *o, const void *y);

/* The reference of one row, rounded to double, and its bound: for messages, and for tests of the oracle.
 */
void kit_oracle_row(const kit_oracle *o, int64_t row, double *reference, double *bound);

void kit_oracle_free(kit_oracle *o);

/* The same for complex values: the reference for y = alpha op(A) x + beta b, with the bound for each part
 *
 *     gamma_{2n+4} (|alpha_r| S_r + |alpha_i| S_i + |beta_r||br| + |beta_i||bi|)
 *         + (2n (|alpha_r| + |alpha_i|) + 4) eta
 *
 * that kit/complex_oracle.c derives; S_r and S_i are the sums of |products| in the parts of the row's sum. */
typedef struct kit_complex_oracle kit_complex_oracle;

typedef struct {
	double re, im;
} kit_complex;

/* The view is of type TULLE_C64 or TULLE_C128, and so are x, b and y. NULL if memory is exhausted. */
kit_complex_oracle *kit_complex_oracle_create(const tulle_csr_view *a, tulle_op op, const void *x);

/* Factors must be numbers of the type of a part. b is not read if beta is 0. Rows of the verdict are parts. */
kit_verdict kit_complex_oracle_check(const kit_complex_oracle *o, kit_complex alpha,
                                     kit_complex beta, const void *b, const void *y);
void kit_complex_oracle_free(kit_complex_oracle *o);

#ifdef __cplusplus
}
#endif
#endif
