"""Segments of a stream by name, and their successors."""

import pytest

from jvmwire.errors import ConfigError
from jvmwire.pravega.streams._names import segment_id_of, segment_name
from jvmwire.pravega.streams._successors import readable_successors


@pytest.mark.parametrize("segment_id", [0, 7, 3 << 32 | 12])
def test_a_segments_name_says_its_id(segment_id: int) -> None:
    assert segment_id_of(segment_name("shop/orders", segment_id)) == segment_id


@pytest.mark.parametrize("name", ["shop/orders", "shop/orders/0", "shop/a/x.#epoch.0", ""])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="not a segment of a stream"):
        segment_id_of(name)


def test_a_merged_segment_waits_for_all_that_it_is_of() -> None:
    after = {3: {1, 2}}
    assert readable_successors(after, {1}) == set()
    assert readable_successors(after, {1, 2}) == {3}


def test_a_cut_never_has_a_key_twice() -> None:
    """Segment 2 is replaced by 4 only together with 5, which waits for 3."""
    after = {4: {1, 2}, 5: {2, 3}}
    assert readable_successors(after, {1, 2}) == set()
    assert readable_successors(after, {1, 2, 3}) == {4, 5}
