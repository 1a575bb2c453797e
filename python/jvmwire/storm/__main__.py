"""Program `python -m jvmwire.storm package.module:Class`, which Storm starts for a component."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from jvmwire._components import flush_outputs, load
from jvmwire._escaping import escape_message
from jvmwire.errors import JvmWireError
from jvmwire.storm._component import Component
from jvmwire.storm._runner import run_stdio
from jvmwire.transports import Stdio

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import FileIO


def main() -> None:
    """Run a component for the Storm that started this process."""
    # argparse, not click as for the commands: a bolt in a large topology starts hundreds of times.
    parser = argparse.ArgumentParser("python -m jvmwire.storm", description=main.__doc__)
    parser.add_argument(
        "--path",
        metavar="DIR",
        help="A folder to find the module in, beside the one that Storm starts us in.",
    )
    parser.add_argument(
        "--record",
        metavar="DIR",
        help="What crosses goes into a capture there, named by the class and the process.",
    )
    parser.add_argument("component", metavar="PACKAGE.MODULE:CLASS")
    arguments = parser.parse_args()
    if arguments.path is not None:
        if not os.path.isdir(arguments.path):  # noqa: PTH112  # pathlib takes as long as all of this
            parser.error(f"--path: there is no folder {arguments.path!r}")
        sys.path.insert(0, os.path.realpath(arguments.path))

    def make() -> Component:
        made: Component = load(arguments.component, Component)()
        return made

    try:
        if arguments.record is None:
            status = run_stdio(make, Stdio())
        else:
            status = _run_recorded(make, arguments.component, arguments.record)
    except JvmWireError as error:
        print(f"jvmwire.storm: {escape_message(str(error))}", file=sys.stderr)  # noqa: T201
        status = 2
    # Threads of the component must not delay the end of the process.
    flush_outputs()
    os._exit(status)


def _run_recorded(make: "Callable[[], Component]", component: str, folder: str) -> int:
    from jvmwire.errors import ConfigError
    from jvmwire.transports import Recorder, Tap

    try:
        file = _new_recording(folder, component.rpartition(":")[2].replace("/", "_"))
    except OSError as error:
        raise ConfigError(f"--record: cannot write into {folder}: {error.strerror}") from error
    with file, Recorder(file) as recorder:
        return run_stdio(make, Tap(Stdio(), recorder))


def _new_recording(folder: str, name: str) -> "FileIO":
    """Create a new file; in containers, consecutive processes may have the same number."""
    from itertools import count
    from pathlib import Path

    Path(folder).mkdir(parents=True, exist_ok=True)
    for again in count(1):
        number = f"{os.getpid()}" if again == 1 else f"{os.getpid()}-{again}"
        try:
            return Path(folder, f"{name}-{number}.pcap").open("xb", buffering=0)
        except FileExistsError:
            continue
    raise AssertionError("unreachable")


if __name__ == "__main__":
    main()
