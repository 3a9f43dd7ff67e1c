"""SQL injection: a value reaches the database as part of the statement.

What it finds
    Parameters whose value can end the place it was meant for and go on as SQL: in text, search patterns, numbers and
    brackets, of queries that show their result, their error, or only whether they worked.

Why it matters
    Whoever controls part of a statement reads the whole database, and often writes it or runs programs beside it.

How it decides
    Errors: quotes that do not close make the database's parser complain, in words that the baseline does not have; the
    same input with its quotes closed is as odd and does not. Both must hold twice, with fresh marks.
    Answers: `AND` with a true comparison of random numbers gives the baseline's answer, `AND` with a false one another;
    in three rounds of fresh numbers, in random order, the same facts tell the two apart. The same inputs with a word that
    only looks like AND must not tell true from false, and must not be answered as the true ones: this is what clears
    searches, filters, echoes and firewalls.
    Statements that show neither: valid SQL is taken and the lookalike is a server error, both three times.
    Facts that move by themselves between two repeats of the baseline are left out; what the answer echoes is put back.

Known misses
    Statements without any visible effect (time and out-of-band checks come later). Baselines whose result is empty where
    errors are hidden too: a narrower query has nothing to lose. LIMIT, ORDER BY and names of columns, unless the error is shown.
    Path segments that read like words, unless they stand last and nothing follows. Applications that strip the word AND.

Standards and references
    CWE-89; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection.
"""

import re
from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.errors import UserError
from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.message import Exchange, Response
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.asking import ask, check_alive, concluding, response_of, sample_baseline
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import (
    Fact,
    Reading,
    read,
    same_but_for_numbers,
    says_all_of,
    stable,
    steadiness,
    telling,
)
from gatecrash.core.testing.oracles.refused import block, refusal
from gatecrash.core.testing.oracles.sql_errors import SqlError, errors_in
from gatecrash.core.testing.ordering import is_safe
from gatecrash.core.testing.payloads.sqli import (
    ERROR_PAIRS_FOR_NUMBERS,
    ERROR_PAIRS_FOR_TEXTS,
    FOR_NUMBERS,
    FOR_TEXTS,
    LOOKALIKES,
    OPERATOR,
    SCREEN,
    Context,
    Pair,
)
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Proof, Verdict, inconclusive, safe

TYPE = "sqli"
CWE = (89,)
# 95: an error shows the statement and lets data be read at once. 90: data is read bit by bit. 80: proven to be parsed as
# SQL, nothing was read yet.
THREAT_ERROR, THREAT_BOOLEAN, THREAT_GRAMMAR = 95, 90, 80
_ROUNDS = 3
# Below this share of steady facts, two answers to one question have too little in common to compare others with.
_STEADY = 0.5
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_SERVER_ERROR = 500
_LONGEST_VALUE = 512
_LETTERS = "bcdfghjklmnpqrstvwxz"
_STRUCTURAL = frozenset({("post",), ("uri",), ("header", "COOKIE")})


class _Reply(NamedTuple):
    """An answer to a payload, as far as this probe reads it."""

    exchange: Exchange
    payload: str
    reading: Reading
    errors: frozenset[SqlError]

    @property
    def broke(self) -> bool:
        """Whether the application broke over it."""
        return self.reading.status >= _SERVER_ERROR


_Asking = Generator[TestRequest, Answer, _Reply | None]
_Deciding = Generator[TestRequest, Answer, Verdict | None]


class _Numbers(NamedTuple):
    """Random numbers of one comparison: of one length and one beginning, so that an echo cut short is the same echo."""

    left: str
    other: str
    same: str


