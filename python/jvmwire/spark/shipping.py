"""Takes jvmwire to executors that do not have it installed."""

from __future__ import annotations

import importlib.metadata
import tarfile
from pathlib import Path

from jvmwire._files import open_output, refuse_inputs
from jvmwire.errors import ConfigError

PACKAGES = ("jvmwire", "orjson", "pyarrow")
"""What tasks import, those with clients too; Spark brings itself."""

ARCHIVE = "jvmwire_site"
"""The folder that the archive becomes in an executor's working directory."""


def ship(path: Path, *, packages: tuple[str, ...] = PACKAGES) -> dict[str, str]:
    """Pack the installed `packages` into a .tar.gz at `path`; return the Spark settings to use it.

    Executors need a Python of the driver's minor version, and nothing installed: PYSPARK_PYTHON
    says how it is called there. With a session that `new_session` did not make, it must find
    jvmwire on the driver too: name the place where it is installed in PYTHONPATH.

    Raises `ConfigError` for a package that is not installed from a wheel, and for a `path` that is
    one of the files to pack.
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
    """List what is needed at run time: no headers, tests, caches or commands."""
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
