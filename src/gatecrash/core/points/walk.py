"""Lists the points of a request, and reads one.

Every leaf is listed; a value inside which a decoder found something is listed too, flagged as a container, and so is
what was found. Objects, arrays and elements that hold others are not listed, but can be read and written by their point.

    walk(request)                           what is there
    read(request, Point.of("get", "q"))     what is at one point
"""

from typing import Final

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.codec import CONTAINER, LIMITS, OPAQUE, Codec, Limits, Part, Unreadable, cost
from gatecrash.core.points.formats.gzip import GZIP
from gatecrash.core.points.formats.path import PATH
from gatecrash.core.points.formats.zip import ZIP
from gatecrash.core.points.found import Found, Walk
from gatecrash.core.points.opening import BODY, NAME, open_body, open_named
from gatecrash.core.points.places import body_buffer, buffers_for, cookie_buffers, header_buffers, target_buffers
from gatecrash.core.points.registry import PAD, SHORTEST, body_codecs, guess

MAX_UNREADABLE: Final = 1_000  # a report is for people; hostile input shall not make it long


def walk(request: Request, limits: Limits = LIMITS, *, names: bool = False) -> Walk:
    """Every point of the request; never raises, whatever the request holds.

    names: list the names of fields, cookies and members as points of their own too (`["get", "q", "name"]`).
    """
    walker = _Walker(limits, names)
    walker.target(request)
    walker.headers(request)
    walker.body(request)
    return Walk(walker.points, walker.unreadable)


def read(request: Request, point: Point, limits: Limits = LIMITS) -> bytes | None:
    """The decoded value at a point; None where the request has no such point or it cannot be read.

    The point of a name that occurs more than once reads its first occurrence.
    Decoders named by the point are applied whether or not the value looks the part.
    """
    try:
        for buffer in buffers_for(request, point, limits):
            part = nearest(buffer.parts, point)
            if part is not None:
                rest = point[len(part.steps) :]
                return _read_inside(request, buffer.codec, buffer.data, part, rest, limits)
    except Unreadable:
        pass
    return None


def _read_inside(
    request: Request, codec: Codec, data: bytes, part: Part, rest: tuple[str, ...], limits: Limits
) -> bytes | None:
    levels = limits.levels
    while rest:
        if rest == NAME:
            named = codec.name(data, part)
            return named.value if named else None
        opened = open_named(request, part, rest[0], limits, levels)
        found = nearest(opened[1], rest[1:]) if opened else None
        if opened is None or found is None:
            return None
        codec = opened[0]
        levels -= cost(part)
        data = part.value[part.inner :]
        rest = rest[1 + len(found.steps) :]
        part = found
    return data[part.start : part.end] if part.kind == CONTAINER else part.value


def nearest(parts: list[Part], steps: tuple[str, ...]) -> Part | None:
    """The part that the steps name or that is nearest on the way; else the first of several parts of that name."""
    chosen = choose(parts, steps)
    return chosen[0] if chosen else None


def choose(parts: list[Part], steps: tuple[str, ...]) -> list[Part]:
    """The part that the steps name; else all parts that share the name; else the part on the way to the point."""
    best: Part | None = None
    for part in parts:
        own = part.steps
        if (best is None or len(own) > len(best.steps)) and steps[: len(own)] == own:
            best = part
    if best is not None and len(best.steps) == len(steps):
        return [best]
    several = _outermost([part for part in parts if part.steps[: len(steps)] == steps])
    if several:
        return several
    # Nothing is decoded within a container, but a container's entry has a name as any other.
    passable = best is not None and (best.kind != CONTAINER or steps[len(best.steps) :] == NAME)
    return [best] if best is not None and passable else []


def _outermost(parts: list[Part]) -> list[Part]:
    found: list[Part] = []
    for part in parts:
        if not found or part.begin >= found[-1].finish:
            found.append(part)
    return found


