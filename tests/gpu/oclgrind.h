/* oclgrind.h -- what a program does for oclgrind, which interprets kernels. */
#ifndef TESTS_GPU_OCLGRIND_H
#define TESTS_GPU_OCLGRIND_H

/* Before the device is opened. No buffer is freed any more: oclgrind 21.10 forgets what was written to one that
 * has the place of a freed one, and complains of reads that are right. */
void oclgrind_keep_buffers(void);

/* Write the name of each kernel that is launched from now on to this file. */
void oclgrind_list_launches(const char *file);

#endif
