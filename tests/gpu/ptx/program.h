/* program.h -- PTX after parsing: kernels as lists of instructions that know what they do.
 *
 * Everything an instruction reads is a register: constants, addresses of shared arrays and special registers
 * such as %tid.x have one each, filled before a thread begins. */
#ifndef PTX_PROGRAM_H
#define PTX_PROGRAM_H

#include "standin/backend.h"

#include <cstring>
#include <map>

namespace ptx
{
enum State { READY, AT_SHUFFLE, AT_BARRIER, GONE };
enum { WIDTH = 32, NOWHERE = -1 };

/* %tid.x and so on: the first registers of each kernel. */
enum Special { TID, NTID, CTAID, NCTAID, LANEID, ZERO, SPECIALS };

struct Thread {
	State state;
	int next;   /* instruction */
	int number; /* in the block */
	std::uint64_t *registers;
};

enum Space { PARAMETER, GLOBAL, SHARED };
enum Access { NO_ACCESS, LOAD, STORE, ATOMIC };

struct Instruction {
	void (*step)(Thread &thread, const Instruction &self) = nullptr;
	int guard = NOWHERE;             /* register of a predicate: runs only if it is set */
	bool guard_not = false;          /* or is not */
	std::vector<int> result, source; /* registers */
	std::vector<bool> source_not;    /* of predicates: !%p1 */
	std::int64_t offset = 0;         /* of an address */
	Space space = GLOBAL;
	Access access = NO_ACCESS;
	bool constant = false; /* ld.global.nc: of what nobody writes */
	bool once = false;     /* ld.global.cs: of what is evicted first */
	int combine = 0;       /* setp.lt.and: '&', '|', '^' */
	int target = NOWHERE;  /* bra */
	bool leaves = false;   /* ret */
	std::string text;      /* for faults */
};

struct Function : CUfunc_st {
	std::vector<Instruction> code;
	std::vector<std::uint64_t> registers; /* when a thread begins */
	std::size_t shared_bytes = 0;
	std::vector<bool> shared_used; /* by byte: arrays stand apart, so that their ends show */
};

struct Module : CUmod_st {
	std::map<std::string, Function> functions;
	CUfunction find(const std::string &name) override;
};

/* A fault if the text has anything that is not known here. */
Module *parse(const std::string &text);

/* What an opcode ("fma.rn.f64") does; sets `step` and what else the opcode says. */
void decode(const std::string &opcode, Instruction *instruction);

template <class T> T get(const Thread &thread, const Instruction &self, std::size_t n)
{
	T value;

	std::memcpy(&value, &thread.registers[self.source[n]], sizeof value);
	return value;
}

/* Bits above the type are cleared, as nothing may depend on them. */
template <class T> void put(Thread &thread, const Instruction &self, T value, std::size_t n = 0)
{
	if (n < self.result.size() && self.result[n] != NOWHERE) {
		thread.registers[self.result[n]] = 0;
		std::memcpy(&thread.registers[self.result[n]], &value, sizeof value);
	}
}

inline bool get_predicate(const Thread &thread, const Instruction &self, std::size_t n)
{
	return (thread.registers[self.source[n]] != 0) != self.source_not[n];
}

/* ---- memory.cpp ---- */

void begin_launch(const Function &function, void **arguments);
void begin_block(const Function &function);
void pass_barrier();              /* what threads did before and after it cannot collide */
void pass_warp_barrier(int warp); /* the same for the threads of a warp */

template <class T> void load(Thread &thread, const Instruction &self);
template <class T> void store(Thread &thread, const Instruction &self);

/* The bytes of an atomic, checked. */
void *atomic_place(Thread &thread, const Instruction &self, std::size_t bytes);

/* Steps of the instructions by which threads meet; launch.cpp does the rest. */
void shuffle(Thread &thread, const Instruction &self);
void barrier(Thread &thread, const Instruction &self);
} // namespace ptx

#endif
