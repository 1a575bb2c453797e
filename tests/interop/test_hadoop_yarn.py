"""YARN's ResourceManager, called by the client of any service."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.command import jvmwire
from kit.guide import run_python
from kit.hadoop import program
from kit.peer import Peer


@pytest.fixture(scope="module")
def yarn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    with Peer(program("MiniYarn", directory=tmp_path_factory.mktemp("yarn"))) as peer:
        yield peer


def test_the_examples_of_the_guide_run(yarn: Peer, tmp_path: Path) -> None:
    run_python("yarn.md", tmp_path, {"resourcemanager:8032": f"127.0.0.1:{yarn.port}"})


def test_the_command_line_finds_the_resource_manager_of_the_configuration(
    yarn: Peer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "yarn-site.xml").write_text(
        "<configuration><property><name>yarn.resourcemanager.address</name>"
        f"<value>127.0.0.1:{yarn.port}</value></property></configuration>"
    )
    monkeypatch.setenv("HADOOP_CONF_DIR", str(tmp_path))
    asked = ("hadoop", "call", "getClusterMetrics", "--protocol", "ApplicationClientProtocol")
    [told] = jvmwire(*asked).rows
    assert told["cluster_metrics"]["num_active_nms"] == 1
