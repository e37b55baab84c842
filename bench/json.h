/* json.h -- the results as one JSON object: "run" tells how they came about, "results" what, "summary"
 * who was the best, "refused" who would not. */
#ifndef BENCH_JSON_H
#define BENCH_JSON_H

#include "measure.h"

#include <stdio.h>

/* -1 with a sentence on stderr when the file cannot be written. */
int bench_write_json(const char *path, const bench_results *results,
                     const bench_contenders *contenders, const bench_effort *effort, int argc,
                     char **argv);

/* The last two members. */
void bench_json_best(FILE *out, const bench_results *results, const bench_contenders *contenders);

#endif
