"""Option for Spark's settings, in the form of spark-submit."""

from __future__ import annotations

import click


def _parsed(
    _context: click.Context, _option: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    settings = dict(value.partition("=")[::2] for value in values)
    for key, value in settings.items():
        if not key.startswith("spark.") or not value:
            raise click.BadParameter(f"{key!r} is no setting: it looks like spark.NAME=VALUE")
    return settings


settings_option = click.option(
    "--conf",
    "settings",
    metavar="KEY=VALUE",
    multiple=True,
    callback=_parsed,
    help="A setting of Spark; may be given again.",
)
"""The option `--conf KEY=VALUE`, as a dict `settings`."""
