/* tuned.h -- tuned files: a matrix as CSR, with the choice of its plan as text (ADR 39).
 *
 *     header   192 bytes: types, sizes, and where the sections are
 *     comment  text
 *     plan     text (api/plan_record.h)
 *     row_ptr  rows + 1 offsets
 *     col      nnz columns
 *     val      nnz values; none: all ones
 *
 * Sections are in this order. Each begins at the next multiple of 64 bytes, with zeros before it, and the file ends
 * where the last one ends. Numbers have the byte order of the machine that wrote them; a file of another is refused. */
#ifndef TULLE_IO_TUNED_H
#define TULLE_IO_TUNED_H

#include "core/env.h"
#include "core/mapping.h"
#include "csr/csr_matrix.h"
#include "io/source.h"

#define TULLE__TUNED_MAGIC "\x89tulle\r\n" /* a transfer as text or of 7 bits damages it */

enum {
	TULLE__TUNED_ENDIAN = 0x01020304,
	TULLE__TUNED_VERSION = 1,
	TULLE__TUNED_ALIGN = 64,
	TULLE__TUNED_TEXT = TULLE_CHOICE_BYTES - 1 /* bytes that a text has at most */
};

typedef enum {
	TULLE__TUNED_COMMENT,
	TULLE__TUNED_PLAN,
	TULLE__TUNED_ROW_PTR,
	TULLE__TUNED_COL,
	TULLE__TUNED_VAL,
	TULLE__TUNED_SECTIONS
} tulle__tuned_section;

typedef struct {
	char magic[8];
	uint32_t endian, version;
	uint64_t file_bytes;
	int64_t rows, cols, nnz;
	uint32_t value_type; /* as tulle_value_type */
	uint32_t offset_bytes, column_bytes;
	uint32_t sections;
	struct {
		uint32_t number; /* of the section, from 1 */
		uint32_t zero;
		uint64_t begin, bytes;
	} section[TULLE__TUNED_SECTIONS];
	uint64_t zero;
} tulle__tuned_header;

_Static_assert(sizeof(tulle__tuned_header) == 3 * TULLE__TUNED_ALIGN, "written as it is");

/* For messages: "header", "comment" ... */
const char *tulle__tuned_section_name(int section);

/* The header of a file with this matrix and texts of so many bytes. The arrays of `a` are not looked at, but for
 * whether there is one of values. */
tulle__tuned_header tulle__tuned_lay_out(const tulle__csr *a, size_t comment_bytes,
                                         size_t plan_bytes);

/* What the header says, with no arrays: `a` gets sizes and types. Fails unless it is, byte by byte, the one that
 * tulle__tuned_lay_out() makes, for a file of this size. `name` is safe to show. */
tulle_status tulle__tuned_check_header(const tulle__tuned_header *h, int64_t file_bytes,
                                       const char *name, tulle__csr *a);

/* The choice of a plan. */
typedef struct {
	size_t bytes;
	char at[TULLE__TUNED_TEXT + 16]; /* a newline after the text, and zeros */
} tulle__choice_text;

/* A tuned file in memory. */
typedef struct {
	char name[TULLE__NAME_BYTES]; /* of the file, safe to show */
	int64_t bytes;                /* of the file */
	tulle__csr a;                 /* no arrays in a look */
	tulle__csr owned;             /* those of its arrays that are to be freed ... */
	tulle__mapping mapping;       /* ... and where the others are */
	int has_values;               /* 0: all ones */
	tulle__choice_text plan;      /* 0 bytes: no plan */
	char comment[1024];           /* its first lines, safe to show, as much as fits */
} tulle__tuned;

/* Does the file begin as a tuned file? 0 also where it cannot be read. */
int tulle__tuned_is(const char *path);

typedef struct {
	tulle_value_type value_type; /* 0: as in the file; with real_part, that of a part */
	int real_part;               /* 1: a real type takes the real parts of complex values */
	void (*progress)(void *user, double fraction);
	void *user;
	int map; /* use the arrays where they are in the file */
} tulle__tuned_options;

/* Every size is compared with the length of the file before memory is allocated, and every offset and column is
 * checked. Fails with "file: section: what". */
tulle_status tulle__tuned_read(tulle__env *env, const char *path,
                               const tulle__tuned_options *options, tulle__tuned *out);

/* Rows first .. end-1 alone, with offsets from 0 on. The rest of row_ptr, col and val is not read. */
tulle_status tulle__tuned_read_rows(tulle__env *env, const char *path,
                                    const tulle__tuned_options *options, int64_t first, int64_t end,
                                    tulle__tuned *out);

/* Free the arrays; for files whose arrays were not taken over. */
void tulle__tuned_release(tulle__env *env, tulle__tuned *file);

/* Header and texts alone. */
tulle_status tulle__tuned_look(tulle__env *env, const char *path, tulle__tuned *out);

/* In the narrowest types. The file appears under its name when it is complete and on the disk. `plan` may be "". */
tulle_status tulle__tuned_write(const tulle__csr *a, const char *plan,
                                const tulle_write_options *how, const char *path);

#endif
