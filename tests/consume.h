/* consume.h -- the part of test_consume that measures memory. */
#ifndef TESTS_CONSUME_H
#define TESTS_CONSUME_H

/* Planning needs little more memory than the matrix if that is consumed. */
void check_peak(void);

/* What a process does that check_peak() starts; its exit code. */
int consume_child(const char *how, const char *path);

#endif
