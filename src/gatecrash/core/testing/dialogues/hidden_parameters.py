"""Parameters that an application takes though nobody has sent them: `?debug=1`, `?file=…`, a header that tells the caller.

Dozens of names are sent in one request, all with the same value; where the answer says something else than it does
without, halves tell which name it was. An invented name must change nothing, or the page speaks of its own address; where
dozens of invented ones do and a few do not, the server limits their number, and the names are sent a few at a time. What is
found is tested as a parameter that was recorded: with the value beside it that the application took.
"""

from collections.abc import Generator, Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.message import Exchange, Request, with_header
from gatecrash.core.point import Point
from gatecrash.core.points.percent import quoter
from gatecrash.core.points.walk import read
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT, OK
from gatecrash.core.testing.asking import Stopped, concluding, response_of, sample_baseline, sample_beside
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.memory import Memory
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import Reading, same_but_for_numbers
from gatecrash.core.testing.oracles.difference import read as read_answer
from gatecrash.core.testing.oracles.leaks.leaks import leaks
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Verdict, inconclusive, safe

NAME: Final = "hidden parameters"
# What is looked for at a parameter that was found, worst first: one flaw of one place is told.
FOLLOWED: Final = ("rce", "ssti", "sqli", "ptrav", "ssrf", "xss", "redir", "info")
INFO: Final = "info"

_FILES: Final = (
    "file filename path page include template doc document folder dir download view load read log lang theme source src"
    " image report config"
)
_SWITCHES: Final = "debug test admin verbose trace dev internal preview raw full all _debug"
_VALUES: Final = (
    "q query search s keyword filter where sort order order_by sort_by group id user user_id name category type status"
    " fields columns table"
)
_TEXTS: Final = (
    "url uri link target host domain proxy fetch redirect redirect_url redirect_uri return return_url returnTo next continue"
    " goto dest back message msg error title text content tpl cmd exec command run code expr eval ip ping email key format"
    " output mode locale style"
)
# Who called, as proxies of several makers tell it; applications write it down.
_HEADERS: Final = ("X-REAL-IP", "TRUE-CLIENT-IP", "CLIENT-IP", "X-CLIENT-IP", "CF-CONNECTING-IP", "X-ORIGINATING-IP")

# What nobody can overwrite.
_PATH: Final = "../" * 8 + "proc/self/status"
_QUOTES: Final = "'\""
_MOST_PLACES: Final = 4
_MOST_ASKED: Final = 60
# Servers that limit the number of parameters, and close the connection over more or refuse them, take so many.
_FEW: Final = 8
_quote: Final = quoter("-._~")


class _Round(NamedTuple):
    """The same value at many places; letters of no meaning where it is empty."""

    value: str
    places: tuple[Point, ...]


def _parameters(names: str) -> tuple[Point, ...]:
    return tuple(Point.of("get", name) for name in names.split())


_CALLERS: Final = tuple(Point.of("header", name) for name in _HEADERS)
_ROUNDS: Final = (
    _Round("", (*_parameters(f"{_TEXTS} {_FILES} {_VALUES}"), *_CALLERS)),
    _Round("1", _parameters(_SWITCHES)),
    _Round(_PATH, _parameters(_FILES)),
    _Round(_QUOTES, (*_parameters(_VALUES), *_CALLERS)),
)

_Searching = Generator[TestRequest, Answer, list[tuple[Point, bytes, Exchange]]]


def behind(probes: Iterable[Probe]) -> Probe | None:
    """What looks for hidden parameters, and asks these probes at those that there are; None where none of them does.

    The first probe of each type in FOLLOWED is asked.
    """
    first: dict[str, Probe] = {}
    for probe in probes:
        if probe.type in FOLLOWED and (not probe.whole or probe.type == INFO):
            first.setdefault(probe.type, probe)
    followed = [first[type_] for type_ in FOLLOWED if type_ in first]
    if not followed:
        return None

    def dialogue(situation: Situation) -> Dialogue:
        return (yield from _dialogue(situation, followed))

    type_ = followed[0].type
    return Probe(
        type=type_,
        entry=followed[0].entry,
        name=NAME,
        whole=True,
        collected=_collected,
        applies=applies,
        forecast=forecast,
        run=concluding(type_, dialogue),
    )


