"""`tulle pagerank`: its ranks against a loop in Python, its text against its JSON, its files."""

import json
import math
import random
import re

from harness import environment, fail_with, same, well

KEYS = ["file", "stand_in", "rows", "cols", "nnz", "read_seconds", "formula", "links_rule", "dangling_rule",
        "teleport", "start", "norm", "stop", "damping", "tolerance", "max_iterations", "nodes", "links",
        "dangling", "converged", "iterations", "residual", "error_bound", "threads", "seconds",
        "seconds_per_iteration", "create_seconds", "residuals", "plan", "wisdom", "formats",
        "top"]


def write(place, nodes, links, name="a.mtx", symmetry="general"):
    """links: {(i, j): weight}, from 0; all weights None: a pattern."""
    field = "pattern" if None in links.values() else "real"
    lines = [f"{i + 1} {j + 1}" + ("" if w is None else f" {w!r}") for (i, j), w in links.items()]
    place.write(name, "\n".join([f"%%MatrixMarket matrix coordinate {field} {symmetry}",
                                 f"{nodes} {nodes} {len(links)}", *lines, ""]))
    return name


def ranked(place, *args, code=0):
    done = place.run("pagerank", "--json", *args)
    same(done.returncode, code, f"exit of {args}: {done.stderr}")
    return json.loads(done.stdout)


def reference(nodes, links, d, steps=400):
    weight = {link: 1 if w is None else w for link, w in links.items()}
    out = [sum(w for (i, _), w in weight.items() if i == node) for node in range(nodes)]
    r = [1 / nodes] * nodes
    for _ in range(steps):
        dangling = sum(r[i] for i in range(nodes) if not out[i])
        new = [(d * dangling + 1 - d) / nodes] * nodes
        for (i, j), w in weight.items():
            if w:
                new[j] += d * w * r[i] / out[i]
        r = new
    return r


def graph(seed, nodes, weighted):
    chance = random.Random(seed)
    links = {(chance.randrange(nodes), chance.randrange(nodes)) for _ in range(3 * nodes)}
    links = {(i, j) for i, j in links if i % 7 != 3}  # some are dangling
    return {link: chance.choice([0, 1, 0.25, 3]) if weighted else None for link in sorted(links)}


def read_ranks(place, name="ranks"):
    return [float(line) for line in (place.folder / name).read_text().splitlines()]


def case_ranks(place):
    """Any graph, damping and tolerance: the file of ranks is as near to the loop's as the bound says."""
    for seed in range(6):
        nodes, d = 5 + 9 * seed, (0.85, 0.5, 0.95)[seed % 3]
        links = graph(seed, nodes, seed % 2)
        write(place, nodes, links)
        got = ranked(place, "a.mtx", "--damping", str(d), "--tolerance", "1e-12", "--out", "ranks")
        want, ranks = reference(nodes, links, d), read_ranks(place)
        same(len(ranks), nodes, "lines")
        distance = sum(abs(a - b) for a, b in zip(ranks, want))
        assert distance <= got["error_bound"] + 1e-13, f"off by {distance}: {got['error_bound']}"
        same(got["links"], len(links), "links")
        outs = [sum(1 if w is None else w for (i, _), w in links.items() if i == n) for n in range(nodes)]
        same(got["dangling"], sum(not w for w in outs), "dangling nodes")
        # The highest first, equal ones by their number; to 12 digits the ranks of the file.
        order = sorted(range(nodes), key=lambda i: (-ranks[i], i))[:10]
        same([t["node"] for t in got["top"]], [i + 1 for i in order], "top")
        for t in got["top"]:
            assert math.isclose(t["rank"], ranks[t["node"] - 1], rel_tol=1e-11), t


def case_symmetric_file(place):
    """A triangle of an undirected graph: links go both ways."""
    path = {(1, 0): None, (2, 1): None}
    write(place, 3, path, symmetry="symmetric")
    ranked(place, "a.mtx", "--tolerance", "1e-14", "-o", "ranks")
    both = {**path, (0, 1): None, (1, 2): None}
    for got, want in zip(read_ranks(place), reference(3, both, 0.85)):
        assert abs(got - want) < 1e-12, (got, want)


def case_course(place):
    write(place, 30, graph(9, 30, False))
    got = ranked(place, "a.mtx", "--top", "3", "--formats", "csr,sell:height=8,sigma=64,auto")
    same(list(got), KEYS, "keys")
    same(len(got["residuals"]), got["iterations"], "residuals")
    same(got["residuals"][-1], got["residual"], "the last residual")
    assert got["residual"] < 1e-8 <= got["residuals"][-2], got["residuals"]
    assert all(b <= 0.85 * a * (1 + 1e-9) for a, b in zip(got["residuals"], got["residuals"][1:]))
    assert math.isclose(got["error_bound"], 0.85 / 0.15 * got["residual"], rel_tol=1e-9)
    same([f["asked"] for f in got["formats"]], ["csr", "sell:height=8,sigma=64", "auto"], "formats")
    same([f["format"] for f in got["formats"]][:2], ["csr", "sell"], "formats")
    for f in got["formats"]:
        assert 0 < f["best_seconds"] <= f["median_seconds"], f
    same((got["max_iterations"], len(got["top"])), (119, 3), "bounds")


