"""Every command that writes a file: the rights of an old one stay."""

import os
import stat

from harness import same, well

MATRIX = "random:rows=400,cols=400,mean=9"
WRITERS = {
    "spy": (["spy", "a.mtx", "-o"], "out.png"),
    "plot": (["plan", "a.mtx", "--no-wisdom", "--plot"], "out.svg"),
    "ranks": (["pagerank", "graph.mtx", "-o"], "out.txt"),
    "convert": (["convert", "a.mtx"], "out.mtx"),
    "pack": (["convert", "a.mtx"], "out.mtx.gz"),
    "generate": (["generate", MATRIX, "-o"], "out.mtx"),
}


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


CASES = [(f"rights_{key}", rights(*writer)) for key, writer in WRITERS.items()]
