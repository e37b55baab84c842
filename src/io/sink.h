/* sink.h -- a file being written: under another name until it is whole. */
#ifndef TULLE_IO_SINK_H
#define TULLE_IO_SINK_H

#include "core/env.h"
#include "io/source.h"

typedef struct {
	int fd;
	const char *path;
	char *temporary; /* beside the file, so that rename() stays in one file system */
	tulle__env *env;
	char name[TULLE__NAME_BYTES]; /* safe to show */
} tulle__sink;

/* Refuses to replace anything but a regular file or a link. */
tulle_status tulle__sink_open(tulle__env *env, const char *path, tulle__sink *s);
tulle_status tulle__sink_write(tulle__sink *s, const void *from, size_t bytes);

/* Give the file its name (status TULLE_OK), or remove it and hand `status` back. */
tulle_status tulle__sink_close(tulle__sink *s, tulle_status status);

#endif
