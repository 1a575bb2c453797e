"""The end of a component: everything that Storm gave it before is answered."""

import io
import json
import os
import time
from pathlib import Path

import pytest

from jvmwire._runtime.session import State
from jvmwire.storm import Bolt, Tuple
from jvmwire.storm._runner import ComponentRunner
from jvmwire.transports._pipes import PipeTransport
from kit.storm_transcript import END, messages, said

COUNT = 20


class Late(Bolt):
    """Component that decides when nothing more is to come."""

    def process(self, tup: Tuple) -> None:
        deadline = time.monotonic() + 60
        while self._storm_session.state is not State.CLOSED:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        if tup.values[0] % 2:
            raise ValueError("odd")


def answers(pid_dir: Path, then: bytes) -> list[dict[str, object]]:
    """Return the replies of `Late` to tuples, something else, and the end of input."""
    context = {"taskid": 3, "task->component": {"3": "late"}}
    given: list[dict[str, object]] = [{"conf": {}, "pidDir": str(pid_dir), "context": context}]
    for number in range(COUNT):
        about = {"comp": "c", "stream": "default", "task": 1, "tuple": [number]}
        given.append({"id": str(number), **about})
    (to_read, to_component), (to_storm, to_write) = os.pipe(), os.pipe()
    with io.FileIO(to_component, "wb") as storm:
        storm.write(b"".join(json.dumps(one).encode() + END for one in given) + then)
    component = PipeTransport(io.FileIO(to_read, "rb"), io.FileIO(to_write, "wb"))
    ComponentRunner(component, Late).run()
    component.close()
    with io.FileIO(to_storm, "rb") as storm:
        return [said(message) for message in messages(storm.readall())]


@pytest.mark.parametrize("then", [b"", b"no json" + END])
def test_what_was_given_before_the_end_is_answered_after_it(tmp_path, then):
    said_of = {
        command: [one["id"] for one in answers(tmp_path, then) if one.get("command") == command]
        for command in ("ack", "fail")
    }
    assert said_of == {
        "ack": [str(number) for number in range(0, COUNT, 2)],
        "fail": [str(number) for number in range(1, COUNT, 2)],
    }
