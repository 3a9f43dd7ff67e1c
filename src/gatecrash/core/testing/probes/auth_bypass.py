"""A guard walked round: refused on the front way, let in under another spelling of the address or with a word in a header.

What it finds
    Endpoints that refuse who has no rights, and answer the same caller when the path is spelt otherwise (`//`, `/./`,
    `;a`, `%2e`, a letter percent-encoded, a slash behind it, `.json`, other case, `/..;/`), when a header names the
    path (`X-Original-URL`, `X-Rewrite-URL`), the method (`X-HTTP-Method-Override`), a trusted address
    (`X-Forwarded-For`, `X-Real-IP`, `Forwarded` and their kin), that the application itself asks
    (`X-Middleware-Subrequest`), who is asking (`X-Forwarded-User`, `Remote-User` and their kin), a trusted host or a
    page that links here, when the method is one that the guard does not know, or below an older version (`/v1/` beside
    `/v2/`).

Why it matters
    The guard stands in front of everybody who comes by the front way. Those who look for another one read as they please.

How it decides
    Only where the request without credentials is refused, or where the recorded request itself was (401, 403). Header
    words of a kind go out in one request; what lets in is found by halves. An answer lets in where it says all that
    the good one says; where only a refusal was ever seen, where it is a success with content that neither the root
    nor a path that does not exist gives in the same way, where made-up names below it are refused (`/notes/.` may be
    the note `.`), and no page or text under another spelling where the refusal is JSON: that may be one of its own, open to
    all. It must do so twice (five times where no good answer is known),
    while the same request with a harmless word in the header (an address of the documentation range, a fresh name, the
    application's front page as the one that links here where only a refusal was ever seen) is refused, the same trick on
    a path that does not exist is answered otherwise, and the plain request is refused still. Only safe methods are sent.

Known misses
    Guards in front of changing methods. Tricks with bytes that no request line can hold. Where only a refusal was seen,
    pages that differ each time, and guards that let in whoever comes from any page of the application.

Standards and references
    CWE-288 (another path or channel), CWE-290 (spoofing), CWE-650 (trusting the method); OWASP Top 10:2021 A01 Broken
    Access Control; OWASP API Security Top 10:2023 API5 Broken Function Level Authorization; RFC 9110 section 9.2.1.
"""

from collections.abc import Callable, Generator
from typing import NamedTuple
from urllib.parse import unquote

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import OK
from gatecrash.core.testing.asking import ask_raw, concluding, known_answers, response_of, sample_baseline
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.callers.trusted_headers import (
    METHOD,
    SPOOFED,
    Word,
    number_of_groups,
    with_words,
    words_for,
)
from gatecrash.core.testing.authorization.openness.access import Access, nowhere
from gatecrash.core.testing.dialogues.turns import in_random_order
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.oracles.difference import Reading, read, same_but_for_numbers, says_anything
from gatecrash.core.testing.oracles.outcomes.refused import is_good, is_taken, refusal
from gatecrash.core.testing.payloads.auth_bypass import METHODS, older_versions, spellings
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "auth"
PATH = 288
# 75: the good answer's own content. 60: content where only refusals were known.
THREAT_SAME, THREAT_OTHER = 75, 60
_REFUSALS = (401, 403)


class _Way(NamedTuple):
    """A way round the guard. make: from the refused request. decoy: the same trick that must not open it; None for the same
    trick on a path that does not exist. point: where the trick stands.
    """

    told: str
    cwe: int
    point: tuple[str, ...]
    make: Callable[[Request], Request]
    decoy: Callable[[Request], Request] | None = None


_ROUNDS = 3
_Sending = Generator[TestRequest, Answer, Exchange]
_Finding = Generator[TestRequest, Answer, Verdict | None]


def _dialogue(situation: Situation) -> Dialogue:
    recorded = situation.baseline.response
    if recorded is not None and recorded.status in _REFUSALS:
        guard = _Guard(situation, situation.baseline.request, None)
    else:
        access = Access(situation, (yield from known_answers(situation)))
        access.check_comparable()
        guard = _Guard(situation, without_credentials(access.request, situation.credentials), access)
    return (yield from _walk_round(guard)) or safe(TYPE, situation.point, "no way round the guard was found")


