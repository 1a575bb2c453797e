"""Local Storm cluster: downloads Storm's jars with Maven, and runs a LocalCluster in a JVM."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from jvmwire.errors import ConfigError
from jvmwire.storm._jar import DOCUMENT, FLUX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmwire.storm.topology import Topology

VERSION: Final = "2.8.3"
"""The default version of Storm, with which jvmwire is tested."""

RUN_UNBOUNDED_S: Final = 10**9
"""Seconds that a cluster without a time limit runs."""

END_TIMEOUT: Final = 60.0
"""Seconds that a cluster is given to end in order (chosen by jvmwire)."""

RELEASE: Final = "8"
"""The Java release for which classes are compiled: that of Storm 2.0."""

LOCAL_CLASS: Final = "jvmwire.Local"
"""The class of jvmwire that runs a LocalCluster."""

_SUMMARY: Final = "summary"
_CONSUMERS: Final = "topology.metrics.consumer.register"
_COUNTING: Final = {
    "topology.stats.sample.rate": 1.0,
    "topology.builtin.metrics.bucket.size.secs": 1,
    # Supported since Storm 2.3.
    "topology.enable.v2.metrics.tick": True,
    "topology.v2.metrics.tick.interval.seconds": 1,
}

HEAP: Final = "768m"
"""Heap of the JVM (chosen by jvmwire: a LocalCluster needs about 50 MB of it)."""

_COPY_ALL: Final = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
_COPY: Final = "org.apache.maven.plugins:maven-dependency-plugin:2.10:copy"
"""The last version that does not require Flux's parent, which is not published."""

_INSTALL: Final = "install a JDK of version 17 or later, and Maven"


@dataclass(frozen=True, slots=True)
class Distribution:
    """The jars of one version of Storm.

    Args:
        folder: The folder of the jars.
    """

    folder: Path

    @classmethod
    def resolve(cls, version: str = VERSION) -> Self:
        """Fetch the jars with Maven, unless they are in the user's cache already.

        Args:
            version: The version of Storm.

        Returns:
            The distribution.

        Raises:
            ConfigError: Maven is missing, or there is no such version.
        """
        folder = _cache() / version
        if not folder.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder.parent) as work:
                pom, jars = Path(work, "pom.xml"), Path(work, "jars")
                pom.write_text(_POM.format(version=version))
                _maven(_COPY_ALL, f"-f{pom}", "-DincludeScope=runtime", f"-DoutputDirectory={jars}")
                artifact = f"-Dartifact=org.apache.storm:flux-core:{version}"
                _maven(_COPY, f"-f{pom}", artifact, f"-DoutputDirectory={jars}")
                # Another process may have been first: its jars are the same.
                if not folder.exists():
                    jars.rename(folder)
        return cls(folder)

    @property
    def flux(self) -> Path:
        """Flux's jar; `ConfigError` if there is none."""
        found = sorted(self.folder.glob("flux-core-*.jar"))
        if not found:
            raise ConfigError(f"{self.folder} has no flux-core-*.jar")
        return found[0]

    def compile(self, folder: Path) -> Path:
        """Compile jvmwire's Java classes for this Storm.

        Args:
            folder: The folder in which to create the folder of classes.

        Returns:
            The folder of classes.

        Raises:
            ConfigError: there is no JDK, or this Storm lacks a class that they need.
        """
        compiler = _java("javac")
        sources = sorted(Path(__file__).with_name("java").rglob("*.java"))
        classes = folder / "classes"
        found = ["-cp", f"{self.folder}/*", "-d", str(classes)]
        done = subprocess.run(  # noqa: S603  # not a user's arguments
            [compiler, "-nowarn", "-proc:none", "--release", RELEASE, *found, *sources],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise ConfigError(f"javac cannot compile for the Storm in {self.folder}: {done.stderr}")
        return classes

    def command(self, jar: Path, work: Path, *, seconds: int = RUN_UNBOUNDED_S) -> list[str]:
        """Return the command line that runs a topology's jar in a LocalCluster.

        The classes of `compile` must be in the jar. The process also ends with its standard input,
        and leaves a summary: see `read_summary`.

        Args:
            jar: The topology's jar.
            work: The folder for the cluster's files.
            seconds: How long the cluster runs.

        Returns:
            The arguments of the command.
        """
        settings = work / "log4j2.xml"
        settings.write_text(_LOG4J)
        properties = {
            "java.io.tmpdir": work,
            "log4j2.configurationFile": settings,
            "storm.jar": jar,
            "file.encoding": "UTF-8",
            "stdout.encoding": "UTF-8",
        }
        return [
            _java("java"),
            f"-Xmx{HEAP}",
            *(f"-D{name}={value}" for name, value in properties.items()),
            "-cp",
            # The topology's jar is first: resources are taken from the first jar that has them.
            f"{jar}{os.pathsep}{self.folder}/*",
            LOCAL_CLASS,
            f"{seconds}",
            str(work / _SUMMARY),
            FLUX,
            "--resource",
            f"/{DOCUMENT}",
        ]


def run_local(command: Sequence[str]) -> int:
    """Run a LocalCluster until it ends.

    An exception, such as KeyboardInterrupt, makes the cluster end in order; a second one ends it at
    once.

    Args:
        command: The command line of `Distribution.command`.

    Returns:
        The exit status.
    """
    with subprocess.Popen(  # noqa: S603  # it is `Distribution.command`
        command,
        stdin=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C would end the components first
    ) as process:
        try:
            return process.wait()
        finally:
            try:
                if process.stdin is not None:
                    process.stdin.close()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(END_TIMEOUT)
            finally:
                process.terminate()
                process.wait()


def read_summary(work: Path) -> dict[str, dict[str, int]] | None:
    """Read the counts that a cluster left.

    Args:
        work: The folder for the cluster's files.

    Returns:
        The numbers of tuples "emitted", "acked" and "failed", by component; None without a summary.
    """
    try:
        lines = (work / _SUMMARY).read_text("utf-8").splitlines()
    except FileNotFoundError:
        return None
    rows = (line.split("\t") for line in lines)
    names = ("emitted", "acked", "failed")
    return {name: dict(zip(names, map(int, counts), strict=True)) for name, *counts in rows}


def counted(topology: Topology) -> Topology:
    """Return a copy of a topology that counts each tuple, and reports the counts every second.

    `read_summary` needs both.

    Args:
        topology: The topology.

    Returns:
        The copy, whose configuration has the settings for it.
    """
    own = {"class": f"{LOCAL_CLASS}$Totals", "parallelism.hint": 1}
    consumers = [*(topology.config.get(_CONSUMERS) or ()), own]
    config = {**_COUNTING, **topology.config, _CONSUMERS: consumers}
    return replace(topology, config=config)


def _cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home, "jvmwire", "storm")


