/* tuned_reader.h -- what the readers of tuned files share: all of it, and single rows. */
#ifndef TULLE_IO_TUNED_READER_H
#define TULLE_IO_TUNED_READER_H

#include "io/tuned.h"

typedef struct {
	tulle__source source;
	tulle__tuned_header header; /* checked: sections are inside the file */
	const tulle__tuned_options *options;
	tulle__tuned *out;
} tulle__tuned_reader;

/* Open the file, check header and gaps, read the texts. The caller closes r->source in any case. */
tulle_status tulle__tuned_open(tulle__env *env, const char *path, tulle__tuned_reader *r);

/* Bytes from .. from + bytes - 1 of a section, which has them. */
tulle_status tulle__tuned_read_bytes(tulle__env *env, const tulle__tuned_reader *r, int section,
                                     int64_t from, int64_t bytes, void *to);

/* Elements first .. first + count - 1 of a section as a new array. */
tulle_status tulle__tuned_read_array(tulle__env *env, const tulle__tuned_reader *r, int section,
                                     int64_t first, int64_t count, size_t size, void **out);

/* An error of the system: "file: where: text". */
tulle_status tulle__tuned_fail_system(const tulle__tuned_reader *r, tulle_status s,
                                      const char *where, int error);

/* Put "file: section: " before the message. */
tulle_status tulle__tuned_fail_in(const tulle__tuned_reader *r, int section, tulle_status s);

/* Give the values the type that the options request, if they have another one. */
tulle_status tulle__tuned_change_type(tulle__env *env, const tulle__tuned_reader *r);

#endif
