#!/usr/bin/env python3
"""Draw how each format stores one matrix of 12 x 12, and write the section of docs/choosing.md that shows the pictures.

Usage: layouts.py TREE LAYOUTS --check   check that pictures and section are what LAYOUTS and the READMEs say
       layouts.py TREE LAYOUTS --write   make them so

LAYOUTS is the program of layouts.c. It reports the order of the entries in memory, and where padding lies. How the
slots are broken into lines is decided here, in LINES, and adds no information.
"""

import colorsys
import json
import subprocess
import sys
from pathlib import Path

from format_docs import Fault, formats_of

PAGE = "docs/choosing.md"
PICTURES = "docs/pictures"
BEGIN = "<!-- made by ./dev docs from the formats and their layouts -->\n"
END = "<!-- end of what ./dev docs makes -->\n"
SIZE = 12
CELL, WIDE, HIGH, GAP, MARGIN, TOP = 17, 32, 17, 6, 20, 64

# What is drawn of a format, and how the slots of each of its arrays are broken into lines; others: ("NAME", [16]).
# A number: slots per line; two numbers: and lines per group. "row", "column": a line for each of them.
# (what, most): a line ends where the same row, column or block row comes again, or after `most` slots.
LINES = {
    "csr": ("csr", ["row"]),
    "sell": ("sell:height=4,sigma=12", [("row", 4)]),
    "bsell": ("bsell:block=2", [("block row", 4)]),
    "hot": ("hot", [("row", 16)]),
    "csr2": ("csr2:high=4,width=2", [(4, 2)]),
    "csr5": ("csr5:sigma=4@avx2", [(4, 4)]),
    "fastload": ("fastload:lanes=4", [("column", 4)]),
    "csc": ("csc", ["column"]),
    "sym": ("sym:block=2", [4, 16]),
}
KEYS = {"row": lambda entry: entry // SIZE, "column": lambda entry: entry % SIZE,
        "block row": lambda entry: entry // SIZE // 2}


# ---- lines ----

def lines_of(slots, rule):
    """[(slots of a line, whether a group begins with it)]."""
    if isinstance(rule, int):
        rule = (rule, len(slots))
    if isinstance(rule[0], int):
        wide, high = rule
        cuts = [slots[k:k + wide] for k in range(0, len(slots), wide)]
        return [(line, n % high == 0) for n, line in enumerate(cuts)]
    if isinstance(rule, str):
        return by_key(slots, KEYS[rule])
    steps = by_steps(slots, KEYS[rule[0]], rule[1])
    # A row has one chunk, so a new row begins one. A column may continue in another block.
    return [(line, group and rule[0] != "column") for line, group in steps]


def by_key(slots, key):
    lines = []
    for entry in slots:
        if not lines or key(entry) != key(lines[-1][0][0]):
            lines.append(([], False))
        lines[-1][0].append(entry)
    return lines


def by_steps(slots, key, most):
    lines, order, last = [], {}, None
    for entry in slots:
        new = entry >= 0 and key(entry) not in order
        if entry >= 0:
            order.setdefault(key(entry), len(order))
        back = entry >= 0 and last is not None and order[key(entry)] <= last
        if not lines or len(lines[-1][0]) == most or back:
            lines.append(([], new))
        lines[-1][0].append(entry)
        last = order[key(entry)] if entry >= 0 else last if len(lines[-1][0]) > 1 else None
    return lines


# ---- pictures ----

def color(row):
    """Two rows of a node block have one hue."""
    red, green, blue = colorsys.hls_to_rgb(row // 2 / 6, .86 if row % 2 == 0 else .74, .7)
    return "#" + "".join(f"{round(255 * part):02x}" for part in (red, green, blue))


def slot(x, y, entry):
    if entry < 0:
        return f'<rect class="hole" x="{x}" y="{y}" width="{WIDE - 2}" height="{HIGH - 2}"/>'
    row, column = divmod(entry, SIZE)
    return (f'<rect x="{x}" y="{y}" width="{WIDE - 2}" height="{HIGH - 2}" fill="{color(row)}"/>'
            f'<text class="on" x="{x + WIDE // 2 - 1}" y="{y + 11}">{row},{column}</text>')


def matrix(entries):
    """The matrix itself, with numbers of rows and columns; a string for each row."""
    left = MARGIN + 16
    rows = ["".join(f'<text class="soft" x="{left + CELL * k + 8}" y="{TOP - 4}">{k}</text>' for k in range(SIZE))]
    for row in range(SIZE):
        y = TOP + CELL * row
        cells = [f'<text class="soft" x="{MARGIN + 6}" y="{y + 11}">{row}</text>']
        for column in range(SIZE):
            fill = f'fill="{color(row)}"' if row * SIZE + column in entries else 'class="empty"'
            cells.append(f'<rect {fill} x="{left + CELL * column}" y="{y}" width="{CELL - 2}" height="{CELL - 2}"/>')
        rows.append("".join(cells))
    return rows


def stored(arrays, rules):
    """The slots of all arrays, a string for each line, and the right and lower end of the drawing."""
    left, y, right, drawing = MARGIN + 16 + CELL * SIZE + 40, TOP, 0, []
    for n, slots in enumerate(arrays):
        for k, (line, group) in enumerate(lines_of(slots, rules[min(n, len(rules) - 1)])):
            y += GAP if k and group else 0
            drawing.append("".join(slot(left + WIDE * place, y, entry) for place, entry in enumerate(line)))
            right = max(right, left + WIDE * len(line))
            y += HIGH
        y += 3 * GAP
    return drawing, right, y - 3 * GAP


def picture(told, spec, rules):
    # the lower triangle stands for both in sym
    entries = {entry for array in told["values"] for entry in array if entry >= 0}
    entries |= {entry % SIZE * SIZE + entry // SIZE for entry in entries} if len(entries) < told["nnz"] else set()
    drawing, right, end = stored(told["values"], rules)
    slots = sum(map(len, told["values"]))
    wide, high = max(right + MARGIN, 500), max(end, TOP + CELL * SIZE) + MARGIN
    name = spec.partition("@")[0]
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" '
            'role="img" font-family="system-ui, -apple-system, \'Segoe UI\', Helvetica, Arial, sans-serif">',
            f"<title>{name}: the order of the entries in memory</title>", "<style>",
            "text{font-size:9.5px;text-anchor:middle}.head{font-size:14px;font-weight:600;text-anchor:start}",
            ".note{font-size:11px;text-anchor:start}.ground{fill:#ffffff}.ink{fill:#1f2328}.soft{fill:#59636e}.on{fill:#1f2328}",
            ".empty{fill:#f3f5f7}.hole{fill:none;stroke:#b5bdc6;stroke-dasharray:2 2}",
            "@media (prefers-color-scheme:dark){.ground{fill:#0d1117}.ink{fill:#f0f3f6}.soft{fill:#aab3bd}",
            ".empty{fill:#1b212a}.hole{stroke:#59636e}}", "</style>",
            f'<rect class="ground" width="{wide}" height="{high}"/>',
            f'<text class="head ink" x="{MARGIN}" y="24">{name}</text>',
            f'<text class="note soft" x="{MARGIN}" y="40">{told["nnz"]} entries in {slots} slots; '
            'memory runs from left to right, then down</text>']
    return "\n".join([*head, *matrix(entries), *drawing, "</svg>", ""])


# ---- the page ----

def drawn(name):
    return f"{PICTURES}/layout-{name}.svg"


def section(formats, told):
    lines = []
    for form in formats:
        about = told.get(form.name)
        lines += [f"### {form.name}", "",
                  (about["summary"][0].upper() + about["summary"][1:] + ". " if about else "") +
                  f"[Description](../src/formats/{form.page}).", "",
                  f"- *best for*: {form.rows['good for']}", f"- *bytes per nonzero*: {form.rows['bytes per nonzero']}",
                  f"- *conversion*: {'none' if form.borrows else form.rows['conversion']}", "",
                  f"![the entries of a matrix in the order of {form.name}]({drawn(form.name).removeprefix('docs/')})", ""]
    return "\n".join(lines)


def with_section(text, new):
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise Fault(f"{PAGE}: expected exactly one pair of lines\n{BEGIN}{END}")
    head, _, rest = text.partition(BEGIN)
    return head + BEGIN + "\n" + new + END + rest.partition(END)[2]


def made(tree, program, formats):
    """{path: text} of everything that is generated; None: to be deleted."""
    specs = {form.name: LINES.get(form.name, (form.name, [16])) for form in formats}
    done = subprocess.run([program, *(spec for spec, _ in specs.values())], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Fault(done.stderr.strip())
    told = {one["format"]: one for one in map(json.loads, done.stdout.splitlines())}
    files = {drawn(name): picture(told[name], *specs[name]) for name in told}
    if len(told) == len(formats):  # else an instruction set is missing: the other pictures are compared
        files[PAGE] = with_section((tree / PAGE).read_text(), section(formats, told))
        extra = {path.relative_to(tree).as_posix() for path in (tree / PICTURES).glob("layout-*.svg")} - set(files)
        files |= dict.fromkeys(extra)
    return files


def main():
    if len(sys.argv) != 4 or sys.argv[3] not in ("--check", "--write"):
        sys.exit(__doc__)
    tree, check = Path(sys.argv[1]), sys.argv[3] == "--check"
    try:
        # A format that was just begun has no picture yet.
        formats = [form for form in formats_of(tree) if not check or (tree / drawn(form.name)).exists()]
        files = made(tree, sys.argv[2], formats)
    except Fault as fault:
        print(fault)
        return 1
    stale = [path for path, text in files.items()
             if text != ((tree / path).read_text() if (tree / path).exists() else None)]
    for path in stale:
        if check:
            print(f"{path} is not what the library stores: run ./dev docs")
        elif files[path] is None:
            (tree / path).unlink()
        else:
            (tree / path).write_text(files[path])
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
