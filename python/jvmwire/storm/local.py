"""A real Storm on this machine: its jars by Maven, a LocalCluster in a JVM."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from jvmwire.errors import ConfigError
from jvmwire.storm.jar import DOCUMENT, FLUX

if TYPE_CHECKING:
    from collections.abc import Sequence

VERSION: Final = "2.8.3"
"""The Storm that is run if none is asked for: what jvmwire is tested with."""

FOREVER: Final = 10**9
"""Seconds that a cluster runs which is not told for how long."""

HEAP: Final = "768m"
"""Of the JVM. Ours: a LocalCluster takes about 50 MB of it."""

_COPY_ALL: Final = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
_COPY: Final = "org.apache.maven.plugins:maven-dependency-plugin:2.10:copy"
"""Flux's parent is not published, and this is the last version that does not ask for it."""

_INSTALL: Final = "install a JDK of version 17 or later, and Maven"


@dataclass(frozen=True, slots=True)
class Distribution:
    """The jars of one Storm."""

    folder: Path

    @classmethod
    def resolve(cls, version: str = VERSION) -> Self:
        """Have Maven get them, once: they are kept in the user's cache.

        Raises `ConfigError` where there is no Maven, or no such Storm.
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
                # Another process may have been faster: its jars are the same.
                if not folder.exists():
                    jars.rename(folder)
        return cls(folder)

    @property
    def flux(self) -> Path:
        """Flux's jar. Raises `ConfigError` if it is not among them."""
        found = sorted(self.folder.glob("flux-core-*.jar"))
        if not found:
            raise ConfigError(f"{self.folder} has no flux-core-*.jar")
        return found[0]

    def command(self, jar: Path, work: Path, *, seconds: int = FOREVER) -> list[str]:
        """Return what runs a topology's jar in a LocalCluster that keeps its files in `work`."""
        settings = work / "log4j2.xml"
        settings.write_text(_LOG4J)
        properties = {
            "java.io.tmpdir": work,
            "log4j2.configurationFile": settings,
            "storm.jar": jar,
            "storm.local.sleeptime": seconds,
            "file.encoding": "UTF-8",
            "stdout.encoding": "UTF-8",
        }
        return [
            _java(),
            f"-Xmx{HEAP}",
            *(f"-D{name}={value}" for name, value in properties.items()),
            "-cp",
            # The topology's first: the first that has resources is asked for them.
            f"{jar}{os.pathsep}{self.folder}/*",
            "org.apache.storm.LocalCluster",
            FLUX,
            "--resource",
            f"/{DOCUMENT}",
        ]


def run_local(command: Sequence[str]) -> int:
    """Run a LocalCluster until it ends; return its status. It does not outlive an exception."""
    with subprocess.Popen(command) as process:  # noqa: S603  # it is `Distribution.command`
        try:
            return process.wait()
        finally:
            process.terminate()
            process.wait()


def _cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home, "jvmwire", "storm")


def _maven(*arguments: str) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise ConfigError(f"no mvn on the PATH, which gets Storm's jars: {_INSTALL}")
    done = subprocess.run(  # noqa: S603  # the arguments are ours
        [maven, "-q", "-B", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = next((line for line in done.stdout.splitlines() if "ERROR" in line), done.stderr)
        raise ConfigError(f"Maven could not get Storm's jars: {said.strip()}")


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    if home and (java := Path(home, "bin", "java")).exists():
        return str(java)
    found = shutil.which("java")
    if found is None:
        raise ConfigError(f"no java on the PATH, which Storm is run by: {_INSTALL}")
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
