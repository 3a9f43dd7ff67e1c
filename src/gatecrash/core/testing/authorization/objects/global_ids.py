"""Identifiers that hold a kind and a number in base64, as GraphQL's global object identification has them.

told = GlobalId.read("Q2FyZDo1MTA=")     kind "Card:", inner "510"; None for anything else
told.of("511")                           the identifier of another one of the kind
told.thing                               `card`, whatever the members are called that hold it
"""

import base64
import binascii
import re
from typing import NamedTuple, Self

_LONGEST = 256
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{6,}={0,2}")
# `Card:510`, `gid://shop/Card/510`, `card|3f2a…`: a word, a sign, and what counts or draws them.
_INNER = re.compile(
    r"([\x20-\x7e]*?[A-Za-z_]\w*[:/|#-])(\d{1,18}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{24})",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\W")


class GlobalId(NamedTuple):
    """One such identifier. kind: what stands before the inner one, its sign included. padded: whether it ends in `=`."""

    kind: str
    inner: str
    padded: bool

    @classmethod
    def read(cls, value: str) -> Self | None:
        """What an identifier holds; None where it is no such one."""
        if len(value) > _LONGEST or _BASE64.fullmatch(value) is None:
            return None
        bare = value.rstrip("=")
        try:
            text = base64.b64decode(bare.translate(_FROM_URL) + "=" * (-len(bare) % 4), validate=True).decode("ascii")
        except (binascii.Error, UnicodeDecodeError):
            return None
        found = _INNER.fullmatch(text)
        return cls(found[1], found[2], bare != value or len(bare) % 4 == 0) if found is not None else None

    @property
    def thing(self) -> str:
        """What it names, in lower case: the last word of its kind."""
        return _BETWEEN.split(self.kind)[-2].lower()

    def of(self, inner: str) -> str:
        """The identifier of another one of its kind."""
        told = base64.b64encode(f"{self.kind}{inner}".encode()).decode()
        return told if self.padded else told.rstrip("=")


_FROM_URL = str.maketrans("-_", "+/")
