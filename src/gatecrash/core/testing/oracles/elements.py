"""The values of an XML document, each with the names that lead to it: the text of elements that hold no other, and attributes.

Names stand without their prefixes, as they would in JSON. A document type is not read, so that no entity of its own is either.
Feeds, site maps, drawings and pages are published by what they are, whatever they say of their authors: nothing of them is read.

elements(document, most)  so many values of it
entries(document, most)   the same by what holds them: for each element that holds values itself all those within it, named from it on
"""

from contextlib import suppress
from xml.parsers import expat

from gatecrash.core.testing.oracles.structured import is_of_syntax

Path = tuple[str, ...]

# Each value is kept with the names above it, so that a deep document would take its size times the number of its values.
_DEEPEST = 64
_PUBLISHED = frozenset({"rss", "feed", "RDF", "urlset", "sitemapindex", "OpenSearchDescription", "opml", "svg", "html"})


class _Enough(Exception):
    """There is a document type or a kind that is not read, or there is more than asked for."""


class _Reader:
    """Reads one document in one pass, up to its end or its first fault."""

    def __init__(self, most: int) -> None:
        self.found: list[tuple[Path, str]] = []
        self.within: list[tuple[int, ...]] = []
        self._most = most
        self._open: list[str] = []
        self._numbers: list[int] = []
        self._started = 0
        self._text: list[str] = []
        self._holds_none = False
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text_of_it

    def _doctype(self, *_: object) -> None:
        raise _Enough

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) == _DEEPEST or (not self._open and _bare(name) in _PUBLISHED):
            raise _Enough
        self._started += 1
        self._open.append(_bare(name))
        self._numbers.append(self._started)
        self._text, self._holds_none = [], True
        for attribute, value in attributes.items():
            if not is_of_syntax(attribute):
                self._keep((*self._open, _bare(attribute)), value, self._numbers)

    def _text_of_it(self, text: str) -> None:
        self._text.append(text)

    def _end(self, _: str) -> None:
        value = "".join(self._text).strip()
        if self._holds_none and value:
            self._keep(tuple(self._open), value, self._numbers[:-1])
        self._open.pop()
        self._numbers.pop()
        self._holds_none = False

    def _keep(self, path: Path, value: str, within: list[int]) -> None:
        if len(self.found) >= self._most:
            raise _Enough
        self.found.append((path, value))
        self.within.append(tuple(within))


def elements(document: bytes, most: int) -> list[tuple[Path, str]]:
    """As many values as asked for, in the order of the document; of one that breaks off those before."""
    return _read(document, most).found


def entries(document: bytes, most: int) -> list[list[tuple[Path, str]]]:
    """The values within each element that holds some itself, the outermost first."""
    reader = _read(document, most)
    kept: dict[int, list[tuple[Path, str]]] = {within[-1]: [] for within in sorted(reader.within) if within}
    for (path, value), within in zip(reader.found, reader.within, strict=True):
        for depth, number in enumerate(within, start=1):
            if number in kept:
                kept[number].append((path[depth:], value))
    return list(kept.values())


def _read(document: bytes, most: int) -> _Reader:
    reader = _Reader(most)
    with suppress(expat.ExpatError, _Enough, ValueError, LookupError):
        reader.parser.Parse(document, True)
    return reader


def _bare(name: str) -> str:
    return name.rpartition(":")[2]
