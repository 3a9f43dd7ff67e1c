"""The values of an XML document, each with the names that lead to it: the text of elements that hold no other, and attributes.

Names stand without their prefixes, as they would in JSON. A document type is not read, so that no entity of its own is either.
"""

from contextlib import suppress
from xml.parsers import expat

Path = tuple[str, ...]


class _Enough(Exception):
    """There is a document type, or there are more values than asked for."""


class _Reader:
    """One pass over one document, as far as it can be read."""

    def __init__(self, most: int) -> None:
        self.found: list[tuple[Path, str]] = []
        self._most = most
        self._open: list[str] = []
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
        self._open.append(_bare(name))
        self._text, self._holds_none = [], True
        for attribute, value in attributes.items():
            if not attribute.startswith("xmlns"):
                self._keep((*self._open, _bare(attribute)), value)

    def _text_of_it(self, text: str) -> None:
        self._text.append(text)

    def _end(self, _: str) -> None:
        value = "".join(self._text).strip()
        if self._holds_none and value:
            self._keep(tuple(self._open), value)
        self._open.pop()
        self._holds_none = False

    def _keep(self, path: Path, value: str) -> None:
        if len(self.found) >= self._most:
            raise _Enough
        self.found.append((path, value))


def elements(document: bytes, most: int) -> list[tuple[Path, str]]:
    """As many values as asked for, in the order of the document; of one that breaks off those before."""
    reader = _Reader(most)
    with suppress(expat.ExpatError, _Enough, ValueError, LookupError):
        reader.parser.Parse(document, True)
    return reader.found


def _bare(name: str) -> str:
    return name.rpartition(":")[2]
