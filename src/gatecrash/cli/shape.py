"""The look of every sub-command's help: click's, with the examples written as they are to be typed."""

import click

# Characters of a command's first sentence in the list of its group: enough for all of any; click's own 45 cut most.
WHOLE = 400


class Command(click.Command):
    """A command whose epilog is shown verbatim as examples, one a line."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the examples."""
        write_examples(self.epilog, formatter)


class Group(click.Group):
    """A group of such commands, in the order in which they were added."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names in their order."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands, each with the whole first sentence of its help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(WHOLE)) for name, one in self.commands.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the examples."""
        write_examples(self.epilog, formatter)


def write_examples(lines: str | None, formatter: click.HelpFormatter) -> None:
    """Write the lines below a heading, unwrapped."""
    if not lines:
        return
    listed = [line.strip() for line in lines.strip().splitlines()]
    formatter.write_paragraph()
    formatter.write("Example:\n" if len(listed) == 1 else "Examples:\n")
    formatter.write("".join(f"  {line}".rstrip() + "\n" for line in listed))
