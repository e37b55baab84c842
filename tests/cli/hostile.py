"""A hostile environment: odd names, odd files, odd places. Each case wants the documented exit code,
nothing written where it should not be, and no control character on a terminal."""

import json
import os
import resource
import socket
import stat
import subprocess
import sys
import unicodedata

from harness import TREE, environment, fail_with, same, well

ESCAPE = b"\x1b[31mred\x1b]0;title\x07"
ODD_NAMES = [b"line\nbreak.mtx", ESCAPE + b".mtx", b"\x9b31m.mtx", b"caf\xc3\xa9.mtx", b"\xff\xfe.mtx",
             b"\xe2\x80\xaeright-to-left.mtx", b"-dash.mtx", b"--json", b"tab\tquote\"back\\slash.mtx",
             b"%s%n%d.mtx", *(f"hidden{sign}.mtx".encode() for sign in
                              "\u061c\u200b\u200f\u2066\u2067\ufe0f\ufeff\ue000\U0001343f\U000e0041\U0010fffd")]
HIDDEN = ("Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn")


def no_escapes(*texts):
    """Nothing but printable text and newlines."""
    for text in texts:
        decoded = text.decode()  # must be UTF-8
        for sign in decoded:
            assert sign == "\n" or unicodedata.category(sign) not in HIDDEN and sign != "\ufe0f", \
                f"raw {sign!r} in {decoded!r}"


def names_in(place):
    return sorted(os.listdir(os.fsencode(place.folder)))


# ---- names -----------------------------------------------------------------------------------------

def odd_name(name):
    def run(place):
        place.matrix("a.mtx").rename(os.fsdecode(os.path.join(os.fsencode(place.folder), name)))
        done = place.run("info", "--", name)
        no_escapes(done.stdout, done.stderr)
        well(done)
        done = place.run("info", "--json", "--", name)
        no_escapes(done.stdout)
        same(json.loads(well(done))["nnz"], 5, "nnz")
        same(json.loads(well(done))["file"], name.decode(errors="replace"), "the name in JSON")
        done = place.run("mul", "--seconds", "0.001", "--", name)
        no_escapes(done.stdout, done.stderr)
        well(done)
        done = place.run("plan", "--plot", "out.svg", "--", name)
        no_escapes(done.stdout, done.stderr, (place.folder / "out.svg").read_bytes())
        well(done)
        (place.folder / "out.svg").unlink()
        done = place.run("convert", "--", name, b"out-" + name + b".mtx")
        no_escapes(done.stdout, done.stderr)
        well(done)
        same(names_in(place), sorted([name, b"out-" + name + b".mtx"]), "files")
    return run


def missing_name(name):
    def run(place):
        done = place.run("info", "--", name)
        no_escapes(done.stderr)
        fail_with(done, 3)
    return run


def case_odd_words_everywhere(place):
    """Options, commands, formats and kinds that nobody knows come back harmless."""
    place.matrix()
    for args in ([ESCAPE], [b"--" + ESCAPE], [b"-\x1b"], ["help", ESCAPE], ["info", b"--" + ESCAPE],
                 ["info", "a.mtx", ESCAPE], ["mul", "--format", ESCAPE, "a.mtx"],
                 ["mul", "--format", b"csr:" + ESCAPE, "a.mtx"], ["mul", "--isa", ESCAPE, "a.mtx"],
                 ["info", "--threads", ESCAPE, "a.mtx"], ["spy", "a.mtx", "-o", ESCAPE],
                 ["plan", "--plot", ESCAPE, "a.mtx"], ["plan", "--multiplies", ESCAPE, "a.mtx"],
                 ["generate", ESCAPE, "-o", "x.mtx"], ["generate", "--like", ESCAPE, "-o", "x.mtx"],
                 ["generate", b"stencil5:" + ESCAPE + b"=1", "-o", "x.mtx"]):
        done = place.run(*args)
        no_escapes(done.stderr)
        fail_with(done, 2)
    same(names_in(place), [b"a.mtx"], "files")


def case_comment_with_escapes(place):
    place.write("a.mtx", b"%%MatrixMarket matrix coordinate real general\n% " + ESCAPE +
                b"\n1 1 1\n1 1 1\n")
    done = place.run("info", "a.mtx")
    no_escapes(done.stdout)
    assert "red" in well(done)
    well(place.run("convert", "a.mtx", "b.mtx"))
    no_escapes((place.folder / "b.mtx").read_bytes())


