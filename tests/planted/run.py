"""Plant bugs, one at a time, and demand that the tests catch each of them.

A test that nothing can fail proves nothing. README.md says how a bug is written down.
"""
import argparse
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
TIMEOUT = 900  # seconds for one test; an emulator beside other work needs half of them
SKIPPED = 77
LEFT_OUT = {"build", ".git", "__pycache__"}

# What each kind of build is configured with. -O1: half the time to compile, the same bugs.
BUILDS = {
    "release": ["-DCMAKE_C_COMPILER=gcc", "-DCMAKE_BUILD_TYPE=Release",
                "-DCMAKE_C_FLAGS_RELEASE=-O1", "-DTULLE_BUILD_EXAMPLES=ON"],
    "tsan": ["-DCMAKE_C_COMPILER=clang-14", "-DCMAKE_BUILD_TYPE=Debug",
             "-DCMAKE_C_FLAGS_DEBUG=-O1 -g1", "-DTULLE_SANITIZE=thread",
             "-DTULLE_ISAS=scalar;avx2", "-DTULLE_TYPES=f32;f64"],
    "narrow": ["-DCMAKE_C_COMPILER=gcc", "-DCMAKE_BUILD_TYPE=Release",
               "-DCMAKE_C_FLAGS_RELEASE=-O1", "-DTULLE_ISAS=scalar;array16",
               "-DTULLE_MORE_ISAS=tests/isa/array.def", "-DTULLE_NARROW=ON",
               "-DTULLE_MORE_TYPES=tests/types/more_types.def"],
}
BUILDS["arm"] = ["-DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake", "-DCMAKE_BUILD_TYPE=Release",
                 "-DCMAKE_C_FLAGS_RELEASE=-O1", "-DTULLE_ISAS=scalar;neon;sve256;sve512", "-DTULLE_BUILD_CLI=OFF"]
BUILDS["python"] = [*BUILDS["release"], "-DTULLE_BUILD_TESTS=OFF", "-DTULLE_BUILD_EXAMPLES=OFF"]  # the package of bindings/python; its tests are pytest's
PYTHON = SOURCE / "build/python/bin/python"  # made by ./dev test python, with what the tests need
GPU = SOURCE / "build/release"  # ./dev test gpu makes the CUDA kernels and the stand-in that test_devices.py needs
if (GPU / "src/gpu/cuda/vectors_f64_i64.fatbin").exists():
    BUILDS["python"].append(f"-DTULLE_CUDA_PREBUILT={GPU / 'src/gpu/cuda'}")
# Built by the preset of this name, in the folder that it has in the tree: ccache has the objects of ./dev and of CI.
PRESETS = {"fuzz"}
# A bug may leave something unused.
COMMON = ["-DTULLE_BUILD_TESTS=ON", "-DTULLE_INSTALL=OFF", "-DTULLE_WERROR=OFF"]
ARM_TOOLS = ("aarch64-linux-gnu-gcc", "qemu-aarch64")  # ./dev setup --arm installs them


def emulator(arguments):
    """The command before a test for Arm: a machine that has the instruction set of its --isa."""
    isa = arguments[arguments.index("--isa") + 1]
    machine = "cortex-a72" if isa == "neon" else f"max,{isa}=on"
    return ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "-E", "LD_LIBRARY_PATH=/usr/aarch64-linux-gnu/lib",
            "-cpu", machine]


def fuzz(program, tree, seconds):
    """Run a fuzzer on its corpus for so many CPU-seconds, or until it finds something. What it finds and learns is dropped. Its
    seed is always the same: what it finds early, it finds in every run. Later its choices depend on addresses."""
    name = program.name.removeprefix("fuzz_")
    words = tree / "fuzz" / f"{name}.dict"
    with tempfile.TemporaryDirectory() as folder:
        # Its own status for a find is 77, as that of tests which are skipped. Its own clock counts the time of other processes, too.
        done = run(["prlimit", f"--cpu={seconds}:{2 * int(seconds)}", program, "-seed=1", "-error_exitcode=1", "-timeout_exitcode=1", "-timeout=5",
                    "-max_len=4096", "-rss_limit_mb=512", *([f"-dict={words}"] if words.exists() else []),
                    f"-artifact_prefix={folder}/", folder, tree / "fuzz/corpus" / name], timeout=TIMEOUT)
    if done.returncode == -signal.SIGXCPU:
        done.returncode = 0
    return done


class Bug:
    """One patch and what its head says."""

    def __init__(self, path):
        text = path.read_text()
        head, _, _ = text.partition("--- ")
        fields = dict(re.findall(r"^([A-Z][a-z ]+): *(.+)$", head, re.M))
        unknown = set(fields) - {"Bug", "Caught by", "Build", "Says"}
        if unknown or "Bug" not in fields or "Caught by" not in fields:
            sys.exit(f"{path.name}: the head wants Bug: and Caught by:, and allows Build: and Says:")
        self.name = path.stem
        self.path = path
        self.command = fields["Caught by"].split()
        self.build = fields.get("Build", "release")
        # A program of tests, or the file or part of a collection of them.
        self.kind = (self.build, *(part for part in self.command[:2] if not part.startswith("-")))
        self.says = fields.get("Says", "")
        self.files = re.findall(r"^\+\+\+ b/(\S+)", text, re.M)


