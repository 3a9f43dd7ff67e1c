"""Whether a part of a page's address runs as a script there, asked of a browser that opens it.

proven = yield from opened_page(inquiry, "xss")     Proven(exchange, "location.hash", address, …); None

All places that the page's scripts read are tried at once, each with a function of its own. What ran is tried alone, under a name
drawn anew, and counts where that runs as well. Where the server itself writes what the query holds into the page, it is no matter of
the page's scripts.
"""

import hashlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Final, NamedTuple
from urllib.parse import quote, unquote_plus

import msgspec

from gatecrash.core.message import Exchange, Request, reading
from gatecrash.core.statuses import OK
from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.page_scripts import codes_within, loaded_by, scripts_of
from gatecrash.core.testing.opening import Opening
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.scripts.address_reads import Reads, reads_address, reads_of
from gatecrash.core.testing.probe import Answer, TestRequest

QUERY, HASH, WINDOW = "location.search", "location.hash", "window.name"
# An element that calls a function where markup is read; the same where an address or code is, or behind what has to be closed before.
_ELEMENT: Final = "<img/src/onerror={}()>"
_ANYWHERE: Final = "javascript:{}()//'\"></title></textarea></style></script><img/src/onerror={}()>"
_IN_TEXTS: Final = ("'-{}()-'", '"-{}()-"', "${{}()}")
# What browsers leave as it is behind the hash (WHATWG URL, section 1.3).
_BEHIND: Final = "!#$%&'()*+,/:;=?@[]\\^{|}~"
# Pages of one script that all load.
_MOST_PAGES: Final = 6


class Slot(NamedTuple):
    """Where a payload stands. before: the path in front, as `/search?`. name: of the parameter; empty for what is none."""

    source: str
    before: str = ""
    name: str = ""


class Proven(NamedTuple):
    """exchange: the page. address: that shows it. payload: as it was before it was written there."""

    exchange: Exchange
    slot: Slot
    address: str
    payload: str


class _Round(NamedTuple):
    """A page to be opened. slots: what is tried there."""

    request: Request
    slots: tuple[Slot, ...]


def opened_page(inquiry: Inquiry, type_: str) -> Generator[TestRequest, Answer, Proven | None]:
    """The first place of a page's address that runs; None where none does, there is no browser, or its scripts were tried by now."""
    situation, page = inquiry.situation, inquiry.control.request
    if not situation.has_browser or response_of(inquiry.control).status != OK:
        return None
    told, loaded = situation.memory.told, dict[str, str]()
    if not _may_be_new(told, type_, inquiry):
        return None
    codes = yield from scripts_of(inquiry.control, loaded)
    readers = [code for code in codes if reads_address(code)]
    reads, is_new = reads_of(codes), _is_new(told, type_, page, readers)
    known = (path for path, code in loaded.items() if code not in readers or _is_exhausted(told, type_, page, code))
    told.update((type_, "read", page.origin, path) for path in known)
    if reads is None or not is_new:
        return None
    for pattern in (_ELEMENT, _ANYWHERE, *(_IN_TEXTS if reads.runs_code else ())):
        for each in _rounds(page, reads):
            proven = yield from _tried(inquiry, each, pattern)
            if proven is not None:
                told.update((*_key(type_, page, code), str(_MOST_PAGES)) for code in readers)
                told.update((type_, page.origin, path) for path in loaded)
                return proven
    return None


def _may_be_new(told: set[tuple[str, ...]], type_: str, inquiry: Inquiry) -> bool:
    """Whether the page has any script that reads the address, as far as is known, and was not tried at enough pages."""
    page = inquiry.control.request
    if any((type_, "read", page.origin, path) not in told for path in loaded_by(page, inquiry.good)):
        return True
    within = (code for code in codes_within(inquiry.good) if reads_address(code))
    return any(not _is_exhausted(told, type_, page, code) for code in within)


def _is_exhausted(told: set[tuple[str, ...]], type_: str, page: Request, code: str) -> bool:
    key = _key(type_, page, code)
    return (*key, str(_MOST_PAGES)) in told or (*key, str(_MOST_PAGES - 1)) in told