def case_comment_with_hidden_characters(place):
    """All that Unicode has of control and format characters, tags included, in comments."""
    hidden = [chr(code) for code in range(sys.maxunicode + 1)
              if unicodedata.category(chr(code)) in ("Cc", "Cf", "Zl", "Zp") and code != 10]
    # As much as fits in the three lines that are shown.
    lines = ["begin" + "".join(hidden[first:first + 5]) + "end" for first in range(0, len(hidden), 5)]
    for first in range(0, len(lines), 3):
        some = lines[first:first + 3]
        place.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n% " + "\n% ".join(some) +
                    "\n1 1 1\n1 1 1\n")
        done = place.run("info", "a.mtx")
        no_escapes(done.stdout)
        for line in some:
            shown = "".join(f"\\x{byte:02x}" for byte in line[5:-3].encode())
            assert f"begin{shown}end" in well(done), done.stdout


def case_value_with_escapes(place):
    place.write("a.mtx", b"%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 " + ESCAPE + b"\n")
    done = place.run("info", "a.mtx")
    no_escapes(done.stderr)
    fail_with(done, 3, "a.mtx:3:")


SIZES = {
    "cols_2e61_far": ("1 2305843009213693952 1\n1 1000000000000 2\n", 3, "2^59"),
    "cols_2e61_near": ("1 2305843009213693952 1\n1 1 2\n", 3, "2^59"),
    "rows_2e61": ("2305843009213693952 1 1\n1000000000000 1 2\n", 3, "2^59"),
    "cols_2e59": ("1 576460752303423487 1\n1 1000000000000 2\n", 0, ""),
    "rows_2e59": ("576460752303423487 1 1\n1000000000000 1 2\n", 0, ""),
}


# Files on which other readers crash or read another matrix: SECURITY.md has their answers.
MISTAKEN = {
    "nul": (b"3 3 1\n1 1 1\0\0\n", 3, 'a.mtx:3: the value must be a number, not "1\\x00\\x00"'),
    "dimension_2e32": (b"4294967297 4294967297 1\n1 1 1\n", 0, "4,294,967,297 x 4,294,967,297, 1 entry"),
    "columns_2e61": (b"1 2305843009213693952 1\n1 1000000000000 2\n", 3,
                     'a.mtx:2: the number of columns must be a whole number below 2^59, not "2305843009213693952"'),
}


def mistaken(text, code, words):
    def run(place):
        place.write("a.mtx", b"%%MatrixMarket matrix coordinate real general\n" + text)
        for args in (["info"], ["mul"], ["plan"]):
            done = place.run(*args, "a.mtx")
            no_escapes(done.stdout, done.stderr)
            if code:
                fail_with(done, code, words)
            else:
                assert words in well(done), f"{args}: {done.stdout!r}"
        done = place.run("convert", "a.mtx", "b.mtx")
        if code:
            fail_with(done, code, words)
            same(names_in(place), [b"a.mtx"], "files")
        else:
            well(done)
    return run


def huge_size(text, code, words):
    """A few bytes that claim a size no vector can have, or one that only a list of what is present bears."""
    def run(place):
        place.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n" + text)
        for args in (["mul"], ["mul", "--format", "csr"], ["mul", "--format", "csr5"],
                     ["pagerank"], ["plan", "--measure"]):
            done = place.run(*args, "--memory-limit", "1G", "a.mtx")
            assert done.returncode >= 0, f"{args}: signal {-done.returncode}"
            if code:
                fail_with(done, code, words)
            elif args != ["pagerank"]:
                well(done)
    return run


def case_very_long_name(place):
    fail_with(place.run("info", "x" * 100000), 3)
    fail_with(place.run("info", "y/" * 50000), 3)


def case_hundred_thousand_arguments(place):
    place.matrix()
    fail_with(place.run("info", *["a.mtx"] * 100000), 2, "too many")


def case_hundred_thousand_options(place):
    place.matrix()
    well(place.run("info", *["--json"] * 100000, "a.mtx"))


# ---- things that are not files ------------------------------------------------------------------------

def refused_input(make, words=""):
    def run(place):
        make(place)
        for args in (["info"], ["mul"], ["plan", "--plot", "o.svg"], ["spy", "-o", "o.png"]):
            fail_with(place.run(*args, "thing"), 3, words)
        fail_with(place.run("convert", "thing", "o.mtx"), 3, words)
        assert not (place.folder / "o.svg").exists()
        assert not (place.folder / "o.png").exists() and not (place.folder / "o.mtx").exists()
    return run


