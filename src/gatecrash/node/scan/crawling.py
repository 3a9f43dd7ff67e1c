"""A site that describes itself by its pages alone: its pages are read from its front page on, and become what is tested.

crawl = Crawl(send, most=200)
await crawl.run(front)      the front page's request
crawl.found()               pages with their answers, and the forms that change something as drafts, which nobody has sent
crawl.left_alone            addresses of links and forms that would end a session, delete, or set something for good

Read is what GET asks for at the front page's own origin: links and frames, forms that search, what robots.txt and the
sitemap name. Left alone is what says that it signs out, deletes, resets, or changes who may do what. Of addresses that
differ in numbers alone a few are read, so that a calendar has an end. Nothing is read twice but what sets a new cookie.
"""

import re
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator
from urllib.parse import urljoin

import msgspec

from gatecrash.core.message import Exchange, Request, Response, with_header
from gatecrash.core.testing.effects.destruction import CHANGES_ACCOUNT, deletes, destroys, names_a_change
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.writes import sets_by_link
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.cookie_jar import CookieJar
from gatecrash.core.testing.surroundings.pages import landing_of
from gatecrash.formats.offered_requests import forms_of, links_of, target_at, told_paths, told_places

MOST_PAGES = 200
"""Pages that are read where nobody says otherwise."""
MOST_FORMS = 200
_MOST_ALIKE, _MOST_OF_ONE = 4, 40
_MOST_TOLD, _MOST_COOKIES = 1_000, 20
_FIRST_ERROR, _REDIRECT = 400, 300
_ROBOTS, _SITEMAP = b"/robots.txt", b"/sitemap.xml"
# The same for everybody, and nothing in them leads anywhere.
_FILE = re.compile(
    rb"\.(?:css|js|mjs|map|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|otf|eot|mp[34]|webm|zip|gz|tar|pdf|docx?|xlsx?|exe|iso)$",
    re.IGNORECASE,
)
# Pages of forms that change something, which are only read: `/register`, `/users/7/edit`.
_PAGE_OF_A_FORM = re.compile(rb"/(?:edit|new|[a-z_-]+(?:\.[a-z]{2,5})?)/?$", re.IGNORECASE)

Send = Callable[[Request], Awaitable[Answer]]


