"""Pages on which a value that a request has stored may appear, and the ways from its answer to them.

A way is known before anything is sent, and is gone anew after each answer: a redirect leads elsewhere each time, and a page
of what was created bears the identifier that the answer gave out. Known are the page that the answer leads to, the links in
it, and the pages of the run: first those of the object that was created when the baseline was recorded, and those that the
run has read of another thing than the one that the request names.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import msgspec

from gatecrash.core.auth.set_cookie import parse
from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Exchange, Request, Response, reading, with_header
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.addresses.kinship import kind_words
from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.authorization.objects.global_ids import GlobalId
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.destruction import bears_repeating
from gatecrash.core.testing.known.page import Page, landing_of
from gatecrash.core.testing.operations.one_script import page_asked, spoken_path
from gatecrash.core.testing.oracles.body import content_of, text_of
from gatecrash.core.testing.oracles.pages.landing import host_of
from gatecrash.core.testing.oracles.pages.markup import START, tokens
from gatecrash.core.testing.oracles.remembering import remembered
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Situation
from gatecrash.core.words.names import parted

_IDENTIFIER = re.compile(r"(?=[^/]*[0-9])[\w-]{1,64}|[1-9]\d*")
_MOST_LEAVES, _MOST_LINKS, _MOST_CREATED, _MOST_SAYING, _MOST_NAMING, _MOST_OWN = 200, 3, 4, 4, 3, 3
_WORD = re.compile(r"[a-z]{3,}")
_PIECE = re.compile(r"[^/?&=]+")
_LONGEST = 200_000
_MOST_OF_KIND = 2
# Of a member whose identifier holds another one.
_INNER = " inner"
# What an answer is put into, whatever it is.
_WRAPPING = frozenset({"data", "result", "item", "payload", "response"})


class Way(NamedTuple):
    """How a page is come to. target: as it was recorded; empty for where the answer itself leads. page: of the run, if it is one.
    as_recorded: it is asked for by the recorded identifier, whatever was created since.
    """

    target: bytes
    page: Page | None = None
    as_recorded: bool = False


LANDING = Way(b"")
END = Way(b"", as_recorded=True)
"""The page behind the last of several steps, of which the request is one."""
LINKED = Way(b"#", as_recorded=True)
"""The page of what was made, to which the page that the answer leads to links; with a page, to which that one links."""


def told_of(way: Way) -> str:
    """The page's address for people."""
    if way == END:
        return "the page behind the last of its steps"
    if way.target == LINKED.target:
        listing = told_of(way._replace(target=way.page.request.target if way.page else b""))
        return f"the page of what was made, to which {listing} links"
    return repr(way.target.decode("latin-1")) if way.target else "the page that the answer leads to"


def ways_from(
    situation: Situation, answer: Response, values: Iterable[str] = (), *, rendered: bool = False
) -> list[Way]:
    """The ways to pages that may show what this answer's request left, the likeliest first.

    values: those that were recorded with one of these come before others, and those named like a value behind
    them. rendered: of the run's pages only those that a browser shows as pages.
    """
    request, recorded = situation.baseline.request, situation.baseline.response
    fit = [page for page in situation.pages if (page.rendered or not rendered) and not page.request.body]
    pages = _nearest_and_latest(_kin_first(request, fit), situation.baseline.exchange.started)
    saying = [page for page in pages if any(map(page.may_say, values))][:_MOST_SAYING]
    first = [*saying, *_naming(request, [page for page in pages if page not in saying])]
    pages = [*first, *(page for page in pages if page not in first)]
    ways = [LANDING] if _leads(request, answer) or (recorded is not None and _leads(request, recorded)) else []
    fresh = renewed(recorded, answer)
    created = [page for page in pages if _with(page.request.target, fresh) != page.request.target]
    ways += [END] if situation.onward else []
    ways += [Way(page.request.target, page) for page in created[:_MOST_CREATED]]
    if not created and recorded is not None:
        ways += list(_of_its_kind(request, recorded, fresh, pages))[:_MOST_OF_KIND]
    # The first comment has the number of the first article, perhaps: what the request names itself stays as it is, too.
    same = {before: now for before, now in fresh.items() if before in _sent(request)}
    of_named = [page for page in created if _with(page.request.target, same) != page.request.target]
    ways += [Way(page.request.target, page, as_recorded=True) for page in of_named[:_MOST_CREATED]]
    known = {page.request.target: page for page in pages}
    ways += [way for way in _of_its_own(request, pages) if way.target not in known][:_MOST_OWN]
    ways += [Way(link, known[link]) for link in _links(request, answer) if link in known][:_MOST_LINKS]
    ways += [Way(link, known.get(link)) for link in addresses_in(situation.baseline, answer)][:_MOST_LINKS]
    ways += [Way(page.request.target, page) for page in pages]
    known_ways: dict[tuple[bytes, bool], Way] = {}
    for way in ways:
        known_ways.setdefault((way.target, way.as_recorded), way)
    return list(known_ways.values())


