"""Packer of a topology's jar: Flux, the topology's document, and the components in `resources/`.

Each worker unpacks `resources/` of the topology's jar and starts components there
(ShellProcess.launch). A LocalCluster takes `resources/` from the first jar on the class path that
has it (LocallyCachedTopologyBlob), and Flux's own jar has one: so the topology's jar must be first,
and the resources of merged jars are left out.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmwire._escaping import quote
from jvmwire._files import open_output, refuse_inputs
from jvmwire.errors import ConfigError
from jvmwire.storm._secret_files import reason_by_content, reason_by_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jvmwire.storm.topology import Topology

RESOURCES: Final = "resources/"
"""The folder in which Storm starts components (ServerConfigUtils.RESOURCES_SUBDIR)."""

DOCUMENT: Final = "topology.yaml"
"""The topology's document, for `--resource /topology.yaml` of Flux."""

ENVIRONMENT: Final = "environment"
"""The folder of packages, relative to the folder in which components are started."""

FLUX: Final = "org.apache.storm.flux.Flux"
"""The class that submits the topology."""

MAX_FILES: Final = 200_000
"""Files of a folder, and entries of a jar, that are packed, at most (chosen by jvmwire)."""

MAX_DEPTH: Final = 100
"""Nested folders, at most (chosen by jvmwire)."""

_CACHES: Final = frozenset({"__pycache__", "node_modules", "CVS"})
_OF_ENVIRONMENTS: Final = ("pyvenv.cfg", "conda-meta")
"""Names that identify a folder as a virtual environment."""
_MANIFEST: Final = "META-INF/MANIFEST.MF"
_SIGNED: Final = (".SF", ".RSA", ".DSA", ".EC")


@dataclass(slots=True)
class Contents:
    """The content of a topology's jar besides the topology's document.

    Args:
        folder: The folder of the components' modules. All of it is packed except hidden files,
            caches, environments, keys and passwords (`secret_files`), and links to folders or out
            of it.
        jars: Jars that are merged, including Flux's; the first one with a class wins.
        environment: A virtual environment or a folder of packages, including jvmwire; None if the
            workers' interpreter finds all packages.
        classes: The folder of jvmwire's compiled Java classes; see `Distribution.compile`.
        skipped_files: Resources of `jars` that were not packed; set by packing.
        include: Files and folders below `folder` that are packed although they look like secrets,
            or are hidden, caches or links.
        skipped: Files of `folder` that were not packed, with the reason, except hidden ones; set by
            packing.
    """

    folder: Path
    jars: Sequence[Path] = ()
    environment: Path | None = None
    classes: Path | None = None
    skipped_files: list[tuple[Path, str]] = field(default_factory=list)
    """Resources of `jars` that were not packed, since they belong to other topologies; set by
    packing.
    """
    include: Sequence[Path] = ()
    """Files and folders below `folder` that are packed in spite of their kind.

    These look like secrets, or are hidden, caches or links.
    """
    skipped: list[tuple[Path, str]] = field(default_factory=list)


def pack(topology: Topology, output: Path, contents: Contents, *, interpreter: str) -> None:
    """Write a jar that runs a topology.

    Args:
        topology: The topology.
        output: The file to write.
        contents: The content of the jar besides the topology's document.
        interpreter: The workers' Python interpreter.

    Raises:
        ConfigError: the topology could not run, or `output` is one of the files to pack.
        OSError: a file cannot be read or written.
    """
    packages = None if contents.environment is None else _packages(contents.environment)
    flux = topology.flux(
        interpreter=interpreter, environment=None if packages is None else ENVIRONMENT
    )
    if topology.needs_own_classes and contents.classes is None:
        raise ConfigError(
            f"{topology.name!r} has direct streams or metrics, which need `Contents.classes`"
        )
    files = _resources(contents, output)
    members = [(path, f"{RESOURCES}{path.relative_to(contents.folder)}") for path in files]
    if packages is not None:
        members += [
            (path, f"{RESOURCES}{ENVIRONMENT}/{path.relative_to(packages)}")
            for path in _files(packages, is_wanted=_is_of_environment, follow=True)
        ]
    _refuse_input(output, contents, packages, [path for path, _ in members])
    with (
        open_output(output, is_binary=True) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as jar,
    ):
        jar.writestr(_MANIFEST, f"Manifest-Version: 1.0\r\nMain-Class: {FLUX}\r\n\r\n")
        jar.writestr(DOCUMENT, json.dumps(flux, indent=2))
        # The JVM finds `resources` by its folder entry.
        jar.writestr(RESOURCES, b"")
        for path, name in members:
            _add(jar, path, name)
        if contents.classes is not None:
            for path in sorted(contents.classes.rglob("*.class")):
                _add(jar, path, path.relative_to(contents.classes).as_posix())
        for other in contents.jars:
            _merge(jar, other, contents.skipped_files)


