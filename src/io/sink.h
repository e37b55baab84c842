/* sink.h -- a file being written: a new file, with the library's sentences for what goes wrong. */
#ifndef TULLE_IO_SINK_H
#define TULLE_IO_SINK_H

#include "core/env.h"
#include "core/new_file.h"
#include "io/source.h"

typedef struct {
	tulle__new_file file;
	char name[TULLE__NAME_BYTES]; /* safe to show */
} tulle__sink;

/* Refuses to replace anything but a regular file or a link. */
tulle_status tulle__sink_open(const char *path, tulle__sink *s);
tulle_status tulle__sink_write(tulle__sink *s, const void *from, size_t bytes);

/* Give the file its name when it is on the disk (status TULLE_OK), or remove it and hand `status` back. */
tulle_status tulle__sink_close(tulle__sink *s, tulle_status status);

#endif
