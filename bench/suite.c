/* suite.c -- which matrices belong to which suite. */
#include "suite.h"

#include "classes.h"
#include "kit.h"
#include "tulle.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Small ones of every kind, for a first check after a change. */
static const char *const quick[] = {
	"gen:stencil5:n=300",
	"gen:stencil5:n=300,values=varying",
	"gen:stencil7:n=40",
	"gen:stencil9:n=200,values=varying",
	"gen:stencil27:n=24,values=varying",
	"gen:fem:n=16",
	"gen:fem:n=20,b=1,order=shuffled",
	"gen:qcd:l=6,t=6",
	"gen:banded:rows=20000,width=12,fill=0.6",
	"gen:dense:rows=600,cols=600",
	"gen:random:rows=50000,cols=50000,mean=6",
	"gen:rmat:scale=15",
	"gen:rmat:scale=15,order=shuffled",
	"gen:lp:rows=100,cols=100000,mean=4000",
	"gen:circuit:rows=60000",
	"gen:empty:rows=200000,cols=50000",
	NULL,
};

/* From one that fits in a core's L2 to more than a GB of arrays. */
static const char *const sizes[] = {
	"gen:stencil5:n=170,values=varying",
	"gen:stencil5:n=600,values=varying",
	"gen:stencil5:n=2000,values=varying",
	"gen:stencil5:n=4600,values=varying",
	"gen:stencil27:n=18,values=varying",
	"gen:stencil27:n=60,values=varying",
	"gen:stencil27:n=150,values=varying",
	"gen:fem:n=9",
	"gen:fem:n=20",
	"gen:fem:n=45",
	"gen:fem:n=45,order=shuffled",
	"gen:qcd:l=4,t=4",
	"gen:qcd:l=12,t=16",
	"gen:random:rows=20000,cols=20000,mean=6",
	"gen:random:rows=300000,cols=300000,mean=6",
	"gen:random:rows=4000000,cols=4000000,mean=6",
	"gen:rmat:scale=13",
	"gen:rmat:scale=17",
	"gen:rmat:scale=20",
	"gen:rmat:scale=20,order=shuffled",
	"gen:lp:rows=100,cols=200000,mean=50000",
	"gen:circuit:rows=1000000",
	"gen:empty:rows=3000000,cols=1000000",
	NULL,
};

bench_item *bench_suite_add(bench_suite *suite, const char *name)
{
	for (int n = 0; n < suite->count; n++)
		if (!strcmp(suite->item[n].name, name))
			return &suite->item[n];
	bench_item *grown = realloc(suite->item, ((size_t)suite->count + 1) * sizeof *grown);
	char *copy = strdup(name);
	if (grown)
		suite->item = grown;
	if (!grown || !copy) {
		free(copy);
		fprintf(stderr, "out of memory\n");
		return NULL;
	}
	bench_item *added = &suite->item[suite->count++];
	*added = (bench_item){ .name = copy, .min_nnz = suite->min_nnz, .max_nnz = suite->max_nnz };
	return added;
}

void bench_suite_limit(bench_suite *suite, int64_t most)
{
	for (int n = 0; n < suite->count; n++)
		if (suite->item[n].max_nnz > most)
			suite->item[n].max_nnz = most;
}

void bench_suite_free(bench_suite *suite)
{
	for (int n = 0; n < suite->count; n++)
		free(suite->item[n].name);
	free(suite->item);
	memset(suite, 0, sizeof *suite);
}

static int add_list(bench_suite *suite, const char *const *list)
{
	for (; *list; list++)
		if (!bench_suite_add(suite, *list))
			return -1;
	return 0;
}

static int open_quick(bench_suite *suite)
{
	return add_list(suite, quick);
}

/* Symmetric matrices also as the half that the CSR2 paper counts and ran. */
static int add_published(bench_suite *suite, const kit_published *p)
{
	char whole[96], half[96];
	snprintf(whole, sizeof whole, "like:%s", p->name);
	snprintf(half, sizeof half, "like:%s:half", p->name);
	return !bench_suite_add(suite, whole) || (p->half_nnz > 0 && !bench_suite_add(suite, half));
}

static int open_papers(bench_suite *suite)
{
	const kit_published *p;
	for (int n = 0; (p = kit_published_at(n)); n++)
		if (add_published(suite, p))
			return -1;
	return add_list(suite, sizes);
}

static int is_matrix(const struct dirent *entry)
{
	return strstr(entry->d_name, ".mtx") != NULL;
}