class _Guard:
    """What is refused, and what counts as let in. access: what good answers say; None where none was ever seen."""

    def __init__(self, situation: Situation, plain: Request, access: Access | None) -> None:
        self.situation = situation
        self.plain = plain
        self.access = access

    def refused(self, exchange: Exchange) -> bool:
        """Whether an answer is a refusal, in whatever way."""
        if self.access is not None:
            return self.access.refuses(exchange) is not None
        response = response_of(exchange)
        return not is_taken(response)

    def suspicious(self, exchange: Exchange) -> bool:
        """Whether an answer may be one that lets in: worth a second look."""
        response = response_of(exchange)
        if self.refused(exchange) or response.status != OK:
            return False
        if self.access is None:
            return says_anything(read(response).facts)
        return True

    def opened(self, exchange: Exchange) -> Generator[TestRequest, Answer, bool]:
        """Whether an answer lets in: by all that the good answers say, where there are any."""
        if not self.suspicious(exchange):
            return False
        if self.access is None:
            return True
        if len(self.access.readings) == 1:
            if not self.access.near(exchange):
                return False
            yield from self._sample()
        return self.access.as_good(exchange)

    def _sample(self) -> Generator[TestRequest, Answer, None]:
        """Good answers of now, to compare with strictly."""
        samples = yield from sample_baseline(self.situation)
        self.access = Access(self.situation, samples)
        self.access.check_comparable()


def _walk_round(guard: _Guard) -> _Finding:
    """Every way, the cheapest first; nothing more is asked where the plain request turns out not to be refused."""
    thorough = is_thorough(guard.situation.policy)
    caller = holder_values(guard.situation)
    for words in words_for(guard.plain, caller, thorough=thorough, refused_all=guard.access is None):
        exchange = yield from ask_raw(with_words(guard.plain, words))
        if not guard.refused(exchange) and not guard.refused((yield from ask_raw(guard.plain, "control"))):
            return safe(
                TYPE, guard.situation.point, "the plain request is not refused: there is no guard to walk round"
            )
        verdict = yield from _by_words(guard, words, exchange)
        if verdict is not None:
            return verdict
    if guard.access is not None:
        for told, path in older_versions(guard.plain.path).items():
            way = _Way(f"with its path {told}", PATH, ("uri",), _spelt(path))
            verdict = yield from _confirm(guard, way, (yield from ask_raw(way.make(guard.plain))))
            if verdict is not None:
                return verdict
    if not thorough and refusal(response_of((yield from ask_raw(_outside(guard), "control")))):
        return None
    for way in _ways(guard.plain, thorough=thorough):
        verdict = yield from _confirm(guard, way, (yield from ask_raw(way.make(guard.plain))))
        if verdict is not None:
            return verdict
    return None


def _outside(guard: _Guard) -> Request:
    """A path that does not exist, at the root: where that is refused, too, the guard stands before all paths alike."""
    return nowhere(msgspec.structs.replace(guard.plain, target=b"/"), guard.situation)


