"""The account, card, wallet or the like that a request takes from, named in its body by its number, `from_credit`, or above what
it does with an amount: `/boxes/80/send`.

source = source_of(request, pages, own) the field, and a page of the run that lists such things and shows this one; None for nothing

Where people are taken from by their own number (`from_user_id: 7`), the page is one that tells its reader what he has.
"""

import re
from collections.abc import Container, Iterable
from typing import NamedTuple

from gatecrash.core.inventory.identifiers import is_identifier
from gatecrash.core.message import Request
from gatecrash.core.points.found import Found
from gatecrash.core.testing.authorization.callers.oneself import asks_about_oneself
from gatecrash.core.testing.authorization.fields.balances import amount_named, moves_money
from gatecrash.core.testing.authorization.objects.named import list_above
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.names import parted

_SUFFIX = re.compile(r"_?(?:id|uuid|no|number|ref)$")
_SOURCE = re.compile(
    r"(?:from|source|src|debit|debited|payer|paying|origin)(?:_(?P<what>[a-z]{3,20}))?"
    r"|(?P<which>[a-z]{3,20})_(?:from|source|debit)|(?P<means>payment_method|card|wallet)"
)
# Whose account it is has to agree later: such a request is made of others.
_ASKS_FOR = re.compile(r"request|mandate|invoice|collect|claim|quote|dispute", re.IGNORECASE)
# What lists of such things are called, where the field names another kind, or none.
_KINDS = {"iban": (b"account",), "": (b"account", b"wallet", b"card")}
# Where somebody is told what he himself has.
_OWN = (b"wallet", b"balance", b"account", b"credit", b"points", b"coins")


class Source(NamedTuple):
    """Where it stands, and the page that lists the like."""

    found: Found
    page: Page


def source_of(request: Request, pages: Iterable[Page], own: Container[str] = ()) -> Source | None:
    """The field of a body, or the part of the path above what moves an amount, that says where something is taken from; where a
    page at which such things are listed shows its value. own: what its sender is called, in lower case.
    """
    if operation_of(request) is not None or _ASKS_FOR.search(request.path.decode("latin-1")):
        return None
    listed = list(pages)
    for each in walked(request) if request.body else ():
        name = parted(each.point[-1]).lower()
        said = _SOURCE.fullmatch(_SUFFIX.sub("", name) or name)
        if each.point[0] != "post" or each.container or said is None:
            continue
        kind = said["what"] or said["which"] or (said["means"] or "").partition("_")[0]
        words = _KINDS.get(kind, (kind.encode(),))
        value = each.value.decode("utf-8", "replace")
        # His own number may be that of an account in a list of others.
        is_himself = value.lower() in own
        fitting = (page for page in listed if (_tells_himself(page) if is_himself else _is_of(page, words)))
        page = next((page for page in fitting if _lists(page, value)), None)
        if page is not None:
            return Source(each, page)
    return _above(request, listed) if amount_named(request) is not None and moves_money(request) else None


def _above(request: Request, listed: Iterable[Page]) -> Source | None:
    """The last that the path names, where the page right above it lists it."""
    parts = [
        each for each in walked(request) if each.point[0] == "path" and is_identifier(each.value.decode("latin-1"))
    ]
    for each in parts[-1:]:
        above, value = list_above(request, each.point), each.value.decode("utf-8", "replace")
        page = next((page for page in listed if page.request.path.rstrip(b"/") == above and _lists(page, value)), None)
        return None if page is None else Source(each, page)
    return None


def _is_of(page: Page, words: Iterable[bytes]) -> bool:
    path = page.request.path.lower()
    return any(word in path for word in words)


def _tells_himself(page: Page) -> bool:
    return asks_about_oneself(page.request) or _is_of(page, _OWN)


def _lists(page: Page, value: str) -> bool:
    """Whether a page shows a value that is not asked for there."""
    return value in page.shown and value.encode() not in page.request.target
