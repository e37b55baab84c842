/* judged.h -- a product compared with the oracle. */
#ifndef TESTS_JUDGED_H
#define TESTS_JUDGED_H

#include "kit.h"
#include "tulle.h"

/* Fails the test if a row of y is beyond its bound, and names the worst one. `what`: the call, for the message. */
kit_verdict judged(const kit_oracle *oracle, tulle_value_type type, const void *y,
                   const char *what);

#endif
