"""What a GraphQL endpoint's complaints tell of its schema, in the words of graphql-js and graphql-core.

told = Complaints(errors)
told.unknown, told.suggested     names that are none, and those that were nearly guessed: `Did you mean "parcels"?`
told.fields, told.arguments      what has fields of its own, and what must be given, with their types
told.members                     the same for members of inputs, by their types; empty where the type is not told
told.lines                       by the line of a document: the type of what a value there is given to
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from gatecrash.formats.descriptions.document import as_list, as_object

MOST_ERRORS: Final = 99
"""graphql-js and graphql-core stop at the hundredth."""

_NO_FIELD = re.compile(r'Cannot query field "(\w+)" on type "(\w+)"')
_NO_ARGUMENT = re.compile(r'Unknown argument "(\w+)"')
_NO_MEMBER = re.compile(r'Field "(\w+)" is not defined by type "?(\w+)"?')
# As the next major versions say it.
_NO_MEMBER_OF = re.compile(r'Expected value of type "(\w+)[!\]]*" not to include unknown field "(\w+)"')
_LEFT_OUT = re.compile(r'Expected value of type "(\w+)[!\]]*" to include required field "(\w+)"')
_SELECTS = re.compile(r'Field "(\w+)" of type "([\w!\[\]]+)" must have a selection')
_ARGUMENT = re.compile(r'Field "(\w+)" argument "(\w+)" of type "([\w!\[\]]+)" is required')
_ARGUMENT_OF = re.compile(r'Argument "\w+\.(\w+)\((\w+):\)" of type "([\w!\[\]]+)" is required')
_MEMBER = re.compile(r'Field "?(\w+)\.(\w+)"? of required type "?([\w!\[\]]+?)"? was not provided')
_SCALAR = re.compile(r"(Int|Float|String|Boolean|ID) cannot represent")
_ENUM = re.compile(r'(?:does not exist in|Enum) "(\w+)"')
_EXPECTED = re.compile(r'Expected value of type "([\w!\[\]]+)"')
_MEANT, _NAME = re.compile(r"Did you mean (?!to use)(.*)"), re.compile(r'"(\w+)"')


class Complaints:
    """The errors of one answer, taken apart. whole: whether none was left out for their number."""

    def __init__(self, errors: Iterable[Any]) -> None:
        self.unknown: set[str] = set()
        self.suggested: list[str] = []
        self.types: dict[str, str] = {}
        self.fields: dict[str, str] = {}
        self.arguments: dict[tuple[str, str], str] = {}
        self.members: dict[tuple[str, str], str] = {}
        self.lines: dict[int, str] = {}
        self.enums: set[str] = set()
        self.unknown_lines: dict[int, list[str]] = {}
        # Newer versions of graphql-core quote in the other way.
        told = [(str(as_object(each).get("message", "")).replace("'", '"'), _line_of(each)) for each in errors]
        self.whole = len(told) <= MOST_ERRORS
        for message, line in told:
            self._take(message, line)

    def _take(self, message: str, line: int) -> None:
        if unknown := _NO_FIELD.search(message) or _NO_MEMBER.search(message):
            self._is_none(unknown[1], message, line, of=unknown[2])
        elif unknown := _NO_MEMBER_OF.search(message):
            self._is_none(unknown[2], message, line, of=unknown[1])
        elif unknown := _NO_ARGUMENT.search(message):
            self._is_none(unknown[1], message, line)
        elif selects := _SELECTS.search(message):
            self.fields[selects[1]] = selects[2]
        elif wanted := _ARGUMENT.search(message) or _ARGUMENT_OF.search(message):
            self.arguments[wanted[1], wanted[2]] = wanted[3]
        elif member := _MEMBER.search(message):
            self.members[member[1], member[2]] = member[3]
        elif left_out := _LEFT_OUT.search(message):
            self.members[left_out[1], left_out[2]] = ""
        elif kind := _ENUM.search(message):
            self.enums.add(kind[1])
            self.lines[line] = kind[1]
            self.suggested += suggestions_in(message)
        elif kind := _SCALAR.search(message) or _EXPECTED.search(message):
            self.lines[line] = kind[1]

    def _is_none(self, name: str, message: str, line: int, of: str = "") -> None:
        self.unknown.add(name)
        self.suggested += suggestions_in(message)
        self.unknown_lines[line] = suggestions_in(message)
        if of:
            self.types[name] = of


def suggestions_in(message: str) -> list[str]:
    """The names that a complaint suggests."""
    meant = _MEANT.search(message)
    return _NAME.findall(meant[1]) if meant else []


def _line_of(error: Any) -> int:
    return next(iter(_lines(error)), 0)


def _lines(error: Any) -> Iterator[int]:
    for place in map(as_object, as_list(as_object(error).get("locations"))):
        if isinstance(place.get("line"), int):
            yield place["line"]
