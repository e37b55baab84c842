/* tuned_support.h -- tuned files of a test: made byte by byte, and compared with what was saved. */
#ifndef TESTS_TUNED_SUPPORT_H
#define TESTS_TUNED_SUPPORT_H

#include "../io/files.h"

#include "io/tuned.h"

/* A file with these arrays and texts, whatever they are; the header is the right one for their sizes. */
bytes image_of(const tulle__csr *a, const char *comment, const char *plan);

/* The text of a plan that can be loaded, by csr. */
extern const char *const good_plan;

/* 3 x 4 with 5 entries, values 1.5, 2.5 ... */
extern const int32_t small_row_ptr[4], small_col[5];
extern const double small_val[5];
tulle__csr small_csr(void);

/* Loading must fail with this status and these words, read and mapped, in a context without memory left over. */
void check_not_loaded(const char *path, tulle_status status, const char *words);

/* y = 1.5 A x - .5 y of both plans has the same bits. */
int same_products(const tulle_plan *p, const tulle_plan *q);

/* The same arrays, bit by bit, but for the width of indices. */
int same_matrix(const tulle_matrix *a, const tulle_matrix *b);

/* What a save of this file has left. It has the number of a process that is gone or failed: any user may remove it. */
void remove_parts(const char *path);

#endif
