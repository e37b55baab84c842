/* collection.c -- every matrix of $TULLE_MATRICES reads with the size that its INDEX.tsv says.
 *
 * The folder is not part of the source tree; without the variable the test is skipped (77). */
#include "check.h"
#include "tulle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_matrix(const char *folder, const char *row)
{
	tulle_read_options how = { .size = sizeof how, .real_part = 1 };
	tulle_matrix_info info = { .size = sizeof info };
	tulle_file_info about = { .size = sizeof about };
	char file[200], field[40], symmetry[40], path[900];
	long long rows, cols, stored, expanded;
	tulle_matrix *a = NULL;
	tulle_status s;

	if (sscanf(row, "%199[^\t]\t%lld\t%lld\t%lld\t%lld\t%39[^\t]\t%39[^\t]", file, &rows, &cols,
	           &stored, &expanded, field, symmetry) != 7) {
		CHECK_THAT(0, "INDEX.tsv has a strange row: %s", row);
		return;
	}
	snprintf(path, sizeof path, "%s/%s", folder, file);
	s = tulle_file_describe(path, &about);
	CHECK_THAT(s == TULLE_OK, "%s", tulle_last_error());
	if (s != TULLE_OK)
		return;
	CHECK_THAT(strcmp(about.field, field) == 0, "%s: field %s, not %s", file, about.field, field);
	CHECK_THAT(strcmp(about.symmetry, symmetry) == 0, "%s: symmetry %s", file, about.symmetry);
	CHECK_THAT(about.entries == stored, "%s: %lld entries", file, (long long)about.entries);
	if (strcmp(field, "complex") == 0) {
		s = tulle_matrix_read(NULL, path, NULL, &a);
		CHECK_THAT(s == TULLE_E_UNSUPPORTED && strstr(tulle_last_error(), "complex"), "%s: %s",
		           file, tulle_status_name(s));
	}
	s = tulle_matrix_read(NULL, path, &how, &a);
	CHECK_THAT(s == TULLE_OK, "%s", tulle_last_error());
	if (s != TULLE_OK)
		return;
	tulle_matrix_describe(a, &info);
	CHECK_THAT(info.rows == rows && info.cols == cols, "%s: %lld x %lld", file,
	           (long long)info.rows, (long long)info.cols);
	CHECK_THAT(info.stored_nnz == stored && info.nnz == expanded, "%s: %lld stored, %lld in all",
	           file, (long long)info.stored_nnz, (long long)info.nnz);
	tulle_matrix_destroy(a);
}

int main(void)
{
	const char *const folder = getenv("TULLE_MATRICES");
	char path[900], row[2000];
	int count = 0;
	FILE *f;

	if (!folder || !*folder) {
		printf("TULLE_MATRICES is not set: nothing to read\n");
		return CHECK_SKIP;
	}
	snprintf(path, sizeof path, "%s/INDEX.tsv", folder);
	f = fopen(path, "r");
	if (!f || !fgets(row, sizeof row, f)) {
		printf("%s cannot be read\n", path);
		return CHECK_SKIP;
	}
	for (; fgets(row, sizeof row, f); count++)
		check_matrix(folder, row);
	fclose(f);
	check_group("%d matrices", count);
	return check_end();
}
