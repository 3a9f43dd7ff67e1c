"""`gatecrash completion`: the script that teaches a shell our sub-commands and options."""

import click
from click.shell_completion import get_completion_class

from gatecrash.cli.shape import Command


@click.command(
    cls=Command,
    epilog="""
    eval "$(gatecrash completion bash)"
    gatecrash completion fish > ~/.config/fish/completions/gatecrash.fish
    """,
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell."""
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.find_root().command, {}, "gatecrash", "_GATECRASH_COMPLETE").source())