class Crawl:
    """One walk through a site, by one caller."""

    def __init__(self, send: Send, *, most: int = MOST_PAGES) -> None:
        """send: asks, in the name of whoever walks. most: pages that are read."""
        self._send = send
        self._most = most
        self._jar = CookieJar()
        self._waiting: deque[Request] = deque()
        self._known: set[bytes] = set()
        self._alike: Counter[bytes] = Counter()
        self._pages: list[Exchange] = []
        self._forms: dict[tuple[bytes, ...], Request] = {}
        self._cookies: set[bytes] = set()
        self.asked = 0
        self.left_alone: dict[str, None] = {}

    async def run(self, front: Request) -> None:
        """Read from this page on; what is not answered is passed over."""
        self._offer(front)
        for target in (_ROBOTS, _SITEMAP):
            self._known.add(target)
            await self._read_told(front, target)
        while self._waiting and self.asked < self._most:
            await self._visit(self._waiting.popleft())

    def found(self) -> Iterator[Exchange]:
        """What was read, and what the forms would send."""
        yield from self._pages
        for request in self._forms.values():
            yield Exchange(request, drafted=True)

    async def _read_told(self, front: Request, target: bytes) -> None:
        self.asked += 1
        # What it sets is left aside: a session is seen to be handed out on a page.
        response = (await self._send(msgspec.structs.replace(front, target=target))).exchange.response
        if response is None or response.status >= _REDIRECT or "html" in media_type(response):
            return
        told = told_paths(text_of(response)) if target == _ROBOTS else told_places(text_of(response))
        for place in told[:_MOST_TOLD]:
            self._lead_to(front, target_at(front, urljoin(front.url, place)))

    async def _visit(self, request: Request) -> None:
        answer = await self._ask(request)
        exchange, response = answer.exchange, answer.exchange.response
        if response is None:
            return
        landing = landing_of(request, response)
        if landing is not None:
            self._lead_to(exchange.request, landing)
        if response.status >= _FIRST_ERROR:
            return
        self._pages.append(exchange)
        if self._is_given_more(response):
            again = (await self._ask(request)).exchange
            self._pages += [again] if again.response is not None and again.response.status < _FIRST_ERROR else []
        for target in links_of(exchange):
            self._lead_to(exchange.request, target)
        if "xml" in media_type(response) and "html" not in media_type(response):
            for place in told_places(text_of(response))[:_MOST_TOLD]:
                self._lead_to(exchange.request, target_at(exchange.request, place))
        for form in forms_of(exchange):
            self._take_form(form)

    def _is_given_more(self, response: Response) -> bool:
        """Whether an answer sets a cookie that nothing has set before: what a page has put there it reads when it is asked again."""
        names = {each.partition(b"=")[0].strip() for each in response.all(b"Set-Cookie")}
        new = names - self._cookies if len(self._cookies) < _MOST_COOKIES else set()
        self._cookies |= new
        return bool(new)

    async def _ask(self, request: Request) -> Answer:
        self.asked += 1
        dressed = self._dressed(request)
        answer = await self._send(dressed)
        if answer.exchange.response is not None:
            self._jar.take(request.host, answer.exchange.response)
        return answer

    def _dressed(self, request: Request) -> Request:
        """With what the site has set; whoever is signed in has that put over it."""
        cookies = b"; ".join(name.encode("latin-1") + b"=" + value for name, value in self._jar.of(request.host))
        if not cookies:
            return request
        return msgspec.structs.replace(request, headers=with_header(request.headers, b"Cookie", cookies))

    def _lead_to(self, page: Request, target: bytes | None) -> None:
        if target is not None and not _FILE.search(target.partition(b"?")[0]):
            request = msgspec.structs.replace(page, method="GET", target=target, body=b"")
            referer = page.url.encode("latin-1", "replace")
            self._offer(msgspec.structs.replace(request, headers=with_header(request.headers, b"Referer", referer)))

    def _take_form(self, form: Request) -> None:
        if is_safe(form) and not names_a_change(form):
            self._offer(form)
        elif _must_be_left(form) or len(self._forms) >= MOST_FORMS:
            self._leave(form)
        else:
            self._forms.setdefault(_kind_of(form), self._dressed(form))

    def _offer(self, request: Request) -> None:
        """Read it later, where it is new, unlike enough, and only read."""
        if request.target in self._known:
            return
        self._known.add(request.target)
        if _must_be_left(request) or (names_a_change(request) and not _is_page_of_a_form(request)):
            self._leave(request)
            return
        shape, place = re.sub(rb"\d+", b"0", request.target), request.path + b" " + _names(request)
        if self._alike[shape] < _MOST_ALIKE and self._alike[place] < _MOST_OF_ONE:
            self._alike.update((shape, place))
            self._waiting.append(request)

    def _leave(self, request: Request) -> None:
        self.left_alone.setdefault(f"{request.method} {request.path.decode('latin-1')}")


def _must_be_left(request: Request) -> bool:
    return destroys(request) not in (None, CHANGES_ACCOUNT) or deletes(request) or sets_by_link(request)


def _is_page_of_a_form(request: Request) -> bool:
    """Whether an address that says a change shows the form for it: it names nothing that could be changed at once."""
    return not request.query and _PAGE_OF_A_FORM.search(request.path) is not None


def _names(request: Request) -> bytes:
    return b"&".join(sorted(pair.partition(b"=")[0] for pair in (request.query or b"").split(b"&")))


def _kind_of(form: Request) -> tuple[bytes, ...]:
    """One form stands on many pages, and in each row of a list."""
    fields = re.findall(rb'name="([^"]*)"' if b"multipart" in (form.first(b"Content-Type") or b"") else rb"(?:^|&)([^=&]*)", form.body)  # fmt: skip
    return (form.method.encode(), re.sub(rb"\d+", b"0", form.target), *sorted(fields))
