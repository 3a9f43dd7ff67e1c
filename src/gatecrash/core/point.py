"""A point: one place in a request, named by the walk that leads to it through its nested encodings.

`Point(("post", "json_doc", "json_obj", "user", "json_obj", "name"))` is the field `name` of the object `user` in the
JSON body. Authentication parameters, insertion points, policies, extensions and the Path column all use this notation.

The grammar, word by word (NAME is any text, N a number from 0):

    uri | action_name | action_ext | path N | get NAME | header NAME | header COOKIE cookie NAME | post
    post form_urlencoded NAME | post multipart NAME [filename | content_type] | post json_doc … | post xml …
    json_doc (json_obj NAME | json_array N)…        xml (xml_tag NAME)… [xml_attr NAME]
    base64 | gzip | jwt (jwt_header | jwt_payload | jwt_signature) | json_doc | xml | form_urlencoded  inside any value
    array N, hash NAME behind a name: `a[]=1`, `a[b]=1`; `array N` also counts a name that occurs more than once
    name, as the last word: the name itself and not its value
"""

import re
from collections.abc import Iterable
from typing import Final, Self

from gatecrash.core.errors import InvalidPattern, InvalidPoint

NOTHING: Final = ""
NAME: Final = "a name"
INDEX: Final = "a number"

_DECODERS: Final = frozenset({"base64", "gzip", "jwt", "json_doc", "xml", "form_urlencoded"})
_LOCATIONS: Final = frozenset({"uri", "action_name", "action_ext", "path", "get", "header", "post"})
_JSON: Final = _DECODERS | {"json_obj", "json_array", "array", "name"}
_XML: Final = _DECODERS | {"xml_tag", "xml_attr", "array", "name"}
_PAIR: Final = _DECODERS | {"array", "hash", "name"}
_ONE: Final = _DECODERS | {"array", "name"}
_MULTIPART: Final = _ONE | {"filename", "content_type"}
_NONE: Final[frozenset[str]] = frozenset()

# word: what must follow it, and the words that may come next (None: those that might have come instead of it)
_GRAMMAR: Final[dict[str, tuple[str, frozenset[str] | None]]] = {
    "uri": (NOTHING, _NONE),
    "action_name": (NOTHING, _NONE),
    "action_ext": (NOTHING, _NONE),
    "path": (INDEX, _DECODERS),
    "get": (NAME, _PAIR),
    "header": (NAME, _ONE),
    "cookie": (NAME, _ONE),
    "post": (NOTHING, _DECODERS | {"multipart"}),
    "form_urlencoded": (NAME, _PAIR),
    "multipart": (NAME, _MULTIPART),
    "filename": (NOTHING, _NONE),
    "content_type": (NOTHING, _NONE),
    "json_doc": (NOTHING, _DECODERS | {"json_obj", "json_array"}),
    "json_obj": (NAME, _JSON),
    "json_array": (INDEX, _JSON),
    "xml": (NOTHING, frozenset({"xml_tag"})),
    "xml_tag": (NAME, _XML),
    "xml_attr": (NAME, _DECODERS),
    "array": (INDEX, None),
    "hash": (NAME, None),
    "base64": (NOTHING, _DECODERS),
    "gzip": (NOTHING, _DECODERS),
    "jwt": (NOTHING, frozenset({"jwt_header", "jwt_payload", "jwt_signature"})),
    "jwt_header": (NOTHING, _DECODERS),
    "jwt_payload": (NOTHING, _DECODERS),
    "jwt_signature": (NOTHING, _NONE),
    "name": (NOTHING, _NONE),
}

# The underscore form's own words; every other word is written in capitals.
_ALIASES: Final[dict[str, tuple[str, ...]]] = {
    "json_obj": ("HASH", "JSON_OBJ"),
    "json_array": ("ARRAY", "JSON_ARRAY"),
    "array": ("ARRAY", "XML_TAG_ARRAY"),
}

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
    "xml": "XML",
    "xml_tag": "XML element",
    "xml_attr": "XML attribute",
    "jwt_header": "JWT",
    "jwt_payload": "JWT",
    "jwt_signature": "JWT",
}

