"""Other libraries in `tulle bench`: rows by a stand-in for tulle-compare whose list is known, faults of it, and the real one."""

import json
import math
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from bench import Page
from harness import Place, environment, same, well

# 3 x 4 with 5 entries, as in harness.Place.matrix(). The best sample of csr took 3 ms.
HEAD = "a\t3\t4\t5\t2"
LIST = ["tulle-compare\t1", f"measured\t{HEAD}\tplain\t.008\t.007\t0\t1\t0", f"measured\t{HEAD}\ttulle:csr\t.004\t.003\t0\t1\t0",
        f"measured\t{HEAD}\tmkl\t.009\t.006\t.5\t1\t0", f"measured\t{HEAD}\teigen\t.001\t.00075\t0\t0\t1",
        f"refused\t{HEAD}\tlibrsb\ttoo <small>", "absent\tmkl-opt", "absent\tgraphblas", "end"]
KEYS = ["name", "refused", "product_seconds", "median_seconds", "best_seconds", "over_csr", "convert_seconds", "break_even",
        "total_seconds", "right", "disturbed"]


def stand_in(place, lines=LIST, end="exit 1", name="fake"):
    """A program that keeps its arguments, and writes these lines where --table says."""
    place.write("list", "".join(f"{line}\n" for line in lines))
    program = place.write(name, "#!/bin/sh\nprintf '%s\\n' \"$@\" > arguments\nwhile [ \"$1\" != --table ]; do shift; done\n"
                                f"echo noise\ncat list > \"$2\"\n{end}\n")
    program.chmod(0o700)
    return f"./{name}"


def run(place, *args, **more):
    place.matrix()
    return place.run("bench", "--seconds", "0.001", "--no-wisdom", "--threads", "2", *args, "a.mtx", **more)


def case_rows(place):
    """Times follow from the ratio to csr, in the order of the totals."""
    got = json.loads(well(run(place, "--json", "--compare", stand_in(place))))
    csr = next(f for f in got["formats"] if f["name"] == "csr")
    same([(p["name"], p["refused"]) for p in got["peers"]], [("eigen", ""), ("mkl", ""), ("librsb", "too <small>")], "peers")
    same(got["peers_absent"], "mkl-opt, graphblas", "absent")
    same(got["peers_unmeasured"], "", "unmeasured")
    for peer, over, convert, right in zip(got["peers"], (4, 0.5), (0, 0.5), (False, True)):
        same(list(peer), KEYS, f"keys of {peer['name']}")
        same((peer["over_csr"], peer["convert_seconds"], peer["right"], peer["disturbed"]), (over, convert, right, not right), peer["name"])
        assert math.isclose(peer["product_seconds"], csr["product_seconds"] / over, rel_tol=1e-9), peer
        assert math.isclose(peer["total_seconds"], convert + 1000 * peer["product_seconds"], rel_tol=1e-9), peer
    same(got["peers"][1]["break_even"], None, "break-even of what is slower than csr")


def case_outputs(place):
    """A row in every kind of output; absent ones are named."""
    program = stand_in(place)
    text = well(run(place, "--compare", program, "--html", "out.html"))
    lines = re.findall(r"^  (eigen|mkl) +\S+ +(\S+) +-.*?( WRONG)?$", text, re.M)
    same(lines, [("eigen", "4.00", " WRONG"), ("mkl", "0.50", "")], "lines")
    for words in ("librsb      too <small>", "Absent: mkl-opt, graphblas.", "?: other processes"):
        assert words in text, f"no '{words}' in: {text}"
    assert "not part of this command" not in text, text
    page = (place.folder / "out.html").read_text()
    for name in ("eigen WRONG", "mkl", "librsb"):
        assert name in Page(page).first, f"no row for {name}"
    assert "<small>" not in page and "Absent: mkl-opt, graphblas." in page, page
    table = well(run(place, "--compare", program, "--markdown"))
    same(re.findall(r"^\| (eigen|mkl) \| \S+ \| (\S+) \| - ", table, re.M), [("eigen", "4.00"), ("mkl", "0.50")], "Markdown")


def case_interrupted(place):
    """A signal that ends the command ends the other program, too."""
    program = stand_in(place, end="echo $$ > new; mv new process; exec sleep 100")
    place.matrix()
    it = subprocess.Popen([place.tulle, "bench", "--seconds", "0.001", "--compare", program, "a.mtx"], cwd=place.folder,
                          env=environment(), stdout=subprocess.DEVNULL)
    wait_until((place.folder / "process").exists, "the program does not begin")
    status = Path(f"/proc/{int((place.folder / 'process').read_text())}/stat")
    it.send_signal(signal.SIGTERM)
    same(it.wait(40), -signal.SIGTERM, "how it ended")
    wait_until(lambda: not runs(status), "the program goes on")


def runs(status):
    try:
        return status.read_text().split()[2] != "Z"
    except OSError:
        return False


