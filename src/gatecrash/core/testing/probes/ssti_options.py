"""Template injection by options: a page hands its whole query or body to its engine, which takes options of its own from it.

What it finds
    Pages of Node that render with the query or the body as data (`res.render("card", req.query)`), by an engine that reads its
    options out of the data and writes one of them into the code that it makes of the template (EJS up to 3.1.6: CVE-2022-29078;
    Squirrelly: CVE-2021-32819; Eta before 2.0: CVE-2022-25967; Pug before 3.0.1 where the page calls a mixin: CVE-2021-21353).

Why it matters
    What is written there runs as code of the server, whatever the template itself does with its values.

How it decides
    Asked are pages that a GET request with a query was answered with, or a request with a form or an object of JSON. Beside
    what was sent stand the options that name a function of the made code, its parameter, and what its lines begin with,
    with a product of two random numbers in them: the page must hold what it comes to, behind a fresh word, and once more
    with others. With a blank in the place of the sign between the numbers it must not. The engine is told to keep nothing
    of it, neither by its own option nor by the framework's, so
    that nobody else is shown what was sent.

Known misses
    Forms in parts. Engines that are led otherwise.

Standards and references
    CWE-1336, CWE-94; OWASP Top 10:2021 A03 Injection.
"""

from collections.abc import Callable, Generator

from gatecrash.core.message import Exchange
from gatecrash.core.testing.asking import ask, concluding, response_of
from gatecrash.core.testing.dialogues.page_data import Members, beside, hands_data, once_a_method
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "ssti"
CWE = (1336, 94)
THREAT = 95
# cache: neither the framework nor the engine keeps the code. What stands
# for a missing parameter is computed where its name opens a scope, and writes over all that this page is made of.
_OPTIONS = {
    "outputFunctionName": 'a=1;__append("WORD"+SUM);b',
    "varName": 'it=(()=>{for(let k in it)it[k]="WORD"+SUM;return it})()',
    "useWith": "1",
}
# Written where a line of the page begins, within a text in single quotes.
_PRETTY = '\');pug_html+="WORD"+SUM;//'
TIMES, NO_TIMES = "*", " "


def _dialogue(situation: Situation) -> Dialogue:
    if (yield from _computed(situation, "test")) is None:
        return safe(TYPE, situation.point, "the engine takes no option from what is sent")
    control, shown = yield from _asked(situation, NO_TIMES, "control")
    again = yield from _computed(situation, "confirm")
    if shown or again is None:
        return safe(TYPE, situation.point, "what was computed was so once, or without its sign, too")
    return _vulnerable(situation, again, control)


def _computed(situation: Situation, purpose: str) -> Generator[TestRequest, Answer, Exchange | None]:
    """The answer that holds the product behind its word; None where it does not."""
    exchange, shown = yield from _asked(situation, TIMES, purpose)
    return exchange if shown else None


def _asked(situation: Situation, sign: str, purpose: str) -> Generator[TestRequest, Answer, tuple[Exchange, bool]]:
    """An answer to fresh numbers with this sign between them, and whether it holds their product behind a fresh word."""
    random = situation.random
    left, right = random.randint(10_001, 31_000), random.randint(10_001, 31_000)
    word = fresh_letters(random, 8)
    options = _options(lambda text: text.replace("WORD", word).replace("SUM", f"{left}{sign}{right}"))
    exchange = yield from ask(beside(situation.baseline.request, options), purpose)
    return exchange, f"{word}{left * right}" in text_of(response_of(exchange))


def _options(filled: Callable[[str], str]) -> Members:
    """All options at once. filled: writes words and numbers into one."""
    of_engine = {"cache": "", **{name: filled(text) for name, text in _OPTIONS.items()}}
    return {"cache": "", "settings": {"view options": of_engine}, "pretty": filled(_PRETTY)}


def _vulnerable(situation: Situation, test: Exchange, control: Exchange) -> Verdict:
    return vulnerable(
        ENTRY,
        situation.point,
        detail="the engine takes options from what is sent",
        threat=THREAT,
        test=test,
        control=control,
        verified_by=(
            "The page holds the product of two numbers that were drawn at random, behind a word that was, where an option of its "
            "engine says to compute it; twice. Without the sign between the numbers it does not."
        ),
    )


def forecast(_situation: Situation) -> int:
    """One request, of which nobody computes anything."""
    return 1


ENTRY = Entry(
    type=TYPE,
    title="Options of a template engine are taken from what is sent",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why="Whoever chooses the options of an engine that writes them into code runs code of their own on the server.",
    remediation=(
        "Hand the engine an object with the values that the page shows, each by its name, and never the whole query or body. "
        "Keep the engine current: it refuses what is no name there."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="options",
    entry=ENTRY,
    whole=True,
    applies=hands_data,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
    collected=once_a_method,
)
