"""Whether an answer lets the caller in: what the good answers say, and how another one compares with them.

access = Access(situation, samples)
access.refuses(exchange)     how an answer refuses, in words; None where it does not
access.as_good(exchange)     whether it says all that the good ones say
"""

import re
from collections.abc import Container, Generator, Mapping

import msgspec

from gatecrash.core.message import Exchange, Request, Response, reading, with_header
from gatecrash.core.point import Point
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT
from gatecrash.core.testing.asking import Stopped, ask, check_alive, response_of, sample_baseline
from gatecrash.core.testing.authorization.objects.named import asks
from gatecrash.core.testing.authorization.openness.done_as_asked import done_as_asked
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.operations.graphql import only_queries, operation_of
from gatecrash.core.testing.operations.one_script import page_asked
from gatecrash.core.testing.operations.procedures import procedure_of
from gatecrash.core.testing.operations.questions import is_question
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import (
    Reading,
    read,
    same_but_for_numbers,
    says_all_of,
    says_anything,
    stable,
)
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.oracles.outcomes.told_errors import gives_nothing, results_in_errors, tells_errors
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Verdict, vulnerable

_HANDED = "cookie set"
# SOAP 1.1 section 6.1.1; RFC 3902 has the action in the media type.
_NAME_FUNCTIONS = frozenset({b"soapaction", b"content-type"})


class Access:
    """One baseline under question. samples: good answers to it, one or more; safe: whether it may be repeated."""

    def __init__(self, situation: Situation, samples: list[Exchange]) -> None:
        """Begin with what the good answers say. Raises Stopped where there is none."""
        if not samples:
            raise Stopped(
                Inconclusive.NO_CONTROL, "no whole answer to the baseline was recorded, and it may not be repeated"
            )
        self.situation = situation
        self.request: Request = situation.baseline.request
        self.safe = may_be_repeated(self.request)
        self.control = samples[0]
        self.good: Response = response_of(samples[0])
        self._sessions = _cookies_of(self.request)
        self.readings: list[Reading] = [self._read(sample) for sample in samples]

    def check_comparable(self) -> None:
        """Raise Stopped where the good answer is no success, or holds nothing to compare others with."""
        status, why = self.good.status, refusal(self.good)
        if status >= FIRST_ERROR or why:
            told = f"{status}" if status >= FIRST_ERROR else f"{status}, which {why}"
            raise Stopped(Inconclusive.NO_CONTROL, f"the baseline's own answer is no success ({told})")
        text = text_of(self.good)
        if (gives_nothing(text) and tells_errors(text)) or results_in_errors(text):
            raise Stopped(Inconclusive.NO_CONTROL, "the baseline's own answer tells errors and gives nothing")
        if self.safe and (gives_nothing(text) or not says_anything(stable(self.readings))):
            raise Stopped(Inconclusive.NO_CONTROL, "the baseline's answer holds nothing that could be compared")

    def refuses(self, exchange: Exchange) -> str | None:
        """How the answer refuses; None where it does not."""
        response = response_of(exchange)
        why = refusal(response, self.good)
        if why is None and response.status >= FIRST_ERROR:
            return f"answers {response.status}"
        return why

    def as_good(self, exchange: Exchange, echoes: Mapping[str, str] | None = None) -> bool:
        """Whether the answer says all that the good ones say; where that was seen once, numbers may differ.

        echoes: what was sent in the place of something else, which the answer may repeat, and what stood there.
        """
        if self.refuses(exchange):
            return False
        reading = self._read(exchange, echoes)
        if self.safe and len(self.readings) > 1:
            return says_all_of(reading, stable(self.readings))
        return same_but_for_numbers(self.readings[0], reading)

    def lets_in(self, exchange: Exchange) -> bool:
        """Whether the answer is as good; of a change also whether it shows it done, as what else the object holds may be another
        by now, and the change may not be made once more to see it.
        """
        if self.as_good(exchange):
            return True
        may = not self.safe and not self.refuses(exchange)
        return may and done_as_asked(self.request, self.good, response_of(exchange))

    def as_done_by(self, exchange: Exchange, own: Container[str], other: Container[str]) -> bool:
        """Whether the answer is as good but for who did it: it names him where the good one names the recorded sender.

        own, other: what the two are called, in small letters.
        """
        if self.refuses(exchange):
            return False
        good, seen = self.readings[0], self._read(exchange)
        his = {fact for fact in seen.facts - good.facts if fact[1] in other}
        named = {place for place, _ in his}
        ours = {fact for fact in good.facts - seen.facts if fact[0] in named and fact[1] in own}
        his = {fact for fact in his if fact[0] in {place for place, _ in ours}}
        rest = msgspec.structs.replace(good, facts=good.facts - ours)
        return bool(ours) and same_but_for_numbers(rest, msgspec.structs.replace(seen, facts=seen.facts - his))

    def near(self, exchange: Exchange) -> bool:
        """Whether the answer has half of what a good one has, or differs in numbers alone: worth another sample."""
        good, seen = self.readings[0], self._read(exchange)
        if (good.status, good.kind) != (seen.status, seen.kind):
            return False
        return 2 * len(good.facts & seen.facts) >= len(good.facts) or same_but_for_numbers(good, seen)

    def admits(self, exchange: Exchange) -> Generator[TestRequest, Answer, bool]:
        """Whether the answer is as good, where another sample may tell what moves: asked for once, where it could matter."""
        if self.as_good(exchange):
            return True
        if self.refuses(exchange) or not self.safe or len(self.readings) > 1:
            return False
        again = yield from ask(self.request, "control")
        self.readings.append(self._read(again))
        return self.as_good(exchange)

    def _read(self, exchange: Exchange, echoes: Mapping[str, str] | None = None) -> Reading:
        """What an answer says. That it hands out a cookie which the request has already is no part of that: most sites begin a
        session for whoever comes without one.
        """
        reading = read(response_of(exchange), echoes)
        handed = {fact for fact in reading.facts if fact[0] == _HANDED and fact[1] in self._sessions}
        return msgspec.structs.replace(reading, facts=reading.facts - handed) if handed else reading

    def vulnerable(
        self, entry: Entry, exchange: Exchange, threat: int, told: str, point: Point | None = None
    ) -> Verdict:
        """What was answered as the good request is, as a finding beside it. point: the situation's where none is given."""
        return vulnerable(
            entry,
            self.situation.point if point is None else point,
            threat=threat,
            test=exchange,
            control=self.control,
            verified_by=told,
        )