def wait_until(condition, what):
    until = time.monotonic() + 40
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.01)


def case_arguments(place):
    """The same matrix, threads and instruction set; no shell reads the names."""
    program = stand_in(place, name="f;ake $(x)")
    for name in ("-a.mtx", "gen:a.mtx", "a b;'.mtx"):
        place.matrix(name)
        well(place.run("bench", "--seconds", "0.01", "--threads", "2", "--isa", "scalar", "--json", "--compare", program, "--", name))
        same((place.folder / "arguments").read_text().splitlines(),
             ["--formats", "csr", "--threads", "2", "--seconds", "0.07", "--table", "/dev/fd/3", "--isa", "scalar", f"./{name}"], name)


def case_places(place):
    """Beside the command, in bench/ there, in PATH; none of them: as without other libraries."""
    library = next(place.tulle.parent.glob("libtulle.so.*"), None)
    folder = place.folder / "bin"
    (folder / "bench").mkdir(parents=True)
    moved = Place(shutil.copy(place.tulle, folder), place.folder)
    env = environment(**({"LD_LIBRARY_PATH": str(library.parent)} if library else {}))
    stand_in(place)
    place.matrix()

    def names(path):
        got = json.loads(well(moved.run("bench", "--seconds", "0.001", "--json", "a.mtx", env={**env, "PATH": path})))
        return [p["name"] for p in got["peers"]] if "peers" in got else None

    same(names("/usr/bin:/bin"), None, "no program")
    for where in ("path", "bin/bench", "bin"):
        (place.folder / where).mkdir(exist_ok=True)
        program = shutil.copy(place.folder / "fake", place.folder / where / "tulle-compare")
        same(names(f"/usr/bin:/bin:{place.folder}/path"), ["eigen", "mkl", "librsb"], where)
        os.remove(program)


def case_faults(place):
    """One line on stderr, and everything else as it is."""
    def broken(number, line):
        return [*LIST[:number], line, *LIST[number + 1:]]

    for lines, end, words in (
            (LIST, "echo 'no \033 such' >&2; echo more >&2; exit 2", r"exit status 2: no \x1b such"),
            (LIST, "kill -9 $$", "ended by signal 9"), (LIST[:-1], "exit 0", "not complete"), ([], "exit 0", "not complete"),
            (broken(2, LIST[3]), "exit 0", "not complete"), (broken(0, "tulle-compare\t2"), "exit 0", "line 1"),
            (broken(3, "measured\tmkl"), "exit 0", "line 4"), (broken(3, LIST[3].replace("\t5\t", "\t6\t")), "exit 0", "line 4"),
            (broken(3, LIST[3].replace("mkl", "<b>")), "exit 0", "line 4"), (broken(3, LIST[3].replace(".009", "nan")), "exit 0", "line 4"),
            (LIST[:2] * 30, "exit 0", "line 3"), (LIST[:4] + [LIST[3]] * 40, "exit 0", "line 28")):
        done = run(place, "--json", "--compare", stand_in(place, lines, end))
        said = done.stderr.decode()
        assert done.returncode == 0 and done.stdout, f"exit {done.returncode}: {said}"
        assert said.count("\n") == 1 and words in said and said.startswith("tulle bench: ./fake: "), f"no '{words}' in: {said}"
        got = json.loads(done.stdout)
        same(got["peers"], [], f"peers after {words}")
        assert got["peers_unmeasured"], got
    done = run(place, "--compare", "./nobody")
    assert done.returncode == 0 and b"./nobody: No such file" in done.stderr, done.stderr
    assert b"Other libraries are not measured: ./nobody: No such file" in done.stdout, done.stdout


def case_not_asked(place):
    """What tulle-compare cannot compute is not asked of it, and the reason is printed."""
    program = stand_in(place)
    for option, words in ((["--value-type", "f32"], "f64 only"), (["--real-part"], "real parts"), (["--memory-limit", "1G"], "--memory-limit")):
        assert words in well(run(place, "--compare", program, *option)), words
        assert not (place.folder / "arguments").exists(), option


def case_real(place):
    """The program of this build, where it was built: every known peer has a row or is absent."""
    program = os.environ.get("TULLE_TEST_COMPARE", "")
    if not Path(program).is_file():
        return
    well(place.run("generate", "stencil5:n=20", "-o", "a.mtx"))
    done = place.run("bench", "--seconds", "0.001", "--json", "--no-wisdom", "--threads", "2", "--compare", program, "a.mtx")
    got = json.loads(well(done))
    named = {p["name"] for p in got["peers"]} | set(filter(None, got["peers_absent"].split(", ")))
    assert {"mkl", "mkl-opt", "librsb", "eigen", "graphblas"} <= named, got
    for peer in got["peers"]:
        assert peer["refused"] or (peer["right"] and peer["over_csr"] > 0 and peer["convert_seconds"] >= 0), peer
