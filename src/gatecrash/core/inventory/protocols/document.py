"""The operations of a GraphQL document: read token by token, no tree built, in time that grows with the text only."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gatecrash.core.inventory.protocols.call import is_name

_MOST_TOKENS = 20_000
# GraphQL specification, section 2.1: ignored characters, then punctuators, names, numbers and strings.
_TOKEN = re.compile(
    r"""[\ufeff\s,]+|\#[^\n\r]*|(?P<token>\.\.\.|[!$&():=@\[\]{|}]|[_A-Za-z][_0-9A-Za-z]*|-?[0-9][0-9.eE+-]*"""
    r'''|"""(?:[^"\\]|\\.|"(?!""))*"""|"(?:[^"\\\n\r]|\\.)*")''',
    re.VERBOSE | re.DOTALL,
)
_TYPES = frozenset({"query", "mutation", "subscription"})
_NAME = re.compile(r"[_A-Za-z][_0-9A-Za-z]*")
_AFTER_HEAD = frozenset({"{", "(", "@"})
_OPENING, _CLOSING = frozenset("{(["), frozenset("})]")


class Operation(NamedTuple):
    """One operation of a document. field: its first field, which stands in for the name of an anonymous one."""

    type: str
    name: str = ""
    field: str = ""

    def __str__(self) -> str:
        """As it is shown."""
        return f"{self.type} {self.name}" if self.name else f"{self.type} {{ {self.field} }}"


class _Tokens:
    """The document's tokens one by one; "" at its end, and at what is no token."""

    def __init__(self, text: str) -> None:
        self._source = _tokens(text)
        self._ahead: str | None = None

    def take(self) -> str:
        token, self._ahead = self._ahead, None
        return next(self._source, "") if token is None else token

    def peek(self) -> str:
        if self._ahead is None:
            self._ahead = next(self._source, "")
        return self._ahead

    def skip(self) -> None:
        """Pass over what is open, up to its end."""
        depth = 1
        while depth and (lexeme := self.take()):
            depth += (lexeme in _OPENING) - (lexeme in _CLOSING)

    def skip_to_selection(self) -> bool:
        """Pass over all up to the braces of a selection set, and into it; arguments are skipped whole."""
        while lexeme := self.take():
            if lexeme == "{":
                return True
            if lexeme in _OPENING:
                self.skip()
        return False


def first_operation(text: str, wanted: str | None = None) -> Operation | None:
    """The operation of the wanted name, else the first; None where the text is no executable document."""
    first = None
    for operation in _operations(_Tokens(text)):
        if wanted is None or operation.name == wanted:
            return operation
        first = first or operation
    return first


def _tokens(text: str) -> Iterator[str]:
    position = count = 0
    while position < len(text) and count < _MOST_TOKENS:
        found = _TOKEN.match(text, position)
        if found is None:
            return
        position = found.end()
        token = found["token"]
        if token is not None:
            count += 1
            yield token


def _operations(tokens: _Tokens) -> Iterator[Operation]:
    """Each operation in order, up to where something else stands at the top."""
    while lexeme := tokens.take():
        name = ""
        if lexeme in _TYPES:
            name = tokens.take() if _NAME.fullmatch(tokens.peek()) else ""
            # A query in words, as a search engine gets it, goes on otherwise.
            if tokens.peek() not in _AFTER_HEAD or not tokens.skip_to_selection():
                return
        elif lexeme == "fragment":
            if not tokens.skip_to_selection():
                return
        elif lexeme != "{":
            return
        if lexeme != "fragment":
            field = _field(tokens)
            if not field:
                return
            yield Operation("query" if lexeme == "{" else lexeme, name if is_name(name) else "", field)
        tokens.skip()


def _field(tokens: _Tokens) -> str:
    """The first field's own name, an alias left out; "..." for a fragment; "" for neither. The selection stays open."""
    name = tokens.peek()
    if name == "..." or not _NAME.fullmatch(name):
        return name if name == "..." else ""
    tokens.take()
    if tokens.peek() == ":":
        tokens.take()
        name = tokens.take()
    return name if is_name(name) else "..."