def run(command, timeout=None, **options):
    """A command's output and status. At the limit all its processes end: a test may be the child of a wrapper."""
    with subprocess.Popen(command, text=True, errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, start_new_session=True, **options) as process:
        try:
            output, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return subprocess.CompletedProcess(command, process.returncode, output)


class Yard:
    """A copy of the sources and one build of it for each kind."""

    def __init__(self, root, jobs):
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.tree = root / "tree"
        self.jobs = jobs
        self.configured = set()
        # Two runs in one folder would plant their bugs into each other's tree.
        self.lock = (root / "lock").open("w")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.drop_products_of_the_future()
        self.copy_sources()

    def folder(self, kind):
        return self.tree / "build" / kind if kind in PRESETS else self.root / kind

    def drop_products_of_the_future(self):
        """What is built again is decided by dates. They mean nothing when an earlier run had a clock
        that was ahead of ours: its products would look newer than any source we write."""
        now = time.time()
        for kind in (*BUILDS, *PRESETS):
            products = self.folder(kind).rglob("*")
            if any(path.lstat().st_mtime > now for path in products):
                shutil.rmtree(self.folder(kind))

    def copy_sources(self):
        """Bring the copy up to date. Only a file that differs is written: it gets a new date and is
        built again, and a bug that an interrupted run left behind goes."""
        wanted = set()
        for folder, folders, files in os.walk(SOURCE):
            folders[:] = [name for name in folders if name not in LEFT_OUT]
            wanted.update(Path(folder, name).relative_to(SOURCE) for name in files)
        for path in wanted:
            new, old = SOURCE / path, self.tree / path
            if not old.exists() or new.read_bytes() != old.read_bytes():
                old.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(new, old)
                shutil.copymode(new, old)
        for path in self.tree.rglob("*"):
            name = path.relative_to(self.tree)
            if path.is_file() and name not in wanted and name.parts[0] not in LEFT_OUT:
                path.unlink()

    def build(self, kind, targets):
        folder = self.folder(kind)
        if kind not in self.configured:
            source = self.tree / "bindings/python" if kind == "python" else self.tree
            done = run(["cmake", "--preset", kind] if kind in PRESETS else
                       ["cmake", "-S", source, "-B", folder, "-G", "Ninja", *COMMON, *BUILDS[kind]], cwd=self.tree)
            if done.returncode != 0:
                return done
            self.configured.add(kind)
        return run(["cmake", "--build", folder, "--parallel", str(self.jobs), "--target", *targets])

    def test_package(self, arguments):
        return run([PYTHON, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *arguments], timeout=TIMEOUT,
                   cwd=self.tree / "bindings/python/tests",
                   env={**os.environ, "PYTHONPATH": str(self.root / "python/package"), "PYTHONDONTWRITEBYTECODE": "1",
                        "TULLE_GPU_LAYERS": str(GPU / "tests/gpu/layers.json")})

    def test(self, kind, command):
        if kind == "python":
            return self.test_package(command[1:])
        # The newest: a program that moved leaves its old self behind, which nobody builds again.
        found = max((p for p in self.folder(kind).rglob(command[0]) if p.is_file()),
                    key=lambda p: p.stat().st_mtime_ns)
        if kind == "fuzz":
            return fuzz(found, self.tree, int(command[1]))
        # Python takes a cached module for the source's own when size and second are the same.
        environment = {**os.environ, "OMP_WAIT_POLICY": "passive", "TULLE_GATHER": "instruction",
                       "PYTHONDONTWRITEBYTECODE": "1"}
        wrapper = []
        if kind == "tsan":
            wrapper = [sys.executable, str(self.tree / "tests/under_tsan.py")]
        elif kind == "arm":
            wrapper = emulator(command)
        return run([*wrapper, str(found), *command[1:]], timeout=TIMEOUT, env=environment)


