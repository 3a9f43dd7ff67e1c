"""What every probe's dialogue shares: asking a question, sampling the baseline, and stopping with a reason.

exchange = yield from ask(request)            an answer, or Stopped
exchange = yield from ask_as(request, "ben")  the same, sent as another identity
samples = yield from sample_baseline(situation)
run = concluding("sqli", dialogue)            Stopped becomes an inconclusive verdict
"""

import re
from collections.abc import Callable, Generator

from gatecrash.core import certificates
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import FIRST_SERVER_ERROR, FORBIDDEN
from gatecrash.core.testing.effects.destruction import bears_repeating
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.health.refused_sessions import OTHER_OUT
from gatecrash.core.testing.oracles.difference import MANY, is_steady, read, steadiness
from gatecrash.core.testing.oracles.outcomes.refused import refusal, was_let_in
from gatecrash.core.testing.probe import Answer, Dialogue, Situation, TestRequest
from gatecrash.core.testing.sealed_tokens import SEALED, is_sealed
from gatecrash.core.testing.verdict import Inconclusive, inconclusive, safe

TIMED_OUT = "the target did not answer in time"
# Its tests ask for a file that is there: some never answer for one that is not, whatever type of test names it.
_ASKS_FOR_WHAT_IS_THERE = "ptrav"
HANGS = f"{TIMED_OUT} when other tests were made there"
CERTIFICATE_REFUSED = {
    kind: f"the target's {certificates.explained(kind, ', or use --no-verify-tls')}" for kind in certificates.WHAT
}
BANNED = "the target bans who asks this, or so much"
_FAILURES = {
    "refused": "the target refused the connection",
    "timeout": TIMED_OUT,
    "silent": "the target answers nobody any more",
    "closed": "the target closed the connection without an answer",
    "broken": "the answer was not HTTP, or not TLS where the address begins with https",
    **CERTIFICATE_REFUSED,
    "too_large": "the answer was too large to keep",
    "not_allowed": "the target is not among the allowed hosts",
    "lethal": "the target goes away when it is sent a null byte: this was not asked",
}
# A gateway's answers: they speak of what stands in front of the application, never of the application.
GATEWAY_STATUSES = frozenset({502, 503, 504, 520, 521, 522, 523, 524})
# Seconds from which on a gateway's error comes of waiting for its backend, which would be waited for again.
_LATE = 2.0
_SAID_BY_GATEWAYS = re.compile(
    rb"bad gateway|gateway time-?out|service (?:temporarily )?(?:un|not )available|upstream|no healthy|origin|cloudflare|nginx"
    rb"|varnish|haproxy|\"message\"\s*:\s*\"internal server error\""
)
# So much of two answers must be the same (0 to 1) for the older one to say what the baseline says.
_ALIKE = 0.9
_MOST_SAMPLES = 8


class Stopped(Exception):
    """Nothing can be decided any more; ends a dialogue as inconclusive."""

    def __init__(self, reason: Inconclusive, detail: str) -> None:
        """Say why, for the verdict and for a person."""
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class NotSignedIn(Stopped):
    """The identity that a request was to be sent as could not be signed in."""


def ask(request: Request, purpose: str = "test") -> Generator[TestRequest, Answer, Exchange]:
    """Send a request and give the exchange, whose answer is there. Raises Stopped where none came, or a limiter's."""
    return (yield from put(TestRequest(request, purpose)))


def ask_raw(request: Request, purpose: str = "test") -> Generator[TestRequest, Answer, Exchange]:
    """The same for a request whose credentials are the question: nothing in it is brought up to date on its way."""
    return (yield from put(TestRequest(request, purpose, raw=True)))


def ask_as(request: Request, identity: str, purpose: str = "test") -> Generator[TestRequest, Answer, Exchange]:
    """The same, sent as an identity of the situation; as nobody where its name is empty."""
    return (yield from put(TestRequest(request, purpose, identity=identity)))


