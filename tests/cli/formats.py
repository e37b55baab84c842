"""Every storage format of the build, by its name from `tulle formats`: multiply, and convert and back.

A format may refuse a matrix (ELL one with a dense row) with exit code 6 and a sentence, but not all of
them."""

import json

from harness import UNSUPPORTED, fail_with, same, well

SPECS = ["stencil5:n=9", "random:rows=50,cols=80,mean=6", "empty:rows=200,cols=100,mean=5",
         "lp:rows=4,cols=900,mean=50"]


def formats_of(place):
    return [entry["name"] for entry in json.loads(well(place.run("formats", "--json")))]


def entries_of(path):
    """The size line, and the entries sorted by row and column; ties keep their order."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("%")]
    entries = [line.split() for line in lines[1:]]
    return lines[0], sorted(entries, key=lambda entry: (int(entry[0]), int(entry[1])))


def accepted(result, what):
    """Did it work? If not, it was refused in the documented way."""
    if result.returncode == 0:
        return True
    fail_with(result, UNSUPPORTED)
    print(f"  {what}: {result.stderr.decode().strip()}")
    return False


def for_each(place, check):
    """Run check(format, file) for all; each format must take at least one matrix."""
    for n, spec in enumerate(SPECS):
        well(place.run("generate", spec, "-o", f"{n}.mtx"))
    formats = formats_of(place)
    assert "csr" in formats, formats
    for name in formats:
        done = sum(check(name, f"{n}.mtx") for n in range(len(SPECS)))
        assert done > 0, f"{name} takes no matrix at all"


def case_list_and_json_agree(place):
    """A line of names and summaries per format, below a head; tunables are indented."""
    head, *lines = well(place.run("formats")).splitlines()
    names = [line.split()[0] for line in lines if not line.startswith(" ")]
    same((head.split()[0], names), ("format", formats_of(place)), "names")


def case_mul(place):
    def check(name, file):
        for more in ([], ["--transposed"], ["--both"], ["--value-type", "f32"]):
            result = place.run("mul", "--format", name, "--json", "--seconds", "0.001", *more, file)
            if not accepted(result, f"mul {name} {file}"):
                return False
            told = json.loads(result.stdout)
            same(told["plan"]["format"], name, "format")
            same(told["check"]["right"], True, f"{name} on {file} {more}")
            same(told.get("transposed", told)["check"]["right"], True, f"{name} on {file} {more}, A^T x")
        return True
    for_each(place, check)


def case_convert(place):
    def check(name, file):
        result = place.run("convert", "--format", name, file, f"{name}-{file}")
        if not accepted(result, f"convert {name} {file}"):
            return False
        assert name in result.stdout.decode(), f"{name} is not told of: {result.stdout.decode()}"
        same(entries_of(place.folder / f"{name}-{file}"), entries_of(place.folder / file),
             f"{name} and back")
        return True
    for_each(place, check)


def case_convert_keeps_what_is_stored(place):
    """Duplicates, stored zeros and both triangles of a symmetric file come back."""
    place.write("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n"
                         "3 3 5\n1 1 1\n1 1 2\n2 1 0\n3 2 -0.5\n3 3 4\n")
    wanted = [["1", "1", "1"], ["1", "1", "2"], ["1", "2", "0"], ["2", "1", "0"], ["2", "3", "-0.5"],
              ["3", "2", "-0.5"], ["3", "3", "4"]]
    for name in formats_of(place):
        if not accepted(place.run("convert", "-f", name, "a.mtx", f"{name}.mtx"), f"convert {name}"):
            assert name == "sym", f"{name} takes no duplicates"
            continue
        text = (place.folder / f"{name}.mtx").read_text()
        assert text.startswith("%%MatrixMarket matrix coordinate real general\n"), text
        same(entries_of(place.folder / f"{name}.mtx"), ("3 3 7", wanted), name)


def case_wrong_format(place):
    place.matrix()
    fail_with(place.run("convert", "--format", "nonsense", "a.mtx", "b.mtx"), 2, "nonsense")
    assert not (place.folder / "b.mtx").exists()
