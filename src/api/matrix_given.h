/* matrix_given.h -- checks of the caller's arrays that all sources have in common. */
#ifndef TULLE_API_MATRIX_GIVEN_H
#define TULLE_API_MATRIX_GIVEN_H

#include "api/handles.h"

/* Everything the sources have in common. */
typedef struct {
	tulle_context *context;
	int64_t rows, cols;
	tulle_value_type value_type;
	const void *val;
	tulle_matrix_options options;
	tulle_compact compact; /* what triplets leave out */
} tulle__given;

/* An array of offsets or indices. */
tulle_status tulle__check_index_array(const char *name, tulle_index_type type, const void *array,
                                      int may_be_null);

/* `name` is the number of elements of an array. */
tulle_status tulle__check_count(const char *name, int64_t count);

/* Context, options, sizes and values; *out becomes NULL. */
tulle_status tulle__check_given(tulle__given *s, tulle_context *context,
                                const tulle_matrix_options *options, tulle_matrix **out);

/* The last offset is always read; options.check determines what else is checked. */
tulle_status tulle__check_compressed(const tulle__given *s, int64_t majors, int64_t minors,
                                     tulle_index_type offset_type, const void *ptr,
                                     tulle_index_type index_type, const void *index,
                                     const tulle__csr_words *words, int64_t *nnz);

/* A matrix from CSR that is checked (matrix_from.c). */
tulle_status tulle__matrix_from_checked(const tulle__given *s, const tulle__csr *a,
                                        tulle_matrix **out);

#endif
