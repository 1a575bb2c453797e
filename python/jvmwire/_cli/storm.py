"""Commands `jvmwire storm`, which run topologies of Python components, with or without Storm."""

from __future__ import annotations

import dataclasses
import json
import math
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jvmwire._cli.groups import CommandGroup
from jvmwire._cli.tabular import warn, write_table
from jvmwire._escaping import escape
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmwire.storm._jar import Contents
    from jvmwire.storm._local_cluster import Distribution
    from jvmwire.storm.topology import Topology

STORM_VERSION = "2.8.3"
"""The Storm that commands run by default; it is here so that `--help` loads nothing of Storm."""
MAX_TOLD = 20
"""The number of files left out of a jar that are listed by name (chosen by jvmwire)."""


@click.group(cls=CommandGroup)
def storm() -> None:
    """Run topologies of Python components, without a line of Java."""


def _topology_arguments(command: Callable[..., None]) -> Callable[..., None]:
    """Add the arguments that select the topology to a command."""
    folder = click.option(
        "--path",
        "folder",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        default=Path(),
        help="The folder of the components' modules; else the current one.",
    )
    return click.argument("topology", metavar="PACKAGE.MODULE:TOPOLOGY")(folder(command))


def _python(default: str, shown: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        "--python",
        "interpreter",
        default=default,
        show_default=shown,
        help="What workers start components by.",
    )


_version = click.option(
    "--storm-version",
    "version",
    default=STORM_VERSION,
    show_default=True,
    help="The Storm whose jars Maven gets.",
)
_lib = click.option(
    "--lib",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with the jars of a Storm and its Flux, instead of Maven.",
)
_jars = click.option(
    "--with",
    "jars",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="Another jar that the topology needs; may be given again.",
)
_include = click.option(
    "--include",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A file or folder below --path to pack although it looks like a key or a password, is "
    "hidden, or is a link; may be given again.",
)
_environment = click.option(
    "--environment",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A virtual environment, or a folder of packages, that goes along; jvmwire is in it.",
)


@storm.command()
@_topology_arguments
@_python("python3", "python3")
@click.option(
    "--components",
    metavar="DIR",
    help="Where workers find the modules, if not in the topology's own resources.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write; else standard output.",
)
def flux(
    *,
    topology: str,
    folder: Path,
    interpreter: str,
    components: str | None,
    output: Path | None,
) -> None:
    """Write the topology as a document of Flux.

    That is YAML, of the part that is JSON.
    """
    from jvmwire._files import open_output, refuse_inputs

    found = _load(topology, folder)
    if found.needs_own_classes:
        raise ConfigError(
            f"the topology {found.name!r} has direct streams or metrics, which need classes that "
            "`storm jar` packs"
        )
    document = json.dumps(found.flux(interpreter=interpreter, path=components), indent=2)
    if output is None:
        click.echo(document)
    else:
        refuse_inputs(output, _loaded_files())
        with open_output(output) as file:
            file.write(f"{document}\n".encode())


@storm.command()
@_topology_arguments
@_python("python3", "python3")
@_include
@_environment
@_jars
@_version
@_lib
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The jar to write.",
)
def jar(
    *,
    topology: str,
    folder: Path,
    interpreter: str,
    include: tuple[Path, ...],
    environment: Path | None,
    jars: tuple[Path, ...],
    version: str,
    lib: Path | None,
    output: Path,
) -> None:
    """Pack the topology into a jar that `storm jar` submits.

    Its components, and Flux, go along: all files below --path but hidden files, caches, virtual
    environments, keys and passwords, and links that lead out of it or to folders. Keys and
    passwords are recognised by name (*.pem, *.key, id_rsa, ...) and by content (private keys,
    keytabs, key stores, Hadoop's token files, passwords of JAAS). What was left out is told.
    """
    import tempfile

    from jvmwire.storm._jar import DOCUMENT, FLUX, Contents, pack

    found = _load(topology, folder)
    storm = _distribution(version, lib)
    contents = Contents(folder, [*jars, storm.flux], environment, include=include)
    with tempfile.TemporaryDirectory(prefix="jvmwire-storm-") as work:
        if found.needs_own_classes:
            contents.classes = storm.compile(Path(work))
        pack(found, output, contents, interpreter=interpreter)
    _report_skipped_files(contents, storm.flux)
    message = f"wrote {output}: storm jar {output} {FLUX} --resource /{DOCUMENT}"
    click.echo(escape(message), err=True)


