"""The test of one point: the baseline's answer, what was sent, what came back, and what blocked it.

Probes of values share this: it sends a payload, reads the answer with the payload's echo put back, keeps what blocked it,
and in the end tells "nothing found" from "was not able to look".
"""

from collections.abc import Callable, Generator, Iterable, Mapping
from functools import cached_property
from typing import Literal, NamedTuple

import msgspec

from gatecrash.core.errors import UnwritableValue, UserError
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import FIRST_SERVER_ERROR, FORBIDDEN
from gatecrash.core.testing.asking import (
    ask,
    check_alive,
    concluding,
    enough_samples,
    known_answers,
    may_be_own_word,
    response_of,
    sample_baseline,
    settled,
    settled_anew,
)
from gatecrash.core.testing.dialogues.another_value import another_like
from gatecrash.core.testing.dialogues.cut_cookies import CutCookie
from gatecrash.core.testing.dialogues.quoted_cookie import is_cookie, may_be_cut
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.forms.tokens import is_form_token
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import MARKUP as _MARKUP
from gatecrash.core.testing.oracles.difference import (
    Fact,
    Reading,
    Told,
    is_steady,
    read,
    read_told,
    same_but_for_numbers,
    says_all_of,
    stable,
    telling,
    told,
)
from gatecrash.core.testing.oracles.outcomes.refused import block, refusal
from gatecrash.core.testing.oracles.remembering import remembered
from gatecrash.core.testing.places.names_beside import writer_of
from gatecrash.core.testing.probe import Answer, Dialogue, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Proof, Verdict, inconclusive, safe

# So many answers that all broke may be the target's end, and not its opinion of the payloads.
_STORM = 4
_LONGEST_HARMLESS = 64


class Reply(msgspec.Struct, frozen=True):
    """An answer to a payload."""

    exchange: Exchange
    payload: str
    reading: Reading
    text: str

    @property
    def broke(self) -> bool:
        """Whether the application broke over it."""
        return self.reading.status >= FIRST_SERVER_ERROR


Asking = Generator[TestRequest, Answer, Reply | None]


class _Looks(NamedTuple):
    """One answer from all sides. blocked: why it is no answer of the application; empty where it is one."""

    blocked: str
    told: Told
    text: str


@remembered
def _look(response: Response) -> _Looks:
    return _Looks(block(response) or "", told(response), text_of(response))


