"""`make serve`: a real server until Ctrl-C, which leaves no process."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from kit.command import jvmwire
from kit.environment import PYTHONPATH
from kit.polling import eventually
from kit.processes import in_session

TIMEOUT = 60.0


def test_a_member_serves_until_ctrl_c(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "kit.serve", "hazelcast"],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": PYTHONPATH, "TMPDIR": str(tmp_path)},
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        told = [process.stdout.readline().strip() for _ in range(4)]
        assert told[3] == "Ctrl-C ends"
        put = told[1].split()
        assert put[:3] == ["jvmwire", "hazelcast", "put"]
        jvmwire(*put[1:])
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        assert process.wait(TIMEOUT) == 0
        eventually(lambda: not in_session(process.pid))
        assert list(tmp_path.iterdir()) == []