def _by_words(guard: _Guard, words: list[Word], everything: Exchange) -> _Finding:
    """Where all these header words open the guard, the one that does, found by halves."""
    if not (yield from guard.opened(everything)):
        return None
    while len(words) > 1:
        half = words[: len(words) // 2]
        exchange = yield from ask_raw(with_words(guard.plain, half))
        words = half if (yield from guard.opened(exchange)) else words[len(words) // 2 :]
    word = words[0]
    way = _Way(
        told=f"with the header {word.name.decode()}: {word.value.decode('latin-1')}",
        cwe=word.cwe,
        point=("header", word.name.decode().upper()),
        make=lambda request: with_words(request, [word]),
        decoy=lambda request: with_words(request, [word._replace(value=word.harmless)]),
    )
    return (yield from _confirm(guard, way, (yield from ask_raw(way.make(guard.plain)))))


def _confirm(guard: _Guard, way: _Way, exchange: Exchange) -> _Finding:
    """The verdict where the way opens the guard twice, its decoys do not, and the guard stands still."""
    if not (yield from guard.opened(exchange)):
        return None
    decoys = [
        way.make(nowhere(guard.plain, guard.situation)),
        guard.plain,
        *([way.decoy(guard.plain)] if way.decoy else []),
    ]
    seen = _read(exchange)
    control = exchange
    for decoy in decoys:
        control = yield from ask_raw(decoy, "control")
        if _like(guard, seen, control):
            return None
        if decoy is guard.plain and guard.access is None and _is_a_page_beside(_read(control), seen, way):
            return None
    if guard.access is None:
        below = yield from ask_raw(_made_up_below(guard), "control")
        root = yield from ask_raw(msgspec.structs.replace(guard.plain, target=b"/"), "control")
        if (
            _may_be_a_name(guard, seen, below)
            or _like(guard, seen, root)
            or not (yield from _each_time(guard, way, seen))
        ):
            return None
    again = yield from ask_raw(way.make(guard.plain), "confirm")
    if not (yield from guard.opened(again)) or not same_but_for_numbers(seen, _read(again)):
        return None
    return _vulnerable(guard, way, again, control)


def _made_up_below(guard: _Guard) -> Request:
    """A name that nothing has, below the refused path."""
    name = fresh_letters(guard.situation.random, 12).encode()
    return _spelt(lambda path: path.rstrip(b"/") + b"/" + name)(guard.plain)


def _may_be_a_name(guard: _Guard, seen: Reading, below: Exchange) -> bool:
    """Whether made-up names below the refused path are answered as well: routers take a spelling, as `/notes/.`, for one, too."""
    return not guard.refused(below) and _read(below).kind == seen.kind


def _is_a_page_beside(plain: Reading, seen: Reading, way: _Way) -> bool:
    """Whether an API's refusal has a page of another kind at nearly its address, `/notes/` beside `/notes`: of its own, for anybody."""
    return way.decoy is None and plain.kind == "json" and seen.kind != "json"


def _each_time(guard: _Guard, way: _Way, seen: Reading) -> Generator[TestRequest, Answer, bool]:
    """Whether the way is answered alike each time and a path that does not exist never, in random order.

    Where no good answer is known, a gateway may answer any path now the one way and now the other.
    """
    for meant in in_random_order(guard.situation.random, _ROUNDS):
        request = guard.plain if meant else nowhere(guard.plain, guard.situation)
        exchange = yield from ask_raw(way.make(request), "confirm" if meant else "control")
        if _like(guard, seen, exchange) is not meant:
            return False
    return True


def _like(guard: _Guard, seen: Reading, exchange: Exchange) -> bool:
    """Whether a control, which must not be let in, is answered as the suspicion was."""
    if guard.access is not None and guard.access.as_good(exchange):
        return True
    return not guard.refused(exchange) and same_but_for_numbers(seen, _read(exchange))


def _read(exchange: Exchange) -> Reading:
    """An answer with what it echoes of the address put back, so that soft 404s of any path read alike.

    As it was sent and as a router reads it: decoded, with or without blanks at its ends.
    """
    path = exchange.request.path.decode("latin-1")
    paths = (exchange.request.target.decode("latin-1"), path, unquote(path), unquote(path).strip())
    echoes = dict.fromkeys((*paths, *(each.rstrip("/").rpartition("/")[2] for each in paths)), "asked")
    return read(response_of(exchange), {echo: word for echo, word in echoes.items() if echo})


def _vulnerable(guard: _Guard, way: _Way, exchange: Exchange, control: Exchange) -> Verdict:
    known = guard.access is not None
    what = "all that the good answer says" if known else "a success with content, where the plain request is refused"
    return vulnerable(
        ENTRY,
        way.point,
        detail=way.told,
        threat=THREAT_SAME if known else THREAT_OTHER,
        cwe=(way.cwe,),
        test=exchange,
        control=control,
        verified_by=(
            f"The request is refused without good credentials; {way.told} the answer is {what}, twice. The same trick "
            f"on a path that does not exist{' and with a harmless value' if way.decoy else ''} does not give it."
        ),
    )


def _ways(request: Request, *, thorough: bool) -> list[_Way]:
    """The other ways, the likeliest first."""
    ways = [_by_named_path()]
    if request.method.upper() == "GET":
        ways.append(_by_overridden_method())
    for told, path in spellings(request.path, thorough=thorough).items():
        ways.append(_Way(f"with the path spelt {told}", PATH, ("uri",), _spelt(path)))
    if thorough and request.method.upper() == "GET":
        ways.append(_Way("with the method PROPFIND", METHOD, ("uri",), _with_method(b"PROPFIND")))
    return ways


def _by_named_path() -> _Way:
    """The path that the guard lets through, and the one that is meant in headers that some routers obey."""

    def make(request: Request) -> Request:
        named = ((b"X-Original-URL", request.target), (b"X-Rewrite-URL", request.target))
        _, mark, query = request.target.partition(b"?")
        changed: Request = msgspec.structs.replace(
            request, target=b"/" + mark + query, headers=(*request.headers, *named)
        )
        return changed

    def decoy(request: Request) -> Request:
        _, mark, query = request.target.partition(b"?")
        changed: Request = msgspec.structs.replace(request, target=b"/" + mark + query)
        return changed

    told = "with its path in X-Original-URL and X-Rewrite-URL and the root asked for,"
    return _Way(told, PATH, ("header", "X-ORIGINAL-URL"), make, decoy)


def _by_overridden_method() -> _Way:
    """A method that guards let pass for the sake of browsers' own questions, overridden by the one that is meant."""

    def make(request: Request) -> Request:
        overriding = tuple((name, b"GET") for name in METHODS)
        changed: Request = msgspec.structs.replace(request, method="OPTIONS", headers=(*request.headers, *overriding))
        return changed

    told = "asked by OPTIONS with GET in X-HTTP-Method-Override"
    return _Way(told, METHOD, ("header", "X-HTTP-METHOD-OVERRIDE"), make, _with_method(b"OPTIONS"))


def _with_method(method: bytes) -> Callable[[Request], Request]:
    def make(request: Request) -> Request:
        changed: Request = msgspec.structs.replace(request, method=method.decode())
        return changed

    return make


def _spelt(spell: Callable[[bytes], bytes]) -> Callable[[Request], Request]:
    def make(request: Request) -> Request:
        path, mark, query = request.target.partition(b"?")
        changed: Request = msgspec.structs.replace(request, target=spell(path) + mark + query)
        return changed

    return make


def applies(situation: Situation) -> bool:
    """Safe requests with credentials that were answered well, and those that were refused when they were recorded."""
    request, response = situation.baseline.request, situation.baseline.response
    if request.method.upper() not in ("GET", "HEAD") or not is_safe(request) or destroys(request):
        return False
    if response is None:
        return False
    if response.status in _REFUSALS:
        return request.method.upper() == "GET"
    return bool(situation.credentials) and _is_success(response)


def _is_success(response: Response) -> bool:
    return is_good(response) and bool(response.body)


def forecast(situation: Situation) -> int:
    """Header words of a kind in one, then every other way once; where requests are to be spared, a look at the root instead."""
    request, thorough = situation.baseline.request, is_thorough(situation.policy)
    response = situation.baseline.response
    older = older_versions(request.path) if response is not None and response.status not in _REFUSALS else {}
    return (
        number_of_groups(thorough=thorough) + len(older) + (len(_ways(request, thorough=thorough)) if thorough else 1)
    )


ENTRY = Entry(
    type=TYPE,
    title="Access control can be bypassed",
    cwe=(PATH, SPOOFED, METHOD),
    owasp=("A01:2021",),
    owasp_api=("API5:2023",),
    why=(
        "The check and the application read the same request differently. Whoever writes it so that the check sees "
        "something harmless is let in without any rights, and nothing looks odd in the logs of either."
    ),
    remediation=(
        "Check rights in the application, at the function itself, and refuse by default. Where a proxy checks, let it "
        "normalise the path first and pass on what it checked. Drop X-Original-URL, X-Rewrite-URL and method overrides; "
        "take a caller's address and name only from a proxy of your own that overwrites the headers, and no address as a right."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, whole=True, applies=applies, forecast=forecast, run=concluding(TYPE, _dialogue))
