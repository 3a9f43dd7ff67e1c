"""The notation of points: which words there are, what may follow each, and both ways to write them.

The grammar, word by word (NAME is any text, N a number from 0):

    uri | action_name | action_ext | path N | get NAME | header NAME | header COOKIE cookie NAME | post
    post form_urlencoded NAME | post multipart NAME [filename | content_type] | post json_doc … | post xml …
    json_doc (json_obj NAME | json_array N)…        xml (xml_tag NAME)… [xml_attr NAME]
    csv csv_row N csv_column N                      ndjson json_array N …   (N: the line)   msgpack and grpc, as json_doc
    base64 | gzip | jwt (jwt_header | jwt_payload | jwt_signature) | json_doc | ndjson | xml | csv | form_urlencoded  inside any value
    list N                                          inside any value: `1,2,3`
    literal N                                       inside any value: `Name eq 'x' and Kind eq 'y'`
    percent                                         inside any value: `http%3A%2F%2Fa.example` in a header
    zip NAME                                        inside any value: a file in an archive
    array N, hash NAME behind a name: `a[]=1`, `a[b]=1`; `array N` also counts a name that occurs more than once
    name, as the last word: the name itself and not its value
"""

import re
from collections.abc import Iterable
from typing import Final

from gatecrash.core.errors import InvalidPoint

NOTHING: Final = ""
NAME: Final = "a name"
INDEX: Final = "a number"

_DECODERS: Final = frozenset(
    {
        "base64",
        "grpc",
        "gzip",
        "jwt",
        "json_doc",
        "ndjson",
        "xml",
        "form_urlencoded",
        "csv",
        "list",
        "literal",
        "msgpack",
        "percent",
        "zip",
    }
)
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
    "msgpack": (NOTHING, _DECODERS | {"json_obj", "json_array"}),
    "grpc": (NOTHING, _DECODERS | {"json_obj", "json_array"}),
    "ndjson": (NOTHING, frozenset({"json_array"})),
    "list": (INDEX, _DECODERS),
    "literal": (INDEX, _NONE),
    "csv": (NOTHING, frozenset({"csv_row"})),
    "csv_row": (INDEX, frozenset({"csv_column"})),
    "csv_column": (INDEX, _DECODERS),
    "array": (INDEX, None),
    "hash": (NAME, None),
    "base64": (NOTHING, _DECODERS),
    "gzip": (NOTHING, _DECODERS),
    "percent": (NOTHING, _DECODERS),
    "zip": (NAME, _ONE),
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

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ASCII_UPPER: Final = {lower: lower - 32 for lower in range(ord("a"), ord("z") + 1)}


def upper(name: str) -> str:
    """A header's name in capitals; only ASCII letters have case there (RFC 9110 section 5.1)."""
    return name.translate(_ASCII_UPPER)


def as_steps(steps: Iterable[object]) -> list[str]:
    """The steps as a list of strings; raises InvalidPoint with the step that is none."""
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


def check(steps: list[str]) -> None:
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


def words(point: tuple[str, ...]) -> list[tuple[str, str]]:
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


def underscored(point: tuple[str, ...]) -> str:
    """The underscore form, ambiguous or not."""
    pieces: list[str] = []
    ending = "value"
    for word, argument in words(point):
        if word == "name":
            ending = "name"
            continue
        pieces.append(_ALIASES.get(word, (word.upper(),))[0])
        if _GRAMMAR.get(word, (NOTHING, None))[0]:
            pieces.append(argument)
    return "_".join((*pieces, ending))


class _Reader:
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
        # Within JSON, ARRAY is an array's; a repeated name's position cannot be told from it and is not written so.
        for word in sorted(allowed - {"array"} if "json_array" in allowed else allowed):
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


def from_underscored(text: str) -> list[str]:
    """The steps of the underscore form, not yet checked. Raises InvalidPoint."""
    return _Reader(text).steps()
