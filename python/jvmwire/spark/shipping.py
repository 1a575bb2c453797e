"""Takes jvmwire to executors that do not have it installed."""

from __future__ import annotations

import importlib.metadata
import tarfile
from pathlib import Path

from jvmwire.errors import ConfigError

ARCHIVE = "jvmwire_site"
"""The folder that the archive becomes in an executor's working directory."""


def ship(
    path: Path, *, packages: tuple[str, ...] = ("jvmwire", "orjson", "pyarrow")
) -> dict[str, str]:
    """Pack the installed `packages` into a .tar.gz at `path`; return the Spark settings to use it.

    The executors' own Python must be of the same minor version. Raises `ConfigError` for a package
    that is not installed from a wheel.
    """
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for package in packages:
            for file in _files(package):
                source = Path(str(file.locate()))
                if source.is_file() and ".." not in file.parts:
                    archive.add(source, arcname=str(file), recursive=False)
    return {
        "spark.archives": f"{path}#{ARCHIVE}",
        "spark.executorEnv.PYTHONPATH": ARCHIVE,
    }


def _files(package: str) -> list[importlib.metadata.PackagePath]:
    try:
        files = importlib.metadata.files(package)
    except importlib.metadata.PackageNotFoundError as error:
        raise ConfigError(f"{package} is not installed: nothing to ship") from error
    if not files or not any(file.suffix in {".py", ".so"} for file in files):
        raise ConfigError(f"{package} is not installed from a wheel: nothing to ship")
    return files