@storm.command()
@_topology_arguments
@_python(sys.executable, "this one")
@_include
@_environment
@_jars
@_version
@_lib
@click.option("--seconds", type=click.IntRange(1), help="How long; else until it is interrupted.")
def local(
    *,
    topology: str,
    folder: Path,
    interpreter: str,
    include: tuple[Path, ...],
    environment: Path | None,
    jars: tuple[Path, ...],
    version: str,
    lib: Path | None,
    seconds: int | None,
) -> None:
    """Run the topology in a LocalCluster: a real Storm in one JVM.

    It is packed as `jar` packs it. At the end it is deactivated, and what each component emitted,
    acked and failed is summed up.

    Exit status: 0; 1 if the cluster failed.
    """
    import tempfile

    from jvmwire.storm._jar import Contents, pack
    from jvmwire.storm._local_cluster import RUN_UNBOUNDED_S, counted, read_summary, run_local

    found = _load(topology, folder)
    storm = _distribution(version, lib)
    contents = Contents(folder, [*jars, storm.flux], environment, include=include)
    with tempfile.TemporaryDirectory(prefix="jvmwire-storm-", ignore_cleanup_errors=True) as work:
        packed = Path(work, "topology.jar")
        contents.classes = storm.compile(Path(work))
        pack(counted(found), packed, contents, interpreter=interpreter)
        _report_skipped_files(contents, storm.flux)
        try:
            status = run_local(
                storm.command(packed, Path(work), seconds=seconds or RUN_UNBOUNDED_S)
            )
        finally:
            summary = read_summary(Path(work))
            if summary is None:
                warn("no summary: the cluster did not end in order")
            else:
                _write_summary(
                    {
                        node.name: dict.fromkeys(_COUNTED, "0")
                        | {key: str(of) for key, of in summary.get(node.name, {}).items()}
                        for node in found.nodes
                    }
                )
    if status:
        warn(f"the cluster ended with status {status}")
        sys.exit(1)


@storm.command()
@_topology_arguments
@_python(sys.executable, "this one")
@click.option(
    "--tuples",
    type=click.IntRange(1),
    help="End when spouts emitted so many tuples, and these are processed.",
)
@click.option("--seconds", type=click.IntRange(1), help="How long at most.")
def run(
    *, topology: str, folder: Path, interpreter: str, tuples: int | None, seconds: int | None
) -> None:
    """Run the topology without a JVM, to try it: every task is a process.

    Tuples are routed, tracked and timed out by Storm's rules. It ends by --tuples, by --seconds or
    by Ctrl-C, with a summary; what components log goes to standard error. Components and groupings
    in Java need `local`.

    Exit status: 0; 1 if the topology failed, as by a component that ended.
    """
    from jvmwire.storm._process_cluster import RunOptions, run_topology

    found = _load(topology, folder)
    options = RunOptions(
        folder=folder,
        tuples=tuples,
        seconds=math.inf if seconds is None else seconds,
        interpreter=interpreter,
        on_line=lambda line: click.echo(escape(line), err=True),
    )
    result = run_topology(found, options)
    rows = ((name, dataclasses.asdict(counts)) for name, counts in result.counts.items())
    _write_summary({name: {key: str(of) for key, of in row.items()} for name, row in rows})
    if result.failure is not None:
        warn(f"the topology ended after {result.seconds:.1f} s: {result.failure}")
        for line in getattr(result.failure, "said", ()):
            click.echo(f"  {escape(line)}", err=True)
        sys.exit(1)
    click.echo(f"ran for {result.seconds:.1f} s", err=True)
    if result.interrupted:
        sys.exit(128 + signal.SIGINT)


_COUNTED = ("emitted", "acked", "failed")


def _write_summary(counts: Mapping[str, Mapping[str, str]]) -> None:
    """Print the counters of each component."""
    names = list(next(iter(counts.values()), {}))
    columns = {"component": "left"} | dict.fromkeys(names, "right")
    write_table(columns, ([name, *row.values()] for name, row in counts.items()))


def _load(name: str, folder: Path) -> Topology:
    from jvmwire._components import load_instance
    from jvmwire.storm.topology import Topology

    sys.path.insert(0, str(folder.resolve()))
    return load_instance(name, Topology)


def _loaded_files() -> list[Path]:
    """Return the files of all loaded modules, from some of which the topology was created."""
    names = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    return [Path(name) for name in names if isinstance(name, str)]


def _distribution(version: str, lib: Path | None) -> Distribution:
    from jvmwire.storm._local_cluster import Distribution

    return Distribution.resolve(version) if lib is None else Distribution(lib)


def _report_skipped_files(contents: Contents, flux: Path) -> None:
    for path, why in contents.skipped[:MAX_TOLD]:
        warn(f"left out {path}: {why}; --include {path.relative_to(contents.folder)} packs it")
    if len(contents.skipped) > MAX_TOLD:
        warn(f"left out {len(contents.skipped) - MAX_TOLD:,} more")
    for jar, name in contents.skipped_files:
        if jar != flux:  # the files in it are samples
            sentence = f"left out {name} of {jar}: the components' folder stands there"
            click.echo(escape(sentence), err=True)