class _Inquiry:
    """One point under question: what the baseline says, and what was seen on the way."""

    def __init__(self, situation: Situation, samples: list[Exchange]) -> None:
        self.situation = situation
        self.random = situation.random
        self.value = situation.value.decode("utf-8", "surrogateescape")
        self.control = samples[0]
        self.good = response_of(samples[0])
        self.basis = [read(response_of(sample)) for sample in samples]
        self.errors = errors_in(text_of(self.good))
        self.steady = steadiness(self.basis) >= _STEADY
        self.blocked = ""
        self.replies: list[_Reply] = []

    def send(self, payload: str, echoes: dict[str, str] | None = None, purpose: str = "test") -> _Asking:
        """The answer to a payload; None where the place cannot hold it or something in front refuses it."""
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
        text = text_of(response)
        reading = read(response, {payload: self.value, **(echoes or {})})
        reply = _Reply(exchange, payload, reading, errors_in(text) - self.errors)
        self.replies.append(reply)
        return reply

    def compare(self, context: Context, word: str, *, true: bool, purpose: str = "test") -> _Asking:
        """The answer to a comparison of fresh numbers in this context."""
        numbers = self._numbers()
        right = numbers.left if true else numbers.other
        payload = context.pattern.format(value=self.value, word=word, left=numbers.left, right=right, same=numbers.same)
        return (yield from self.send(payload, dict.fromkeys(numbers, "0"), purpose))

    def like_baseline(self, reading: Reading) -> bool:
        """Whether an answer says what the baseline says; where that was seen once only, whether it is of its kind."""
        if len(self.basis) > 1:
            return says_all_of(reading, stable(self.basis))
        return (reading.status, reading.kind) == (self.basis[0].status, self.basis[0].kind)

    def mark(self) -> str:
        return "".join(self.random.choice(_LETTERS) for _ in range(6))

    def _numbers(self) -> _Numbers:
        beginning = str(self.random.randrange(1000, 9999))
        left, other = self.random.sample("123456789", 2)
        return _Numbers(beginning + left, beginning + other, str(self.random.randrange(10000, 99999)))


def _dialogue(situation: Situation) -> Dialogue:
    samples = yield from sample_baseline(situation)
    if not samples:
        return inconclusive(
            TYPE, situation.point, Inconclusive.NO_CONTROL, "no whole answer to the baseline was recorded"
        )
    inquiry = _Inquiry(situation, samples)
    screen = yield from inquiry.send(SCREEN.replace("{value}", inquiry.value))
    verdict: Verdict | None = None
    if screen and screen.errors:
        verdict = yield from _by_errors(inquiry)
    if verdict is None and inquiry.steady:
        verdict = yield from _by_answers(inquiry, screen)
    if verdict is None:
        yield from _check_session(inquiry)
        verdict = _nothing_found(inquiry)
    return verdict


def _by_errors(inquiry: _Inquiry) -> _Deciding:
    """Find the context in which broken input makes the parser complain, and whole input does not, twice."""
    for pairs in ERROR_PAIRS_FOR_NUMBERS if _NUMBER.fullmatch(inquiry.value) else ERROR_PAIRS_FOR_TEXTS:
        proofs: list[tuple[_Reply, _Reply]] = []
        for pair in pairs:
            proof = yield from _error_pair(inquiry, pair, "confirm" if proofs else "test")
            if proof is None:
                break
            proofs.append(proof)
        if len(proofs) == len(pairs):
            return _error_verdict(inquiry, pairs[0].name, *proofs[0])
    return None


def _error_pair(
    inquiry: _Inquiry, pair: Pair, purpose: str
) -> Generator[TestRequest, Answer, tuple[_Reply, _Reply] | None]:
    mark = inquiry.mark()
    broken = yield from inquiry.send(_fill(pair.broken, inquiry.value, mark), purpose=purpose)
    if broken is None or not broken.errors:
        return None
    whole = yield from inquiry.send(_fill(pair.whole, inquiry.value, mark), purpose="control")
    return None if whole is None or whole.errors else (broken, whole)


def _fill(pattern: str, value: str, mark: str) -> str:
    return pattern.format(value=value, mark=mark)