def ask_raw_unless_cut_off(request: Request) -> Generator[TestRequest, Answer, Exchange | None]:
    """The same for what only reads; None where the connection is closed upon it without a word, twice, by a target that
    takes others: a server that breaks over credentials lets nobody in by them.
    """
    asked = TestRequest(request, "test", raw=True)
    answer = yield asked
    if _is_cut_off(answer, request):
        answer = yield asked
        if _is_cut_off(answer, request):
            return None
    return (yield from settled_anew(answer, asked))


def put(asked: TestRequest) -> Generator[TestRequest, Answer, Exchange]:
    """Send what is asked, as it is asked. Raises Stopped as `ask` does."""
    answer = yield asked
    response = answer.exchange.response
    if response is not None and response.status < FORBIDDEN:  # most have such a status
        return settled(answer)
    return (yield from settled_anew(answer, asked))


def settled(answer: Answer) -> Exchange:
    """The exchange of an answer that came. Raises Stopped as `ask` does."""
    response = answer.exchange.response
    if response is None or answer.failure:
        if answer.failure == "signed_out":
            raise NotSignedIn(Inconclusive.SESSION, f"{OTHER_OUT}: {answer.detail}" if answer.detail else OTHER_OUT)
        if answer.failure == "banned":
            raise Stopped(Inconclusive.BLOCKED, BANNED)
        raise Stopped(Inconclusive.CONNECTION, _FAILURES.get(answer.failure, "no answer came"))
    if response.status < FORBIDDEN:
        return answer.exchange
    if response.status == 429 or (response.status in (503, 403) and response.first(b"Retry-After")):
        raise Stopped(Inconclusive.RATE_LIMITED, f"the target answered {response.status} and asks to come back later")
    if response.status in GATEWAY_STATUSES:
        raise Stopped(Inconclusive.UNSTABLE, f"a gateway answered {response.status} in the target's place")
    return answer.exchange


def settled_anew(answer: Answer, asked: TestRequest) -> Generator[TestRequest, Answer, Exchange]:
    """The same, where a writing request is sent again after a gateway's passing error: one question among many, as
    harmless twice as once. So is a safe one on which the connection was closed without a word, by a target that takes
    others: a worker that has served enough ends so.

    Other safe ones were sent again already, on their way to the target. What deletes or locks something is not: its second answer would
    tell of the first one.
    """
    if _is_cut_off(answer, asked.request) or (is_passing(answer) and _may_be_sent_twice(asked.request)):
        answer = yield asked
    return settled(answer)


def _is_cut_off(answer: Answer, request: Request) -> bool:
    return answer.failure == "closed" and answer.exchange.response is None and is_safe(request)


def _may_be_sent_twice(request: Request) -> bool:
    return not is_safe(request) and bears_repeating(request) and not signs_in(request)


def is_passing(answer: Answer) -> bool:
    """Whether it is a gateway's own error that may be over at once, as while a backend restarts. Retry-After is a limiter's."""
    response = answer.exchange.response
    if response is None or answer.failure or response.status not in GATEWAY_STATUSES or response.first(b"Retry-After"):
        return False
    return (answer.exchange.elapsed or 0.0) < _LATE and not may_be_own_word(answer)


def may_be_own_word(answer: Answer) -> bool:
    """Whether an answer with a gateway's status may be the application's own word on what it asked in its turn.

    Those of proxies, balancers and platforms name their status, or say nothing at all.
    """
    response = answer.exchange.response
    if response is None or response.status not in GATEWAY_STATUSES or answer.failure or response.first(b"Retry-After"):
        return False
    text = response.body[:4000].lower()
    return bool(text.strip()) and not _SAID_BY_GATEWAYS.search(text)


def response_of(exchange: Exchange) -> Response:
    """The answer of an exchange that `ask` gave."""
    assert exchange.response is not None
    return exchange.response


