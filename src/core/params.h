/* params.h -- a format's tunables: the text after the colon of "csr:kernel=vector".
 *
 * A format declares them in one string, `name=choice` separated by blanks, where a choice is a list
 * of words ("auto,scalar,vector", the first is the default) or a range of whole numbers with its
 * default, which words may follow ("1..4096:1024", "0..128:0,paper"). A request is checked against that string before the format sees it. */
#ifndef TULLE_CORE_PARAMS_H
#define TULLE_CORE_PARAMS_H

#include "tulle.h"

enum { TULLE__MAX_PARAMS = 8 };

typedef struct {
	/* number of the word in its list, or the number itself; words after a range follow its end */
	int64_t value[TULLE__MAX_PARAMS];
} tulle__params;

/* Read `text` ("kernel=vector,sigma=16"; NULL or "" for all defaults) against `tunables`.
 * On TULLE_E_ARGUMENT the message names the invalid word and the valid choices. */
tulle_status tulle__params_parse(const char *tunables, const char *text, tulle__params *out);

#endif
