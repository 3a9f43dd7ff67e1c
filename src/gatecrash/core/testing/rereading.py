"""Reading again what a changing request may have left: the page it leads to, and the nearest pages of the run."""

import re
from collections.abc import Generator

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.inquiry import Inquiry, Reply
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.reflection import renders
from gatecrash.core.testing.ordering import is_safe
from gatecrash.core.testing.pages import landing_of, reading
from gatecrash.core.testing.probe import Answer, TestRequest

_MOST_PAGES = 4
_LITERAL = re.compile(r"[+-]?\d+(?:\.\d+)?|true|false|null|", re.IGNORECASE)


def may_keep(inquiry: Inquiry) -> bool:
    """Whether the value may be kept and shown elsewhere: a text, in a request that may change something."""
    request = inquiry.situation.baseline.request
    return not is_safe(request) and not _LITERAL.fullmatch(inquiry.value)


def may_be_shown_later(inquiry: Inquiry) -> bool:
    """The same, where there is a page to read: one that the recorded answer leads to, or one of the run."""
    known = any(page.rendered for page in inquiry.situation.pages)
    return may_keep(inquiry) and (known or landing_of(inquiry.situation.baseline.request, inquiry.good) is not None)


def pages_showing(inquiry: Inquiry, answer: Response, mark: str) -> Generator[TestRequest, Answer, list[Request]]:
    """The questions for the pages that show the letters which the request left: one page may escape what another does not.

    Those come first that the answer leads to, and that were recorded with the baseline's own value; then the nearest.
    """
    request, value = inquiry.situation.baseline.request, inquiry.value
    landing = landing_of(request, answer)
    rendered = sorted(
        (page for page in inquiry.situation.pages if page.rendered), key=lambda page: not page.may_say(value)
    )
    known = [page.request.target for page in rendered]
    shown: list[Request] = []
    for target in list(dict.fromkeys([landing, *known] if landing else known))[:_MOST_PAGES]:
        page = reading(request, target)
        found = response_of((yield from ask(page, "control")))
        if renders(found) and mark in text_of(found).lower():
            shown.append(page)
    return shown


def showing(reply: Reply, page: Request | None) -> Generator[TestRequest, Answer, Response]:
    """The answer that shows what was sent: the reply's own, or the page's as it is now."""
    return response_of(reply.exchange if page is None else (yield from ask(page, "control")))
