"""`python -m jvmwire.storm package.module:Class`: run by the Storm that starts it."""

import os
import sys
from pathlib import Path

import click

from jvmwire.errors import JvmWireError
from jvmwire.runner import load
from jvmwire.storm.component import Component
from jvmwire.storm.runner import run_stdio
from jvmwire.transports import Recorder, Stdio, Tap


@click.command()
@click.option(
    "--path",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder to find the module in, beside the one that Storm starts us in.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder: what crosses goes into a capture there, named by the class and the process.",
)
@click.argument("component", metavar="PACKAGE.MODULE:CLASS")
def main(component: str, path: Path | None, record: Path | None) -> None:
    """Run a component for the Storm that started this process."""
    if path is not None:
        sys.path.insert(0, str(path.resolve()))

    def make() -> Component:
        made: Component = load(component, Component)()
        return made

    try:
        if record is None:
            status = run_stdio(make, Stdio())
        else:
            record.mkdir(parents=True, exist_ok=True)
            name = f"{component.rpartition(':')[2]}-{os.getpid()}.pcap"
            with (record / name).open("xb") as file, Recorder(file) as recorder:
                status = run_stdio(make, Tap(Stdio(), recorder))
    except JvmWireError as error:
        click.echo(f"jvmwire.storm: {error}", err=True)
        status = 2
    # Threads of the component's own must not keep us from ending.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