def _maven(*arguments: str) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise ConfigError(f"no mvn on the PATH, which gets Storm's jars: {_INSTALL}")
    done = subprocess.run(  # noqa: S603  # not a user's arguments
        [maven, "-q", "-B", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = next((line for line in done.stdout.splitlines() if "ERROR" in line), done.stderr)
        raise ConfigError(f"Maven could not get Storm's jars: {said.strip()}")


def _java(program: str) -> str:
    home = os.environ.get("JAVA_HOME")
    if home and (java := Path(home, "bin", program)).exists():
        return str(java)
    found = shutil.which(program)
    if found is None:
        raise ConfigError(f"no {program} on the PATH, which Storm is run by: {_INSTALL}")
    return found


_POM: Final = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>jvmwire</groupId>
  <artifactId>storm</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>org.apache.storm</groupId>
      <artifactId>storm-client</artifactId>
      <version>{version}</version>
    </dependency>
    <dependency>
      <groupId>org.apache.storm</groupId>
      <artifactId>storm-server</artifactId>
      <version>{version}</version>
    </dependency>
  </dependencies>
</project>
"""

_LOG4J: Final = """\
<?xml version="1.0" encoding="UTF-8"?>
<Configuration status="warn">
  <Appenders>
    <Console name="console" target="SYSTEM_OUT">
      <PatternLayout pattern="%d{HH:mm:ss.SSS} %p %c{1} - %m%n"/>
    </Console>
  </Appenders>
  <Loggers>
    <Root level="warn">
      <AppenderRef ref="console"/>
    </Root>
    <Logger name="org.apache.storm.task.ShellBolt" level="info"/>
    <Logger name="org.apache.storm.spout.ShellSpout" level="info"/>
    <Logger name="org.apache.storm.metric.LoggingMetricsConsumer" level="info"/>
    <Logger name="org.apache.storm.daemon.supervisor.ReadClusterState" level="error"/>
    <Logger name="org.apache.storm.shade" level="error"/>
  </Loggers>
</Configuration>
"""
