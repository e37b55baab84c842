/* replay.c -- run a fuzz target over the files of folders, without libFuzzer: what was once found
 * stays found. Usage: replay FOLDER... */
#include "fuzz.h"

#include <dirent.h>

/* Read whole into a block of exactly that size, so that a sanitizer sees the first byte past it. */
static int run_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	long size = -1;

	if (f && fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0)
		data = malloc((size_t)size + (size == 0));
	if (data && fread(data, 1, (size_t)size, f) == (size_t)size)
		LLVMFuzzerTestOneInput(data, (size_t)size);
	else
		size = -1;
	free(data);
	if (f)
		fclose(f);
	return size >= 0;
}

int main(int argc, char **argv)
{
	int files = 0, unread = 0;

	for (int n = 1; n < argc; n++) {
		DIR *const folder = opendir(argv[n]);
		const struct dirent *entry;

		while (folder && (entry = readdir(folder))) {
			char path[4096];

			if (entry->d_name[0] == '.')
				continue;
			snprintf(path, sizeof path, "%s/%s", argv[n], entry->d_name);
			files++;
			if (!run_file(path)) {
				printf("%s cannot be read\n", path);
				unread++;
			}
		}
		if (folder)
			closedir(folder);
	}
	printf("%d files\n", files);
	return files == 0 || unread > 0;
}
