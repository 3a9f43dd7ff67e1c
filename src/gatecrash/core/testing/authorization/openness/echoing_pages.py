"""Answers that show their readers what they were asked with, and nothing else.

A page for a message (`/ui/device?msg=saved`) bears the name of what people keep, and holds nothing of theirs. A POST
that has a text set (`/format`: `{"html": "<p>hello</p>"}`) or a letter filled in tells nobody what he did not have.
"""

import html
import re

from gatecrash.core.message import Request, Response
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import OK
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.pages.markup import END, RAW, START, TEXT, tokens

_WORD = re.compile(r"\w+")
_LARGEST = 20_000
# Shorter ones stand in other texts by chance.
_LEAST_TEXT = 3
_MESSAGE = re.compile(r"messages?|msg|errors?|details?|status|result|info|reason", re.IGNORECASE)
# What an application writes around each of its pages.
_FRAME = frozenset({"head", "header", "footer", "nav", "h1", "h2", "h3", "button", "label"})


def shows_only_what_was_asked(request: Request, response: Response) -> bool:
    """Whether all that a page says, headings and frame left out, stands in its address's parameters; of a page that says nothing else,
    whether its headings hold some of them (`<h1>Hello Ann</h1>`).
    """
    text = text_of(response)
    if media_type(response) != "text/html" or len(text) > _LARGEST:
        return False
    asked = [found.value.decode("utf-8", "replace") for found in walk(request).points if found.point[0] == "get"]
    known = {word for value in asked for word in _words(value)}
    within, framed = _said(text)
    said = set(_words(within))
    return said <= known if said else not known.isdisjoint(_words(framed))


def writes_out_what_was_sent(request: Request, response: Response) -> bool:
    """Whether an answer in JSON is made of the texts of a POST's body: all of them stand in it, each of its values is one or holds
    one, and another text is written around at least one. What only gives back what was sent has perhaps set it, what tells
    in a message that something was done has done it, and what brings a number or an identifier of its own has made something.
    """
    if request.method.upper() != "POST" or response.status != OK or "json" not in media_type(response):
        return False
    points = (found for found in walk(request).points if found.point[0] == "post" and not found.container)
    values = [found.value.decode("utf-8", "replace") for found in points]
    sent = [value for value in values if len(value) >= _LEAST_TEXT]
    told = [
        html.unescape(leaf.value) for leaf in leaves(response) if leaf.path and not _MESSAGE.fullmatch(leaf.path[-1])
    ]
    if not sent or not all(any(value in text for text in told) for value in sent):
        return False
    made = [text for text in told if text not in values]
    return bool(made) and all(any(value in text for value in sent) for text in made)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _said(text: str) -> tuple[str, str]:
    """The texts of a page outside its frame, those in fields and pictures too: they may be somebody's; and those of its frame."""
    said: list[str] = []
    framed: list[str] = []
    inside: list[str] = []
    for token in tokens(text):
        if token.kind == START and token.name in _FRAME:
            inside.append(token.name)
        elif token.kind == END and token.name in inside:
            del inside[inside.index(token.name) :]
        elif token.kind in (TEXT, RAW) and token.name != "title":
            (framed if inside else said).append(html.unescape(text[token.begin : token.end]))
        elif token.kind == START and not inside and token.name != "title":
            said += [each.value for each in token.attributes if each.name in ("value", "src", "href", "content")]
    return " ".join(said), " ".join(framed)
