/* json.h -- the results as one JSON object: "run" describes the run, "results" has one object per
 * contender and matrix, "refused" has contenders that rejected a matrix, with the reason. */
#ifndef BENCH_JSON_H
#define BENCH_JSON_H

#include "results.h"

/* -1 with a sentence on stderr when the file cannot be written. */
int bench_write_json(const char *path, const bench_results *results, const bench_protocol *protocol,
                     int argc, char **argv);

#endif
