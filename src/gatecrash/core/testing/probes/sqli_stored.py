"""SQL injection of the second order: a value is kept, and becomes part of a statement when another page is read.

What it finds
    Values that one request keeps, by a bound parameter even, and that another endpoint joins into a statement later.

Why it matters
    What was checked on its way in is trusted on its way out: such places are seldom looked at, and read the database as
    any other injection does.

How it decides
    A text with an open quote is sent where something is kept. Then the page that the answer redirects to and the nearest
    pages of the run are read, in the same name. A page that now shows an error of a database's parser must show none
    with the same text and its quote doubled, which is as odd and closes what it opens: six times each, in random order,
    because other tests write as well. None may be there in what the request itself answers, which `sqli` judges.

Known misses
    Errors that are hidden; pages that were not recorded; what is kept once and cannot be written over, so that the page
    goes on complaining about the first. Numbers.

Standards and references
    CWE-89; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection.
"""

import re
from collections.abc import Generator

from gatecrash.core.message import Request
from gatecrash.core.testing.asking import ask, concluding, known_answers, response_of
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.inquiry import Inquiry, Reply
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.sql_errors import SqlError, errors_in
from gatecrash.core.testing.ordering import is_safe
from gatecrash.core.testing.pages import landing_of, reading
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.segments import holds_a_value, is_name
from gatecrash.core.testing.verdict import Inconclusive, Proof, Verdict, inconclusive

TYPE = "sqli"
CWE = (89,)
# An error shows the statement and lets data be read, with one request more.
THREAT = 90
BROKEN, WHOLE = "{value}{mark}'", "{value}{mark}''"
_MOST_PAGES, _ROUNDS = 2, 6
_LITERAL = re.compile(r"[+-]?\d+(?:\.\d+)?|true|false|null|", re.IGNORECASE)

_Deciding = Generator[TestRequest, Answer, Verdict | None]
_Read = tuple[Reply, dict[bytes, frozenset[SqlError]]]


def _dialogue(situation: Situation) -> Dialogue:
    samples = yield from known_answers(situation)
    if not samples:
        return inconclusive(TYPE, situation.point, Inconclusive.NO_CONTROL, "no whole answer was recorded")
    inquiry = Inquiry(situation, samples)
    first = yield from _kept(inquiry, BROKEN, _targets(situation), "test")
    verdict = None
    if first is not None and not errors_in(first[0].text):
        for target in (target for target, errors in first[1].items() if errors):
            verdict = verdict or (yield from _confirm(inquiry, target))
    return verdict or (yield from inquiry.nothing_found(TYPE))


def _targets(situation: Situation) -> list[bytes]:
    """The page that the recorded answer leads to, and the nearest ones of the run."""
    request, response = situation.baseline.request, situation.baseline.response
    landing = landing_of(request, response) if response is not None else None
    nearest = [page.request.target for page in situation.pages if not page.request.body][:_MOST_PAGES]
    return list(dict.fromkeys([*([landing] if landing else []), *nearest]))


def _kept(
    inquiry: Inquiry, pattern: str, targets: list[bytes], purpose: str
) -> Generator[TestRequest, Answer, _Read | None]:
    """What pages complain of after a text was sent to be kept; the page that the answer leads to among them."""
    request = inquiry.situation.baseline.request
    reply = yield from inquiry.send(pattern.format(value=inquiry.value, mark=inquiry.mark()), purpose=purpose)
    if reply is None:
        return None
    landing = landing_of(request, response_of(reply.exchange))
    found: dict[bytes, frozenset[SqlError]] = {}
    for target in dict.fromkeys([*([landing] if landing else []), *targets]):
        page = yield from _read(request, target)
        found[target] = errors_in(page)
    return reply, found


def _read(request: Request, target: bytes) -> Generator[TestRequest, Answer, str]:
    return text_of(response_of((yield from ask(reading(request, target), "control"))))


def _confirm(inquiry: Inquiry, target: bytes) -> _Deciding:
    """Open quotes must break the page and closed ones clear it, in random order: other tests write there as well."""
    patterns = [BROKEN, WHOLE] * _ROUNDS
    inquiry.random.shuffle(patterns)
    last: dict[str, _Read] = {}
    for pattern in patterns:
        read = yield from _kept(inquiry, pattern, [target], "confirm" if pattern == BROKEN else "control")
        if read is None or bool(read[1][target]) != (pattern == BROKEN):
            return None
        last[pattern] = read
    broken, whole = last[BROKEN], last[WHOLE]
    engine = min(error.engine for error in broken[1][target])
    proof = Proof(
        test=broken[0].exchange,
        control=whole[0].exchange,
        verified_by=(
            f"After {broken[0].payload!r} was sent to be kept, {target.decode('latin-1')!r} shows an error of {engine}'s "
            f"parser; after {whole[0].payload!r}, which closes what it opens, it shows none; {_ROUNDS} times each with fresh "
            f"letters, in random order."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT, proof, f"kept, and joined into a statement elsewhere: {engine}")


def applies(situation: Situation) -> bool:
    """Texts in requests that may change something, where pages are known that may show it."""
    request = situation.baseline.request
    if is_safe(request) or is_name(situation.point) or not _targets(situation) or not holds_a_value(situation):
        return False
    return situation.point[0] == "post" and not _LITERAL.fullmatch(situation.value.decode("utf-8", "replace"))


def forecast(situation: Situation) -> int:
    """Requests for a sound point: one, and one for each page."""
    return 1 + len(_targets(situation))


ENTRY = Entry(
    type=TYPE,
    title="SQL injection",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever controls part of a statement reads the whole database, whatever the application would show, and often "
        "changes it or runs programs beside it."
    ),
    remediation=(
        "Hand values to the database as bound parameters wherever a statement is made, of what was read from the database "
        "as well: a value is not safe because it was stored."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, applies=applies, forecast=forecast, run=concluding(TYPE, _dialogue))
