"""A matrix and its plan as HTML, for notebooks."""

from html import escape
from math import isfinite

STYLE = ' style="text-align:left"'


def page(a, transposed):
    """Shape and, if there is a plan, the formats that were weighed. Making a plan is left to the user."""
    rows, cols = a.shape[:: -1 if transposed else 1]
    name = "tulle.Transposed" if transposed else "tulle.Matrix"
    head = f"<p><b>{name}</b>, {rows:,} &times; {cols:,}, {a.nnz:,} entries of {escape(str(a.dtype))}"
    if not a._planned[transposed]:
        return head + "; not planned yet</p>"
    plan = a._describe(transposed)
    note = f" ({escape(plan['note'])})" if plan["note"] else ""
    head += (f"; <b>{escape(plan['format'])}</b>{note}, {escape(plan['why'])}. One product reads "
             f"{plan['bytes']:,} bytes.</p>")
    candidates = a._candidates(transposed)
    return head + table(candidates) if candidates else head


def table(candidates):
    titles = ["format", "bytes", "conversion", "product", "breaks even at", "reason"]
    lines = ["".join(f"<th{STYLE}>{title}</th>" for title in titles)]
    for one in candidates:
        cells = [one["format"] + (f" ({one['way']})" if one["way"] != "as is" else ""), f"{one['bytes']:,.0f}",
                 seconds(one["measured_convert"] or one["convert_seconds"]),
                 seconds(one["measured_multiply"] or one["multiply_seconds"]),
                 f"{one['break_even']:,.0f}" if isfinite(one["break_even"]) else "never",
                 ("ruled out: " if one["out"] else "") + one["because"]]
        if one["out"]:
            cells[1:5] = [""] * 4
        tag = "b" if one["chosen"] else "span"
        lines.append("".join(f"<td{STYLE}><{tag}>{escape(cell)}</{tag}></td>" for cell in cells))
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def seconds(t):
    for unit, size in (("s", 1), ("ms", 1e-3)):
        if t >= size:
            return f"{t / size:.3g} {unit}"
    return f"{t * 1e6:.3g} us"
