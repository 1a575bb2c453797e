"""The Python examples of README.md work as written."""

import doctest

from kit.environment import ROOT


def test_the_examples_of_the_readme_do_what_it_says() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried > 10
    assert failed == 0
