#!/usr/bin/env python3
"""Run a KSP program with PETSc's matrix type and with tulle's, and want the same solves.

Usage: solvers.py --ranks N PLUGIN TYPE-OPTION... -- PROGRAM [ARGUMENTS]. For cg and gmres with jacobi,
bjacobi/ilu, gamg and hypre: iteration counts within 1 of each other, the first five residuals equal to
1e-10 relative, the true residual under rtol.
"""

import argparse
import re
import subprocess
import sys

RTOL = 1e-7
SOLVERS = {
    # the norm that is watched is the true one, so that it must be under rtol in the end
    "cg": ["-ksp_type", "cg", "-ksp_norm_type", "unpreconditioned"],
    "gmres": ["-ksp_type", "gmres", "-ksp_pc_side", "right"],
}
PRECONDITIONERS = {
    "jacobi": ["-pc_type", "jacobi"],
    "bjacobi/ilu": ["-pc_type", "bjacobi", "-sub_pc_type", "ilu"],
    "gamg": ["-pc_type", "gamg"],
    "hypre": ["-pc_type", "hypre"],
}
LINE = re.compile(r"^\s*(\d+) KSP \w+ resid norm (\S+) true resid norm (\S+)"
                  r" \|\|r\(i\)\|\|/\|\|b\|\| (\S+)", re.M)


def solve(command, options):
    """[(residual, true relative residual)] of each iteration; what was printed."""
    run = subprocess.run([*command, "-ksp_monitor_true_residual", "-ksp_rtol", str(RTOL), *options],
                         capture_output=True, text=True, check=False)
    steps = [(float(m[2]), float(m[4])) for m in LINE.finditer(run.stdout)]
    if run.returncode != 0 or not steps:
        sys.exit(f"{' '.join(command + options)} ended with {run.returncode}\n"
                 f"{run.stdout[-3000:]}{run.stderr[-3000:]}")
    return steps, run.stdout


def faults(plain, ours):
    if abs(len(plain) - len(ours)) > 1:
        yield f"{len(ours) - 1} iterations, PETSc's type takes {len(plain) - 1}"
    for step, (a, b) in enumerate(list(zip(plain, ours))[:5]):
        if not abs(a[0] - b[0]) <= 1e-10 * a[0]:
            yield f"residual {step} is {b[0]:.13e}, PETSc's is {a[0]:.13e}"
    if not ours[-1][1] <= RTOL * (1 + 1e-6):
        yield f"the true residual is {ours[-1][1]:g}, over {RTOL:g}"


def main():
    mark = sys.argv.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("--ranks", default="1")
    parser.add_argument("--mpiexec", default="mpiexec")
    parser.add_argument("plugin")
    own, type_options = parser.parse_known_args(sys.argv[1:mark])
    command = [own.mpiexec, "-n", own.ranks, *sys.argv[mark + 1:]]
    with_tulle = ["-dll_append", own.plugin, *type_options]
    # In a run of its own: what other ranks print would break the lines of the monitor.
    if "tulle: block of" not in solve(command, with_tulle + ["-mat_tulle_view"])[1]:
        sys.exit("FAILED it is not tulle that multiplies")
    bad = 0
    for solver, how in SOLVERS.items():
        for name, which in PRECONDITIONERS.items():
            plain, _ = solve(command, how + which)
            ours, _ = solve(command, how + which + with_tulle)
            print(f"{solver} {name}: {len(plain) - 1} and {len(ours) - 1} iterations, "
                  f"true residual {ours[-1][1]:.2e}")
            for fault in faults(plain, ours):
                print(f"FAILED {solver} {name}: {fault}")
                bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