def make_socket(place):
    here = os.getcwd()
    os.chdir(place.folder)  # names of sockets are short
    try:
        with socket.socket(socket.AF_UNIX) as it:
            it.bind("thing")
    finally:
        os.chdir(here)


def make_link(target):
    return lambda place: (place.folder / "thing").symlink_to(target)


INPUTS = {
    "fifo": lambda place: os.mkfifo(place.folder / "thing"),
    "directory": lambda place: (place.folder / "thing").mkdir(),
    "socket": make_socket,
    "dev_zero": make_link("/dev/zero"),
    "dev_null": make_link("/dev/null"),
    "dangling_link": make_link("nowhere"),
    "link_to_itself": make_link("thing"),
    "empty": lambda place: place.write("thing", ""),
    "binary": lambda place: place.write("thing", bytes(range(256)) * 64),
    "cut_gzip": lambda place: place.write("thing", b"\x1f\x8b\x08\0\0\0\0\0\0\3\x33"),
    "proc": make_link("/proc/self/mem"),
}


def case_unreadable(place):
    place.matrix().chmod(0)
    if os.geteuid() == 0:  # root may read it all the same
        well(place.run("info", "a.mtx"))
    else:
        fail_with(place.run("info", "a.mtx"), 3)


def case_link_to_a_matrix_is_read(place):
    place.matrix()
    (place.folder / "link").symlink_to("a.mtx")
    well(place.run("info", "link"))


# ---- output ----------------------------------------------------------------------------------------

COMMANDS = [(["spy", "a.mtx", "-o"], "out.png"), (["convert", "a.mtx"], "out.mtx"),
            (["plan", "a.mtx", "--plot"], "out.svg"),
            (["generate", "random:rows=400,cols=300,mean=9", "-o"], "out.mtx.gz")]


def for_each_output(check):
    def run(place):
        place.matrix()
        for args, name in COMMANDS:
            check(place, args, name)
    return run


def output_link(place, args, name):
    (place.folder / "victim").write_text("precious")
    (place.folder / name).symlink_to("victim")
    fail_with(place.run(*args, name), 4, "link")
    same((place.folder / "victim").read_text(), "precious", "the link's target")
    assert (place.folder / name).is_symlink()


def output_dangling_link(place, args, name):
    (place.folder / name).symlink_to("victim")
    fail_with(place.run(*args, name), 4, "link")
    assert not (place.folder / "victim").exists()


def output_directory(place, args, name):
    (place.folder / name).mkdir()
    fail_with(place.run(*args, name), 4)
    same(os.listdir(place.folder / name), [], "in the folder")


def output_fifo(place, args, name):
    os.mkfifo(place.folder / name)
    fail_with(place.run(*args, name), 4)
    assert stat.S_ISFIFO((place.folder / name).stat().st_mode)


def output_wrong_end(place, args, name):
    """Also keeps us from opening devices by their name."""
    for wrong in ("/dev/full", "out.txt", name + ".bak"):
        fail_with(place.run(*args, wrong), 2)


def output_dash(place, args, name):
    fail_with(place.run(*args, "-"), 2)
    assert not (place.folder / name).exists()


def output_twice(place, args, name):
    well(place.run(*args, name))
    first = (place.folder / name).read_bytes()
    well(place.run(*args, name))
    same((place.folder / name).read_bytes(), first, "the second file")


def output_file_size_limit(place, args, name):
    """A full disk, as far as one can make one: no half a file stays, and the old one is kept.

    LLVM's OpenMP writes 1024 bytes of its own at the start. Below that it would die and leave an empty file
    under its process number in shared memory, on which a later process of that number dies, too."""
    if args[0] in ("spy", "convert"):  # the others write more than that in any case
        args = [args[0], "b.mtx", *args[2:]]
        well(place.run("generate", "random:rows=400,cols=300,mean=9", "-o", "b.mtx"))
    (place.folder / name).write_text("old")
    done = place.run(*args, name,
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)))
    fail_with(done, 4)
    same((place.folder / name).read_text(), "old", "the old file")
    assert not list(place.folder.glob("*.part")), "a .part file is left"


