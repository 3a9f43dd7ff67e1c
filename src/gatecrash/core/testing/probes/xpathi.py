"""XPath injection: a value becomes part of an expression that searches an XML document.

What it finds
    Values joined into XPath in texts, in arguments of functions and as numbers (also of an element's place), where the
    result or the error shows.

Why it matters
    An expression reaches the whole document, whatever part the application meant: other people's records and passwords.

How it decides
    Conditions with `string-length` are sent, which is no function of SQL: one that holds must be answered as the
    baseline, one that does not otherwise, in ten rounds with fresh texts in random order; with the function's name
    misspelt the answer must not be that of the true ones. Evaluators that know no function are asked by a second condition of
    the same step, on the element's own text, and with a sign too many.
    Expressions that find nothing: those conditions are answered as the baseline, and break the answer each time with the
    function's name torn in two.
    Where a request only reads, or signs in (by its address, or refused in the words of a login), and its value finds
    nothing: beside the value a condition that holds finds something, one that does not finds nothing, and one that
    holds with the function's name misspelt finds nothing either.
    Errors: a quote that does not close is answered in the words of an XPath evaluator, twice, and the same input with
    its quotes closed is not; nor is a function of XPath in it, but for its name torn in two.

Known misses
    Expressions whose result and errors show nowhere. Values that name an element or an axis.

Standards and references
    CWE-643; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection; XPath 1.0, section 4.2.
"""

from collections.abc import Generator

from gatecrash.core.testing.authorization.callers.refused_logins import refused_login
from gatecrash.core.testing.dialogues.boolean_based import DECOY as ASKED_DECOY
from gatecrash.core.testing.dialogues.boolean_based import FALSE, FALSE_DECOY, ROUNDS, TRUE, tells_apart
from gatecrash.core.testing.dialogues.error_based import complained
from gatecrash.core.testing.dialogues.grammar_based import parses, taking
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply, inquiring, steady_samples
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.effects.takes_all import may_find_more
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.errors.query import XPATH, complaints
from gatecrash.core.testing.payloads.xpathi import (
    BROKEN,
    COMPARED_BADLY,
    COMPARED_TORN,
    DECOY,
    FINDING,
    FUNCTION,
    LIKE,
    NUMBERS,
    STEPS,
    TEXTS,
    TORN,
    UNLIKE,
    WHOLE,
    Context,
)
from gatecrash.core.testing.places.plain_values import is_number
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict

TYPE = "xpathi"
CWE = (643,)
THREAT = 75

# Break an expression wherever they stand in a value.
SIGNS = "'\""

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _run(situation: Situation) -> Dialogue:
    """Where what breaks an expression is known to change nothing, only what finds more may."""
    return inquiring(TYPE, _dialogue, steady_samples, signs="" if _may_find_all(situation) else SIGNS)(situation)


def _dialogue(inquiry: Inquiry) -> Dialogue:
    situation = inquiry.situation
    silent = situation.memory.change_nothing(situation.point, SIGNS)
    verdict = None if silent else (yield from _by_breaking(inquiry))
    for context in FINDING if _may_find_all(situation) else ():
        verdict = verdict or (yield from _by_finding(inquiry, context))
    return verdict or (yield from inquiry.nothing_found(TYPE))


def _by_breaking(inquiry: Inquiry) -> _Deciding:
    verdict = yield from _by_errors(inquiry)
    for context in _contexts(inquiry.value):
        if verdict is not None:
            break
        before = len(inquiry.replies)
        verdict = yield from _by_answers(inquiry, context)
        verdict = verdict or (yield from _by_grammar(inquiry, context, inquiry.replies[before:]))
    return verdict


def _contexts(value: str) -> tuple[Context, ...]:
    return (*(NUMBERS if is_number(value) else TEXTS), *STEPS)


def _by_answers(inquiry: Inquiry, context: Context) -> _Deciding:
    def question(kind: str, purpose: str) -> Asking:
        return (yield from _ask(inquiry, context, kind, purpose))

    apart = yield from tells_apart(inquiry, question)
    return inquiry.vulnerable(ENTRY, THREAT, apart.told("XPath"), f"context: {context.name}") if apart else None


def _ask(inquiry: Inquiry, context: Context, kind: str, purpose: str) -> Asking:
    """The answer to a condition of this kind (true, false or a decoy), on a fresh text."""
    text, mark = inquiry.mark(inquiry.random.randrange(4, 8)), inquiry.mark(4)
    payload = context.pattern.format(
        value=inquiry.value,
        function={ASKED_DECOY: DECOY, FALSE_DECOY: DECOY, TORN: TORN}.get(kind, FUNCTION),
        compared={FALSE: LIKE, ASKED_DECOY: COMPARED_BADLY, TORN: COMPARED_TORN}.get(kind, UNLIKE),
        text=text,
        length=len(text) + (kind == FALSE),
        mark=mark,
    )
    return (yield from inquiry.send(payload, purpose=purpose))


