/* tuned_file.h -- tuned files, for the calls that read and write any file. */
#ifndef TULLE_API_TUNED_FILE_H
#define TULLE_API_TUNED_FILE_H

#include "api/handles.h"
#include "io/io.h"
#include "io/tuned.h"

/* What a read requests; value_type stays 0 if it is not given. */
tulle_status tulle__check_read(tulle_context *context, const char *path,
                               const tulle_read_options *given, tulle_context **c,
                               tulle__file_options *o);

/* The matrix of a tuned file, without its plan; and what the file declares. */
tulle_status tulle__matrix_read_tuned(tulle_context *context, const char *path,
                                      const tulle__file_options *o, tulle_matrix **out);
tulle_status tulle__describe_tuned(tulle_context *context, const char *path, tulle_file_info *info);

#endif
