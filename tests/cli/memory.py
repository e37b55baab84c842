"""Every allocation of the command fails once, and from then on: it ends with the code for no memory and a message, or it did
without; no old file is damaged and nothing else is left."""

import os

from harness import environment, same, well

MEMORY = 5  # the exit code
COMMANDS = {
    "info": ["info", "a.mtx"],
    "convert": ["convert", "a.mtx", "out.tulle"],
    "pack": ["convert", "a.mtx", "out.mtx.gz"],
    "mul": ["mul", "a.mtx", "--threads", "1"],
}


def failing(wanted, counted):
    return environment(LD_PRELOAD=os.path.join(os.environ["TULLE_TEST_DRIVERS"], "cli_no_memory.so"),
                       TULLE_TEST_MEMORY=wanted, TULLE_TEST_COUNTED=str(counted))


def files(place):
    return {path.name: path.read_bytes() for path in place.folder.iterdir() if path.name != "counted"}


def check_point(place, args, wanted, before, after):
    """Allocation `wanted` fails. The files are those of before, or those of a command that had all memory."""
    for name, contents in before.items():
        place.write(name, contents)
    done = place.run(*args, env=failing(wanted, place.folder / "counted"))
    text = done.stderr.decode(errors="backslashreplace")
    what = f"{' '.join(args)}, allocation {wanted}"
    assert done.returncode in (0, MEMORY), f"{what}: exit {done.returncode}: {text}"
    assert done.returncode == 0 or text.startswith("tulle"), f"{what}: not our message: {text!r}"
    same(files(place), after if done.returncode == 0 else before, what)
    return done.returncode == MEMORY


def every_allocation(args):
    def run(place):
        place.matrix()
        if args[0] == "convert":
            place.write(args[-1], "old")
        before, counted = files(place), place.folder / "counted"
        well(place.run(*args, env=failing("0", counted)))
        after, count = files(place), int(counted.read_text())
        assert count >= 20, f"only {count} allocations"
        noticed = sum(check_point(place, args, f"{n}{more}", before, after)
                      for n in range(1, count + 1) for more in ("", "+"))
        assert noticed >= count, f"{noticed} of {2 * count} failures were noticed"
        print(f"{' '.join(args)}: {2 * count} points of failure, {noticed} end the command")
    return run


CASES = [(key, every_allocation(args)) for key, args in COMMANDS.items()]