def output_readonly_folder(place, args, name):
    closed = place.folder / "closed"
    if not closed.exists():
        closed.mkdir()
        closed.chmod(0o500)
    if os.geteuid():
        fail_with(place.run(*args, "closed/" + name), 4)
    fail_with(place.run(*args, "/proc/" + name), 4)


def case_convert_onto_itself(place):
    place.matrix()
    before = (place.folder / "a.mtx").read_bytes()
    os.link(place.folder / "a.mtx", place.folder / "hard.mtx")
    for name in ("a.mtx", "./a.mtx", "hard.mtx"):
        fail_with(place.run("convert", "a.mtx", name), 4, "input itself")
    (place.folder / "a.png").write_bytes(before)
    fail_with(place.run("spy", "a.png", "-o", "a.png"), 4, "input itself")
    (place.folder / "a.svg").write_bytes(before)
    fail_with(place.run("plan", "a.svg", "--plot", "a.svg"), 4, "input itself")
    same((place.folder / "a.mtx").read_bytes(), before, "the input")


def case_bad_input_leaves_old_output(place):
    place.write("bad.mtx", "nonsense\n")
    (place.folder / "out.mtx").write_text("old")
    fail_with(place.run("convert", "bad.mtx", "out.mtx"), 3)
    same((place.folder / "out.mtx").read_text(), "old", "the old output")


