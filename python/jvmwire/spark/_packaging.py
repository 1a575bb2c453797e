"""Packaging of jvmwire for executors that do not have it installed."""

from __future__ import annotations

import importlib.metadata
import tarfile
from pathlib import Path

from jvmwire._files import open_output, refuse_inputs
from jvmwire.errors import ConfigError

PACKAGES = ("jvmwire", "orjson", "pyarrow")
"""Packages that tasks import, including tasks with clients; Spark provides its own."""

ARCHIVE = "jvmwire_site"
"""Name of the unpacked archive in an executor's working directory."""


def ship(path: Path, *, packages: tuple[str, ...] = PACKAGES) -> dict[str, str]:
    """Pack installed packages into a .tar.gz archive, and return the Spark settings to use it.

    Executors need a Python of the driver's minor version, named by PYSPARK_PYTHON, and no installed
    packages. A session that `new_session` did not create must also find jvmwire on the driver: add
    its location to PYTHONPATH.

    Args:
        path: The archive to write.
        packages: Names of the packages to pack.

    Returns:
        The settings `spark.archives` and `spark.executorEnv.PYTHONPATH`.

    Raises:
        ConfigError: a package is not installed from a wheel, or `path` is one of the files to pack.
    """
    members = {str(file): file for package in packages for file in _files(package)}
    refuse_inputs(path, (Path(str(file.locate())) for file in members.values()))
    with (
        open_output(path, is_binary=True) as output,
        tarfile.open(fileobj=output, mode="w:gz", compresslevel=1) as archive,
    ):
        for name, file in members.items():
            archive.add(str(file.locate()), arcname=name, recursive=False)
    return {
        "spark.archives": f"{path.absolute()}#{ARCHIVE}",
        "spark.executorEnv.PYTHONPATH": ARCHIVE,
    }


def _files(package: str) -> list[importlib.metadata.PackagePath]:
    """Return the files needed at run time, without headers, tests, caches and commands."""
    try:
        files = importlib.metadata.files(package) or []
    except importlib.metadata.PackageNotFoundError as error:
        raise ConfigError(f"{package} is not installed: nothing to ship") from error
    needed = [
        file
        for file in files
        if not {"..", "include", "tests", "__pycache__"} & set(file.parts)
        and Path(str(file.locate())).is_file()
    ]
    if not any(file.suffix in {".py", ".so"} for file in needed):
        raise ConfigError(
            f"{package} is not installed from a wheel but linked to its sources: nothing to ship"
        )
    return needed
