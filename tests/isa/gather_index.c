/* gather_index.c -- does a gather take its indices from every register? A processor does. qemu before 9.0.3 reads ymm4 as "no index",
 * as the same bits mean for a general register (https://gitlab.com/qemu-project/qemu/-/issues/2474), and gathers element 0 only.
 *
 * One line per register; exit status 1 if one is wrong, 77 without AVX2. ./dev verify asks it which gathers an emulator can test. */
#include <stdio.h>

static const double x[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
static const int index[4] = { 1, 3, 5, 7 };

/* Registers of the index, the mask and the result must differ. */
#define GATHER(at, mask, to)                                                                    \
	do {                                                                                        \
		double got[4];                                                                          \
                                                                                                \
		__asm__ volatile("vmovdqu %[index], %%xmm" #at "\n\t"                                   \
		                 "vpcmpeqd %%ymm" #mask ", %%ymm" #mask ", %%ymm" #mask "\n\t"          \
		                 "vxorpd %%ymm" #to ", %%ymm" #to ", %%ymm" #to "\n\t"                  \
		                 "vgatherdpd %%ymm" #mask ", (%[x], %%xmm" #at ", 8), %%ymm" #to "\n\t" \
		                 "vmovupd %%ymm" #to ", %[got]"                                         \
		                 : [got] "=m"(got)                                                      \
		                 : [x] "r"(x), [index] "m"(index)                                       \
		                 : "memory", "xmm" #at, "xmm" #mask, "xmm" #to);                        \
		wrong += report(#at, got);                                                              \
	} while (0)

static int report(const char *at, const double got[4])
{
	int wrong = 0;

	for (int k = 0; k < 4; k++)
		wrong |= got[k] != x[index[k]];
	printf("index in xmm%s: %g %g %g %g%s\n", at, got[0], got[1], got[2], got[3],
	       wrong ? ", not 1 3 5 7" : "");
	return wrong;
}

int main(void)
{
	int wrong = 0;

	if (!__builtin_cpu_supports("avx2"))
		return 77;
	GATHER(0, 1, 2);
	GATHER(1, 0, 2);
	GATHER(2, 0, 1);
	GATHER(3, 0, 1);
	GATHER(4, 0, 1);
	GATHER(5, 0, 1);
	GATHER(6, 0, 1);
	GATHER(7, 0, 1);
	GATHER(8, 0, 1);
	GATHER(9, 0, 1);
	GATHER(10, 0, 1);
	GATHER(11, 0, 1);
	GATHER(12, 0, 1);
	GATHER(13, 0, 1);
	GATHER(14, 0, 1);
	GATHER(15, 0, 1);
	return wrong > 0;
}
