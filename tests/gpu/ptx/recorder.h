/* recorder.h -- how the files that run warps report to the one that counts. */
#ifndef PTX_RECORDER_H
#define PTX_RECORDER_H

#include "ptx/program.h"

namespace ptx
{
/* Between ptx_counts_begin() and ptx_counts_end()? */
extern bool counting;

void record_launch(const Function &function, unsigned blocks, unsigned threads, void **arguments);
void record_block(); /* a block begins: no load is in flight */

/* A lane of the current instruction accesses these bytes. To be called before record_issue(). */
void record_access(int lane, std::uint64_t address, std::size_t bytes);

/* A warp of the block has issued an instruction; `lanes` of its lanes were active. */
void record_issue(int warp, const Instruction &self, int lanes);
} // namespace ptx

#endif
