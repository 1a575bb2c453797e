"""Groups of commands, which suggest a name for a mistyped one."""

from __future__ import annotations

import click

from jvmwire._checks import suggestion
from jvmwire._cli.exit_status import OF_SERVER_COMMANDS
from jvmwire._escaping import quote


class CommandGroup(click.Group):
    """Group of commands that suggests a name for a mistyped one."""

    group_class = type

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first argument names.

        Args:
            ctx: Context of the group.
            args: Arguments, of which the first is the name.

        Returns:
            The name, the command, and the other arguments.

        Raises:
            click.UsageError: there is no such command.
        """
        name = args[0]
        is_option = name.startswith("-")
        if not is_option and not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            hint = suggestion(name, self.list_commands(ctx)) or "."
            ctx.fail(f"No such command {quote(name)}{hint}")
        return super().resolve_command(ctx, args)


class ServerGroup(CommandGroup):
    """Group of commands that call servers; their help ends with the exit statuses."""

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command to the group.

        Args:
            cmd: The command.
            name: Its name. Default: that of the command.
        """
        if cmd.epilog is None and not isinstance(cmd, click.Group):
            cmd.epilog = OF_SERVER_COMMANDS
        super().add_command(cmd, name)
