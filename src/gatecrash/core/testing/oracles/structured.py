"""An answer as objects and lists: JSON as it is; of XML each element that holds others or attributes as an object, the
others as texts.

`<order id="7"><item>tea</item><item>jam</item></order>` is `{"order": {"id": "7", "item": ["tea", "jam"]}}`. Names
stand without their prefixes, elements of one name are a list, and of SOAP what its body holds is all (SOAP 1.1, section
4). A document type is not read, so that no entity of its own is either. Pages, feeds and drawings are none of it.
"""

import re
from typing import Any, Final
from xml.parsers import expat

import orjson

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import content_of, media_type

_DEEPEST: Final = 32
_MOST_ELEMENTS: Final = 5_000
_MOST_BYTES: Final = 4 * 1024 * 1024
# Where names come from, what type a value is of (XML Schema part 1, section 2.6), and how it is encoded (SOAP 1.1, section 5).
_OF_SYNTAX: Final = re.compile(r"xmlns(?::.*)?|xsi:.*|[\w.-]+:(?:arrayType|encodingStyle|arraySize|itemType)")
_PUBLISHED: Final = ("xhtml", "rss", "atom", "svg")


def structured(response: Response) -> Any:
    """What an answer tells; None where it is neither, broken, compressed beyond reading or too large."""
    content = content_of(response)
    if not content or len(content) > _MOST_BYTES:
        return None
    if content.lstrip()[:1] == b"<":
        kind = media_type(response)
        return _of_xml(content) if "xml" in kind and not any(each in kind for each in _PUBLISHED) else None
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        return None


def is_of_syntax(attribute: str) -> bool:
    """Whether an attribute of XML says how something is written, and nothing of what it is: `xsi:type`."""
    return _OF_SYNTAX.fullmatch(attribute) is not None


class _TooMuch(Exception):
    """There is a document type, or more than is read."""


def _of_xml(content: bytes) -> Any:
    reader = _Reader()
    try:
        reader.parser.Parse(content, True)
    except (expat.ExpatError, ValueError, LookupError, _TooMuch):
        return None
    told: dict[str, Any] = reader.stack[0]
    envelope = told.get("Envelope")
    return envelope.get("Body") if isinstance(envelope, dict) else told


class _Reader:
    """One pass over one document; the stack ends with what is read whole."""

    def __init__(self) -> None:
        self.stack: list[dict[str, Any]] = [{}]
        self._texts: list[list[str]] = [[]]
        self._elements = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.StartElementHandler = self._begin
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = lambda text: self._texts[-1].append(text)

    def _refuse(self, *_: object) -> None:
        raise _TooMuch

    def _begin(self, _name: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if self._elements > _MOST_ELEMENTS or len(self.stack) > _DEEPEST:
            raise _TooMuch
        told = {_bare(name): value for name, value in attributes.items() if not is_of_syntax(name)}
        self.stack.append(told)
        self._texts.append([])

    def _end(self, name: str) -> None:
        told, text = self.stack.pop(), "".join(self._texts.pop()).strip()
        value: Any = told or text
        around, called = self.stack[-1], _bare(name)
        if called not in around:
            around[called] = value
        elif isinstance(around[called], list):
            around[called].append(value)
        else:
            around[called] = [around[called], value]


def _bare(name: str) -> str:
    return name.rpartition(":")[2]
