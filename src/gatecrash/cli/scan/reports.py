"""The reports that a scan was asked for: `--report FORMAT=FILE`."""

from collections.abc import Iterable
from pathlib import Path

import click

from gatecrash.cli.output import warn
from gatecrash.cli.written import refuse_unwritable, save
from gatecrash.core.errors import UserError
from gatecrash.core.reports.formats import FORMATS
from gatecrash.core.reports.report import Report


def wanted_reports(given: Iterable[str]) -> list[tuple[str, Path]]:
    """Format and file of each. Raises UsageError, and UserError for a file that cannot be written."""
    paths = []
    for text in given:
        kind, equals, name = text.partition("=")
        if not equals or not name or kind not in FORMATS:
            raise click.UsageError(f"--report {text}: write FORMAT=FILE with one of {', '.join(FORMATS)}.")
        refuse_unwritable(Path(name))
        paths.append((kind, Path(name)))
    return paths


def unwritten(report: Report, wanted: Iterable[tuple[str, Path]]) -> list[Path]:
    """Write each; those that could not be. What was found is shown in any case."""
    return [path for kind, path in wanted if not _written(path, FORMATS[kind].render(report))]


def _written(path: Path, content: bytes) -> bool:
    try:
        save(path, content)
    except UserError as error:
        warn(str(error))
        return False
    return True
