#!/usr/bin/env python3
"""What the plugin says and does about its options, seen from outside.

Usage: plugin.py MPIEXEC PROGRAM PLUGIN none[,OTHER-PLUGIN]... EXAMPLE|none. PROGRAM is grid2. OTHER is a plugin
for integers of another width or for complex scalars, EXAMPLE the petsc4py example.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MPIEXEC, PROGRAM, PLUGIN, OTHERS, EXAMPLE = sys.argv[1:6]
BASE = ["-ksp_type", "cg", "-pc_type", "jacobi", "-ksp_rtol", "1e-8"]
TYPE = ["-dll_append", PLUGIN, "-mat_type", "aijtulle", "-mat_tulle_view"]


# Each rank prints to a file of its own: mpiexec may break the lines of one by those of another.
APART = 'exec "$0" "$@" > "$OUTPUT.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"'


def run(*options, ranks=1, program=(PROGRAM,), type_options=tuple(TYPE)):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([MPIEXEC, "-n", str(ranks), "sh", "-c", APART, *program, *BASE,
                               *type_options, *options], capture_output=True, text=True, check=False,
                              env={**os.environ, "OUTPUT": f"{folder}/rank"})
        printed = "".join(path.read_text() for path in sorted(Path(folder).iterdir()))
    return done.returncode, printed + done.stderr


def good(*options, **more):
    code, text = run(*options, **more)
    assert code == 0, text
    return text


def plans(text):
    """[(rank, columns, product, format)], rank by rank, in the order of printing."""
    head = re.compile(r"^\[(\d+)\] tulle: (?:\w+ )?block of \d+ x (\d+), .* product (\d+)\n"
                      r"\[\1\] y = A(?:\^T)? x with (\w+)", re.M)
    return [(int(m[1]), int(m[2]), int(m[3]), m[4]) for m in head.finditer(text)]


def test_counts_products_and_plans_again():
    found = plans(good())
    assert found[0] == (0, 60 * 57, 1, "csr"), found
    assert len(found) > 1 and found[1][2] == 21, found
    assert "breaks" in good(), "the explanation has no table"


def test_plans_each_block():
    found = plans(good(ranks=2))
    for rank in 0, 1:
        columns = {plan[1] for plan in found if plan[0] == rank}
        assert columns == {30 * 57, 57}, found  # the diagonal block, the ghosts


def test_multiplies_plans_once():
    found = plans(good("-mat_tulle_multiplies", "5000"))
    assert [(plan[2], plan[3] == "csr") for plan in found] == [(1, False)], found


def test_format_is_taken():
    found = plans(good("-mat_tulle_format", "csr5"))
    assert [plan[2:] for plan in found] == [(1, "csr5")], found


def test_unknown_format_is_an_error():
    code, text = run("-mat_tulle_format", "no-such-format")
    assert code != 0 and "no-such-format" in text, text


def test_bad_numbers_are_errors():
    for option in "-mat_tulle_multiplies", "-mat_tulle_threads":
        code, text = run(option, "-3")
        assert code != 0 and option in text, text


def residuals(*options):
    return re.findall(r"KSP Residual norm (\S+)", good("-ksp_monitor", *options))


def test_threads_do_not_change_the_bits():
    # The format must be the same in both runs. Which is chosen depends on the threads and on the machine, unless the
    # plan is to be reproducible.
    for plan in ("-mat_tulle_format", "sell"), ("-mat_tulle_format", "csr5"), ("-mat_tulle_reproducible", "1"):
        assert residuals(*plan, "-mat_tulle_threads", "2") == residuals(*plan), f"{plan}: bits change with the threads"
    assert "no unused options" in good("-mat_tulle_threads", "2", "-options_left")


def test_reproducible_has_the_bits_of_any_format():
    two = ["-mat_tulle_reproducible", "2"]
    assert residuals(*two) == residuals(*two, "-mat_tulle_multiplies", "5000"), "bits change"


def test_help_lists_every_option():
    folder = Path(__file__).resolve().parent.parent
    reading = (folder / "options.c").read_text().split("PetscErrorCode tulle__petsc_options(")[1]
    read = set(re.findall(r'"(-mat_tulle_\w+)"', reading))
    explained = set(re.findall(r"^\| `(-mat_tulle_\w+)", (folder / "README.md").read_text(), re.M))
    for ranks in 1, 2:
        listed = re.findall(r"^  (-mat_tulle_\w+)[: ].*\(tulle: ", good("-help", ranks=ranks), re.M)
        assert set(listed) == read == explained, f"-help {listed}, options.c {read}, README {explained}"
        assert len(listed) == len(read), f"listed twice: {listed}"


def test_unused_options_are_reported():
    text = good("-mat_tulle_format", "sell", "-options_left", type_options=["-dll_append", PLUGIN])
    assert re.search(r"unused database option.*\n.*-mat_tulle_format", text), text


def test_other_plugins_are_refused():
    reason = r"PetscInt of \d+ bits, the program's has \d+|PetscScalar of type \w+, the program's is \w+"
    for other in OTHERS.split(",")[1:]:
        code, text = run(type_options=["-dll_append", other])
        assert code != 0 and re.search(reason, text), f"{other}: {text}"


def test_example():
    if EXAMPLE == "none":
        return
    for ranks in 1, 2:
        text = good("-mat_tulle_view", ranks=ranks, program=["python3", EXAMPLE, PLUGIN],
                    type_options=[])
        assert re.search(r"type (seq|mpi)aijtulle, \d+ products", text), text
        residual = float(re.search(r"residual (\S+)", text)[1])
        assert residual < 1e-7, text
        # the layout is kept: planned for the pattern, refilled for each step
        ends = re.findall(r"planned (\d+) times, (\d+) updates", text)
        assert any(int(updates) >= 3 for _, updates in ends), text


def main():
    bad = 0
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            try:
                test()
                print(f"{name} passed")
            except AssertionError as failure:
                bad += 1
                print(f"FAILED {name}: {str(failure)[-3000:]}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
