/* warps.h -- a warp whose lanes execute in lockstep. */
#ifndef PTX_WARPS_H
#define PTX_WARPS_H

#include "ptx/program.h"

namespace ptx
{
/* The immediate post-dominator of each instruction; code.size() stands for the end of the kernel. */
std::vector<int> post_dominators(const Function &function);

class Warp
{
	struct Path { /* these lanes continue at `next` until they reach `meet` */
		int next, meet;
		std::uint32_t lanes;
	};

	const Function *function_;
	const std::vector<int> *meets_;
	Thread *lanes_;
	int number_;
	std::vector<Path> paths_; /* the last one runs */

	std::uint32_t issue(const Path &path);
	void part(int fall_through, int target, std::uint32_t branched);
	void forget_gone();
	bool waits() const;

  public:
	/* `lanes`: the first of its WIDTH threads. `meets`: post_dominators(). */
	Warp(const Function &function, const std::vector<int> &meets, int number, Thread *lanes);

	/* Runs until the lanes wait for other threads or have exited. */
	void run();
};
} // namespace ptx

#endif
