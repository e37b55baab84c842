"""Exact output: cases/NAME.sh is run by bash with the command on its path, and must print what
cases/NAME.expected says. There {{...}} holds a regular expression for what differs from run to run;
standard error is in with standard output, and after each failure of the last command stands its exit
code. `run.py TULLE cases --update` writes what is printed now; read the difference."""

import re
import subprocess
import sys

import harness


def pattern_of(text):
    """A regular expression for an expected text."""
    parts = re.split(r"\{\{(.*?)\}\}", text)
    return "".join(part if n % 2 else re.escape(part) for n, part in enumerate(parts))


def first_difference(got, wanted):
    got_lines, wanted_lines = got.splitlines(), wanted.splitlines()
    for n, line in enumerate(wanted_lines):
        if n >= len(got_lines):
            return f"line {n + 1} is missing: {line}"
        if not re.fullmatch(pattern_of(line), got_lines[n]):
            return f"line {n + 1}:\n  printed: {got_lines[n]}\n  wanted:  {line}"
    return f"line {len(wanted_lines) + 1} is too much: {got_lines[len(wanted_lines):][:1]}"


def updated(got, expected):
    """The new text; lines that an old one with a {{...}} describes are kept as that."""
    old = expected.read_text().splitlines() if expected.exists() else []
    masked = [(line, pattern_of(line)) for line in old if "{{" in line]
    lines = []
    for line in got.splitlines():
        kept = [mask for mask, pattern in masked if re.fullmatch(pattern, line)]
        lines.append(kept[0] if kept else line)
    return "".join(line + "\n" for line in lines)


def case(script):
    def run(place):
        (place.folder / "bin").mkdir()
        (place.folder / "bin" / "tulle").symlink_to(place.tulle)
        (place.folder / "work").mkdir()
        path = f"{place.folder}/bin:/usr/bin:/bin"
        done = subprocess.run(["bash", script], cwd=place.folder / "work",
                              env=harness.environment(PATH=path, HOSTILE=HOSTILE),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=harness.TIMEOUT, check=False)
        got = done.stdout.decode(errors="backslashreplace")
        if done.returncode:
            got += f"exit {done.returncode}\n"
        expected = script.with_suffix(".expected")
        if UPDATE:
            expected.write_text(updated(got, expected))
        wanted = expected.read_text()
        if not re.fullmatch(pattern_of(wanted), got):
            raise AssertionError(first_difference(got, wanted))
    return run


HOSTILE = str(harness.TREE / "tests/hostile")
UPDATE = "--update" in sys.argv
if UPDATE:
    sys.argv.remove("--update")
CASES = [(script.stem, case(script)) for script in sorted((harness.HERE / "cases").glob("*.sh"))]
