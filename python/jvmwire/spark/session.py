"""A local Spark session that says only what matters."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from jvmwire.errors import ConfigError


def new_session(master: str | None = None, *, name: str = "jvmwire") -> SparkSession:
    """Return a session on `master` (default: what Spark is configured for, else every core here).

    Raises `ConfigError` where there is no Java to run it.
    """
    _require_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName(name)
    builder = builder.master(master or os.environ.get("MASTER") or "local[*]")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.sql.session.timeZone": "UTC",
        "spark.log.level": "ERROR",
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={_QUIET.as_uri()}",
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def _require_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if (home and (Path(home) / "bin" / "java").exists()) or shutil.which("java"):
        return
    raise ConfigError("Spark runs on Java and there is none: install a JDK 17, or set JAVA_HOME")


_QUIET = Path(__file__).with_name("log4j2.properties")
"""Spark's own start-up lines are for its developers."""
