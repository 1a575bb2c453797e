"""The command `jvmwire`."""

from __future__ import annotations

import sys

import click

from jvmwire import __version__
from jvmwire.cli.decode import decode
from jvmwire.cli.demo import demo
from jvmwire.cli.hadoop import hadoop
from jvmwire.cli.hama import hama
from jvmwire.cli.hazelcast import hazelcast
from jvmwire.cli.pravega import pravega
from jvmwire.cli.report import report
from jvmwire.cli.spark import spark
from jvmwire.errors import JvmWireError

__all__ = ["cli", "main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="jvmwire")
def cli() -> None:
    """Decode and analyse the wire traffic of the JVM data stack."""


cli.add_command(decode)
cli.add_command(report)
cli.add_command(demo)
cli.add_command(spark)
cli.add_command(hadoop)
cli.add_command(hazelcast)
cli.add_command(pravega)
cli.add_command(hama)


def main() -> None:
    """Run the command; say in one sentence why it could not be carried out, and exit with 2."""
    try:
        cli()
    except BrokenPipeError:
        # The reader of our output has seen enough, as `head` does.
        sys.stderr.close()
        sys.exit(1)
    except (JvmWireError, OSError) as error:
        click.echo(f"jvmwire: {error}", err=True)
        sys.exit(2)
