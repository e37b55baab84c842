"""`tulle machine`: text, JSON and picture say the same; what is timed is kept, and files that are broken are no error.

Whether a machine is too busy to be timed is not ours to say, so cases take either answer where it is possible."""

import json
import os
import re

import plots
from harness import fail_with, same, well

LEVELS = ["L1", "L2", "L3", "memory"]
NAMES = ["processor", "threads", "isa", "isa_why", "caches_timed", "memory_timed", "levels", "region_seconds",
         "serial_below", "sets", "fastest_gather", "wisdom"]


def ask(place, *args, **options):
    return json.loads(well(place.run("machine", "--json", *args, **options)))


def check_figures(got):
    same(list(got), NAMES, "names")
    same([level["name"] for level in got["levels"]], LEVELS, "levels")
    for level in got["levels"]:
        assert level["read_bandwidth"] > 0 and level["gather_seconds"] > 0, level
        same(level["timed"], got["memory_timed" if level["name"] == "memory" else "caches_timed"], "timed")
    sizes = [level["bytes"] for level in got["levels"][:3]]
    same(sizes, sorted(sizes), "sizes of caches")
    assert got["isa"] in [s["isa"] for s in got["sets"]], got["sets"]


def case_known(place):
    """Nothing is timed, so the figures are assumed, and the same every time."""
    got = ask(place, "--known", "--no-wisdom")
    check_figures(got)
    assert not got["caches_timed"] and not got["memory_timed"] and got["wisdom"] is None, got
    same([s["tables"] for s in got["sets"]], [[] for _ in got["sets"]], "tables")
    same(got, ask(place, "--known", "--no-wisdom"), "again")
    shown = well(place.run("machine", "--known", "--no-wisdom"))
    same(re.findall(r"^(L1|L2|L3|memory) .* assumed$", shown, re.M), LEVELS, "levels as text")
    for level in got["levels"]:
        assert f"{1e-9 * level['read_bandwidth']:.1f} GB/s" in shown, (level, shown)


def case_timed_and_kept(place):
    for threads in ("1", "2"):
        got = ask(place, "--wisdom", "w", "--threads", threads)
        check_figures(got)
        for s in got["sets"]:
            sizes = [t["bytes"] for t in s["tables"]]
            same(sizes[:2], [4096, 8192], "sizes of tables")
            assert all(t["read_bandwidth"] > 0 and t["gather_seconds"] > 0 for t in s["tables"]), s
        assert got["fastest_gather"] in [s["isa"] for s in got["sets"]], got
        known = ask(place, "--known", "--wisdom", "w", "--threads", threads)
        same(known["caches_timed"], got["caches_timed"], "kept")
        if got["caches_timed"]:
            for ours, theirs in zip(known["levels"], got["levels"]):
                for figure in ("read_bandwidth", "gather_seconds"):
                    assert abs(ours[figure] / theirs[figure] - 1) < 1e-12, (ours, theirs)


def case_picture(place):
    got = ask(place, "--no-wisdom", "--plot", "out.svg")
    picture = plots.parse(place)
    plots.check_shapes(picture)
    words = plots.check_labels(picture)
    same(len(plots.of_class(picture, "polyline", "curve")), 2 * len(got["sets"]), "curves")
    for s in got["sets"]:
        last = s["tables"][-1]
        for figure in (1e-9 * last["read_bandwidth"], 1e9 * last["gather_seconds"]):
            assert f"{s['isa']} {figure:.3g}" in words, (s["isa"], figure, words)


def case_broken_files(place):
    """Damaged, foreign and read-only files, folders and FIFOs: the answer comes all the same."""
    place.write("foreign", "another file\n")
    place.write("damaged", "tulle wisdom 1\n0000 machine 2 nonsense\n")
    place.write("read-only", "tulle wisdom 1\n").chmod(0o400)
    (place.folder / "folder").mkdir()
    os.mkfifo(place.folder / "fifo")
    for name in ("foreign", "damaged", "read-only", "folder", "fifo", "nowhere/at/all"):
        for more in ([], ["--known"]):
            done = place.run("machine", "--json", "--wisdom", name, "--threads", "1", *more)
            same(done.returncode, 0, f"{name}: exit code; {done.stderr.decode()}")
            check_figures(json.loads(done.stdout))
    same((place.folder / "foreign").read_text(), "another file\n", "another's file")


def case_refused(place):
    fail_with(place.run("machine", "x"), 2, "too many")
    fail_with(place.run("machine", "--plot", "x.png"), 2, ".svg")
    fail_with(place.run("machine", "--plot", "x.svg", "--known"), 2, "--known")
    fail_with(place.run("machine", "--wisdom", "w", "--no-wisdom"), 2, "exclude")
    fail_with(place.run("machine", "--wisdom", ""), 2, "empty")
    fail_with(place.run("machine", "--isa", "mmx"), 2, "mmx")
    fail_with(place.run("machine", "--threads", "0"), 2, "--threads")