def _error_verdict(inquiry: _Inquiry, context: str, broken: _Reply, whole: _Reply) -> Verdict:
    engine = min(error.engine for error in broken.errors)
    return _vulnerable(
        inquiry,
        THREAT_ERROR,
        Proof(
            test=broken.exchange,
            control=whole.exchange,
            verified_by=(
                f"The input {broken.payload!r} was answered with an error of {engine}'s parser; {whole.payload!r}, which is "
                f"as odd but closes what it opens, was not. Both held a second time with other input. Context: {context}."
            ),
        ),
        f"error of {engine}",
    )


def _by_answers(inquiry: _Inquiry, screen: _Reply | None) -> _Deciding:
    """Try each context that fits the value: first for answers that tell true from false, then for what is taken at all."""
    contexts = FOR_NUMBERS if _NUMBER.fullmatch(inquiry.value) else FOR_TEXTS
    if screen is not None and len(inquiry.basis) > 1 and inquiry.like_baseline(screen.reading):
        # Quotes change nothing: the value is not used, or they are taken out; no quoted context can tell anything.
        contexts = tuple(context for context in contexts if not context.quotes)
    taken: list[tuple[Context, _Reply]] = []
    for context in contexts:
        true = yield from inquiry.compare(context, OPERATOR, true=True)
        if true is None:
            continue
        verdict = yield from _in_context(inquiry, context, true)
        if verdict is not None:
            return verdict
        if not true.broke:
            taken.append((context, true))
    if screen is not None and screen.broke:
        for context, true in taken:
            verdict = yield from _confirm_grammar(inquiry, context, true)
            if verdict is not None:
                return verdict
    return None


def _in_context(inquiry: _Inquiry, context: Context, true: _Reply) -> _Deciding:
    """Where a true comparison is answered as the baseline, see whether a false one is answered otherwise."""
    if not inquiry.like_baseline(true.reading):
        return None
    false = yield from inquiry.compare(context, OPERATOR, true=False)
    if false is None or not telling([true.reading, *inquiry.basis], [false.reading]):
        return None
    if len(inquiry.basis) == 1 and same_but_for_numbers(true.reading, false.reading):
        return None
    return (yield from _confirm_boolean(inquiry, context, [true], [false]))


def _confirm_boolean(inquiry: _Inquiry, context: Context, trues: list[_Reply], falses: list[_Reply]) -> _Deciding:
    """More rounds with fresh numbers in random order, and lookalikes that must not tell true from false."""
    questions = [(True, trues), (False, falses)] * (_ROUNDS - 1)
    inquiry.random.shuffle(questions)
    for true, replies in questions:
        reply = yield from inquiry.compare(context, OPERATOR, true=true, purpose="confirm")
        if reply is None:
            return None
        replies.append(reply)
    facts = telling([reply.reading for reply in trues] + inquiry.basis, [reply.reading for reply in falses])
    if not facts:
        return None
    word = inquiry.random.choice(LOOKALIKES)
    sides: list[frozenset[Fact]] = []
    for true in (True, False):
        reply = yield from inquiry.compare(context, word, true=true, purpose="control")
        if reply is None:
            return None
        sides.append(reply.reading.facts & facts)
    if sides[0] != sides[1] or sides[0] == trues[0].reading.facts & facts:
        return None
    return _boolean_verdict(inquiry, context, trues[-1], falses[-1], word)


def _boolean_verdict(inquiry: _Inquiry, context: Context, true: _Reply, false: _Reply, word: str) -> Verdict:
    return _vulnerable(
        inquiry,
        THREAT_BOOLEAN,
        Proof(
            test=false.exchange,
            control=true.exchange,
            verified_by=(
                f"With a true comparison ({true.payload!r}) the answer is the baseline's, with a false one "
                f"({false.payload!r}) it is another, in {_ROUNDS} rounds of fresh random numbers; the same inputs with "
                f"{word} in place of AND made no such difference. Context: {context.name}."
            ),
        ),
        "true and false conditions are told apart",
    )