class Inquiry:
    """What one dialogue knows of its point. samples: good answers to the baseline, one or more. writer: writes payloads there."""

    def __init__(self, situation: Situation, samples: list[Exchange]) -> None:
        """Begin with what the baseline says."""
        self.situation = situation
        self.random = situation.random
        self.value = situation.value.decode("utf-8", "surrogateescape")
        self.control = samples[0]
        self.good = response_of(samples[0])
        self.good_text = text_of(self.good)
        self.basis = [read(response_of(sample)) for sample in samples]
        self.steady = is_steady(self.basis)
        self.blocked = ""
        self.writer = writer_of(situation)
        # What else is changed in each request; None for nothing.
        self.beside: Callable[[Request], Request] | None = None
        # What is measured of what is asked now, as TestRequest has it.
        self.measured: Literal["", "wait", "work"] = ""
        self.replies: list[Reply] = []
        # Why the latest payload that the place cannot hold was not written.
        self._unwritable: UserError | None = None
        # Seconds; what is known of a sound answer's time.
        self.quickest = self.control.elapsed
        # How the application says 502 or 504 itself, of what it asked in its turn; None until it was seen to.
        self._fails_as: Reading | None = None
        # How the application itself says 403 to a value that is not the right one; None until it was seen to.
        self._refuses_as: Reading | None = None
        self._asked_another = False
        self._others_answer: Response | None = None
        self._cookie = CutCookie(situation, self.writer, self._says_the_same, self.basis)

    def send(
        self, payload: str, echoes: Mapping[str, str] | None = None, purpose: str = "test", *, raw: bool = False
    ) -> Asking:
        """The answer to a payload; None where the place cannot hold it, or something in front refuses it.

        echoes: what else of the payload an answer may show, and what to read in its place.
        raw: the payload is written as it is: an object in the place of a JSON text.
        """
        try:
            request = self._cookie.write(payload.encode("utf-8", "surrogateescape"), raw=raw)
            if self.beside is not None:
                request = self.beside(request)
        except UserError as unwritable:
            self._unwritable = unwritable
            return None
        asked = TestRequest(request, purpose, measured=self.measured)
        told = yield from self._told(asked, payload, {payload: self.value, **(echoes or {})})
        in_question = self._cookie.may_be_cut and may_be_cut(payload)
        if in_question and told is not None and (yield from self._cookie.is_cut(told.reading)):
            return (yield from self.send(payload, echoes, purpose))
        return told

    def submit(
        self, request: Request, payload: str, echoes: Mapping[str, str] | None = None, purpose: str = "test"
    ) -> Asking:
        """The answer to any request that was made of the baseline's; None where something in front refuses it.

        payload: what to call it in a proof.
        """
        return (yield from self._told(TestRequest(request, purpose), payload, echoes))

    def _told(self, asked: TestRequest, payload: str, echoes: Mapping[str, str] | None) -> Asking:
        answer = yield asked
        exchange = answer.exchange
        # Most answers have such a status, and are settled with it.
        if answer.failure or exchange.response is None or exchange.response.status >= FORBIDDEN:
            exchange = yield from (self._own_word if may_be_own_word(answer) else settled_anew)(answer, asked)
        told = self._reply(exchange, payload, echoes)
        if told is None and (yield from self._is_own_refusal(exchange)):
            told = self._reply(exchange, payload, echoes)
        return told

    def _reply(self, exchange: Exchange, payload: str, echoes: Mapping[str, str] | None) -> Reply | None:
        looks = _look(response_of(exchange))
        if looks.blocked and not block(self.good) and not self._is_known_refusal(looks.told.reading):
            self.blocked = looks.blocked
            return None
        reply = Reply(exchange, payload, read_told(looks.told, echoes), looks.text)
        self.replies.append(reply)
        elapsed = exchange.elapsed
        if elapsed is not None and (self.quickest is None or elapsed < self.quickest):
            self.quickest = elapsed
        return reply

    def _is_known_refusal(self, reading: Reading) -> bool:
        return self._refuses_as is not None and same_but_for_numbers(self._refuses_as, reading)

    def _is_own_refusal(self, exchange: Exchange) -> Generator[TestRequest, Answer, bool]:
        """Whether what seemed to be stopped on its way is what any other value is told: seen to once, where it is a 403."""
        if self._asked_another or response_of(exchange).status != FORBIDDEN:
            return False
        another = yield from self._another()
        if another is None or not same_but_for_numbers(
            _look(another).told.reading, _look(response_of(exchange)).told.reading
        ):
            return False
        self._refuses_as, self.blocked = _look(another).told.reading, ""
        return True

    def _own_word(self, answer: Answer, asked: TestRequest) -> Generator[TestRequest, Answer, Exchange]:
        """The exchange where it is the application that answers this request as a gateway would, calmly asked again.

        Raises Stopped as `ask` does where it may be what stands in front of it.
        """
        reading = _look(response_of(answer.exchange)).told.reading
        if self._fails_as is not None and same_but_for_numbers(self._fails_as, reading):
            return answer.exchange
        if is_safe(self.situation.baseline.request):
            settled((yield TestRequest(self.situation.baseline.request, "control")))
        elif reading.kind != self.basis[0].kind:
            return settled(answer)
        again = yield asked
        repeated = again.exchange.response
        if repeated is None or not same_but_for_numbers(reading, _look(repeated).told.reading):
            return settled(answer)
        self._fails_as = reading
        return again.exchange

    def vulnerable(
        self, entry: Entry, threat: int, proof: Proof | None, detail: str, cwe: tuple[int, ...] = ()
    ) -> Verdict:
        """The verdict of a proof, in the words of the probe's entry. cwe: where it is narrower than the entry's.

        proof: None where whoever asked for the verdict adds it, as what waits for a call from outside does.
        """
        return Verdict(
            outcome=Outcome.VULNERABLE,
            type=entry.type,
            point=tuple(self.situation.point),
            detail=detail,
            threat=threat,
            cwe=cwe or entry.cwe,
            title=entry.title,
            proof=proof,
        )

    def like_baseline(self, reading: Reading) -> bool:
        """Whether an answer says what the baseline says; where that was seen once only, whether it is of its kind.

        Of its kind is what has half of what the baseline says, or differs from it in numbers and tokens alone: an error
        told under a cheerful 200 is not.
        """
        good = self.basis[0]
        if reading is good:
            return True
        if len(self.basis) > 1:
            # Answers of several statuses may have nothing in common, which any error then says as well.
            known = any(reading.status == each.status for each in self.basis)
            return known and says_all_of(reading, self._stable)
        if (reading.status, reading.kind) != (good.status, good.kind):
            return False
        said = self._said
        return 2 * len(said & reading.facts) >= len(said) or same_but_for_numbers(good, reading)

    @cached_property
    def _stable(self) -> frozenset[Fact]:
        """What every answer to the baseline says."""
        return stable(self.basis)

    @cached_property
    def _said(self) -> frozenset[Fact]:
        """What the first of them says, without how it is made up."""
        return frozenset(fact for fact in self.basis[0].facts if not fact[0].startswith(_MARKUP))

    def as_usual(self, reply: Reply) -> bool:
        """Whether an answer says what the baseline says; where that was seen once only, all of it, in the same words."""
        return self._says_the_same(reply.reading)

    def _says_the_same(self, reading: Reading) -> bool:
        if len(self.basis) > 1:
            return self.like_baseline(reading)
        return same_but_for_numbers(self.basis[0], reading)

    def told_apart(self, ones: Iterable[Reply], others: Iterable[Reply]) -> bool:
        """Whether answers differ by more than what was sent here before: a page may list what it was sent, and say it again."""
        echoes = {reply.payload: self.value for reply in self.replies}

        def anew(replies: Iterable[Reply]) -> list[Reading]:
            return [read_told(_look(response_of(reply.exchange)).told, echoes) for reply in replies]

        return bool(telling(anew(ones), anew(others)))

    def remember_changes(self) -> None:
        """For others who ask at this point: whether what was sent here changed the answer; what may have been dropped tells nothing."""
        memory, point, good = self.situation.memory, self.situation.point, self.good
        answers = [response_of(reply.exchange) for reply in self.replies]
        if any(each.body != good.body or each.status != good.status for each in answers):
            memory.changed(point)
            return
        dropped = is_cookie(point)
        sent = [reply.payload for reply in self.replies if not (dropped and may_be_cut(reply.payload))]
        memory.changed_nothing(point, {sign for payload in sent for sign in payload})

    def repeated(self, name: str) -> dict[str, str]:
        """How a name that is sent is taken out of answers that repeat it, in any case; one that the application says anyway stays there."""
        return {} if name.lower() in self.good_text.lower() else {name: ""}

    def number(self, least: int, end: int) -> int:
        """A random number, the end left out: what Random.randrange gives, in a fifth of its time."""
        return least + int(self.random.random() * (end - least))

    def mark(self, length: int = 6) -> str:
        """Fresh letters that form no word."""
        return fresh_letters(self.random, length)

    def nothing_found(self, type_: str) -> Generator[TestRequest, Answer, Verdict]:
        """Safe, or why the probe was not able to look. Raises Stopped where the session or the target died on the way."""
        yield from self._check_session()
        point = self.situation.point
        if self.blocked and (is_form_token(point) or (yield from self._refuses_any_other())):
            return safe(type_, point, f"any other value is refused there: {self.blocked}")
        if self.blocked:
            detail = f"payloads do not reach the application: {self.blocked}"
            return inconclusive(type_, point, Inconclusive.BLOCKED, detail)
        if self._unwritable is not None and not self.replies:
            return self._nothing_written(type_, self._unwritable)
        if not self.steady:
            return inconclusive(type_, point, Inconclusive.UNSTABLE, "the baseline is answered differently each time")
        return safe(type_, point)

    def _nothing_written(self, type_: str, why: UserError) -> Verdict:
        """What is told where no payload was sent: a place that can hold none is safe from them, which one that was not found is not."""
        detail = f"no payload can be written there: {why}"
        if isinstance(why, UnwritableValue):
            return safe(type_, self.situation.point, detail)
        return inconclusive(type_, self.situation.point, Inconclusive.NO_CONTROL, detail)

    def _refuses_any_other(self) -> Generator[TestRequest, Answer, bool]:
        """Whether a harmless value is refused as the payloads are: the application lets its caller name his own thing only,
        and nothing stands in front of it.
        """
        another = yield from self._another()
        return another is not None and block(another) == self.blocked

    def _another(self) -> Generator[TestRequest, Answer, Response | None]:
        """The answer to a harmless value, asked for once; where something may change it is letters that name nothing."""
        if self._asked_another:
            return self._others_answer
        self._asked_another = True
        value = self.situation.value[:_LONGEST_HARMLESS]
        may_change = not is_safe(self.situation.baseline.request)
        harmless = self.mark(12).encode() if may_change else another_like(value, self.random)
        if harmless == self.situation.value:
            return None
        try:
            request = self.writer.write(harmless)
        except UserError:
            return None
        self._others_answer = response_of((yield from ask(request, "control")))
        return self._others_answer

    def _check_session(self) -> Generator[TestRequest, Answer, None]:
        """Ask the baseline once more where all broke, or some were refused: a dead session must not look like safety."""
        if not self.replies or not is_safe(self.situation.baseline.request):
            return
        # One of each that were read alike: what is a refusal in one is one in all.
        distinct = {id(reply.reading): reply.exchange for reply in self.replies}.values()
        refused = any(refusal(response_of(exchange), self.good) for exchange in distinct)
        stormy = len(self.replies) >= _STORM and all(reply.broke for reply in self.replies)
        if refused or stormy:
            closing = yield from ask(self.situation.baseline.request, "control")
            check_alive(self.good, response_of(closing))


