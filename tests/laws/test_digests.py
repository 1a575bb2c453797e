"""The rows of all recordings, and of 2,000 mutations of them, are those that were recorded."""

import json

import pytest

from kit.digests import DIGESTS, MUTATIONS, RECORDINGS, digests

RECORDED = json.loads(DIGESTS.read_text())


@pytest.mark.parametrize("name", RECORDINGS)
def test_rows_of_a_recording_and_of_its_mutations_are_those_recorded(name: str) -> None:
    was = RECORDED[name]["digests"]
    assert len(was) == 1 + MUTATIONS
    differing = [
        "the recording" if seed < 0 else f"seed {seed}"
        for seed, (old, new) in enumerate(zip(was, digests(name), strict=True), -1)
        if old != new
    ]
    assert not differing, f"{name}: other rows than recorded of {', '.join(differing)}"
