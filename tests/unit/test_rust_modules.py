"""Structure of the Rust half: modules that state their purpose, and no cycles between them."""

from pathlib import Path

import pytest

from kit.environment import ROOT
from kit.rust_modules import Crate, Module, cycles

CRATES = ("codec", "capture", "python")

# Modules that depend on each other, and the reason why that is better than another place.
KNOWN = {
    "codec": {
        "frame kernels": "the loop over frames is compiled for each level among the kernels",
        "hama message pravega resync scan": "a scan keeps the place of each protocol in one enum",
        "hadoop::generated hadoop::services": "generated tables hold the types that look them up",
        "hazelcast::generated hazelcast::tables": "the same",
        "hadoop::replies hadoop::reply_table": "a decoder fills a table of its own answers",
        "hadoop::secrets hadoop::tables": "a token's table is a list of secrets and has some",
        "pravega::append pravega::prepared_blocks": "full blocks are laid out before they are sent",
        "text::code_units text::transcode": "each takes the text that the other cannot",
        "varint::bulk varint::format": "a format says how many values are read at once",
    },
    "capture": {},
    "python": {
        "hadoop::convert hadoop::data": "users' own classes hold values, and values hold those",
        "hazelcast::data hazelcast::data_input hazelcast::data_output hazelcast::entry_columns "
        "hazelcast::messages hazelcast::partitions": "the same, of Hazelcast",
    },
}


def source(crate: str) -> Path:
    return ROOT / "rust" / crate / "src"


def written(modules: frozenset[Module]) -> str:
    return " ".join(sorted("::".join(module) for module in modules))


@pytest.mark.parametrize("crate", CRATES)
def test_modules_of_a_crate_form_no_cycles_but_the_known(crate):
    found = {written(cycle) for cycle in cycles(Crate(source(crate)).uses())}
    assert found == set(KNOWN[crate])


def test_a_cycle_is_found_through_lists_of_names_and_names_exported_above(tmp_path):
    for name, text in {
        "lib.rs": "mod a;\nmod b;\nmod c;\npub use a::Name;\n",
        "a.rs": "use crate::{\n    b::{self, One},\n    c::Two as Other,\n};\n",
        "b/mod.rs": "mod d;\npub(crate) use d::One;\n",
        "b/d.rs": "fn f() -> crate::Name {}\n",
        "c.rs": "#[cfg(test)]\nmod tests {\n    use crate::a;\n}\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    uses = Crate(tmp_path).uses()
    assert uses == {(("a",), ("b",)), (("a",), ("c",)), (("b",), ("a",))}
    assert cycles(uses) == {frozenset({("a",), ("b",)})}


@pytest.mark.parametrize("crate", CRATES)
def test_each_module_says_what_it_is_for(crate):
    silent = []
    for file in sorted(source(crate).rglob("*.rs")):
        lines = (line for line in file.read_text().splitlines() if not line.startswith("// "))
        if not next(filter(None, lines)).startswith("//! "):
            silent.append(str(file.relative_to(ROOT)))
    assert not silent