def _confirm_grammar(inquiry: _Inquiry, context: Context, first: _Reply) -> _Deciding:
    """Valid SQL must be taken and lookalikes must break it, in every round."""
    words = inquiry.random.sample(LOOKALIKES, 2)
    broken: list[_Reply] = []
    for word in words:
        lookalike = yield from inquiry.compare(context, word, true=True, purpose="control")
        if lookalike is None or not lookalike.broke:
            return None
        broken.append(lookalike)
        valid = yield from inquiry.compare(context, OPERATOR, true=len(broken) > 1, purpose="confirm")
        if valid is None or valid.broke:
            return None
    return _vulnerable(
        inquiry,
        THREAT_GRAMMAR,
        Proof(
            test=broken[-1].exchange,
            control=first.exchange,
            verified_by=(
                f"Valid SQL ({first.payload!r}) is taken; with a word that only looks like AND ({broken[-1].payload!r}) the "
                f"server breaks, as it does over an open quote. Repeated with other numbers and another word. "
                f"Context: {context.name}."
            ),
        ),
        "the value is parsed as SQL",
    )


def _vulnerable(inquiry: _Inquiry, threat: int, proof: Proof, detail: str) -> Verdict:
    return Verdict(
        outcome=Outcome.VULNERABLE,
        type=TYPE,
        point=tuple(inquiry.situation.point),
        detail=detail,
        threat=threat,
        cwe=CWE,
        title="SQL injection",
        proof=proof,
    )


def _check_session(inquiry: _Inquiry) -> Generator[TestRequest, Answer, None]:
    """Ask the baseline once more where all broke, or some were refused: else a dead session would look like safety."""
    if not is_safe(inquiry.situation.baseline.request) or not inquiry.replies:
        return
    if all(reply.broke for reply in inquiry.replies) or any(
        _refused(response_of(reply.exchange), inquiry.good) for reply in inquiry.replies
    ):
        closing = yield from ask(inquiry.situation.baseline.request, "control")
        check_alive(inquiry.good, response_of(closing))


def _refused(response: Response, good: Response) -> bool:
    return refusal(response, good) is not None


def _nothing_found(inquiry: _Inquiry) -> Verdict:
    point = inquiry.situation.point
    if inquiry.blocked:
        return inconclusive(
            TYPE, point, Inconclusive.BLOCKED, f"payloads do not reach the application: {inquiry.blocked}"
        )
    if not inquiry.steady:
        return inconclusive(TYPE, point, Inconclusive.UNSTABLE, "the baseline is answered differently each time")
    return safe(TYPE, point)


def _bytes(payload: str) -> bytes:
    return payload.encode("utf-8", "surrogateescape")


def applies(situation: Situation) -> bool:
    """Any single value; of path segments those that look like an identifier, and a last word that nothing follows."""
    point = situation.point
    if tuple(point) in _STRUCTURAL or len(situation.value) > _LONGEST_VALUE:
        return False
    if point[0] == "path" and len(point) == 2:
        return look_of(situation.value.decode("utf-8", "replace")) is not None or _is_last_word(situation)
    return point[0] not in ("action_name", "action_ext")


def _is_last_word(situation: Situation) -> bool:
    """Whether a segment may be a name that somebody chose: `/users/ann`, but neither `/search?q=` nor a form's address."""
    request = situation.baseline.request
    if request.query is not None or request.body:
        return False
    segments = request.path.removeprefix(b"/").split(b"/")
    return len(segments) > 1 and situation.point[1] == str(len(segments) - 1)


def forecast(situation: Situation) -> int:
    """Requests for a sound point: the samples, the screen, and one for each context."""
    samples = 2 if is_safe(situation.baseline.request) else 0
    value = situation.value.decode("utf-8", "replace")
    return samples + 1 + len(FOR_NUMBERS if _NUMBER.fullmatch(value) else FOR_TEXTS)


PROBE = Probe(type=TYPE, applies=applies, forecast=forecast, run=concluding(TYPE, _dialogue))
