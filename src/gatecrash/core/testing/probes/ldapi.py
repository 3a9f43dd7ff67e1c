r"""LDAP injection: a value becomes part of a search filter of a directory.

What it finds
    Values joined into a filter without escapes, where the result or the error shows.

Why it matters
    Whoever writes a filter passes logins that are checked by one, lists the directory, and reads attributes bit by bit.

How it decides
    The value is sent as only a filter reads it: with its first letter as `\61`. That must be answered as the baseline,
    another letter in the same spelling otherwise, in ten rounds in random order, and a backslash that escapes nothing
    not as the first. Then a star must match where nothing is missing and not where letters are. A search by patterns
    knows the star and not the escape, a string library the backslash and not the star. Or another comparison is added that holds for
    all entries, and for none; not so with one of its brackets turned round.
    Errors: brackets that do not close are answered in a directory's words about its filter, twice, and the same brackets
    spelt as a filter must spell them are not; nor are a square bracket and a quote, which other languages of queries
    open. Nor may brackets around the value be as good as none, as in arithmetic.
    Filters that find nothing: those brackets, and a backslash that escapes nothing, break the answer each time, and the
    brackets as a filter must spell them are answered as the baseline. Or the brackets with another comparison in them
    are, where any backslash is taken; not so with one of the brackets turned round. A square bracket and a quote are taken
    here, too: a regular expression may read a number behind a backslash as a sign, and breaks over those.

Known misses
    Filters whose result and errors show nowhere. Distinguished names (the other half of CWE-90). Values of one letter only.

Standards and references
    CWE-90; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection; RFC 4515, section 3.
"""

from collections.abc import Callable, Generator

from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.dialogues.boolean_based import FALSE, TRUE, tells_apart
from gatecrash.core.testing.dialogues.error_based import complained
from gatecrash.core.testing.dialogues.grammar_based import parses, taking
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply, inquiring, steady_samples
from gatecrash.core.testing.effects.letting_in import asks_to_be_let_in
from gatecrash.core.testing.effects.takes_all import may_find_more
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.difference import same_but_for_numbers
from gatecrash.core.testing.oracles.errors.query import LDAP, complaints
from gatecrash.core.testing.payloads.ldapi import (
    BROKEN,
    COMPARED,
    COMPARED_HOLDS,
    COMPARED_HOLDS_NOT,
    GROUPED,
    HOLDS,
    HOLDS_NOT,
    LITERAL,
    TURNED,
    TURNED_HOLDS,
    UNESCAPED,
    WHOLE,
    misspelt,
    other,
    spelt,
)
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict

TYPE = "ldapi"
CWE = (90,)
THREAT = 80

# Break a filter wherever they stand in a value.
SIGNS = "()"

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _dialogue(inquiry: Inquiry) -> Dialogue:
    verdict = yield from _by_errors(inquiry)
    verdict = verdict or (yield from _by_answers(inquiry)) or (yield from _by_grammar(inquiry))
    return verdict or (yield from inquiry.nothing_found(TYPE))


def _by_answers(inquiry: Inquiry) -> _Deciding:
    escapes = yield from tells_apart(inquiry, _asking(inquiry, _escaped))
    if escapes is None:
        return (yield from _by_comparisons(inquiry))
    stars = yield from tells_apart(inquiry, _asking(inquiry, _starred))
    if stars is None:
        return None
    return inquiry.vulnerable(ENTRY, THREAT, escapes.told("a search filter"), "escapes and stars of a filter are read")


def _by_comparisons(inquiry: Inquiry) -> _Deciding:
    """Another comparison behind the value, for filters that a library parses which knows no escapes. Where either
    comparison will do it finds everybody, so that only what reads, or lets in, is asked.
    """
    baseline = inquiry.situation.baseline
    if not may_find_more(baseline) and not asks_to_be_let_in(baseline.request):
        return None
    compared = yield from tells_apart(inquiry, _asking(inquiry, _compared))
    return (
        inquiry.vulnerable(ENTRY, THREAT, compared.told("a search filter"), "comparisons are added")
        if compared
        else None
    )


def _compared(inquiry: Inquiry, kind: str) -> str:
    pattern = {TRUE: COMPARED_HOLDS, FALSE: COMPARED_HOLDS_NOT}.get(kind, TURNED_HOLDS)
    return pattern.format(value=inquiry.value, mark=inquiry.mark())


