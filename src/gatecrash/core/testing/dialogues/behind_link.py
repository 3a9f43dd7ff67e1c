"""The page of what was just made, found by its link: a forum leads back to its list, where the new thread stands by its title.

leads_on(text, values)                                          whether a page has a link that says one of these values
page = yield from behind_link(situation, exchange, listing)     None where none says what was sent, or leads where the run has read

Only addresses that differ in nothing but numbers from a page that the run has read are asked for, so that none does what
nobody has done. Of several links the one with the highest number is taken: many say the same of what the tests made before.
"""

import re
from collections.abc import Generator, Iterable, Iterator
from urllib.parse import urljoin

from gatecrash.core.message import Exchange, Request, reading
from gatecrash.core.testing.asking import ask, ask_raw, response_of
from gatecrash.core.testing.dialogues.following import gives_session, known_again, own_target
from gatecrash.core.testing.known.page import Page, landing_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.pages.markup import END, START, TEXT, tokens
from gatecrash.core.testing.oracles.pages.reflection import renders
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.testing.selection.alike import kind_of

# Elements that hold one thing of a list.
_ROWS = frozenset({"tr", "li", "article", "p"})
_NUMBER = re.compile(r"\d{1,18}")
_SHORTEST, _LONGEST = 3, 200_000


def behind_link(
    situation: Situation, exchange: Exchange, listing: Page | None = None
) -> Generator[TestRequest, Answer, Exchange | None]:
    """The page behind the link that says what was sent. listing: where it stands; None for the page that the answer leads to or is."""
    request, answer = situation.baseline.request, response_of(exchange)
    send = ask_raw if gives_session(answer) else ask
    shown, at = exchange, landing_of(request, answer) if listing is None else listing.request.target
    if at is not None:
        shown = yield from send(known_again(reading(request, at), answer), "control")
    page = response_of(shown)
    if not renders(page):
        return None
    text = text_of(page)[:_LONGEST]
    known = {kind_of(each.request) for each in situation.pages if each.rendered}
    targets = _targets(shown.request, text, _sent(exchange))
    asked = (known_again(reading(request, target), answer) for target in targets)
    fit = [each for each in asked if kind_of(each) in known and each.target not in (at, request.target)]
    newest = max(fit, key=lambda each: _numbers(each.target), default=None)
    return None if newest is None else (yield from send(newest, "control"))


def leads_on(text: str, values: Iterable[str]) -> bool:
    """Whether a page, in lower case, has a link that says one of these values, or stands in a row that does."""
    said = [value.lower() for value in values]
    return any(links and any(each in words for each in said) for words, links in _rows(text[:_LONGEST]))


def _sent(exchange: Exchange) -> list[str]:
    """The texts that a request sent, in lower case, as a list says them."""
    found = (each.value for each in walked(exchange.request) if each.point[0] == "post" and not each.container)
    texts = (value.decode("utf-8", "replace").lower() for value in found)
    return [text for text in texts if len(text) >= _SHORTEST and not text.isdigit()]


def _targets(page: Request, text: str, said: list[str]) -> Iterator[bytes]:
    """Where the links of a page lead that say one of the texts, or that stand in a row of a list that does."""
    for words, links in _rows(text):
        for address in links if any(each in words for each in said) else ():
            target = own_target(page, _absolute(page, address))
            if target is not None:
                yield target


def _absolute(page: Request, address: str) -> str:
    try:
        return urljoin(page.url, address)
    except ValueError:  # an IPv6 host that is none
        return ""


def _rows(text: str) -> Iterator[tuple[str, list[str]]]:
    """The text and the links of each row; outside of rows a link stands alone."""
    words: list[str] = []
    links: list[str] = []
    in_row = False
    for token in tokens(text):
        if token.name in _ROWS and token.kind in (START, END):
            yield "".join(words).lower(), links
            words, links, in_row = [], [], token.kind == START
        elif token.kind == START and token.name == "a":
            if not in_row:
                words, links = [], []
            links += [each.value for each in token.attributes if each.name == "href"]
        elif token.kind == END and token.name == "a" and not in_row:
            yield "".join(words).lower(), links
            words, links = [], []
        elif token.kind == TEXT:
            words.append(text[token.begin : token.end])
    yield "".join(words).lower(), links


def _numbers(target: bytes) -> list[int]:
    return [int(each) for each in _NUMBER.findall(target.decode("latin-1"))]
