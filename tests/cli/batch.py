"""`tulle batch`: folders and lists, what it says against its JSON, refusals."""

import json
import random

from harness import fail_with, same, well

KEYS = ["matrices", "left_out", "problems", "rows", "nnz", "value_type", "isa", "special", "bytes", "parts",
        "create_seconds", "classes", "explain", "best_seconds", "gflops", "right", "violations"]


PARTS = {"pattern": 0, "real": 1, "complex": 2}


def write(place, name, rows, cols, seed, field="real"):
    chance = random.Random(seed)
    entries = sorted({(chance.randrange(rows), chance.randrange(cols)) for _ in range(3 * rows)})
    lines = [" ".join([str(i + 1), str(j + 1), *(repr(chance.random()) for _ in range(PARTS[field]))])
             for i, j in entries]
    place.write(name, "\n".join([f"%%MatrixMarket matrix coordinate {field} general",
                                 f"{rows} {cols} {len(entries)}", *lines, ""]))
    return len(entries)


def told(place, *args):
    done = place.run("batch", "--json", "--seconds", "0.001", *args)
    same(done.returncode, 0, f"exit of {args}: {done.stderr}")
    return json.loads(done.stdout)


def case_folder(place):
    """All matrices of a folder; those with too many rows or columns are left out."""
    (place.folder / "some").mkdir()
    nnz = sum(write(place, f"some/{n}.mtx", 5 + n, 9, n, "pattern" if n == 2 else "real") for n in range(4))
    write(place, "some/large.mtx", 60, 9, 8)
    for kind in ("f32", "f64"):
        j = told(place, "--rows", "20", "--times", "3", "--value-type", kind, "some")
        same(list(j), KEYS, "keys")
        same((j["matrices"], j["left_out"], j["problems"], j["nnz"]), (4, 1, 12, 3 * nnz), "counts")
        same((j["value_type"], j["right"], j["violations"]), (kind, True, 0), "result")
        same(sum(c["problems"] for c in j["classes"]), 12, "problems of all classes")
        same(sum(c["nnz"] for c in j["classes"]), j["nnz"], "nonzeros of all classes")


def case_complex(place):
    """Complex, real and pattern files in one batch: all are c128, or c64; with --real-part f64."""
    (place.folder / "some").mkdir()
    nnz = sum(write(place, f"some/{n}.mtx", 5 + n, 9, n, field) for n, field in enumerate(PARTS))
    for kind, words in (("c128", []), ("c64", ["--value-type", "c64"]), ("f64", ["--real-part"])):
        j = told(place, "--times", "5", *words, "some")
        same((j["value_type"], j["right"], j["violations"], j["nnz"]), (kind, True, 0, 5 * nnz), "result")
    fail_with(place.run("batch", "--value-type", "f64", "some"), 3, "complex")


def case_complex_tuned(place):
    """A complex text file and real tuned files of both types in one list; also without the complex one."""
    for n, field in enumerate(("complex", "real", "real", "pattern")):
        write(place, f"{n}.mtx", 5 + n, 9, n, field)
    for n, kind in ((1, "f32"), (2, "f64"), (3, "f64")):
        well(place.run("convert", "--value-type", kind, f"{n}.mtx", f"{n}.tulle"))
    place.write("list", "0.mtx\n1.tulle\n2.tulle\n3.tulle\n")
    place.write("real", "1.tulle\n2.tulle\n3.tulle\n")
    for kind, words in (("c128", ["list"]), ("c64", ["--value-type", "c64", "list"]), ("f64", ["--real-part", "list"]),
                        ("f64", ["real"])):
        j = told(place, *words)
        same((j["value_type"], j["right"], j["problems"]), (kind, True, 3 + (words[-1] == "list")), "result")


def case_complex_left_out(place):
    """A file that is left out as too large does not decide the type."""
    write(place, "real.mtx", 9, 9, 1)
    write(place, "large.mtx", 60, 9, 2, "complex")
    place.write("list", "real.mtx\nlarge.mtx\n")
    j = told(place, "--rows", "20", "list")
    same((j["value_type"], j["matrices"], j["left_out"]), ("f64", 1, 1), "result")
    same(told(place, "list")["value_type"], "c128", "type of all")


def case_list(place):
    """A file of names; one matrix many times is interleaved, and the text says the same."""
    write(place, "a.mtx", 12, 12, 1)
    place.write("list", "# matrices\n\na.mtx\n")
    j = told(place, "--times", "40", "list")
    same((j["special"], [c["kernel"] for c in j["classes"]]), ("one pattern", ["interleaved"]), "choice")
    j = told(place, "--times", "40", "--kernel", "csr", "list")
    same([c["kernel"] for c in j["classes"]], ["csr"], "named kernel")
    done = place.run("batch", "--seconds", "0.001", "--times", "40", "list")
    well(done)
    for word in ("40 problems", "one pattern", "interleaved", "right: 480 rows"):
        same(word in done.stdout.decode(), True, f"{word!r} in the text")


def case_nothing(place):
    """An empty folder is an empty batch."""
    (place.folder / "none").mkdir()
    j = told(place, "none")
    same((j["problems"], j["classes"], j["right"]), (0, [], True), "nothing")


def case_refusals(place):
    """What is not there, not a matrix, not a kernel."""
    place.write("bad", "nowhere.mtx\n")
    (place.folder / "some").mkdir()
    place.write("some/no.mtx", "this is no matrix\n")
    fail_with(place.run("batch", "bad"), 3, "nowhere.mtx")
    fail_with(place.run("batch", "some"), 3, "no.mtx")
    fail_with(place.run("batch", "absent"), 3, "absent")
    write(place, "a.mtx", 3, 3, 1)
    place.write("list", "a.mtx\n")
    fail_with(place.run("batch", "--kernel", "magic", "list"), 2, "magic")
    fail_with(place.run("batch"), 2, "FOLDER")
