"""Points as rows of a form: which kind of place, and the name there as a regular expression."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

_ESCAPE_OR_LETTERS = re.compile(r"\\.|\(\?[^:=!>)]*[:=!>)]|[a-z]+", re.DOTALL)


class Kind(NamedTuple):
    """A kind of place. steps: before the name. named: whether a name follows. hint: an example of one."""

    name: str
    words: str
    steps: tuple[str, ...]
    named: bool = True
    hint: str = ""


KINDS = (
    Kind("get", "Query parameter", ("get",), hint="q|search"),
    Kind("json", "JSON field", ("post", "json_doc", "json_obj"), hint="note"),
    Kind("form", "Form field", ("post", "form_urlencoded"), hint="comment.*"),
    Kind("multipart", "Multipart field", ("post", "multipart"), hint="file"),
    Kind("header", "Header", ("header",), hint="X-TRACE-.*"),
    Kind("cookie", "Cookie", ("header", "COOKIE", "cookie"), hint="theme"),
    Kind("path", "Path segment", ("path",), hint="0 is the first"),
    Kind("body", "The whole body", ("post",), named=False),
    Kind("uri", "The whole address", ("uri",), named=False),
    Kind("steps", "Step by step", (), hint='["post", "json_doc", ".*", "id"]'),
)
BY_NAME = {kind.name: kind for kind in KINDS}
MOST_ROWS = 200


class Row(NamedTuple):
    """One row as it is shown. kind: a name of KINDS. wrong: whether this is the row that was refused."""

    kind: str
    text: str
    wrong: bool = False


def pattern(kind: str, text: str) -> list[str] | None:
    """The point that a row means; None for a row that was left empty."""
    known = BY_NAME.get(kind, BY_NAME["steps"])
    if not known.named:
        return list(known.steps)
    if not text.strip():
        return None
    if known.name == "steps":
        return _steps(text)
    # Names of headers are in capitals in a point, whatever their case is on the wire.
    return [*known.steps, _upper(text.strip()) if known.name == "header" else text.strip()]


def row(point: Sequence[str]) -> Row:
    """The row that shows a point."""
    for kind in KINDS:
        if kind.steps == tuple(point) and not kind.named:
            return Row(kind.name, "")
        if kind.named and kind.steps and kind.steps == tuple(point[:-1]):
            return Row(kind.name, point[-1])
    return Row("steps", msgspec.json.encode(list(point)).decode())


def sent(kinds: Sequence[str], texts: Sequence[str]) -> list[Row]:
    """The rows of a form that are not empty."""
    pairs = zip(kinds[:MOST_ROWS], texts[:MOST_ROWS], strict=False)
    return [Row(kind, text) for kind, text in pairs if pattern(kind, text) is not None]


def _steps(text: str) -> list[str]:
    """Steps of one line; what is no list in JSON is taken as words."""
    try:
        return msgspec.json.decode(text, type=list[str])
    except msgspec.DecodeError:
        return text.split()


def _upper(expression: str) -> str:
    """Letters in capitals; escapes and the heads of groups such as `(?:` as they are."""
    return _ESCAPE_OR_LETTERS.sub(lambda found: found[0] if found[0][0] in "\\(" else found[0].upper(), expression)
