"""What the documents link to is there, files and headings within them, and so are the commands and options that they name."""

import re
from pathlib import Path
from urllib.parse import unquote

import click
import pytest

from gatecrash.cli.main import main

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/**/*.md")])
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+)\)")
COMMAND = re.compile(r"(?<![\w/.-])(?:\.venv/bin/)?gatecrash ([a-z][\w-]*[^`\n#|&>]*)")


def headings(page: Path) -> set[str]:
    """The anchors that a page's headings are given on the web: small letters, no signs, blanks as hyphens."""
    titles = re.findall(r"^#+ (.+)$", FENCED.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(FENCED.sub("", page.read_text("utf-8"))):
        if "://" in link or link.startswith("mailto:"):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / unquote(name)).resolve() if name else page
        assert target.exists(), f"{link}: no such file"
        assert not anchor or anchor in headings(target), f"{link}: no such heading"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_has_the_options_that_it_is_given(page: Path) -> None:
    for told in COMMAND.findall(page.read_text("utf-8")):
        command, words = called(told.split())
        known = {name for each in command.params for name in (*each.opts, *each.secondary_opts)} | {"--help"}
        given = [word.rstrip(".,;:)").partition("=")[0] for word in words if word.startswith("--")]
        assert command is main or set(given) <= known, f"gatecrash {told}"


def called(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command that these words call, and what it is given; of words that call none, as in a sentence, the whole program."""
    command: click.Command = main
    for place, word in enumerate(words):
        within = command.get_command(click.Context(command), word) if isinstance(command, click.Group) else None
        if within is None:
            return command, words[place:]
        command = within
    return command, []
