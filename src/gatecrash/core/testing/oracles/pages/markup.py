"""HTML divided into tokens as a browser divides it, each with its place in the text (WHATWG HTML, section 13.2.5).

Only what decides where a value stands is told apart: text, tags with their attributes and quotes, comments, and the
elements whose content is no markup. Every step moves on and looks back at nothing, so hostile pages cost linear time.
"""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

TEXT, START, END, COMMENT, RAW = "text", "start", "end", "comment", "raw"
# Their content ends at their own end tag only. `noscript` is none where scripts are off, so it is read as markup.
RAW_ELEMENTS = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"})

_NAME = re.compile(r"[A-Za-z][^\t\n\f\r />]*")
_GAP = re.compile(r"[\t\n\f\r /]*")
_ATTRIBUTE = re.compile(r"=?[^\t\n\f\r />=]*")
_EQUALS = re.compile(r"[\t\n\f\r ]*=[\t\n\f\r ]*")
_UNQUOTED = re.compile(r"[^\t\n\f\r >]*")
_COMMENT_END = re.compile(r"--!?>")
_ENDS = {name: re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE | re.ASCII) for name in RAW_ELEMENTS}


class Attribute(NamedTuple):
    """One attribute. value: with its character references read. quote: `"`, `'` or empty. begin, end: of the raw value."""

    name: str
    value: str
    quote: str
    begin: int
    end: int


class Token(NamedTuple):
    """One token. name: of a tag, and of the element that raw text stands in. attributes: of a start tag, each name once.

    For raw text they are those of its element.
    """

    kind: str
    begin: int
    end: int
    name: str = ""
    attributes: tuple[Attribute, ...] = ()


def tokens(text: str) -> Iterator[Token]:
    """The tokens in order; a tag that the text ends in is none, as in a browser."""
    position = 0
    while position < len(text):
        less = text.find("<", position)
        if less < 0:
            yield Token(TEXT, position, len(text))
            return
        if less > position:
            yield Token(TEXT, position, less)
        token = _markup(text, less)
        if token is None:
            return
        yield token
        position = token.end
        if token.kind == START and token.name in RAW_ELEMENTS:
            found = _ENDS[token.name].search(text, position)
            finish = found.start() if found else len(text)
            if finish > position:
                yield Token(RAW, position, finish, token.name, token.attributes)
            position = finish


def _markup(text: str, less: int) -> Token | None:
    """What begins with this sign; None where the text ends inside a tag."""
    if text.startswith("<!--", less):
        return Token(COMMENT, less, _comment_end(text, less + 4))
    if text.startswith(("<!", "<?"), less):
        return Token(COMMENT, less, _behind(text, less))
    if text.startswith("</", less):
        name = _NAME.match(text, less + 2)
        return _tag(text, less, END, name) if name else Token(COMMENT, less, _behind(text, less))
    name = _NAME.match(text, less + 1)
    return _tag(text, less, START, name) if name else Token(TEXT, less, less + 1)


def _comment_end(text: str, begin: int) -> int:
    """A comment ends as soon as it began with `<!-->` or `<!--->`."""
    for short in (">", "->"):
        if text.startswith(short, begin):
            return begin + len(short)
    found = _COMMENT_END.search(text, begin)
    return found.end() if found else len(text)


def _behind(text: str, begin: int) -> int:
    end = text.find(">", begin)
    return len(text) if end < 0 else end + 1


def _tag(text: str, less: int, kind: str, name: re.Match[str]) -> Token | None:
    attributes: dict[str, Attribute] = {}
    position = name.end()
    while True:
        position = _match(_GAP, text, position).end()
        if position >= len(text):
            return None
        if text[position] == ">":
            return Token(kind, less, position + 1, name[0].lower(), tuple(attributes.values()))
        attribute, position = _attribute(text, position)
        attributes.setdefault(attribute.name, attribute)


def _attribute(text: str, position: int) -> tuple[Attribute, int]:
    named = _match(_ATTRIBUTE, text, position)
    equals = _EQUALS.match(text, named.end())
    name = named[0].lower()
    if equals is None:
        return Attribute(name, "", "", named.end(), named.end()), named.end()
    begin = equals.end()
    quote = text[begin : begin + 1]
    if quote in ('"', "'") and quote:
        end = text.find(quote, begin + 1)
        end = len(text) if end < 0 else end
        return Attribute(name, html.unescape(text[begin + 1 : end]), quote, begin + 1, end), end + 1
    end = _match(_UNQUOTED, text, begin).end()
    return Attribute(name, html.unescape(text[begin:end]), "", begin, end), end


def _match(pattern: re.Pattern[str], text: str, position: int) -> re.Match[str]:
    """A match of a pattern that matches the empty text too."""
    found = pattern.match(text, position)
    assert found is not None
    return found