def case_full_standard_output(place):
    place.matrix()
    for args in (["info", "a.mtx"], ["info", "--json", "a.mtx"], ["help", "mul"], ["mul", "--help"],
                 ["--version"], ["formats"], ["generate", "--list"], ["plan", "a.mtx"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([place.tulle, *args], cwd=place.folder, env=environment(),
                                  stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
        same(done.returncode, 4, f"exit of {args}")


# ---- environment -------------------------------------------------------------------------------------

def case_foreign_locale(place):
    """Numbers keep their point whatever the locale says."""
    place.matrix()
    plain = well(place.run("info", "--json", "a.mtx"))
    for words in ({"LC_ALL": "de_DE.UTF-8"}, {"LC_NUMERIC": "de_DE.UTF-8", "LC_ALL": ""},
                  {"LANG": "\x1b[31m", "LC_ALL": ""}):
        same(well(place.run("info", "--json", "a.mtx", env=environment(**words))), plain, str(words))


def case_empty_environment(place):
    place.matrix()
    well(place.run("info", "a.mtx", env={"OMP_WAIT_POLICY": "passive"}))


def case_no_escapes_in_a_pipe(place):
    place.matrix()
    done = place.run("info", "a.mtx", env=environment(TERM="xterm", LC_ALL="C.UTF-8"))
    no_escapes(done.stdout)
    no_escapes(place.run("help", "info", env=environment(TERM="xterm")).stdout)


def case_hypersparse(place):
    """A matrix of few entries and great sizes costs memory by its entries, or by its sizes: told, not killed."""
    place.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n"
                         "3 100000000000000000 1\n1 1 1\n")
    well(place.run("info", "a.mtx"))
    place.write("b.mtx", "%%MatrixMarket matrix coordinate real general\n2000000 3 1\n1 1 1\n")
    fail_with(place.run("info", "--memory-limit", "10M", "b.mtx"), 5)
    well(place.run("info", "b.mtx"))


def frugal(place, *args):
    """The exit code and stderr of the command, which takes little time and memory."""
    # pylint: disable-next=consider-using-with
    it = subprocess.Popen([place.tulle, *args], cwd=place.folder, env=environment(),
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    text = it.stderr.read().decode()
    _, status, used = os.wait4(it.pid, 0)
    it.returncode = os.waitstatus_to_exitcode(status)
    it.stderr.close()
    assert used.ru_utime + used.ru_stime < 2, f"{args}: {used.ru_utime:.1f} s"
    assert used.ru_maxrss < 200e3, f"{args}: {used.ru_maxrss / 1e3:.0f} MB"
    return it.returncode, text


def case_claimed_sizes(place):
    """Rows and columns that the file's size does not back cost nothing, or are refused until a limit allows them."""
    for rows, cols, entries in ((2000000000, 2000000000, 1), (2000000000, 3, 1), (3, 2000000000, 1),
                                (4200000, 3, 0), (1000000000, 1000000000, 2000)):
        place.write("a.mtx", f"%%MatrixMarket matrix coordinate real general\n{rows} {cols} {entries}\n" +
                    "1 1 1\n" * entries)
        for args in (["info"], ["plan"], ["mul", "--seconds", "0.01"], ["spy", "-o", "o.png"]):
            code, _ = frugal(place, *args, "a.mtx")
            same(code, 0, f"exit of {args}, {rows} x {cols}")
        same(frugal(place, "convert", "a.mtx", "o.mtx")[0], 0, "exit of convert")
        same((place.folder / "o.mtx").read_text().splitlines()[1], f"{rows} {cols} {entries}", "sizes written")
        if rows < 1 << 29:
            continue
        code, text = frugal(place, "convert", "a.mtx", "o.tulle")
        same(code, 5, f"exit of convert, {rows} x {cols}")
        assert "--memory-limit" in text, text
    place.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n30000000 30000000 1\n1 1 1\n")
    fail_with(place.run("convert", "--general", "a.mtx", "b.mtx"), 5, "--memory-limit")
    well(place.run("convert", "--general", "--memory-limit", "1G", "a.mtx", "b.mtx"))


def case_hypersparse_figures(place):
    """Figures of the whole matrix, computed here; of what is stored, the number of rows and columns."""
    size = 10**12
    entries = [(7, 7, 1), (7, 10**11, 2), (10**11, 7, 2), (10**11, 8, 3), (size, 9, 0)]
    place.write("a.mtx", f"%%MatrixMarket matrix coordinate real general\n{size} {size} {len(entries)}\n" +
                "".join(f"{i} {j} {value}\n" for i, j, value in entries))
    info = json.loads(place.run("info", "--json", "a.mtx").stdout)
    same([info[key] for key in ("rows", "cols", "present_rows", "present_cols", "nnz")], [size, size, 3, 4, 5], "sizes")
    same(info["row_lengths"]["empty"], size - 3, "empty rows")
    same(info["column_lengths"]["empty"], size - 4, "empty columns")
    same((info["row_lengths"]["min"], info["row_lengths"]["max"]), (0, 2), "row lengths")
    same(info["row_lengths"]["histogram"][0]["count"], size - 3, "histogram")
    same(info["bandwidth"], {"lower": size - 9, "upper": 10**11 - 7}, "bandwidth")
    same(info["diagonal_entries"], 1, "entries on the diagonal")
    same(info["pattern_symmetry"], 3 / 5, "partners")
    # 2 x 2 blocks, rows and columns from 0: (3, 3), (3, h), (h, 3) with both 6 and 7, (last, 4), h = (10^11 - 1) / 2
    same(info["block_fill"]["2"], 5 / 16, "block fill")
    mul = json.loads(place.run("mul", "--json", "--seconds", "0.01", "a.mtx").stdout)
    same((mul["rows"], mul["present_rows"]), (size, 3), "rows of mul")


def case_hostile_files(place):
    """Every file of tests/hostile: sizes for which the reader wants memory, the command takes as lists."""
    folder = TREE / "tests" / "hostile"
    codes = {"TULLE_OK": 0, "TULLE_E_MATRIX": 3, "TULLE_E_LIMIT": 0}
    for row in (folder / "EXPECTED.tsv").read_text().splitlines()[1:]:
        name, status = row.split("\t")[:2]
        same(frugal(place, "info", folder / name)[0], codes[status], name)


def case_wrong_isa_in_the_environment(place):
    place.matrix()
    done = place.run("mul", "--seconds", "0.001", "a.mtx", env=environment(TULLE_ISA="mmx"))
    assert done.returncode in (0, 2), done


def case_too_many_threads(place):
    place.matrix()
    fail_with(place.run("mul", "--threads", "1000000000", "a.mtx"), 2)
    well(place.run("mul", "--threads", "64", "--seconds", "0.001", "a.mtx"))


CASES = ([(f"name_{n}", odd_name(name)) for n, name in enumerate(ODD_NAMES)] +
         [(f"missing_{n}", missing_name(name)) for n, name in enumerate(ODD_NAMES)] +
         [(f"size_{name}", huge_size(*case)) for name, case in SIZES.items()] +
         [(f"mistaken_{name}", mistaken(*case)) for name, case in MISTAKEN.items()] +
         [(f"input_{name}", refused_input(make)) for name, make in INPUTS.items()] +
         [(name, for_each_output(function)) for name, function in list(globals().items())
          if name.startswith("output_")] +
         [(name[5:], function) for name, function in list(globals().items())
          if name.startswith("case_")])
