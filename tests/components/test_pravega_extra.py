"""Pravega's streams without the packages that they need."""

import subprocess
import sys

import pytest

WITHOUT = """
import sys

sys.modules[sys.argv[1]] = None  # as if it were not installed
from jvmwire.errors import MissingExtra

try:
    import jvmwire.pravega.streams
except MissingExtra as error:
    print(error)
"""


@pytest.mark.parametrize(("module", "package"), [("grpc", "grpcio"), ("google", "protobuf")])
def test_a_package_that_streams_lack_is_named_as_pip_knows_it(module: str, package: str) -> None:
    said = subprocess.run(
        [sys.executable, "-c", WITHOUT, module], capture_output=True, text=True, check=True
    )
    assert said.stdout == f"Pravega's streams need {package}: pip install 'jvmwire[pravega]'\n"
