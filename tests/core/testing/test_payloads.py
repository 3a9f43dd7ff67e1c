"""No payload makes a shell create or empty a file, wherever in a command line its value stands: `>name` would.

The texts of all modules of payloads are run by real shells that find no programs, in an empty folder.
"""

import importlib
import pkgutil
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from gatecrash.core.testing import payloads
from gatecrash.core.testing.oracles.pages.reflection import ATTRIBUTE, COMMENTED, RAW_TEXT, TEXT, URL, Place
from gatecrash.core.testing.payloads.rce import CALLING_WINDOWS, FOR_WINDOWS, Numbers, fill, fill_call
from gatecrash.core.testing.payloads.xss import CUT, REFUSED, WHOLE, past_filters, payloads_for

LINES = (
    *("echo @", "echo @ x", "echo x@y", "echo @|cat", "echo @ 2>&1", "@", "(echo @ x)", "echo `echo @`"),
    *("echo '@'", "echo '@' x", "echo 'x@y'", "echo '@' 2>&1", "echo `echo '@'`"),
    *('echo "@"', 'echo "@" x', 'echo "x@y"', 'echo "@" 2>&1', 'echo "`echo @`"'),
)
PLACES = [
    Place(kind, quote, "title") for kind in (TEXT, RAW_TEXT, COMMENTED, ATTRIBUTE, URL) for quote in ("", "'", '"')
]
# A line that no shell can read ends its subshell alone.
EACH = 'for line; do (eval "$line"); done; wait'
_FIELD = re.compile(r"\{\{|\}\}|\{(\w*)\}")
_NUMBERS = ("left", "right", "length", "seconds", "units", "steps", "number", "task", "port")


def texts(held: object, seen: set[int]) -> Iterator[str]:
    """The texts that a value holds, at any depth."""
    if isinstance(held, str):
        yield held
    elif isinstance(held, dict):
        yield from texts(tuple(held.values()), seen)
    elif isinstance(held, tuple | list | set | frozenset) and id(held) not in seen:
        seen.add(id(held))
        for each in held:
            yield from texts(each, seen)


def filled(pattern: str) -> str:
    """The pattern with something in each of its fields."""

    def put(field: re.Match[str]) -> str:
        if field[1] is None:
            return field[0][0]
        return {"value": "tea", "call": "qxz()", "same": "aa"}.get(field[1], "7" if field[1] in _NUMBERS else "qxz")

    return _FIELD.sub(put, pattern)


def redirecting() -> list[str]:
    """Every text of the payloads in which a shell may see a redirect."""
    found: dict[str, None] = {}
    for module in pkgutil.iter_modules(payloads.__path__):
        held = vars(importlib.import_module(f"{payloads.__name__}.{module.name}"))
        constants = tuple(value for name, value in held.items() if not name.startswith("__"))
        found |= dict.fromkeys(texts(constants, set()))
    found |= {fill(way, "tea", Numbers("bcd", 7, 8, "fgh"), 1): None for way in FOR_WINDOWS}
    found[fill_call(CALLING_WINDOWS, "tea", 7, 8, "http://127.0.0.1:9/x")] = None
    for place in PLACES:
        found |= dict.fromkeys(payloads_for(place))
        for shown in (WHOLE, CUT, REFUSED):
            found |= dict.fromkeys("".join(group) for group in past_filters(place, shown))
    return [filled(text) for text in found if ">" in text]


def created(lines: list[str], folder: Path) -> list[str]:
    """The files that these lines create."""
    folder.mkdir(exist_ok=True)
    subprocess.run(
        ["/bin/sh", "-c", EACH, "sh", *lines],
        cwd=folder,
        env={"PATH": str(folder / "none")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    return sorted(path.name for path in folder.iterdir())


def test_no_payload_makes_a_shell_create_a_file(tmp_path: Path) -> None:
    tried = redirecting()
    assert len(tried) > 30
    assert created([line.replace("@", text) for text in tried for line in LINES], tmp_path / "empty") == []


def test_one_that_does_would_be_seen(tmp_path: Path) -> None:
    for text in ("tea<>", "tea%>qxz<%= 7 %>", "tea\"}' AND 7=7 AND 'aa'<>'qxz", "tea>qxz"):
        lines = [line.replace("@", text) for line in LINES]
        assert created(lines, tmp_path / "seen") != [], text
        shutil.rmtree(tmp_path / "seen")
