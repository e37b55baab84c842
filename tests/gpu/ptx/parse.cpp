// From the text of PTX, as nvcc writes it, to instructions.
#include "ptx/program.h"

#include <cctype>
#include <cstdlib>

namespace
{
using namespace ptx;
using Words = std::vector<std::string>;

enum : std::size_t { GAP = 64 }; // bytes between shared arrays

[[noreturn]] void unknown(const std::string &text)
{
	standin::fault("PTX that is not understood: %s", text.c_str());
}

std::string trimmed(const std::string &text)
{
	const std::size_t first = text.find_first_not_of(" \t\r\n");

	return first == std::string::npos
	           ? std::string()
	           : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Cut at `separator`, outside of brackets.
Words split(const std::string &text, char separator)
{
	Words words;
	std::string word;
	int depth = 0;

	for (const char c : text) {
		depth += (c == '{' || c == '[') - (c == '}' || c == ']');
		if (c == separator && depth == 0) {
			words.push_back(trimmed(word));
			word.clear();
		} else {
			word += c;
		}
	}
	if (!trimmed(word).empty())
		words.push_back(trimmed(word));
	return words;
}

std::string without_comments(const std::string &text)
{
	std::string kept;

	for (std::size_t at = 0; at < text.size();) {
		if (text.compare(at, 2, "//") == 0)
			at = text.find('\n', at);
		else
			kept += text[at++];
	}
	return kept;
}

// ".u64" -> 8
std::size_t bytes_of(const std::string &type)
{
	if (type == ".pred")
		return 1;
	if (type.size() < 3 || !std::isdigit(static_cast<unsigned char>(type[2])))
		unknown(type);
	return static_cast<std::size_t>(std::atoi(type.c_str() + 2)) / 8;
}

class Body
{
	Function *function_;
	std::map<std::string, int> registers_, parameters_, labels_;
	std::map<std::string, std::uint64_t> shared_;
	std::vector<std::pair<std::size_t, std::string>> jumps_; // of an instruction to a label

	int register_named(const std::string &name, std::uint64_t value)
	{
		const auto [found, fresh] =
		    registers_.emplace(name, static_cast<int>(function_->registers.size()));

		if (fresh)
			function_->registers.push_back(value);
		return found->second;
	}

	// A number, or the address of a shared array.
	std::uint64_t constant(const std::string &text)
	{
		const auto array = shared_.find(text);

		if (array != shared_.end())
			return array->second;
		if (text.size() > 2 && text[0] == '0' && std::strchr("dDfF", text[1]))
			return std::strtoull(text.c_str() + 2, nullptr, 16);
		if (!std::isdigit(static_cast<unsigned char>(text[0])) && text[0] != '-')
			unknown(text);
		return text[0] == '-' ? static_cast<std::uint64_t>(std::strtoll(text.c_str(), nullptr, 0))
		                      : std::strtoull(text.c_str(), nullptr, 0);
	}

	// Not set yet: all ones, which is NaN, -1, and an address of nothing.
	int register_of(const std::string &text)
	{
		return text == "_"      ? NOWHERE
		       : text[0] == '%' ? register_named(text, ~std::uint64_t{ 0 })
		                        : register_named(text, constant(text));
	}

	void address(const std::string &text, Instruction *out)
	{
		const std::size_t plus = text.find('+');
		const std::string base = trimmed(text.substr(0, plus));
		const auto parameter = parameters_.find(base);

		if (plus != std::string::npos)
			out->offset = std::strtoll(text.c_str() + plus + 1, nullptr, 0);
		out->source.push_back(
		    parameter != parameters_.end()
		        ? register_named("(" + base + ")", static_cast<std::uint64_t>(parameter->second))
		        : register_of(base));
		out->source_not.push_back(false);
	}

	void operand(const std::string &text, bool result, Instruction *out)
	{
		const bool negated = text[0] == '!';

		if (text[0] == '[') {
			address(text.substr(1, text.size() - 2), out);
		} else if (text[0] == '{') {
			for (const std::string &part : split(text.substr(1, text.size() - 2), ','))
				operand(part, result, out);
		} else if (result) {
			for (const std::string &part : split(text, '|'))
				out->result.push_back(register_of(part));
		} else {
			out->source.push_back(register_of(negated ? text.substr(1) : text));
			out->source_not.push_back(negated);
		}
	}

	void instruction(std::string text)
	{
		Instruction made;
		std::size_t end;

		made.text = text;
		if (text[0] == '@') {
			end = text.find_first_of(" \t");
			made.guard_not = text[1] == '!';
			made.guard =
			    register_of(text.substr(made.guard_not ? 2 : 1, end - (made.guard_not ? 2 : 1)));
			text = trimmed(text.substr(end));
		}
		end = text.find_first_of(" \t");

		const std::string opcode = text.substr(0, end);
		const Words operands = end == std::string::npos ? Words() : split(text.substr(end), ',');
		// Stores and reductions have no result; the first operand of all others is one.
		const bool has_result = opcode.compare(0, 2, "st") != 0 &&
		                        opcode.compare(0, 3, "red") != 0 &&
		                        opcode.compare(0, 3, "bar") != 0;

		decode(opcode, &made);
		if (opcode.compare(0, 3, "bra") == 0 && opcode.compare(0, 4, "brev") != 0 &&
		    !std::isalpha(opcode[3]))
			jumps_.emplace_back(function_->code.size(), operands.at(0));
		else
			for (std::size_t n = 0; n < operands.size(); n++)
				operand(operands[n], n == 0 && has_result, &made);
		function_->code.push_back(made);
	}

	// .shared .align 8 .b8 name[2048]; or .shared .align 4 .u32 name;
	void declaration(const std::string &text)
	{
		const std::size_t bracket = text.find('[');
		const std::string head = trimmed(text.substr(0, bracket));
		const Words words = split(head, ' ');
		std::vector<bool> &used = function_->shared_used;

		if (words[0] == ".reg" || words[0] == ".pragma" || words[0] == ".loc")
			return;
		if (words[0] != ".shared" || words.size() < 3)
			unknown(text);

		const std::size_t count = bracket == std::string::npos
		                              ? 1
		                              : std::strtoull(text.c_str() + bracket + 1, nullptr, 0);
		const std::size_t bytes = count * bytes_of(words[words.size() - 2]);

		shared_[words.back()] = used.size();
		used.insert(used.end(), bytes, true);
		used.insert(used.end(), GAP + (GAP - bytes % GAP), false);
	}

  public:
	explicit Body(Function *function) : function_(function)
	{
		static const char *const names[SPECIALS] = { "%tid.x",    "%ntid.x", "%ctaid.x",
			                                         "%nctaid.x", "%laneid", "0" };

		for (int n = 0; n < SPECIALS; n++)
			register_named(names[n], 0);
	}

	// .param .u64 name, or, if it is a structure, .param .align 16 .b8 name[16]
	void parameter(const std::string &text)
	{
		const std::size_t bracket = text.find('[');
		const Words words = split(trimmed(text.substr(0, bracket)), ' ');
		const std::size_t count = bracket == std::string::npos
		                              ? 1
		                              : std::strtoull(text.c_str() + bracket + 1, nullptr, 0);

		parameters_[words.back()] = static_cast<int>(function_->argument_bytes.size());
		for (const std::string &word : words)
			if (word[0] == '.' && word != ".param" && word.size() <= 4) {
				function_->argument_bytes.push_back(count * bytes_of(word));
				return;
			}
		unknown(text);
	}

	void statements(const std::string &text)
	{
		std::size_t at = 0;

		for (;;) {
			at = text.find_first_not_of(" \t\r\n{}", at);
			if (at == std::string::npos)
				break;

			const std::size_t end = text.find_first_of(text[at] == '$' ? ":" : ";", at);
			const std::string statement = trimmed(text.substr(at, end - at));

			at = end + 1;
			if (statement[0] == '$')
				labels_[statement] = static_cast<int>(function_->code.size());
			else if (statement[0] == '.')
				declaration(statement);
			else
				instruction(statement);
		}
		for (const auto &[number, label] : jumps_) {
			if (labels_.count(label) == 0)
				unknown(label);
			function_->code[number].target = labels_[label];
		}
		function_->shared_bytes = function_->shared_used.size();
	}
};
} // namespace

CUfunction ptx::Module::find(const std::string &name)
{
	const auto found = functions.find(name);

	return found == functions.end() ? nullptr : &found->second;
}

ptx::Module *ptx::parse(const std::string &commented)
{
	const std::string text = without_comments(commented);
	Module *const module = new Module;

	for (std::size_t at = 0; (at = text.find(".entry", at)) != std::string::npos;) {
		const std::size_t open = text.find('(', at), close = text.find(')', open);
		const std::size_t begin = text.find('{', close);
		const std::string name = trimmed(text.substr(at + 6, open - at - 6));
		Function &function = module->functions[name];
		Body body(&function);
		std::size_t end = begin + 1;

		for (int depth = 1; depth > 0; end++)
			depth += (text[end] == '{') - (text[end] == '}');
		function.name = name;
		for (const std::string &parameter : split(text.substr(open + 1, close - open - 1), ','))
			body.parameter(parameter);
		body.statements(text.substr(begin + 1, end - begin - 2));
		at = end;
	}
	return module;
}