def case_text(place):
    """The text has the words and figures of the JSON object."""
    write(place, 30, graph(9, 30, False))
    got = ranked(place, "a.mtx")
    text = well(place.run("pagerank", "a.mtx", "--formats", "csr,auto"))
    for key in ("formula", "links_rule", "dangling_rule", "teleport", "start", "norm", "stop"):
        assert got[key] in text, got[key]
    assert f"iterations  {got['iterations']} (119 are enough" in text, text
    assert f"y = A^T x with {got['plan']['format']}," in text, text
    curve = re.findall(r"^ +(\d+)  +(\d\.\d+e-\d+) (#*) *$", text, re.M)
    same(len(curve), 12, "lines of the curve")
    for n, residual, _ in curve:
        same(residual, f"{got['residuals'][int(n) - 1]:.3e}", f"residual {n}")
    bars = [len(bar) for *_, bar in curve]
    same((bars, bars[0], bars[-1]), (sorted(bars, reverse=True), 40, 0), "bars")
    nodes = re.findall(r"^ +\d+  \d\.\d+e-\d+ +(\d+)$", text, re.M)
    same([int(n) for n in nodes], [t["node"] for t in got["top"]], "top")
    assert "█" in well(place.run("pagerank", "a.mtx", env=environment(LC_ALL="C.UTF-8")))


def case_not_converged(place):
    write(place, 30, graph(9, 30, False))
    got = ranked(place, "a.mtx", "--max-iterations", "4", code=1)
    same((got["converged"], got["iterations"], got["max_iterations"]), (False, 4, 4), "end")
    done = place.run("pagerank", "a.mtx", "--max-iterations", "4")
    same(done.returncode, 1, "exit")
    assert b"NOT CONVERGED" in done.stdout


def case_names(place):
    write(place, 3, {(0, 1): None, (2, 1): None})
    for names in ("zero\none\ntwo\n", "zero\r\none\r\ntwo"):
        place.write("names", names)
        got = ranked(place, "a.mtx", "--names", "names")
        same([t["name"] for t in got["top"]], ["one", "zero", "two"], "names")
    place.write("names", b"zero\n\x1b[31mone\xff\ntwo\n")
    text = well(place.run("pagerank", "a.mtx", "--names", "names"))
    assert "\\x1b[31mone\\xff" in text, text
    for wrong, said in (("a\nb\n", "2 names for 3 nodes"), ("", "0 names for 3"), ("a\n" * 4, "4 names for 3")):
        place.write("names", wrong)
        fail_with(place.run("pagerank", "a.mtx", "--names", "names"), 3, said)
    fail_with(place.run("pagerank", "a.mtx", "--names", "nosuch"), 3, "nosuch")
    fail_with(place.run("pagerank", "a.mtx", "--names", "/dev/null"), 3, "not a regular file")
    fail_with(place.run("pagerank", "a.mtx", "--names", "."), 3, "not a regular file")


def case_refusals(place):
    place.matrix("wide.mtx")
    fail_with(place.run("pagerank", "wide.mtx"), 3, "3 x 4")
    write(place, 2, {(0, 1): 1.0, (1, 0): -0.5})
    fail_with(place.run("pagerank", "a.mtx", "-o", "ranks"), 3, "from node 2 to node 1 has weight -0.5")
    assert not (place.folder / "ranks").exists()
    for weight, said in ((float("nan"), "from node 2 to node 1 has weight"), (1e300, "weights of node 2 add up to 1e+300"),
                         (1e-300, "weights of node 2 add up to 1e-300")):
        write(place, 2, {(0, 1): 1.0, (1, 0): weight})
        fail_with(place.run("pagerank", "a.mtx"), 3, said)
    write(place, 2, {(0, 1): None})
    for args, said in ((["--damping", "1"], "--damping"), (["--damping", "0"], "--damping"),
                       (["--tolerance", "0"], "--tolerance"), (["--max-iterations", "0"], "--max-iterations"),
                       (["--top", "-1"], "--top"), (["--format", "nosuch"], "nosuch"),
                       (["--formats", "csr,nosuch"], "nosuch"), (["--formats", ""], "--formats"),
                       (["--formats", ",".join(["csr"] * 17)], "at most 16")):
        fail_with(place.run("pagerank", "a.mtx", *args), 2, said)
    fail_with(place.run("pagerank", "a.mtx", "-o", "a.mtx"), 4, "the input itself")
    same(len(ranked(place, "a.mtx", "--top", "0")["top"]), 0, "top 0")
    same(len(ranked(place, "a.mtx", "--top", "999")["top"]), 2, "top 999")


def case_nothing(place):
    place.write("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n")
    same(ranked(place, "a.mtx", "-o", "ranks")["nodes"], 0, "nodes")
    same((place.folder / "ranks").read_text(), "", "ranks")
    well(place.run("pagerank", "a.mtx"))


def case_threads(place):
    """One file for any number of threads."""
    well(place.run("generate", "rmat:scale=12,edges=8,values=ones", "-o", "g.mtx"))
    texts = set()
    for threads in ("1", "2", "3"):
        well(place.run("pagerank", "g.mtx", "--threads", threads, "-o", "ranks", "--format", "sell"))
        texts.add((place.folder / "ranks").read_text())
    same(len(texts), 1, "different files")
