"""Pages of the command for the documentation site: manual pages (man macros) as reStructuredText."""

import re
import textwrap

ESCAPED_SPACE = "\\ "
FONTS = {"B": "**", "I": "*", "R": ""}


class Fault(Exception):
    """Something in a manual page that this converter does not know."""


def plain(text):
    text = text.replace("\\-", "-").replace("\\&", "")
    if "\\" in text:
        raise Fault(f"unknown escape: {text}")
    return text


def marked(text, font):
    text = re.sub(r"([`*|_])", r"\\\1", plain(text))
    lead, core, tail = re.fullmatch(r"(\s*)(.*?)(\s*)", text, re.S).groups()
    if not core or not FONTS[font]:
        return text
    return f"{lead}\\ {FONTS[font]}{core}{FONTS[font]}\\ {tail}"


def arguments(text):
    return [quoted or bare for quoted, bare in re.findall(r'"([^"]*)"|(\S+)', text)]


def inline(line, names):
    """One line of text, or one macro that sets fonts."""
    macro = re.fullmatch(r"\.([BIR]{1,2}) (.*)", line)
    if not macro:
        if line.startswith("."):
            raise Fault(f"unknown macro: {line}")
        return marked(line, "R")
    fonts, words = macro.group(1), arguments(macro.group(2))
    if len(fonts) == 1:
        return marked(" ".join(words), fonts)
    if words[0] in names and words[1:] and words[1].startswith("(1)"):
        return f":doc:`{words[0]}`\\ {marked(words[1][3:], 'R')}"
    return "".join(marked(word, fonts[number % 2]) for number, word in enumerate(words))


class Page:
    def __init__(self, text, names):
        self.names, self.parts, self.words, self.term = names, [], [], None
        lines = iter(text.splitlines())
        for line in lines:
            if line.startswith(".TH "):
                continue
            if line.startswith(".SH "):
                self.flush()
                name = line[4:].strip('"').capitalize()
                self.parts.append(f"{name}\n{'-' * len(name)}")
            elif line == ".PP":
                self.flush()
            elif line == ".TP":
                self.flush()
                self.term = inline(next(lines), names)
            elif line == ".nf":
                self.flush()
                example = "\n".join(iter(lambda: plain(next(lines)), ".fi"))
                self.parts.append(".. code-block:: sh\n\n" + textwrap.indent(example, "   "))
            else:
                self.words.append(inline(line, names))
        self.flush()

    def flush(self):
        text = " ".join(self.words).strip()
        if self.term is not None:
            self.parts.append(f"{self.term.strip(ESCAPED_SPACE)}\n   {text}")
        elif text:
            self.parts.append(text)
        self.words, self.term = [], None


def page(name, text, names):
    parts = Page(text, names).parts
    # "Name" and its one line become the title.
    summary = parts[1].partition(" - ")[2]
    summary = summary[:1].upper() + summary[1:]
    title = name.replace("-", " ", 1)
    return "\n\n".join([f"{title}\n{'=' * len(title)}", summary, *parts[2:]]) + "\n", summary


def pages(texts):
    """{path: page} for {name: text of a manual page}, and a page that lists them."""
    result, rows = {}, []
    for name, text in texts.items():
        try:
            result[f"command/{name}.rst"], summary = page(name, text, set(texts))
        except Fault as fault:
            raise Fault(f"{name}.1: {fault}") from fault
        rows.append(f":doc:`{name}`\n   {summary}")
    index = ["The command\n===========", "The manual pages, as installed and as printed by ``tulle help COMMAND``. "
             ":doc:`/docs/command` says what to expect and why.",
             ".. toctree::\n   :hidden:\n\n" + "\n".join(f"   {name}" for name in texts), *rows]
    return result | {"command/index.rst": "\n\n".join(index) + "\n"}
