"""Texts with variables: `${token}`; `$${token}` stands for itself. Some words are always known, fresh at each use."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from gatecrash.core.errors import InvalidProfile

_REFERENCE: Final = re.compile(r"\$(\$?)\{([^{}]*)\}")
NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
BUILT_IN: Final = ("uuid", "hex", "now", "now_ms")
"""A random UUID, 16 random bytes, and the time in whole seconds or milliseconds since 1970."""


def references(text: str) -> Iterator[str]:
    """The names that a text refers to, in order."""
    return (found[2] for found in _REFERENCE.finditer(text) if not found[1])


def fill(text: str, values: Mapping[str, str], encode: Callable[[str], str] = str) -> str:
    """The text with its variables filled in. encode: how each value is written where it is put.

    Raises InvalidProfile, which names the variable and no value, where one has no value yet.
    """

    def value(found: re.Match[str]) -> str:
        if found[1]:
            return found[0][1:]
        if found[2] not in values:
            raise InvalidProfile(f"the variable {found[2]!r} has no value yet")
        return encode(values[found[2]])

    return _REFERENCE.sub(value, text)