MAX_NAME: Final = 256
_REFUSED_HEADERS: Final = frozenset({"COOKIE", "HOST", "USER-AGENT"})
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]|\s")
# RFC 9110 section 5.1: a field name is a token; capitals only in a point.
_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_ASCII_UPPER: Final = {lower: lower - 32 for lower in range(ord("a"), ord("z") + 1)}


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
        walked = _as_steps(steps)
        _check(walked)
        if walked[0] == "header":
            walked[1] = upper(walked[1])
        return cls(walked)

    @classmethod
    def parse_configured(cls, value: object) -> Self:
        """An authentication parameter's point: `[[…]]` or a bare `[…]`, in one of the five shapes of contract 2.3.

        Raises InvalidPoint for any other shape, a name that is empty, too long or not printable, and the headers
        that are no credential of their own.
        """
        point = cls.parse(_single_location(value))
        name = _configured_name(point)
        if not name:
            raise InvalidPoint("the name is empty")
        if len(name) > MAX_NAME:
            raise InvalidPoint(f"the name has {len(name)} characters; at most {MAX_NAME} are allowed")
        if _UNPRINTABLE.search(name):
            raise InvalidPoint(f"the name {name!r} holds a space or a control character")
        if point[0] == "header" and len(point) == 2:
            _check_configured_header(name)
        return point

    @classmethod
    def from_underscores(cls, text: str) -> Self:
        """A point from the underscore form: `POST_JSON_DOC_HASH_user_value`, `GET_q_name`.

        A name ends where the next word that may follow it begins, so names that hold such a word in capitals cannot
        be written. Raises InvalidPoint.
        """
        steps = _Underscored(text).steps()
        _check(steps)
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
        text = _underscored(self)
        try:
            again = tuple(_Underscored(text).steps())
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
            walked = _as_steps(steps)
        except InvalidPoint as error:
            raise InvalidPattern(str(error)) from error
        return cls("/".join(walked), tuple(_compile(step) for step in walked), None)

    @classmethod
    def from_underscores(cls, text: str) -> Self:
        """A pattern over the underscore form, `GET_.*_value`. Raises InvalidPattern."""
        return cls(text, (), _compile(text))

    def matches(self, point: Iterable[str]) -> bool:
        """Whether the pattern names this very point (not merely a place within it)."""
        steps = tuple(point)
        if self._whole is not None:
            return _full(self._whole, _underscored(steps))
        return len(steps) == len(self._steps) and all(map(_full, self._steps, steps))


def context(point: Iterable[str]) -> str:
    """What kind of place it is, for a person: "header", "cookie", "query", "form field", "JSON field", "path", …"""
    found = ""
    for word, _ in _words(tuple(point)):
        found = _CONTEXTS.get(word, found)
    return found


def key(point: Iterable[str]) -> str:
    """The parameter's name, as the Key column shows it: `AUTHORIZATION`, `sid`, `a[b]`, `items[0]`; "" where nameless."""
    name = ""
    for word, argument in _words(tuple(point)):
        if word in ("hash", "json_array"):
            name += f"[{argument}]"
        elif word not in ("array", "xml_attr") and argument:
            name = argument
        elif word == "xml_attr":
            name += f"@{argument}"
    return name


def upper(name: str) -> str:
    """A header's name in capitals; only ASCII letters have case there (RFC 9110 section 5.1)."""
    return name.translate(_ASCII_UPPER)


def _as_steps(steps: Iterable[object]) -> list[str]:
    if isinstance(steps, (str, bytes, dict)) or not isinstance(steps, Iterable):
        raise InvalidPoint('a point is a list of strings, as ["get", "q"]')
    walked: list[str] = []
    for position, step in enumerate(steps):
        if not isinstance(step, str):
            raise InvalidPoint(f"step {position} of the point is {step!r}; every step is a string")
        if _SURROGATE.search(step):
            raise InvalidPoint(f"step {position} of the point holds half a character (a lone surrogate)")
        walked.append(str(step))
    if not walked:
        raise InvalidPoint("the point is empty; it begins with " + _listed(_LOCATIONS))
    return walked


def _check(steps: list[str]) -> None:
    """Walk the grammar; raise InvalidPoint at the first step that it does not allow."""
    allowed = _LOCATIONS
    position = 0
    while position < len(steps):
        word = steps[position]
        if word not in allowed:
            expected = f"it may be {_listed(allowed)}" if allowed else "the point ends before it"
            raise InvalidPoint(f"step {position} of the point is {word!r}; {expected}")
        argument, following = _GRAMMAR[word]
        position += 1
        if argument:
            _check_argument(steps, position, argument)
            position += 1
        if following is not None:
            allowed = following
        if word == "header" and upper(steps[1]) == "COOKIE":
            allowed = frozenset({"cookie", "array", "name"})


def _check_argument(steps: list[str], position: int, argument: str) -> None:
    if position >= len(steps):
        raise InvalidPoint(f"after {steps[position - 1]!r} the point must name {argument}")
    given = steps[position]
    if argument == INDEX and not (given.isascii() and given.isdigit() and len(given) < 10):
        raise InvalidPoint(f"step {position} of the point is {given!r}; after {steps[position - 1]!r} comes a number")


def _listed(words: frozenset[str]) -> str:
    return ", ".join(sorted(words))


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
    raise InvalidPoint(
        f"{point} is none of the five locations: header NAME, header COOKIE cookie NAME, get NAME, "
        "post form_urlencoded NAME, post json_doc json_obj NAME"
    )


def _check_configured_header(name: str) -> None:
    if name in _REFUSED_HEADERS or name.startswith("CONTENT-"):
        raise InvalidPoint(f"the header {name} cannot be an authentication parameter")
    if not _TOKEN.fullmatch(name):
        raise InvalidPoint(f"{name!r} is no header name")


