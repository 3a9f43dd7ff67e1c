"""A site that describes itself by its pages alone: its pages are read from its front page on, and become what is tested.

crawl = Crawl(send, most=200)
await crawl.run(front)      the front page's request
crawl.found()               pages with their answers, and the forms that change something as drafts, which nobody has sent
crawl.replaced              methods and targets of calls that are found about things that are there, and not as they stand
crawl.left_alone            addresses of links and forms that would end a session, delete, or set something for good

Read is what GET asks for at the front page's own origin: links and frames, also to what is forbidden, forms that search, calls of
scripts and paths that they name, what robots.txt and the sitemap name. When nothing is left of that, each form is sent once, filled in
from its page as it is then, and what stands behind it is read: the page of what it made, the next step. Drafts stay
those that ask for a password, say that they change something that is there, or were not answered well. Left alone is
what says that it signs out, deletes, resets, stops what runs, or changes who may do what. Nothing is read twice but what sets a new cookie.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urljoin

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT, FIRST_SERVER_ERROR, FORBIDDEN, NOT_FOUND, UNAUTHORIZED
from gatecrash.core.testing.effects.destruction import names_a_change
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.operations.graphql import only_queries
from gatecrash.core.testing.operations.one_script import page_asked
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.probe import Answer
from gatecrash.formats.offered_requests import forms_of, links_of, target_at, told_paths, told_places
from gatecrash.formats.scripts.asked import code_of, guesses_in, loaded_in, requests_in, sources_of
from gatecrash.formats.scripts.bases import bases_in
from gatecrash.formats.scripts.cookies import cookies_in
from gatecrash.formats.scripts.handed import handed
from gatecrash.formats.scripts.linked import linked
from gatecrash.formats.scripts.page_values import with_values
from gatecrash.node.scan.browsed import Browse
from gatecrash.node.scan.crawl_bases import Bases
from gatecrash.node.scan.crawl_caller import CrawlCaller, Send
from gatecrash.node.scan.crawl_forms import Form, Forms, Kind, bare_path, same_among
from gatecrash.node.scan.crawl_limits import is_page_of_a_form, is_read, is_sent, must_be_left
from gatecrash.node.scan.crawl_numbers import numbered, tells_more
from gatecrash.node.scan.crawl_queue import FORM, GUESS, LINK, MOST_EXERCISES, Queue
from gatecrash.node.scan.crawl_routes import Routes
from gatecrash.node.scan.crawl_steps import led, place_of
from gatecrash.node.scan.crawl_things import Things

MOST_PAGES = 500
"""Pages that are read where nobody says otherwise."""
_MOST_SCRIPTS, _MOST_AGAIN = 150, 20
_EXERCISES_A_PAGE, _ASKED_AN_EXERCISE = 3, 3
_MOST_TOLD, _MOST_REFUSED = 1_000, 20
_ROBOTS, _SITEMAP = b"/robots.txt", b"/sitemap.xml"
# The same for everybody, and nothing in them leads anywhere.
_FILE = re.compile(
    rb"\.(?:css|js|mjs|map|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|otf|eot|mp[34]|webm|zip|gz|tar|pdf|docx?|xlsx?|exe|iso)$",
    re.IGNORECASE,
)


class Crawl:
    """One walk through a site, by one caller."""

    def __init__(
        self, send: Send, *, most: int = MOST_PAGES, submits: bool = False, browse: Browse | None = None
    ) -> None:
        """send: asks, in the name of whoever walks. most: pages that are read. submits: whether forms are sent as well. browse: runs the
        scripts of the pages.
        """
        self._send = send
        self._browse = browse
        self._most = most
        self._submits = submits
        self._caller = CrawlCaller(send, self.has_time)
        self._queue = Queue(min(MOST_EXERCISES, _EXERCISES_A_PAGE * most))
        self._known: set[tuple[bytes, frozenset[tuple[bytes, bytes]]]] = set()
        self._pages: list[Exchange] = []
        self._forms = Forms()
        self._scripts: set[bytes] = set()
        self._codes: dict[str, str] = {}
        self._guessed: set[bytes] = set()
        self._called: set[bytes] = set()
        self._searched: set[bytes] = set()
        self._changing: set[bytes] = set()
        self._bases = Bases()
        self._things = Things()
        self._routes = Routes(self._called)
        self._visited: dict[bytes, Request] = {}
        self.replaced: set[tuple[str, bytes]] = set()
        self._front: bytes | None = None
        self._absent: list[Request] = []
        self._refused: list[Request] = []
        # Calls that a browser saw the scripts make.
        self.run_calls = 0
        self.asked = 0
        # Of these, what tells where pages are and is none.
        self.told = 0
        self.unanswered: list[str] = []
        # Set by who wants no more of it: what was read until then is what was found.
        self.over = False
        self.left_alone: dict[str, None] = {}

    async def run(self, front: Request) -> None:
        """Read from this page on; what is not answered is passed over."""
        self._offer(front)
        for target in (_ROBOTS, _SITEMAP):
            self._known.add(place_of(msgspec.structs.replace(front, target=target)))
        # First of all: who reads a page or two wants these, and not what robots are told.
        while not self._pages and self.has_time() and (request := self._queue.next()) is not None:
            await self._visit(request)
        for target in (_ROBOTS, _SITEMAP):
            if self.has_time():
                await self._read_told(front, target)
        await self._run_scripts(front)
        await self._read_on()
        await self._call_by_things()
        self._take_below_base()
        while self._submits and self.has_time() and (kind := self._forms.untried(is_sent)) is not None:
            await self._submit(kind)
            await self._read_on()
        # Scripts name things by numbers that nothing had before.
        for request in self._absent[:_MOST_AGAIN] if self._forms.were_tried else ():
            if not self.over:
                await self._visit(request)
        await self._call_by_things()
        self._forms.move(self._about_things)

    def found(self) -> Iterator[Exchange]:
        """What was read and sent, and what the other forms would send."""
        yield from self._pages
        # Whoever is signed in is shown them; of which token lets in they alone tell.
        yield from (Exchange(each, drafted=True) for each in self._refused[:_MOST_REFUSED])
        for form in self._forms.kept.values():
            yield Exchange(self._caller.tokens.on(form.request), drafted=True)

    async def _read_on(self) -> None:
        while self.has_time() and (request := self._queue.next() or self._routes.next()) is not None:
            await self._visit(request)
            for each in self._routes.found():
                self._offer(each)
        self._forms.release(self._queue)

    def has_time(self) -> bool:
        """Whether more may be asked. An exercise has a page, a form there, and what stands behind that."""
        return not self.over and not self.is_full()

    def is_full(self) -> bool:
        """Whether as much was asked as may be."""
        return self.asked >= self._most + _ASKED_AN_EXERCISE * self._queue.exercises

    @property
    def left(self) -> int:
        """Addresses that pages lead to and that were not asked."""
        return self._queue.left

    async def _read_told(self, front: Request, target: bytes) -> None:
        # What it sets is left aside: a session is seen to be handed out on a page.
        page = msgspec.structs.replace(front, target=target)
        response = self._counted(page, await self._send(page)).exchange.response
        self.told += response is not None
        if response is None or response.status >= FIRST_REDIRECT or "html" in media_type(response):
            return
        told = told_paths(text_of(response)) if target == _ROBOTS else told_places(text_of(response))
        for place in told[:_MOST_TOLD]:
            self._lead_to(page, target_at(front, urljoin(front.url, place)))

    async def _run_scripts(self, front: Request) -> None:
        """What the scripts ask for while they run, where the front page has any. What only reads is read again in its turn."""
        if self._browse is None or not (self._scripts or self._called or self._changing) or not self.has_time():
            return
        for call in await self._browse(front, self._caller):
            self.run_calls += 1
            if is_safe(call) or only_queries(call):
                self._called.add(call.target)
                self._offer(call, FORM)
            elif must_be_left(call):
                self._leave(call)
            else:
                self._changing.add(call.target)
                self._forms.put_seen(Form(self._caller.on(call), None))

    async def _visit(self, request: Request) -> None:
        request, answer = await self._found_by(request)
        exchange, response = answer.exchange, answer.exchange.response
        if response is None:
            return
        landing = landing_of(request, response)
        if landing is not None:
            self._lead_to(exchange.request, landing)
        if response.status == NOT_FOUND and request not in self._absent:
            self._absent.append(request)
        self._things.learn(exchange)
        absent, called = self._comes_to_nothing(request, response), request.target in self._called
        if called:
            self._visited[request.target] = request
        self._routes.learn(request, response, called=called, stands=not absent)
        if absent:
            # The form stands there, though nothing is known of the word that was made up.
            if request.target in self._searched:
                self._searched.discard(request.target)
                self._pages.append(exchange)
            for each in self._bases.instead_of(request) if called else ():
                await self._visit_call(each)
            return
        # A router may fail at whatever nobody put there.
        if called and response.status < FIRST_SERVER_ERROR and "html" not in media_type(response):
            self._bases.came_to_something(request)
            if response.status < FIRST_REDIRECT:
                self._bases.stands(request)
        if response.status >= FIRST_ERROR:
            self._keep_refused(exchange, response)
            return
        self._front = response.body if self._front is None else self._front
        self._pages.append(exchange)
        if self._caller.is_given_more(response):
            again = (await self._ask(request)).exchange
            self._pages += [again] if again.response is not None and again.response.status < FIRST_ERROR else []
        await self._read_page(exchange, response, request)

    async def _found_by(self, request: Request) -> tuple[Request, Answer]:
        """A form that reads is asked by a number as well where it takes any word; it is what tells more."""
        answer, number = await self._ask(request), numbered(request)
        if number is None or place_of(number) in self._known or request.target in self._called | self._guessed:
            return request, answer
        self._known.add(place_of(number))
        by_number = await self._ask(number)
        more = tells_more(answer.exchange.response, by_number.exchange.response)
        return (number, by_number) if more else (request, answer)

    def _keep_refused(self, exchange: Exchange, response: Response) -> None:
        """There may be a way past what a link leads to, and what a script asks for is given to who is signed in."""
        target = exchange.request.target
        if response.status == UNAUTHORIZED and target in self._called:
            self._refused.append(exchange.request)
        elif response.status == FORBIDDEN and target not in self._guessed | self._called:
            self._pages.append(exchange)

    async def _call_by_things(self) -> None:
        """Ask for what scripts name by numbers of their own once more, by what answers called it; when things were made by theirs."""
        for target, request in list(self._visited.items()):
            better = self._things.called(request)
            if better is None or not self.has_time():
                continue
            before = len(self._pages)
            await self._visit_call(better)
            if any(each.request.target == better.target for each in self._pages[before:]):
                self._pages = [each for each in self._pages if each.request.target != target]
                self.replaced.add((request.method, target))

    def _about_things(self, form: Request) -> Request:
        """A call that changes something, about a thing that is there; a form says itself what it is about."""
        better = self._things.called(form) if form.target in self._called | self._changing else None
        if better is None:
            return form
        self.replaced.add((form.method, form.target))
        return better

    async def _visit_call(self, request: Request) -> None:
        """A call where it may be meant to go; what that shows is known before the next one is asked."""
        if place_of(request) not in self._known and self.has_time():
            self._known.add(place_of(request))
            self._called.add(request.target)
            await self._visit(request)

    def _comes_to_nothing(self, request: Request, response: Response) -> bool:
        """Whether nothing is there. An application in the browser answers whatever it does not know with its one page."""
        named = request.target in self._guessed or request.target in self._called
        return response.status == NOT_FOUND or (named and response.body == self._front)

    async def _read_page(self, exchange: Exchange, response: Response, page: Request | None) -> None:
        """Take up what an answer leads to. page: how it is asked for again."""
        for target in links_of(exchange):
            self._lead_to(exchange.request, target)
        if "xml" in media_type(response) and "html" not in media_type(response):
            for place in told_places(text_of(response))[:_MOST_TOLD]:
                self._lead_to(exchange.request, target_at(exchange.request, place))
        if "json" in media_type(response):
            self._guess(exchange.request, text_of(response))
        if "html" not in media_type(response):
            return
        code = code_of(text_of(response))
        self._caller.put(exchange.request, cookies_in(code))
        calls = list(requests_in(exchange.request, code))
        forms = list(forms_of(exchange))
        self._queue.saw(exchange.request, (*forms, *calls), response.body)
        self._take_all(forms, page)
        self._take_code(exchange.request, page, code, calls)
        asked, self._codes = exchange.request, {}
        for target in (*sources_of(exchange), *loaded_in(asked, asked.target, code)):
            await self._read_script(asked, target, text_of(response))
        for each in linked(self._codes):
            self._take_code(asked, asked, each, list(requests_in(asked, each)))
        self._take_handed((code, *self._codes.values()), asked, page)

    async def _read_script(self, page: Request, target: bytes, shown: str) -> None:
        """A script of the site's own: the same for all, so it is read and not tested. shown: the markup that it finds on its page."""
        if target in self._scripts or len(self._scripts) >= _MOST_SCRIPTS or not self.has_time():
            return
        self._scripts.add(target)
        response = (await self._ask(led(page, target))).exchange.response
        if response is not None and response.status < FIRST_REDIRECT and "html" not in media_type(response):
            code = with_values(text_of(response), shown)
            self._caller.put(page, cookies_in(code))
            self._codes[target.decode("latin-1")] = code
            for each in loaded_in(page, target, code):
                await self._read_script(page, each, shown)

    def _take_handed(self, codes: Sequence[str], shown: Request, page: Request | None) -> None:
        """What the scripts that were read for a page ask for with what others of them hand on."""
        calls = [each for code in handed(codes) for each in requests_in(shown, code) if is_safe(each)]
        self._called |= {each.target for each in calls}
        self._take_all(calls, page)

    def _take_code(self, shown: Request, page: Request | None, code: str, calls: list[Request]) -> None:
        """What a script asks for and names. shown: the page that runs it; page: how that is asked for again."""
        self._bases.declared(bases_in(code, shown.url))
        self._caller.tokens.named_in(code)
        self._called |= {each.target for each in calls if is_safe(each)}
        self._changing |= {each.target for each in calls if not is_safe(each)}
        self._take_all(calls, page)
        self._guess(shown, code)

    def _take_below_base(self) -> None:
        """Calls that were not asked, as those that change something, go where those that read were seen to go."""
        calls = self._called | self._changing
        self._forms.move(lambda form: self._bases.meant(form) if form.target in calls else form)

    async def _submit(self, kind: Kind) -> None:
        """Send a form once, with what its page hands out for it now, and take up what the answer leads to."""
        form = self._caller.tokens.on(self._about_things(await self._anew(self._forms.take(kind))))
        answer = await self._ask(form)
        response = answer.exchange.response
        if response is None or response.status >= FIRST_ERROR:
            return
        self._forms.drop(kind)
        self._things.learn(answer.exchange)
        self._pages.append(answer.exchange)
        landing = landing_of(form, response)
        if landing is not None:
            self._lead_to(answer.exchange.request, landing, anew=True)
        await self._read_page(answer.exchange, response, None)

    async def _anew(self, form: Form) -> Request:
        if form.page is None:
            return form.request
        return same_among(form.request, forms_of((await self._ask(form.page)).exchange))

    async def _ask(self, request: Request) -> Answer:
        return self._counted(request, await self._caller.ask(request))

    def _counted(self, request: Request, answer: Answer) -> Answer:
        self.asked += 1
        if answer.exchange.response is None:
            self.unanswered.append(f"{request.method} {request.url}")
        return answer

    def _lead_to(self, page: Request, target: bytes | None, *, anew: bool = False) -> None:
        """anew: whether what stands there is another than before, as a list behind the form that adds to it."""
        if target is None or _FILE.search(target.partition(b"?")[0]):
            return
        request = led(page, target)
        if anew:
            self._known.discard(place_of(request))
        self._offer(request, LINK, page)

    def _guess(self, page: Request, code: str) -> None:
        for target in guesses_in(page, code):
            request = led(page, target)
            # What a script sends something to is no page.
            if target not in self._changing and place_of(request) not in self._known and not _FILE.search(request.path):
                self._guessed.add(target)
                self._offer(request, GUESS, page)

    def _take_all(self, forms: Iterable[Request], page: Request | None) -> None:
        """Forms, and calls of scripts, which are sent as forms are."""
        for form in forms:
            if is_read(form):
                self._searched |= {form.target} if page is not None and form.path == page.path else set()
                self._offer(form, FORM)
            elif must_be_left(form) or self._forms.is_full(self._queue.exercises):
                self._leave(form)
            else:
                self._forms.put(Form(self._caller.on(form), page))

    def _offer(self, request: Request, came_by: int = LINK, page: Request | None = None) -> None:
        """Read it later, where it is new and only read."""
        if place_of(request) in self._known:
            return
        self._known.add(place_of(request))
        if must_be_left(request) or (names_a_change(request) and not is_page_of_a_form(request)):
            self._leave(request)
        else:
            self._queue.put(request, came_by, page)

    def _leave(self, request: Request) -> None:
        page = page_asked(request)
        path = bare_path(request).decode("latin-1")
        self.left_alone.setdefault(f"{request.method} {path}" + (f" ({page})" if page else ""))