def _is_new(told: set[tuple[str, ...]], type_: str, page: Request, readers: Iterable[str]) -> bool:
    """Whether one of the scripts was tried at few pages by now, and not at this one."""
    is_new = False
    for code in readers:
        key = _key(type_, page, code)
        at = (*key, "at", page.path.decode("latin-1"))
        if at in told or _is_exhausted(told, type_, page, code):
            continue
        number = next(number for number in range(_MOST_PAGES) if (*key, str(number)) not in told)
        told.update((at, (*key, str(number))))
        is_new = True
    return is_new


def _key(type_: str, page: Request, code: str) -> tuple[str, ...]:
    """What is told of a script at the pages of a site."""
    return type_, "opened", page.origin, hashlib.sha256(code.encode("utf-8", "replace")).hexdigest()[:20]


def _rounds(page: Request, reads: Reads) -> Iterator[_Round]:
    """Which pages to open, with what; the likeliest first."""
    query = [Slot(QUERY, name=name) for name in reads.names] if reads.query else []
    if reads.query and not query:
        query = [Slot(QUERY)]
    window = [Slot(WINDOW)] if reads.window else []
    behind = [Slot(HASH)] if reads.hash else []
    if query or window or behind:
        yield _Round(page, (*query, *behind, *window))
    if reads.hash and reads.names:
        yield _Round(page, tuple(Slot(HASH, name=name) for name in reads.names))
    for route in reads.routes:
        at = _routed(route, reads)
        if reads.is_behind_hash:
            yield _Round(page, tuple(Slot(HASH, before, name) for before, name in at))
        elif route.encode() != page.path:
            elsewhere = reading(page, route.partition("/:")[0].encode() or b"/")
            yield _Round(elsewhere, tuple(Slot(QUERY, name=name) for _, name in at if name))


def _routed(route: str, reads: Reads) -> list[tuple[str, str]]:
    """A route with all that may stand behind it; what it calls a parameter is one of the places."""
    fixed, has_parameter, _ = route.partition("/:")
    if has_parameter:
        return [(f"{fixed}/", "")]
    return [(f"{fixed}?", name) for name in reads.names] or [(f"{fixed}/", "")]


def _tried(inquiry: Inquiry, round_: _Round, pattern: str) -> Generator[TestRequest, Answer, Proven | None]:
    """What of a page runs, and runs once more alone."""
    if not round_.slots:
        return None
    names = {inquiry.mark(9): slot for slot in round_.slots}
    answer = yield _opening(round_.request, names, pattern, "test")
    for ran in answer.ran:
        slot = names.get(ran)
        if slot is None or ran in text_of(response_of(answer.exchange)):
            continue
        fresh = inquiry.mark(9)
        asked = _opening(round_.request, {fresh: slot}, pattern, "confirm")
        again = yield asked
        if fresh in again.ran and fresh not in text_of(response_of(again.exchange)):
            return Proven(again.exchange, slot, _address(asked), pattern.replace("{}", fresh))
    return None


def _opening(page: Request, names: dict[str, Slot], pattern: str, purpose: str) -> TestRequest:
    """The page with a payload at each of the places. names: of the functions."""
    query, behind, before, window = list[str](), list[str](), "", ""
    for name, slot in names.items():
        payload = pattern.replace("{}", name)
        written = f"{slot.name}={quote(payload, safe='')}" if slot.name else quote(payload, safe=_BEHIND)
        if slot.source == WINDOW:
            window = payload
        elif slot.source == QUERY:
            query.append(written)
        else:
            before = slot.before
            behind.append(written if slot.name or not before else quote(payload, safe=""))
    opening = Opening(names=tuple(names), behind=before + "&".join(behind), window=window)
    return TestRequest(_asked(page, query), purpose, opening=opening)


def _asked(page: Request, query: Sequence[str]) -> Request:
    """The page with these parameters; those of theirs that it was asked with before fall away."""
    if not query:
        return page
    path, _, had = page.target.decode("latin-1").partition("?")
    new = {each.partition("=")[0] for each in query}
    kept = [each for each in had.split("&") if each and unquote_plus(each.partition("=")[0]) not in new]
    target = f"{path}?{'&'.join((*kept, *query))}".replace("#", "%23")
    return msgspec.structs.replace(page, target=target.encode("latin-1", "replace"))


def _address(asked: TestRequest) -> str:
    assert asked.opening is not None
    return f"{asked.request.url}#{asked.opening.behind}" if asked.opening.behind else asked.request.url
