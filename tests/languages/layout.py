"""What the tests of single languages share: run a command, and compare constants and structures with tulle.h."""

import subprocess
import sys
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent.parent


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"FAILED: {Path(command[0]).name} {Path(command[-1]).name}\n{done.stdout}{done.stderr}")
    return done.stdout


def in_c(fields, values, compiler, folder):
    """Lines "type field offset" of a C program, in which constants have these values or it does not compile."""
    lines = [f'printf("{t} {f} %zu\\n", offsetof({t}, {f}));' for t, names in fields.items() for f in names]
    lines += [f'_Static_assert({name} == {value}, "{name}");' for name, value in values.items()]
    source = folder / "layout.c"
    text = "\n".join(["#include <stdio.h>", "#include <tulle.h>", "int main(void) {", *lines, "return 0; }\n"])
    source.write_text(text)
    run(compiler, "-std=c11", f"-I{TREE}/include", "-o", folder / "layout_c", source)
    return run(folder / "layout_c")


def compare(fields, values, printed, compiler, folder):
    """`printed` are such lines of a program in the other language."""
    c = in_c(fields, values, compiler, folder)
    for theirs, ours in zip(printed.splitlines(), c.splitlines(), strict=True):
        if theirs != ours:
            sys.exit(f"FAILED: offset {theirs}, in C {ours}")
    print(f"{len(c.splitlines())} fields and {len(values)} constants as in tulle.h")
