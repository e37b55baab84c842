"""`tulle plan`: its text and its JSON tell the same, the sums in them add up, and the wisdom file goes
where it belongs and nowhere else."""

import json
import math
import os
import re
import stat

from harness import environment, fail_with, same, well

KEYS = ["file", "stand_in", "rows", "cols", "nnz", "read_seconds", "threads", "plan", "candidates",
        "wisdom", "explain"]
PLAN = ["format", "kernel", "isa", "why", "transposed", "both", "stores", "way", "rows", "cols", "nnz", "value_type",
        "multiplies", "vectors", "bytes", "extra_bytes", "scratch", "parts", "borrows_values", "note", "value_error",
        "seconds", "convert_seconds", "multiply_seconds", "measured", "transposed_seconds", "transposed_measured",
        "read_bandwidth", "machine_measured"]
CANDIDATE = ["format", "way", "chosen", "out", "because", "bytes", "convert_seconds", "multiply_seconds",
             "measured_convert", "measured_multiply", "spread", "doubt", "total_seconds", "break_even"]

DEVICE_KEYS = ["file", "stand_in", "rows", "cols", "nnz", "read_seconds", "device", "candidates"]
DEVICE_CANDIDATE = ["format", "out", "because", "relative", "bytes", "requested", "x_requested", "instructions",
                    "launches", "occupancy", "same_bits"]

# Matrices for which different formats are in and out.
SPECS = ["stencil5:n=30", "fem:n=6,b=3", "rmat:scale=11,edges=8", "lp:rows=5,cols=3000,mean=200",
         "random:rows=400,cols=300,mean=9", "dense:rows=40,cols=30"]

# One part, so one thread: times of it can be trusted now and then on the busiest machine.
SMALL = "fem:n=4,b=3"


def planned(place, *args, env=None):
    return json.loads(well(place.run("plan", "--json", *args, env=env)))


def make(place, spec, name="a.mtx"):
    well(place.run("generate", spec, "-o", name))
    return name


def close(got, want, what):
    assert math.isclose(got, want, rel_tol=1e-9, abs_tol=1e-12), f"{what}: {got}, not {want}"


def best(candidate, what):
    """Seconds by what is known best."""
    return candidate[f"measured_{what}"] or candidate[f"{what}_seconds"] or 0


def was_measured(got):
    return any(c["measured_multiply"] for c in got["candidates"])


def was_timed(got):
    """Trusted or not: on a busy machine no time may be."""
    return was_measured(got) or any(c["doubt"] for c in got["candidates"])


def measure(place, *args, env=None):
    """A plan that has measured, with all times trusted, however busy the machine is."""
    for _ in range(200):
        got = planned(place, "--measure", *args, env=env)
        if was_measured(got) and not any(c["doubt"] for c in got["candidates"]):
            return got
    raise AssertionError("200 plans, and none could trust its times")


def sums(got):
    """The figures of the candidates follow from each other; the chosen one is the best. Of those that were
    measured it is the best or a tie."""
    multiplies, inside = got["plan"]["multiplies"], [c for c in got["candidates"] if not c["out"]]
    base = got["candidates"][0]
    for c in inside:
        close(c["total_seconds"], best(c, "convert") + multiplies * best(c, "multiply"), "total")
        extra = best(c, "convert") - best(base, "convert")
        gain = best(base, "multiply") - best(c, "multiply")
        if c is base or extra <= 0:
            same(c["break_even"], 0, f"break-even of {c['format']}")
        elif gain <= 0:
            same(c["break_even"], None, f"break-even of {c['format']}")
        else:
            assert abs(c["break_even"] - extra / gain) <= 1 + 1e-6 * c["break_even"], c
    chosen = [c for c in got["candidates"] if c["chosen"]]
    same([(c["format"], c["way"]) for c in chosen], [(got["plan"]["format"], got["plan"]["way"])], "chosen")
    tried = [c for c in inside if c["measured_multiply"]]
    least = min(c["total_seconds"] for c in tried or inside)
    tie = 1.1 if tried else 1
    for c in got["candidates"]:
        same(c["spread"] is not None, c["measured_multiply"] is not None, f"spread of {c['format']}")
        assert c["spread"] is None or c["spread"] >= 1, c
    assert chosen[0]["total_seconds"] <= tie * least * (1 + 1e-9), f"{chosen[0]}, but {least}"
    close(got["plan"]["multiply_seconds"], best(chosen[0], "multiply"), "seconds of the plan")