def _of_its_own(request: Request, pages: Iterable[Page]) -> Iterator[Way]:
    """The pages about another thing of the kind that the request's path names, asked for about its own: `/seeds/4/page` where
    `/seeds/1/page` is known and something is sent to `/seeds/4/reviews`.
    """
    own = request.path.split(b"/")
    for page in pages:
        path, *query = page.request.target.split(b"?", 1)
        theirs = path.split(b"/")
        at = next((at for at, pair in enumerate(zip(own, theirs, strict=False)) if pair[0] != pair[1]), 0)
        if at > 1 and all(_IDENTIFIER.fullmatch(each[at].decode("latin-1")) for each in (own, theirs)):
            yield Way(
                b"?".join([b"/".join([*theirs[:at], own[at], *theirs[at + 1 :]]), *query]), page, as_recorded=True
            )


def _of_its_kind(request: Request, recorded: Response, fresh: dict[str, str], pages: list[Page]) -> Iterator[Way]:
    """The page of what was created where only those of others of its kind are known: `/pins/8` beside `/pins/1`, of what is answered
    as `{"pin": {"id": 8}}`, or to what is sent to `/api/pins`.
    """
    of_kind: dict[str, str] = {}
    for where, before in _given(recorded):
        if before in fresh:
            of_kind.setdefault(_kind_of(request, where, recorded), before)
    for page in pages:
        above, _, last = page.request.target.decode("latin-1").rpartition("/")
        before = of_kind.get(singular(above.rpartition("/")[2].lower()), "")
        if page.rendered and before and _IDENTIFIER.fullmatch(last):
            yield Way(f"{above}/{before}".encode("latin-1"), page)


def _kind_of(request: Request, where: str, recorded: Response) -> str:
    """What a member of an answer numbers: its object's name, the one that the identifier holds, or what is sent to."""
    told = GlobalId.read(dict(_given(recorded)).get(where.removesuffix(_INNER), ""))
    if told is not None:
        return singular(told.thing)
    above = [each for each in where.split(".")[1:-1] if not each.isdigit() and each not in _WRAPPING]
    words = above[-1:] or [
        each for each in request.path.decode("latin-1").split("/") if not _IDENTIFIER.fullmatch(each)
    ]
    return singular(parted(words[-1]).lower().rpartition("_")[2]) if words else ""


def _naming(request: Request, pages: list[Page]) -> list[Page]:
    """The first of the pages whose own last word is that of a value that the request sends: `/my/by-nick` reads the nick that
    `/profile` keeps, and `?page=pets` the pet of `?page=register`.
    """
    sent = _names_sent(request)
    return [page for page in pages if not sent.isdisjoint(_last_words(spoken_path(page.request)))][:_MOST_NAMING]


def _kin_first(request: Request, pages: list[Page]) -> list[Page]:
    """Behind a site's one script all pages are as near by path: those about what the request is about come first."""
    about = set(map(singular, kind_words(request))) if page_asked(request) else set()
    return sorted(pages, key=lambda page: about.isdisjoint(map(singular, kind_words(page.request)))) if about else pages


@lru_cache(8)  # asked at each point of a request
def _names_sent(request: Request) -> frozenset[str]:
    found = (each for each in walked(request) if each.point[0] == "post" and not each.container)
    return frozenset(singular(each.point[-1].lower()) for each in found)


def _last_words(path: str) -> list[str]:
    """The words of the last segment that is none of an object's identifier, one of what there are several of."""
    segments = [each for each in path.lower().split("/") if each and not _IDENTIFIER.fullmatch(each)]
    return [singular(word) for word in _WORD.findall(segments[-1])] if segments else []


def _nearest_and_latest(pages: list[Page], started: float) -> list[Page]:
    """The nearest by path, and by turns those that were asked for shortly before or after: users look at what they do."""
    timed = [page for page in pages if page.started and started]
    timed.sort(key=lambda page: abs(page.started - started))
    turns = [page for pair in zip_longest(pages, timed) for page in pair if page is not None]
    return list({id(page): page for page in turns}.values())


def page_of(situation: Situation, way: Way, target: bytes) -> Page | None:
    """What is known of the page that a way has led to."""
    return way.page or next((page for page in situation.pages if page.request.target == target), None)


def follow(situation: Situation, way: Way, exchange: Exchange) -> Request | None:
    """The question for the page after this answer, in the name of whoever it knows now; None where it leads nowhere."""
    request, answer = situation.baseline.request, response_of(exchange)
    if way == LANDING:
        target = landing_of(request, answer)
    else:
        target = way.target if way.as_recorded else renewed_target(way.target, situation.baseline.response, answer)
    return None if target is None else known_again(reading(request, target), answer)


