"""The source distribution contains the files that a build needs, and no others."""

import tarfile
from pathlib import Path

import pytest

import jvmwire
from kit.environment import ROOT


@pytest.fixture(scope="module")
def sources(sdist: Path) -> set[str]:
    top = f"jvmwire-{jvmwire.__version__}/"
    with tarfile.open(sdist) as archive:
        names = archive.getnames()
    assert all(name.startswith(top) for name in names)
    return {name.removeprefix(top) for name in names}


def test_it_holds_what_a_build_needs(sources: set[str]) -> None:
    needed = {"Cargo.lock", "Cargo.toml", "LICENSE", "README.md", "PKG-INFO", "pyproject.toml"}
    needed |= {"THIRD-PARTY-LICENSES", "rust/jvmwire.cyclonedx.json"}
    assert needed <= sources
    crates = ("codec", "capture", "python")
    rust = {
        str(path.relative_to(ROOT))
        for crate in crates
        for path in [ROOT / "rust" / crate / "Cargo.toml", *(ROOT / "rust" / crate).rglob("*.rs")]
        # Tests of a crate are for cargo, its sources for the build.
        if "tests" not in path.parts
    }
    assert rust <= sources


def test_it_holds_the_package_with_its_data(sources: set[str]) -> None:
    package = ROOT / "python" / "jvmwire"
    kinds = {".py", ".pyi", ".typed", ".css", ".j2", ".properties", ".gz"}
    files = {
        str(path.relative_to(ROOT))
        for path in package.rglob("*")
        if path.suffix in kinds or path.name == "py.typed"
    }
    assert files <= sources


def test_it_holds_no_tests_nothing_built_and_stays_small(sources: set[str], sdist: Path) -> None:
    tops = {Path(name).parts[0] for name in sources}
    assert not tops & {"tests", "benches", "target", "build", "dist", ".venv", ".ci"}
    assert not {name for name in sources if Path(name).suffix in {".so", ".pcap", ".pyc", ".jar"}}
    assert sdist.stat().st_size < 2_500_000
