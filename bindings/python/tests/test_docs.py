"""The examples of the docstrings and the README give what they say."""

import doctest
from pathlib import Path

import pytest

import tulle
from tulle import _accelerate, _batch, _core, _matrix, _pagerank, _scipy_methods, _sources, _steps, plot


@pytest.mark.parametrize("module", [tulle, _accelerate, _batch, _core, _matrix, _pagerank, _scipy_methods, _sources, _steps, plot],
                         ids=lambda m: m.__name__)
def test_docstrings(module):
    tests = doctest.DocTestFinder(exclude_empty=True).find(module, globs={})
    if module is _core:  # its functions are no Python functions, so doctest does not look at them
        tests = [doctest.DocTestParser().get_doctest(f.__doc__, {}, f.__name__, None, None)
                 for f in (_core.set_threads, _core.formats, _core.devices)]
    runner = doctest.DocTestRunner()
    for test in tests:
        runner.run(test)
    results = runner.summarize()
    assert results.attempted > 0 and results.failed == 0


def test_readme():
    results = doctest.testfile(str(Path(__file__).parent.parent / "README.md"), module_relative=False)
    assert results.attempted > 0 and results.failed == 0
