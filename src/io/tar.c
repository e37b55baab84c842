/* tar.c -- find the matrix in a tar archive, such as the SuiteSparse collection ships: one folder
 * NAME with NAME.mtx and perhaps right-hand sides and coordinates beside it.
 *
 * A tar archive is a chain of 512-byte headers, each followed by its file padded to 512 bytes, so
 * reading one takes less code than loading a library for it would. */
#include "io/source.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 0, SIZE = 124, CHECKSUM = 148, TYPE = 156, MAGIC = 257, PREFIX = 345 };

int tulle__tar_begins(const char *block)
{
	return memcmp(block + MAGIC, "ustar", 5) == 0;
}

/* A number of a header: octal digits, or GNU's big-endian bytes when it is too large for those.
 * -1 if it is neither. */
static int64_t number(const char *field, int bytes)
{
	const unsigned char *p = (const unsigned char *)field;
	int64_t v = 0;
	int n = 0;

	if (p[0] == 0x80) {
		for (n = 1; n < bytes; n++) {
			if (v > INT64_MAX >> 8)
				return -1;
			v = v << 8 | p[n];
		}
		return v;
	}
	while (n < bytes && p[n] == ' ')
		n++;
	for (; n < bytes && p[n] >= '0' && p[n] <= '7'; n++)
		v = v * 8 + (p[n] - '0');
	return n == bytes || p[n] == '\0' || p[n] == ' ' ? v : -1;
}

/* The bytes of a header add up to a number in it, which counts as blanks itself. */
static int sound(const char *block)
{
	int64_t sum = 8 * ' ';

	for (int n = 0; n < TULLE__TAR_BLOCK; n++)
		sum += n >= CHECKSUM && n < CHECKSUM + 8 ? 0 : (unsigned char)block[n];
	return sum == number(block + CHECKSUM, 8);
}

static int64_t skip(tulle__source *s, int64_t bytes)
{
	char waste[1 << 14];
	int64_t done = 0;

	while (done < bytes) {
		const int64_t rest = bytes - done;
		const size_t got = tulle__source_read_raw(
		    s, waste, rest < (int64_t)sizeof waste ? (size_t)rest : sizeof waste);

		if (got == 0)
			break;
		done += (int64_t)got;
	}
	return done;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "NAME/NAME.mtx", or the NAME of the archive "…/NAME.tar.gz". */
static int is_the_matrix(const char *member, const char *archive)
{
	const char *const base = base_name(member), *const outer = base_name(archive);
	const size_t stem = strlen(base) - 4;
	const char *const folder = base - 1;

	if (strncmp(base, outer, stem) == 0 && (outer[stem] == '.' || outer[stem] == '\0'))
		return 1;
	return folder > member && (size_t)(folder - member) >= stem &&
	       strncmp(folder - stem, base, stem) == 0 &&
	       ((size_t)(folder - member) == stem || folder[-(ptrdiff_t)stem - 1] == '/');
}

typedef struct {
	int64_t at, bytes; /* where a member's text begins and how long it is */
	int count;         /* of members that could be the matrix */
} found;

/* Walk the headers. 1: the source stands before the text of the matrix itself. */
static int walk(tulle__source *s, const char *path, found *f)
{
	char block[TULLE__TAR_BLOCK], name[260];
	int64_t at = 0;

	while (tulle__source_read_raw(s, block, sizeof block) == sizeof block && block[0] != '\0') {
		const int64_t bytes = number(block + SIZE, 12);
		const int64_t padding = -bytes & (TULLE__TAR_BLOCK - 1);
		size_t length;

		if (!sound(block) || bytes < 0 || bytes > INT64_MAX - at - 2 * TULLE__TAR_BLOCK) {
			tulle__source_problem(s, TULLE_E_MATRIX, "the archive has a damaged header");
			return 0;
		}
		at += TULLE__TAR_BLOCK;
		snprintf(name, sizeof name, "%.155s%s%.100s", block + PREFIX, block[PREFIX] ? "/" : "",
		         block + NAME);
		length = strlen(name);
		if ((block[TYPE] == '0' || block[TYPE] == '\0') && length > 4 &&
		    strcmp(name + length - 4, ".mtx") == 0) {
			if (f->count++ == 0) {
				f->at = at;
				f->bytes = bytes;
			}
			if (is_the_matrix(name, path)) {
				s->left = bytes;
				return 1;
			}
		}
		if (skip(s, bytes + padding) != bytes + padding)
			break;
		at += bytes + padding;
	}
	return 0;
}

void tulle__tar_enter(tulle__source *s, const char *path)
{
	found f = { 0 };

	s->tar = 1;
	if (walk(s, path, &f) || s->status != TULLE_OK)
		return;
	if (f.count == 0) {
		tulle__source_problem(s, TULLE_E_MATRIX, "no .mtx file in the archive");
	} else if (f.count > 1) {
		tulle__source_problem(s, TULLE_E_MATRIX,
		                      "several .mtx files in the archive, none named like its folder");
	} else {
		tulle__source_rewind(s);
		skip(s, f.at);
		s->left = f.bytes;
	}
}
