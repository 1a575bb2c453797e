"""Commands `jvmwire hadoop call|ping`, which call any method of any service."""

from __future__ import annotations

import time
from typing import Any

import click
import orjson

from jvmwire._checks import suggestion
from jvmwire._cli.hadoop.connection_options import Target, target_options
from jvmwire._cli.server_options import count_option, json_option
from jvmwire._cli.tabular import echo_safe, write_json
from jvmwire._escaping import quote
from jvmwire.errors import ConfigError, ServerError


@click.command()
@click.argument("method", required=False)
@click.argument("fields", metavar="[JSON]", default="{}")
@click.option(
    "--protocol",
    metavar="NAME",
    default="ClientProtocol",
    show_default=True,
    help="On the wire, or the end of it, as HAServiceProtocol.",
)
@click.option("--list", "listed", is_flag=True, help="Name the protocol's methods instead.")
@click.option("--protocols", is_flag=True, help="Name the protocols instead.")
@click.option(
    "--show-secrets", is_flag=True, help='Print passwords, tokens and keys, not "(hidden)".'
)
@target_options
def call(
    method: str | None,
    fields: str,
    *,
    protocol: str,
    listed: bool,
    protocols: bool,
    show_secrets: bool,
    target: Target,
) -> None:
    """Call a method of a service, and print its answer.

    JSON has the fields of the request, and the answer is printed as JSON:

    jvmwire hadoop call getFileInfo '{"src": "/"}' --server namenode:8020

    Fields are named in snake_case; bytes are {"base64": "..."}. Passwords, tokens and keys in the
    answer are "(hidden)" unless --show-secrets is given.
    """
    from jvmwire._core import hadoop_methods, hadoop_protocols

    if protocols:
        for name in hadoop_protocols():
            echo_safe(name)
        return
    protocol = _protocol(protocol)
    if listed:
        for known in hadoop_methods(protocol):
            echo_safe(f"{known.name}  {known.request} -> {known.response}")
        return
    if method is None:
        raise click.UsageError("the argument METHOD is missing")
    methods = [known.name for known in hadoop_methods(protocol)]
    if method not in methods:
        similar = suggestion(method, methods) or ": jvmwire hadoop call --list names the methods"
        raise ConfigError(f"{protocol} has no method {quote(method)}{similar}")
    try:
        given = orjson.loads(fields)
    except orjson.JSONDecodeError as error:
        raise ConfigError(f"the fields of the request are not valid JSON: {error}") from None
    if not isinstance(given, dict):
        # Without the text: it may contain a token.
        raise ConfigError("the fields of the request must be a JSON object")
    try:
        with target.service(protocol) as service:
            answer = service.call(method, _bytes(given))
        write_json([dict(answer) if show_secrets else answer.shown()])
    except (ConfigError, ServerError):
        raise
    except (ValueError, TypeError) as error:  # errors about the names and values of fields
        raise ConfigError(f"{method}: {error}") from error


def _protocol(name: str) -> str:
    from jvmwire._core import hadoop_protocols

    known = hadoop_protocols()
    if name in known:
        return name
    ends = [one for one in known if one.rpartition(".")[2] in (name, f"{name}PB")]
    if len(ends) != 1:
        short = [one.rpartition(".")[2].removesuffix("PB") for one in known]
        similar = suggestion(name.rpartition(".")[2], short)
        raise ConfigError(
            f"there is no protocol {quote(name)}{similar or ': jvmwire hadoop call --protocols'}"
        )
    return ends[0]


def _bytes(value: Any) -> Any:
    match value:
        case {"base64": str(text)} if len(value) == 1:
            import base64

            return base64.b64decode(text, validate=True)
        case dict():
            return {name: _bytes(inner) for name, inner in value.items()}
        case list():
            return [_bytes(inner) for inner in value]
        case other:
            return other


@click.command()
@count_option
@target_options
@json_option
def ping(*, count: int, target: Target, as_json: bool) -> None:
    """Say how long a NameNode takes to tell what / is."""
    import statistics

    with target.namenode(None) as namenode:
        begun = time.perf_counter()
        namenode.get_file_info("/")  # of several servers, the first that answers
        connected = 1e3 * (time.perf_counter() - begun)
        if not as_json:
            echo_safe(f"connected and answered in {connected:.2f} ms")
        times = []
        for _ in range(count):
            begun = time.perf_counter()
            namenode.get_file_info("/")
            times.append(1e3 * (time.perf_counter() - begun))
            if as_json:
                write_json([{"milliseconds": times[-1]}])
            else:
                echo_safe(f"answered in {times[-1]:.2f} ms")
    if not as_json:
        echo_safe(
            f"{count} calls: {min(times):.2f} ms at least, {statistics.median(times):.2f} ms in "
            f"the middle, {max(times):.2f} ms at most"
        )