def known_again(request: Request, answer: Response) -> Request:
    """The request with the cookies that the answer set, as a browser sends them next (RFC 6265, section 5.4)."""
    given = [cookie for header in answer.all(b"Set-Cookie") if (cookie := parse(header)) is not None]
    if not given:
        return request
    names = {cookie.name for cookie in given}
    carried = [pair.strip() for line in request.all(b"Cookie") for pair in line.split(b";")]
    kept = [pair for pair in carried if pair and pair.partition(b"=")[0] not in names]
    cookies = b"; ".join([*kept, *(cookie.name + b"=" + cookie.value for cookie in given if cookie.value)])
    again: Request = msgspec.structs.replace(request, headers=with_header(request.headers, b"Cookie", cookies))
    return again


def gives_session(answer: Response) -> bool:
    """Whether the answer sets cookies, so that who reads next is somebody else than before."""
    return answer.first(b"Set-Cookie") is not None


def renewed(recorded: Response | None, answer: Response) -> dict[str, str]:
    """Identifiers that the recorded answer gave out, each with the one that stands in its place now."""
    if recorded is None or answer.status >= FIRST_ERROR:
        return {}
    now = dict(_given(answer))
    return {
        before: now[where]
        for where, before in _given(recorded)
        if now.get(where, before) != before and _IDENTIFIER.fullmatch(before) and _IDENTIFIER.fullmatch(now[where])
    }


def _sent(request: Request) -> frozenset[str]:
    """What a request says in its path, its query and its body."""
    said = (each.value for each in walked(request) if each.point[0] in ("path", "get", "post") and not each.container)
    return frozenset(value.decode("utf-8", "replace") for value in said)


def renewed_target(target: bytes, recorded: Response | None, answer: Response) -> bytes:
    """The address with the identifiers of now in the place of those that the recorded answer gave out."""
    return _with(target, renewed(recorded, answer))


@remembered
def _given(response: Response) -> tuple[tuple[str, str], ...]:
    """The scalars of a JSON answer by their paths, and the pieces of its Location."""
    location = (response.first(b"Location") or b"").decode("latin-1")
    pieces = [(f"location {place}", piece) for place, piece in enumerate(_PIECE.findall(location))]
    try:
        document = json.loads(content_of(response) or b"")
    except (ValueError, RecursionError):
        return tuple(pieces)
    return (*pieces, *_scalars(document))


def _scalars(document: Any) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    waiting: list[tuple[str, Any]] = [("$", document)]
    while waiting and len(found) < _MOST_LEAVES:
        where, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(f"{where}.{name}", each) for name, each in value.items()]
        elif isinstance(value, list):
            waiting += [(f"{where}.{place}", each) for place, each in enumerate(value[:3])]
        elif isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
            found.append((where, str(value)))
            told = GlobalId.read(value) if isinstance(value, str) else None
            found += [(where + _INNER, told.inner)] if told is not None else []
    return found


def _with(target: bytes, fresh: dict[str, str]) -> bytes:
    """The address with the identifiers of now."""
    if not fresh:
        return target
    return _PIECE.sub(lambda piece: fresh.get(piece[0], piece[0]), target.decode("latin-1")).encode("latin-1")


def _leads(request: Request, response: Response) -> bool:
    return landing_of(request, response) is not None


def addresses_in(baseline: Baseline, answer: Response) -> list[bytes]:
    """What a JSON answer gives as an address at its own host, where asking for it destroys nothing.

    Where the recorded answer held the address that was asked, an answer only repeats what it was asked.
    """
    request, recorded = baseline.request, baseline.response
    known = _given(recorded) if recorded else ()
    echoes = {where for where, value in known if own_target(request, value) == request.target}
    given = [own_target(request, value) for where, value in _given(answer) if where[0] == "$" and where not in echoes]
    return [
        target
        for target in dict.fromkeys(given)
        if target and len(target) > 1 and bears_repeating(Request("POST", target))
    ]


def _links(request: Request, answer: Response) -> list[bytes]:
    """Where its links lead, each once: what its text leads to comes before what the menu of every page alone does."""
    found = Counter(target for each in each_href(text_of(answer)) if (target := _linked(request, each)))
    return [target for target, _ in found.most_common()]


def _linked(request: Request, href: str) -> bytes | None:
    """However pages write it: `pets.php` and `?page=pets` lead on from the request's own address."""
    try:
        return own_target(request, urljoin(request.target.decode("latin-1"), href))
    except ValueError:
        return None


def own_target(request: Request, address: str) -> bytes | None:
    """The target of an address at the request's own host; None for any other, and for what is no address."""
    host = host_of(address)
    if host is not None and host != request.host.lower():
        return None
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    if not parts.path.startswith("/") or not address.isascii() or " " in address:
        return None
    return (parts.path + (f"?{parts.query}" if parts.query else "")).encode()


@lru_cache(32)
def each_href(text: str) -> tuple[str, ...]:
    """Where the links of a page lead, as they are written in it."""
    return tuple(_found_hrefs(text[:_LONGEST]))


def _found_hrefs(text: str) -> Iterator[str]:
    if "<a" not in text.lower():
        return
    for token in tokens(text):
        if token.kind == START and token.name == "a":
            yield from (each.value for each in token.attributes if each.name == "href")