def of_kind(spec):
    def run(place):
        make(place, spec)
        for more in (["--multiplies", "20"], [], ["--measure", "--multiplies", "100000"],
                     ["-t", "--value-type", "f32"]):
            got = planned(place, "a.mtx", *more)
            same(list(got), KEYS, "keys")
            same(list(got["plan"]), PLAN, "keys of the plan")
            for c in got["candidates"]:
                same(list(c), CANDIDATE, "keys of a candidate")
                assert 0 < len(c["because"]) < 120, c
            same(got["plan"]["multiplies"], float(more[-1]) if "--multiplies" in more else 1000, "N")
            same(was_timed(got), "--measure" in more, "timed")
            same("? timed but disturbed" in got["explain"], any(c["doubt"] and not c["out"] for c in got["candidates"]),
                 "marked as not trusted")
            assert "--measure" in more or not got["plan"]["machine_measured"], "the machine was timed"
            if "-t" not in more:
                assert len(got["candidates"]) > 3, "too few candidates"
            sums(got)
            rows_of_the_text(got)
    return run


def rows_of_the_text(got):
    """The table has the candidates that are in, by their totals, with their figures."""
    plan, table, reasons = got["explain"].split("\n\n")
    order = sorted((c for c in got["candidates"] if not c["out"]), key=lambda c: c["total_seconds"])
    rows = [line.split() for line in table.splitlines()[2:] if "%" in line]
    marked = [row[1:] if row[0] == ">" else row for row in rows]
    same([row[0] for row in marked], [c["format"] for c in order], "rows of the table")
    same([row[1] for row in rows if row[0] == ">"], [got["plan"]["format"]], "the marked row")
    ways = got["candidates"][0]["way"] == "scatter"
    if ways:
        told = [" ".join(row[1:3]) if row[1] == "as" else row[1] for row in marked]
        same(told, [c["way"] for c in order], "ways in the table")
        marked = [[row[0]] + row[1 + len(way.split()):] for row, way in zip(marked, told)]
    csr = got["candidates"][0]["bytes"]
    pays = -2
    for row, c in zip(marked, order):
        same(int(row[1]), round(100 * c["bytes"] / csr), f"bytes of {c['format']}")
        want = "never" if c["break_even"] is None else f"{c['break_even']:.0f}" if c["break_even"] else "-"
        same(row[pays], want, f"break-even of {c['format']}")
    words = re.sub(r"\s+", " ", reasons)
    for c in got["candidates"]:
        name = f"{c['format']} {c['way']}" if ways else c["format"]
        assert f"{name} {'ruled out: ' if c['out'] else ''}{c['because']}" in words, c
    assert all(len(line) <= 96 for line in got["explain"].splitlines()), "a long line"
    assert re.search(r"^reads +[0-9.]+ MB", plan, re.M), plan
    same(bool(re.search(r"^machine +reads .* \(measured\)$", plan, re.M)), got["plan"]["machine_measured"],
         "whether the machine was measured")


def case_few_multiplications(place):
    make(place, SPECS[0])
    got = planned(place, "--multiplies", "19", "a.mtx")
    same((got["candidates"], got["plan"]["format"]), ([], "csr"), "candidates and format")
    same(got["plan"]["multiply_seconds"], None, "seconds of a multiplication")
    same(got["plan"]["read_bandwidth"], None, "bandwidth")
    assert "\n\n" not in got["explain"] and "bandwidth" not in got["explain"], got["explain"]
    assert planned(place, "--multiplies", "20", "a.mtx")["candidates"]


def case_text_is_the_librarys(place):
    make(place, SPECS[1])
    lines = well(place.run("plan", "a.mtx")).splitlines()
    assert re.match(r"a\.mtx: 648 x 648, 29,808 entries, read in ", lines[0]), lines[0]
    assert lines[1].startswith("y = A x with "), lines[1]
    same(sum(line.startswith("> ") for line in lines), 1, "marked rows")


def case_memory(place):
    """Who may take little memory does not convert."""
    make(place, SPECS[1])
    assert planned(place, "a.mtx")["plan"]["format"] != "csr"
    got = planned(place, "--max-bytes", "32K", "a.mtx")
    same(got["plan"]["format"], "csr", "format")
    for c in got["candidates"][1:]:
        same(c["out"], True, f"{c['format']} is out")
    fail_with(place.run("plan", "--max-bytes", "none", "a.mtx"), 2, "--max-bytes must be a size")


