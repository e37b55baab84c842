"""Sections of gpu_papers about the papers on CSR5, CSR2 and ELLPACK-R."""

import statistics

import device_sigma
from gpu_papers_runs import figure, mean, not_run, percent, section
from paper_tables import (CSR5_TABLE_3, ELLPACK_R_REMARKS, ELLPACK_R_TABLE_1, IRREGULAR, REGULAR, published)
from results import harmonic, markdown

RULES = ("tulle:csr5:rule=nvidia", "tulle:csr5:rule=amd")
OUR_CSR = ("tulle:csr", "tulle:csr:kernel=scalar", "tulle:csr:kernel=vector,lanes=32")
ABSENT = "BRC and ACSR: the bench has neither."


def base_name(matrix):
    return matrix.removeprefix("like:")


def group(matrices, names):
    """Those with one of the names."""
    return [matrix for matrix in matrices if base_name(matrix["matrix"]) in names]


# ---- CSR5 -----------------------------------------------------------------------------------------


def segmented_sum(runs):
    def body():
        lines = []
        for contender in RULES:
            ratios = [ratio for _, ratio in runs.over("segsum", contender, ["tulle:csr:kernel=segsum"])]
            lines.append([contender, len(ratios), figure(mean(ratios, harmonic)), figure(max(ratios, default=None))])
        lines.append(["published: over cuDPP's", "-", "-", "up to 4"])
        return markdown(["over csr:kernel=segsum, f32", "matrices", "harmonic mean", "best"], lines)
    return section(runs, "CSR5, Fig. 3: segmented sum in f32", ["segsum"], body)


def of_group(runs, contender, names):
    speeds = runs.speeds("csr5", contender)
    return [speed for matrix, speed in speeds.items() if base_name(matrix) in names]


def gain(runs, names):
    """CSR5 over the second best: by the harmonic means, and the largest on one matrix."""
    means = {c: mean(of_group(runs, c, names), harmonic) for c in runs.contenders("csr5")}
    ours = max((c for c in RULES if means.get(c)), key=means.get, default=None)
    others = [c for c, value in means.items() if value and c not in RULES]
    if not ours or not others:
        return [None, None, "-"]
    second = max(others, key=means.get)
    ratios = [ratio for matrix, ratio in runs.over("csr5", ours, [second]) if base_name(matrix["matrix"]) in names]
    return [means[ours] / means[second] - 1, max(ratios) - 1, second]


def throughput(runs):
    def body():
        lines = [[c, figure(mean(of_group(runs, c, REGULAR), harmonic)),
                  figure(mean(of_group(runs, c, IRREGULAR), harmonic))] for c in runs.contenders("csr5")]
        text = markdown(["harmonic mean, GFlop/s in f64", "regular", "irregular"], lines)
        average, most, second = gain(runs, IRREGULAR)
        return text + "\n" + markdown(["CSR5 over the second best, irregular", "average", "maximum", "second best"], [
            ["here", percent(average), percent(most), second],
            ["published: NVIDIA GTX 980", "28.5 %", "153.6 %", "ACSR"],
            ["published: AMD R9 290X", "173.0 %", "405.1 %", "CSR-Adaptive"]])
    marks = [f"{len(group(runs.matrices('csr5'), REGULAR))} of 14 regular and "
             f"{len(group(runs.matrices('csr5'), IRREGULAR))} of 10 irregular matrices, as stand-ins.", ABSENT]
    return section(runs, "CSR5, Fig. 7 and 8: regular and irregular matrices", ["csr5"], body,
                   marks + runs.cusparse_mark("csr5"))


def tuning(runs):
    def body():
        found = device_sigma.swept(runs.matrices("sigma")) if runs.gpu else []
        lost = device_sigma.losses(found) if found else {}
        return markdown(["loss of the automatic sigma", "matrices", "here", "published"], [
            [f"rule={rule}", len(found), percent(lost.get(rule)), value]
            for rule, value in (("nvidia", "4.2 % (GTX 980)"), ("amd", "2.5 % (R9 290X)"))])
    marks = ["The best of sigma = 4, 8 .. 48; published: of 4 .. 48. `./dev bench calibrate --device` suggests a rule."]
    return section(runs, "CSR5, Fig. 9: automatic sigma", ["sigma"], body, marks)


def conversions(runs, contender, names):
    """T_pre / T_new on the matrices of a group."""
    rows = [runs.timed(matrix).get(contender) for matrix in group(runs.matrices("csr5"), names)]
    return [row["seconds_convert"] / row["seconds_best"] for row in rows if row]


def conversion(runs):
    def body():
        lines = [[c, figure(mean(conversions(runs, c, REGULAR), statistics.fmean)),
                  figure(mean(conversions(runs, c, IRREGULAR), statistics.fmean))] for c in RULES]
        lines += [[f"published: {name}", *(figure(table_3[name][n]) for n in (0, 5))]
                  for table_3 in [published(CSR5_TABLE_3)] for name in ("nGPU-CSR5", "aGPU-CSR5")]
        return markdown(["conversion in multiplications of its own", "regular", "irregular"], lines)
    marks = ["The four steps are not timed one by one on a device; the time here includes copying the matrix to it."]
    return section(runs, "CSR5, Fig. 10: conversion", ["csr5"], body, marks)


