"""One point under question: what the baseline says there, what was sent, what came back, and what stood in the way.

Probes of values share this: it sends a payload, reads the answer with the payload's echo put back, keeps what blocked it,
and in the end tells "nothing found" from "was not able to look".
"""

from collections.abc import Generator, Mapping
from typing import NamedTuple

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.asking import ask, check_alive, response_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import Reading, read, says_all_of, stable, steadiness
from gatecrash.core.testing.oracles.refused import block, refusal
from gatecrash.core.testing.ordering import is_safe
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Verdict, inconclusive, safe

# Below this share of steady facts, two answers to one question have too little in common to compare others with.
_STEADY = 0.5
_SERVER_ERROR = 500
_LETTERS = "bcdfghjklmnpqrstvwxz"


class Reply(NamedTuple):
    """An answer to a payload."""

    exchange: Exchange
    payload: str
    reading: Reading
    text: str

    @property
    def broke(self) -> bool:
        """Whether the application broke over it."""
        return self.reading.status >= _SERVER_ERROR


Asking = Generator[TestRequest, Answer, Reply | None]


class Inquiry:
    """What one dialogue knows of its point. samples: good answers to the baseline, one or more."""

    def __init__(self, situation: Situation, samples: list[Exchange]) -> None:
        """Begin with what the baseline says."""
        self.situation = situation
        self.random = situation.random
        self.value = situation.value.decode("utf-8", "surrogateescape")
        self.control = samples[0]
        self.good = response_of(samples[0])
        self.good_text = text_of(self.good)
        self.basis = [read(response_of(sample)) for sample in samples]
        self.steady = steadiness(self.basis) >= _STEADY
        self.blocked = ""
        self.replies: list[Reply] = []

    def send(self, payload: str, echoes: Mapping[str, str] | None = None, purpose: str = "test") -> Asking:
        """The answer to a payload; None where the place cannot hold it, or something in front refuses it.

        echoes: what else of the payload an answer may show, and what to read in its place.
        """
        try:
            request = rewrite(self.situation.baseline.request, self.situation.point, _bytes(payload))
        except UserError:
            return None
        exchange = yield from ask(request, purpose)
        response = response_of(exchange)
        why = block(response)
        if why and not block(self.good):
            self.blocked = why
            return None
        reading = read(response, {payload: self.value, **(echoes or {})})
        reply = Reply(exchange, payload, reading, text_of(response))
        self.replies.append(reply)
        return reply

    def like_baseline(self, reading: Reading) -> bool:
        """Whether an answer says what the baseline says; where that was seen once only, whether it is of its kind."""
        if len(self.basis) > 1:
            return says_all_of(reading, stable(self.basis))
        return (reading.status, reading.kind) == (self.basis[0].status, self.basis[0].kind)

    def mark(self, length: int = 6) -> str:
        """Fresh letters that form no word."""
        return "".join(self.random.choice(_LETTERS) for _ in range(length))

    def nothing_found(self, type_: str) -> Generator[TestRequest, Answer, Verdict]:
        """Safe, or why the probe was not able to look. Raises Stopped where the session or the target died on the way."""
        yield from self._check_session()
        point = self.situation.point
        if self.blocked:
            detail = f"payloads do not reach the application: {self.blocked}"
            return inconclusive(type_, point, Inconclusive.BLOCKED, detail)
        if not self.steady:
            return inconclusive(type_, point, Inconclusive.UNSTABLE, "the baseline is answered differently each time")
        return safe(type_, point)

    def _check_session(self) -> Generator[TestRequest, Answer, None]:
        """Ask the baseline once more where all broke, or some were refused: a dead session must not look like safety."""
        if not self.replies or not is_safe(self.situation.baseline.request):
            return
        refused = any(refusal(response_of(reply.exchange), self.good) for reply in self.replies)
        if refused or all(reply.broke for reply in self.replies):
            closing = yield from ask(self.situation.baseline.request, "control")
            check_alive(self.good, response_of(closing))


def _bytes(payload: str) -> bytes:
    return payload.encode("utf-8", "surrogateescape")
