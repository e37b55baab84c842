"""The manual, the options that are parsed and the completions say the same."""

import re
import shutil
import subprocess

import harness
from harness import same, well

MAN = harness.TREE / "docs/man"
COMMANDS = ["info", "spy", "plan", "mul", "bench", "batch", "pagerank", "convert", "generate", "formats",
            "devices", "wisdom", "machine", "help"]
COMMON = {"CLI_JSON_OPTION": ["json"], "CLI_HELP_OPTION": ["help"], "CLI_VALUE_TYPE_OPTION": ["value-type"],
          "CLI_WISDOM_OPTIONS": ["wisdom", "no-wisdom"],
          "CLI_READ_OPTIONS": ["real-part", "threads", "memory-limit", "quiet"]}


def documented(command):
    """Long options in the OPTIONS section of a page."""
    page = (MAN / f"tulle-{command}.1").read_text().replace("\\-", "-")
    section = re.search(r"^\.SH OPTIONS\n(.*?)^\.SH ", page, re.S | re.M).group(1)
    tags = re.findall(r"^\.TP\n(.*)$", section, re.M)
    return {name for tag in tags for name in re.findall(r"--([a-z-]+)", tag)}


def parsed(command):
    """Long options in the table of the command's source."""
    name = "main" if command == "help" else command
    source = (harness.TREE / f"cli/{name}.c").read_text()
    table = re.search(r"static const struct option options\[\] = \{(.*?)\};", source, re.S).group(1)
    found = set(re.findall(r'\{ "([a-z-]+)",', table))
    for macro, names in COMMON.items():
        if macro in table:
            found.update(names)
    return found


def case_pages_have_the_options(place):
    del place
    for command in COMMANDS:
        same(sorted(documented(command)), sorted(parsed(command)), f"options of {command}")


def case_options_are_known(place):
    """Each documented option is really taken: it is not the unknown one that is complained about."""
    for command in COMMANDS:
        for option in documented(command):
            done = place.run(command, f"--{option}", "--no-such-option")
            text = done.stderr.decode()
            assert f"unknown option '--{option}'" not in text, f"{command}: {text}"
            # 3: the next word was taken for a file
            assert done.returncode in (0, 2, 3), f"{command} --{option}: exit {done.returncode}"


def case_help_is_the_page(place):
    """`tulle help X` and `tulle X --help` have every word of the page, in its order."""
    for command in ["tulle"] + COMMANDS:
        page = (MAN / ("tulle.1" if command == "tulle" else f"tulle-{command}.1")).read_text()
        text = re.sub(r"^\.(TH.*|nf|fi|PP|TP)$", "", page, flags=re.M)
        text = re.sub(r"^\.(SH|[BIR]+) ", "", text, flags=re.M)
        text = text.replace("\\-", "-").replace("\\&", "").replace('"', "")
        shown = well(place.run("help", command))
        squeeze = lambda words: re.sub(r"\s+", "", words)
        same(squeeze(shown.replace('"', "")), squeeze(text), f"help {command}")
        assert all(len(line) <= 80 for line in shown.splitlines()), f"help {command}: a long line"
        if command not in ("tulle", "help"):
            same(well(place.run(command, "--help")), shown, f"{command} --help")
            same(well(place.run(command, "-h", "x", "y")), shown, f"{command} -h")


def case_overview_names_all_commands(place):
    shown = well(place.run("help"))
    same(re.findall(r"^  ([a-z]+) ", shown, re.M), COMMANDS, "commands")
    for command in COMMANDS:
        about = re.search(rf"^  {command} +(.*)$", shown, re.M).group(1)
        assert about in (MAN / "tulle.1").read_text() or command == "help", about


def case_man_accepts_the_pages(place):
    """groff finds nothing to warn about, where it is installed."""
    del place
    if not shutil.which("groff"):
        return
    for page in sorted(MAN.glob("*.1")):
        done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z", page], capture_output=True,
                              text=True, check=False)
        assert not done.stderr, f"{page.name}: {done.stderr}"


def complete(place, *words):
    """What bash would offer for the last word."""
    script = ('source "$1"; shift; COMP_WORDS=(tulle "$@"); COMP_CWORD=$#; _tulle; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    (place.folder / "bin").mkdir(exist_ok=True)
    link = place.folder / "bin" / "tulle"
    if not link.exists():
        link.symlink_to(place.tulle)
    done = subprocess.run(["bash", "-c", script, "bash", harness.TREE / "cli/completions/tulle.bash",
                           *words], cwd=place.folder, capture_output=True, text=True, check=False,
                          env=harness.environment(PATH=f"{place.folder}/bin:/usr/bin:/bin"))
    same(done.stderr, "", "stderr of the completion")
    return sorted(done.stdout.split())


def case_bash_completes(place):
    place.matrix()
    same(complete(place, "in"), ["info"], "a command")
    for command in COMMANDS:
        same(complete(place, command, "--"), sorted(f"--{o}" for o in documented(command)),
             f"options of {command}")
    same(complete(place, "mul", "--value-type", ""), ["c128", "c64", "f32", "f64"], "value types")
    assert "csr" in complete(place, "mul", "--format", "c")
    same(complete(place, "generate", "stencil2"), ["stencil27"], "kinds")
    same(complete(place, "generate", "--like", "pw"), ["pwtk"], "stand-ins")
    same(complete(place, "info", "a"), ["a.mtx"], "files")
    same(complete(place, "help", "gen"), ["generate"], "commands for help")


def case_exit_codes_are_documented(place):
    """The codes of the program, of the manual and of docs/command.md are the same."""
    del place
    enum = re.search(r"enum \{\n\tCLI_OK.*?\}", (harness.TREE / "cli/cli.h").read_text(), re.S).group(0)
    codes = re.findall(r"= (\d+)", enum)
    page = (MAN / "tulle.1").read_text()
    section = re.search(r"\.SH EXIT STATUS\n(.*?)\.SH", page, re.S).group(1)
    same(re.findall(r"^\.B (\d+)$", section, re.M), codes, "codes of tulle(1)")
    guide = (harness.TREE / "docs/command.md").read_text()
    same(re.findall(r"^\| (\d+) \|", guide, re.M), codes, "codes of command.md")
