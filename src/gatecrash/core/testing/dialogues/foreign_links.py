"""What a link on another site's page changes: letters that it leaves, which a page shows from then on.

link = Link(inquiry, values, home)      by what is marked: the texts that are kept as they are; home: the cookies that do not come along
yield from link.followed()              whether it was ever taken, and the last answer and the page, where it is proven
yield from link.told(entry, …)          the same as a verdict
"""

import re
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from typing import NamedTuple

import msgspec

from gatecrash.core.message import Exchange, Request, reading, without_header
from gatecrash.core.point import Point
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.dialogues.other_site import PASSWORD, as_other_site, is_secret
from gatecrash.core.testing.dialogues.reading_after import Values, write_all
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.forms.tokens import is_form_token
from gatecrash.core.testing.known.page import asking, landing_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.oracles.outcomes.told_changes import names_change
from gatecrash.core.testing.oracles.pages.reflection import renders
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict

_MOST_PAGES, _MOST_TRIES, _LONGEST, _LETTERS, _TURNS = 2, 3, 512, 9, 2
_TEXT = re.compile(r"[^\W\d_]{2}")
_NAME = re.compile(r"[A-Za-z_-]{3,24}")
# Fields that say what is done, and where to go then.
_CALLS = re.compile(
    r"_?(?:act(?:ion)?|op(?:eration)?|cmd|command|do|task|mode|method|submit|next|(?:return|redirect)(?:_?(?:to|url))?)",
    re.IGNORECASE,
)
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w.-]{1,253}")
_LITERAL = re.compile(r"true|false|null|none|on|off|yes|no", re.IGNORECASE)


class Followed(NamedTuple):
    """What came of a link. taken: it was answered well. again, page: the last answer and the page that shows it; None where not proven."""

    taken: bool
    again: Exchange | None = None
    page: Request | None = None


