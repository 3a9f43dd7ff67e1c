"""A point: one place in a request, named by the walk that leads to it through its nested encodings.

`Point(("post", "json_doc", "json_obj", "user", "json_obj", "name"))` is the field `name` of the object `user` in the
JSON body. Authentication parameters, insertion points, policies, extensions and the Path column all use this notation,
whose grammar is in `gatecrash.core.notation`.
"""

import re
from collections.abc import Iterable
from typing import Final, Self

from gatecrash.core.errors import InvalidPattern, InvalidPoint
from gatecrash.core.notation import as_steps, check, from_underscored, underscored, upper, words
from gatecrash.core.patterns import compile_pattern, matches_fully

_CONTEXTS: Final[dict[str, str]] = {
    "uri": "URI",
    "action_name": "action name",
    "action_ext": "action extension",
    "path": "path",
    "get": "query",
    "header": "header",
    "cookie": "cookie",
    "post": "body",
    "form_urlencoded": "form field",
    "multipart": "multipart field",
    "filename": "file name",
    "content_type": "content type",
    "json_doc": "JSON",
    "json_obj": "JSON field",
    "json_array": "JSON field",
    "csv": "CSV",
    "xml": "XML",
    "xml_tag": "XML element",
    "xml_attr": "XML attribute",
    "jwt_header": "JWT",
    "jwt_payload": "JWT",
    "jwt_signature": "JWT",
}

MAX_NAME: Final = 256
_REFUSED_HEADERS: Final = frozenset({"COOKIE", "HOST", "USER-AGENT"})
_UNPRINTABLE: Final = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]|\s")
# RFC 9110 section 5.1: a field name is a token; capitals only in a point.
_ENDS_A_COOKIES_NAME: Final = frozenset("=;")
_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")


class Point(tuple[str, ...]):
    """A walk through a request, as an immutable list of steps; equal when the steps are equal."""

    __slots__ = ()

    @classmethod
    def of(cls, *steps: str) -> Self:
        """A point from its steps."""
        return cls(steps)

    @classmethod
    def parse(cls, steps: Iterable[object]) -> Self:
        """A point from outside, its steps checked; a header's name becomes uppercase.

        Raises InvalidPoint with the step that is wrong.
        """
        walked = as_steps(steps)
        check(walked)
        if walked[0] == "header":
            walked[1] = upper(walked[1])
        return cls(walked)

    @classmethod
    def parse_configured(cls, value: object) -> Self:
        """An authentication parameter's point: `[[…]]` or a bare `[…]`, in one of the five shapes of contract 2.3.

        Raises InvalidPoint for any other shape, a name that is empty, too long or not printable, and the headers
        that are no credential of their own.
        """
        steps = _single_location(value)
        try:
            point = cls.parse(steps)
        except InvalidPoint as error:
            # What a point in general may begin with or go on with is no help here.
            if all(isinstance(step, str) for step in steps):
                raise _elsewhere(steps) from error
            raise
        name = _configured_name(point)
        if not name:
            raise InvalidPoint("the name is empty")
        if len(name) > MAX_NAME:
            raise InvalidPoint(f"the name has {len(name)} characters; at most {MAX_NAME} are allowed")
        if _UNPRINTABLE.search(name):
            raise InvalidPoint(f"the name {name!r} holds a space or a control character")
        if point[0] == "header" and len(point) == 2:
            _check_configured_header(name)
        elif point[0] == "header" and not _ENDS_A_COOKIES_NAME.isdisjoint(name):
            raise InvalidPoint(f"{name!r} is no cookie's name: that ends before '=' and ';'")
        return point

    @classmethod
    def from_underscores(cls, text: str) -> Self:
        """A point from the underscore form: `POST_JSON_DOC_HASH_user_value`, `GET_q_name`.

        A name ends where the next word that may follow it begins, so names that hold such a word in capitals cannot
        be written. Raises InvalidPoint.
        """
        steps = from_underscored(text)
        check(steps)
        if steps[0] == "header":
            steps[1] = upper(steps[1])
        return cls(steps)

    def nested(self) -> list[list[str]]:
        """The point as JSON answers show it: one location in a list."""
        return [list(self)]

    def underscores(self) -> str:
        """The underscore form.

        Raises InvalidPoint where it would be read as another point: a name that holds one of the form's own words.
        """
        text = underscored(self)
        try:
            again = tuple(from_underscored(text))
        except InvalidPoint:
            again = ()
        if again != tuple(self):
            raise InvalidPoint(f"{self} cannot be written with underscores: a name in it holds a word of the notation")
        return text

    def __str__(self) -> str:
        """The steps with a slash between: for people, not for parsing."""
        return "/".join(self)


