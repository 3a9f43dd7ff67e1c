"""`gatecrash`: the ordered table of sub-commands and the way into them.

Nothing heavy is imported here: a sub-command's module is loaded when it is run or asked for its help, so that
`gatecrash --help` and shell completion answer at once.
"""

import errno
import importlib
from typing import Any

import click

from gatecrash import __version__
from gatecrash.cli.shape import Group
from gatecrash.core.errors import GatecrashError, TargetError, UserError

# name → what `gatecrash --help` says; the module is the name with `_` for `-`, its command is called `command`.
COMMANDS = {
    "up": "Run the whole service on this machine: API, worker, node, SQLite.",
    "demo": "Show detection and tests on a small vulnerable demo API.",
    "node": "Run a node on its own: proxy, recorder, tester.",
    "worker": "Run a background worker of the service.",
    "observe": "Show how the endpoints of captured traffic authenticate, without a service.",
    "scan": "Test the API behind captured traffic or a description, without a service.",
    "endpoints": "The inventory: every endpoint, how it authenticates and for how much of its traffic.",
    "auth-params": "The parameters that count as authentication.",
    "run": "Test runs: create, copy, watch, steer.",
    "record": "Test records: the recorded baseline requests.",
    "policy": "Test policies: what a run may look for, and where.",
    "auth-profile": "Auth profiles: how test runs sign in; stored encrypted, never shown again.",
    "extension": "Extensions: check tests of your own before a policy uses them.",
    "schedule": "Schedules: test runs that begin again by themselves.",
    "webhook": "Webhooks: addresses that are told what happened.",
    "ci": "Record, test and report in a pipeline, by environment variables.",
    "vuln": "Vulnerabilities that were found, with their proof.",
    "client": "Clients (tenants) of this installation.",
    "user": "User accounts of this installation.",
    "token": "API tokens of this installation.",
    "key": "Encryption keys of this installation.",
    "db": "The database of this installation.",
    "backup": "Write this installation into one file, while it runs.",
    "restore": "Restore an installation from its backup.",
    "check": "Verify an installation and say what is wrong.",
    "completion": "Print the completion script of a shell.",
}

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 110, "auto_envvar_prefix": None}


# No space left, or the quota is used up; Python names no file where a write fails.
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


class Failed(click.ClickException):
    """Something raised on purpose below the command line, with the exit code that its type asks for."""

    def __init__(self, error: GatecrashError) -> None:
        super().__init__(str(error))
        self.error = error

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # a class attribute in click
        """Whose fault it is, as a number."""
        return 2 if isinstance(self.error, UserError) else 3 if isinstance(self.error, TargetError) else 1


class Commands(Group):
    """The sub-commands of the table, in its order, each loaded when needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Load one sub-command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"gatecrash.cli.{cmd_name.replace('-', '_')}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the list of sub-commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()), col_max=20)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the sub-command; for a mistyped name, offer the nearest."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            if not near or args[0].startswith("-"):
                raise
            raise click.UsageError(f"{error.message} Did you mean {near[0]!r}?", ctx) from error

    def invoke(self, ctx: click.Context) -> Any:
        """Run the sub-command; an interruption by the user ends with 130, as shells expect."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            ctx.exit(130)
        except GatecrashError as error:
            raise Failed(error) from error
        except OSError as error:
            # A closed pipe is click's to end quietly; what names no file is no mistake of the user's but one of ours.
            if isinstance(error, BrokenPipeError) or not (error.filename or error.errno in _FULL):
                raise
            place = f"{error.filename}: " if error.filename else ""
            raise Failed(UserError(f"{place}{error.strerror}.")) from error


@click.command(
    cls=Commands,
    context_settings=CONTEXT,
    epilog="""
    gatecrash demo
    gatecrash up --upstream http://127.0.0.1:3000
    gatecrash run wait tr_9f2c41
    """,
)
@click.version_option(__version__, prog_name="gatecrash")
def main() -> None:
    """Find the HTTP endpoints that nobody guards, and prove it.

    Settings come from options, then GATECRASH_API, GATECRASH_TOKEN and GATECRASH_CLIENT, then
    ~/.config/gatecrash/config.toml, then what `gatecrash up` on this machine wrote for its owner.

    Exit codes: 0 done, 1 vulnerabilities found or the run did not pass, 2 wrong usage, 3 service or target not reached,
    4 refused by the service, 130 interrupted.
    """
