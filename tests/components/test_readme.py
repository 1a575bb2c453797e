"""The examples of README.md and of docs/codec.md work as written."""

import doctest
import re

from kit.environment import ROOT


def test_the_codec_guides_examples_print_what_it_shows() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "codec.md"), module_relative=False)
    assert tried > 10
    assert failed == 0


def test_the_readmes_links_lead_to_files() -> None:
    links = re.findall(r"\]\(([\w./-]+)(?:#[\w-]+)?\)", (ROOT / "README.md").read_text())
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).is_file()] == []
