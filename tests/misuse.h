/* misuse.h -- one case of misuse: a call that has to be refused with a sentence. */
#ifndef TESTS_MISUSE_H
#define TESTS_MISUSE_H

#include "support.h"

/* The context all cases use, so that a leak of any shows. */
extern tulle_context *misuse_shared;

/* `got` is the status wanted, and the sentence holds all the words. */
void misuse_refused(const char *file, int line, tulle_status got, tulle_status want,
                    const char *words);

#define REFUSED(call, want, words) misuse_refused(__FILE__, __LINE__, call, want, words)

/* misuse_matrix.c: the calls that make matrices and read them. */
void misuse_matrix(void);

#endif
