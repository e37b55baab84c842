"""The checks C1 to C26, and the planted bugs: what is required, what is run for it, and how the figures are read.

`quick` and `full` list the evidence of a check. In quick it is what .ci/run runs anyway: `stage` is the stage of .ci/run whose
log has the output of a command. `gap` is a part of the requirement that has no test: the check is then at best "partly". A
check without evidence is not available, and its gap says why.
"""

import re
from dataclasses import dataclass, field

from verify_read import (FAILED, PASSED, Figure, command_lines, command_number, count, exit_status, groups, least, least_sum, most,
                         total)


@dataclass
class Tests:
    """Tests of ctest in the build of a preset."""
    preset: str
    include: str
    exclude: str = ""
    label: str = ""  # only of a run; what CI ran is what it ran

    def matches(self, test):
        return bool(re.search(self.include, test)) and not (self.exclude and re.search(self.exclude, test))


@dataclass
class Command:
    """A command of the shell, run in the tree; the programs that it needs."""
    name: str
    command: str
    tools: tuple = ()
    stage: str = ""


@dataclass
class Check:
    """One line of the table."""
    name: str
    what: str
    required: str
    quick: list = field(default_factory=list)
    full: list = field(default_factory=list)
    figures: list = field(default_factory=list)
    full_figures: list = field(default_factory=list)  # of what only full runs
    tests: int = 1  # that must pass
    gap: str = ""
    limit: str = ""  # why a figure may be out of reach

    def evidence(self, mode):
        return self.full if mode == "full" else self.quick

    def figures_in(self, mode):
        """Whoever runs tests wants none of them to fail, and at least one to pass."""
        figures = []
        if any(isinstance(wanted, Tests) for wanted in self.evidence(mode)):
            figures = [Figure("tests passed", count(PASSED), ">=", self.tests), Figure("tests failed", count(FAILED), "==", 0)]
        return [*figures, *self.figures, *(self.full_figures if mode == "full" else [])]


def planted(build):
    """The bugs for tests of one kind of build. The command fails if one is not caught, or if there is none."""
    return Command("planted", f"names=$(grep -lx 'Build: {build}' tests/planted/*.patch | xargs -rn1 basename -s .patch); "
                   "[ -n \"$names\" ] && python3 tests/planted/run.py --scratch build/verify/planted $names")


def status_codes_without_test(evidence):
    """Status codes of tulle.h that no test expects."""
    header = (evidence.tree / "include/tulle.h").read_text()
    codes = set(re.findall(r"^\t(TULLE_E_\w+) = ", header, re.M))
    expected = set()
    for file in (evidence.tree / "tests").rglob("*.c"):
        expected |= set(re.findall(r"CHECK_\w+\((?:[^;]*?)\b(TULLE_E_\w+)\b", file.read_text()))
    return len(codes - expected) if codes else None


ALLOCATION = r"^(alloc_failure\..*|both|online|plan_updates|block_csr|batch_misuse|cli\.memory|io\.memory.*|wisdom\.faults)$"
CONFORMANCE = r"^conformance\.[^.]+\.[^.]+\.f[0-9]+"  # also ctest reads it, which knows no \d
HOSTILE = r"^(io\.(hostile.*|texts|bombs|packed|lines)|cli\.hostile|fuzz\.replay\..*|wisdom\.(lines|files)|tuned\.damage)$"
PLACES = r"^(cli\.(hostile|outputs|terminal)|opencl_cache|wisdom\.(files|rights)|io\.writers)$"
LIBRARY = (r"^(alloc_failure|batch|block_csr|both|classes|conformance|csr2|entry|exact|features|guard|hash|hyb|io|lossy|many|matrix_from_plan|mixed|"
           r"misuse|nonfinite|ordered|plan_options|planner|roundtrip|sizes|sources|steps|sym|wisdom)(\.|$)")
# Memory that zlib and libomp write is unknown to MemorySanitizer.
WITHOUT_ZLIB = LIBRARY.replace("|io|", "|").replace("|sizes|", "|")
# guard.*.full has the arrays at the start of a page with every parameter: an hour, for `./dev test full`.
MISUSE = r"^(misuse|batch_misuse|guard\.[^.]+\.[^.]+|sizes)$"
QUICK = "^quick$"
NEVER = r"\.full$"
SANITIZED_PYTHON = Command("python-asan", "./dev test python && ./dev test python-asan")
# Each run takes ten minutes and continues after the seeds of the runs before it, on whatever machine (fuzz/campaigns.tsv).
DIFFERENTIAL = Command("differential", "./dev campaign --target differential --slice 600 && cat build/corpus/differential.log")
LOAD = Command("load", "./dev build release test_load >/dev/null && build/release/tests/test_load --seconds 3600")
ROUNDS = r"^64 threads, \d+ rounds: "