class Link(NamedTuple):
    """A link on another site's page. texts: the values that are told to be kept. home: the cookies that do not come
    along with links.

    written: the request that the link makes of one that was recorded, with other values.
    """

    inquiry: Inquiry
    texts: Values
    home: tuple[Point, ...]
    written: Callable[[Request], Request]

    def followed(self) -> Generator[TestRequest, Answer, Followed]:
        """All texts at once, then each by itself, until a page shows one; then what else may have left it there."""
        taken = False
        for values in islice(_tries(self.texts), _MOST_TRIES):
            first = yield from self._sent(values, self.inquiry.mark(_LETTERS), "test")
            taken = taken or first is not None
            page = (yield from self._page_showing(first)) if first is not None else None
            if first is not None and page is not None:
                again = yield from self._confirmed(values, first, page)
                return Followed(taken, again, page)
        return Followed(taken)

    def told(self, entry: Entry, threat: int, proven: str, what: str) -> Generator[TestRequest, Answer, Verdict]:
        """The verdict; where the link was taken, what was recorded is sent once more, so that it stands there again.

        proven: the proof in words, with a place for the page. what: the finding in a few.
        """
        taken, again, page = yield from self.followed()
        if taken:
            yield from ask(self.inquiry.situation.baseline.request, "control")
        if again is None or page is None:
            return (yield from self.inquiry.nothing_found(entry.type))
        verified_by = proven.format(page=page.target.decode("latin-1"))
        proof = Proof(test=again, control=self.inquiry.control, verified_by=verified_by)
        return self.inquiry.vulnerable(entry, threat, proof, what)

    def _confirmed(
        self, values: Values, first: Reply, page: Request
    ) -> Generator[TestRequest, Answer, Exchange | None]:
        """Not without the cookies, not whatever was asked, and once more. Where the letters are gone, all of it again: others
        read the recorded address as a page, which sets back what it changes.
        """
        for _ in range(_TURNS):
            bare, unread, last = (self.inquiry.mark(_LETTERS) for _ in range(3))
            # What every request leaves, whatever is read of it, is left by this one in two parameters.
            yield from self._sent(values, first.payload, "control", beside=f"&{self.inquiry.mark(7)}={unread}")
            yield from self._sent(values, bare, "control", stranger=True)
            kept = yield from read_page(page)
            if bare in kept or unread in kept:
                return None
            again = (yield from self._sent(values, last, "confirm")) if first.payload in kept else None
            if again is not None and last in (yield from read_page(page)):
                return again.exchange
        return None

    def _sent(
        self, values: Values, mark: str, purpose: str, *, beside: str = "", stranger: bool = False
    ) -> Generator[TestRequest, Answer, Reply | None]:
        """The answer where the request was taken with these letters behind its values, as from another site."""
        inquiry = self.inquiry
        marked = write_all(inquiry.situation, {point: with_letters(value, mark) for point, value in values.items()})
        if marked is None:
            return None
        foreign = as_other_site(self.written(marked), inquiry.mark(8), self.home)
        # A link has no Origin.
        headers = without_header(foreign.headers, b"Origin")
        request: Request = msgspec.structs.replace(
            foreign,
            target=foreign.target + beside.encode(),
            headers=without_header(headers, b"Cookie") if stranger else headers,
        )
        reply = yield from inquiry.submit(request, mark, purpose=purpose)
        if reply is None or refusal(response_of(reply.exchange), inquiry.good) is not None:
            return None
        return reply if response_of(reply.exchange).status < FIRST_ERROR else None

    def _page_showing(self, reply: Reply) -> Generator[TestRequest, Answer, Request | None]:
        """The page that shows the letters without being sent them."""
        request = self.inquiry.situation.baseline.request
        landing = landing_of(request, response_of(reply.exchange))
        own = [reading(request, landing)] if landing is not None else []
        own.append(without_query(request))
        own += [asking(request, page) for page in self.inquiry.situation.pages[:_MOST_PAGES]]
        seen: set[bytes] = {request.target} if request.method.upper() == "GET" else set()
        for page in own:
            # Sent along with the address the letters would be no more than an echo.
            if (
                page.target in seen
                or reply.payload.encode("utf-8", "surrogateescape") in page.target
                or destroys(page) is not None
            ):
                continue
            seen.add(page.target)
            if reply.payload in (yield from read_page(page)):
                return page
        return None


def read_page(page: Request) -> Generator[TestRequest, Answer, str]:
    """What a browser would show of the page now, in lower case."""
    response = response_of((yield from ask(page, "control")))
    return text_of(response).lower() if renders(response) else ""


def without_query(request: Request) -> Request:
    """The page at the address of a request, as it is without being sent anything."""
    return reading(request, request.path)


def kept_texts(request: Request, place: tuple[str, ...]) -> Values:
    """The values of a place that may be kept as they are: texts, which are no token, no password and say nothing of what is done."""
    values: Values = {}
    for found in walk(request).points:
        value = found.value.decode("utf-8", "replace")
        if found.point[:-1] != place or len(value) > _LONGEST or not _TEXT.search(value):
            continue
        if (
            is_form_token(found.point)
            or is_secret(found)
            or PASSWORD.search(found.point[-1])
            or _CALLS.fullmatch(found.point[-1])
            or _LITERAL.fullmatch(value)
        ):
            continue
        if not is_act(value):
            values[found.point] = value
    return values


def with_letters(value: str, mark: str) -> str:
    """A text with letters behind it; of an address for mail behind its name, because many look whether there may be such a domain."""
    if _MAIL.fullmatch(value):
        name, _, domain = value.partition("@")
        return f"{name}{mark}@{domain}"
    return value + mark


def is_act(value: str) -> bool:
    """Whether a value is a word for what is done: `save`."""
    return _NAME.fullmatch(value) is not None and names_change(value)


def _tries(values: Values) -> Iterable[Values]:
    """All texts at once, then each by itself: one may be a choice that takes no other word."""
    yield values
    if len(values) > 1:
        for point, value in values.items():
            yield {point: value}