def sample_baseline(situation: Situation, count: int = 2) -> Generator[TestRequest, Answer, list[Exchange]]:
    """Good answers to compare with: a safe baseline asked again; for other methods the recorded exchange alone.

    Raises Stopped where the baseline no longer works: its session is over, or it answers now with a server error.
    """
    recorded = situation.baseline.exchange
    if not is_safe(recorded.request):
        return [recorded] if recorded.response is not None and not recorded.response.truncated else []
    samples: list[Exchange] = []
    for _ in range(count):
        samples.append((yield from ask(recorded.request, "control")))
        check_alive(recorded.response, response_of(samples[-1]))
    return samples


def sample_beside(situation: Situation) -> Generator[TestRequest, Answer, list[Exchange]]:
    """The same for one request less: a safe baseline asked again beside its recorded answer, where both say the same.

    Where they do not, much time may lie between them, so a second one is asked for. Raises Stopped as `sample_baseline` does,
    but not over a server error that was recorded.
    """
    recorded = situation.baseline.exchange
    if not is_safe(recorded.request) or recorded.response is None or recorded.response.truncated:
        return (yield from sample_baseline(situation))
    sample = yield from ask(recorded.request, "control")
    now = response_of(sample)
    if now.status < FIRST_SERVER_ERROR or now.status != recorded.response.status:
        check_alive(recorded.response, now)  # a page may break as ever, and still use the value
    if now.status == recorded.response.status and steadiness([read(recorded.response), read(now)]) >= _ALIKE:
        return [sample, recorded]
    return [sample, *(yield from sample_baseline(situation, 1))]


def enough_samples(situation: Situation, samples: list[Exchange]) -> Generator[TestRequest, Answer, list[Exchange]]:
    """As many good answers as tell what moves in them from what stays: those that are known, and more where they differ much.

    Raises Stopped as `sample_baseline` does.
    """
    if not is_safe(situation.baseline.request):
        return samples
    while len(samples) < _MOST_SAMPLES and not is_steady([read(response_of(sample)) for sample in samples]):
        samples = samples + (yield from sample_baseline(situation, max(1, MANY - len(samples))))
    return samples


def known_answers(situation: Situation) -> Generator[TestRequest, Answer, list[Exchange]]:
    """One good answer where one is enough: the recorded one, which costs nothing; asked for where it is not whole."""
    recorded = situation.baseline.exchange
    if recorded.response is not None and not recorded.response.truncated:
        return [recorded]
    return (yield from sample_baseline(situation, 1))


def check_alive(recorded: Response | None, now: Response) -> None:
    """Raise Stopped where the baseline, asked again, is refused or breaks though it did not when it was recorded."""
    if now.status >= FIRST_SERVER_ERROR:
        raise Stopped(Inconclusive.UNSTABLE, f"the baseline itself is answered with {now.status}")
    why = refusal(now, recorded)
    if why and (recorded is None or was_let_in(recorded)):
        raise Stopped(Inconclusive.SESSION, f"the baseline's own credentials are refused now: {why}")


def concluding(type_: str, dialogue: Callable[[Situation], Dialogue]) -> Callable[[Situation], Dialogue]:
    """The dialogue, with Stopped turned into an inconclusive verdict, and what it proved remembered.

    Where tests of several types hung at a point, none is begun there but for files, nor in a token that is read only if it is signed.
    """

    def run(situation: Situation) -> Dialogue:
        memory, point = situation.memory, situation.point
        if memory.hangs_at(point) and type_ != _ASKS_FOR_WHAT_IS_THERE:
            return inconclusive(type_, point, Inconclusive.CONNECTION, HANGS)
        if type_ != "auth" and (yield from is_sealed(situation)):
            return safe(type_, point, SEALED)
        try:
            return memory.concluded((yield from dialogue(situation)))
        except Stopped as stopped:
            if stopped.detail == TIMED_OUT and point:
                memory.hung(type_, point)
            return inconclusive(type_, point, stopped.reason, stopped.detail)

    return run