def case_vectors(place):
    """A plan for several vectors says so, and prices a product of all of them."""
    make(place, SPECS[1])
    one, got = planned(place, "a.mtx"), planned(place, "--vectors", "8", "a.mtx")
    same((one["plan"]["vectors"], got["plan"]["vectors"]), (1, 8), "vectors")
    assert "of 8 vectors at once" in got["explain"] and "at once" not in one["explain"], got["explain"]
    assert one["candidates"][0]["multiply_seconds"] < got["candidates"][0]["multiply_seconds"], "seconds"
    fail_with(place.run("plan", "--vectors", "0", "a.mtx"), 2, "--vectors must be a number from 1")


def case_transposed(place):
    """How often decides whether A^T is built; of a symmetric matrix it never is."""
    make(place, SPECS[4])
    got = planned(place, "-t", "--multiplies", "5", "a.mtx")
    same((got["plan"]["way"], got["plan"]["kernel"]), ("scatter", "scatter"), "5 multiplications")
    assert "scattered from A" in got["explain"], got["explain"]
    got = planned(place, "-t", "--multiplies", "1000000", "a.mtx")
    same(got["plan"]["way"], "built", "many multiplications")
    assert re.search(r"^transpose +built in .* \(measured\), [0-9.]+ MB \(actual\)$", got["explain"], re.M), got["explain"]
    place.write("s.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 3\n2 1 4\n")
    for multiplies in ("5", "1000000"):
        got = planned(place, "-t", "--multiplies", multiplies, "s.mtx")
        same((got["plan"]["way"], got["plan"]["transposed"]), ("as is", True), "a symmetric matrix")
        assert "A^T equals A" in got["explain"], got["explain"]


def case_both(place):
    """One store or two: as asked for, as memory allows, and said with both times."""
    make(place, "random:rows=6000,cols=5000,mean=40")
    for stores in (1, 2):
        got = planned(place, "--both", "--stores", str(stores), "--multiplies", "100000", "a.mtx")
        same((got["plan"]["both"], got["plan"]["transposed"], got["plan"]["stores"]), (True, False, stores), "the plan")
        assert got["plan"]["multiply_seconds"] > 0 and got["plan"]["transposed_seconds"] > 0, got["plan"]
        assert re.search(rf"^stores +{['one', 'two'][stores - 1]}: ", got["explain"], re.M), got["explain"]
        assert re.search(r"^A\^T time +.* \(predicted\)$", got["explain"], re.M), got["explain"]
        assert re.search(rf"^> {['one', 'two'][stores - 1]} ", got["explain"], re.M), got["explain"]
    got = planned(place, "--both", "--multiplies", "100000", "--max-bytes", "20000", "a.mtx")
    same((got["plan"]["stores"], got["plan"]["format"]), (1, "csr"), "without memory")
    done = json.loads(well(place.run("mul", "--both", "--json", "--seconds", "0.001", "a.mtx")))
    same((done["check"]["right"], done["transposed"]["check"]["right"]), (True, True), "products")
    assert "y = A^T x with" in well(place.run("mul", "--both", "--stores", "1", "--seconds", "0.001", "a.mtx"))
    for command in ("plan", "mul"):
        fail_with(place.run(command, "--both", "-t", "a.mtx"), 2, "exclude each other")
        fail_with(place.run(command, "--stores", "1", "a.mtx"), 2, "--stores is for plans with --both")
        fail_with(place.run(command, "--both", "--stores", "3", "a.mtx"), 2, "--stores must be")
        fail_with(place.run(command, "--both", "--device", "cuda:0", "a.mtx"), 2, "--both is for the CPU")


def case_device(place):
    """The ranking for a device: text and JSON say the same, and neither has a time in it."""
    name = make(place, "fem:n=6,b=3")
    for device in ("h100", "mi250", "gtx295"):
        got, text = planned(place, "--device", device, name), well(place.run("plan", "--device", device, name))
        same(list(got), DEVICE_KEYS, "keys")
        same(got["device"]["name"], device, "the device")
        inside = [c for c in got["candidates"] if not c["out"]]
        same([c["format"] for c in inside], [line.split()[0] for line in text.splitlines() if "%" in line], "order")
        same(inside[0]["relative"], 1, "cost of the first")
        assert all(a["relative"] <= b["relative"] for a, b in zip(inside, inside[1:])), "not in order"
        for c in got["candidates"]:
            same(list(c), DEVICE_CANDIDATE, "keys of a candidate")
            assert not c["out"] or f"{c['format']} ruled out: {c['because']}" in re.sub(" +", " ", text), c
        same(re.search("^choice +(.*)$", text, re.M)[1], inside[0]["format"], "the choice")
        assert not re.search(r"\b[0-9.]+ ?(s|ms|us|ns)\b|second", text.split("\n", 1)[1]), text


