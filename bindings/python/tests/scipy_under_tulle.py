"""A plugin of pytest that runs tests inside tulle.accelerate, from the first product on: for SciPy's own tests.

python -m pytest -p scipy_under_tulle --pyargs scipy.sparse.tests.test_base ...

`./dev test scipy` does this. TULLE_FROZEN=1 promises that nothing changes, which is not true of all of them.
"""

import os

import tulle

block = tulle.accelerate(after=0, frozen=bool(int(os.environ.get("TULLE_FROZEN", "0"))))


def pytest_sessionstart():
    block.__enter__()


def pytest_sessionfinish():
    block.__exit__()


def pytest_terminal_summary(terminalreporter):
    told = tulle.statistics()
    terminalreporter.write_line("tulle: " + ", ".join(f"{name} {value:,.3g}" if isinstance(value, float) else f"{name} {value:,}"
                                                      for name, value in told.items()))