def _asking(inquiry: Inquiry, spelling: Callable[[Inquiry, str], str]) -> Callable[[str, str], Asking]:
    def question(kind: str, purpose: str) -> Asking:
        return (yield from inquiry.send(spelling(inquiry, kind), purpose=purpose))

    return question


def _escaped(inquiry: Inquiry, kind: str) -> str:
    return {TRUE: spelt, FALSE: other}.get(kind, misspelt)(inquiry.value)


def _starred(inquiry: Inquiry, kind: str) -> str:
    pattern = HOLDS if kind == TRUE else HOLDS_NOT if kind == FALSE else HOLDS.replace("*", "\\2a")
    return pattern.format(first=inquiry.value[:1], rest=inquiry.value[1:], mark=inquiry.mark(4))


def _by_errors(inquiry: Inquiry) -> _Deciding:
    """Broken brackets are complained of, spelt ones are not, twice."""
    found = yield from complained(inquiry, LDAP, BROKEN, WHOLE)
    if found is None:
        return None
    literal = yield from inquiry.send(LITERAL.format(value=inquiry.value, mark=inquiry.mark()), purpose="control")
    if literal is None or literal.broke or _says_otherwise(literal, found.whole):
        return None
    # Where brackets group, as in arithmetic, some around the value are as good as none; a filter takes none there.
    grouped = yield from inquiry.send(GROUPED.format(value=inquiry.value), purpose="control")
    if grouped is None or inquiry.as_usual(grouped):
        return None
    proof = Proof(
        test=found.broken.exchange,
        control=found.whole.exchange,
        verified_by=(
            f"{found.broken.payload!r} is answered in a directory's words about its filter ({found.words!r}); "
            f"{found.whole.payload!r}, the same brackets as a filter spells them, is not; twice with fresh letters."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT, proof, "error of a search filter")


def _says_otherwise(reply: Reply, whole: Reply) -> bool:
    """Whether an answer is of another kind than the whole filter's, so that these signs mean something where they came to.

    An expression may refuse both, each in other words.
    """
    if reply.reading.status != whole.reading.status or complaints(reply.text, LDAP):
        return True
    return whole.reading.status >= FIRST_ERROR and not same_but_for_numbers(reply.reading, whole.reading)


def _by_grammar(inquiry: Inquiry) -> _Deciding:
    """What a filter cannot parse is answered otherwise than what it can; asked where broken brackets were."""
    odd = inquiry.replies[0] if inquiry.replies else None
    if odd is None:
        return None
    taken = taking(inquiry, odd)
    if taken(odd):
        return None

    def question(pattern: str, purpose: str) -> Asking:
        return (yield from inquiry.send(pattern.format(value=inquiry.value, mark=inquiry.mark()), purpose=purpose))

    parsed = yield from parses(inquiry, WHOLE, (UNESCAPED, BROKEN), question, taken)
    parsed = parsed or (yield from parses(inquiry, COMPARED, (TURNED, BROKEN), question, taken))
    literal = (yield from question(LITERAL, "control")) if parsed else None
    if parsed is None or literal is None or not taken(literal):
        return None
    return inquiry.vulnerable(ENTRY, THREAT, parsed.told("a search filter"), "parsed as a filter")


def applies(situation: Situation) -> bool:
    """Any single value of two letters or more."""
    return holds_a_value(situation) and len(situation.value) > 1


def forecast(situation: Situation) -> int:
    """Requests for a sound point: the samples, broken brackets, the spelt value, another comparison."""
    request = situation.baseline.request
    samples = 2 if request.method.upper() in ("GET", "HEAD") else 0
    return samples + 2 + (may_find_more(situation.baseline) or asks_to_be_let_in(request))


ENTRY = Entry(
    type=TYPE,
    title="LDAP injection",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever writes part of a search filter passes logins that are checked by it, lists people and groups, and reads "
        "attributes that were never to be shown."
    ),
    remediation=(
        "Escape every value as RFC 4515 section 3 says (your library has a function for filters, and another for names), "
        "or build filters from parts and not from text. Bind with the user's own password instead of comparing it."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    applies=applies,
    forecast=forecast,
    run=inquiring(TYPE, _dialogue, steady_samples, signs=SIGNS),
)
