#!/usr/bin/env python3
"""Generate the table of storage formats and one page per format, from the registry and the READMEs.

Usage: format_docs.py TREE --check       check that the table of docs/formats.md matches the sources
       format_docs.py TREE --write OUT   update that table, and write the pages into OUT

src/formats/formats.def lists the formats. The tunables and flags come from the table tulle__format_NAME in
FOLDER.c, the other columns from the table under "Worth knowing" in the format's page: README.md, or NAME.md
in the folder of another format. A page that lacks a required row is an error.
"""

import os
import re
import sys
from pathlib import Path

PAGE = "docs/formats.md"
BEGIN = "<!-- made by ./dev docs from the READMEs of the formats -->\n"
END = "<!-- end of what ./dev docs makes -->\n"
ROWS = ["good for", "bytes per nonzero", "conversion", "update"]
TRANSPOSED = "separate plan for A^T"


class Fault(Exception):
    """A source that lacks something the table needs."""


def worth_knowing(text, where):
    """{row: text} of the two-column table under "Worth knowing"."""
    section = re.search(r"^## Worth knowing\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not section:
        raise Fault(f"{where}: no section \"Worth knowing\"")
    rows = dict(re.findall(r"^\| *([^|\n]*?) *\| *([^|\n]*?) *\|$", section.group(1), re.M))
    for name in ROWS:
        if not rows.get(name):
            raise Fault(f"{where}: \"Worth knowing\" has no row \"{name}\"")
    return rows


def table_of(source, name, where):
    """The members of the format's table."""
    found = re.search(rf"^const tulle__format tulle__format_{name} = {{\n(.*?)^}};$", source, re.M | re.S)
    if not found:
        raise Fault(f"{where}: no table tulle__format_{name}")
    return found.group(1)


def member(source, name, pattern, where):
    """The initializer of one member of a format's table."""
    found = re.search(rf"^\t\.{name} = ({pattern}),$", source, re.M)
    if not found:
        raise Fault(f"{where}: no line \".{name} = ...,\" in its table")
    return found.group(1)


class Format:
    def __init__(self, tree, folder, name):
        self.name = name
        self.page = f"{folder}/README.md" if name == folder else f"{folder}/{name}.md"
        readme, source = tree / "src/formats" / self.page, tree / "src/formats" / folder / f"{folder}.c"
        for file in (readme, source):
            if not file.exists():
                raise Fault(f"{file.relative_to(tree)} is missing")
        self.text = readme.read_text()
        self.rows = worth_knowing(self.text, readme.relative_to(tree))
        where = source.relative_to(tree)
        members = table_of(source.read_text(), name, where)
        self.tunables = member(members, "tunables", r'"[^\n]*"(?:\n\t+"[^\n]*")*', where)
        self.tunables = re.sub(r'"\s*"', "", self.tunables).strip('"')
        flags = re.search(r"^\t\.flags =\s+(.*),$", members, re.M)
        flags = flags.group(1) if flags else ""
        self.ordered, self.borrows = "TULLE__ORDERED" in flags, "TULLE__BORROWS" in flags

    def facts(self):
        """(head, cell) of each column after the name."""
        return [
            ("deterministic", "yes, rows in stored order" if self.ordered else "yes"),
            ("needs conversion", "no" if self.borrows else f"yes: {self.rows['conversion']}"),
            ("A^T", self.rows.get("A^T", TRANSPOSED)),
            ("update", self.rows["update"]),
            ("bytes per nonzero", self.rows["bytes per nonzero"]),
            ("best for", self.rows["good for"]),
        ]


def formats_of(tree):
    lines = re.findall(r"^FORMAT(?:_IN)?\((?:(\w+), )?(\w+)\)", (tree / "src/formats/formats.def").read_text(), re.M)
    found, faults = [], []
    for folder, name in lines:
        try:
            found.append(Format(tree, folder or name, name))
        except Fault as fault:
            faults.append(str(fault))
    if faults:
        raise Fault("\n".join(faults))
    return found


def table(formats, link):
    """Markdown; `link` returns the address of a format's page."""
    heads = ["format"] + [head for head, _ in formats[0].facts()]
    lines = [heads, ["---"] * len(heads)]
    lines += [[f"[{f.name}]({link(f)})"] + [cell for _, cell in f.facts()] for f in formats]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def with_table(text, new):
    """The page with the table between its markers replaced."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise Fault(f"{PAGE}: expected exactly one pair of lines\n{BEGIN}{END}")
    head, _, rest = text.partition(BEGIN)
    return head + BEGIN + new + END + rest.partition(END)[2]


def moved(text, old, new):
    """The text with its relative links adjusted to another folder."""
    def link(match):
        return f"]({os.path.relpath(old / match.group(1), new)})"
    return re.sub(r"\]\((?!\w+:|#|/)([^)\s]+)\)", link, text)


def page_of(form, formats, body):
    """The README, preceded by the facts from the registry and links to the other formats."""
    title, _, body = body.partition("\n")
    facts = "".join(f"| {head} | {cell} |\n" for head, cell in form.facts())
    others = " ".join(f.name if f is form else f"[{f.name}]({f.name}.md)" for f in formats)
    return (f"{title}\n\n[all formats](../formats.md): {others}\n\n| | |\n|---|---|\n{facts}"
            f"| tunables | `{form.name}{':' if form.tunables else ''}{form.tunables}` |\n{body}")


def write(tree, out, formats):
    committed = tree / PAGE
    text = with_table(committed.read_text(), table(formats, "../src/formats/{0.page}".format))
    committed.write_text(text)
    pages = out / "formats"
    pages.mkdir(parents=True, exist_ok=True)
    for old in pages.glob("*.md"):
        old.unlink()
    for form in formats:
        body = moved(form.text, (tree / "src/formats" / form.page).parent, pages)
        (pages / f"{form.name}.md").write_text(page_of(form, formats, body))
    text = moved(text, committed.parent, out)
    (out / "formats.md").write_text(with_table(text, table(formats, "formats/{0.name}.md".format)))


def check(tree, formats):
    text = (tree / PAGE).read_text()
    if with_table(text, table(formats, "../src/formats/{0.page}".format)) != text:
        raise Fault(f"{PAGE} is not what the sources say: run ./dev docs")


def main():
    arguments = sys.argv[1:]
    if len(arguments) < 2 or (arguments[1:] != ["--check"]
                              and (arguments[1] != "--write" or len(arguments) != 3)):
        sys.exit(__doc__)
    tree = Path(arguments[0])
    try:
        formats = formats_of(tree)
        if arguments[1] == "--check":
            check(tree, formats)
        else:
            write(tree, Path(arguments[2]), formats)
    except Fault as fault:
        print(fault)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
