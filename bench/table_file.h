/* table_file.h -- the results as lines of fields, beside JSON. */
#ifndef BENCH_TABLE_FILE_H
#define BENCH_TABLE_FILE_H

#include "results.h"

/* -1 when it cannot be written, which is reported on stderr. */
int bench_write_table(const char *path, const bench_results *results);

#endif
