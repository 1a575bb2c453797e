"""Options of `jvmwire pravega` that do not go together."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from jvmwire._cli import cli


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["append", "--key", "k"], "--key is of streams"),
        (["cat", "--stream", "--offset", "8"], "--offset and --raw are of segments"),
        (["cat", "--stream", "--raw"], "--offset and --raw are of segments"),
        (["tail", "--stream", "--offset", "0"], "--offset is of segments"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(arguments: list[str], said: str) -> None:
    refused = CliRunner().invoke(
        cli, ["pravega", *arguments, "--server", "localhost:1", "scope/name"]
    )
    assert refused.exit_code == 2
    assert said in refused.output
