"""Command `jvmwire demo`, which reports on recorded traffic of a real NameNode."""

from __future__ import annotations

from pathlib import Path

import click

from jvmwire._cli.engines import EngineName, SelectedEngine, engine_options, without_pandas
from jvmwire._cli.output import open_result
from jvmwire._cli.report import write
from jvmwire._cli.tabular import echo_safe
from jvmwire._escaping import quote
from jvmwire.errors import ConfigError

_RECORDINGS = Path(__file__).parents[1] / "recordings"
_FOLDER = Path("jvmwire-demo")


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help=f"The folder of the report (default: {_FOLDER}), or with --capture the file.",
)
@click.option(
    "--capture",
    is_flag=True,
    help="Write the recording instead of a report (default: under its own name, here).",
)
@click.option(
    "--force",
    is_flag=True,
    help="Replace files of the report's names also if no report wrote them, or the file of the "
    "recording.",
)
@engine_options
def demo(*, output: Path | None, capture: bool, force: bool, engine: SelectedEngine) -> None:
    """Report on a recording of a NameNode at work.

    It runs in this process, or with --engine spark in local Spark: no cluster, no network. With
    --capture it writes the recording, a file of packets to try `jvmwire decode` on.
    """
    recordings = sorted(_RECORDINGS.glob("*.pcap.gz"))
    if not recordings:
        raise ConfigError("this installation has no recordings")
    if capture:
        if engine.name is EngineName.SPARK:
            raise click.UsageError("--capture writes a recording: it needs no engine")
        _write_capture(recordings[0], output or Path(recordings[0].name), force=force)
        return
    folder = output or _FOLDER
    if folder.exists() and not folder.is_dir():
        raise click.UsageError(f"{quote(str(folder))} is a file: expected the folder of a report")
    with without_pandas():
        from jvmwire.report import ReportOptions

    write(recordings, folder, engine, ReportOptions(), force=force)


def _write_capture(recording: Path, output: Path, *, force: bool) -> None:
    """Write a recording to a file, which must be new unless `force` is given."""
    if output.exists() and not force:
        raise ConfigError(f"{output} exists already: name another file by -o, or add --force")
    with open_result(output, inputs=[recording], is_binary=True) as file:
        file.write(recording.read_bytes())
    echo_safe(str(output))