def _cookies_of(request: Request) -> frozenset[str]:
    """The names of the cookies that a request has, as facts have them."""
    pairs = (request.first(b"Cookie") or b"").decode("utf-8", "replace").split(";")
    return frozenset(pair.partition("=")[0].strip().casefold() for pair in pairs)


def sample_reading(situation: Situation) -> Generator[TestRequest, Answer, list[Exchange]]:
    """Good answers as `sample_baseline` has them; a GraphQL query or another question by POST is asked again as well, for what it
    reads changes.
    """
    request = situation.baseline.request
    if only_queries(request) or (asks(request) and not is_safe(request)):
        return (yield from sample_now(situation, 2))
    return (yield from sample_baseline(situation))


def sample_repeatable(situation: Situation, count: int = 2) -> Generator[TestRequest, Answer, list[Exchange]]:
    """Good answers as `sample_baseline` has them; a GraphQL query or a call that only reads is asked again as well."""
    if may_be_repeated(situation.baseline.request) and not is_safe(situation.baseline.request):
        return (yield from sample_now(situation, count))
    return (yield from sample_baseline(situation, count))


def sample_now(situation: Situation, count: int = 2) -> Generator[TestRequest, Answer, list[Exchange]]:
    """Good answers of now alone: what was recorded may be old, as a list of all that has grown meanwhile."""
    recorded = situation.baseline.exchange
    samples: list[Exchange] = []
    for _ in range(count):
        samples.append((yield from ask(recorded.request, "control")))
        check_alive(recorded.response, response_of(samples[-1]))
    return samples


def may_be_repeated(request: Request) -> bool:
    """Whether a request changes nothing, by its method, as a GraphQL query, or by the name of what it calls."""
    return is_safe(request) or only_queries(request) or is_question(request)


def nowhere(request: Request, situation: Situation) -> Request:
    """The request with the last segment of its path replaced by one that surely does not exist; of a site that one
    script serves, which answers at any path, with the page that its query asks for; of what calls a function, which has
    one path for all, with that function's name.
    """
    name = fresh_letters(situation.random, 12).encode()
    if procedure := procedure_of(request):
        return _calling(request, procedure.encode(), name)
    changed: Request = msgspec.structs.replace(request, target=_elsewhere(request, name))
    return changed


def read_nowhere(request: Request, good: Response, situation: Situation) -> Request | None:
    """A question for such a path by GET, in the place of a request that may change something there, to see whether all paths are
    answered as well; None for what calls a function, which has one path for all, and where the good answer redirects, as many
    places lead home.
    """
    if good.status >= FIRST_REDIRECT or procedure_of(request) or operation_of(request) is not None:
        return None
    return reading(request, nowhere(request, situation).target)


def _calling(request: Request, procedure: bytes, name: bytes) -> Request:
    """The call, of a batch each, with another name for its function wherever that stands."""
    names = b"|".join(map(re.escape, procedure.split(b"/")))
    called = re.compile(rb"(?<![\w.])(?:%s)(?![\w.])" % names)
    body = called.sub(name, request.body)
    headers = tuple(
        (header, called.sub(name, value) if header.lower() in _NAME_FUNCTIONS else value)
        for header, value in request.headers
    )
    if request.first(b"Content-Length") is not None:
        headers = with_header(headers, b"Content-Length", str(len(body)).encode())
    changed: Request = msgspec.structs.replace(request, headers=headers, body=body)
    return changed


def _elsewhere(request: Request, name: bytes) -> bytes:
    path, mark, query = request.target.partition(b"?")
    page = page_asked(request).rpartition("/")[2].encode()
    if page:
        head, _, tail = query.rpartition(page)
        return path + mark + head + name + tail
    return path.rstrip(b"/").rpartition(b"/")[0] + b"/" + name + mark + query