def of_the_load(what):
    pattern = ROUNDS + rf".*?(\d+) {what}"
    return lambda evidence: (command_number("load", pattern) if "load" in evidence.commands else total(pattern))(evidence)


def resident_growth(evidence):
    """Of the hour of load, in %, from its first quarter to its last one."""
    found = re.search(ROUNDS + r".*resident (\d+\.\d+) MiB, then (\d+\.\d+)", evidence.commands.get("load", (None, ""))[1], re.M)
    return round(100 * (float(found.group(2)) / float(found.group(1)) - 1), 2) if found else None


CHECKS = [
    Check("C1", "every allocation fails, once and permanently",
          "200 points of failure: TULLE_E_MEMORY, no leak, the retry gives the same bits; also with AddressSanitizer; Python: MemoryError",
          quick=[Tests("release", ALLOCATION), Tests("dev", ALLOCATION), Command("python", "./dev test python", stage="python")],
          full=[Tests("release", ALLOCATION), Tests("dev", ALLOCATION), Command("python", "./dev test python test_memory.py")],
          figures=[Figure("points of failure", total(r"(\d+) points of failure"), ">=", 200),
                   Figure("tests passed with AddressSanitizer", count(PASSED, "dev:"), ">=", 10),
                   Figure("Python: exit status", exit_status("python"), "==", 0)],
          full_figures=[Figure("Python: tests passed", command_number("python", r"^(\d+) passed", min), ">=", 18)]),
    Check("C2", "error bounds", "1 000 000 rows per format and instruction set, none beyond its proven bound",
          quick=[Tests("release", CONFORMANCE, NEVER), Tests("release", r"^differential$")],
          full=[Tests("release", CONFORMANCE + r"\.full$"), DIFFERENTIAL],
          figures=[Figure("rows per format and instruction set", least_sum(r"(\d+) rows,", r"^conformance\.([^.]+)\.([^.]+)\."), ">=",
                          {"quick": 50_000, "full": 1_000_000}),
                   Figure("violations", total(r"(\d+) violations"), "==", 0),
                   Figure("largest error, of its bound", most(r"worst error (\d+\.\d+) of its bound"), "<=", 1),
                   Figure("instruction sets", groups(r"^conformance\.[^.]+\.([^.]+)\."), ">=", 3)],
          full_figures=[Figure("random cases of all runs", command_number("differential", r"^differential: .* CPU-seconds, (\d+) runs$"), ">=", 1_000_000),
                        Figure("failures, earlier ones run again", command_number("differential", r"^seeds .* (\d+) failures"), "==", 0),
                        Figure("their CPU-seconds", command_number("differential", r"^differential: \d+ campaigns, (\d+) CPU-seconds"), ">=", 3600)]),
    Check("C2b", "exact sums", "10 000 matrices of whole numbers: the same sums in all formats, instruction sets, teams and on OpenCL",
          quick=[Tests("release", r"^exact\.[^.]+$"), Tests("gpu", r"^gpu\.(pocl|intel)\.")],
          full=[Tests("release", r"^exact\..*\.full$"), Tests("gpu", r"^gpu\.(pocl|intel)\.")],
          figures=[Figure("matrices per format", least(r"(\d+) matrices of whole numbers"), ">=", {"quick": 200, "full": 10_000})]),
    Check("C3", "Inf and NaN", "2000 matrices: no other row becomes non-finite, beta = 0 leaves no NaN",
          quick=[Tests("release", r"^nonfinite\.[^.]+\.[^.]+$")], full=[Tests("release", r"^nonfinite\..*\.full$")],
          figures=[Figure("matrices per format and instruction set", least(r"(\d+) matrices:"), ">=", {"quick": 400, "full": 2000})]),
    Check("C4", "misuse of the interface", "60 cases: the documented status or the correct result; guard pages are not touched",
          quick=[Tests("release", MISUSE)], full=[Tests("release", MISUSE)],
          figures=[Figure("cases", total(r"(\d+) cases of misuse"), ">=", 60),
                   Figure("formats with guard pages", groups(r"^guard\.([^.]+)\."), ">=", 13)]),
    Check("C5", "hostile files", "67 files, all documented results within a second and the memory limit",
          quick=[Tests("release", HOSTILE)], full=[Tests("release", HOSTILE), Tests("dev", HOSTILE)],
          figures=[Figure("files", total(r"^(\d+) files$", r"^fuzz\.replay\.matrix_market$"), ">=", 30),
                   Figure("texts and files", total(r"^(\d+) (?:files|refused texts)", r"^(fuzz\.replay\.matrix_market|io\.texts)$"), ">=", 67)]),
    Check("C6", "fuzzing", "8 targets and the differential fuzzer, 6 CPU-hours in all since the last find",
          quick=[Command("fuzz", "./dev fuzz 5", stage="fuzz")],
          full=[Command("fuzz", "./dev fuzz 60"), Command("campaign", "python3 scripts/campaign.py --total")],
          figures=[Figure("targets", command_lines("fuzz", r"^\w+: Done \d+ runs in \d+ second"), ">=", 8),
                   Figure("runs", command_number("fuzz", r"^\w+: Done (\d+) runs"), ">=", 1000),
                   Figure("seconds per target", command_number("fuzz", r"Done \d+ runs in (\d+) second", min), ">=",
                          {"quick": 5, "full": 60})],
          full_figures=[Figure("targets of campaigns", command_number("campaign", r"^all campaigns since the last find: (\d+) targets"), ">=", 9),
                        Figure("CPU-seconds since the last find", command_number("campaign", r"^all campaigns .* (\d+) CPU-seconds"), ">=", 6 * 3600)],
          limit="campaigns add up over runs of ./dev campaign (fuzz/campaigns.tsv)"),
    Check("C7", "bugs planted for the fuzzers", "10 of 10 found within 60 s",
          full=[planted("fuzz")],
          full_figures=[Figure("bugs caught", command_number("planted", r"(\d+) of \d+ planted bugs caught"), ">=", 10),
                        Figure("exit status", exit_status("planted"), "==", 0)]),
    Check("C8", "more than 2^31 nonzeros", "2^31 + 2^21 nonzeros, exact",
          quick=[Tests("release", r"^(huge|batch_huge)$")], full=[Tests("release", r"^(huge|batch_huge)$")],
          figures=[Figure("nonzeros", most(r"(\d+) nonzeros"), ">=", 2**31 + 2**21)]),
    Check("C9", "32-bit numbers end at 2^15 - 1", "no report of the overflow and conversion sanitizers",
          quick=[Tests("narrow", ".")], full=[Tests("narrow", ".")], tests=100),
    Check("C10", "threads with ThreadSanitizer", "no report; planted races are reported",
          quick=[Tests("tsan", ".", label="^tsan$")],
          full=[Tests("tsan", ".", label="^tsan$"), planted("tsan")],
          tests=15, full_figures=[Figure("planted races: exit status", exit_status("planted"), "==", 0)]),
    Check("C11", "the same bits with 1 to 64 threads", "1280 runs per format, no byte differs",
          quick=[Tests("release", r"^(threads|gathers)\.[^.]+(\.[^.]+)?$"), Tests("tsan", r"^threads\.")],
          full=[Tests("release", r"^(threads\.[^.]+\.(avx2\.full|[^.]+)|gathers\..*)$")],  # 8300 runs in each of .full
          figures=[Figure("runs per format", least_sum(r"(\d+) runs with 1 \.\. 64 threads", r"^threads\.([^.]+)\."), ">=",
                          {"quick": 3, "full": 1280})]),
    Check("C12", "processes killed while they save", "300 kills, 100 inside a save, no bad file",
          quick=[Tests("release", r"^(wisdom\.(together|faults)|tuned\.(killed|saves)|cli\.outputs)$")],
          full=[Tests("release", r"^(wisdom\.(together\.full|faults)|tuned\.(killed\.full|saves)|cli\.outputs)$")],
          figures=[Figure("kills", total(r"(\d+) (?:writers killed|kills|deaths)"), ">=", {"quick": 100, "full": 300}),
                   Figure("kills inside a save", total(r"(\d+) (?:inside a rewrite|of them inside a save|deaths)"), ">=",
                          {"quick": 50, "full": 100})]),
    Check("C13", "faults of system calls while saving", "every call fails: error returned, old file intact, nothing left over",
          quick=[Tests("release", r"^(wisdom\.faults|tuned\.saves|io\.(written|writers))$")],
          full=[Tests("release", r"^(wisdom\.faults|tuned\.saves|io\.(written|writers))$")],
          figures=[Figure("faults", total(r"(\d+) faults"), ">=", 30)]),
    Check("C14", "fork", "100 of 100 children finish with the same bits, with libgomp and libomp",
          quick=[Tests("release", r"^fork(\.spinning)?$")],
          full=[Tests("release", r"^fork"), Tests("clang", r"^fork(\.spinning)?$")],
          figures=[Figure("children", least(r"(\d+) children"), ">=", 100)],
          full_figures=[Figure("tests passed with libomp", count(PASSED, "clang:"), ">=", 1)]),
    Check("C15", "hostile environment", "25 cases: documented exit code, nothing written elsewhere, no control characters",
          quick=[Tests("release", PLACES)], full=[Tests("release", PLACES)],
          figures=[Figure("cases", total(r"(\d+) cases right"), ">=", 25), Figure("wrong", total(r"(\d+) wrong"), "==", 0)]),
    Check("C16", "floating-point environment", "no call changes the control words; no -ffast-math",
          quick=[Tests("release", r"^(fpenv|lint\.flags)$")], full=[Tests("release", r"^(fpenv|lint\.flags)$")], tests=2),
    Check("C17", "OpenCL kernels on PoCL and oclgrind", "no invalid access, no race",
          quick=[Tests("gpu", r"^gpu\.")], full=[Tests("gpu", r"^gpu\.")],
          figures=[Figure("tests of oclgrind", groups(r"^gpu\.(.*oclgrind.*)"), ">=", 10)]),
    Check("C17b", "bugs planted in kernels for GPUs", "each is caught by every stand-in that must catch it",
          full=[Command("planted", "./dev test gpu-planted --required", ("oclgrind",))],
          full_figures=[Figure("bugs caught", command_number("planted", r"^(\d+) passed, 0 failed"), ">=", 80),
                        Figure("exit status", exit_status("planted"), "==", 0)]),
    Check("C18", "ABI and exported symbols", "no change of the ABI without a new reference, no foreign symbols, hardened",
          quick=[Tests("release", r"^install\."), Command("abi", "./dev abi", ("abidiff",), stage="abi")],
          full=[Tests("release", r"^install\."), Command("abi", "./dev abi", ("abidiff",))],
          figures=[Figure("abidiff: exit status", exit_status("abi"), "==", 0)]),
    Check("C19", "reproducible builds", "two folders, umasks and users: the same bytes of libraries, command, packages and wheel (AVX2, f64)",
          full=[Command("twice", "python3 scripts/check_reproducible.py --isas 'scalar;avx2' --types f64")],
          full_figures=[Figure("files compared", command_number("twice", r"^(\d+) files compared"), ">=", 10),
                        Figure("users", command_number("twice", r"^(\d+) users?: "), ">=", 2),
                        Figure("files that differ", command_number("twice", r"(\d+) differ"), "==", 0)]),
    Check("C20", "load", "64 threads share plans that are created, updated, saved and destroyed beside forks, for an hour: no wrong bit, "
          "memory grows by less than 1 %, files and threads constant",
          quick=[Tests("release", r"^load$")], full=[LOAD],
          figures=[Figure("products", of_the_load("products"), ">=", {"quick": 10_000, "full": 1_000_000}),
                   Figure("children of forks", of_the_load("children"), ">=", {"quick": 6, "full": 1000})],
          full_figures=[Figure("resident memory, growth in %", resident_growth, "<=", 1), Figure("exit status", exit_status("load"), "==", 0)],
          gap="throughput, and resident memory of runs below a minute, are printed and not judged"),
    Check("C21", "coverage", "lines 95 %, branches 85 % of src; all lines of the readers of files",
          full=[Command("coverage", "./dev test coverage", ("llvm-cov-14",))],
          full_figures=[Figure("lines, %", command_number("coverage", r"^lines: (\d+\.\d+)%", max), ">=", 95),
                        Figure("branches, %", command_number("coverage", r"^branches: (\d+\.\d+)%", max), ">=", 85),
                        Figure("lines of readers not reached", command_number("coverage", r"^readers of files: (\d+) lines"), "==", 0),
                        Figure("exit status", exit_status("coverage"), "==", 0)]),
    Check("C22", "sanitizers of gcc, and threads", "no report: ASan and UBSan with gcc, TSan with clang",
          quick=[Tests("dev", ".", label=QUICK), Tests("tsan", ".", label="^tsan$")],
          full=[Tests("dev", ".", label=QUICK), Tests("tsan", ".", label="^tsan$")],
          figures=[Figure("gcc, ASan and UBSan", count(PASSED, "dev:"), ">=", 200), Figure("clang, TSan", count(PASSED, "tsan:"), ">=", 15)]),
    Check("C22b", "sanitizers of clang", "no report: ASan and UBSan with implicit conversions, MSan",
          full=[Tests("conversions", LIBRARY, label=QUICK), Tests("msan", WITHOUT_ZLIB, label=QUICK)],
          full_figures=[Figure("clang, UBSan and conversions", count(PASSED, "conversions:"), ">=", 50),
                        Figure("clang, MSan", count(PASSED, "msan:"), ">=", 20)]),
    Check("C22c", "valgrind, and Python with ASan", "no report",
          full=[Command("valgrind", "python3 scripts/check_memory.py build/release", ("valgrind",)), SANITIZED_PYTHON],
          full_figures=[Figure("valgrind: programs", command_number("valgrind", r"^(\d+) programs"), ">=", 8),
                        Figure("valgrind: exit status", exit_status("valgrind"), "==", 0),
                        Figure("Python with ASan: exit status", exit_status("python-asan"), "==", 0)]),
    Check("C23", "older machines", "every instruction set by name, Nehalem and Haswell also by qemu (avx2 where its gathers are right): no illegal instruction",
          quick=[Tests("release", r"^(isas|gathers\..*)$"), Tests("scalar-only", ".", label=QUICK)],
          full=[Tests("release", r"^(isas|gathers\..*)$"), Tests("scalar-only", ".", label=QUICK),
                Command("qemu", "./dev build release >/dev/null && tests/isa/emulated build/release", ("qemu-x86_64",)),
                Command("arm", "./dev test arm", ("qemu-aarch64", "aarch64-linux-gnu-gcc"))],
          full_figures=[Figure("programs by qemu", command_lines("qemu", r"^\d+ checks, 0 failures"), ">=", 15),
                        Figure("qemu: exit status", exit_status("qemu"), "==", 0),
                        Figure("Arm: exit status", exit_status("arm"), "==", 0)]),
    Check("C24", "static analysis", "no finding of clang-tidy and its analyzer, gcc -fanalyzer and cppcheck, or a reason for each",
          quick=[Command("lint", "./dev lint", ("clang-tidy-14",), stage="lint")],
          full=[Command("lint", "./dev lint full", ("clang-tidy-14",)),
                Command("analyze", "python3 scripts/analyze.py build/release", ("cppcheck",))],
          figures=[Figure("clang-tidy: files with findings", command_number("lint", r"compilations, (\d+) with findings"), "==", 0)],
          full_figures=[Figure("gcc -fanalyzer: findings", command_number("analyze", r"^gcc -fanalyzer: \d+ files, (\d+) findings"), "==", 0),
                        Figure("cppcheck: findings", command_number("analyze", r"^cppcheck: \d+ files, (\d+) findings"), "==", 0)]),
    Check("C25", "files of earlier versions", "files of every released version are read bit by bit; unknown versions are refused",
          quick=[Tests("release", r"^(earlier|wisdom\.(lines|kept))$")], full=[Tests("release", r"^(earlier|wisdom\.(lines|kept))$")],
          figures=[Figure("files", total(r"(\d+) files of earlier and of today's versions"), ">=", 9)],
          gap="nothing has been released: the files are of today's versions, and no older build reads today's files"),
    Check("C26", "status codes", "each one is expected by a test",
          quick=[Tests("release", r"^api$")], full=[Tests("release", r"^api$")],
          figures=[Figure("codes that no test expects", status_codes_without_test, "==", 0)]),
    Check("planted", "a planted bug for each kind of test", "all are caught in one run, by the test of their kind",
          full=[Command("python", "./dev test python test_memory.py >/dev/null"),  # also makes the environment of the package's tests
                Command("planted", "python3 tests/planted/run.py --scratch build/verify/planted --one-per-kind", ("qemu-aarch64",))],
          full_figures=[Figure("bugs caught", command_number("planted", r"(\d+) of \d+ planted bugs caught"), ">=", 150),
                        Figure("exit status", exit_status("planted"), "==", 0)]),
]