def verdict(yard, bug):
    """Why the bug counts as not caught; "" when it was caught; and a line of the test's output."""
    applied = run(["patch", "-p1", "--silent", "--no-backup-if-mismatch", "-i", bug.path],
                  cwd=yard.tree)
    if applied.returncode != 0:
        return "the patch does not apply any more", applied.stdout.strip()
    built = yard.build(bug.build, [bug.command[0]])
    if built.returncode != 0:
        return "it does not compile", built.stdout.strip()[-2000:]
    try:
        tested = yard.test(bug.build, bug.command)
    except subprocess.TimeoutExpired:
        return f"the test did not end within {TIMEOUT} s", ""
    lines = [line for line in tested.stdout.splitlines() if "FAILED" in line or "WARNING" in line]
    said = lines[0].strip() if lines else tested.stdout.strip().splitlines()[-1:]
    if tested.returncode == 0:
        return "the test passed", ""
    if tested.returncode == SKIPPED:
        return "the test was skipped", ""
    if bug.says not in tested.stdout:
        return f"the test failed without saying \"{bug.says}\"", str(said)
    if tested.returncode < 0:
        said = f"signal {-tested.returncode}"
    return "", str(said)


def try_bug(yard, bug):
    """Plant, test, restore: the files get their old text and a new date, so they are built again."""
    old = {}
    for name in bug.files:
        path = yard.tree / name
        old[path] = path.read_bytes() if path.exists() else None
    try:
        return verdict(yard, bug)
    finally:
        for path, text in old.items():
            for leftover in (path.with_name(path.name + ".rej"), path.with_name(path.name + ".orig")):
                leftover.unlink(missing_ok=True)
            if text is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(text)


class Health:
    """Without a bug every test passes; else catching would mean nothing. Each is tried once, by the yard that
    needs it first."""

    def __init__(self):
        self.lock = threading.Lock()
        self.known = {}

    def fault(self, yard, bug):
        """What is wrong with a bug's test before anything is planted; "": nothing."""
        with self.lock:
            lock, known = self.known.setdefault((bug.build, *bug.command), (threading.Lock(), []))
        with lock:
            if not known:
                known.append(self.try_test(yard, bug))
        return known[0]

    @staticmethod
    def try_test(yard, bug):
        if bug.build == "python" and not PYTHON.exists():
            return "the Python package wants the environment that ./dev test python makes"
        built = yard.build(bug.build, [bug.command[0]])
        if built.returncode != 0:
            return f"it does not compile without any bug: {built.stdout[-2000:]}"
        # A fuzzer that has nothing to find uses all of its time; a moment shows that it finds nothing at once.
        command = [bug.command[0], "5"] if bug.build == "fuzz" else bug.command
        try:
            tested = yard.test(bug.build, command)
        except subprocess.TimeoutExpired:
            return f"the test does not end within {TIMEOUT} s without any bug"
        return "" if tested.returncode in (0, SKIPPED) else f"the test fails without any bug: {tested.stdout[-2000:]}"


def work(yard, take, health, caught):
    """Take one bug after the other until none is left."""
    while True:
        try:
            bug = take()
        except IndexError:
            return
        begin = time.monotonic()
        why_not, said = health.fault(yard, bug), ""
        if not why_not:
            why_not, said = try_bug(yard, bug)
        caught.append(why_not == "")
        word = "NOT CAUGHT" if why_not else "caught"
        print(f"{word:10} {bug.name:28} {bug.command[0]:20} {time.monotonic() - begin:5.1f} s  {why_not} {said[:160]}",
              flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--scratch", type=Path, default=SOURCE / "build/planted",
                         help="folder for the copies and their builds")
    options.add_argument("--jobs", type=int, default=os.cpu_count(),
                         help="bugs at a time, each in a copy of its own: most tests use one CPU")
    options.add_argument("--one-per-kind", action="store_true", help="one bug for each kind of test instead of all")
    options.add_argument("names", nargs="*", help="bugs to plant; all without names")
    given = options.parse_args()

    bugs = [Bug(path) for path in sorted(HERE.glob("*.patch"))]
    if given.names:
        bugs = [bug for bug in bugs if bug.name in given.names]
    elif not all(map(shutil.which, ARM_TOOLS)):
        print(f"left out: {sum(bug.build == 'arm' for bug in bugs)} bugs for Arm, which want ./dev setup --arm")
        bugs = [bug for bug in bugs if bug.build != "arm"]
    if given.one_per_kind:
        # After a change of a header nearly everything is compiled again.
        bugs.sort(key=lambda bug: any(name.endswith(".h") for name in bug.files), reverse=True)
        bugs = list({bug.kind: bug for bug in bugs}.values())
    # Bugs of one build follow each other. Yards take them from either end: what one has built first, the other
    # finds in ccache.
    bugs.sort(key=lambda bug: (bug.build, bug.command[0]))
    count, left, health, caught = len(bugs), deque(bugs), Health(), []
    yards = [Yard(given.scratch.resolve() / str(n), 1) for n in range(max(1, min(given.jobs, count)))]
    with ThreadPoolExecutor(len(yards)) as pool:
        for done in [pool.submit(work, yard, (left.popleft, left.pop)[n % 2], health, caught)
                     for n, yard in enumerate(yards)]:
            done.result()
    print(f"{sum(caught)} of {count} planted bugs caught")
    return 0 if count and sum(caught) == count else 1


if __name__ == "__main__":
    sys.exit(main())
