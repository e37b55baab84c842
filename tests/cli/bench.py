"""`tulle bench`: all formats are there, the figures agree with each other, and the page with the table."""

import json
import math
import re
from html.parser import HTMLParser

from harness import fail_with, same, well

KEYS = ["name", "chosen", "refused", "product_seconds", "median_seconds", "best_seconds", "samples", "over_csr",
        "convert_seconds", "bytes", "allocated_bytes", "break_even", "total_seconds", "right"]


# Other libraries have tests of their own (peers.py).
QUICK = ["--seconds", "0.001", "--compare", "none"]


def made(place, spec="fem:n=5,b=3,pattern=general,values=random"):
    well(place.run("generate", spec, "-o", "a.mtx"))


def told(place, *args):
    return json.loads(well(place.run("bench", *QUICK, "--json", "--no-wisdom", *args, "a.mtx")))


def near(got, want, what):
    assert math.isclose(got, want, rel_tol=1e-9), f"{what}: {got}, not {want}"


def case_every_format(place):
    """Each format is measured or refused with a reason; one is chosen; all are right."""
    made(place)
    names = [f["name"] for f in json.loads(well(place.run("formats", "--json")))]
    for kind in ("f32", "f64"):
        got = told(place, "--value-type", kind)
        same(sorted(f["name"] for f in got["formats"]), sorted(names), "formats")
        same([f["name"] for f in got["formats"] if f["chosen"]], [got["chosen"]], "chosen")
        measured = [f for f in got["formats"] if not f["refused"]]
        for f in [*measured, got["plain"]]:
            same(list(f), KEYS, f"keys of {f['name']}")
            same(f["right"], True, f"{f['name']} is right")
            assert f["median_seconds"] >= f["best_seconds"] > 0 and f["samples"] >= 5, f
        assert {"csr", "sell", "csr5"} <= {f["name"] for f in measured} or len(measured) > 5, measured
        assert next(f for f in got["formats"] if f["name"] == "sym")["refused"], "sym took a matrix that is not symmetric"


def case_figures(place):
    """Totals, ratios and break-even follow from the times; the order is that of the totals."""
    made(place)
    got = told(place, "--multiplies", "50")
    measured = [f for f in got["formats"] if not f["refused"]]
    csr = next(f for f in measured if f["name"] == "csr")
    near(csr["over_csr"], 1, "csr over itself")
    for f in [*measured, got["plain"]]:
        near(f["product_seconds"] * f["over_csr"], csr["product_seconds"], f"product of {f['name']}")
        near(f["total_seconds"], f["convert_seconds"] + 50 * f["product_seconds"], f"total of {f['name']}")
        gain = csr["product_seconds"] - f["product_seconds"]
        if f["break_even"] is None:
            assert gain <= 1e-12 * csr["product_seconds"], f
        else:
            after = f["convert_seconds"] - csr["convert_seconds"] - f["break_even"] * gain
            assert after <= 1e-9 and (not f["break_even"] or after + gain >= -1e-9), f
    totals = [f["total_seconds"] for f in measured]
    same(totals, sorted(totals), "order")
    same([bool(f["refused"]) for f in got["formats"]], sorted(bool(f["refused"]) for f in got["formats"]), "refused last")


class Page(HTMLParser):
    """The first cells of rows, and whether something would be loaded."""

    def __init__(self, text):
        super().__init__()
        self.first, self.open, self.outside, self.texts = [], [], [], []
        self.in_row = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "rect", "line", "polyline", "circle"):
            self.open.append(tag)
        self.outside += [value for name, value in attrs if name in ("src", "href")]
        self.in_row = 1 if tag == "tr" else self.in_row

    def handle_endtag(self, tag):
        if tag not in ("rect", "line", "polyline", "circle"):
            same(self.open.pop(), tag, "closing tag")

    def handle_data(self, data):
        self.texts.append(data)
        if self.in_row == 1 and self.open and self.open[-1] == "td":
            self.first.append(data)
            self.in_row = 2


def case_page(place):
    """The page is complete, loads nothing, has a row per format, and shows a name as text."""
    made(place)
    (place.folder / "a.mtx").rename(place.folder / "<b>&.mtx")
    got = json.loads(well(place.run("bench", *QUICK, "--json", "--html", "out.html", "<b>&.mtx")))
    text = (place.folder / "out.html").read_text()
    page = Page(text)
    same((page.open, page.outside), ([], []), "tags left open, and what is loaded")
    for name in [*(f["name"] for f in got["formats"]), "plain loop"]:
        assert name in page.first, f"no row for {name}"
    assert "<b>" not in text and "<b>&.mtx" in "".join(page.texts), "the name is not escaped"
    assert "<svg" in text and "break-even" in text, "no plots"


def case_text(place):
    """The table for people and the one in Markdown have a line per format."""
    made(place)
    text = well(place.run("bench", *QUICK, "a.mtx"))
    same(len(re.findall(r"^> ", text, re.M)), 1, "marked formats")
    for words in ("plain loop", "Not measured", "tulle-compare", "Measured"):
        assert words in text, words
    table = well(place.run("bench", *QUICK, "--markdown", "a.mtx"))
    rows = [line for line in table.splitlines() if line.startswith("|")]
    same({line.count("|") for line in rows}, {8}, "columns")
    same(len([line for line in rows if line.startswith("| **")]), 1, "marked rows")


def case_odd_matrices(place):
    """No rows, no entries, a pattern, one row."""
    for header, body in (("real general", "0 0 0\n"), ("real general", "4 3 0\n"), ("pattern general", "2 2 1\n1 2\n"),
                         ("real general", "1 5 2\n1 1 2.5\n1 5 -1\n")):
        place.write("a.mtx", f"%%MatrixMarket matrix coordinate {header}\n{body}")
        got = told(place, "--html", "out.html")
        same([key for key in got if "peer" in key], [], "members about other libraries")
        assert all(f["right"] for f in got["formats"] if not f["refused"]) and got["plain"]["right"], (header, body)


def case_refusals(place):
    made(place)
    fail_with(place.run("bench", "--html", "out.txt", "a.mtx"), 2, "ends in .html")
    fail_with(place.run("bench", "--markdown", "--json", "a.mtx"), 2, "exclude each other")
    fail_with(place.run("bench", "--html", "a.html", "none.mtx"), 3, "none.mtx")
