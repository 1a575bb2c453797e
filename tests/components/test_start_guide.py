"""The first steps, in README.md and docs/start.md, work as written."""

from pathlib import Path

from jvmwire.hadoop.testing import NameNodeDouble
from kit.captures import NAMENODE
from kit.guide import run_python


def test_the_first_steps_run(tmp_path: Path, capsys) -> None:
    with NameNodeDouble() as double:
        double.put("/data/part-0", length=1 << 20, owner="hdfs")
        run_python("start.md", tmp_path, {"hdfs://localhost:8020": double.url})
    assert "/data/part-0 1048576" in capsys.readouterr().out


def test_the_recording_of_the_recipes_is_written(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_python("recipes.md", tmp_path)
    assert (tmp_path / "namenode.pcap.gz").read_bytes() == NAMENODE.read_bytes()


def test_the_page_on_migration_runs(tmp_path: Path, capsys) -> None:
    with NameNodeDouble() as double:
        run_python("migration.md", tmp_path, {"hdfs://namenode:8020": double.url})
    assert capsys.readouterr().out == "/data/x FILE 0\n"


def test_the_readme_runs(tmp_path: Path, capsys) -> None:
    with NameNodeDouble() as double:
        double.put("/data/file", length=3, owner="alice")
        run_python("README.md", tmp_path, {"hdfs://namenode:8020": double.url})
    assert "alice 0o644 3" in capsys.readouterr().out
