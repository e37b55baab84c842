// Counts what warps do: instructions, sectors, loads in flight, bank conflicts, bytes through an L2.
#include "ptx/counts.h"
#include "ptx/cache.h"
#include "ptx/recorder.h"

#include <algorithm>
#include <memory>
#include <set>
#include <sstream>

namespace
{
using namespace ptx;

enum { BANKS = 32, BANK_BYTES = 4, ALIGNMENT = 256 };

// Warp instructions that access an array, and the sum of the distinct sectors of each.
struct Requests {
	long long count = 0, sectors = 0;
};

struct Launch {
	std::string kernel;
	unsigned blocks, threads;
	long long instructions = 0, lanes = 0; // issued by warps; active lanes of these
	long long loads = 0, waits = 0, in_flight = 0;
	long long shared = 0, passes = 0, least_passes = 0;
	std::vector<std::uint64_t> arguments; // pointers among them are addresses of arrays
	std::map<std::uint64_t, std::map<Access, Requests>> arrays; // by address
};

// An array of the device. Its sectors have numbers that are the same in every run, unlike addresses.
struct Array {
	int number;
	std::uint64_t first_sector;
	std::vector<bool> touched; // by sector
};

// The loads of a warp, numbered from 1; they return in the order of issue.
struct Scoreboard {
	long long issued = 0, returned = 0;
	std::vector<long long> pending; // by register: the load that fills it; 0: none
};

struct Touched {
	int lane;
	std::uint64_t address;
	std::size_t bytes;
};

std::vector<Launch> launches;
std::map<std::uint64_t, Array> arrays; // by address
std::vector<Touched> touched;          // by the instruction that is issued next
std::vector<Scoreboard> scoreboards;   // of the warps of a block
std::unique_ptr<Cache> cache;
std::uint64_t next_sector;
std::uint64_t kept; // address of an array; 0: instructions say what is evicted first
std::string text;

Array &array_at(std::uint64_t base, std::size_t bytes)
{
	const auto found = arrays.find(base);

	if (found != arrays.end())
		return found->second;

	const std::size_t whole = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	const Array made = { static_cast<int>(arrays.size()), next_sector,
		                 std::vector<bool>(whole / Cache::SECTOR) };

	next_sector += whole / Cache::SECTOR;
	return arrays.emplace(base, made).first->second;
}

// A sector counts once per instruction, however many lanes access it.
void count_global(Launch *launch, Access access, bool once)
{
	std::map<std::uint64_t, std::set<std::uint64_t>> sectors;

	for (const Touched &t : touched) {
		const standin::Extent extent = standin::extent_of(t.address);
		const std::uint64_t first = t.address - extent.base;

		array_at(extent.base, extent.bytes);
		for (std::uint64_t s = first / Cache::SECTOR; s <= (first + t.bytes - 1) / Cache::SECTOR;
		     s++)
			sectors[extent.base].insert(s);
	}
	for (const auto &[base, numbers] : sectors) {
		Array &array = arrays.at(base);
		Requests &requests = launch->arrays[base][access];

		requests.count++;
		requests.sectors += static_cast<long long>(numbers.size());
		for (const std::uint64_t s : numbers) {
			array.touched[s] = true;
			if (access != STORE)
				cache->read(array.first_sector + s, kept == 0 ? once : base != kept);
			if (access != LOAD)
				cache->write(array.first_sector + s);
		}
	}
}

// 32 lanes of 4 bytes, 16 of 8 or 8 of 16 are served together; one pass delivers one word per bank.
void count_shared(Launch *launch)
{
	const int group = static_cast<int>(
	    WIDTH * BANK_BYTES / std::max(touched[0].bytes, static_cast<std::size_t>(BANK_BYTES)));

	launch->shared++;
	for (int first = 0; first < WIDTH; first += group) {
		std::set<std::uint64_t> words[BANKS];
		std::size_t most = 0;

		for (const Touched &t : touched)
			if (t.lane >= first && t.lane < first + group)
				for (std::uint64_t at = t.address; at < t.address + t.bytes; at += BANK_BYTES)
					words[at / BANK_BYTES % BANKS].insert(at / BANK_BYTES);
		for (const std::set<std::uint64_t> &bank : words)
			most = std::max(most, bank.size());
		launch->passes += static_cast<long long>(most);
		launch->least_passes += most > 0;
	}
}

// An instruction that reads the result of a load waits for that load and all earlier ones.
void count_waits(Launch *launch, Scoreboard *board, const Instruction &self)
{
	long long needed = 0;

	const auto uses = [&](int n) {
		if (n != NOWHERE)
			needed = std::max(needed, board->pending[static_cast<std::size_t>(n)]);
	};
	std::for_each(self.source.begin(), self.source.end(), uses);
	uses(self.guard);
	if (needed > board->returned) {
		launch->waits++;
		launch->in_flight += board->issued - board->returned;
		board->returned = needed;
	}

	const bool load = self.access == LOAD && self.space == GLOBAL;

	launch->loads += load;
	board->issued += load;
	for (const int n : self.result)
		if (n != NOWHERE)
			board->pending[static_cast<std::size_t>(n)] = load ? board->issued : 0;
}

// ---- JSON ----

void print_requests(std::ostream &out, const char *name, const Requests &requests)
{
	out << ", \"" << name << "\": " << requests.count << ", \"" << name
	    << "_sectors\": " << requests.sectors;
}

void print_array(std::ostream &out, const Launch &launch, std::uint64_t base,
                 std::map<Access, Requests> by_access)
{
	const auto found = std::find(launch.arguments.begin(), launch.arguments.end(), base);

	out << "{\"argument\": "
	    << (found == launch.arguments.end() ? -1 : found - launch.arguments.begin())
	    << ", \"array\": " << arrays.at(base).number;
	print_requests(out, "load", by_access[LOAD]);
	print_requests(out, "store", by_access[STORE]);
	print_requests(out, "atomic", by_access[ATOMIC]);
	out << "}";
}

void print_launch(std::ostream &out, const Launch &launch)
{
	const char *comma = "";

	out << "{\"kernel\": \"" << launch.kernel << "\", \"blocks\": " << launch.blocks
	    << ", \"threads\": " << launch.threads << ", \"instructions\": " << launch.instructions
	    << ", \"lanes\": " << launch.lanes << ", \"loads\": " << launch.loads
	    << ", \"waits\": " << launch.waits << ", \"in_flight\": " << launch.in_flight
	    << ", \"shared\": " << launch.shared << ", \"passes\": " << launch.passes
	    << ", \"least_passes\": " << launch.least_passes << ", \"arrays\": [";
	for (const auto &[base, by_access] : launch.arrays) {
		out << comma;
		print_array(out, launch, base, by_access);
		comma = ", ";
	}
	out << "]}";
}

void print(std::ostream &out)
{
	std::vector<long long> once(arrays.size());
	const char *comma = "";

	out << "\"launches\": [";
	for (const Launch &launch : launches) {
		out << comma;
		print_launch(out, launch);
		comma = ", ";
	}
	for (const auto &[base, array] : arrays)
		once[static_cast<std::size_t>(array.number)] =
		    std::count(array.touched.begin(), array.touched.end(), true);
	out << "], \"once\": [";
	comma = "";
	for (const long long sectors : once) {
		out << comma << sectors;
		comma = ", ";
	}
	out << "], \"l2_reads\": " << cache->reads << ", \"l2_writes\": " << cache->writes;
}
} // namespace

