"""The pattern `file_extensions_to_exclude` (contract 4.3), matched in time linear in pattern and extension.

`.` stands for any one character, `x*` for zero or more of x, `x?` for zero or one; `|` and `,` separate alternatives, and
blanks around them are ignored. The whole extension of the last path segment must match; case does not matter.
A regular expression engine would do the same, and could be made to run for hours by a pattern such as `a*a*a*a*b`.
"""

from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from gatecrash.core.errors import InvalidPattern

LONGEST_PATTERN = 4096
_ANY = ""
_UNREADABLE = frozenset("()[]{}+^$\\/")


class _Element(NamedTuple):
    """One character (empty for any), whether it may be absent, and whether it may repeat."""

    character: str
    optional: bool
    repeated: bool


class ExtensionsFilter:
    """A compiled pattern; the empty one excludes nothing."""

    def __init__(self, pattern: str) -> None:
        """Compile the pattern.

        Raises InvalidPattern with the position (from 1) of what cannot be read.
        """
        if len(pattern) > LONGEST_PATTERN:
            raise InvalidPattern(f"the pattern has {len(pattern)} characters; {LONGEST_PATTERN} are allowed")
        self._alternatives = _compile(pattern)

    def excludes(self, path: bytes) -> bool:
        """Whether the extension of the path's last segment matches; a path without one is never excluded."""
        extension = extension_of(path)
        return bool(extension) and any(_matches(elements, extension) for elements in self._alternatives)


def extension_of(path: bytes) -> str:
    """What follows the last dot of a raw path's last segment, in lower case; empty where there is none."""
    segment = path.rpartition(b"/")[2].partition(b";")[0]
    _, dot, extension = unquote_to_bytes(segment).rpartition(b".")
    return extension.decode("utf-8", "replace").lower() if dot else ""


def _compile(pattern: str) -> tuple[tuple[_Element, ...], ...]:
    alternatives: list[tuple[_Element, ...]] = []
    start = 0
    for end in (*(index for index, character in enumerate(pattern) if character in "|,"), len(pattern)):
        elements = _elements(pattern[start:end], start)
        if elements:
            alternatives.append(elements)
        start = end + 1
    return tuple(alternatives)


def _elements(alternative: str, offset: int) -> tuple[_Element, ...]:
    position = offset + len(alternative) - len(alternative.lstrip())
    elements: list[_Element] = []
    quantified = True
    for index, character in enumerate(alternative.strip().lower(), start=position + 1):
        if character in "*?":
            if quantified:
                raise InvalidPattern(f"nothing before `{character}` at position {index} that it could repeat")
            elements[-1] = _Element(elements[-1].character, optional=True, repeated=character == "*")
            quantified = True
        elif character in _UNREADABLE or character.isspace():
            shown = "a blank" if character.isspace() else f"`{character}`"
            raise InvalidPattern(f"{shown} at position {index} has no meaning here; use . * ? | and plain characters")
        else:
            elements.append(_Element(_ANY if character == "." else character, optional=False, repeated=False))
            quantified = False
    return tuple(elements)


def _matches(elements: tuple[_Element, ...], text: str) -> bool:
    """Walk all ways through the pattern at once: as many steps as characters times elements, never more."""
    reached = _skip(elements, {0})
    for character in text:
        following: set[int] = set()
        for index in reached:
            if index < len(elements) and elements[index].character in (_ANY, character):
                following.add(index if elements[index].repeated else index + 1)
        reached = _skip(elements, following)
        if not reached:
            return False
    return len(elements) in reached


def _skip(elements: tuple[_Element, ...], reached: set[int]) -> set[int]:
    """The positions reached, and those behind elements that may be absent."""
    closed: set[int] = set()
    for index in reached:
        while index not in closed:
            closed.add(index)
            if index < len(elements) and elements[index].optional:
                index += 1
    return closed
