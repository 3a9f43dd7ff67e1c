"""The request target before its query: `["path", N]`, `["action_name"]`, `["action_ext"]`, and all of it: `["uri"]`.

Segments are divided at `/` and percent-decoded; their parameters belong to their value. Those with a name (`;v=1`, RFC
3986 section 3.3) are places of their own as well: `["path", N, "matrix", NAME]`, and so is a segment that is a name and
a value (`/color=red`). So are keys in parentheses (OData 4.01, URL conventions, section 4.3.1): `/Orders(7)` has
`["path", N, "key"]`, `/Lines(Order=7,Place='a')` has `["path", N, "key", NAME]`; quotes stay outside. So has what a
custom method is asked of (`/visits/7:cancel`, AIP-136), and a host before its port (`/proxy/build.local:8080`) is
`["path", N, "host"]`. The last segment is a path segment too, and besides divided at its last dot into the action's
name and extension.
Only a target in origin form has segments (RFC 9112 section 3.2.1).
"""

import re
from typing import Final

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.points.codec import LEAF, OPAQUE, Codec, Limits, Part, splice, text
from gatecrash.core.points.naming import distinct
from gatecrash.core.points.percent import quoter, unquote

NAME_BEFORE_EXTENSION: Final = 10
NAME_ALONE: Final = 11
EXTENSION: Final = 12
MATRIX: Final = 13  # a parameter's value: `;` and `=` would end it
KEY: Final = 14  # a key in parentheses, which they and a comma would end
BEFORE_COLON: Final = 15  # what a colon ends: a key before a custom method, a host before its port

# What would end the value within its segment, so that it is sent as a percent code.
_ENDINGS: Final = {MATRIX: b";=", KEY: b"'(),=", BEFORE_COLON: b":"}

_MOST_PARAMETERS: Final = 30
# Behind the equals sign is a value: what base64 ends in names nothing.
_NAMED: Final = re.compile(rb"([A-Za-z_][\w.-]*+)=(?=[^=])", re.ASCII)

# Behind a blank or an underscore parentheses belong to a title: `/wiki/Mercury_(planet)`.
_KEYED: Final = re.compile(rb"[A-Za-z_][\w.]*(?<=[A-Za-z0-9])\((.+)\)", re.ASCII)
# A key is a number, a UUID or a text in quotes; where there are several, each has its name.
_KEY: Final = re.compile(rb"(?:([A-Za-z_]\w*)=)?+(?:'((?:[^']|'')*+)'|([^'(),=]++))(?:,|$)", re.ASCII)
# One thing and what is done with it, or a host and its port; whether it is that, who asks it knows.
_BEFORE_COLON: Final = re.compile(rb"(?P<key>[^:]+):[a-z][A-Za-z]{2,30}|(?P<host>[^:]+):\d{2,5}")

# RFC 3986 section 3.3: a segment's own characters, without the percent sign.
_quote: Final = quoter("!$&'()*+,;=:@-._~")
_UNSENDABLE: Final = re.compile(rb"[\x00-\x20\x7f]")


def _path_end(data: bytes) -> int:
    mark = data.find(b"?")
    return len(data) if mark < 0 else mark


