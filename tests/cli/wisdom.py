"""`tulle wisdom`: lists what `plan --measure` has stored, and forgets what it is told to forget, no more."""

import json
import re

from harness import environment, fail_with, same, well
from plans import SMALL, make, measure, planned


def listed(place, *args, env=None):
    return json.loads(well(place.run("wisdom", "--json", *args, env=env)))


def measured(place, *names):
    """A file "w" with the times of these matrices."""
    for n, name in enumerate(names):
        make(place, f"{SMALL},seed={n + 1}" if n == 0 else f"random:rows={200 + n},cols=200,mean=6", name)
        measure(place, "--multiplies", "1e5", "--wisdom", "w", name)


def case_lists_what_was_measured(place):
    measured(place, "a.mtx")
    got = listed(place, "--wisdom", "w")
    same(list(got), ["wisdom", "records", "times"], "keys")
    same(got["wisdom"], "w", "its name")
    plan = planned(place, "--multiplies", "1e5", "--wisdom", "w", "a.mtx")
    want = {c["format"]: (c["measured_multiply"], c["spread"]) for c in plan["candidates"]
            if c["measured_multiply"]}
    same({t["format"]: (t["multiply_seconds"], t["spread"]) for t in got["times"]}, want, "times")
    assert got["records"] > len(got["times"]), "the search is a record, too"
    text = well(place.run("wisdom", "--wisdom", "w"))
    same(re.findall(r"^wisdom +(.*)$", text, re.M), ["w"], "the file")
    rows = re.findall(r"^([0-9a-f]{16})  ([0-9a-f]{16})  (\S+)", text, re.M)
    same(rows, [(t["matrix"], t["machine"], t["format"]) for t in got["times"]], "rows")


def case_forgets_a_matrix(place):
    for by_name in (True, False):
        (place.folder / "w").unlink(missing_ok=True)
        measured(place, "a.mtx", "b.mtx")
        before = listed(place, "--wisdom", "w")
        keys = sorted({t["matrix"] for t in before["times"]})
        same(len(keys), 2, "matrices")
        key = before["times"][0]["matrix"]
        got = listed(place, "--wisdom", "w", "--forget", "a.mtx" if by_name else key)
        same((got["wisdom"], got["forgotten"] > 0), ("w", True), "forgotten")
        after = listed(place, "--wisdom", "w")
        same({t["matrix"] for t in after["times"]}, set(keys) - {key}, "what is left")
        same(after["records"], before["records"] - got["forgotten"], "records")
        same(listed(place, "--wisdom", "w", "--forget", key)["forgotten"], 0, "forgotten twice")


def case_forgets_all(place):
    measured(place, "a.mtx", "b.mtx")
    assert "forgotten" in well(place.run("wisdom", "--wisdom", "w", "--forget", "all"))
    same((place.folder / "w").read_text(), "tulle wisdom 1\n", "the file")
    same(listed(place, "--wisdom", "w")["records"], 0, "records")


def case_no_file(place):
    same(listed(place, "--wisdom", "w")["records"], 0, "records")
    same(listed(place, "--wisdom", "w", "--forget", "all")["forgotten"], 0, "forgotten")
    assert not (place.folder / "w").exists()
    fail_with(place.run("wisdom", env=environment(HOME="relative")), 3, "--wisdom FILE")
    home = place.folder / "home"
    home.mkdir()
    same(listed(place, env=environment(HOME=str(home)))["wisdom"], str(home / ".cache/tulle/wisdom"), "name")
    same(list(home.iterdir()), [], "nothing is made")


def case_wrong_files(place):
    place.write("w", "precious\n")
    fail_with(place.run("wisdom", "--wisdom", "w"), 3, "wisdom w")
    fail_with(place.run("wisdom", "--wisdom", "w", "--forget", "all"), 4, "wisdom w")
    same((place.folder / "w").read_text(), "precious\n", "a foreign file")
    fail_with(place.run("wisdom", "--wisdom", "v", "--forget", "no.mtx"), 3, "no.mtx")
    fail_with(place.run("wisdom", "--forget", ""), 2, "16 hexadecimal digits")
    fail_with(place.run("wisdom", "w"), 2, "one argument too many")


CASES = [(name[5:], f) for name, f in list(globals().items()) if name.startswith("case_")]
