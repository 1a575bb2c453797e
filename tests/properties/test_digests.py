"""Rows and verdicts of all recordings, and of 2,000 mutations of them, match their digests."""

import json

import pytest

from kit.digests import DIGESTS, KINDS, MUTATIONS, RECORDINGS, differing, digests

RECORDED = json.loads(DIGESTS.read_text())


@pytest.mark.parametrize("name", RECORDINGS)
def test_rows_and_verdicts_of_a_recording_and_of_its_mutations_are_those_recorded(
    name: str,
) -> None:
    known = RECORDED[name]
    assert all(len(known[kind]) == 1 + MUTATIONS for kind in KINDS)
    found = {
        kind: ["the recording" if seed < 0 else f"seed {seed}" for seed in seeds]
        for kind, seeds in differing(known, list(digests(name))).items()
    }
    assert not any(found.values()), f"{name}: others than recorded: {found}"
