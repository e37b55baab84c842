"""The report of gpu_papers_model: per paper the comparisons, each matrix, and what is not compared."""

import fnmatch

from gpu_papers_model_batched import instructions, requests, traffic
from gpu_papers_order import (COST, ELLPACK_R_ORDER, REQUESTS, csr5_order, ellpack_r_pairs, fastload_order, judge,
                              mean_predictions, pairs_of, predictions, tau, together)
from gpu_papers_runs import figure
from paper_tables import ELLPACK_R_TABLE_1, FASTLOAD_FIG_1, FASTLOAD_GROUPS, IRREGULAR, REGULAR, published
from results import counted, markdown

NVIDIA = {"CSR": "CSR", "HYB": "HYB", "CSR5": "CSR5"}
AMD = {"CSR": "CSR-vector", "CSR-Adaptive": "CSR-Adaptive", "CSR5": "CSR5"}
HEADS = ["published", "GPU", "matrices", "published order", "predicted order", "tau", "contrary pairs",
         "tau by requests"]
BATCH_HEADS = ["published", "matrices", "published pairs", "order by traffic", "tau", "contrary pairs",
               "tau by requests", "tau by instructions"]
NOT_COMPARED = {
    "CSR5": [
        ("ACSR and BRC (Fig. 7 and 8, Table 3)", "tulle has neither"),
        ("single matrices of Fig. 7 and 8",
         "the figures print no numbers; the table above has the order of the group's mean instead"),
        ("Fig. 3, segmented sum", "csr:kernel=segsum has no estimate"),
        ("Fig. 9, sigma", "the ranking has one sigma per device"),
        ("Fig. 10 and n = 50 of Table 3, conversion", "the ranking is for products alone"),
        ("CPU and Xeon Phi", "not GPUs")],
    "ELLPACK-R": [
        ("SpMV4GPU", "csr:kernel=padded has no estimate"),
        ("CRS(vector)", "it has 32 lanes per row; the ranking keeps the best number of lanes only"),
        ("Fig. 4 where the text says nothing of a matrix", "the figure prints no numbers"),
        ("Fig. 6, MKL on one core", "not a GPU")],
    "Batched SpMV": [
        ("Fig. 3, batches beside loops", "loops over plans are not counted"),
        ("Fig. 4, kernels of CSR at many nonzeros per row", "the text states no order"),
        ("ex25 and msc00726 (section 4.2)", "neither matrix was available")],
    "FastLoad": [
        ("FastLoad itself: Fig. 1, 5, 7 to 9, Table I", "fastload has no estimate: its blocks are known only after the "
         "conversion"),
        ("cuSPARSE and TileSpMV", "not ours; how they read memory is not known"),
        ("Fig. 10 and 11, preprocessing and peak memory", "the ranking is for products alone")],
}


def listed(figures):
    """Names, the best first; those that are equal are joined."""
    names = sorted(figures, key=figures.get)
    text = names[0] if names else "-"
    for before, name in zip(names, names[1:]):
        text += (" = " if figures[before] == figures[name] else " > ") + name
    return text


def pair_text(pairs):
    return "; ".join(f"{slow} > {fast}" for fast, slow, *_ in pairs) or "-"


def origin(plans):
    stand_ins = sum(plan["stand_in"] for plan in plans)
    real = [f"{len(plans) - stand_ins} real"] if len(plans) > stand_ins else []
    return ", ".join([counted(stand_ins, "stand-in")] * (stand_ins > 0) + real)


class Paper:
    """Collects the judgements of one paper: comparisons that are published, by both figures."""

    def __init__(self, title):
        self.title, self.lines, self.judged, self.by_requests = title, [], [], []

    def compare(self, what, device, plans, order, weights=None):
        """The mean over these plans beside a published order."""
        names = list(order)
        costs = mean_predictions(plans, names, COST, weights)
        judged = judge(pairs_of(order), costs)
        requests = judge(pairs_of(order), mean_predictions(plans, names, REQUESTS, weights))
        self.judged.append(judged)
        self.by_requests.append(requests)
        self.lines.append([what, device, origin(plans), " > ".join(order), listed(costs), figure(tau(judged)),
                           pair_text(judged[2]), figure(tau(requests))])

    def section(self, details="", not_compared=()):
        text = f"\n### {self.title}\n"
        if self.lines:
            agree, equal, contrary = judged = together(self.judged)
            text += "\n" + markdown(HEADS, self.lines)
            text += (f"\nAll {counted(len(agree + equal + contrary), 'pair')}: {len(agree)} agree, {len(equal)} equal, "
                     f"{len(contrary)} contrary; tau {figure(tau(judged))}, by requests "
                     f"{figure(tau(together(self.by_requests)))}.\n")
        left_out = [*NOT_COMPARED[self.title], *not_compared]
        return text + details + "\n" + markdown(["not compared", "why"], left_out)


