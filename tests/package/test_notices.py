"""The notices in the checkout are those of the crates that Cargo.lock names."""

from dataclasses import replace

import pytest

from kit import notices
from kit.notices import Crate


@pytest.fixture(scope="module")
def linked() -> list[Crate]:
    return notices.crates()


def test_the_committed_files_are_what_make_notices_writes(linked: list[Crate]) -> None:
    assert notices.NOTICES.read_text() == notices.notices(linked), "run make notices"
    assert notices.BILL_OF_MATERIALS.read_text() == notices.bill_of_materials(linked)


def test_what_only_compiles_or_tests_is_not_linked_in(linked: list[Crate]) -> None:
    names = {crate.name for crate in linked}
    assert {"pyo3", "zstd-sys", "simdutf8", "arrow-array"} <= names
    assert not {"serde_derive", "syn", "proptest", "criterion", "cc"} & names


def test_each_crate_has_its_texts_in_the_notices_once(linked: list[Crate]) -> None:
    shown = notices.notices(linked)
    for crate in linked:
        texts = {" ".join(text.split()) for text in crate.texts}
        assert shown.count(f"{crate.name} {crate.version} (") == max(1, len(texts))
    assert "GNU GENERAL PUBLIC LICENSE" not in shown


def test_a_crate_without_a_text_is_refused_unless_it_offers_apache(linked: list[Crate]) -> None:
    crate = next(crate for crate in linked if crate.licence == "MIT")
    with pytest.raises(notices.MissingNotice, match=crate.name):
        notices.notices([replace(crate, texts=())])
    assert "Used under Apache-2.0" in notices.notices(
        [replace(crate, texts=(), licence="MIT OR Apache-2.0")]
    )
