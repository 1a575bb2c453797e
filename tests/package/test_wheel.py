"""The wheel in an environment with nothing else: no checkout, no Rust, no JDK, no pyspark."""

import json
import os
import zipfile
from pathlib import Path

import pytest
from packaging.tags import cpython_tags
from packaging.utils import parse_wheel_filename

import jvmwire
from kit import notices
from kit.captures import NAMENODE, SEED
from kit.environment import ROOT, Environment

pytestmark = pytest.mark.timeout(600)  # the wheel may have to be compiled


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with only the base wheel, whose PATH has only its own commands."""
    return Environment.new(tmp_path_factory.mktemp("installed") / "env", str(wheel))


def test_it_needs_little(installed: Environment) -> None:
    script = "from importlib.metadata import distributions as d; print(*(x.name for x in d()))"
    names = installed.run("python", "-c", script).stdout.split()
    assert {"jvmwire", "click", "orjson", "rich"} <= set(names)
    assert not {"pyarrow", "pyspark", "pandas", "numpy", "matplotlib"} & set(names)


def test_it_imports_from_where_it_was_installed(installed: Environment) -> None:
    script = "import jvmwire, jvmwire.capture; print(jvmwire.__file__, jvmwire.__version__)"
    file, version = installed.run("python", "-W", "error", "-c", script).stdout.split()
    assert Path(file).is_relative_to(installed.path)
    assert version == jvmwire.__version__


def test_its_command_says_its_version(installed: Environment) -> None:
    version = installed.run("jvmwire", "--version").stdout
    assert version == f"jvmwire, version {jvmwire.__version__}\n"


def test_it_decodes_the_seed(installed: Environment) -> None:
    rows = installed.run(
        "jvmwire", "decode", SEED / "client-call.bin", "--protocol", "hadoop",
        "--reply-file", SEED / "reply.bin",
    ).stdout.splitlines()  # fmt: skip
    names = [json.loads(row)["name"] for row in rows]
    assert sorted(names) == ["Call", "ConnectionContext", "ConnectionHeader", "Reply"]


def test_it_decodes_a_compressed_capture(installed: Environment) -> None:
    done = installed.run("jvmwire", "decode", NAMENODE, "--table", "calls", "--columns", "name")
    assert len(done.stdout.splitlines()) == 6836


@pytest.mark.parametrize(
    ("command", "advice"),
    [
        (["decode", NAMENODE, "--format", "parquet"], "pip install 'jvmwire[arrow]'"),
        (["report", NAMENODE, "-o", "out"], "pip install 'jvmwire[report]'"),
        (["demo"], "pip install 'jvmwire[report]'"),
        (["spark", "check"], "pip install 'jvmwire[spark]'"),
        (["spark", "ship", "out.tar.gz"], "pip install 'jvmwire[spark]'"),
    ],
    ids=lambda value: " ".join(map(str, value[:2])) if isinstance(value, list) else None,
)
def test_a_missing_extra_is_one_sentence_with_the_command(
    installed: Environment, command: list[str | Path], advice: str
) -> None:
    done = installed.run("jvmwire", *command, status=2)
    [sentence] = done.stderr.splitlines()
    assert sentence.startswith("jvmwire: ")
    assert sentence.endswith(advice)


def test_the_extra_report_makes_a_report_without_spark(wheel: Path, tmp_path: Path) -> None:
    reporting = Environment.new(tmp_path / "env", f"{wheel}[report]")
    made = reporting.run("jvmwire", "demo", "-o", "out").stdout
    assert made.startswith("6,836 calls over 16 connections")
    script = "from importlib.metadata import distributions as d; print(*(x.name for x in d()))"
    assert not {"pandas", "pyspark"} & set(reporting.run("python", "-c", script).stdout.split())
    refused = reporting.run("jvmwire", "demo", "--engine", "spark", status=2).stderr
    assert refused.endswith("pip install 'jvmwire[spark]'\n")


@pytest.mark.parametrize("module", ["jvmwire.pravega.streams", "jvmwire.report", "jvmwire.spark"])
def test_a_module_of_a_missing_extra_says_so(installed: Environment, module: str) -> None:
    script = f"""
