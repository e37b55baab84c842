"""A matrix and its plan as HTML, for notebooks."""

from html import escape
from math import isfinite

STYLE = ' style="text-align:left"'


def page(a, transposed):
    """Shape and, if there is a plan, the formats that were compared. Making a plan is left to the user."""
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
    return head + table(candidates, plan["multiplies"]) if candidates else head


def table(candidates, multiplies):
    """The least total first, formats that are ruled out last."""
    titles = ["format", "bytes", "conversion", "product", f"total of {multiplies:,.0f}", "breaks even at", "reason"]
    lines = ["".join(f"<th{STYLE}>{title}</th>" for title in titles)]
    for one in sorted(candidates, key=lambda one: (one["out"], one["total_seconds"] if not one["out"] else 0, one["format"])):
        cells = [one["format"] + (f" ({one['way']})" if one["way"] != "as is" else ""), f"{one['bytes']:,.0f}",
                 seconds(one["measured_convert"] or one["convert_seconds"]),
                 seconds(one["measured_multiply"] or one["multiply_seconds"]), seconds(one["total_seconds"]),
                 f"{one['break_even']:,.0f}" if isfinite(one["break_even"]) else "never",
                 ("ruled out: " if one["out"] else "") + one["because"]]
        if one["out"]:
            cells[1:-1] = [""] * len(cells[1:-1])
        if one["chosen"]:
            cells[0] += ", chosen"
        tag = "b" if one["chosen"] else "span"
        lines.append("".join(f"<td{STYLE}><{tag}>{escape(cell)}</{tag}></td>" for cell in cells))
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def seconds(t):
    for unit, size in (("s", 1), ("ms", 1e-3)):
        if t >= size:
            return f"{t / size:.3g} {unit}"
    return f"{t * 1e6:.3g} us"
