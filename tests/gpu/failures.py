#!/usr/bin/env python3
"""Let each call of the driver fail, one after the other. Usage: failures.py LAYERS.json PROGRAM FORMAT...

Whichever call it is, the program ends by itself, reports what failed, and gives back all that it holds; the
stand-in sees to the last. A call that fails while something is given back may go unnoticed.
"""

import sys

import on

TOLD = 5


def walk(layers, program, form):
    """(failures told, failures unnoticed); the walk ends with the first run in which no call failed."""
    told = unnoticed = 0
    status, output = on.run(layers, "fibers", [program, form], settings={"STANDIN_CALLS": "1"})
    calls = int(output.split("standin: ")[1].split()[0])
    assert status == 0, output
    for n in range(1, calls + 1):
        status, output = on.run(layers, "fibers", [program, form],
                                settings={"STANDIN_FAIL": str(n)}, timeout=60)
        if status not in (0, TOLD):
            # What could not be given back is held at the end, and is the failed call's own fault.
            if status == 98 and "still holds" in output:
                unnoticed += 1
                continue
            sys.exit(f"{form}, call {n} of {calls}: status {status}\n{output}")
        told += status == TOLD and "TULLE_E_DEVICE" in output
        unnoticed += status == 0
    return told, unnoticed


def main():
    for form in sys.argv[3:]:
        told, unnoticed = walk(sys.argv[1], sys.argv[2], form)
        print(f"{form}: {told} failures told, {unnoticed} while giving back")
        if told < 10:
            sys.exit("too few to mean anything")


if __name__ == "__main__":
    main()
