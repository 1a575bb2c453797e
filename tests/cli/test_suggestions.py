"""What is mistyped is refused with the name that is most like it."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from jvmwire._checks import suggestion
from jvmwire._cli import cli
from jvmwire.capture import make_view
from jvmwire.errors import ConfigError
from jvmwire.hadoop import DatanodeReportType
from jvmwire.hadoop.namenode._choices import choose
from jvmwire.hazelcast.configuration import read_configuration
from kit.captures import WRITABLE
from kit.command import jvmwire


@pytest.mark.parametrize(
    ("line", "similar"),
    [
        (["decod"], "decode"),
        (["hadop", "ls"], "hadoop"),
        (["hadoop", "lss"], "ls"),
        (["hadoop", "dfsadmin", "safe-mode"], "safemode"),
        (["hazelcast", "scn"], "scan"),
        (["pravega", "apend"], "append"),
        (["storm", "loca"], "local"),
        (["hama", "runer"], "runner"),
        (["spark", "chek"], "check"),
        (["hadoop", "ls", "--servr", "x", "/"], "--server"),
        (["decode", "--tabel", "calls", "x"], "--table"),
        (["hadoop", "call", "getFileInfos"], "getFileInfo"),
        (["hadoop", "call", "x", "--protocol", "HAServiceProtocl"], "HAServiceProtocol"),
        (["decode", str(WRITABLE), "--columns", "nam"], "name"),
        (["decode", str(WRITABLE), "--table", "calls", "--where", "usr = 'x'"], "user"),
    ],
    ids=lambda value: " ".join(value[:3]) if isinstance(value, list) else value,
)
def test_a_mistyped_name_of_the_command_line_gets_a_suggestion(
    line: list[str], similar: str
) -> None:
    said = jvmwire(*line, status=2).stderr.lower()
    assert "did you mean" in said
    assert similar.lower() in said.partition("did you mean")[2]


def test_a_name_that_is_like_none_gets_no_suggestion() -> None:
    assert suggestion("zzz", ["name", "user"]) == ""
    assert suggestion("x" * 1_000_000, ["name"]) == ""
    done = CliRunner().invoke(cli, ["zzz"])
    assert done.exit_code == 2
    assert "No such command 'zzz'." in done.output


def test_columns_and_values_get_suggestions() -> None:
    with pytest.raises(ConfigError, match=r"there are .*; did you mean 'latency_us'\?$"):
        make_view("calls", columns=["name", "latency"])
    with pytest.raises(ConfigError, match=r"there are .*; did you mean 'user'\?$"):
        make_view("calls", columns=["name"], where="name = 'x' or not (usr is null)")
    with pytest.raises(ConfigError, match="no table") as refused:
        make_view("cals", columns=["name"])
    assert "column" not in str(refused.value)
    with pytest.raises(ConfigError, match=r"did you mean 'DEAD'\?"):
        choose(DatanodeReportType, "type", "dea")


@pytest.mark.parametrize(
    ("element", "similar"),
    [
        ("netwrok: {}", "network"),
        ("network: {smart-routin: true}", "smart-routing"),
        ("near-cache: {m: {eviction: {eviction-policy: LR}}}", "LRU"),
        ("near-cache: {m: {in-memory-format: objct}}", "OBJECT"),
    ],
)
def test_names_and_values_of_a_configuration_get_suggestions(
    tmp_path: Path, element: str, similar: str
) -> None:
    file = tmp_path / "hazelcast-client.yaml"
    file.write_text(f"hazelcast-client:\n  {element}\n")
    with pytest.raises(ConfigError, match=f"did you mean '{similar}'"):
        read_configuration(file)
