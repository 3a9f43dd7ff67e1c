"""A capture read for a scan: twice, so that what detection learned of the whole file holds for its first request too."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO

import msgspec

from gatecrash.cli.capture_file import has_credentials
from gatecrash.core.auth.parameters import COOKIE_STEPS
from gatecrash.core.auth.recogniser import Recogniser, compile_recogniser
from gatecrash.core.errors import UserError
from gatecrash.core.inventory.called_credentials import of_a_call
from gatecrash.core.inventory.endpoint import host_of
from gatecrash.core.inventory.fold import Folder
from gatecrash.core.inventory.learned import Learned
from gatecrash.core.inventory.templates import TemplateLearner
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.draft import Draft
from gatecrash.formats.opening import opened
from gatecrash.node.observe.route import Origin
from gatecrash.node.scan.at_home import aimed, is_elsewhere_here
from gatecrash.node.scan.described_pages import undescribed
from gatecrash.node.scan.drafts.base_path import Moved
from gatecrash.node.scan.drafts.token_headers import Guarded
from gatecrash.node.scan.starts import Source

Hosts = Callable[[Request], bool]

NO_BASELINE = {
    "preflight": "a browser's own CORS questions",
    "unanswered": "they change something and the file holds no answer to compare with",
    "incomplete": "the file does not hold their bodies",
    "no_http": "they open a WebSocket or a tunnel, and no message in it is tested",
}
"""Why requests of a capture are none to test."""


class ScanCapture:
    """One file, or several of captured traffic. malformed: entries that could not be read. not_allowed: requests to hosts that
    are not tested, by host.

    kind: of the first file, as formats/opening.py names it. stripped: a HAR file without any credential, or header that
    may hold some. recogniser: for masking; learned: for testing.
    moved: the host that a description names, where its requests go to where it was fetched from instead.
    base: where the operations of a description are instead of where it says, once that was found out.
    told: what an endpoint that the description names tells of itself beside it, once that was asked.
    drafts: how many requests were written from a description, so that nobody has sent them yet. wants: the credentials
    that it says they need, with how many.
    """

    def __init__(
        self,
        name: str,
        stream: BinaryIO,
        allowed: AllowedHosts,
        *,
        target: Origin | None = None,
        from_hosts: AllowedHosts | None = None,
        custom: Iterable[Point] = (),
        home: Origin | None = None,
        further: Sequence[Source] = (),
        pages: Source | None = None,
    ) -> None:
        """Read the file once. target: where its requests are sent instead. from_hosts: whose requests these may be.
        home: where a description came from; requests that name no host belong there. further: files that are read behind it.
        pages: what the pages of a description's site showed, read last.

        Raises UnreadableCapture, and UserError where it is not clear which requests belong to the target, or where one of
        several files is no captured traffic.
        """
        self.malformed: list[Malformed] = []
        self.not_allowed: Counter[str] = Counter()
        self.stripped = False
        self.moved = ""
        self.base: Moved | None = None
        self.told: tuple[Draft, ...] = ()
        self.drafts = 0
        self.wants: Counter[str] = Counter()
        self._custom = tuple(custom)
        self.recogniser: Recogniser = compile_recogniser(self._custom)
        self._name = name
        self._sources = ((name, stream), *further)
        self._pages = pages
        self._target = target
        self._home = home
        folder = Folder(self.recogniser, TemplateLearner(seen_to_leave=1))
        self.kind = ""
        self._belongs = self._whose(allowed, from_hosts)
        self._read(folder)
        self._sessions = folder.sessions
        self.learned = Learned(self.recogniser, self._sessions)

    def know(self, letting_in: Iterable[tuple[str, Point]]) -> None:
        """These cookies, headers, parameters and members of calls let somebody in, as the target has shown."""
        for host, point in letting_in:
            self.stripped = False
            if point[:-1] == COOKIE_STEPS:
                self._sessions.let_in(host, point[-1])
            else:
                self._custom = (*self._custom, point)
        self.recogniser = compile_recogniser(self._custom)
        self.learned = Learned(self.recogniser, self._sessions)

    def exchanges(self) -> Iterator[Exchange]:
        """What may be tested, aimed at the target where there is one; of a site's pages what its description has not. Reads the
        file again.
        """
        described: list[Draft] = []
        guarded = Guarded(map(self._aimed, self.shown()))
        for item in self._aimed_items():
            described += [item] if isinstance(item, Draft) else []
            yield guarded.draft(item) if isinstance(item, Draft) else item
        yield from self.told
        yield from undescribed(map(self._aimed, self.shown()), described)

    def described(self) -> list[Draft]:
        """The requests of the description alone; of pages that nothing describes their forms."""
        return [item for item in self._aimed_items() if isinstance(item, Draft)]

    def shown(self) -> Iterator[Exchange]:
        """What a site's pages showed beside the description, as it was asked for."""
        if self._pages is not None:
            self._pages[1].seek(0)
            yield from (item for item in opened(self._pages[1]).items if not isinstance(item, Malformed))

    def _aimed_items(self) -> Iterator[Exchange]:
        for item in self._items():
            if not isinstance(item, Malformed) and self._belongs(item.request):
                aimed_at = self._aimed(item)
                yield self.base.draft(aimed_at) if self.base is not None and isinstance(aimed_at, Draft) else aimed_at

    def _items(self) -> Iterator[Exchange | Malformed]:
        for number, source in enumerate(self._sources):
            yield from self._items_of(number, *source)

    def _items_of(self, number: int, name: str, stream: BinaryIO) -> Iterator[Exchange | Malformed]:
        stream.seek(0)
        try:
            capture = opened(stream)
            if len(self._sources) > 1 and capture.drafted:
                raise UserError(
                    f"{name} is no captured traffic ({capture.kind}). Several files are read as one where all of them are; scan "
                    "this one alone."
                )
            self.kind = self.kind or capture.kind
            items = map(self._at_home, capture.items) if capture.drafted else capture.items
            yield from items if not number else (_of_file(number, name, item) for item in items)
        except UnreadableCapture as error:
            raise UnreadableCapture(f"{name}: {error}") from error

    def _read(self, folder: Folder) -> None:
        requests, credentials = 0, False
        for item in self._items():
            if isinstance(item, Malformed):
                self.malformed.append(item)
                continue
            requests += 1
            if isinstance(item, Draft):
                self.drafts += 1
                self.wants.update(item.wants)
            credentials = credentials or has_credentials(item) or self._recognises(item)
            if self._belongs(item.request):
                item = self._aimed(item)
            else:
                self.not_allowed[host_of(item.request)] += 1
            folder.add(item)
        for page in self.shown():
            self.drafts += isinstance(page, Draft)
            folder.add(self._aimed(page))
        if self.malformed and not requests:
            raise UnreadableCapture(f"{self._name}: No entry can be read. The last one: {self.malformed[-1].why}.")
        self.stripped = self.kind == "har" and requests > 0 and not credentials

    def _recognises(self, exchange: Exchange) -> bool:
        """Whether a request brings credentials of its own kind, such as a key in a header, which no browser takes out."""
        found = (*self.recogniser.recognise(exchange.request), *of_a_call(exchange.request))
        return any(one.valid for one in found)

    def _whose(self, allowed: AllowedHosts, from_hosts: AllowedHosts | None) -> Hosts:
        """Which requests are tested. With a target, those of one host, or of the named ones: credentials that belong to
        one host must not be sent to another just because both are in the file.
        """
        if self._target is None:
            return lambda request: allowed.allows(request.host, request.port)
        if from_hosts is not None:
            return lambda request: from_hosts.allows(request.host, request.port)
        requests = (item.request for item in self._items() if not isinstance(item, Malformed))
        hosts = {host_of(request) for request in requests if request.host}
        if len(hosts) > 1:
            raise UserError(
                f"{self._name} holds requests to {len(hosts)} hosts ({', '.join(sorted(hosts)[:5])}, …). Say with "
                "--from-host which of them --target stands for."
            )
        return lambda _: True

    def _at_home(self, item: Exchange | Malformed) -> Exchange | Malformed:
        """A request of a description that names no host, sent to where the description is from; so is one to another port of
        this machine: what is written there was the address of whoever wrote it.

        Raises UserError where nobody said where that is.
        """
        if isinstance(item, Malformed) or self._target is not None:
            return item
        if item.request.host:
            if self._home is None or not is_elsewhere_here(item.request, self._home):
                return item
            self.moved = host_of(item.request)
        if self._home is None:
            raise UserError(f"{self._name} does not say where the API is. Say it: --target http://127.0.0.1:8000")
        return aimed(item, self._home)

    def _aimed(self, exchange: Exchange) -> Exchange:
        return exchange if self._target is None else aimed(exchange, self._target)


def _of_file(number: int, name: str, item: Exchange | Malformed) -> Exchange | Malformed:
    """What a further file holds: connections are its own, and a place is one in it."""
    if isinstance(item, Malformed):
        return Malformed(item.place, f"{name}: {item.why}")
    return msgspec.structs.replace(item, connection=f"{number}/{item.connection}") if item.connection else item
