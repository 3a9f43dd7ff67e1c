"""From the scheme word in front of a value (RFC 9110 section 11.1) to the scheme that owns it."""

from collections.abc import Iterable

from gatecrash.core.auth.scheme import Scheme

_REMEMBERED = 256


class Words(dict[bytes, Scheme | None]):
    """From a word as it was written to the scheme that owns it; None where nobody does.

    Spellings seen are remembered, so that few are ever lowered.
    """

    def __init__(self, schemes: Iterable[Scheme]) -> None:
        """Take the words of these schemes; where two claim one, the earlier has it."""
        super().__init__()
        self._exact: dict[bytes, Scheme] = {}
        self._prefixes: list[tuple[bytes, Scheme]] = []
        self._parts: list[tuple[bytes, Scheme]] = []
        for scheme in schemes:
            for word in scheme.words:
                if word.startswith("*"):
                    self._parts.append((word.strip("*").encode(), scheme))
                elif word.endswith("*"):
                    self._prefixes.append((word[:-1].encode(), scheme))
                else:
                    self._exact.setdefault(word.encode(), scheme)

    def __missing__(self, word: bytes) -> Scheme | None:
        found = self._find(word.lower())
        if len(self) < _REMEMBERED:
            self[word] = found
        return found

    def _find(self, word: bytes) -> Scheme | None:
        if word in self._exact:
            return self._exact[word]
        by_prefix = next((scheme for prefix, scheme in self._prefixes if word.startswith(prefix)), None)
        return by_prefix or next((scheme for part, scheme in self._parts if part in word), None)
