"""The page by which a host says that there is nothing at an address: one page, however many addresses are tried.

Another name in the path of a request mostly leads to that page and no longer to what the request asked for. What is wrong with
it is wrong once for the host, and nothing of it is the flaw of the resource that was recorded.

    if (yield from is_missing_page(inquiry, shown)): ...

A point of a path whose value is shown costs one request here, any other point none.
"""

from collections.abc import Generator
from urllib.parse import unquote

import msgspec

from gatecrash.core.message import Exchange
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.dialogues.files.file_existence import words_in, words_of_text
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.probe import Answer, TestRequest

_OF_PATHS = ("path", "action_name", "action_ext")


def is_missing_page(inquiry: Inquiry, shown: Reply) -> Generator[TestRequest, Answer, bool]:
    """Whether an answer to another name in the path says what any address says at which there is nothing, and shows
    that address as well.
    """
    if inquiry.situation.point[0] not in _OF_PATHS:
        return False
    mark = inquiry.mark(9)
    target = f"/{inquiry.mark(9)}/{mark}".encode()
    nowhere = yield from ask(msgspec.structs.replace(inquiry.situation.baseline.request, target=target), "control")
    if mark not in text_of(response_of(nowhere)).lower():
        return False
    return _said(nowhere) == _said(shown.exchange)


def _said(exchange: Exchange) -> frozenset[str]:
    """The words of an answer and its status, without those of the address."""
    return words_in(response_of(exchange)) - words_of_text(unquote(exchange.request.target.decode("latin-1")))
