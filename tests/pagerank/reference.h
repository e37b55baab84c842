/* reference.h -- ranks as the formula of tulle_pagerank.h reads, slowly, in long double. */
#ifndef TESTS_PAGERANK_REFERENCE_H
#define TESTS_PAGERANK_REFERENCE_H

#include "tulle_pagerank.h"

/* Ranks, nearer than 1e-17 to the true ones but for rounding of long double. teleport NULL: uniform.
 * free() them. */
long double *reference_ranks(const tulle_csr_view *links, const double *teleport, double d);

/* The L1 distance of ranks to the reference. */
double reference_distance(const long double *reference, const double *ranks, int64_t nodes);

/* How far ranks of this residual may be from the true ones.
 *
 * d/(1-d) residual is proven by contraction. An iteration's rounding errors, relative to ranks that
 * add up to 1: a node's sum of n links gamma_n, its terms and what is done with the sum less than ten
 * roundings, the dangling rank and the residual itself 512/8 + 8 and a few. They too are damped by d in
 * each later iteration, so that all of them together are at most 1/(1-d) of one iteration's. */
double reference_bound(const tulle_csr_view *links, double d, double residual);

#endif
