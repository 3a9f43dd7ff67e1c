"""What says that an object is one caller's own and not the other's: lists, pages of one's own, and fields that name an owner.

A probe that was given the object as another identity asks here whether the application itself says whose it is.
"""

import re
from collections.abc import Generator

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.access import Access
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.holder import holder_values
from gatecrash.core.testing.identity import Identity
from gatecrash.core.testing.objects import Named, listing
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import Fact
from gatecrash.core.testing.oracles.refused import refusal
from gatecrash.core.testing.ownership import (
    has_nearly_all,
    is_private,
    leaves,
    listed_apart,
    names_owner,
    self_values,
    shows,
)
from gatecrash.core.testing.probe import Answer, TestRequest

_LEAST_NAME = 3
# Fewer digits are amounts and days as well, unless the field is one for identifiers.
_LEAST_DIGITS = 5
_IDENTIFIES = re.compile(r"(?:id|no|nr|num|number|ref|reference|key|code|uid|pk)s?$", re.IGNORECASE)

_Evidence = Generator[TestRequest, Answer, str]


def evidence_of(access: Access, other: Identity, named: Named, private: frozenset[Fact], seen: Response) -> _Evidence:
    """What says that the object is the owner's, in words; empty where nothing does, or a list says that it is shared.

    private: what the owner's answer says and nobody is told without credentials. seen: what the other was given.
    """
    request, values, listed = access.request, holder_values(access.situation), False
    if named.collection is not None:
        asked = listing(request, named.collection)
        mine = response_of((yield from ask(asked, "control")))
        theirs = response_of((yield from ask_as(asked, other.name, "control")))
        if listed_apart(mine, theirs, named.value, request.path):
            return _told(named.collection)
        if _is_own_page(mine, theirs, private) and is_private(access.good, values | self_values(mine)):
            own_page = asked.path.decode("latin-1")
            return f"{own_page}, a page of the caller's own, shows it to its owner, and the other his own in its place"
        listed = is_good(theirs) and shows(theirs, named.value, request.path)
    where = b"" if listed else (yield from _listed_elsewhere(access, other, named))
    if where and (is_private(access.good) or _speaks_of(seen, values)):
        return _told(where)
    if not is_private(access.good, strictly=listed):
        return ""
    values = values or (yield from _introduced(access, other, named))
    if not is_private(access.good, values, strictly=listed):
        return ""
    if named.value.lower() in values:
        return "the identifier is the owner's own, by what says who the owner is, and the answer holds private data"
    if names_owner(access.good, values):
        return "the answer names its owner, by what says who the owner is, and holds private data"
    return ""


def is_good(response: Response) -> bool:
    """Whether an answer is a success that refuses nothing."""
    return response.status < 300 and refusal(response) is None


def _told(where: bytes) -> str:
    return f"{where.decode('latin-1')} shows the object to its owner and does not show it to the other"


def _listed_elsewhere(access: Access, other: Identity, named: Named) -> Generator[TestRequest, Answer, bytes]:
    """The recorded page that shows the object to its owner and, as good a page, not to the other; empty where none does.

    One that shows it to both says that it is shared.
    """
    address = _address(access.request, named)
    for page in access.situation.pages:
        asked = listing(access.request, page.request.target)
        mine = response_of((yield from ask(asked, "control")))
        if not is_good(mine) or not _lists(mine, named.value, address):
            continue
        theirs = response_of((yield from ask_as(asked, other.name, "control")))
        if listed_apart(mine, theirs, named.value, address):
            return page.request.target
        if is_good(theirs) and shows(theirs, named.value, address):
            return b""
    return b""


def _lists(response: Response, value: str, address: bytes) -> bool:
    """Whether a page shows the object, and not just the same number."""
    if value.isdigit() and len(value) < _LEAST_DIGITS:
        fields = [leaf for leaf in leaves(response) if leaf.value == value]
        named = any(leaf.path and _IDENTIFIES.search(leaf.path[-1]) for leaf in fields)
        return named or (not fields and shows(response, value, address))
    return shows(response, value, address)


def _address(request: Request, named: Named) -> bytes:
    """What a page links to where it shows the object: with the query where the identifier stands there."""
    return request.target if named.point[0] == "get" else request.path


def _speaks_of(response: Response, values: frozenset[str]) -> bool:
    """Whether a page names the owner in its text, as letters do."""
    names = [name for name in values if len(name) >= _LEAST_NAME and not name.isdigit()]
    text = text_of(response)
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) for name in names)


def _is_own_page(mine: Response, theirs: Response, private: frozenset[Fact]) -> bool:
    """Whether a page without an identifier shows each caller his own: the owner what is private, the other as good a page."""
    if not is_good(mine) or not is_good(theirs) or not has_nearly_all(mine, private):
        return False
    return not has_nearly_all(theirs, private) and is_private(theirs)


def _introduced(access: Access, other: Identity, named: Named) -> Generator[TestRequest, Answer, frozenset[str]]:
    """Who the owner is, by the answer to `me` beside the objects; what it says to the other, too, is left out."""
    collection = named.collection or b""
    for above in (collection, collection.rpartition(b"/")[0]):
        asked = listing(access.request, above.partition(b"?")[0] + b"/me")
        mine = response_of((yield from ask(asked, "control")))
        if is_good(mine) and self_values(mine):
            theirs = response_of((yield from ask_as(asked, other.name, "control")))
            return self_values(mine) - self_values(theirs)
    return frozenset()
