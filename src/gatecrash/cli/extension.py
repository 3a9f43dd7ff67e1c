"""`gatecrash extension`: tests of a user's own, as YAML files (docs/extensions.md)."""

import sys
from pathlib import Path
from typing import Any

import click

from gatecrash.cli.options import json_option
from gatecrash.cli.output import document, printable
from gatecrash.cli.policy_file import extension_text
from gatecrash.cli.shape import Group
from gatecrash.core.testing.extensions.document import read
from gatecrash.core.testing.extensions.extension import Extension
from gatecrash.core.testing.extensions.nodes import Mistake


@click.group(cls=Group, epilog="gatecrash extension check host-header.yaml")
def command() -> None:
    """Check extensions: YAML files with the phases collect, match, modify, generate, send and detect.

    A policy picks them: `extensions: [host-header.yaml]` in its file, taken from beside it.
    """


@command.command("check", epilog="gatecrash extension check *.yaml")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@json_option
def check(files: tuple[Path, ...], as_json: bool) -> None:
    """Say of each file what it tests, or every mistake with its line and field. Ends with 1 where there is one."""
    checked = [(file, *read(file.name, extension_text(file))) for file in files]
    if as_json:
        document({"extensions": [_shown(*one) for one in checked]})
    else:
        for file, extension, mistakes in checked:
            click.echo(printable(_lines(file, extension, mistakes)))
    sys.exit(1 if any(mistakes for _, _, mistakes in checked) else 0)


def _shown(file: Path, extension: Extension | None, mistakes: list[Mistake]) -> dict[str, Any]:
    told = extension.told if extension else None
    return {
        "file": str(file),
        "ok": extension is not None,
        "title": told.title if told else None,
        "type": told.type if told else None,
        "mistakes": [mistake._asdict() for mistake in mistakes],
    }


def _lines(file: Path, extension: Extension | None, mistakes: list[Mistake]) -> str:
    """As compilers write it, so that editors find the place."""
    if extension is not None:
        return f"{file}: fine: {extension.told.title} ({extension.told.type}, threat {extension.told.threat})"
    places = (f"{file}:{each.line}: {each.field + ': ' if each.field else ''}{each.message}" for each in mistakes)
    return "\n".join(places)