class Path(Codec):
    """Reads the segments; empty ones have a number and are parts as well."""

    step = "path"

    def looks(self, data: bytes, /) -> bool:
        """Whether the target has segments."""
        return data.startswith(b"/")

    def parts(self, data: bytes, limits: Limits, _levels: int, /) -> list[Part]:
        """The segments."""
        if not data.startswith(b"/"):
            return []
        parts: list[Part] = []
        matrices: list[Part] = []
        position = 1
        for segment in data[1 : _path_end(data)].split(b"/", limits.points + 1)[: limits.points + 1]:
            finish = position + len(segment)
            steps = ("path", str(len(parts)))
            parts.append(Part(steps, position, finish, unquote(segment), position - 1, finish))
            if b"=" in segment:
                matrices += _matrix(steps, segment, position)
            if segment.endswith(b")"):
                matrices += _keys(steps, segment, position)
            elif b":" in segment:
                matrices += _before_colon(steps, segment, position)
            position = finish + 1
        return [*parts, *distinct(matrices)] if matrices else parts

    def encode(self, _data: bytes, part: Part, value: bytes, /) -> bytes:
        """Percent codes for all that is no character of a segment, the slash included; of a parameter, for what ends it."""
        quoted = _quote(value)
        for ending in _ENDINGS.get(part.kind, b""):
            quoted = quoted.replace(b"%c" % ending, b"%%%02X" % ending)
        return quoted

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The target without the segment and the slash before it; the first slash stays. A key has no place to be absent from."""
        if part.kind in (KEY, BEFORE_COLON):
            return None
        left = data[: part.begin] + data[part.finish :]
        return left if left.startswith(b"/") else b"/" + left


def _matrix(segment_steps: tuple[str, ...], segment: bytes, start: int) -> list[Part]:
    """The parameters with a name and a value in a segment that begins at `start`."""
    parts: list[Part] = []
    position = start
    for piece in segment.split(b";", _MOST_PARAMETERS)[:_MOST_PARAMETERS]:
        finish = position + len(piece)
        match = _NAMED.match(piece)
        if match is not None:
            begin = position - 1 if position > start else position
            name = text(match[1])
            value = Part((*segment_steps, "matrix", name), position + match.end(), finish, b"", begin, finish, MATRIX)
            value.value = unquote(piece[match.end() :])
            parts.append(value)
        position = finish + 1
    return parts


def _keys(segment_steps: tuple[str, ...], segment: bytes, start: int) -> list[Part]:
    """The keys in the parentheses that end a segment which begins at `start`; none where they hold anything else."""
    keyed = _KEYED.fullmatch(segment)
    parts: list[Part] = []
    position = keyed.start(1) if keyed is not None else 0
    while keyed is not None and position < keyed.end(1):
        found = _KEY.match(segment, position, keyed.end(1))
        if (
            found is None
            or len(parts) == _MOST_PARAMETERS
            or (parts and (found[1] is None or len(parts[0].steps) == 3))
        ):
            return []
        group = 2 if found[3] is None else 3
        steps = (*segment_steps, "key", *([text(found[1])] if found[1] is not None else []))
        begin, finish = start + found.start(group), start + found.end(group)
        parts.append(Part(steps, begin, finish, unquote(found[group]), begin, finish, KEY))
        position = found.end()
    return parts


def _before_colon(segment_steps: tuple[str, ...], segment: bytes, start: int) -> list[Part]:
    """The key before a custom method, or the host before a port, that a segment is which begins at `start`; none of any other."""
    found = _BEFORE_COLON.fullmatch(segment)
    if found is None or found.lastgroup is None:
        return []
    finish = start + found.end(found.lastgroup)
    value = unquote(found[found.lastgroup])
    return [Part((*segment_steps, found.lastgroup), start, finish, value, start, finish, BEFORE_COLON)]


class Action(Codec):
    """Reads the last segment as name and extension; a dot at its beginning divides nothing."""

    step = "action_name"

    def looks(self, data: bytes, /) -> bool:
        """Whether the target has segments."""
        return data.startswith(b"/")

    def parts(self, data: bytes, _limits: Limits, _levels: int, /) -> list[Part]:
        """The action's name, and its extension where it has one."""
        finish = _path_end(data)
        begin = data.rfind(b"/", 0, finish) + 1
        if begin == finish or not data.startswith(b"/"):
            return []
        dot = data.rfind(b".", begin + 1, finish)
        if dot < 0:
            value = unquote(data[begin:finish])
            return [Part(("action_name",), begin, finish, value, begin, finish, NAME_ALONE, OPAQUE)]
        return [
            Part(("action_name",), begin, dot, unquote(data[begin:dot]), begin, dot, NAME_BEFORE_EXTENSION, OPAQUE),
            Part(("action_ext",), dot + 1, finish, unquote(data[dot + 1 : finish]), dot, finish, EXTENSION, OPAQUE),
        ]

    def encode(self, _data: bytes, part: Part, value: bytes, /) -> bytes:
        """Percent codes; a dot too, where it would divide the segment anew."""
        if not value and part.kind != EXTENSION:
            raise UnwritableValue("an action cannot have an empty name: the path would end before it")
        quoted = _quote(value)
        return quoted if part.kind == NAME_BEFORE_EXTENSION else quoted.replace(b".", b"%2E")

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The target without the extension and its dot, or without the action's name."""
        return splice(data, part.begin, part.finish, b"")


class Uri(Codec):
    """The whole raw target, undecoded."""

    step = "uri"

    def looks(self, data: bytes, /) -> bool:
        """Always."""
        return bool(data)

    def parts(self, data: bytes, _limits: Limits, _levels: int, /) -> list[Part]:
        """The target itself."""
        return [Part(("uri",), 0, len(data), data, 0, len(data), LEAF, OPAQUE)]

    def encode(self, _data: bytes, _part: Part, value: bytes, /) -> bytes:
        """The value as it is; blanks and control bytes would end the request line."""
        if not value or _UNSENDABLE.search(value):
            raise UnwritableValue(
                "a request target cannot be empty or hold blanks or control bytes; percent-encode them"
            )
        return value

    def remove(self, _data: bytes, _part: Part, /) -> bytes | None:
        """Nothing sensible is left."""
        return None


PATH = Path()
ACTION = Action()
URI = Uri()