def applies(situation: Situation) -> bool:
    """Pages and data that are read, in a policy that looks at parameters' names and leaves no points out."""
    request, response = situation.baseline.request, situation.baseline.response
    policy = situation.policy
    wide = "name" in policy.locations and not (policy.include or policy.exclude or policy.one_family)
    if not wide or request.method.upper() != "GET" or request.body or response is None or response.truncated:
        return False
    says_something = OK <= response.status < FIRST_REDIRECT and bool(response.body)
    return says_something and destroys(request) is None and operation_of(request) is None


def forecast(_situation: Situation) -> int:
    """The baseline once more, and each round."""
    return 1 + len(_ROUNDS)


def _collected(request: Request) -> tuple[str, ...]:
    """One address of an endpoint stands for all: what it takes besides does not depend on what it is asked for."""
    segments = request.path.decode("latin-1").split("/")
    return (NAME, request.origin, *("" if look_of(segment) else segment for segment in segments))


def _dialogue(situation: Situation, followed: Sequence[Probe]) -> Dialogue:
    type_ = followed[0].type
    inquiry = Inquiry(situation, (yield from _samples(situation)))
    if not _are_alike(inquiry.basis):
        return inconclusive(
            type_, situation.point, Inconclusive.UNSTABLE, "the baseline is answered differently each time"
        )
    proven: list[Verdict] = []
    for place, value, exchange in (yield from _Search(inquiry).all()):
        verdict = yield from _tested(situation, followed, place, value, exchange)
        if verdict is not None:
            proven.append(verdict)
    situation.memory.besides += proven[1:]
    return proven[0] if proven else safe(type_, situation.point)


def _samples(situation: Situation) -> Generator[TestRequest, Answer, list[Exchange]]:
    """Two answers to compare with. What was kept since the request was recorded, or by other tests in this moment, is shown on
    many pages (a name, a count of letters): where they differ, one more of today is asked for.
    """
    samples = yield from sample_beside(situation)
    if _are_alike([read_answer(response_of(each)) for each in samples]):
        return samples
    (latest,) = yield from sample_baseline(situation, 1)
    return [latest, next(each for each in reversed(samples) if each is not situation.baseline.exchange)]


def _are_alike(readings: Sequence[Reading]) -> bool:
    return all(same_but_for_numbers(readings[0], each) for each in readings[1:])