def scenario(runs, contender, names, base):
    """T_pre / T_new, then mean and best of n T_csr / (T_pre + n T_new) at 50 and 500."""
    pairs = []
    for matrix in group(runs.matrices("csr5"), names):
        rows = runs.timed(matrix)
        known = [rows[c]["seconds_best"] for c in base if c in rows]
        if contender in rows and known:
            pairs.append((rows[contender]["seconds_convert"], rows[contender]["seconds_best"], min(known)))
    cells = [figure(mean([pre / new for pre, new, _ in pairs], statistics.fmean))]
    for n in (50, 500):
        speedups = [n * csr / (pre + n * new) for pre, new, csr in pairs]
        cells += [figure(mean(speedups, harmonic)), figure(max(speedups, default=None))]
    return cells


def iterations(runs):
    base = runs.cusparse("csr5") or OUR_CSR

    def body():
        heads = ["T_pre/T_new", "50: mean", "best", "500: mean", "best"]
        ours = ("tulle:hyb", "tulle:csr:kernel=adaptive", *RULES)
        lines = [[c, *scenario(runs, c, REGULAR, base), *scenario(runs, c, IRREGULAR, base)] for c in ours]
        lines += [[f"published: {name}", *map(figure, values)] for name, values in published(CSR5_TABLE_3).items()
                  if name.startswith(("nGPU", "aGPU"))]
        return markdown(["regular (left), irregular (right)", *heads, *heads], lines)
    who = "cuSPARSE" if runs.cusparse("csr5") else "csr, csr:kernel=scalar and csr:kernel=vector,lanes=32"
    return section(runs, "CSR5, Table 3: conversion and n multiplications", ["csr5"], body,
                   [f"n T_csr / (T_pre + n T_new); T_csr is the fastest of {who}.", ABSENT,
                    *runs.cusparse_mark("csr5")])


# ---- ELLPACK-R ------------------------------------------------------------------------------------


NAMES = {"tulle:csr:kernel=scalar": "CRS", "tulle:csr:kernel=vector,lanes=32": "CRS(vector)",
         "tulle:csr:kernel=padded": "SpMV4GPU", "tulle:ell": "ELLPACK", "tulle:ellr:lanes=1": "ELLPACK-R",
         "tulle:hyb": "HYB"}


def row_lengths(runs):
    def body():
        lines = []
        for matrix in runs.matrices("ellpackr"):
            values = published(ELLPACK_R_TABLE_1).get(base_name(matrix["matrix"]))
            if values:
                lines.append([matrix["matrix"], figure(matrix["nnz"] / matrix["rows"]), figure(values[0]),
                              figure(100 * matrix["length_variation"]), figure(values[1])])
        return markdown(["matrix", "mean row length", "published", "sd in % of the mean", "published"], lines)
    return section(runs, "ELLPACK-R, Table I: the matrices", ["ellpackr"], body, has_times=False)


def per_matrix(runs):
    def body():
        speeds = {c: runs.speeds("ellpackr", c) for c in NAMES}
        lines = []
        for matrix in runs.matrices("ellpackr"):
            name = matrix["matrix"]
            remarks = [text for text, names in ELLPACK_R_REMARKS.items() if base_name(name) in names]
            lines.append([name, *(figure(speeds[c].get(name)) for c in NAMES), "; ".join(remarks)])
        return markdown(["GFlop/s in f32", *NAMES.values(), "published remark"], lines)
    return section(runs, "ELLPACK-R, Fig. 4: GFlop/s per matrix", ["ellpackr"], body,
                   ["The published figure prints no numbers (GTX 295)."])


def weighted(runs):
    def body():
        lines = []
        for contender, name in NAMES.items():
            speeds = runs.speeds("ellpackr", contender)
            pairs = [(m["nnz"], speeds[m["matrix"]]) for m in runs.matrices("ellpackr") if m["matrix"] in speeds]
            total = sum(nnz for nnz, _ in pairs)
            lines.append([name, len(pairs), figure(sum(nnz * speed for nnz, speed in pairs) / total if total else None),
                          {"ELLPACK-R": "1st", "HYB": "2nd", "ELLPACK": "3rd"}.get(name, "4th to 6th")])
        return markdown(["kernel", "matrices", "GFlop/s weighted by nonzeros", "published order"], lines)
    return section(runs, "ELLPACK-R, Fig. 5: weighted mean", ["ellpackr"], body)


def sections(runs):
    return (segmented_sum(runs) + throughput(runs) + tuning(runs) + conversion(runs) + iterations(runs)
            + not_run("CSR2", "the paper has no experiment on a GPU; `./dev bench iterations` repeats those on CPUs")
            + row_lengths(runs) + per_matrix(runs) + weighted(runs)
            + not_run("ELLPACK-R, Fig. 6: speedup over MKL on one core",
                      "a GPU is not compared with a CPU here; the published speedups are 2 to 13.1"))
