"""A request as text with one point marked."""

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read
from gatecrash.core.reports.raw import raw_request

Piece = tuple[str, bool]
_CONTENT_LENGTH = "content-length:"


def marked(request: Request, point: list[str]) -> list[Piece]:
    """The request's text in pieces, and which of them is the point's value; unmarked where the request has no such point.

    The value is found by writing another one of the same length in its place and looking where the text changed.
    """
    text = raw_request(request)
    other = _with_another_value(request, point)
    span = _changed(text, raw_request(other)) if other is not None else None
    if span is None:
        return [(text, False)]
    start, end = span
    return [piece for piece in ((text[:start], False), (text[start:end], True), (text[end:], False)) if piece[0]]


def _with_another_value(request: Request, steps: list[str]) -> Request | None:
    if not steps:
        return None
    point = Point(steps)
    value = read(request, point)
    if not value:
        return None
    other = bytes(0x41 if byte != 0x41 else 0x42 for byte in value)
    try:
        return rewrite(request, point, other)
    except GatecrashError:
        return None


def _changed(text: str, other: str) -> tuple[int, int] | None:
    """Where the two differ in the first text, the line of Content-Length left out."""
    ours, theirs = _without_length(text), _without_length(other)
    if ours is None or theirs is None or ours[0] == theirs[0]:
        return None
    (plain, cut, size), (changed, _, _) = ours, theirs
    start = _common_prefix(plain, changed)
    end = len(plain) - _common_suffix(plain[start:], changed[start:])
    if start >= cut:
        return start + size, end + size
    return (start, end) if end <= cut else None


def _without_length(text: str) -> tuple[str, int, int] | None:
    """The text without its Content-Length line, where that stood, and how long it was."""
    head, mark, body = text.partition("\r\n\r\n")
    if not mark:
        return None
    place = 0
    for line in head.split("\r\n"):
        if line.lower().startswith(_CONTENT_LENGTH):
            size = min(len(line) + 2, len(head) - place)
            return head[:place] + head[place + size :] + mark + body, place, size
        place += len(line) + 2
    return text, len(text), 0


def _common_prefix(one: str, other: str) -> int:
    most = min(len(one), len(other))
    return next((place for place in range(most) if one[place] != other[place]), most)


def _common_suffix(one: str, other: str) -> int:
    return _common_prefix(one[::-1], other[::-1])
