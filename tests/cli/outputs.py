"""Every command that writes a file: the rights of an old one stay, and a signal leaves nothing half done."""

import os
import resource
import signal
import stat
import subprocess
import time

from harness import environment, same, well

MATRIX = "random:rows=400,cols=400,mean=9"
WRITERS = {
    "spy": (["spy", "a.mtx", "-o"], "out.png"),
    "plot": (["plan", "a.mtx", "--no-wisdom", "--plot"], "out.svg"),
    "ranks": (["pagerank", "graph.mtx", "-o"], "out.txt"),
    "convert": (["convert", "a.mtx"], "out.mtx"),
    "pack": (["convert", "a.mtx"], "out.mtx.gz"),
    "generate": (["generate", MATRIX, "-o"], "out.mtx"),
}
SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGXCPU)


def files(place):
    """Name and contents of each file in the folder."""
    return {path.name: path.read_bytes() for path in place.folder.iterdir()}


def prepare(place):
    """What the writers read."""
    well(place.run("generate", MATRIX, "-o", "a.mtx"))
    place.write("graph.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n2 3\n3 1\n")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


# ---- rights ------------------------------------------------------------------------------------------

def rights(args, name):
    """An old file keeps its mode; a new one follows the umask."""
    def run(place):
        prepare(place)
        out = place.folder / name
        for mask in (0o022, 0o077, 0o007, 0):
            def limited(mask=mask):
                os.umask(mask)
            well(place.run(*args, name, preexec_fn=limited))
            same(oct(mode(out)), oct(0o666 & ~mask), f"a new file, umask {mask:o}")
            for old in (0o600, 0o640, 0o644, 0o666, 0o400):
                out.chmod(old)
                well(place.run(*args, name, preexec_fn=limited))
                same(oct(mode(out)), oct(old), f"an old file, umask {mask:o}")
            out.unlink()
    return run


# ---- signals -----------------------------------------------------------------------------------------

def slowly(seconds):
    """The environment in which each write of a file takes so long."""
    library = os.path.join(os.environ["TULLE_TEST_DRIVERS"], "cli_slow_write.so")
    sanitizer = os.environ.get("ASAN_OPTIONS", "")
    return environment(LD_PRELOAD=library, TULLE_TEST_SLOW=str(seconds),
                       ASAN_OPTIONS=f"{sanitizer}:verify_asan_link_order=0")


def start(place, args, seconds, before=None, **options):
    """The command, in the middle of writing its file."""
    def begin():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # A shell that runs the tests in the background ignores SIGINT and SIGQUIT; children inherit that.
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        if before:
            before()
    there = set(os.listdir(place.folder))
    # pylint: disable-next=consider-using-with
    it = subprocess.Popen([place.tulle, *args], cwd=place.folder, env=slowly(seconds),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          preexec_fn=begin, **options)
    until = time.monotonic() + 50
    while not any(name.endswith(".part") for name in set(os.listdir(place.folder)) - there):
        assert it.poll() is None, f"it ended with {it.returncode}: {it.communicate()}"
        assert time.monotonic() < until, "no part of a file appears"
        time.sleep(0.01)
    return it


def interrupted(args, name, number):
    """It dies of the signal; the old file, and parts that are not its own, stay as they were."""
    def run(place):
        prepare(place)
        place.write(name, "old")
        place.write(name + ".part", "not ours")
        place.write("other.part", "not ours")
        before = files(place)
        with open(place.folder / "log.part", "wb") as log:
            before["log.part"] = b""
            it = start(place, [*args, name], 50, pass_fds=[log.fileno()])
            it.send_signal(number)
            it.communicate(timeout=40)
        same(it.returncode, -number, "how it ended")
        same(files(place), before, "the files")
    return run


def case_ignored_signal(place):
    """As under nohup: what was ignored from the start stays ignored."""
    for number in (signal.SIGHUP, signal.SIGINT):
        def ignore(number=number):
            signal.signal(number, signal.SIG_IGN)
        it = start(place, ["generate", MATRIX, "-o", "out.mtx"], 1, before=ignore)
        it.send_signal(number)
        it.communicate(timeout=40)
        same(it.returncode, 0, "how it ended")
        same(sorted(files(place)), ["out.mtx"], "the files")


def case_killed(place):
    """A process that cannot clean up leaves nothing outside its folder. LLVM's OpenMP would: a file in
    shared memory per process. Another one might, so none is loaded."""
    it = start(place, ["generate", MATRIX, "-o", "out.mtx"], 50)
    with open(f"/proc/{it.pid}/maps", encoding="utf-8") as maps:
        loaded = {os.path.basename(line.split()[-1]) for line in maps if ".so" in line}
    it.kill()
    it.communicate(timeout=40)
    same([name for name in os.listdir("/dev/shm") if str(it.pid) in name], [], "files in shared memory")
    same([name for name in loaded if "omp" in name], [], "OpenMP runtimes")


CASES = ([(f"rights_{key}", rights(*writer)) for key, writer in WRITERS.items()] +
         [(f"{number.name}_{key}", interrupted(*writer, number))
          for key, writer in WRITERS.items() for number in SIGNALS] +
         [("ignored_signal", case_ignored_signal), ("killed", case_killed)])
