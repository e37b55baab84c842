"""Which sigma csr5 should take on a device (CSR5 paper, sec. 3.2): measured for every matrix, and a rule <r, s, t, u>.

The rule takes sigma from the mean row length: r up to r, the mean itself up to s, s up to t, and u above."""

from device_report import gflops, timed
from results import counted, geomean, markdown

SIGMAS = list(range(4, 49, 4))
RULES = {"nvidia": (4, 32, 256, 4), "amd": (4, 7, 256, 4)}
LIMITS = (64, 128, 256, 512)  # tried for t


def format_of(sigma):
    return f"csr5:sigma={sigma}"


FORMATS = [*(f"csr5:rule={rule}" for rule in RULES), *map(format_of, SIGMAS)]


def sigma_by(rule, mean):
    r, s, t, u = rule
    return r if mean <= r else mean if mean <= s else s if mean <= t else u


def nearest(sigma, speeds):
    """The speed with the measured sigma closest to this one."""
    return speeds[min(speeds, key=lambda known: abs(known - sigma))]


def swept(matrices):
    """[(matrix, {sigma: GFlop/s}, {rule: GFlop/s})] of the matrices on which all of them were timed."""
    found = []
    for matrix in matrices:
        rows = timed(matrix)
        if matrix["nnz"] and all(f"tulle:{name}" in rows for name in FORMATS):
            found.append((matrix, {s: gflops(matrix, rows[f"tulle:{format_of(s)}"]) for s in SIGMAS},
                          {rule: gflops(matrix, rows[f"tulle:csr5:rule={rule}"]) for rule in RULES}))
    return found


def loss(speed, best):
    return max(0, 1 - speed / best)


def mean_loss(speeds_and_bests):
    return 1 - geomean([1 - loss(speed, best) for speed, best in speeds_and_bests])


def rule_loss(rule, found):
    """The loss of a rule, estimated from the measured sigma closest to its own."""
    return mean_loss([(nearest(sigma_by(rule, matrix["nnz"] / matrix["rows"]), speeds), max(speeds.values()))
                      for matrix, speeds, _ in found])


def best_rule(found):
    """The rule that loses least; of equal ones the first, so one with small sigmas."""
    rules = [(r, s, t, u) for r in SIGMAS for s in SIGMAS if r <= s for t in LIMITS for u in SIGMAS]
    return min(rules, key=lambda rule: rule_loss(rule, found))


def losses(found):
    """{published rule: its mean loss as measured}."""
    return {rule: mean_loss([(by_rule[rule], max(speeds.values())) for _, speeds, by_rule in found])
            for rule in RULES}


def report(run, matrices):
    """What a sweep found; of a device that is not a GPU only whether all were right."""
    results = [row for matrix in matrices for row in matrix["results"]]
    right = sum(bool(row.get("right")) for row in results)
    text = f"{run['device']}: {run['model']}; {right} of {counted(len(results), 'result')} right\n"
    if not run["gpu"]:
        return text + "Not a GPU: nothing to calibrate, since times would be those of a CPU, not of a GPU.\n"
    found = swept(matrices)
    if not found:
        return text + "No matrix on which every sigma was timed.\n"
    lines = []
    for matrix, speeds, by_rule in found:
        best = max(speeds, key=speeds.get)
        lines.append([matrix["matrix"], f"{matrix['nnz'] / matrix['rows']:.1f}", best, f"{speeds[best]:.2f}",
                      *(f"{100 * loss(by_rule[rule], speeds[best]):.1f} %" for rule in RULES)])
    text += "\n" + markdown(["matrix", "nnz/row", "best sigma", "GFlop/s", *(f"loss of rule={r}" for r in RULES)], lines)
    means = {s: geomean([speeds[s] for _, speeds, _ in found]) for s in SIGMAS}
    text += "\n" + markdown(["sigma", "geometric mean, GFlop/s"], [[s, f"{m:.2f}"] for s, m in means.items()])
    single, rule = max(means, key=means.get), best_rule(found)
    text += f"\nBest single sigma: {single}.\n"
    for name, value in losses(found).items():
        text += f"Mean loss of rule={name} <{', '.join(map(str, RULES[name]))}>: {100 * value:.1f} %.\n"
    return text + (f"Suggested <r, s, t, u>: <{', '.join(map(str, rule))}>, which would lose "
                   f"{100 * rule_loss(rule, found):.1f} % on these matrices.\n")