def _words(point: tuple[str, ...]) -> list[tuple[str, str]]:
    """The point cut into words of the grammar, each with its argument or ""."""
    words: list[tuple[str, str]] = []
    position = 0
    while position < len(point):
        word = point[position]
        wants = _GRAMMAR.get(word, (NOTHING, None))[0]
        argument = point[position + 1] if wants and position + 1 < len(point) else ""
        words.append((word, argument))
        position += 2 if wants else 1
    return words


def _underscored(point: tuple[str, ...]) -> str:
    pieces: list[str] = []
    ending = "value"
    for word, argument in _words(point):
        if word == "name":
            ending = "name"
            continue
        pieces.append(_ALIASES.get(word, (word.upper(),))[0])
        if _GRAMMAR.get(word, (NOTHING, None))[0]:
            pieces.append(argument)
    return "_".join((*pieces, ending))


class _Underscored:
    """Reads the underscore form from left to right; what may come next is the grammar's."""

    def __init__(self, text: str) -> None:
        for ending in ("value", "name"):
            if text.endswith("_" + ending):
                self._text = text[: -len(ending)]  # keeps the underscore: every word then ends with one
                self._ending = ending
                return
        raise InvalidPoint(f"{text!r} does not end in _value or _name")

    def steps(self) -> list[str]:
        """The steps of the point."""
        steps: list[str] = []
        allowed = _LOCATIONS
        rest = self._text
        while rest:
            word, rest = self._word(rest, allowed)
            steps.append(word)
            argument, following = _GRAMMAR[word]
            if following is not None:
                allowed = following
            if argument:
                name, rest = self._argument(rest, allowed | {"cookie"} if word == "header" else allowed)
                steps.append(name)
                if word == "header" and upper(name) == "COOKIE":
                    allowed = frozenset({"cookie", "array"})
        return [*steps, "name"] if self._ending == "name" else steps

    @staticmethod
    def _word(rest: str, allowed: frozenset[str]) -> tuple[str, str]:
        best = ("", "")
        for word in sorted(allowed):
            for written in _ALIASES.get(word, (word.upper(),)):
                if rest.startswith(written + "_") and len(written) > len(best[1]):
                    best = (word, written)
        if not best[0]:
            raise InvalidPoint(f"{rest.rstrip('_')!r} does not begin with one of {_listed(allowed).upper()}")
        return best[0], rest[len(best[1]) + 1 :]

    @staticmethod
    def _argument(rest: str, allowed: frozenset[str]) -> tuple[str, str]:
        """The name up to the next word that may follow it, or up to the end."""
        cut = len(rest) - 1
        for word in allowed:
            for written in _ALIASES.get(word, (word.upper(),)):
                at = rest.find(f"_{written}_")
                if 0 <= at < cut:
                    cut = at
        if cut < 0:
            raise InvalidPoint("a name is missing before its end")
        return rest[:cut], rest[cut + 1 :]


# Python's matcher backtracks. A repeat around a repeat, or around alternatives, can take exponential time, and each
# further repeat multiplies it by the subject's length; a tenant's pattern must not be able to stop the service.
_MAX_PATTERN: Final = 256
_MAX_REPEATS: Final = 4
_MAX_SUBJECT: Final = 200
_ATOM: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[*+?]\??|\{[0-9]*,?[0-9]*\}\??|[()|]|[^\\]", re.DOTALL)


def _compile(text: str) -> re.Pattern[str]:
    if len(text) > _MAX_PATTERN:
        raise InvalidPattern(f"the pattern has {len(text)} characters; at most {_MAX_PATTERN} are allowed")
    try:
        pattern = re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise InvalidPattern(f"{text!r} is no regular expression: {error}") from error
    _check_cost(text)
    return pattern


def _check_cost(text: str) -> None:
    """Raise InvalidPattern where matching could take longer than a polynomial of low degree."""
    open_groups = [False]  # per open group: whether it holds a repeat or alternatives
    closed = False  # whether the atom just read is a group that does
    repeats = 0
    for atom in _ATOM.findall(text):
        if atom == "(":
            open_groups.append(False)
            closed = False
        elif atom == ")" and len(open_groups) > 1:
            closed = open_groups.pop()
            open_groups[-1] |= closed
        elif atom[0] in "*+{" and len(atom) <= 12:
            repeats += 1
            if closed or repeats > _MAX_REPEATS:
                raise InvalidPattern(
                    f"{text!r} could take too long: no repeat around a repeat or around alternatives, "
                    f"and at most {_MAX_REPEATS} repeats"
                )
            open_groups[-1] = True
        elif atom == "|":
            open_groups[-1] = True
            closed = False
        elif atom[0] != "?":
            closed = False


def _full(pattern: re.Pattern[str], subject: str) -> bool:
    return len(subject) <= _MAX_SUBJECT and pattern.fullmatch(subject) is not None


__all__ = ["InvalidPoint", "Point", "PointPattern", "context", "key", "upper"]
