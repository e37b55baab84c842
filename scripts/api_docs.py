"""Pages of the API for the documentation site: a header as reStructuredText, one entry per function and type.

A header is a sequence of blocks separated by empty lines. A block is a comment, declarations, or a comment and the
declarations that it describes, which share one entry. `/* ---- name ---- */` begins a section.
"""

import re
import textwrap

COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
SECTION = re.compile(r"/\* -{3,} (.*?) -{3,} \*/")
FUNCTION = re.compile(r"^TULLE_API\s+([^;{}]*?\b(\w+)\s*\([^;{}]*\))\s*;", re.M)
TYPE = re.compile(r"^typedef\b[^;{}]*(?:\{[^{}]*\}\s*)?\b(\w+);", re.M)
MACRO = re.compile(r"^#define (TULLE_\w+)", re.M)
# Preprocessor lines that are no part of the interface.
PLUMBING = re.compile(r"#(?:if|ifdef|ifndef|else|endif|include)\b|extern \"C\"|\}$|#define TULLE_(?:API|\w*H)\b")
WORD = re.compile(r"`[^`]+`|\bdocs/\S+\.md\b|\btulle\w*\.h\b|\btulle_\w*\*\w*\(\)|\btulle_\w+(?:\(\))?|\bTULLE_[A-Z0-9_]+\b")


def without_comments(text):
    return COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def functions(header):
    """Names of the functions that a header declares."""
    return [match.group(2) for match in FUNCTION.finditer(without_comments(header))]


def types(header):
    """Names of the types that it declares."""
    return TYPE.findall(without_comments(header))


def escaped(text):
    return re.sub(r"([\\`*|_])", r"\\\1", text)


def capital(text):
    return text[:1].upper() + text[1:]


def marked(word, known):
    """A link for the name of a function, a type, a header or a page; else code."""
    name = word.removesuffix("()")
    if name in known:
        return f":c:{known[name]}:`{name}`"
    if word.endswith(".md"):
        return f":doc:`{word} </{word.removesuffix('.md')}>`"
    return f":doc:`{word}`" if word.endswith(".h") else f"``{word}``"


def prose(text, known):
    """A line of text as reStructuredText; `known` is {name: "func" or "type"}."""
    parts, end = [], 0
    for match in WORD.finditer(text):
        parts += [escaped(text[end:match.start()]), "\\ ", marked(match.group().strip("`"), known), "\\ "]
        end = match.end()
    return "".join(parts + [escaped(text[end:])])


def paragraphs(comment, known):
    """The text of a comment: prose, items that begin with a word in capitals, and indented lines, which stay."""
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.strip().splitlines()]
    result = []
    text = re.sub(r":\n(?= {4}\S)", ":\n\n", "\n".join(lines).strip("\n"))
    for paragraph in re.split(r"\n\n+", text):
        if paragraph.startswith("    "):
            language = "c" if re.search(r";$", paragraph, re.M) else "none"
            result.append(f".. code-block:: {language}\n\n" + textwrap.indent(textwrap.dedent(paragraph), "   "))
            continue
        pieces = re.split(r"^(?=[A-Z_]{3,}: )", paragraph, flags=re.M)
        for number, piece in enumerate(pieces):
            text = prose(" ".join(piece.split()), known)
            if text:
                result.append(f"- {text}" if number or re.match(r"[A-Z_]{3,}: ", piece) else text)
    return "\n\n".join(result)


def blocks(text):
    """Split at empty lines that are neither in a comment nor between braces."""
    block, bare = [], without_comments(text).replace('extern "C" {', "").splitlines()
    depth, comment = 0, False
    for line, code in zip(text.splitlines(), bare):
        if not line.strip() and not depth and not comment:
            if block:
                yield "\n".join(block)
            block = []
            continue
        block.append(line)
        depth = max(0, depth + code.count("{") - code.count("}"))
        comment = comment and "*/" not in line or line.rfind("/*") > line.rfind("*/")
    if block:
        yield "\n".join(block)


def entry(comment, code, known):
    """A block with declarations."""
    bare = without_comments(code)
    found = [("function", " ".join(match.group(1).split())) for match in FUNCTION.finditer(bare)]
    found += [("type", name) for name in types(code)] + [("macro", name) for name in MACRO.findall(code)]
    body = paragraphs(comment, known)
    if not found or found[0][0] != "function":
        body += "\n\n.. code-block:: c\n\n" + textwrap.indent(code.replace("\t", "    "), "   ")
    if not found:
        return body.strip()
    parts = []
    for kind in dict.fromkeys(kind for kind, _ in found):
        signatures = [signature for other, signature in found if other == kind]
        parts.append(f".. c:{kind}:: " + f"\n{' ' * (len(kind) + 9)}".join(signatures))
    parts[-1] += "\n\n" + textwrap.indent(body.strip("\n"), "   ")
    return "\n\n".join(parts)


def titled(text, line):
    return f"{text}\n{line * len(text)}"


def list_of_functions(header):
    return ".. rst-class:: columns\n\n" + "\n".join(f"- :c:func:`{name}`" for name in functions(header))


def page(name, header, known, source):
    """The page of a header; `source` is the page that shows the file."""
    head = COMMENT.match(header)
    first, _, rest = head.group(1).strip().partition("\n")
    parts = [titled(name, "="), prose(capital(first.partition(" -- ")[2]), known), paragraphs(rest, known),
             f"The functions of :doc:`the file </{source}>`:", list_of_functions(header)]
    for block in blocks(header[head.end():]):
        section = SECTION.fullmatch(block.strip())
        comment = COMMENT.match(block)
        code = block[comment.end():].strip("\n") if comment else block
        if section:
            parts.append(titled(capital(section.group(1).strip()), "-"))
        elif PLUMBING.match(code):
            continue
        elif not code:
            parts.append(paragraphs(comment.group(1), known))
        else:
            parts.append(entry(comment.group(1) if comment else "", code, known))
    return "\n\n".join(part for part in parts if part) + "\n"


def pages(headers, source):
    """{path: page} for {file name: text of a header}, and a page that lists them."""
    known = {}
    for text in headers.values():
        known |= dict.fromkeys(types(text), "type") | dict.fromkeys(functions(text), "func")
    result = {f"api/{name}.rst": page(name, text, known, source(name)) for name, text in headers.items()}
    lists = [titled("API", "="), "One page per header, made from it. :ref:`genindex` lists all functions and types."]
    lists.append(".. toctree::\n   :hidden:\n\n" + "\n".join(f"   {name}" for name in headers))
    for name, text in headers.items():
        about = prose(COMMENT.match(text).group(1).strip().splitlines()[0].partition(" -- ")[2], known)
        lists += [titled(name, "-"), f":doc:`{name}`: {about}", list_of_functions(text)]
    return result | {"api/index.rst": "\n\n".join(lists) + "\n"}
