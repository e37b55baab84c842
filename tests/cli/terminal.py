"""What is different on a terminal: weight, progress; and what turns them off."""

import os
import pty
import re
import select
import subprocess
import time

from harness import TIMEOUT, environment, same


def on_terminal(place, *args, both=True, **words):
    """What appears on a terminal when the command runs there; its stdout too if `both`."""
    master, slave = pty.openpty()
    env = environment(TERM="xterm", **words)
    process = subprocess.Popen([place.tulle, *args], cwd=place.folder, env=env, stdin=slave,
                               stdout=slave if both else subprocess.DEVNULL, stderr=slave)
    os.close(slave)
    shown, end = b"", time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        if select.select([master], [], [], 0.1)[0]:
            try:
                piece = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            shown += piece
    os.close(master)
    same(process.wait(TIMEOUT), 0, "exit")
    return shown.decode().replace("\r\n", "\n")


def case_bold_on_a_terminal(place):
    place.matrix()
    assert "\x1b[1ma.mtx\x1b[0m" in on_terminal(place, "info", "a.mtx")
    chosen = on_terminal(place, "plan", "a.mtx")
    assert re.search(r"^\x1b\[1my = A x with \w+, .*\x1b\[0m$", chosen, re.M), f"{chosen!r}"
    same(len(re.findall(r"^\x1b\[1m> \w+ .*\x1b\[0m$", chosen, re.M)), 1, "bold rows")
    assert "\x1b[1mOPTIONS" in on_terminal(place, "help", "mul")


def case_no_color(place):
    place.matrix()
    for words in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
        shown = on_terminal_with(place, words)
        assert "\x1b" not in shown, f"{words}: {shown!r}"
    assert "\x1b" in on_terminal_with(place, {"NO_COLOR": ""}), "an empty NO_COLOR means nothing"


def on_terminal_with(place, words):
    term = words.pop("TERM", "xterm")
    script = 'TERM="$1"; export TERM; shift; exec "$@"'
    inner = type(place)("/bin/sh", place.folder)
    return on_terminal(inner, "-c", script, "sh", term, str(place.tulle), "info", "a.mtx", **words)


def case_progress_after_a_second(place):
    """Measuring for two seconds is work whose end is known: a share and the time left."""
    place.matrix()
    shown = on_terminal(place, "mul", "--seconds", "2", "a.mtx", both=False)
    assert re.search(r"\rtiming a\.mtx +\d+ % +ETA \d+ s", shown), f"{shown!r}"
    assert "\x1b" not in shown, f"{shown!r}"
    same(shown.split("\r")[-1], "", "what stays on the line")
    assert not shown.split("\r")[-2].strip(), "the line is blanked"


def case_no_progress(place):
    place.matrix()
    same(on_terminal(place, "mul", "--seconds", "1.5", "--quiet", "a.mtx", both=False), "", "--quiet")
    same(on_terminal(place, "mul", "--seconds", "0.1", "a.mtx", both=False), "", "short work")
    done = place.run("mul", "--seconds", "1.5", "a.mtx")
    same(done.stderr, b"", "not a terminal")
