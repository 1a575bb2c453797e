"""A JVM that says what Hadoop's own client makes of paths, patterns, settings and errors."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from .hadoop import program
from .peer import Peer


class ClientJudge(Peer):
    """Classes of the Java client, asked by JSON."""

    def __init__(self, directory: Path, environment: Mapping[str, str] | None = None) -> None:
        judge = program("ClientJudge", directory=directory)
        super().__init__(
            replace(judge, environment=dict(judge.environment) | dict(environment or {}))
        )

    def says(self, question: str, **asked: Any) -> Any:
        """Return the answer of Java; None where it refuses the question."""
        line = self.ask(json.dumps({"ask": question, **asked}), start="= ")
        return json.loads(line[2:]).get("is")
