"""Examples are shown as they are to be typed."""

import click
from click.testing import CliRunner

from gatecrash.cli.shape import Command, Group

LONG = "gatecrash something --with " + " ".join(f"--option-{number} value" for number in range(12))


def test_an_example_is_never_wrapped() -> None:
    command = Command("c", epilog=f"\n    {LONG}\n    second\n    ", callback=lambda: None)
    output = CliRunner().invoke(command, ["--help"]).output
    assert f"Examples:\n  {LONG}\n  second\n" in output


def test_one_example_has_a_heading_of_its_own_number() -> None:
    assert "Example:\n  first\n" in CliRunner().invoke(Command("c", epilog="first"), ["--help"]).output
    assert "Example" not in CliRunner().invoke(Command("c"), ["--help"]).output


def test_a_group_keeps_the_order_of_its_commands() -> None:
    group = Group("g", commands=[click.Command("zebra"), click.Command("ant")])
    assert group.list_commands(click.Context(group)) == ["zebra", "ant"]


def test_a_group_lists_its_commands_with_whole_sentences() -> None:
    sentence = (
        "Import captured traffic, a description or requests as text into a new record, or into one that is named."
    )
    group = Group("g", commands=[Command("import", help=f"{sentence}\n\nMore."), Command("list", help="List them.")])
    output = CliRunner().invoke(group, ["--help"]).output
    assert sentence in " ".join(output.split())
    assert "More" not in output