class PointPattern:
    """Points described by regular expressions: one for each step, or one for the whole underscore form."""

    __slots__ = ("_steps", "_whole", "text")

    def __init__(self, text: str, steps: tuple[re.Pattern[str], ...], whole: re.Pattern[str] | None) -> None:
        """Use `parse` or `from_underscores`."""
        self.text = text
        self._steps = steps
        self._whole = whole

    @classmethod
    def parse(cls, steps: Iterable[object]) -> Self:
        """A pattern from a list of regular expressions, each of which must match its step fully.

        Raises InvalidPattern with the step that is wrong.
        """
        try:
            walked = as_steps(steps)
        except InvalidPoint as error:
            raise InvalidPattern(str(error)) from error
        return cls("/".join(walked), tuple(compile_pattern(step) for step in walked), None)

    @classmethod
    def from_underscores(cls, text: str) -> Self:
        """A pattern over the underscore form, `GET_.*_value`. Raises InvalidPattern."""
        return cls(text, (), compile_pattern(text))

    def matches(self, point: Iterable[str]) -> bool:
        """Whether the pattern names this very point (not merely a place within it)."""
        steps = tuple(point)
        if self._whole is not None:
            return matches_fully(self._whole, underscored(steps))
        return len(steps) == len(self._steps) and self.covers(steps)

    def covers(self, point: Iterable[str]) -> bool:
        """Whether the pattern names this point or one that leads to it; a whole underscore form names only itself."""
        if self._whole is not None:
            return self.matches(point)
        steps = tuple(point)
        return len(steps) >= len(self._steps) and all(map(matches_fully, self._steps, steps))


def context(point: Iterable[str]) -> str:
    """What kind of place it is, for a person: "header", "cookie", "query", "form field", "JSON field", "path", …"""
    found = ""
    for word, _ in words(tuple(point)):
        found = _CONTEXTS.get(word, found)
    return found


def key(point: Iterable[str]) -> str:
    """The parameter's name, as the Key column shows it: `AUTHORIZATION`, `sid`, `a[b]`, `items[0]`; "" where nameless."""
    name = ""
    for word, argument in words(tuple(point)):
        if word in ("hash", "json_array", "list", "literal"):
            name += f"[{argument}]"
        elif word not in ("array", "xml_attr") and argument:
            name = argument
        elif word == "xml_attr":
            name += f"@{argument}"
    return name


def _single_location(value: object) -> list[object]:
    if not isinstance(value, (list, tuple)):
        raise InvalidPoint('a point is a list holding one location, as [["header", "X-TOKEN"]]')
    if any(isinstance(item, (list, tuple)) for item in value):
        if len(value) != 1:
            raise InvalidPoint(f"the point has {len(value)} locations; exactly one is allowed")
        return list(value[0])
    return list(value)


def _configured_name(point: Point) -> str:
    """The last step, where the point has one of the five shapes of contract 2.3."""
    shape = point[:-1]
    if shape in (
        ("header",),
        ("header", "COOKIE", "cookie"),
        ("get",),
        ("post", "form_urlencoded"),
        ("post", "json_doc", "json_obj"),
    ):
        return point[-1]
    raise _elsewhere(point)


def _elsewhere(steps: Iterable[object]) -> InvalidPoint:
    given = "/".join(map(str, steps)) or "an empty point"
    return InvalidPoint(
        f"{given} is none of the five locations: header NAME, header COOKIE cookie NAME, get NAME, "
        "post form_urlencoded NAME, post json_doc json_obj NAME"
    )


def _check_configured_header(name: str) -> None:
    if name in _REFUSED_HEADERS or name.startswith("CONTENT-"):
        raise InvalidPoint(f"the header {name} cannot be an authentication parameter")
    if not _TOKEN.fullmatch(name):
        raise InvalidPoint(f"{name!r} is no header name")


__all__ = ["InvalidPoint", "Point", "PointPattern", "context", "key", "upper"]