class _Walker:
    """Collects points under the limits of one walk."""

    def __init__(self, limits: Limits, names: bool) -> None:
        self.points: list[Found] = []
        self.unreadable: list[tuple[Point, str]] = []
        self._limits = limits
        self._names = names
        self._decoded = limits.decoded
        self._decompressed = limits.decompressed
        self._full = False

    def target(self, request: Request) -> None:
        """Target, path, action and query."""
        try:
            for buffer in target_buffers(request, self._limits):
                # An empty segment is a place, yet not one worth listing: every closing slash has one.
                parts = buffer.parts if buffer.codec is not PATH else [part for part in buffer.parts if part.value]
                self._list((), parts, self._limits.levels, buffer.codec, buffer.data)
        except Unreadable as error:
            self._cannot_read(("uri",), str(error))

    def headers(self, request: Request) -> None:
        """Every header, then every cookie."""
        for buffer in header_buffers(request):
            self._list((), buffer.parts, self._limits.levels, buffer.codec, buffer.data)
        for buffer in cookie_buffers(request, self._limits):
            self._list((), buffer.parts, self._limits.levels, buffer.codec, buffer.data)

    def body(self, request: Request) -> None:
        """The body and what it holds."""
        levels = self._limits.levels
        try:
            buffer = body_buffer(request, self._limits)
        except Unreadable as error:
            self._cannot_read(BODY, str(error))
            return
        if not request.body or self._is_full(BODY):
            return
        part = buffer.parts[0]
        if part.value is not buffer.data:
            self._decompressed -= len(part.value)
        found = Found(Point(BODY), part.value)
        self.points.append(found)
        step = "post"
        try:
            candidates = body_codecs(request, part.value)
            step = candidates[-1][0].step if candidates else step
            opened = open_body(request, part.value, self._limits, levels - cost(part))
        except Unreadable as error:
            self._cannot_read((*BODY, step), str(error))
            return
        if opened is None:
            self._look_inside(found, part, levels)
        else:
            found.container = True
            self._list((*BODY, opened[0].step), opened[1], levels - cost(part), opened[0], part.value)

    def _list(self, prefix: tuple[str, ...], parts: list[Part], levels: int, codec: Codec, data: bytes) -> None:
        points = self.points
        limit = self._limits.points
        for part in parts:
            if self._names:
                self._list_name(prefix, part, codec, data)
            if part.kind == CONTAINER:
                continue
            if len(points) >= limit:
                self._is_full(prefix)
                return
            found = Found(Point(prefix + part.steps), part.value)
            points.append(found)
            if part.inner != OPAQUE and (len(part.value) >= SHORTEST or part.value.endswith(PAD)):
                self._look_inside(found, part, levels)
        if len(parts) > 4 * limit:  # the codec stopped at its bound on containers
            self._cannot_read(prefix, "more structure than is read")

    def _list_name(self, prefix: tuple[str, ...], part: Part, codec: Codec, data: bytes) -> None:
        named = codec.name(data, part)
        if named is not None and not self._is_full(prefix):
            self.points.append(Found(Point((*prefix, *part.steps, *NAME)), named.value))

    def _look_inside(self, found: Found, part: Part, levels: int) -> None:
        value = part.value[part.inner :] if part.inner else part.value
        codec = guess(value)
        if codec is None:
            return
        inner = (*found.point, codec.step)
        levels -= cost(part)
        self._decoded -= len(value)
        if levels <= 0 or self._decoded < 0:
            self._cannot_read(inner, "nested too deep" if levels <= 0 else "more inside values than is read")
            return
        try:
            parts = self._open(codec, value, levels)
        except Unreadable as error:
            if codec.telling:
                self._cannot_read(inner, str(error))
            return
        found.container = True
        self._list(inner, parts, levels, codec, value)

    def _open(self, codec: Codec, value: bytes, levels: int) -> list[Part]:
        if codec is not GZIP and codec is not ZIP:
            return codec.parts(value, self._limits, levels)
        # Many small streams must not do together what one may not: all draw on one allowance, the broken ones too.
        allowed = min(self._decompressed, self._limits.expansion * len(value))
        self._decompressed -= allowed
        parts = codec.parts(value, msgspec.structs.replace(self._limits, decompressed=allowed), levels)
        self._decompressed += allowed - sum([len(part.value) for part in parts])
        return parts

    def _is_full(self, prefix: tuple[str, ...]) -> bool:
        if len(self.points) < self._limits.points:
            return False
        if not self._full:
            self._full = True
            self._cannot_read(prefix, f"more than {self._limits.points} points")
        return True

    def _cannot_read(self, steps: tuple[str, ...], reason: str) -> None:
        if len(self.unreadable) < MAX_UNREADABLE:
            self.unreadable.append((Point(steps), reason))