bool ptx::counting;

void ptx::record_launch(const Function &function, unsigned blocks, unsigned threads,
                        void **arguments)
{
	Launch launch;

	launch.kernel = function.name;
	launch.blocks = blocks;
	launch.threads = threads;
	for (std::size_t n = 0; n < function.argument_bytes.size(); n++) {
		std::uint64_t value = 0;

		std::memcpy(&value, arguments[n], function.argument_bytes[n]);
		launch.arguments.push_back(value);
	}
	launches.push_back(launch);
	scoreboards.resize(threads / WIDTH);
	for (Scoreboard &board : scoreboards)
		board.pending.resize(function.registers.size());
}

void ptx::record_block()
{
	for (Scoreboard &board : scoreboards) {
		board.issued = board.returned = 0;
		std::fill(board.pending.begin(), board.pending.end(), 0);
	}
}

void ptx::record_access(int lane, std::uint64_t address, std::size_t bytes)
{
	touched.push_back({ lane, address, bytes });
}

void ptx::record_issue(int warp, const Instruction &self, int lanes)
{
	Launch &launch = launches.back();

	launch.instructions++;
	launch.lanes += lanes;
	count_waits(&launch, &scoreboards[static_cast<std::size_t>(warp)], self);
	if (!touched.empty() && self.space == SHARED)
		count_shared(&launch);
	else if (!touched.empty())
		count_global(&launch, self.access, self.once);
	touched.clear();
}

extern "C" __attribute__((visibility("default"))) void ptx_counts_begin(long long l2_bytes)
{
	launches.clear();
	arrays.clear();
	next_sector = 0;
	kept = 0;
	cache = std::make_unique<Cache>(l2_bytes);
	counting = true;
}

extern "C" __attribute__((visibility("default"))) void ptx_counts_keep(unsigned long long address)
{
	kept = address;
}

extern "C" __attribute__((visibility("default"))) const char *ptx_counts_end(void)
{
	std::ostringstream out;

	counting = false;
	cache->flush();
	print(out);
	text = out.str();
	return text.c_str();
}
