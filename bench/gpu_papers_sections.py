"""The report of gpu_papers: what the device is, then one section per experiment, filled or marked."""

import gpu_papers_batched
import gpu_papers_fastload
import gpu_papers_single
from device_report import bullets
from gpu_papers_runs import Runs


def head(runs):
    info = runs.info
    text = f"## The papers' experiments on {info['device']}: {info['model']}\n\n"
    if not runs.gpu:
        text += ("**Not a GPU: no times are given.** They would be times of a CPU, not of a GPU. Results are checked, on "
                 "small matrices.\n\n")
    text += "".join(f"- {line}\n" for line in bullets(info)[:3])
    return text + ("- Published values were measured on other GPUs. Matrices called like:NAME are stand-ins with the "
                   "published rows, nonzeros and row lengths.\n")


def report(runs):
    """runs: {run: its object}."""
    if not runs:
        return "No runs.\n"
    known = Runs(runs)
    return (head(known) + gpu_papers_single.sections(known) + gpu_papers_batched.sections(known)
            + gpu_papers_fastload.sections(known))
