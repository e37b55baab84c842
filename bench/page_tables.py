"""Tables of a page that a script makes: `<!-- table: some-name -->` ... `<!-- end -->` holds what some_name(measured) returns."""

import re


def table(heads, rows):
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows]) + "\n"


def short(number):
    """Three digits, with a power of ten where there are more."""
    return f"{number:.3g}" if number < 1000 else f"{number:,.0f}" if number < 1e6 else \
        f"{number:.2e}".replace("e+0", "e").replace("e+", "e")


def page_with_tables(page, measured, tables):
    """The text of the page with each of `tables` made anew."""
    for make in tables:
        name = make.__name__.replace("_", "-")
        page, places = re.subn(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)",
                               lambda m, make=make: f"{m[1]}\n{make(measured)}\n{m[2]}", page, flags=re.S)
        assert places == 1, f"{places} places for the table {name}"
    return page


def write_or_check(file, measured, tables, what, script):
    """what: "write" replaces the tables in the file; "check" compares them. Returns an exit status."""
    old = file.read_text()
    new = page_with_tables(old, measured, tables)
    if what == "write":
        file.write_text(new)
    elif old != new:
        print(f"{file}: tables differ; run bench/{script} write")
        return 1
    return 0
