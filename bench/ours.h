/* ours.h -- libtulle as contenders of the bench, through its public header only. */
#ifndef BENCH_OURS_H
#define BENCH_OURS_H

#include "competitor.h"
#include "tulle.h"

#include <stdio.h>

/* The variant is a format with its tunables, "csr:kernel=vector", or "auto:500", "measure:500": the
 * format that the planner chooses for that number of multiplications (1000 by default). After "transposed:" the same
 * for a plan of the transpose: it is given A^T, so it multiplies by A as the others do. If a format rejects the matrix,
 * tulle_last_error() says why; any other failure is also reported on stderr. */
extern const bench_competitor bench_ours;

/* A plan of this variant for borrowed arrays, in a context of its own, to be multiplied by that many vectors
 * at once. NULL with a sentence on stderr. */
tulle_plan *bench_ours_plan(const bench_matrix *a, const tulle_context_options *options,
                            const char *variant, int vectors);

/* Bytes that this plan of ours and, where it reads them, the arrays of `a` hold. */
size_t bench_ours_held(const void *state, const bench_matrix *a);

/* The note of the plan's format; "": none. */
void bench_ours_note(const void *state, char *note, size_t size);

/* Does this variant, "auto" or "measure:500", leave the choice of the format to the planner? */
int bench_ours_chose(const char *variant);

/* Seconds that this plan spent on choosing, without the conversion; and what was chosen: "sell", or for A^T
 * with the way, "sell/built". */
double bench_ours_planning(const void *state, char *choice, size_t size);

/* From now on, writes there the work that the planner counts for each format: the lines "work ..." of its log, for
 * fitting prices. */
void bench_log_work(FILE *to);

/* Are these `length` characters this word? */
int bench_is_word(const char *text, size_t length, const char *word);

/* The instruction set that our plans use unless told otherwise. */
const char *bench_ours_isa(void);

/* From now on, plans and MKL use at most this instruction set ("avx2"). MKL reads its setting once, when it is loaded.
 * -1 with a message on stderr if this machine lacks the set. */
int bench_limit_isa(const char *isa);

/* The instruction set in MKL's environment variable ("AVX2"); "": none. */
const char *bench_mkl_limit(void);

/* Not a multiplication: the full check of the arrays. A user pays for it once per matrix, whatever the format, and no
 * peer checks its input, so it is reported separately from the conversion. */
extern const bench_competitor bench_check;

#endif