Sampling = Callable[[Situation], Generator[TestRequest, Answer, list[Exchange]]]


def steady_samples(situation: Situation) -> Generator[TestRequest, Answer, list[Exchange]]:
    """Answers of today, as many as tell what moves in them. Raises Stopped as `sample_baseline` does."""
    return (yield from enough_samples(situation, (yield from sample_baseline(situation))))


def inquiring(
    type_: str, decide: Callable[[Inquiry], Dialogue], sampled: Sampling = known_answers, signs: str = ""
) -> Callable[[Situation], Dialogue]:
    """The dialogue of a probe that compares with good answers; inconclusive where there is none. sampled: gets those.

    signs: what breaks the language that the probe looks for, anywhere in a value. Where others have sent all of it, and nothing
    changed the answer, there is none, or none that tells of itself.
    """

    def dialogue(situation: Situation) -> Dialogue:
        if signs and situation.memory.change_nothing(situation.point, signs):
            return safe(type_, situation.point, f"nothing that is sent there changes the answer, {signs} neither")
        samples = yield from sampled(situation)
        if not samples:
            return inconclusive(type_, situation.point, Inconclusive.NO_CONTROL, "no whole answer was recorded")
        inquiry = Inquiry(situation, samples)
        verdict = yield from decide(inquiry)
        inquiry.remember_changes()
        return verdict

    return concluding(type_, dialogue)
