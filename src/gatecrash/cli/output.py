"""What goes to which stream: documents and tables to standard output, messages to standard error.

Tables are drawn on a terminal; elsewhere they are plain columns that `grep` and `awk` can read. Colours follow the
terminal and NO_COLOR. What draws them is loaded where there is something to draw: a third of what a small command loads.
"""

import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click
import orjson

if TYPE_CHECKING:
    from rich.text import Text

COLOURS = {
    "consistent": "green",
    "passed": "green",
    "partial": "yellow",
    "paused": "yellow",
    "interrupted": "yellow",
    "missing": "red",
    "failed": "red",
    "error": "red",
    "running": "cyan",
    "cloning": "cyan",
}


def document(value: Any) -> None:
    """Write one JSON document to standard output."""
    _wait_for_readers(sys.stdout)
    click.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())


def _wait_for_readers(stream: Any) -> None:
    """Write on only as fast as a pipe is read. Node.js makes every pipe that it is started with non-blocking, and so for all
    programs that share it; what is written beyond a full pipe (64 KiB on Linux) would be lost.
    """
    import os

    # A stream that is closed or has no file behind it needs none of it.
    with suppress(AttributeError, ValueError, OSError):
        os.set_blocking(stream.fileno(), True)


def say(text: str, *, colour: str | None = None) -> None:
    """Write a message for people to standard error."""
    shown = click.style(text, fg=colour) if colour and coloured(sys.stderr) else text
    click.echo(shown, err=True)


def warn(text: str) -> None:
    """Write a warning to standard error."""
    say(f"Warning: {text}", colour="yellow")


def coloured(stream: Any) -> bool:
    """Whether colours may be used on the stream (https://no-color.org)."""
    import os

    return is_terminal(stream) and not os.environ.get("NO_COLOR")


def is_terminal(stream: Any) -> bool:
    """Whether a person looks at it. A stream that was closed before the start is None."""
    return stream is not None and bool(stream.isatty())


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, empty: str) -> None:
    """Write a table. empty: what to say on standard error where there are no rows."""
    cells = [[text(value) for value in row] for row in rows]
    if not cells:
        say(empty)
        return
    if not is_terminal(sys.stdout):
        _plain(columns, cells)
    else:
        _drawn(columns, cells)


def _drawn(columns: Sequence[str], cells: list[list[str]]) -> None:
    """A table on a terminal, or a sentence for each row where it is too narrow."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    console = Console(color_system="auto" if coloured(sys.stdout) else None)
    if _width(columns, cells) > console.width:
        for row in cells:
            console.print(Text(row[0], style="bold"))
            console.print(Padding(_described(columns[1:], row[1:]), (0, 0, 0, 2)))
        return
    drawn = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        drawn.add_column(column, overflow="fold")
    for row in cells:
        drawn.add_row(*(Text(cell, style=COLOURS.get(cell.lower(), "")) for cell in row))
    console.print(drawn)


def _width(columns: Sequence[str], cells: list[list[str]]) -> int:
    """What a table takes, two blanks between its columns."""
    return sum(max(map(len, column)) + 2 for column in zip(columns, *cells, strict=True)) - 2


def _described(columns: Sequence[str], row: Sequence[str]) -> "Text":
    """A row as a sentence for narrow terminals: folded columns cut identifiers into pieces that nobody can copy."""
    from rich.text import Text

    told = Text()
    for name, cell in zip(columns, row, strict=True):
        if cell not in ("", "-"):
            told.append(" · " if told else "").append(f"{name} " if name else "", style="dim")
            told.append(cell, style=COLOURS.get(cell.lower(), ""))
    return told


def facts(pairs: Iterable[tuple[str, object]]) -> None:
    """Write names and values, one a line, the values in one column."""
    listed = [(name, text(value)) for name, value in pairs]
    width = max((len(name) for name, _ in listed), default=0)
    for name, value in listed:
        lines = value.splitlines() or [""]
        click.echo(f"{name:<{width}}  {lines[0]}".rstrip())
        for line in lines[1:]:
            click.echo(f"{'':<{width}}  {line}".rstrip())


def text(value: object) -> str:
    """A value as people read it."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}" if value == round(value, 2) else f"{value:.2f}"
    if isinstance(value, list | tuple):
        return ", ".join(text(one) for one in value) or "-"
    if isinstance(value, dict):
        return orjson.dumps(value).decode()
    return printable(str(value))


def printable(value: str) -> str:
    """A text without the control characters that would steer a terminal: what a target sent is shown, not obeyed."""
    lines = value.replace("\r\n", "\n")  # HTTP's line ends are line ends
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in lines)


def moment(seconds: object) -> str:
    """A UNIX time in local time, to the second."""
    if not isinstance(seconds, int | float):
        return "-"
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


def span(seconds: float) -> str:
    """A duration in words short enough for a progress line."""
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def _plain(columns: Sequence[str], cells: list[list[str]]) -> None:
    widths = [max(len(row[index]) for row in [list(columns), *cells]) for index in range(len(columns))]
    for row in [[column.upper() for column in columns], *cells]:
        padded = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(padded).rstrip())