import jvmwire
try:
    import {module}
except jvmwire.MissingExtra as error:
    print(error)
"""
    assert "pip install 'jvmwire[" in installed.run("python", "-c", script).stdout


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    assert wheel.name.startswith(f"jvmwire-{jvmwire.__version__}-cp311-abi3-manylinux")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
        licenses = [name for name in archive.namelist() if "/licenses/" in name]
    assert {Path(name).parts[0] for name in names} == {"jvmwire"}
    kinds = {".py", ".pyi", ".typed", ".so", ".gz", ".css", ".j2", ".java", ".json", ".md"}
    kinds.add(".properties")
    assert {Path(name).suffix for name in names} - kinds <= {""}
    assert [name for name in names if name.endswith(".so")] == ["jvmwire/_core.abi3.so"]
    for needed in (
        "jvmwire/py.typed", "jvmwire/_core.pyi", "jvmwire/report/page.html.j2",
        "jvmwire/report/page.css", "jvmwire/report/summary.schema.json",
        "jvmwire/spark/log4j2.properties",
        "jvmwire/recordings/namenode-3.5.0.pcap.gz",
    ):  # fmt: skip
        assert needed in names
    assert {Path(name).name for name in licenses} == {"LICENSE", "THIRD-PARTY-LICENSES"}


def test_the_wheel_is_for_every_cpython_with_a_gil_from_3_11_on(wheel: Path) -> None:
    tags = parse_wheel_filename(wheel.name)[3]
    platforms = [tag.platform for tag in tags]

    def takes(version: tuple[int, int], abi: str) -> bool:
        return not tags.isdisjoint(cpython_tags(version, [abi], platforms))

    assert takes((3, 11), "cp311")
    assert takes((3, 14), "cp314")
    assert not takes((3, 10), "cp310")
    assert not takes((3, 14), "cp314t")


def test_the_wheel_has_every_module_of_the_checkout(wheel: Path) -> None:
    package = Path(jvmwire.__file__).parent
    here = {f"jvmwire/{path.relative_to(package)}" for path in package.rglob("*.py")}
    with zipfile.ZipFile(wheel) as archive:
        assert {name for name in archive.namelist() if name.endswith(".py")} == here


def test_the_wheel_names_no_path_of_the_machine_that_built_it(wheel: Path) -> None:
    home = Path.home()
    cargo_home = os.environ.get("CARGO_HOME", str(home / ".cargo"))
    rustup_home = os.environ.get("RUSTUP_HOME", str(home / ".rustup"))
    private = [str(ROOT), cargo_home, rustup_home, f"{home}/"]
    with zipfile.ZipFile(wheel) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    found = {
        (name, path) for name, data in held.items() for path in private if path.encode() in data
    }
    assert found == set()
    # The paths in panic messages were replaced, not left out.
    assert b"/cargo/registry/src/" in held["jvmwire/_core.abi3.so"]


def test_the_wheel_holds_the_notices_of_all_that_is_linked_in(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        files = {
            Path(name).name: archive.read(name).decode()
            for name in archive.namelist()
            if ".dist-info/" in name
        }
    shown = files["THIRD-PARTY-LICENSES"]
    linked = notices.crates()
    for crate in linked:
        assert f"{crate.name} {crate.version} ({crate.licence})" in shown
    assert "The Rust standard library" in shown
    # BSD-3-Clause requires its notice with binaries; zstd is written in C, under its crate.
    assert "Copyright (c) Meta Platforms, Inc. and affiliates." in shown
    assert files["jvmwire.cyclonedx.json"] == notices.bill_of_materials(linked)