class _Search:
    """Looks for what changes the answers to one baseline. asked: requests of the search so far."""

    def __init__(self, inquiry: Inquiry) -> None:
        self._inquiry = inquiry
        self._request = inquiry.situation.baseline.request
        self._letters = inquiry.mark(8)
        self._asked = 0

    def all(self) -> _Searching:
        """The places that were found, with a value that they take and the answer to it."""
        found: dict[Point, tuple[Point, bytes, Exchange]] = {}
        for value, places in _ROUNDS:
            sent = value or self._letters
            new = tuple(each for each in places if each not in found and read(self._request, each) is None)
            for place in (yield from self._effective(new, sent)):
                if len(found) < _MOST_PLACES and (yield from self._is_steady(place, sent)):
                    found[place] = yield from self._taken(place, sent)
        return list(found.values())

    def _effective(self, places: tuple[Point, ...], value: str) -> Generator[TestRequest, Answer, list[Point]]:
        """Those of the places at which the value changes the answer, found by halves."""
        waiting, found = [places], list[Point]()
        while waiting and len(found) < _MOST_PLACES and self._asked < _MOST_ASKED:
            group = waiting.pop()
            if not group or not (yield from self._changes(group, value)):
                continue
            if group is places and (yield from self._changes(self._invented(len(places)), value)):
                if len(places) <= _FEW or (yield from self._changes(self._invented(_FEW), value)):
                    return []  # a page that tells its own address, or an application that refuses what it does not know
                # So many parameters alone are refused.
                waiting += [places[at : at + _FEW] for at in range(0, len(places), _FEW)][::-1]
            elif len(group) == 1:
                found += group
            else:
                waiting += [group[len(group) // 2 :], group[: len(group) // 2]]
        return found

    def _is_steady(self, place: Point, value: str) -> Generator[TestRequest, Answer, bool]:
        """Whether it is the place: again with it, and again not with an invented one."""
        if not (yield from self._changes((place,), value)):
            return False
        return not (yield from self._changes(self._invented(1), value)) and (yield from self._changes((place,), value))

    def _taken(self, place: Point, value: str) -> Generator[TestRequest, Answer, tuple[Point, bytes, Exchange]]:
        """The place with a value that the application has nothing against, where there is one: tests need a good answer."""
        tried: list[tuple[Point, bytes, Exchange]] = []
        for harmless in dict.fromkeys(("1" if value == "1" else self._letters, self._letters, "1")):
            reply = yield from self._reply((place,), harmless)
            if reply is not None:
                tried.append((place, harmless.encode(), reply.exchange))
                if reply.reading.status < FIRST_ERROR:
                    return tried[-1]
        return tried[0] if tried else (place, b"", self._inquiry.control)

    def _changes(self, places: tuple[Point, ...], value: str) -> Generator[TestRequest, Answer, bool]:
        try:
            reply = yield from self._reply(places, value)
        except Stopped as stopped:
            if len(places) > _FEW and stopped.reason is Inconclusive.CONNECTION:
                return True  # of a target that is gone a few will tell
            raise
        return reply is not None and not same_but_for_numbers(self._inquiry.basis[0], reply.reading)

    def _reply(self, places: tuple[Point, ...], value: str) -> Generator[TestRequest, Answer, Reply | None]:
        self._asked += 1
        request, added = _with(self._request, places, value)
        return (
            yield from self._inquiry.submit(request, f"{value} at {len(places)} names", {added: ""} if added else None)
        )

    def _invented(self, count: int) -> tuple[Point, ...]:
        return _parameters(" ".join(self._inquiry.mark(6) for _ in range(count)))


def _with(request: Request, places: Iterable[Point], value: str) -> tuple[Request, str]:
    """The request with the value at places that it does not have, and what its query got for it."""
    pairs: list[str] = []
    headers = request.headers
    for place in places:
        if place[0] == "get":
            pairs.append(f"{place[1]}={_quote(value.encode()).decode()}")
        else:
            headers = with_header(headers, place[1].title().encode(), value.encode())
    added = "&".join(pairs)
    target = request.target
    if added:
        target += (b"&" if b"?" in target else b"?") + added.encode()
    return msgspec.structs.replace(request, target=target, headers=headers), added


def _tested(
    situation: Situation, followed: Sequence[Probe], place: Point, value: bytes, exchange: Exchange
) -> Generator[TestRequest, Answer, Verdict | None]:
    """What the probes prove at a place as if it had been recorded with its value."""
    changed, _ = _with(situation.baseline.request, (place,), value.decode())
    recorded = msgspec.structs.replace(exchange, request=changed)
    oob = situation.oob
    situated = msgspec.structs.replace(
        situation,
        baseline=Baseline(situation.baseline.id, recorded),
        point=place,
        value=value,
        # Addresses of their own, or a late visitor of one place were taken for another's.
        oob=oob and msgspec.structs.replace(oob, test=(*oob.test, *place)),
        memory=Memory(((place, value),), situation.memory.told),
    )
    for probe in followed:
        if probe.type == INFO and not _tells_more(situation, exchange):
            continue
        if not probe.applies(situated):
            continue
        verdict = yield from probe.run(situated)
        if verdict.outcome is Outcome.VULNERABLE:
            return _with_its_way(verdict, place, situation)
    return None


def _tells_more(situation: Situation, exchange: Exchange) -> bool:
    """Whether the answer gives away what the baseline keeps to itself."""
    known = situation.baseline.response
    return bool(leaks(text_of(response_of(exchange))) - (leaks(text_of(known)) if known else frozenset()))


def _with_its_way(verdict: Verdict, place: Point, situation: Situation) -> Verdict:
    """The verdict, its proof telling how the parameter was come to, which nobody finds in the recorded request."""
    if verdict.proof is None:
        return verdict
    found = f"No recorded request has {place[1]}; its value changes the answer, that of an invented name does not. "
    words = verdict.proof.verified_by
    control = verdict.proof.control
    if verdict.type == INFO:
        words = f"With it the answer holds {verdict.detail}, known by its form; without it does not."
        control = situation.baseline.exchange
    proof = msgspec.structs.replace(verdict.proof, verified_by=found + words, control=control)
    return msgspec.structs.replace(verdict, proof=proof, point=tuple(place))
