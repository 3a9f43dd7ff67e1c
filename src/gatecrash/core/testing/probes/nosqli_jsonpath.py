"""JSONPath injection: a value becomes part of the filter that searches a JSON document.

What it finds
    Values joined into the filter of a JSONPath expression (`$.items[?(@.name == 'VALUE')]`), as texts in either quotes and
    as numbers, where what the filter finds is shown.

Why it matters
    A filter reaches all of the document, whatever part the application meant: rows of others, and fields that they have.

How it decides
    Conditions about the node itself are added, which no other language knows: that it is the same as itself must be
    answered as the baseline, that it is not otherwise, in ten rounds with fresh texts in random order; with the sign of
    the comparison torn in two the answer must not be that of the true ones. They only narrow what is found. It is asked
    where an answer lists things of which one has the value, as what is searched by it does.

Known misses
    Answers that list nothing, or do not show the value. Values that name a member. Evaluators that join conditions by
    other words than `&&`.

Standards and references
    CWE-943; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection; RFC 9535, section 2.3.5.
"""

from gatecrash.core.message import Response
from gatecrash.core.testing.dialogues.boolean_based import DECOY, FALSE, tells_apart
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, inquiring
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.structured import structured
from gatecrash.core.testing.payloads.nosqli_jsonpath import NUMBERS, OTHER, SAME, TEXTS, TORN, Context
from gatecrash.core.testing.places.plain_values import is_number
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.probe import Dialogue, Probe, Situation

TYPE = "nosqli"
CWE = (943,)
THREAT = 75
_MOST_ROWS = 50
# Break an expression wherever they stand in a value.
SIGNS = "'\""


def _contexts(value: str) -> tuple[Context, ...]:
    return NUMBERS if is_number(value) else TEXTS


def _dialogue(inquiry: Inquiry) -> Dialogue:
    for context in _contexts(inquiry.value):

        def question(kind: str, purpose: str, context: Context = context) -> Asking:
            payload = context.pattern.format(
                value=inquiry.value, compared={FALSE: OTHER, DECOY: TORN}.get(kind, SAME), mark=inquiry.mark(4)
            )
            return (yield from inquiry.send(payload, purpose=purpose))

        apart = yield from tells_apart(inquiry, question)
        if apart is not None:
            return inquiry.vulnerable(ENTRY, THREAT, apart.told("JSONPath"), f"context: {context.name}")
    return (yield from inquiry.nothing_found(TYPE))


def applies(situation: Situation) -> bool:
    """Values that a list in JSON shows."""
    value = situation.value.decode("utf-8", "replace")
    return bool(value) and holds_a_value(situation) and _is_listed(situation.baseline.response, value)


def _is_listed(response: Response | None, value: str) -> bool:
    """Whether one of the things that an answer lists has the value."""
    document = structured(response) if response is not None else None
    within = document.values() if isinstance(document, dict) else [document]
    rows = (row for each in within if isinstance(each, list) for row in each[:_MOST_ROWS] if isinstance(row, dict))
    return any(value in map(str, row.values()) for row in rows)


def forecast(situation: Situation) -> int:
    """Requests for a sound point: one for each context."""
    return len(_contexts(situation.value.decode("utf-8", "replace")))


ENTRY = Entry(
    type=TYPE,
    title="JSONPath injection",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever writes part of a JSONPath filter reads the whole document that it searches, other people's rows among it, "
        "and some evaluators run what they are given as code."
    ),
    remediation=(
        "Search by the application's own code, or compare the value with what a fixed expression finds. Where it must stand in "
        "an expression, take only letters and digits."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="jsonpath",
    entry=ENTRY,
    applies=applies,
    forecast=forecast,
    run=inquiring(TYPE, _dialogue, signs=SIGNS),
)
