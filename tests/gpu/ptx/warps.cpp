// A warp whose lanes execute in lockstep, with a stack for divergence.
//
// Lanes that diverge at a branch reconverge at its immediate post-dominator: one side runs up to there, then the other.
// Hardware before Volta has this stack; for later hardware the compiler places reconvergence points there.
#include "ptx/warps.h"
#include "ptx/recorder.h"

namespace
{
using namespace ptx;

// Instructions that may follow instruction n. code.size() stands for the end.
std::vector<int> successors(const Function &function, int n)
{
	const Instruction &self = function.code[static_cast<std::size_t>(n)];
	const bool leaves = self.leaves && self.guard == NOWHERE;
	const bool jumps = self.target != NOWHERE && self.guard == NOWHERE;
	std::vector<int> next;

	if (self.leaves)
		next.push_back(static_cast<int>(function.code.size()));
	if (self.target != NOWHERE)
		next.push_back(self.target);
	if (!leaves && !jumps)
		next.push_back(n + 1);
	return next;
}

// The nearest common post-dominator of a and b, whose chains of parents both lead to the end.
int meet(const std::vector<int> &parent, const std::vector<int> &order, int a, int b)
{
	while (a != b)
		if (order[static_cast<std::size_t>(a)] > order[static_cast<std::size_t>(b)])
			a = parent[static_cast<std::size_t>(a)];
		else
			b = parent[static_cast<std::size_t>(b)];
	return a;
}

// Reverse postorder of a depth-first search from the end, along reversed edges.
std::vector<int> backward_order(const std::vector<std::vector<int>> &predecessors)
{
	const int end = static_cast<int>(predecessors.size()) - 1;
	std::vector<char> seen(predecessors.size());
	std::vector<std::pair<int, std::size_t>> way = { { end, 0 } };
	std::vector<int> finished;

	seen[static_cast<std::size_t>(end)] = 1;
	while (!way.empty()) {
		const int n = way.back().first;
		const std::vector<int> &from = predecessors[static_cast<std::size_t>(n)];

		if (way.back().second == from.size()) {
			finished.push_back(n);
			way.pop_back();
		} else if (const int p = from[way.back().second++]; !seen[static_cast<std::size_t>(p)]) {
			seen[static_cast<std::size_t>(p)] = 1;
			way.emplace_back(p, 0);
		}
	}
	return { finished.rbegin(), finished.rend() };
}

enum : std::uint32_t { ALL_LANES = 0xffffffffu };
} // namespace

// Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed flow graph.
std::vector<int> ptx::post_dominators(const Function &function)
{
	const int end = static_cast<int>(function.code.size());
	std::vector<std::vector<int>> next, before(function.code.size() + 1);
	std::vector<int> parent(function.code.size() + 1, NOWHERE), order(function.code.size() + 1, 0);
	bool changed = true;

	for (int n = 0; n < end; n++) {
		next.push_back(successors(function, n));
		for (const int to : next.back())
			before[static_cast<std::size_t>(to)].push_back(n);
	}

	const std::vector<int> nodes = backward_order(before);

	for (std::size_t at = 0; at < nodes.size(); at++)
		order[static_cast<std::size_t>(nodes[at])] = static_cast<int>(at);
	parent[static_cast<std::size_t>(end)] = end;
	while (changed) {
		changed = false;
		for (const int n : nodes) {
			int found = n == end ? end : NOWHERE;

			for (const int to : n == end ? std::vector<int>() : next[static_cast<std::size_t>(n)])
				if (parent[static_cast<std::size_t>(to)] != NOWHERE)
					found = found == NOWHERE ? to : meet(parent, order, found, to);
			changed |= found != parent[static_cast<std::size_t>(n)];
			parent[static_cast<std::size_t>(n)] = found;
		}
	}
	return parent;
}

ptx::Warp::Warp(const Function &function, const std::vector<int> &meets, int number, Thread *lanes)
    : function_(&function), meets_(&meets), lanes_(lanes), number_(number)
{
	paths_.push_back({ 0, static_cast<int>(function.code.size()), ALL_LANES });
}

// The lanes of the path execute one instruction. Returns those that branch.
std::uint32_t ptx::Warp::issue(const Path &path)
{
	const Instruction &self = function_->code[static_cast<std::size_t>(path.next)];
	std::uint32_t branched = 0;
	int active = 0;

	for (int l = 0; l < WIDTH; l++) {
		Thread &thread = lanes_[l];

		if ((path.lanes >> l & 1) == 0)
			continue;
		thread.next = path.next + 1;
		standin::place.thread = thread.number;
		if (self.guard == NOWHERE || (thread.registers[self.guard] != 0) != self.guard_not) {
			self.step(thread, self);
			active++;
		}
		if (self.target != NOWHERE && thread.next == self.target)
			branched |= 1u << l;
	}
	// All lanes take part in a branch, taken or not.
	record_issue(number_, self, self.target != NOWHERE ? __builtin_popcount(path.lanes) : active);
	return branched;
}

// After a branch that only some lanes take: one path per side, both up to the post-dominator.
void ptx::Warp::part(int fall_through, int target, std::uint32_t branched)
{
	Path &path = paths_.back();
	const int meet = (*meets_)[static_cast<std::size_t>(fall_through - 1)];
	const std::uint32_t stay = path.lanes & ~branched;
	const int outer = path.meet;

	path.next = meet;
	if (meet == outer && paths_.size() > 1)
		paths_.pop_back(); // the path below already waits there
	if (target != meet)
		paths_.push_back({ target, meet, branched });
	if (fall_through != meet)
		paths_.push_back({ fall_through, meet, stay });
}

void ptx::Warp::forget_gone()
{
	std::uint32_t gone = 0;

	for (int l = 0; l < WIDTH; l++)
		if (lanes_[l].state == GONE)
			gone |= 1u << l;
	for (Path &path : paths_)
		path.lanes &= ~gone;
}

bool ptx::Warp::waits() const
{
	return !paths_.empty() && paths_.back().lanes != 0 &&
	       lanes_[__builtin_ctz(paths_.back().lanes)].state != READY;
}

void ptx::Warp::run()
{
	if (waits())
		return; // those it waits for have not come: only another warp was let go on

	while (!paths_.empty()) {
		Path &path = paths_.back();

		if (path.lanes == 0 || path.next == path.meet) {
			for (int l = 0; l < WIDTH && paths_.size() == 1; l++)
				if (path.lanes >> l & 1)
					lanes_[l].state = GONE; // as by ret
			paths_.pop_back();
			continue;
		}

		const Instruction &self = function_->code[static_cast<std::size_t>(path.next)];
		const std::uint32_t all = path.lanes, branched = issue(path);
		const int fall_through = path.next + 1;
		const Thread &first = lanes_[__builtin_ctz(all)];

		if (branched == 0)
			path.next = fall_through;
		else if (branched == all)
			path.next = self.target;
		else
			part(fall_through, self.target, branched);
		if (self.leaves)
			forget_gone();
		else if (first.state != READY)
			return; // at a shuffle or barrier
	}
}