def csr5(found):
    paper, lines = Paper("CSR5"), []
    machines = (("gtx980", "nGPU", NVIDIA), ("r9290x", "aGPU", AMD))
    for title, group in (("regular", REGULAR), ("irregular", IRREGULAR)):
        orders = {device: csr5_order(who, names, group is IRREGULAR) for device, who, names in machines}
        for device, order in orders.items():
            plans = [found[device][name] for name in group if name in found.get(device, {})]
            if plans:
                paper.compare(f"Table 3, {title}", device, plans, order)
        for name in group:
            cells = []
            for device, order in orders.items():
                plan = found.get(device, {}).get(name)
                costs = predictions(plan, order) if plan else {}
                cells += [listed(costs), figure(tau(judge(pairs_of(order), costs)))]
            lines.append([name, title, *cells])
    heads = ["matrix", "group", "gtx980", "tau", "r9290x", "tau"]
    return paper.section("\nPredicted order of single matrices; tau with the published order of the group's mean:\n\n"
                         + markdown(heads, lines))


def lanes_of(plan):
    return next((c["format"].partition("=")[2] for c in plan["candidates"] if c["format"].startswith("ellr:")), "-")


def ellpack_r(found):
    paper, lines, plans = Paper("ELLPACK-R"), [], found.get("gtx295", {})
    if plans:
        paper.compare("Fig. 5, mean weighted by nonzeros", "gtx295", list(plans.values()), ELLPACK_R_ORDER,
                      [plan["nnz"] for plan in plans.values()])
    for name in filter(plans.get, published(ELLPACK_R_TABLE_1)):
        plan, stated = plans[name], ellpack_r_pairs(name)
        costs = predictions(plan, ELLPACK_R_ORDER)
        judged = judge(stated, costs)
        paper.judged.append(judged)
        paper.by_requests.append(judge(stated, predictions(plan, ELLPACK_R_ORDER, REQUESTS)))
        lines.append([name, "stand-in" if plan["stand_in"] else "real", listed(costs), lanes_of(plan),
                      figure(tau(judge(pairs_of(ELLPACK_R_ORDER), costs))),
                      "; ".join(f"{pair[0]} {'>=' if len(pair) > 2 else '>'} {pair[1]}" for pair in stated) or "-",
                      figure(tau(judged)), pair_text(judged[2])])
    heads = ["matrix", "", "predicted order", "lanes of ELLPACK-R", "tau with Fig. 5", "stated of this matrix", "tau",
             "contrary pairs"]
    return paper.section("\nSingle matrices; what section 5 states of them is counted above:\n\n"
                         + markdown(heads, lines))


def fastload(found):
    paper, plans, lines, missing = Paper("FastLoad"), found.get("rtx3090ti", {}), [], []
    for group in published(FASTLOAD_FIG_1):
        members = [plan for name, plan in plans.items()
                   if any(fnmatch.fnmatchcase(name, pattern) for pattern in FASTLOAD_GROUPS.get(group, ()))]
        order = fastload_order(group)
        if not members:
            missing.append((f"Fig. 1, {group}", "none of its matrices is in $TULLE_MATRICES, and the paper prints no "
                            "figures for a stand-in"))
            continue
        paper.compare(f"Fig. 1, {group}", "rtx3090ti", members, order)
        judged = together(judge(pairs_of(order), predictions(plan, order)) for plan in members)
        lines.append([group, len(members), int(published(FASTLOAD_FIG_1)[group][0]), *map(len, judged),
                      figure(tau(judged))])
    if plans:
        paper.compare("Fig. 7, all", "rtx3090ti", list(plans.values()), fastload_order(None))
    heads = ["group", "matrices here", "in the paper", "agree", "equal", "contrary", "tau"]
    return paper.section("\nSingle matrices beside the order of their group:\n\n" + markdown(heads, lines), missing)


def stated(pairs):
    """Pairs with the same faster kernel as one: COO > CSRI, ELL."""
    slower = {}
    for fast, slow in pairs:
        slower.setdefault(fast, []).append(slow)
    return "; ".join(f"{fast} > {', '.join(names)}" for fast, names in slower.items())


def batched(judgements):
    """judgements: of gpu_papers_model_batched; empty: nothing was counted."""
    paper, lines, judged = Paper("Batched SpMV"), [], {traffic: [], requests: [], instructions: []}
    for what, matrices, pairs, figures in judgements:
        for by, all_of_them in judged.items():
            all_of_them.append(judge(pairs, figures[by]))
        taus = [figure(tau(of[-1])) for of in judged.values()]
        lines.append([what, matrices, stated(pairs), listed(figures[traffic]), taus[0],
                      pair_text(judged[traffic][-1][2]), *taus[1:]])
    if not lines:
        return paper.section("\nNot counted: give --counts.\n")
    agree, equal, contrary = together(judged[traffic])
    taus = [figure(tau(together(of))) for of in judged.values()]
    return paper.section("\n" + markdown(BATCH_HEADS, lines) + (
        f"\nAll {counted(len(agree + equal + contrary), 'pair')}: {len(agree)} agree, {len(equal)} equal, "
        f"{len(contrary)} contrary; tau {taus[0]}, by requests {taus[1]}, by instructions {taus[2]}.\n"))


def report(found, batches=()):
    """found: {paper: {device: {matrix: plan}}}; batches: judgements of gpu_papers_model_batched"""
    return (csr5(found.get("csr5", {})) + ellpack_r(found.get("ellpackr", {})) + batched(batches)
            + fastload(found.get("fastload", {})))
