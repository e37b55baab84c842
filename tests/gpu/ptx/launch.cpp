// Blocks one after another; of a block, each thread runs until it meets others or ends.
//
// While instructions are counted, warps run instead of threads.
#include "ptx/recorder.h"
#include "ptx/warps.h"

namespace
{
using namespace ptx;

std::vector<Thread> threads;
std::vector<std::uint64_t> registers; // of all threads of a block
std::vector<Warp> warps;              // of a block; none unless instructions are counted

void run_thread(const Function &function, Thread &thread)
{
	standin::place.thread = thread.number;
	while (thread.state == READY) {
		const Instruction &self = function.code[static_cast<std::size_t>(thread.next++)];

		if (self.guard == NOWHERE || (thread.registers[self.guard] != 0) != self.guard_not)
			self.step(thread, self);
		if (thread.state == READY && thread.next >= static_cast<int>(function.code.size()))
			thread.state = GONE; // as by ret
	}
}

const Instruction &waits_at(const Function &function, const Thread &thread)
{
	return function.code[static_cast<std::size_t>(thread.next - 1)];
}

// All of these threads wait in `state`, at the same instruction; a fault if some never will.
bool all_met(const Function &function, std::size_t first, std::size_t count, State state)
{
	const Thread *one = nullptr;

	for (std::size_t t = first; t < first + count; t++)
		if (threads[t].state == state)
			one = &threads[t];
	if (!one)
		return false;
	for (std::size_t t = first; t < first + count; t++) {
		const Thread &other = threads[t];

		standin::place.thread = other.number;
		if (other.state == GONE)
			standin::fault("left the kernel, and thread %d waits for it: %s", one->number,
			               waits_at(function, *one).text.c_str());
		if (other.state != state)
			return false;
		if (other.next != one->next)
			standin::fault("waits at another place than thread %d: %s; %s", one->number,
			               waits_at(function, other).text.c_str(),
			               waits_at(function, *one).text.c_str());
	}
	return true;
}

// shfl.sync.idx.b32 to|in_range, value, from, clamp, mask. `bar.warp.sync mask` exchanges nothing.
void exchange(const Function &function, std::size_t first)
{
	const Instruction &self = waits_at(function, threads[first]);
	std::uint32_t values[WIDTH] = {};
	const bool moves = self.source.size() == 4;

	for (std::size_t l = 0; l < WIDTH; l++) {
		Thread &thread = threads[first + l];

		standin::place.thread = thread.number;
		if (get<std::uint32_t>(thread, self, self.source.size() - 1) != 0xffffffffu)
			standin::fault("the mask is not of the whole warp: %s", self.text.c_str());
		if (moves && get<std::uint32_t>(thread, self, 2) != WIDTH - 1)
			standin::fault("a shuffle that is not of the whole warp: %s", self.text.c_str());
		if (moves)
			values[l] = get<std::uint32_t>(thread, self, 0);
	}
	if (!moves)
		pass_warp_barrier(static_cast<int>(first / WIDTH));
	for (std::size_t l = 0; l < WIDTH; l++) {
		Thread &thread = threads[first + l];

		if (moves) {
			put<std::uint32_t>(thread, self, values[get<std::uint32_t>(thread, self, 1) % WIDTH],
			                   0);
			put<std::uint64_t>(thread, self, 1, 1);
		}
		thread.state = READY;
	}
}

// Lets go on who has met; false: nobody.
bool release_some(const Function &function)
{
	bool some = false;

	for (std::size_t first = 0; first < threads.size(); first += WIDTH)
		if (all_met(function, first, WIDTH, AT_SHUFFLE)) {
			exchange(function, first);
			some = true;
		}
	if (!some && all_met(function, 0, threads.size(), AT_BARRIER)) {
		pass_barrier();
		for (Thread &thread : threads)
			thread.state = READY;
		some = true;
	}
	return some;
}

void begin_warps(const Function &function, const std::vector<int> &meets)
{
	warps.clear();
	for (std::size_t t = 0; t < threads.size(); t += WIDTH)
		warps.emplace_back(function, meets, static_cast<int>(t / WIDTH), &threads[t]);
	record_block();
}

void begin_threads(const Function &function, unsigned blocks, unsigned block)
{
	const std::size_t count = function.registers.size();

	for (std::size_t t = 0; t < threads.size(); t++) {
		std::uint64_t *const mine = &registers[t * count];

		std::memcpy(mine, function.registers.data(), count * sizeof *mine);
		mine[TID] = t;
		mine[NTID] = threads.size();
		mine[CTAID] = block;
		mine[NCTAID] = blocks;
		mine[LANEID] = t % WIDTH;
		threads[t] = { READY, 0, static_cast<int>(t), mine };
	}
}
} // namespace

void ptx::shuffle(Thread &thread, const Instruction &)
{
	thread.state = AT_SHUFFLE;
}

void ptx::barrier(Thread &thread, const Instruction &)
{
	thread.state = AT_BARRIER;
}

void standin::run(CUfunction called, unsigned blocks, unsigned block_threads, void **arguments)
{
	const Function &function = *static_cast<const Function *>(called);
	const std::vector<int> meets = counting ? post_dominators(function) : std::vector<int>();

	threads.resize(block_threads);
	registers.resize(block_threads * function.registers.size());
	begin_launch(function, arguments);
	if (counting)
		record_launch(function, blocks, block_threads, arguments);
	for (unsigned block = 0; block < blocks; block++) {
		place.block = block;
		begin_block(function);
		begin_threads(function, blocks, block);
		if (counting)
			begin_warps(function, meets);
		do {
			if (counting)
				for (Warp &warp : warps)
					warp.run();
			else
				for (Thread &thread : threads)
					run_thread(function, thread);
		} while (release_some(function));
		for (const Thread &thread : threads)
			if (thread.state != GONE) {
				place.thread = thread.number;
				fault("waits for threads that are elsewhere: %s",
				      waits_at(function, thread).text.c_str());
			}
	}
}
