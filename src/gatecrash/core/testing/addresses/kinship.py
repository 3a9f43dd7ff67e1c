"""Which pages list the things of which a request asks for one: `/proposals` of `/proposal?id=7`, `/fees.php` of `/fee.php?id=7`,
`?page=fees` of `?page=fee&id=7`, `incidents` of `incident(id: 7)`, `/rpc/ticket.list` of `/rpc/ticket.byId?input={"id":7}`.

Where the list stands at an address of its own, nothing but its name says what it lists. A list that is narrowed
(`?starred=1`, `my-courses`) may show what somebody has marked or joined, and says nothing of whose that is.
"""

import re
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

import orjson

from gatecrash.core.inventory.identifiers import is_identifier, look_of, singular
from gatecrash.core.message import Request
from gatecrash.core.testing.operations.graphql import argument_names, document_of, words_of
from gatecrash.core.testing.operations.one_script import names_page, page_asked
from gatecrash.core.words.names import words_in

# What is done with the things says nothing of what they are.
_SAYS_NO_KIND = re.compile(
    r"get|list|all|find|fetch|show|view|read|details?|overview|index|search|query|by|id|edit|update|change|save",
)
# What a program is kept in says nothing either; behind the dot of a function's name (`ticket.mine`) stands what it gives.
_KEPT_IN = re.compile(r"(?:php\d?|phtml|aspx?|ashx|jspx?|do|action|html?|json|xml|cgi|pl|cfm)", re.IGNORECASE)
# Behind what somebody has several of: `invoice.mine`, `/invoices/mine`.
_OWN = ("mine",)
_UNSAID = ("", "undefined")
# Each page is asked about once for every other of its host.
_MOST_KNOWN = 4_000
# What turns the leaves of a list, sorts it, or looks for a word in it, whosever the entries are.
_LEAFS = re.compile(
    r"pages?|size|per_page|limit|offset|first|after|last|before|cursor|sort|order|(?:order|sort)_by|direction|dir|q|search|term|query",
)

# Where each is shown what he has: `/account` leads to `/order?id=7`.
_OF_ONESELF = re.compile(r"(?:my_?)?(?:account|profile|dashboard|cabinet|konto|compte|cuenta)")
_BOX = re.compile(r"(?:in|out|mail|letter|post)box(?:es)?")
_SENT = re.compile(r"(?:message|e?mail|letter|memo|fax)s?")


def lists_its_kind(page: Request, request: Request) -> bool:
    """Whether a page is called as the list of what a request asks for one of, is not the request's own address, and is not narrowed."""
    one, many = kind_words(request), kind_words(page)
    if not one or len(many) != len(one) or _place(page) == _place(request):
        return False
    return (
        many[:-1] == one[:-1]
        and singular(many[-1]) == singular(one[-1])
        and all(map(_LEAFS.fullmatch, _parameters(page)))
    )


def is_called_like(page: Request, request: Request) -> bool:
    """Whether a page is called after several of what a request asks for one of, be it some of them alone: `myInvoices`
    of `invoice(id: 7)`, `invoice.mine` of `invoice.get`.
    """
    one, many = kind_words(request)[-1:], kind_words(page)
    several = many[-1:] == _OWN
    many = many[-2:-1] if several else many[-1:]
    if not (one and many) or singular(many[0]) != singular(one[0]):
        return False
    return several or singular(many[0]) != many[0]


def is_box_of(page: Request, request: Request) -> bool:
    """Whether a page is the box of what a request asks for one of, which each is shown his own of: `/inbox` of `/letter/7`.

    What a box tells of besides, as an answer to a post, may be open to all: only what is sent from one to another counts.
    """
    kind, box = kind_words(request)[-1:], kind_words(page)[-1:]
    return any(map(_SENT.fullmatch, kind)) and any(map(_BOX.fullmatch, box))


def is_of_oneself(page: Request) -> bool:
    """Whether a page is called as the one on which each finds what is his own, of whatever kind: `/account.php`."""
    return any(map(_OF_ONESELF.fullmatch, kind_words(page)[-1:]))


def how_far(page: Request, request: Request) -> int:
    """How far a page is from the list of what a request asks for one of: 0 for that list, 1 for some of them, or
    for the page of one's own that may lead to them, 2 for any other.
    """
    if lists_its_kind(page, request) or is_box_of(page, request):
        return 0
    return 1 if is_called_like(page, request) or is_of_oneself(page) else 2


@lru_cache(_MOST_KNOWN)
def kind_words(request: Request) -> tuple[str, ...]:
    """The words of an address, and of what is asked for there, that say what it is about; an identifier at its end says nothing."""
    segments = [part for part in request.path.decode("latin-1").split("/") if part]
    if segments and (look_of(segments[-1]) is not None or is_identifier(segments[-1])):
        segments = segments[:-1]
    named = (word for part in segments for word in words_in(_without_ending(part)))
    said = (*named, *words_in(page_asked(request)), *words_of(request))
    return tuple(word for word in said if _SAYS_NO_KIND.fullmatch(word) is None)


def _parameters(page: Request) -> frozenset[str]:
    """What a page is asked with: the names in its query, or in the document of a GraphQL query."""
    document = document_of(page)
    if document:
        return frozenset("_".join(words_in(name)) for name in argument_names(document))
    query = parse_qsl((page.query or b"").decode("latin-1"), keep_blank_values=True)
    if page_asked(page):
        query = [(name, value) for name, value in query if not names_page(name)]
    return frozenset("_".join(words_in(said)) for name, value in query for said in _said_by(name, value))


def _said_by(name: str, value: str) -> set[str]:
    """The parameter itself; of one that holds an object (`input={"limit":20}`) what that says, which may be nothing."""
    if not value.startswith("{"):
        return {name}
    try:
        return _members(orjson.loads(value), name)
    except orjson.JSONDecodeError:
        return {name}


def _members(value: Any, name: str) -> set[str]:
    """The names of what an object says, or one below it; nothing of what is left empty."""
    if isinstance(value, dict):
        return {said for below, each in value.items() for said in _members(each, below)}
    if isinstance(value, list):
        return {said for each in value for said in _members(each, name)}
    return set() if value is None or value in _UNSAID else {name}


def _without_ending(part: str) -> str:
    above, _, ending = part.rpartition(".")
    return above if above and _KEPT_IN.fullmatch(ending) else part


def _place(request: Request) -> tuple[bytes, str, tuple[str, ...]]:
    return request.path, page_asked(request), words_of(request)
