"""Values that a page shows with their names: definition lists, tables, fields of forms, and lines such as `Balance: 12`.

labelled(text)    [("mail", "ann@shop.example"), ("card number", "4000 1111")]
"""

import html
import re
from typing import NamedTuple

from gatecrash.core.testing.oracles.pages.markup import END, START, TEXT, Token, tokens

_LABELS = frozenset({"dt", "th", "label", "strong", "b"})
_CELLS = frozenset({"dd", "td"})
_PAIR = re.compile(r"([A-Za-z][\w -]{0,40}?)\s*[:=]\s*(\S.{0,500})", re.DOTALL)
# A cell that may be the name of the one beside it.
_NAME = re.compile(r"[A-Za-z][\w -]{0,40}:?")
_CONTROLS = frozenset({"input", "select", "button"})
_NO_VALUES = frozenset({"password", "submit", "button", "hidden", "checkbox", "radio", "image", "reset", "file"})
# What an index says of the page that it links to: `<a href="/balancer"><b>Balancer</b></a> - Spreads the load.`
_SAYS_OF_A_PAGE = re.compile(r"[-\u2013\u2014]\s")
_MOST = 2000


class Labelled(NamedTuple):
    """One value with its name. name: in lower case, without a colon."""

    name: str
    value: str


def labelled(text: str) -> list[Labelled]:
    """The values with names that a page shows, in order; a bounded number."""
    reader = _Reader(text)
    for token in tokens(text):
        reader.take(token)
        if len(reader.found) >= _MOST:
            break
    return reader.found


class _Reader:
    """Goes through a page once. A name waits for the next value; the names of a table's head wait for its rows; and the first of
    two plain cells waits for its row's end, which tells whether there are two.
    """

    def __init__(self, text: str) -> None:
        self.found: list[Labelled] = []
        self._text = text
        self._within = ""
        self._name = ""
        self._in_link = self._linked = False
        self._head: list[str] = []
        self._cells = 0
        self._heading = False
        self._plain: dict[int, str] = {}

    def take(self, token: Token) -> None:
        """The next token."""
        if token.kind == START:
            self._start(token)
        elif token.kind == END:
            self._in_link = self._in_link and token.name != "a"
            if token.name in _CELLS | _LABELS:
                self._within = ""
            elif token.name in ("tr", "table"):
                self._end_row()
        elif token.kind == TEXT:
            words = " ".join(html.unescape(self._text[token.begin : token.end]).split())
            if words:
                self._words(words)

    def _start(self, token: Token) -> None:
        if token.name == "a":
            self._in_link = True
        elif token.name == "table":
            self._head = []
        elif token.name == "tr":
            self._end_row()
            self._cells, self._heading, self._name = 0, False, ""
        elif token.name in _CONTROLS:
            if token.name == "input":
                self._field(token)
            self._name = ""  # it was the control's; what is written behind that is another one's, or a button's
        elif token.name in _CELLS | _LABELS:
            self._within = token.name
            self._cells += token.name == "td"
            self._heading = self._heading or (token.name == "th" and not self._cells)

    def _field(self, token: Token) -> None:
        attributes = {each.name.lower(): each.value for each in token.attributes}
        if attributes.get("type", "text").lower() not in _NO_VALUES and attributes.get("value"):
            self._add(attributes.get("name") or self._name, attributes["value"])

    def _words(self, words: str) -> None:
        """A name, the value of the name before it, a cell below the table's head, or both in one text."""
        if self._within in _LABELS:
            self._named(words)
        elif self._within == "td" and not self._name and 0 < self._cells <= len(self._head):
            self._add(self._head[self._cells - 1], words)
        elif self._name:
            if not (self._linked and _SAYS_OF_A_PAGE.match(words)):
                self._add(self._name, words.lstrip(":= "))
            self._name = ""
        elif pair := _PAIR.fullmatch(words):
            self._add(pair[1], pair[2])
        elif self._within == "td" and not self._head:
            self._plain.setdefault(self._cells, words)

    def _end_row(self) -> None:
        """Of two cells without a head the first is the second's name: `<td>Role</td><td>member</td>`."""
        if self._cells == 2 and self._plain.keys() == {1, 2} and _NAME.fullmatch(self._plain[1]):
            self._add(self._plain[1].rstrip(": "), self._plain[2])
        self._plain.clear()

    def _named(self, words: str) -> None:
        """A name; several in one row are the head of a table."""
        self._linked = self._in_link
        if self._within == "th" and self._heading:
            if self._name:
                self._head = self._head or [self._name]
                self._head.append(words.rstrip(": "))
            elif not self._head:
                self._name = words.rstrip(": ")
            return
        self._name = words.rstrip(": ")

    def _add(self, name: str, value: str) -> None:
        if name and value:
            self.found.append(Labelled(name.lower(), value))
