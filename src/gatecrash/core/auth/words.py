"""From the scheme word in front of a value (RFC 9110 section 11.1) to the scheme that owns it."""

from collections.abc import Iterable

from gatecrash.core.auth.scheme import Scheme

_REMEMBERED = 256


class Words:
    """Finds a scheme by its word, in any case; spellings seen are remembered, so that few are ever lowered."""

    def __init__(self, schemes: Iterable[Scheme]) -> None:
        """Take the words of these schemes; where two claim one, the earlier has it."""
        self._exact: dict[bytes, Scheme] = {}
        self._prefixes: list[tuple[bytes, Scheme]] = []
        self._spellings: dict[bytes, Scheme | None] = {}
        for scheme in schemes:
            for word in scheme.words:
                if word.endswith("*"):
                    self._prefixes.append((word[:-1].encode(), scheme))
                else:
                    self._exact.setdefault(word.encode(), scheme)

    def scheme(self, word: bytes) -> Scheme | None:
        """The scheme that owns the word as it was written; None where nobody does."""
        try:
            return self._spellings[word]
        except KeyError:
            found = self._find(word.lower())
            if len(self._spellings) < _REMEMBERED:
                self._spellings[word] = found
            return found

    def _find(self, word: bytes) -> Scheme | None:
        if word in self._exact:
            return self._exact[word]
        return next((scheme for prefix, scheme in self._prefixes if word.startswith(prefix)), None)