def case_nothing_to_multiply(place):
    for rows, cols in ((0, 0), (5, 0), (0, 5), (7, 7)):
        place.write("a.mtx", f"%%MatrixMarket matrix coordinate real general\n{rows} {cols} 0\n")
        for more in ([], ["--measure"], ["-t"]):
            got = planned(place, "a.mtx", *more)
            same(got["nnz"], 0, "nnz")
            well(place.run("plan", "a.mtx", *more))


def case_many_multiplications(place):
    make(place, SPECS[0])
    got = planned(place, "--multiplies", "1e18", "a.mtx")
    sums(got)
    assert "for 1e+18" in got["explain"], got["explain"]
    assert all(len(line) <= 96 for line in got["explain"].splitlines())


# ---- wisdom ------------------------------------------------------------------------------------------

def home_of(place):
    home = place.folder / "home"
    home.mkdir(exist_ok=True)
    return home


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def case_wisdom_in_the_cache(place):
    make(place, SMALL)
    home = home_of(place)
    env = environment(HOME=str(home))
    first = planned(place, "a.mtx", env=env)
    same(files_in(home), [], "a plan that measures nothing writes nothing")
    same(first["wisdom"], str(home / ".cache/tulle/wisdom"), "its name")
    planned(place, "--measure", "--no-wisdom", "a.mtx", env=env)
    same(files_in(home), [], "--no-wisdom writes nothing")
    measured = measure(place, "--multiplies", "1e6", "a.mtx", env=env)
    same(files_in(home), [".cache", ".cache/tulle", ".cache/tulle/wisdom"], "files")
    for folder in (".cache", ".cache/tulle"):
        same(stat.S_IMODE((home / folder).stat().st_mode), 0o700, folder)
    recalled = planned(place, "--multiplies", "1e6", "a.mtx", env=env)
    same(recalled["plan"]["format"], measured["plan"]["format"], "the same choice")
    kept = {c["format"]: (c["measured_multiply"], c["spread"]) for c in measured["candidates"]}
    for c in recalled["candidates"]:
        same((c["measured_multiply"], c["spread"]), kept[c["format"]], f"{c['format']} as it was measured")
    same(was_measured(recalled), True, "read again")
    mul = json.loads(well(place.run("mul", "--json", "--seconds", "0.001", "--multiplies", "1e6", "a.mtx",
                                    env=env)))
    same(mul["plan"]["format"], recalled["plan"]["format"], "the choice of mul")
    same(was_measured(planned(place, "--no-wisdom", "a.mtx", env=env)), False, "without wisdom")
    assert was_measured(planned(place, "--measure", "--multiplies", "1e6", "a.mtx", env=env)), "tried again"


def case_wisdom_by_xdg(place):
    make(place, SMALL)
    home, cache = home_of(place), place.folder / "cache"
    env = environment(HOME=str(home), XDG_CACHE_HOME=str(cache))
    measure(place, "a.mtx", env=env)
    same((files_in(home), files_in(cache)), ([], ["tulle", "tulle/wisdom"]), "files")
    for odd in ("relative", ""):
        env = environment(HOME=str(home), XDG_CACHE_HOME=odd)
        same(planned(place, "a.mtx", env=env)["wisdom"], str(home / ".cache/tulle/wisdom"), odd)
    assert not (place.folder / "relative").exists()


def case_no_place_for_wisdom(place):
    """A plan is made all the same, and nothing is said."""
    make(place, SPECS[1])
    blocked = place.folder / "blocked"
    blocked.write_text("a file, not a folder")
    for words in ({"HOME": "/nonexistent"}, {"HOME": ""}, {"HOME": "relative"}, {"HOME": "/proc"},
                  {"HOME": str(blocked)}, {"XDG_CACHE_HOME": str(blocked)}, {"HOME": "/dev/null"}):
        got = planned(place, "--measure", "a.mtx", env=environment(**words))
        same((got["wisdom"], was_timed(got)), (None, True), str(words))
    same(blocked.read_text(), "a file, not a folder", "what is in the way")
    same(sorted(os.listdir(place.folder)), ["a.mtx", "blocked"], "files")


