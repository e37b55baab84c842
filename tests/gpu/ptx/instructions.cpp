// Which step an opcode is: a table of all that nvcc made of our kernels so far, and their near relatives.
#include "ptx/steps.h"

#include <set>
#include <sstream>

namespace
{
using namespace ptx;
using Step = void (*)(Thread &, const Instruction &);
using Table = std::map<std::string, Step>;

#define FOR_FLOATS(line) line(f32, float) line(f64, double)
#define FOR_SIGNED(line) line(s16, std::int16_t) line(s32, std::int32_t) line(s64, std::int64_t)
#define FOR_UNSIGNED(line) \
	line(u16, std::uint16_t) line(u32, std::uint32_t) line(u64, std::uint64_t)
#define FOR_BITS(line) line(b16, std::uint16_t) line(b32, std::uint32_t) line(b64, std::uint64_t)
#define FOR_INTEGERS(line) FOR_SIGNED(line) FOR_UNSIGNED(line)
#define FOR_NUMBERS(line) FOR_INTEGERS(line) FOR_FLOATS(line)
#define FOR_BYTES(line)                                                                \
	line(s8, std::int8_t) line(u8, std::uint8_t) line(b8, std::uint8_t) FOR_BITS(line) \
	    FOR_NUMBERS(line)

template <class Op> void add_integers(Table *table, const std::string &name)
{
#define LINE(type, T) (*table)[name + "." #type] = two<T, Op>;
	FOR_INTEGERS(LINE)
#undef LINE
}

template <class Op> void add_bitwise(Table *table, const std::string &name)
{
#define LINE(type, T) (*table)[name + "." #type] = two<T, Op>;
	FOR_BITS(LINE)
#undef LINE
	(*table)[name + ".pred"] = two_predicates<std::uint64_t, Op>;
}

template <class Op> void add_floats(Table *table, const std::string &name)
{
#define LINE(type, T) (*table)[name + "." #type] = two<T, Op>;
	FOR_FLOATS(LINE)
#undef LINE
}

template <class Op> void add_comparison(Table *table, const std::string &name)
{
#define LINE(type, T) (*table)["setp." + name + "." #type] = compare<T, Op>;
	FOR_NUMBERS(LINE)
	FOR_BITS(LINE)
#undef LINE
}

template <class Op> void add_atomic_integers(Table *table, const std::string &name)
{
#define LINE(type, T) (*table)[name + "." #type] = atomic<T, Op>;
	FOR_INTEGERS(LINE)
	FOR_BITS(LINE)
#undef LINE
}

template <class To> void add_conversions(Table *table, const std::string &to)
{
#define LINE(type, T) (*table)["cvt." + to + "." #type] = convert<To, T>;
	FOR_NUMBERS(LINE)
	LINE(s8, std::int8_t)
	LINE(u8, std::uint8_t)
#undef LINE
}

void add_arithmetic(Table *table)
{
	add_integers<Add>(table, "add");
	add_integers<Sub>(table, "sub");
	add_integers<Mul>(table, "mul.lo");
	add_integers<High>(table, "mul.hi");
	add_integers<Quotient>(table, "div");
	add_integers<Remainder>(table, "rem");
	add_integers<Smaller>(table, "min");
	add_integers<Larger>(table, "max");
	add_bitwise<And>(table, "and");
	add_bitwise<Or>(table, "or");
	add_bitwise<Xor>(table, "xor");
	add_floats<Add>(table, "add");
	add_floats<Sub>(table, "sub");
	add_floats<Mul>(table, "mul");
	add_floats<Quotient>(table, "div");
	add_floats<Smaller>(table, "min");
	add_floats<Larger>(table, "max");
	(*table)["mul.wide.s16"] = multiply_wide<std::int16_t, std::int32_t>;
	(*table)["mul.wide.u16"] = multiply_wide<std::uint16_t, std::uint32_t>;
	(*table)["mul.wide.s32"] = multiply_wide<std::int32_t, std::int64_t>;
	(*table)["mul.wide.u32"] = multiply_wide<std::uint32_t, std::uint64_t>;
	(*table)["mad.wide.s32"] = multiply_add_wide<std::int32_t, std::int64_t>;
	(*table)["mad.wide.u32"] = multiply_add_wide<std::uint32_t, std::uint64_t>;
#define LINE(type, T) (*table)["mad.lo." #type] = multiply_add<T>;
	FOR_INTEGERS(LINE)
#undef LINE
#define LINE(type, T)                         \
	(*table)["fma." #type] = multiply_add<T>; \
	(*table)["neg." #type] = negate<T>;       \
	(*table)["abs." #type] = absolute<T>;
	FOR_FLOATS(LINE)
	FOR_SIGNED(LINE)
#undef LINE
#define LINE(type, T)                       \
	(*table)["shl." #type] = shift_left<T>; \
	(*table)["shr." #type] = shift_right<T>;
	FOR_BITS(LINE)
	FOR_INTEGERS(LINE)
#undef LINE
#define LINE(type, T)                                \
	(*table)["not." #type] = invert<T>;              \
	(*table)["popc." #type] = count_ones<T>;         \
	(*table)["clz." #type] = count_leading_zeros<T>; \
	(*table)["brev." #type] = reverse_bits<T>;       \
	(*table)["bfi." #type] = insert_bits<T>;
	FOR_BITS(LINE)
#undef LINE
	(*table)["not.pred"] = invert_predicate;
	(*table)["bfe.u32"] = extract_bits<std::uint32_t>;
	(*table)["bfe.u64"] = extract_bits<std::uint64_t>;
}

void add_moves(Table *table)
{
	for (const char *const type : { "b32", "u32", "s32", "f32" })
		(*table)[std::string("mov.") + type] = move<std::uint32_t, std::uint16_t>;
	for (const char *const type : { "b64", "u64", "s64", "f64" })
		(*table)[std::string("mov.") + type] = move<std::uint64_t, std::uint32_t>;
	for (const char *const type : { "b16", "u16", "s16" })
		(*table)[std::string("mov.") + type] = move<std::uint16_t, std::uint8_t>;
	(*table)["mov.pred"] = move_predicate;
	for (const char *const space :
	     { "cvta.to.global.u64", "cvta.to.shared.u64", "cvta.global.u64" })
		(*table)[space] = move<std::uint64_t, std::uint32_t>;
#define LINE(type, T)                    \
	(*table)["selp." #type] = select<T>; \
	(*table)["ld." #type] = load<T>;     \
	(*table)["st." #type] = store<T>;
	FOR_BYTES(LINE)
#undef LINE
#define LINE(type, T) add_conversions<T>(table, #type);
	FOR_NUMBERS(LINE)
	LINE(s8, std::int8_t)
	LINE(u8, std::uint8_t)
#undef LINE
}

void add_choices(Table *table)
{
	add_comparison<Equal>(table, "eq");
	add_comparison<Unequal>(table, "ne");
	add_comparison<Less>(table, "lt");
	add_comparison<LessEqual>(table, "le");
	add_comparison<Greater>(table, "gt");
	add_comparison<GreaterEqual>(table, "ge");
	add_comparison<OrUnordered<Equal>>(table, "equ");
	add_comparison<OrUnordered<Unequal>>(table, "neu");
	add_comparison<OrUnordered<Less>>(table, "ltu");
	add_comparison<OrUnordered<LessEqual>>(table, "leu");
	add_comparison<OrUnordered<Greater>>(table, "gtu");
	add_comparison<OrUnordered<GreaterEqual>>(table, "geu");
	add_comparison<Ordered>(table, "num");
	add_comparison<Unordered>(table, "nan");
}

void add_meetings(Table *table)
{
	for (const char *const name : { "atom.add", "red.add" }) {
		add_atomic_integers<Add>(table, name);
#define LINE(type, T) (*table)[std::string(name) + "." #type] = atomic<T, Add>;
		FOR_FLOATS(LINE)
#undef LINE
	}
	for (const std::string name : { "atom.", "red." }) {
		add_atomic_integers<Smaller>(table, name + "min");
		add_atomic_integers<Larger>(table, name + "max");
		add_atomic_integers<And>(table, name + "and");
		add_atomic_integers<Or>(table, name + "or");
		add_atomic_integers<Xor>(table, name + "xor");
	}
	add_atomic_integers<Second>(table, "atom.exch");
#define LINE(type, T) (*table)["atom.cas." #type] = compare_and_swap<T>;
	FOR_BITS(LINE)
#undef LINE
	for (const char *const name : { "bar.sync", "bar", "barrier.sync", "barrier" })
		(*table)[name] = barrier;
	(*table)["shfl.sync.idx.b32"] = shuffle;
	(*table)["bar.warp.sync"] = shuffle;
	(*table)["bra"] = branch;
	(*table)["ret"] = leave;
	(*table)["exit"] = leave;
	(*table)["membar.gl"] = nothing;
	(*table)["fence.acq_rel"] = nothing;
}

Table made_table()
{
	Table table;

	add_arithmetic(&table);
	add_moves(&table);
	add_choices(&table);
	add_meetings(&table);
	return table;
}

// Parts of opcodes that change nothing here: how results are rounded (to nearest, which is how the CPU
// does it; towards zero in conversions to whole numbers, which is how C++ does it), and scopes.
const std::set<std::string> silent = { "rn",  "rni", "rzi",     "uni",     "aligned", "volatile",
	                                   "gpu", "cta", "relaxed", "acq_rel", "weak" };
} // namespace

void ptx::decode(const std::string &opcode, Instruction *instruction)
{
	static const Table table = made_table();
	static const std::map<std::string, int> combinations = { { "and", '&' },
		                                                     { "or", '|' },
		                                                     { "xor", '^' } };
	static const std::map<std::string, Access> accesses = {
		{ "ld.", LOAD }, { "st.", STORE }, { "atom.", ATOMIC }, { "red.", ATOMIC }
	};
	std::istringstream parts(opcode);
	std::string name, part;

	while (std::getline(parts, part, '.')) {
		const bool memory = name == "ld" || name == "st" || name == "atom" || name == "red";

		if (memory && part == "global")
			instruction->space = GLOBAL;
		else if (memory && part == "shared")
			instruction->space = SHARED;
		else if (memory && part == "param")
			instruction->space = PARAMETER;
		else if (memory && part == "nc")
			instruction->constant = true;
		else if (name == "ld" && part == "cs")
			instruction->once = true;
		else if (memory && (part == "v2" || part == "v4"))
			continue; // as many results or sources tell
		else if (name.compare(0, 5, "setp.") == 0 && combinations.count(part))
			instruction->combine = combinations.at(part);
		else if (name.empty() || silent.count(part) == 0)
			name += (name.empty() ? "" : ".") + part;
	}
	const auto found = table.find(name);

	if (found == table.end())
		standin::fault("PTX that is not understood: %s", opcode.c_str());
	instruction->step = found->second;
	instruction->leaves = name == "ret" || name == "exit";
	for (const auto &[word, access] : accesses)
		if (name.compare(0, word.size(), word) == 0)
			instruction->access = access;
}
