"""Imports without `select.poll` fail with a clear error: Windows, and eventlet's patching."""

import subprocess
import sys

import pytest

from jvmwire._lazy import lazy_exports

WITHOUT = "import select; del select.poll; "


@pytest.mark.parametrize(
    "statement",
    [
        "from jvmwire.hazelcast import HazelcastClient",
        "from jvmwire.transports import Tcp",
        "import jvmwire.pravega",
    ],
)
def test_the_cause_is_named(statement: str) -> None:
    """hazelcast-python-client#205: eventlet patches the standard library."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT + statement], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "ImportError: jvmwire needs select.poll" in done.stderr.splitlines()[-1]
    assert "eventlet.monkey_patch()" in done.stderr.splitlines()[-1]


def test_what_a_lazy_module_fails_by_is_not_hidden(tmp_path, monkeypatch) -> None:
    (tmp_path / "lazily").mkdir()
    (tmp_path / "lazily" / "__init__.py").touch()
    (tmp_path / "lazily" / "broken.py").write_text("import select\nselect.no_such_call()\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ImportError, match="cannot be loaded: module 'select' has no attribute"):
        lazy_exports("lazily", Broken="broken")("Broken")
