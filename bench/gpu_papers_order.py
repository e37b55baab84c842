"""Published orders of formats, the order that counts predict, and how far they agree.

A published pair (a, b) says that a is faster than b, a pair (a, b, "or equal") that b is not faster than a. The
prediction of a format is a figure of `tulle plan --device`, the less the better. Kendall's tau is
(agreeing - contrary) / all published pairs. A pair that is equal in the prediction is neither, but agrees with
"or equal".
"""

from itertools import combinations

from paper_tables import CSR5_TABLE_3, ELLPACK_R_REMARKS, FASTLOAD_FIG_1, FASTLOAD_OVER, published
from results import geomean

# What is ranked for a name of a paper: the best of these, whatever the number of lanes.
KERNELS = {"CSR": ["csr:kernel=scalar", "csr:kernel=vector"], "CSR-vector": ["csr:kernel=vector"], "HYB": ["hyb"],
           "CSR-Adaptive": ["csr:kernel=adaptive"], "CSR5": ["csr5"], "CSC": ["csc"], "CRS": ["csr:kernel=scalar"],
           "ELLPACK": ["ell"], "ELLPACK-R": ["ellr"]}
COST = "cost"
REQUESTS = "requests"


# ---- judging --------------------------------------------------------------------------------------


def is_kernel(candidate, kernel):
    """Does "csr:kernel=vector,lanes=8" come from csr:kernel=vector, "ellr:lanes=2" from ellr?"""
    return candidate == kernel or candidate.startswith((kernel + ",", kernel + ":"))


def predictions(plan, names, by=COST):
    """{name: figure} of one matrix; what is ruled out is missing."""
    found = {}
    for name in names:
        figures = [c["relative"] if by == COST else c["requested"] + c["x_requested"] for c in plan["candidates"]
                   if not c["out"] and any(is_kernel(c["format"], kernel) for kernel in KERNELS[name])]
        if figures:
            found[name] = min(figures)
    return found


def mean_predictions(plans, names, by=COST, weights=None):
    """{name: geometric mean}, on the matrices on which none of the names is ruled out. The order does not depend on the
    format to which costs are relative."""
    found = [predictions(plan, names, by) for plan in plans]
    weights = weights or [1] * len(plans)
    whole = [(figures, weight) for figures, weight in zip(found, weights) if len(figures) == len(names)]
    total = sum(weight for _, weight in whole)
    if not total:
        return {}
    return {name: geomean([figures[name] for figures, _ in whole], [weight for _, weight in whole]) for name in names}


def judge(pairs, figures):
    """(agreeing, equal, contrary pairs) of those whose formats have figures."""
    agree, equal, contrary = [], [], []
    for pair in pairs:
        fast, slow = (figures.get(name) for name in pair[:2])
        if fast is None or slow is None:
            continue
        if fast < slow or (fast == slow and len(pair) > 2):
            agree.append(pair)
        else:
            (equal if fast == slow else contrary).append(pair)
    return agree, equal, contrary


def tau(judged):
    """None without pairs."""
    agree, equal, contrary = map(len, judged)
    return (agree - contrary) / (agree + equal + contrary) if agree + equal + contrary else None


def together(several):
    """Judgements of several comparisons as one."""
    several = list(several)
    return tuple([pair for judged in several for pair in judged[n]] for n in range(3))


# ---- published orders -----------------------------------------------------------------------------


def pairs_of(order):
    """All pairs of an order, the fastest first."""
    return list(combinations(order, 2))


def csr5_order(who, names, irregular):
    """By T_csr / T_new, which Table 3 implies: its speedup at n = 500 times (T_pre / T_new + 500) / 500; CSR is 1."""
    speeds = {names["CSR"]: 1.0}
    for name, values in published(CSR5_TABLE_3).items():
        machine, _, method = name.partition("-")
        if machine == who and method in names:
            pre, at_500 = values[5 * irregular], values[5 * irregular + 3]
            speeds[names[method]] = at_500 * (pre + 500) / 500
    return sorted(speeds, key=lambda name: -speeds[name])


ELLPACK_R_ORDER = ["ELLPACK-R", "HYB", "ELLPACK", "CRS"]  # Fig. 5


def ellpack_r_pairs(matrix):
    """What section 5 says of a single matrix. Of "ELLPACK or HYB above ELLPACK-R", ELLPACK is meant where no other
    remark puts it below ELLPACK-R."""
    remarks = [text for text, names in ELLPACK_R_REMARKS.items() if matrix in names]
    pairs = []
    if "HYB not above ELLPACK" in remarks:
        pairs.append(("ELLPACK", "HYB", "or equal"))
    if "ELLPACK slow" in remarks:
        pairs.append(("ELLPACK-R", "ELLPACK"))
    if "ELLPACK or HYB above ELLPACK-R" in remarks:
        pairs.append(("HYB" if "ELLPACK slow" in remarks else "ELLPACK", "ELLPACK-R"))
    return pairs


def fastload_order(group):
    """CSC and CSR5 in a group of Fig. 1, or by the speedups over them on all matrices."""
    if group is None:
        csc, csr5 = FASTLOAD_OVER["CSC"][0], FASTLOAD_OVER["CSR5"][0]
    else:
        csr5, csc = published(FASTLOAD_FIG_1)[group][4:6]
    return ["CSC", "CSR5"] if csc < csr5 else ["CSR5", "CSC"]
