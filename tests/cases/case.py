"""Reading case files: Markdown in which each case is a heading, a raw HTTP request, and what must come of it.

## Found: a user name and a password
```http
GET /orders HTTP/1.1
Authorization: Basic dXNlcjpwYXNz
```
- basic valid header/AUTHORIZATION
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gatecrash.core.message import Request

HERE = Path(__file__).parent
KINDS = ("Found", "Not found", "Known miss")
_HEADING = re.compile(r"^## (Found|Not found|Known miss): (.+)$", re.MULTILINE)
_BLOCK = re.compile(r"```http\n(.*?)```\n?(.*)", re.DOTALL)


@dataclass(frozen=True)
class Case:
    """One case: its kind, its title, the request, and the lines that begin with a dash."""

    file: str
    kind: str
    title: str
    request: Request
    expected: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}: {self.kind}: {self.title}"


@cache
def cases_of(folder: str) -> tuple[Case, ...]:
    """Every case of every file in a folder, in order; read once, for dozens of modules ask for those of one file."""
    return tuple(case for path in sorted((HERE / folder).glob("*.md")) for case in _cases(path))


def _cases(path: Path) -> list[Case]:
    parts = _HEADING.split(path.read_text(encoding="utf-8"))[1:]
    return [
        _case(path.stem, kind, title, text)
        for kind, title, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    ]


def _case(file: str, kind: str, title: str, text: str) -> Case:
    block = _BLOCK.search(text)
    assert block, f"{file}: {title}: no http block"
    expected = tuple(line[2:].strip() for line in block[2].splitlines() if line.startswith("- "))
    return Case(file, kind, title, parse_request(block[1]), expected)


def parse_request(text: str) -> Request:
    """A request from its raw text; Host gives host and port, Content-Length is not needed."""
    head, _, body = text.partition("\n\n")
    first, *lines = head.splitlines()
    method, target, version = first.split(" ")
    pairs = tuple((name.encode(), value.strip().encode()) for name, _, value in (line.partition(":") for line in lines))
    host = next((value.decode() for name, value in pairs if name.lower() == b"host"), "api.example.com")
    name, _, port = host.partition(":")
    return Request(
        method=method,
        target=target.encode(),
        headers=pairs,
        body=body.rstrip("\n").encode(),
        host=name,
        port=int(port or 80),
        version=version.removeprefix("HTTP/"),
    )
