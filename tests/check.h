/* check.h -- counted assertions: what is wrong, where, with which values.
 *
 * Not cmocka: its assertions leave the test by longjmp, which leaks what the test holds, cannot be
 * called from a second thread or a forked child, and stop at the first of a million rows. These
 * count, go on, print the first few failures, and may be called from any thread. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include "tulle.h"

#include <stdint.h>

/* True when `ok`; otherwise counts and prints a failure. */
int check_at(const char *file, int line, int ok, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int check_equal_at(const char *file, int line, const char *what, int64_t got, int64_t want);
int check_status_at(const char *file, int line, const char *call, tulle_status got,
                    tulle_status want);
int check_words_at(const char *file, int line, const char *text, const char *words);

#define CHECK(condition) check_at(__FILE__, __LINE__, !!(condition), "%s", #condition)
#define CHECK_THAT(condition, ...) check_at(__FILE__, __LINE__, !!(condition), __VA_ARGS__)
#define CHECK_EQUAL(got, want) \
	check_equal_at(__FILE__, __LINE__, #got, (int64_t)(got), (int64_t)(want))
#define CHECK_STATUS(call, want) check_status_at(__FILE__, __LINE__, #call, call, want)
#define CHECK_OK(call) CHECK_STATUS(call, TULLE_OK)

/* Every blank-separated word of `words` stands in `text`. */
#define CHECK_WORDS(text, words) check_words_at(__FILE__, __LINE__, text, words)

/* What the running checks are about; printed with a failure. Per thread. */
void check_about(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print one line for the checks since the last group ended. */
void check_group(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print the counts; the exit code of the test: 0 only if something was checked and all held. */
int check_end(void);

long check_failures(void);

/* Exit code that ctest shows as "skipped". */
enum { CHECK_SKIP = 77 };

#endif
