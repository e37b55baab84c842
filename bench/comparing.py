"""Run tulle-compare for the scripts that read what it writes."""

import subprocess
import sys
from pathlib import Path

PROGRAM = str(Path(__file__).resolve().parent.parent / "build/release/bench/tulle-compare")


def add_options(parser, seconds):
    """Options of a run that the scripts about the planner have in common."""
    parser.add_argument("--compare", default=PROGRAM, metavar="PROGRAM")
    parser.add_argument("--suite", default="papers,real", help="(papers,real)")
    parser.add_argument("--largest", default="2e7", metavar="NNZ", help="(2e7)")
    parser.add_argument("--matrix", action="append", help="this one instead of the suite; again for more")
    parser.add_argument("--threads", default="2", help="(2)")
    parser.add_argument("--seconds", type=float, default=seconds, help=f"for one matrix ({seconds})")


def compare(program, arguments, path):
    """A wrong result ends the script; a matrix that cannot be read does not."""
    status = subprocess.run([program, *arguments, "--json", path], check=False,
                            stdout=sys.stderr).returncode
    if status == 1 or not Path(path).exists():
        sys.exit(f"{Path(sys.argv[0]).name}: {program} ended with status {status}")


def measure(given, formats, contenders, path):
    """One run with the options of add_options()."""
    arguments = ["--formats", formats, "--contenders", contenders, "--threads", given.threads,
                 "--seconds", str(given.seconds)]
    arguments += given.matrix or ["--suite", given.suite, "--largest", given.largest]
    compare(given.compare, arguments, path)
