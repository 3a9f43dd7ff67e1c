"""Expressions that read names and addresses, whatever of the known languages they are written in."""

import re
from typing import Final

from gatecrash.core.words.english import bytes_in_english, in_english


class Words:
    """An expression of English words that is looked for in a text as it is written, and in what it says in English."""

    __slots__ = ("pattern",)

    def __init__(self, expression: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        """expression: as `re.compile` takes it. flags: likewise.

        Raises re.error where it is none.
        """
        self.pattern: Final = re.compile(expression, flags)

    def search(self, text: str) -> re.Match[str] | None:
        """Where it is found, in the text or in what it says in English."""
        return self.pattern.search(text) or (None if (said := in_english(text)) == text else self.pattern.search(said))

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Likewise for the whole text."""
        return self.pattern.fullmatch(text) or (
            None if (said := in_english(text)) == text else self.pattern.fullmatch(said)
        )

    def match(self, text: str) -> re.Match[str] | None:
        """Likewise for its beginning."""
        return self.pattern.match(text) or (None if (said := in_english(text)) == text else self.pattern.match(said))


class ByteWords:
    """The same for bytes."""

    __slots__ = ("pattern",)

    def __init__(self, expression: bytes, flags: re.RegexFlag = re.NOFLAG) -> None:
        """expression, flags: as `re.compile` takes them.

        Raises re.error where it is none.
        """
        self.pattern: Final = re.compile(expression, flags)

    def search(self, text: bytes) -> re.Match[bytes] | None:
        """Where it is found, in the text or in what it says in English."""
        return self.pattern.search(text) or (
            None if (said := bytes_in_english(text)) == text else self.pattern.search(said)
        )
