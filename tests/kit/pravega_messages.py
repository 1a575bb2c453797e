"""Generator of the classes of a controller's messages, from its jar: `make tables`."""

import sys
import zipfile
from pathlib import Path

from grpc_tools import protoc

from .jvm import PEERS, build

NAMES = ("_controller_pb2.py", "_controller_pb2.pyi")


def write(directory: Path) -> None:
    """Have protoc write `NAMES` into a directory."""
    build("pravega")
    [jar] = (PEERS / "pravega" / "target" / "lib").glob("pravega-shared-controller-api-*.jar")
    source = directory / "controller.proto"
    with zipfile.ZipFile(jar) as found:
        source.write_bytes(found.read("Controller.proto"))
    try:
        arguments = [f"-I{directory}", f"--python_out={directory}", f"--pyi_out={directory}"]
        if protoc.main(["protoc", *arguments, str(source)]):
            raise RuntimeError(f"protoc refuses the Controller.proto of {jar}")
        for name in NAMES:
            (directory / name.removeprefix("_")).replace(directory / name)
    finally:
        source.unlink()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
