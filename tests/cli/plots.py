"""The SVG files of `tulle plan --plot`: good XML, all in the picture, no two labels on each other, and
what the JSON of the same plan says is what is drawn."""

import json
import re
import xml.etree.ElementTree

from harness import same, well

SVG = "{http://www.w3.org/2000/svg}"
WIDE = 0.6  # letters of common fonts, by their size
SPECS = ["stencil5:n=40", "fem:n=7,b=3", "rmat:scale=12,edges=8", "lp:rows=5,cols=4000,mean=200",
         "random:rows=500,cols=300,mean=9", "circuit:rows=2000,mean=4", "qcd:l=4,t=4"]


def parse(place):
    try:
        return xml.etree.ElementTree.fromstring((place.folder / "out.svg").read_bytes())
    except xml.etree.ElementTree.ParseError as fault:
        raise AssertionError(f"not XML: {fault}") from fault


def box(text):
    """left, top, right, bottom of a text element, about."""
    size, x, y = (float(text.get(name)) for name in ("font-size", "x", "y"))
    width = WIDE * size * len(text.text)
    left = x - width * {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor")]
    return left, y - 0.75 * size, left + width, y + 0.2 * size


def check_labels(picture):
    """All of the words are in the picture, and none on others."""
    width, height = float(picture.get("width")), float(picture.get("height"))
    same(picture.get("viewBox"), f"0 0 {width:.0f} {height:.0f}", "viewBox")
    boxes = [(text.text, box(text)) for text in picture.iter(f"{SVG}text")]
    for n, (words, (left, top, right, bottom)) in enumerate(boxes):
        assert words and left >= 0 and top >= 0 and right <= width and bottom <= height, \
            f"'{words}' is outside: {left:.0f} {top:.0f} {right:.0f} {bottom:.0f}"
        for others, (l, t, r, b) in boxes[:n]:
            assert right <= l or r <= left or bottom <= t or b <= top, f"'{words}' is on '{others}'"
    return [words for words, _ in boxes]


def check_shapes(picture):
    """Lines, dots and curves stay in the picture as well."""
    width, height = float(picture.get("width")), float(picture.get("height"))
    for shape in picture.iter():
        points = [(shape.get("x1"), shape.get("y1")), (shape.get("x2"), shape.get("y2")),
                  (shape.get("cx"), shape.get("cy"))]
        points += [tuple(point.split(",")) for point in (shape.get("points") or "").split()]
        for x, y in points:
            if x is not None:
                assert 0 <= float(x) <= width and 0 <= float(y) <= height, (shape.tag, x, y)


def plot(place, *args):
    """The picture and the JSON of one run."""
    got = json.loads(well(place.run("plan", "--json", "--plot", "out.svg", *args)))
    picture = parse(place)
    check_shapes(picture)
    return picture, got, check_labels(picture)


def of_class(picture, tag, word):
    return [e for e in picture.iter(SVG + tag) if word in e.get("class", "").split()]


def check_candidates(picture, got, words):
    """Each format in the race is named at a dot and at a curve; the chosen one stands out."""
    inside = [c for c in got["candidates"] if not c["out"]]
    flops = 2e-9 * got["plan"]["nnz"]
    for c in inside:
        speed = f"{flops / (c['measured_multiply'] or c['multiply_seconds']):.3g}"
        mark = ", chosen" if c["chosen"] else ""
        assert f"{c['format']} {speed}{mark}" in words, f"{c['format']} {speed}{mark} in {words}"
        assert {f"{c['format']}{mark}", f"{c['format']}{mark} ↑"} & set(words), (c["format"], words)
    unseen = sum(word.endswith(" ↑") for word in words)
    same(len(of_class(picture, "polyline", "curve")), len(inside) - unseen, "curves")
    same(len(of_class(picture, "polyline", "chosen")), 1, "thick curves")
    rings = [c for c in picture.iter(SVG + "circle") if c.get("r") == "9"]
    same(len(rings), 1, "rings")
    filled = [c for c in picture.iter(SVG + "circle")
              if re.search(r"\bf\d", c.get("class")) and c.get("r") == "5"]
    same(len(filled) - 1, sum(c["measured_multiply"] is not None for c in inside), "filled dots")
    bandwidth = f"{1e-9 * got['plan']['read_bandwidth']:.3g} GB/s "
    assert bandwidth + ("timed" if got["plan"]["machine_measured"] else "assumed") in words, words


def of_kind(spec):
    def run(place):
        well(place.run("generate", spec, "-o", "a.mtx"))
        for more in ([], ["--multiplies", "20"], ["--multiplies", "1e18"], ["--measure"], ["--threads", "1"],
                     ["--value-type", "f32", "--isa", "scalar"]):
            picture, got, words = plot(place, "a.mtx", *more)
            check_candidates(picture, got, words)
            count = got["plan"]["multiplies"]
            shown = f"{count:,.0f}" if count < 1e9 else f"{count:.3g}"
            assert f"planned for {shown}" in words, words
            check_break_even(picture, got, words)
    return run


def check_break_even(picture, got, words):
    """Printed for the chosen format; with one dashed line, and one for the plan."""
    told = [word for word in words if " even at " in word]
    chosen = [c for c in got["candidates"] if c["chosen"]][0]
    if chosen["break_even"] and chosen["break_even"] < 1e9:
        same(told, [f"{chosen['format']} breaks even at {chosen['break_even']:,.0f}"], "break-even")
    same(len(of_class(picture, "line", "plan")), 1 + len(told), "dashed lines")


def case_few_multiplications(place):
    place.matrix()
    picture, _, words = plot(place, "--multiplies", "5", "a.mtx")
    assert any("No formats were compared" in word for word in words), words
    same(len(list(picture.iter(SVG + "polyline"))), 0, "curves")


def case_transposed(place):
    well(place.run("generate", SPECS[4], "-o", "a.mtx"))
    _, got, words = plot(place, "-t", "a.mtx")
    same((got["plan"]["rows"], got["plan"]["cols"]), (300, 500), "sizes")
    assert "300 × 500" in words[0] and "Aᵀ" in words[1], words


def case_nothing_to_multiply(place):
    for rows, cols in ((0, 0), (5, 0), (0, 5), (7, 7)):
        place.write("a.mtx", f"%%MatrixMarket matrix coordinate real general\n{rows} {cols} 0\n")
        plot(place, "a.mtx")


def case_odd_names(place):
    """Names are shown as far as there is room; what XML has other ideas about is escaped."""
    for name in ("x" * 200 + ".mtx", "<&>\"'.mtx", "]]>.mtx", "é" * 60 + ".mtx", "漢" * 70 + ".mtx",
                 "line\nbreak.mtx", "\x1b[31m.mtx", "\ufffe\uffff.mtx", "a\u202eb.mtx"):
        place.matrix(name)
        _, _, words = plot(place, "--", name)
        assert words[0].endswith(": 3 × 4, 5 entries"), words[0]
        if name.startswith("<"):
            assert words[0].startswith(name), words[0]


def case_light_and_dark(place):
    """Every class that is used has a colour for either screen, and the ground too."""
    well(place.run("generate", SPECS[1], "-o", "a.mtx"))
    picture, _, _ = plot(place, "a.mtx")
    light, dark = picture.find(f"{SVG}style").text.split("@media (prefers-color-scheme:dark)")
    used = {word for e in picture.iter() for word in e.get("class", "").split()}
    assert {"ground", "ink", "roof", "s0"} <= used, used
    for word in used - {"lead", "curve", "chosen"}:
        for name, sheet in (("light", light), ("dark", dark)):
            assert re.search(rf"\.{word}\{{(fill|stroke):#[0-9a-f]{{6}}\}}", sheet), f"{word} in {name}"


def case_for_those_who_cannot_see(place):
    place.matrix()
    picture, _, words = plot(place, "a.mtx")
    same((picture.get("role"), picture.find(f"{SVG}title").text), ("img", words[0]), "title")


def case_name_and_message(place):
    place.matrix()
    text = well(place.run("plan", "a.mtx", "--plot", "out.svg"))
    assert text.splitlines()[-1] == "wrote out.svg", text


CASES = ([(spec, of_kind(spec)) for spec in SPECS] +
         [(name[5:], f) for name, f in list(globals().items()) if name.startswith("case_")])
