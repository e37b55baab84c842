/* pages.h -- the manual pages inside the program. */
#ifndef CLI_PAGES_H
#define CLI_PAGES_H

#include "cli.h"

typedef struct {
	const char *name, *text; /* "tulle-info"; the page as docs/man has it */
} cli_page;

extern const cli_page CLI_PAGES[]; /* ends with a NULL name */

#endif
