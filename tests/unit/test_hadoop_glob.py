"""Patterns of paths are matched in linear time, and refused when they expand too far."""

import pytest

from jvmwire.hadoop.errors import InvalidPath
from jvmwire.hadoop.namenode._glob import Glob, compile_name, components, expand

MANY = 2000
HARD = ["*a" * 10 + "*b", "{*a,a*}" * 10 + "b", "{a,*}" * 10 + "*b", "{{a,aa},*}" * 8 + "b"]


class Counted(Glob):
    """Counter of the characters whose step was not cached."""

    count = 0

    def _step(self, reached: int, letter: str) -> int:
        self.count += 1
        return super()._step(reached, letter)


@pytest.mark.parametrize("pattern", HARD)
def test_a_name_takes_at_most_one_step_for_each_character(pattern):
    glob = Counted(pattern)
    assert not glob.matches("a" * MANY)
    assert glob.count <= MANY
    assert glob.matches("a" * MANY + "b")


def test_steps_that_are_remembered_are_bounded(monkeypatch):
    monkeypatch.setattr("jvmwire.hadoop.namenode._glob.MAX_STEPS", 64)
    glob = Glob("*????")
    for letter in range(100):
        assert glob.matches(chr(0x4E00 + letter) * 5)
    assert len(glob._steps) <= 64


def test_braces_may_nest_deeper_than_python_calls():
    deep = "{" * 5000 + "a,b" + "}" * 5000
    assert Glob(deep).matches("b")
    assert expand(deep) == [deep]


@pytest.mark.parametrize("name", ["plain", "a\\*b", "\\{a\\,b\\}", "a.b"])
def test_a_name_without_a_pattern_is_itself(name):
    assert compile_name(name) == name.replace("\\", "")


@pytest.mark.parametrize(
    "pattern", ["a\\", "[", "[a", "[]", "[c-a]", "{a", "{a{b}", "*" * (1 << 15)]
)
def test_a_pattern_that_is_none_is_refused_in_a_sentence(pattern):
    with pytest.raises(InvalidPath) as raised:
        components(pattern)
    assert len(str(raised.value)) < 300
    assert isinstance(raised.value, ValueError)


def test_braces_with_slashes_stand_for_several_patterns():
    assert expand("{a/b,c}{d,e}/{x,y{z/w,v}}") == [
        f"{first}{{d,e}}/{last}" for first in ("a/b", "c") for last in ("x", "yz/w", "yv")
    ]
    assert expand("{a/b") == ["{a/b"]
    assert expand("a\\{b/c}") == ["a\\{b/c}"]


@pytest.mark.parametrize("pattern", ["{a/b,c}" * 50, "{/,/" * 3000 + "}" * 3000])
def test_braces_that_stand_for_too_many_patterns_are_refused(pattern):
    with pytest.raises(InvalidPath, match="expands to more than"):
        expand(pattern)
