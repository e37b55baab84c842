"""What the test modules share: running the command in a clean place, and counting what is wrong."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TREE = HERE.parent.parent
SKIPPED = 77
UNSUPPORTED = 6  # what the command exits with when a format refuses a matrix
TIMEOUT = 60

COMPLEX = {"c64", "c128"} <= set(os.environ.get("TULLE_TEST_TYPES", "c64;c128").split(";"))

# Nothing of the caller's environment but what is needed to run at all.
KEPT = ("OMP_WAIT_POLICY", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TULLE_ISA")


class Skip(Exception):
    """What the module needs is not there."""


def environment(**more):
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    kept.setdefault("OMP_WAIT_POLICY", "passive")
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": "/nonexistent", **kept, **more}


class Place:
    """A folder of its own for one case, and the command."""

    def __init__(self, tulle, folder):
        self.tulle = tulle
        self.folder = folder

    def run(self, *args, env=None, **options):
        """The finished command; stdout and stderr are bytes."""
        return subprocess.run([self.tulle, *args], cwd=self.folder, env=env or environment(),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=TIMEOUT, check=False, **options)

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def matrix(self, name="a.mtx"):
        """A small good matrix."""
        return self.write(name, "%%MatrixMarket matrix coordinate real general\n"
                                "3 4 5\n1 1 1\n1 3 2\n2 2 3\n3 1 4\n3 4 5\n")


def cases_of(module):
    """(name, function) of each case: module.CASES, or its functions case_*. Those called complex* need a build with
    complex types."""
    cases = getattr(module, "CASES", None) or [(name[5:], function) for name, function in vars(module).items()
                                               if name.startswith("case_")]
    return [(name, function) for name, function in cases if COMPLEX or not name.startswith("complex")]


def run_all(module, tulle, names):
    failed, done = 0, 0
    for name, function in cases_of(module):
        if names and name not in names:
            continue
        folder = Path(tempfile.mkdtemp(prefix="tulle-cli-"))
        try:
            function(Place(tulle, folder))
            done += 1
        except Skip as reason:
            print(f"skipped: {reason}")
            return SKIPPED
        except (AssertionError, ValueError, subprocess.TimeoutExpired) as fault:
            failed += 1
            print(f"FAILED {name}: {fault}")
        finally:
            for path in folder.rglob("*"):
                if path.is_dir() and not path.is_symlink():
                    path.chmod(0o700)
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{done} cases right, {failed} wrong")
    return 1 if failed or not done else 0


def same(got, wanted, what):
    assert got == wanted, f"{what}: {got!r}, not {wanted!r}"


def fail_with(result, code, words=""):
    """The command failed in the documented way: this code, nothing on stdout, one sentence."""
    text = result.stderr.decode(errors="backslashreplace")
    assert result.returncode == code, f"exit {result.returncode}, not {code}: {text}"
    assert words in text, f"no '{words}' in: {text}"
    assert text.startswith("tulle"), f"not our message: {text}"
    assert not result.stdout, f"on stdout: {result.stdout[:200]!r}"


def well(result):
    text = result.stderr.decode(errors="backslashreplace")
    assert result.returncode == 0, f"exit {result.returncode}: {text}"
    assert not text, f"on stderr: {text}"
    return result.stdout.decode()
