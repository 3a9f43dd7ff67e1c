"""One point of one request, found once for the hundreds of payloads that are written there.

    writer = Writer(request, Point.of("get", "q"))
    writer.write(b"'")              what rewrite(request, point, b"'") gives

A point that stands for several places, or that cannot be found, goes the long way, with all that it raises.
"""

from functools import lru_cache
from typing import Final

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.codec import CONTAINER, LIMITS, NAMED, Codec, Limits, Part, Unreadable, cost, splice
from gatecrash.core.points.opening import NAME, open_named
from gatecrash.core.points.places import IN_TARGET, buffers_for, put_back
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import choose

Level = tuple[Codec, bytes, Part]
_NOWHERE: Final[tuple[int, list[Level]]] = (IN_TARGET, [])


class Writer:
    """Writes values at one point; the request itself stays as it is. beside: where a name is written, what was called
    so stays behind what is called by the new one.
    """

    def __init__(self, request: Request, point: Point, limits: Limits = LIMITS, *, beside: bool = False) -> None:
        """Find the point. Raises nothing: what is wrong with it is told when it is written."""
        self._request = request
        self._point = point
        self._limits = limits
        self._beside = beside
        # From the request's own bytes down through what is decoded inside them to the point.
        self._slot, self._levels = _way_to(request, point, limits)
        # What stands there now, as it is compared with what is written; a container's bytes, any other's value.
        self._present = _present(self._levels[-1]) if self._levels else b""
        self._is_outermost = len(self._levels) == 1

    def write(self, value: bytes, *, raw: bool = False) -> Request:
        """The request with the value at the point. Raises as `rewrite` does."""
        if not self._levels:
            if self._beside:
                raise UnwritableValue(f"{self._point} is no single place")
            return rewrite(self._request, self._point, value, raw=raw, limits=self._limits)
        codec, data, part = self._levels[-1]
        if self._beside and part.kind == NAMED and value != self._present:
            changed = _with_another(codec, data, part, value if raw else codec.encode(data, part, value))
        elif raw:
            # What stands before a value (an equals sign, a bracket) has no place in a name.
            piece = value if part.kind == NAMED else codec.insert(data, part, value)
            changed = splice(data, part.start, part.end, piece)
        elif value == self._present:
            changed = data
        else:
            changed = splice(data, part.start, part.end, codec.encode(data, part, value))
        return put_back(self._request, self._slot, changed) if self._is_outermost else self._outward(changed)

    def write_named(self, name: bytes, value: bytes) -> Request:
        """The request with the value at the point, and another name before it. Raises as `rewrite` does."""
        if self._levels:
            codec, data, part = self._levels[-1]
            named = codec.name(data, part)
            if named is not None and named.end <= part.start:
                changed = data
                if value != self._present:
                    changed = splice(data, part.start, part.end, codec.encode(data, part, value))
                return self._outward(splice(changed, named.start, named.end, codec.encode(data, named, name)))
        request = rewrite(self._request, self._point, value, limits=self._limits)
        return rewrite(request, Point((*self._point, *NAME)), name, limits=self._limits)

    def _outward(self, changed: bytes) -> Request:
        """The request around what the innermost level has become."""
        for codec, data, part in self._levels[-2::-1]:
            before = part.value[: part.inner]
            if part.value == before + changed:
                changed = data
            else:
                changed = splice(data, part.start, part.end, codec.encode(data, part, before + changed))
        return put_back(self._request, self._slot, changed)


def _with_another(codec: Codec, data: bytes, name: Part, other: bytes) -> bytes:
    """The data with the entry of this name once more, before itself and under another name."""
    if codec.between is None:
        raise UnwritableValue(f"an entry of {codec.step} is not written by its bytes alone")
    entry = splice(data[name.begin : name.finish], name.start - name.begin, name.end - name.begin, other)
    return splice(data, name.begin, name.begin, entry + codec.between)


def _present(level: Level) -> bytes:
    _, data, part = level
    return data[part.start : part.end] if part.kind == CONTAINER else part.value


@lru_cache(128)
def writer_at(request: Request, point: Point, *, beside: bool = False) -> Writer:
    """A writer for the point; the latest are kept, since many dialogues are led about one point."""
    return Writer(request, point, beside=beside)


def _way_to(request: Request, point: Point, limits: Limits) -> tuple[int, list[Level]]:
    """Where the request holds the point, and what leads to it; nothing where that is not one single place."""
    try:
        places = [(buffer, choose(buffer.parts, point)) for buffer in buffers_for(request, point, limits)]
        found = [(buffer, parts) for buffer, parts in places if parts]
        if len(found) == 1:
            buffer, parts = found[0]
            return buffer.slot, _inward(request, (buffer.codec, buffer.data, parts), point, limits)
    except Unreadable:
        pass
    return _NOWHERE


def _inward(request: Request, outermost: tuple[Codec, bytes, list[Part]], point: Point, limits: Limits) -> list[Level]:
    codec, data, parts = outermost
    steps: tuple[str, ...] = point
    left = limits.levels
    levels: list[Level] = []
    while len(parts) == 1:
        part = parts[0]
        levels.append((codec, data, part))
        rest = steps[len(part.steps) :]
        if rest == NAME:
            named = codec.name(data, part)
            return [*levels[:-1], (codec, data, named)] if named is not None else []
        if not rest:
            return levels
        opened = open_named(request, part, rest[0], limits, left)
        if opened is None:
            break
        codec, parts, data, steps = opened[0], choose(opened[1], rest[1:]), part.value[part.inner :], rest[1:]
        left -= cost(part)
    return []
