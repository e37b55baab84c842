"""A picture of horizontal bars as SVG: sections of named figures, each a bar with a line from the least to the largest value."""

import math
import statistics
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT, TOP = 720, 150, 150, 40
ROW, BAR, HEAD = 20, 12, 44
INK, FAINT, LINE = "#333", "#ddd", "#e07800"
FIRST, OTHER = "#104880", "#70a8d8"  # told apart by brightness, too


def text(x, y, words, anchor="start", weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{INK}" font-weight="{weight}">'
            f"{escape(str(words))}</text>\n")


def bar(y, name, values, across, first):
    """One row: the median of the values as a bar, their range as a line, all of them as text."""
    middle, begin = y + ROW / 2, across(0)
    out = text(LEFT - 8, middle + 4, name, "end")
    out += (f'<rect x="{begin:.1f}" y="{middle - BAR / 2:.1f}" width="{across(statistics.median(values)) - begin:.1f}" '
            f'height="{BAR}" fill="{FIRST if first else OTHER}"/>\n')
    if len(values) > 1:
        out += f'<path d="M{across(min(values)):.1f} {middle:.1f}H{across(max(values)):.1f}" stroke="{LINE}" stroke-width="2"/>\n'
    return out + text(across(max(values)) + 8, middle + 4, " ".join(f"{value:.2f}" for value in values))


def scale(sections):
    """Where a value is drawn, and the numbers of the axis, for all of these sections."""
    most = max(value for _, rows in sections for _, values in rows for value in values)
    ticks = range(0, math.floor(most) + 1, 1 if most <= 8 else math.ceil(most / 8))
    return lambda value: LEFT + value / most * (WIDTH - LEFT - RIGHT), ticks


def draw(title, sections, one_scale=True):
    """The text of an SVG file; sections: [(heading, [(name, [value, ...]), ...]), ...]. The first bar of each is dark."""
    height = TOP + sum(HEAD + ROW * len(rows) for _, rows in sections) + 10
    out = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
           f'font-family="sans-serif" font-size="12">\n<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n')
    out += text(10, 22, title, weight="bold")
    y = TOP
    for heading, rows in sections:
        across, ticks = scale(sections if one_scale else [(heading, rows)])
        out += text(10, y + HEAD - 25, heading)
        y += HEAD
        for tick in ticks:
            colour = INK if tick == 1 else FAINT
            out += f'<path d="M{across(tick):.1f} {y - 2}V{y + ROW * len(rows)}" stroke="{colour}"/>\n'
            out += text(across(tick), y - 5, tick, "middle")
        for number, (name, values) in enumerate(rows):
            out += bar(y, name, values, across, number == 0)
            y += ROW
    return out + "</svg>\n"
