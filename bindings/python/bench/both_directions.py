"""The section `both` of solvers.py: A^T x by a plan for both directions over a plan for A^T alone, and memory."""

import sys

import numpy as np

import tulle
from interleaved import Table, calls_for, in_turns, medians

MATRICES = ["cage11", "xenon1", "memplus", "fem_cylplate", "cnr-2000", "lp_e226", "lp_nw04", "lp_fast0507", "lp_maros_r7",
            "lp_pilot87", "qp_CONT-300_A", "qp_BOYD1_A"]
MULTIPLIES = 1000


def memory(plan, S):
    """Bytes that a plan holds, with SciPy's arrays if it reads them."""
    described = plan.describe()
    borrowed = S.data.nbytes + S.indices.nbytes + S.indptr.nbytes if described["format"] == "csr" else 0
    return described["extra_bytes"] + borrowed


def check(y, S, x):
    """Both sums of a column are within (n + 1) u sum |a||x| of the true one, n its length; one store adds its 64 copies."""
    T = S.T.tocsr()
    bound = 2 * (np.diff(T.indptr) + 65) * np.finfo("f8").eps / 2 * (abs(T) @ abs(x))
    if not (abs(y - T @ x) <= bound).all():
        sys.exit("A^T x is beyond its bound")


def measure(S, options):
    x = np.random.default_rng(1).standard_normal(S.shape[0])
    forward = tulle.matrix(S).plan(MULTIPLIES)
    one = tulle.matrix(S).plan(MULTIPLIES, both=True, stores=1)
    plans = {"alone": tulle.matrix(S).T.plan(MULTIPLIES), "both": tulle.matrix(S).plan(MULTIPLIES, both=True).T, "one": one.T}
    results = {name: np.empty(S.shape[1]) for name in plans}
    contenders = {name: lambda name=name, plan=plan: plan.dot(x, out=results[name]) for name, plan in plans.items()}
    calls = calls_for(contenders["alone"], options.seconds)
    seconds = medians(in_turns(contenders, options.rounds, calls))
    for y in results.values():
        check(y, S, x)
    return {"format": plans["alone"].describe()["format"], "stores": plans["both"].T.describe()["stores"],
            "alone us": 1e6 * seconds["alone"], "both us": 1e6 * seconds["both"], "one us": 1e6 * seconds["one"],
            "both": seconds["alone"] / seconds["both"], "one store": seconds["alone"] / seconds["one"],
            "memory": memory(one, S) / memory(forward, S)}


def run(options, load):
    table = Table("both: speed of A^T x over a plan for A^T alone; memory of one store over the plan for A alone",
                  {"format": "s", "stores": "d", "alone us": ".1f", "both us": ".1f", "one us": ".1f", "both": ".2f",
                   "one store": ".2f", "memory": ".2f"},
                  ["both", "one store", "memory"], {"both": (">=", .85), "one store": (">=", .5), "memory": ("<=", 1.25)})
    for name, S in load(options.matrix or MATRICES):
        table.add(name, measure(S, options))
    return table.finish()
