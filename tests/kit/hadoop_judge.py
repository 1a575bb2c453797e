"""JVM that interprets paths, patterns, settings and errors with Hadoop's own client."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from jvmwire._core import HADOOP_TEXT, VINT
from jvmwire.hadoop.sasl import Token
from jvmwire.hadoop.sasl._token import MAGIC

from .hadoop import program
from .peer import Peer


class ClientJudge(Peer):
    """Classes of the Java client, called through JSON."""

    def __init__(self, directory: Path, environment: Mapping[str, str] | None = None) -> None:
        judge = program("ClientJudge", directory=directory)
        super().__init__(
            replace(judge, environment=dict(judge.environment) | dict(environment or {}))
        )

    def says(self, question: str, **asked: Any) -> Any:
        """Return the answer of Java, or None where Java refuses the question."""
        line = self.ask(json.dumps({"ask": question, **asked}), start="= ")
        return json.loads(line[2:]).get("is")


def written_tokens(*tokens: Token) -> bytes:
    """Return a token file as `Credentials.writeTokenStorageFile` writes it for Writables."""
    parts = []
    for token in tokens:
        parts.append(HADOOP_TEXT.encode(token.service))
        for part in (token.identifier, token.password):
            parts += [VINT.encode(len(part)), part]
        parts += [HADOOP_TEXT.encode(token.kind), HADOOP_TEXT.encode(token.service)]
    return MAGIC + b"\0" + VINT.encode(len(tokens)) + b"".join(parts) + b"\0"