/* The header of a file may count the entries of one triangle only, so the matrix has up to twice as
 * many. A file that cannot be read is kept in the list and reported later. */
static int file_may_belong(const bench_item *item)
{
	tulle_file_info info = { .size = sizeof info };
	if (tulle_file_describe(item->name, &info))
		return 1;
	int64_t most = info.kind == TULLE_GENERAL ? info.entries : 2 * info.entries;
	return most >= item->min_nnz && info.entries <= item->max_nnz;
}

int bench_may_belong(const bench_item *item)
{
	const kit_published *p;
	if (!strncmp(item->name, "gen:", 4))
		return 1;
	if (strncmp(item->name, "like:", 5))
		return file_may_belong(item);
	for (int n = 0; (p = kit_published_at(n)); n++)
		if (!strcmp(p->name, item->name + 5))
			return p->nnz >= item->min_nnz && p->nnz <= item->max_nnz;
	return 1;
}

static int open_files(bench_suite *suite)
{
	const char *folder = getenv("TULLE_MATRICES");
	struct dirent **entries;
	if (!folder) {
		fprintf(stderr, "TULLE_MATRICES is not set: it names the folder of .mtx files\n");
		return -1;
	}
	int count = scandir(folder, &entries, is_matrix, alphasort), status = 0;
	if (count <= 0) {
		fprintf(stderr, "no .mtx files in TULLE_MATRICES = %s\n", folder);
		return -1;
	}
	for (int n = 0; n < count; n++) {
		char path[4096];
		snprintf(path, sizeof path, "%s/%s", folder, entries[n]->d_name);
		if (!status && bench_may_belong(&(bench_item){
		                   .name = path, .min_nnz = suite->min_nnz, .max_nnz = suite->max_nnz }))
			status = bench_suite_add(suite, path) ? 0 : -1;
		free(entries[n]);
	}
	free(entries);
	return status;
}

static int open_classes(bench_suite *suite)
{
	return bench_classes_open(NULL, suite);
}

static int open_real(bench_suite *suite)
{
	suite->min_nnz = BENCH_TINY_BELOW;
	return open_files(suite);
}

static int open_tiny(bench_suite *suite)
{
	suite->max_nnz = BENCH_TINY_BELOW - 1;
	return open_files(suite);
}

static const struct {
	const char *name, *about;
	int (*open)(bench_suite *suite);
} suites[] = {
	{ "quick", "small generated matrices of every kind", open_quick },
	{ "papers", "stand-ins for the published matrices; generated ones from L2-sized to > 1 GB",
	  open_papers },
	{ "classes", "kinds of matrices that are limited alike", open_classes },
	{ "real", "the files in $TULLE_MATRICES with at least 84000 nonzeros", open_real },
	{ "tiny", "the other files in $TULLE_MATRICES", open_tiny },
};

enum { SUITES = sizeof suites / sizeof *suites };

const char *bench_suite_name_at(int n, const char **about)
{
	if (n >= SUITES)
		return NULL;
	*about = suites[n].about;
	return suites[n].name;
}

static int is_named(const char *word, const char *name, size_t length)
{
	return strlen(word) == length && !strncmp(word, name, length);
}

/* Adds the suite or class of this name to the list. */
static int join(const char *name, size_t length, bench_suite *to)
{
	const bench_class *class;
	to->min_nnz = 1;
	to->max_nnz = INT64_MAX;
	for (int n = 0; n < SUITES; n++)
		if (is_named(suites[n].name, name, length))
			return suites[n].open(to);
	for (int n = 0; (class = bench_class_at(n)); n++)
		if (is_named(class->name, name, length))
			return bench_classes_open(class, to);
	fprintf(stderr, "no suite %.*s; there are", (int)length, name);
	for (int n = 0; n < SUITES; n++)
		fprintf(stderr, " %s", suites[n].name);
	fprintf(stderr, ", and each class\n");
	return -1;
}

int bench_suite_open(const char *name, bench_suite *out)
{
	*out = (bench_suite){ 0 };
	for (;;) {
		size_t length = strcspn(name, ",");
		if (join(name, length, out))
			return -1;
		if (!name[length])
			return 0;
		name += length + 1;
	}
}

int bench_suite_choose(const char *name, char **items, int count, bench_suite *out)
{
	if (count == 0)
		return bench_suite_open(name ? name : "quick", out);
	*out = (bench_suite){ .min_nnz = 1, .max_nnz = INT64_MAX };
	for (int n = 0; n < count; n++)
		if (!bench_suite_add(out, items[n]))
			return -1;
	return 0;
}
