"""Each sentence that docs/troubleshooting.md quotes is one of the code's."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from kit.environment import ROOT
from kit.guide import GUIDE

ROW = re.compile(r"^\| (`.*?) \| ", re.MULTILINE)
OTHERS = {"is not a supported wheel on this platform"}
"""Sentences of other programs."""


def quoted() -> list[str]:
    """Return the sentences in the first cells of the tables."""
    text = (GUIDE / "troubleshooting.md").read_text()
    return [code for cell in ROW.findall(text) for code in re.findall(r"`([^`]+)`", cell)]


@cache
def sentences() -> str:
    """Return all text constants of the package; what is filled in at run time is `...`."""
    found = []
    for path in (ROOT / "python" / "jvmwire").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.JoinedStr):
                parts = (
                    part.value if isinstance(part, ast.Constant) else "..." for part in node.values
                )
                found.append("".join(map(str, parts)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    found += [path.read_text() for path in (ROOT / "rust").rglob("*.rs")]
    return "\n".join(found)


def occurs(sentence: str) -> bool:
    parts = [part for part in re.split(r"\.\.\.", sentence) if part.strip(" :")]
    return all(part.strip() in sentences() for part in parts)


@pytest.mark.parametrize("sentence", sorted(set(quoted()) - OTHERS))
def test_a_quoted_sentence_is_in_the_code(sentence: str) -> None:
    assert occurs(sentence)


def test_a_sentence_that_is_not_in_the_code_is_found() -> None:
    assert len(quoted()) > 40
    assert not occurs("the moon is in the way of ...")
