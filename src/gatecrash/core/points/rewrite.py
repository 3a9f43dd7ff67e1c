"""Puts a value at a point, or takes the point away, and leaves every other byte as it was.

Only what depends on the bytes written follows: Content-Length where the request has one, a compressed stream around the
point, base64 around it. A token's signature stays as it was. A point's own value gives back the identical request.

Read again, the point gives the new value. Where the place cannot hold it, UnwritableValue is raised: blanks in the
request target, line breaks in a header, control characters in XML, a multipart delimiter. `raw` writes the bytes as they
are, without encoding or check, at the innermost place; what is around it (base64, JSON string, …) is still encoded.

A name written anew (`["get", "q", "name"]`) moves its value to another point, and may number others anew.

The point of a name that occurs more than once stands for all its occurrences: each is written, each is removed.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from gatecrash.core.errors import InvalidPoint
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.codec import CONTAINER, LIMITS, NAMED, Codec, Limits, Part, Unreadable, cost, splice
from gatecrash.core.points.opening import NAME, open_named
from gatecrash.core.points.places import IN_TARGET, Buffer, buffers_for, put_back
from gatecrash.core.points.walk import choose


def rewrite(request: Request, point: Point, value: bytes, *, raw: bool = False, limits: Limits = LIMITS) -> Request:
    """The request with the value at the point.

    Raises InvalidPoint where the request has no such point, UnwritableValue where the place cannot hold the value.
    """
    changed = _change(request, point, _Change(value, raw), limits)
    if changed is None:
        raise InvalidPoint(f"the request has no point {point}, or what leads to it cannot be read")
    return changed


def rewrite_many(request: Request, values: Mapping[Point, bytes]) -> Request:
    """The request with every value at its point, written in order. Raises as `rewrite` does."""
    for point, value in values.items():
        request = rewrite(request, point, value)
    return request


def remove(request: Request, point: Point, limits: Limits = LIMITS) -> Request:
    """The request without the parameter at the point: the header, cookie, field, member or element with its separator.

    A decoded value goes with the parameter that holds it; a token's parts become empty, their dots stay. A request
    that has no such point is given back as it is. Raises InvalidPoint for the request target itself.
    """
    changed = _change(request, point, _Change(None, False), limits)
    return request if changed is None else changed


class _Change(NamedTuple):
    """What shall happen at the point: a value written, or None to remove it."""

    value: bytes | None
    raw: bool


Place = tuple[Buffer, list[Part]]
_LONGEST_KEPT: Final = 64 * 1024


class _Absent(Exception):
    """The request has no such point."""


def _change(request: Request, point: Point, change: _Change, limits: Limits) -> Request | None:
    """The changed request; None where it has no such point."""
    try:
        short = len(request.target) + len(request.body) <= _LONGEST_KEPT
        found = _places_once(request, point, limits) if short else _places(request, point, limits)
        if not found:
            return None
        editor = _Editor(request, change, limits)
        # From the last to the first, so that spans and positions before the change stay true.
        for buffer, parts in reversed(found):
            data = editor.edit(buffer.codec, buffer.data, parts, point, limits.levels)
            if data is None and buffer.slot == IN_TARGET:
                raise InvalidPoint("the request target cannot be removed, only rewritten")
            request = put_back(request, buffer.slot, data)
    except (_Absent, Unreadable):
        return None
    return request


def _places(request: Request, point: Point, limits: Limits) -> list[Place]:
    """The buffer that holds the point with its part, or every buffer with parts of that name."""
    found = [(buffer, choose(buffer.parts, point)) for buffer in buffers_for(request, point, limits)]
    return [(buffer, parts) for buffer, parts in found if parts]


# Hundreds of payloads are written at one point of one request.
_places_once = lru_cache(128)(_places)


class _Editor:
    """Carries one change down through nested encodings, and the result up again."""

    def __init__(self, request: Request, change: _Change, limits: Limits) -> None:
        self._request = request
        self._change = change
        self._limits = limits

    def edit(self, codec: Codec, data: bytes, parts: list[Part], steps: tuple[str, ...], levels: int) -> bytes | None:
        """The data with the parts changed; None where nothing sensible is left of it."""
        for part in reversed(parts):
            rest = steps[len(part.steps) :]
            changed = self._inside(codec, data, part, rest, levels) if rest else self._here(codec, data, part)
            if changed is None:
                return None
            data = changed
        return data

    def _here(self, codec: Codec, data: bytes, part: Part) -> bytes | None:
        value = self._change.value
        if value is None:
            return codec.remove(data, part)
        if self._change.raw:
            # What stands before a value (an equals sign, a bracket) has no place in a name.
            piece = value if part.kind == NAMED else codec.insert(data, part, value)
            return splice(data, part.start, part.end, piece)
        present = data[part.start : part.end] if part.kind == CONTAINER else part.value
        return data if value == present else splice(data, part.start, part.end, codec.encode(data, part, value))

    def _inside(self, codec: Codec, data: bytes, part: Part, rest: tuple[str, ...], levels: int) -> bytes | None:
        if rest == NAME:
            named = codec.name(data, part)
            if named is None:
                raise _Absent
            return codec.remove(data, part) if self._change.value is None else self._here(codec, data, named)
        opened = open_named(self._request, part, rest[0], self._limits, levels)
        if opened is None:
            raise _Absent
        parts = choose(opened[1], rest[1:])
        if not parts:
            raise _Absent
        before = part.value[part.inner :]
        after = self.edit(opened[0], before, parts, rest[1:], levels - cost(part))
        if after is None:
            return codec.remove(data, part)
        if after == before:
            return data
        return splice(data, part.start, part.end, codec.encode(data, part, part.value[: part.inner] + after))
