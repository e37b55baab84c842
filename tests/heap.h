/* heap.h -- an allocator for contexts that fails when it is told to, and counts what is out. */
#ifndef TESTS_HEAP_H
#define TESTS_HEAP_H

#include <stdatomic.h>
#include <stddef.h>

extern struct heap {
	atomic_long asked, live_blocks, live_bytes;
	atomic_long most_bytes; /* that were live at once; set it to live_bytes to count anew */
	long fail_at;           /* 1: the first; 0: never */
	int for_ever;
} heap;

/* For tulle_context_options, with `user` the address of `heap`. */
void *heap_alloc(void *user, size_t bytes, size_t align);
void heap_free(void *user, void *block, size_t bytes);

#endif
