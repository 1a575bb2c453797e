"""Executors that have only Python, and the archive that `ship` packed for them."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from kit.captures import NAMENODE, SASL, decoded
from kit.environment import Environment

pytestmark = pytest.mark.timeout(600)  # the wheel may have to be compiled
MASTER = "local-cluster[2,1,1024]"
JOB = Path(__file__).with_name("cluster_job.py")


@dataclass(frozen=True)
class Cluster:
    driver: Environment
    archive: Path
    settings: list[str]


@pytest.fixture(scope="module")
def cluster(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Cluster:
    """A driver with the wheel, the archive that it shipped, and an interpreter with nothing."""
    directory = tmp_path_factory.mktemp("cluster")
    bare = Environment.new(directory / "bare")
    driver = Environment.new(directory / "driver", f"{wheel}[report,spark]").with_variables(
        PATH=os.pathsep.join([str(directory / "driver" / "bin"), os.environ["PATH"]]),
        JAVA_HOME=os.environ.get("JAVA_HOME", ""),
        PYSPARK_PYTHON=str(bare.python),
        SPARK_LOCAL_IP="127.0.0.1",
        SPARK_LOCAL_DIRS=str(directory / "spark"),
    )
    archive = directory / "jvmwire.tar.gz"
    settings = driver.run("jvmwire", "spark", "ship", archive).stdout.split()
    return Cluster(driver, archive, settings)


def test_ship_prints_the_settings_to_use(cluster: Cluster) -> None:
    assert cluster.settings == [
        "--conf",
        f"spark.archives={cluster.archive}#jvmwire_site",
        "--conf",
        "spark.executorEnv.PYTHONPATH=jvmwire_site",
    ]


def test_executors_run_what_was_shipped(cluster: Cluster, tmp_path: Path) -> None:
    settings = dict(item.split("=", 1) for item in cluster.settings if item != "--conf")
    result = tmp_path / "result.json"
    (tmp_path / "captures").mkdir()
    for capture in (NAMENODE, SASL):
        (tmp_path / "captures" / capture.name).symlink_to(capture)
    cluster.driver.run("python", JOB, MASTER, json.dumps(settings), tmp_path, result)
    got = json.loads(result.read_bytes())
    # Each executor reports where it found its packages.
    assert len(got["executors"]) == 2
    for directory, jvmwire, pyarrow in got["executors"]:
        assert jvmwire == f"{directory}/jvmwire_site/jvmwire/__init__.py"
        assert pyarrow == f"{directory}/jvmwire_site/pyarrow/__init__.py"
    assert not Path(got["executors"][0][0]).is_relative_to(Path(__file__).parents[2])
    captures = [NAMENODE, SASL]
    for table in ("messages", "calls", "streams"):
        rows = sum(len(decoded(capture, table)) for capture in captures)
        assert got["rows"][table] == rows
    assert got["retried"]["attempts"] == [0, 1]
    assert got["retried"]["files"] == ["part-00000.parquet"]
    assert got["report"]["calls"] == got["rows"]["calls"]
    assert got["report"]["files"] == ["_SUCCESS", "part-00000.parquet", "part-00001.parquet"]


def test_check_says_what_each_executor_lacks_and_what_they_have(
    cluster: Cluster, tmp_path: Path
) -> None:
    check = ["spark", "check", "--master", MASTER]

    def refused(settings: list[str]) -> str:
        done = cluster.driver.run("jvmwire", *check, *settings, status=2)
        [sentence] = [line for line in done.stderr.splitlines() if line.startswith("jvmwire: ")]
        return sentence

    # On one machine executors would inherit the environment of the driver's own planning.
    lacking = refused(["--conf", "spark.executorEnv.PYTHONPATH=nowhere"])
    assert lacking.startswith("jvmwire: 2 of 2 executors cannot decode: the one on ")
    assert lacking.count("ModuleNotFoundError: No module named 'pyarrow'") == 2

    # Spark numbers the directories of executors; one of these has no pyarrow.
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\nif os.getcwd().endswith('/1'): sys.modules['pyarrow'] = None\n"
    )
    archives, _ = (item for item in cluster.settings if item != "--conf")
    path = f"spark.executorEnv.PYTHONPATH={tmp_path}:jvmwire_site"
    one = refused(["--conf", archives, "--conf", path])
    assert one.startswith("jvmwire: 1 of 2 executors cannot decode: the one on ")
    assert "/1: ModuleNotFoundError: import of pyarrow halted" in one

    shipped = cluster.driver.run("jvmwire", *check, *cluster.settings).stdout.splitlines()
    assert [line.endswith(" decodes.") for line in shipped[-3:-1]] == [True, True]
    assert shipped[-1] == "All executors that were found (2) decode: all is well."