def case_named_wisdom(place):
    make(place, SMALL)
    same(measure(place, "--wisdom", "w", "a.mtx")["wisdom"], "w", "its name")
    assert (place.folder / "w").read_text().startswith("tulle wisdom ")
    same(was_measured(planned(place, "--wisdom", "w", "a.mtx")), True, "read again")
    for command in ("plan", "mul", "pagerank"):
        fail_with(place.run(command, "--wisdom", "w", "--no-wisdom", "a.mtx"), 2, "exclude")
        fail_with(place.run(command, "--wisdom", "", "a.mtx"), 2, "empty")
    for command in ("mul", "pagerank"):
        fail_with(place.run(command, "--wisdom", "w", "--format", "csr", "a.mtx"), 2, "plans that choose")


def case_output_names_the_wisdom(place):
    make(place, "rmat:scale=8,values=ones")
    more = {"plan": [], "mul": ["--seconds", "0.001"], "pagerank": []}
    for command, words in more.items():
        for asked, name in ((["--wisdom", "w"], "w"), (["--no-wisdom"], None)):
            text = well(place.run(command, *words, *asked, "a.mtx"))
            same(re.findall(r"^wisdom +(\S+)$", text, re.M), [name or "none"], f"{command} {asked}")
            same(json.loads(well(place.run(command, "--json", *words, *asked, "a.mtx")))["wisdom"], name, command)
    for command, words in more.items():
        if command != "plan":
            text = well(place.run(command, *words, "--format", "csr", "a.mtx"))
            same(re.findall(r"^wisdom ", text, re.M), [], "a format that is named needs no wisdom")
    assert not (place.folder / "w").exists()


def case_mul_uses_the_wisdom(place):
    """A file in which another format than the predicted one is the best is followed, or not looked at."""
    make(place, SMALL)
    measure(place, "--multiplies", "1e6", "--wisdom", "w", "a.mtx")
    words = ["--json", "--multiplies", "1e6", "a.mtx"]
    for asked in (["--wisdom", "w"], ["--no-wisdom"]):
        want = planned(place, *asked, *words[1:])["plan"]["format"]
        got = json.loads(well(place.run("mul", "--seconds", "0.001", *asked, *words)))
        same(got["plan"]["format"], want, f"the choice of mul {asked}")


def case_foreign_wisdom(place):
    """Said on stderr, left alone, and the plan is made; the matrix itself is no wisdom either."""
    make(place, SMALL)
    place.write("w", "precious\x1b[31m\n")
    (place.folder / "folder").mkdir()
    os.mkfifo(place.folder / "fifo")
    before = (place.folder / "a.mtx").read_bytes()
    for name in ("w", "folder", "fifo", "a.mtx", "/dev/zero", "no/such/folder", "-", b"\x1b[31m/w"):
        for _ in range(200):  # only a trusted time is to be stored
            done = place.run("plan", "--measure", "--json", "--wisdom", name, "a.mtx")
            same(done.returncode, 0, f"exit with {name}")
            assert b"\x1b" not in done.stderr + done.stdout, done
            if was_measured(json.loads(done.stdout)):
                break
        if name not in ("-",):
            assert done.stderr.startswith(b"tulle plan: wisdom "), done.stderr
    same((place.folder / "w").read_text(), "precious\x1b[31m\n", "the foreign file")
    same((place.folder / "a.mtx").read_bytes(), before, "the matrix")


def case_mul_chooses(place):
    """Without --format mul plans as plan does, and reports the plan without the others."""
    make(place, SPECS[1])
    want = planned(place, "a.mtx")["plan"]["format"]
    got = json.loads(well(place.run("mul", "--json", "--seconds", "0.001", "a.mtx")))
    same(got["plan"]["format"], want, "format")
    assert "\n\n" in got["plan"]["explain"]
    text = well(place.run("mul", "--seconds", "0.001", "a.mtx"))
    assert f"y = A x with {want}," in text and "\n\n" not in text and "> " not in text, text


CASES = ([(spec, of_kind(spec)) for spec in SPECS] +
         [(name[5:], f) for name, f in list(globals().items()) if name.startswith("case_")])
