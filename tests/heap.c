/* heap.c -- blocks full of rubbish, and now and then none. */
#include "heap.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

struct heap heap;

void *heap_alloc(void *user, size_t bytes, size_t align)
{
	const long turn = atomic_fetch_add(&heap.asked, 1) + 1;
	void *block = NULL;
	long live, most;

	CHECK(user == &heap);
	CHECK(align > 0 && align <= 64 && (align & (align - 1)) == 0);
	if (heap.fail_at > 0 && (turn == heap.fail_at || (heap.for_ever && turn > heap.fail_at)))
		return NULL;
	if (posix_memalign(&block, align < sizeof(void *) ? sizeof(void *) : align, bytes) != 0)
		return NULL;
	memset(block, 0xa5, bytes); /* nobody may count on zeros */
	atomic_fetch_add(&heap.live_blocks, 1);
	live = atomic_fetch_add(&heap.live_bytes, (long)bytes) + (long)bytes;
	most = atomic_load(&heap.most_bytes);
	while (live > most && !atomic_compare_exchange_weak(&heap.most_bytes, &most, live))
		;
	return block;
}

void heap_free(void *user, void *block, size_t bytes)
{
	CHECK(user == &heap);
	CHECK(block != NULL);
	atomic_fetch_sub(&heap.live_blocks, 1);
	atomic_fetch_sub(&heap.live_bytes, (long)bytes);
	free(block);
}