def _by_finding(inquiry: Inquiry, context: Context) -> _Deciding:
    """Whether a condition beside a value that finds nothing finds something: what holds is answered otherwise than the baseline."""
    opposite = {TRUE: FALSE, FALSE: TRUE}

    def question(kind: str, purpose: str) -> Asking:
        return (yield from _ask(inquiry, context, opposite.get(kind, kind), purpose))

    apart = yield from tells_apart(inquiry, question, FALSE, either_decoy=True)
    if apart is None:
        return None
    proof = Proof(
        test=apart.false.exchange,
        control=apart.true.exchange,
        verified_by=(
            f"The value finds nothing; with a condition in XPath that holds beside it ({apart.false.payload!r}) something is found, "
            f"with one that does not ({apart.true.payload!r}) nothing, in {ROUNDS} rounds of fresh values in random order. "
            f"{apart.decoy.payload!r}, which only looks like a condition, finds nothing either."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT, proof, f"context: {context.name}")


def _may_find_all(situation: Situation) -> bool:
    """Whether it harms nobody that all is found: it is only read, or compared with what signs in."""
    baseline = situation.baseline
    return may_find_more(baseline) or signs_in(baseline.request) or refused_login(baseline.exchange) is not None


def _by_grammar(inquiry: Inquiry, context: Context, told: list[Reply]) -> _Deciding:
    """Where a condition was taken, and a quote that does not close was not. told: what was answered in the context.

    On a page that moves a pair may have seemed to be told apart, so that its lookalike was asked for, too.
    """
    if not told:
        return None
    odd = inquiry.replies[0]
    taken = taking(inquiry, odd)
    if taken(odd) or not any(map(taken, told)):
        return None

    def question(kind: str, purpose: str) -> Asking:
        return (yield from _ask(inquiry, context, kind, purpose))

    parsed = yield from parses(inquiry, TRUE, (TORN,), question, taken)
    if parsed is None:
        return None
    return inquiry.vulnerable(ENTRY, THREAT, parsed.told("XPath"), f"parsed as XPath; context: {context.name}")


def _by_errors(inquiry: Inquiry) -> _Deciding:
    """Broken input is complained of, whole input is not, twice."""
    found = yield from complained(inquiry, XPATH, BROKEN, WHOLE)
    if found is None or not (yield from _knows_functions(inquiry, found.whole)):
        return None
    proof = Proof(
        test=found.broken.exchange,
        control=found.whole.exchange,
        verified_by=(
            f"{found.broken.payload!r} is answered in the words of an XPath evaluator ({found.words!r}), "
            f"{found.whole.payload!r}, which is as odd but closes its quotes, is not; twice with fresh letters."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT, proof, "error of an XPath evaluator")


def _knows_functions(inquiry: Inquiry, whole: Reply) -> Generator[TestRequest, Answer, bool]:
    """Whether a function of XPath is taken as the whole input was, and no longer with its name torn in two.

    Other languages complain in the same words ("unterminated string literal"), and know no such function or any.
    """
    known = yield from _ask(inquiry, TEXTS[0], TRUE, "control")
    if known is None or known.broke or complaints(known.text, XPATH) or known.reading.status != whole.reading.status:
        return False
    torn = yield from _ask(inquiry, TEXTS[0], TORN, "confirm")
    return torn is not None and (torn.broke or bool(complaints(torn.text, XPATH)))


def forecast(situation: Situation) -> int:
    """Requests for a sound point: the samples, a broken text, and one for each context."""
    from_samples = 2 if situation.baseline.request.method.upper() in ("GET", "HEAD") else 0
    finding = len(FINDING) if _may_find_all(situation) else 0
    return from_samples + 1 + len(_contexts(situation.value.decode("utf-8", "replace"))) + finding


ENTRY = Entry(
    type=TYPE,
    title="XPath injection",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever writes part of an XPath expression reads the whole document that it searches, other people's records and "
        "passwords among it, and passes logins that are checked so."
    ),
    remediation=(
        "Hand values to the expression as variables, which every XPath library has. Where that is impossible, take only "
        "letters and digits. Keep the evaluator's error texts out of answers."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    applies=holds_a_value,
    forecast=forecast,
    run=_run,
)
