"""Whether a file that visitors are given belongs to a page that is its reader's alone: the attachment of an order.

A document counts whose address is counted (`/files/833.pdf`, `/attachments/41/download`) and which a recorded page leads to
that is kept from visitors, and from another identity of no higher rank as well: he is refused there, or his page of that
address leads elsewhere. What one page leads its reader to and another's does not is no leaflet for all members. Addresses
that nobody guesses let in whoever was told them, and pictures are shown to everybody on many sites.
"""

import re
from collections.abc import Generator

from gatecrash.core.message import Response
from gatecrash.core.testing.asking import ask, ask_as, ask_raw, response_of
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.callers.peers import peers_of
from gatecrash.core.testing.authorization.openness.guarded_beside import is_for_visitors
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good, refusal
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_DOCUMENT = re.compile(
    r"application/(?:pdf|zip|rtf|msword|octet-stream|vnd\.(?:ms-|openxmlformats|oasis).*)|text/(?:csv|plain|calendar)"
)
_COUNTED = re.compile(rb"/\d{1,12}(?:\.[A-Za-z]\w{1,4})?(?=/|$)")
_MOST_PAGES = 2

_Saying = Generator[TestRequest, Answer, str]


def linked_from_kept(situation: Situation, good: Response) -> _Saying:
    """Which page leads to the file and is its reader's alone, in words; empty where none is known."""
    path = situation.baseline.request.path
    if _DOCUMENT.fullmatch(media_type(good)) is None or _COUNTED.search(path) is None:
        return ""
    peers = peers_of(situation.identities)[:1]
    if not peers or is_for_visitors(path.decode("latin-1")):
        return ""
    pages = [page for page in situation.pages if page.request.path != path and not page.visited]
    for page in pages[:_MOST_PAGES]:
        if (yield from _is_kept(situation, page, peers[0].name)):
            where = page.request.path.decode("latin-1")
            return f" {where}, which leads to it, is kept from visitors and from the identity {peers[0].name!r}."
    return ""


def _is_kept(situation: Situation, page: Page, other: str) -> Generator[TestRequest, Answer, bool]:
    """Whether a page leads its own reader to the file and nobody else."""
    request, address = situation.baseline.request, situation.baseline.request.path.decode("latin-1")
    asked = asking(request, page)
    stranger = response_of((yield from ask_raw(without_credentials(asked, situation.credentials), "control")))
    if refusal(stranger) is None or address in text_of(stranger):
        return False
    mine = response_of((yield from ask(asked, "control")))
    if not is_good(mine) or address not in text_of(mine):
        return False
    theirs = response_of((yield from ask_as(asked, other, "control")))
    return address not in text_of(theirs)
