"""Spark sessions with quiet logging and short error messages."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import socket
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError  # type: ignore[import-untyped]  # it has no types
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from jvmwire.errors import ConfigError, ConnectFailed
from jvmwire.spark._packaging import PACKAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def new_session(
    master: str | None = None,
    *,
    name: str = "jvmwire",
    settings: Mapping[str, str] | None = None,
) -> SparkSession:
    """Return a session, after checks for Java and the master.

    Args:
        master: The master of Spark; None (the default) is that of MASTER, else all local cores.
        name: The name of the application.
        settings: Further Spark settings, such as `ship` returns.

    Returns:
        The new or existing session.

    Raises:
        ConfigError: there is no Java, or Spark does not start.
        ConnectFailed: no master answers at `spark://HOST:PORT`.
    """
    master = master or os.environ.get("MASTER") or "local[*]"
    options = {"spark.master": master, **_SETTINGS, **(settings or {})}
    _require_java()
    _require_master(options["spark.master"])
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName(name)
    for key, value in options.items():
        builder = builder.config(key, value)
    with summarize_spark_errors("Spark does not start"), _driver_pythonpath():
        return builder.getOrCreate()


@contextmanager
def summarize_spark_errors(what: str) -> Iterator[None]:
    """Replace Spark's long report of a failure by a `ConfigError` of `what` and the cause."""
    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise ConfigError(f"{what}: {_cause(str(error))}") from error


def _cause(account: str) -> str:
    """Return the last line of a Python traceback, else the Java exception, else the first line."""
    exception = r"(?:[a-zA-Z_]\w*\.)*([A-Z]\w+: \S.*)$"
    raised = re.findall(f"^{exception}", account, re.MULTILINE)
    raised = raised or re.findall(f"^: {exception}", account, re.MULTILINE)
    return str(raised[-1]) if raised else account.strip().partition("\n")[0]


@contextmanager
def _driver_pythonpath() -> Iterator[None]:
    """Make the JVM started in this context find the packages from any Python interpreter.

    Spark plans a read in a Python process on the driver, with the interpreter of the executors,
    which may have no packages installed. Remote executors are not affected.
    """
    if os.environ["PYSPARK_PYTHON"] == sys.executable:
        yield
        return
    places = [_place_of(package) for package in PACKAGES]
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(filter(None, [before, *places])))
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def _place_of(package: str) -> str:
    spec = importlib.util.find_spec(package)
    return str(Path(spec.origin).parents[1]) if spec and spec.origin else ""


def _require_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if home and not (Path(home) / "bin" / "java").exists():
        raise ConfigError(f"Spark runs on Java, but JAVA_HOME is {home} and has no bin/java")
    if not home and not shutil.which("java"):
        raise ConfigError(
            "Spark needs Java, which was not found: install a JDK 17, or set JAVA_HOME"
        )


def _require_master(master: str) -> None:
    """Raise `ConnectFailed` unless a named master answers: Spark itself would try for a minute."""
    scheme, _, places = master.partition("://")
    if scheme != "spark":
        return
    refused = []
    for place in places.split(","):
        host, _, port = place.rpartition(":")
        if not host or not port.isdecimal() or int(port) > 65535:
            return  # Spark reports the error
        try:
            socket.create_connection((host.strip("[]"), int(port)), MASTER_TIMEOUT).close()
        except OSError as error:
            refused.append(f"{place} ({error.strerror or error})")
        else:
            return
    raise ConnectFailed(f"no Spark master can be reached at {', '.join(refused)}")


MASTER_TIMEOUT = 5.0
"""Seconds for a connection to one of Spark's masters (chosen by jvmwire)."""

_QUIET = Path(__file__).with_name("log4j2.properties")
"""Logging configuration that hides Spark's start-up messages."""

_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.log.level": "ERROR",
    "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={_QUIET.as_uri()}",
}
