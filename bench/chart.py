"""A small chart as SVG: a few lines over a logarithmic axis, with their names at their ends."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 52, 190, 40, 44
INK, FAINT = "#333", "#ddd"
# The colours also differ in brightness; the second line of a pair is drawn thick.
COLOURS = ["#e0a060", "#b05000", "#70a8d8", "#104880"]
TICKS = [1, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100]
APART = 14  # pixels between two names


def text(x, y, words, anchor="start", colour=INK):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">'
            f"{escape(str(words))}</text>\n")


def spread(heights):
    """{index: height} in the same order, no two closer than APART."""
    placed, last = {}, -math.inf
    for n in sorted(range(len(heights)), key=heights.__getitem__):
        last = placed[n] = max(heights[n], last + APART)
    return placed


class Axes:
    """Logarithmic in both directions; values below 1 count in full."""

    def __init__(self, lines):
        xs = [x for _, points in lines for x, _ in points]
        ys = [y for _, points in lines for _, y in points]
        self.x = (math.log(min(xs)), math.log(max(max(xs), 1.01 * min(xs))))
        self.y = (math.log(min([1.0, *ys])), math.log(max([1.2, *ys])))
        self.xs = sorted(set(xs))
        self.ticks = [t for t in TICKS if self.y[0] <= math.log(t) <= self.y[1]]

    def across(self, x):
        share = (math.log(x) - self.x[0]) / (self.x[1] - self.x[0])
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def down(self, y):
        share = (math.log(y) - self.y[0]) / (self.y[1] - self.y[0])
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def grid(axes, below):
    out = ""
    for tick in axes.ticks:
        y = axes.down(tick)
        out += f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{FAINT}"/>\n'
        out += text(LEFT - 6, y + 4, f"{tick:g}", "end")
    for x in axes.xs:
        out += text(axes.across(x), HEIGHT - BOTTOM + 18, f"{x:g}", "middle")
    return out + text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, below, "middle")


def draw(title, below, lines):
    """The text of an SVG file; lines: [(name, [(x, y), ...]), ...]."""
    axes = Axes(lines)
    names = spread([axes.down(points[-1][1]) for _, points in lines])
    out = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
           f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">\n'
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n')
    out += text(LEFT, 20, title) + grid(axes, below)
    for n, (name, points) in enumerate(lines):
        colour = COLOURS[n % len(COLOURS)]
        path = "L".join(f"{axes.across(x):.1f} {axes.down(y):.1f}" for x, y in points)
        out += (f'<path d="M{path}" fill="none" stroke="{colour}" '
                f'stroke-width="{1.5 + n % 2}"/>\n')
        for x, y in points:
            out += f'<circle cx="{axes.across(x):.1f}" cy="{axes.down(y):.1f}" r="3" fill="{colour}"/>\n'
        label = f"{name} {points[-1][1]:.2f}"
        out += text(WIDTH - RIGHT + 8, names[n] + 4, label, colour=colour)
    return out + "</svg>\n"