def _refuse_input(
    output: Path, contents: Contents, packages: Path | None, packed: Sequence[Path]
) -> None:
    """Raise `ConfigError` if `output` is packed itself, or is in a packed folder.

    A topology's jar that was written to the components' folder before may be replaced.
    """
    refuse_inputs(output, contents.jars)
    if not output.exists() or _is_packed(output):
        return
    real = output.resolve()
    for folder in (contents.folder, packages):
        if folder is not None and real.is_relative_to(folder.resolve()):
            raise ConfigError(
                f"the output {output} is a file in {folder}, which is packed, and no topology's "
                "jar: name another output"
            )
    refuse_inputs(output, packed)


def _is_packed(path: Path) -> bool:
    """Return whether a file is a jar that `pack` wrote."""
    try:
        with zipfile.ZipFile(path) as jar:
            return DOCUMENT in jar.NameToInfo and FLUX.encode() in jar.read(_MANIFEST)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return False


def _add(jar: zipfile.ZipFile, path: Path, name: str) -> None:
    try:
        with path.open("rb") as file:
            entry = zipfile.ZipInfo.from_file(path, name, strict_timestamps=False)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with jar.open(entry, "w", force_zip64=entry.file_size > zipfile.ZIP64_LIMIT // 2) as to:
                shutil.copyfileobj(file, to)
    except OSError as error:
        raise ConfigError(f"{path} cannot be packed: {error.strerror or error}") from error
    except (UnicodeEncodeError, ValueError) as error:
        raise ConfigError(f"{path} cannot be packed: its name does not fit in a jar") from error


def _merge(jar: zipfile.ZipFile, other: Path, skipped_files: list[tuple[Path, str]]) -> None:
    try:
        with zipfile.ZipFile(other) as merged:
            entries = merged.infolist()
            if len(entries) > MAX_FILES:
                raise ConfigError(
                    f"{other} has {len(entries):,} entries; the limit is {MAX_FILES:,}"
                )
            for entry in entries:
                name = entry.filename
                if not _stays_within(name):
                    raise ConfigError(
                        f"{other} has an entry {quote(name)}, which would be unpacked outside of "
                        f"the jar's folder"
                    )
                if name.startswith(RESOURCES):
                    if not entry.is_dir():
                        skipped_files.append((other, name))
                elif name not in jar.NameToInfo and not name.endswith(_SIGNED):
                    with merged.open(entry) as file, jar.open(_renewed(entry), "w") as to:
                        shutil.copyfileobj(file, to)
    except (
        OSError,
        EOFError,
        NotImplementedError,
        RuntimeError,
        ValueError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise ConfigError(f"{other} is not a jar: {error}") from error


def _renewed(entry: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """Return a new entry for a merged file, whose sizes and checksum are computed on writing."""
    renewed = zipfile.ZipInfo(entry.filename, entry.date_time)
    renewed.compress_type = entry.compress_type
    renewed.external_attr, renewed.create_system = entry.external_attr, entry.create_system
    renewed.file_size = entry.file_size
    return renewed


def _stays_within(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return not (name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\0" in name)


def _resources(contents: Contents, output: Path) -> list[Path]:
    """Return the files of the components' folder to pack, and note the skipped ones."""
    contents.skipped.clear()
    folder, hidden = contents.folder, output.resolve()

    def is_wanted(path: Path, is_folder: bool) -> bool:  # noqa: FBT001 - the signature that `_files` calls
        if path.name.startswith(".") or path.name in _CACHES:
            return False
        if is_folder:
            return not any((path / name).exists() for name in _OF_ENVIRONMENTS)
        if path.resolve() == hidden:
            return False
        if (why := reason_by_name(path.name)) is not None:
            contents.skipped.append((path, why))
            return False
        return True

    found: dict[Path, None] = {}
    for path in _files(folder, is_wanted=is_wanted, skipped=contents.skipped):
        if (why := reason_by_content(path)) is not None:
            contents.skipped.append((path, why))
        else:
            found[path] = None
    for asked in contents.include:
        found |= dict.fromkeys(_included(folder, asked, hidden))
        contents.skipped[:] = [entry for entry in contents.skipped if entry[0] not in found]
    return sorted(found)


def _included(folder: Path, asked: Path, output: Path) -> Iterator[Path]:
    path = folder / asked
    if ".." in asked.parts or not path.is_relative_to(folder) or path == folder:
        raise ConfigError(f"{asked} cannot be included: it is not below {folder}")
    try:
        kind = path.stat().st_mode
    except OSError as error:
        raise ConfigError(f"{asked} cannot be included: {error.strerror}") from error
    if stat.S_ISDIR(kind):
        yield from _files(path, is_wanted=lambda found, _: found.resolve() != output, follow=True)
    elif stat.S_ISREG(kind):
        yield path
    else:
        raise ConfigError(f"{asked} cannot be included: it is neither a file nor a folder")


def _is_of_environment(path: Path, _is_folder: bool) -> bool:  # noqa: FBT001 - the signature that `_files` calls
    return not path.name.startswith(".") and path.name != "__pycache__"


def _files(
    top: Path,
    *,
    is_wanted: Callable[[Path, bool], bool] = _is_of_environment,
    follow: bool = False,
    skipped: list[tuple[Path, str]] | None = None,
) -> Iterator[Path]:
    """Yield the files in and below a folder, in order of their names.

    A link is packed as its target if that is in the folder as well. With `follow` a link may have
    any target, also a folder. Each folder is visited once, so the walk ends despite cyclic links.

    Raises:
        ConfigError: a folder cannot be read, or `MAX_FILES` or `MAX_DEPTH` is exceeded.
    """
    notes = [] if skipped is None else skipped
    met = {_identity(top.stat())}
    root = top.resolve()
    count = 0
    levels = [iter(_entries(top))]
    while levels:
        entry = next(levels[-1], None)
        if entry is None:
            levels.pop()
            continue
        path = Path(entry.path)
        try:
            found = entry.stat()  # follows a link
        except OSError as error:
            notes.append((path, f"it cannot be followed: {error.strerror}"))
            continue
        is_folder = stat.S_ISDIR(found.st_mode)
        if not is_wanted(path, is_folder):
            continue
        if entry.is_symlink() and not follow:
            if is_folder:
                notes.append((path, "it is a link to a folder"))
                continue
            if not path.resolve().is_relative_to(root):
                notes.append((path, "it is a link that leads out of the folder"))
                continue
        if is_folder:
            if _identity(found) not in met:
                met.add(_identity(found))
                if len(levels) > MAX_DEPTH:
                    raise ConfigError(f"{path}: more than {MAX_DEPTH} folders are in each other")
                levels.append(iter(_entries(path)))
        elif stat.S_ISREG(found.st_mode):
            count += 1
            if count > MAX_FILES:
                raise ConfigError(f"{top}: more than {MAX_FILES:,} files to pack")
            yield path
        else:
            notes.append((path, "it is neither a file nor a folder"))


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise ConfigError(f"{folder} cannot be read: {error.strerror}") from error


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _packages(environment: Path) -> Path:
    # A folder of packages contains them directly.
    packages = next(environment.glob("lib/python3*/site-packages"), environment)
    if not (packages / "jvmwire").is_dir():
        raise ConfigError(f"{environment} holds no package jvmwire, by which components are run")
    return packages
