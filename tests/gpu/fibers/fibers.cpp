// The back end that runs the CUDA source: one block after another, one fiber a thread. A fiber runs until it
// meets others (a barrier, a shuffle) or ends.
//
// FIBERS_ORDER in the environment: 0 threads and blocks run in their order, 1 from the last to the
// first, 2, 3, ... in an order drawn anew for each block and each time they go on. Shared memory is
// filled with 0xff (NaN, -1) before each block.
#include "fibers/fibers.h"
#include "fibers/switch.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <random>

namespace fibers
{
Position threadIdx, blockIdx, blockDim, gridDim;
}

namespace
{
using namespace fibers;

enum State { READY, AT_SHUFFLE, AT_BARRIER, GONE };
enum : std::size_t { STACK = 64 << 10 };

struct Fiber {
	Context context;
	State state;
	const char *where;       // it waits
	unsigned meetings[GONE]; // of each kind it came to: the same number for all that meet
	std::uint64_t value;     // it brought to a shuffle
};

std::vector<Fiber> threads;
std::vector<char> stacks;
std::vector<std::uint64_t> brought; // values of the latest shuffle of each warp, by thread
Context scheduler;
const Kernel *running;
void **running_arguments;

std::map<std::string, Kernel> &kernels()
{
	static std::map<std::string, Kernel> all;

	return all;
}

void wait(State state, const char *where)
{
	const unsigned me = threadIdx.x;

	threads[me].state = state;
	threads[me].where = where;
	threads[me].meetings[state]++;
	go(&threads[me].context, &scheduler);
}

void begin()
{
	running->call(running->body, running_arguments);
	threads[threadIdx.x].state = GONE;
	go(&threads[threadIdx.x].context, &scheduler);
}

void resume(unsigned thread)
{
	threadIdx.x = thread;
	standin::place.thread = static_cast<int>(thread);
	go(&scheduler, &threads[thread].context);
}

// Threads first .. first + count - 1 wait in `state`: they must all do so at the same place. False: some are
// still ready.
bool all_met(unsigned first, unsigned count, State state)
{
	const Fiber *one = nullptr;

	for (unsigned t = first; t < first + count; t++)
		if (threads[t].state == state)
			one = &threads[t];
	if (!one)
		return false;
	for (unsigned t = first; t < first + count; t++) {
		const Fiber &other = threads[t];

		standin::place.thread = static_cast<int>(t);
		if (other.state == GONE)
			standin::fault("left the kernel, and thread %d waits for it at %s",
			               static_cast<int>(one - threads.data()), one->where);
		if (other.state != state)
			return false;
		if (std::strcmp(other.where, one->where) != 0 ||
		    other.meetings[state] != one->meetings[state])
			standin::fault("is at %s (meeting %u), while thread %d is at %s (meeting %u)",
			               other.where, other.meetings[state],
			               static_cast<int>(one - threads.data()), one->where,
			               one->meetings[state]);
	}
	return true;
}

void release(unsigned first, unsigned count)
{
	for (unsigned t = first; t < first + count; t++) {
		brought[t] = threads[t].value;
		threads[t].state = READY;
	}
}

// Lets go on who has met; false: nobody.
bool release_some()
{
	bool some = false;

	for (unsigned first = 0; first < blockDim.x; first += LANES)
		if (all_met(first, LANES, AT_SHUFFLE)) {
			release(first, LANES);
			some = true;
		}
	if (!some && all_met(0, blockDim.x, AT_BARRIER)) {
		release(0, blockDim.x);
		some = true;
	}
	return some;
}

class Order
{
	long long kind_;
	std::mt19937 random_;

  public:
	Order() : kind_(standin::setting("FIBERS_ORDER", 0)), random_(static_cast<unsigned>(kind_))
	{
	}

	void arrange(std::vector<unsigned> *numbers)
	{
		if (kind_ > 1)
			std::shuffle(numbers->begin(), numbers->end(), random_);
	}

	std::vector<unsigned> first(unsigned count)
	{
		std::vector<unsigned> numbers(count);

		std::iota(numbers.begin(), numbers.end(), 0);
		if (kind_ == 1)
			std::reverse(numbers.begin(), numbers.end());
		arrange(&numbers);
		return numbers;
	}
};

void run_block(Order *order, std::vector<unsigned> *sequence)
{
	if (running->shared_bytes > 0)
		std::memset(running->shared, 0xff, running->shared_bytes);
	for (unsigned t = 0; t < blockDim.x; t++) {
		threads[t] = {};
		prepare(&threads[t].context, stacks.data() + t * STACK, STACK, begin);
	}
	do {
		order->arrange(sequence);
		for (const unsigned t : *sequence)
			if (threads[t].state == READY)
				resume(t);
	} while (release_some());
	for (unsigned t = 0; t < blockDim.x; t++)
		if (threads[t].state != GONE) {
			standin::place.thread = static_cast<int>(t);
			standin::fault("waits at %s for threads that are elsewhere", threads[t].where);
		}
}

struct Module : CUmod_st {
	CUfunction find(const std::string &name) override
	{
		return named(name);
	}
};
} // namespace

void fibers::barrier(const char *where)
{
	wait(AT_BARRIER, where);
}

const std::uint64_t *fibers::exchange(std::uint64_t value, const char *where)
{
	threads[threadIdx.x].value = value;
	wait(AT_SHUFFLE, where);
	return &brought[threadIdx.x / LANES * LANES];
}

void fibers::add(const Kernel &kernel)
{
	if (!kernels().emplace(kernel.name, kernel).second)
		standin::fault("two kernels are called %s", kernel.name.c_str());
}

fibers::Kernel *fibers::named(const std::string &name)
{
	const auto found = kernels().find(name);

	return found == kernels().end() ? nullptr : &found->second;
}

const char standin::model[] = "CUDA on fibers of a CPU (not a GPU)";

// The kernels are in this library; the image only has to be one: a fatbin, or PTX.
CUmodule standin::load(const void *image)
{
	static const unsigned char fatbin[] = { 0x50, 0xed, 0x55, 0xba };

	return std::memcmp(image, fatbin, sizeof fatbin) == 0 || std::memcmp(image, "//", 2) == 0
	           ? new Module
	           : nullptr;
}

void standin::run(CUfunction function, unsigned blocks, unsigned block_threads, void **arguments)
{
	Order order;
	std::vector<unsigned> sequence = order.first(block_threads);

	running = static_cast<const Kernel *>(function);
	running_arguments = arguments;
	gridDim = { blocks, 1, 1 };
	blockDim = { block_threads, 1, 1 };
	threads.resize(block_threads);
	brought.resize(block_threads);
	if (stacks.size() < block_threads * STACK)
		stacks.resize(block_threads * STACK);
	for (const unsigned block : order.first(blocks)) {
		blockIdx.x = block;
		place.block = block;
		run_block(&order, &sequence);
	}
}
