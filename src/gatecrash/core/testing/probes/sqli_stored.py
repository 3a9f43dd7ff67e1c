"""SQL injection of the second order: a value is kept, and becomes part of a statement when another page is read.

What it finds
    Values that one request keeps, by a bound parameter even, and that another endpoint joins into a statement later: names,
    tags, file names, a saved column to sort by, and where headers are looked at what tells of the caller.

Why it matters
    What was checked on its way in is trusted on its way out: such places are seldom looked at, and read the database as
    any other injection does.

How it decides
    Texts with an open quote are sent where something is kept, in all values at once, and pages are read in the same name:
    where the answer leads, those of what was created, then the nearest of the run. Where none complains and none says
    anything else than when it was recorded, that is all. Where all values at once are refused each is tried by itself;
    where one alone is, with fresh letters at the others: it stands beside a name that must be new.

    By errors: a page that shows an error of a database's parser must show none with the same text and its quote doubled,
    which is as odd and closes what it opens: six times each, in random order, because other tests write as well. A list
    that goes on complaining of what was kept before must quote each text with an open quote in an error, and no other. None
    may be there in what the request itself answers, which `sqli` judges.

    By answers, where errors are hidden: texts that hold a comparison are kept, true and false by turns. They differ in
    random numbers alone, so that only what computes them can tell them apart. What the page says after all the true ones
    and after none of the false ones it must not say after one whose operator is misspelt.

    By grammar, where open quotes break a page: it must break over each comparison whose operator is misspelt and over
    none that is spelt, true or false, nine times each in random order.

Known misses
    Statements whose result is shown nowhere (time is not measured); pages that were not recorded; what is kept once and
    cannot be written over, so that the page goes on complaining about the first alone. Numbers, but in short forms. Values
    that only others' pages use.

Standards and references
    CWE-89; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection.
"""

import re
from collections.abc import Generator, Iterable
from typing import NamedTuple

from gatecrash.core.message import Exchange, Response
from gatecrash.core.statuses import FIRST_SERVER_ERROR
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.dialogues.following import LANDING, Way, page_of, told_of, ways_from
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply, inquiring
from gatecrash.core.testing.dialogues.reading_after import (
    Values,
    claim,
    first_kept,
    give_back,
    kept_values,
    may_be_kept,
    read_way,
    renew_others,
    was_taken,
    write_all,
)
from gatecrash.core.testing.dialogues.turns import in_random_order
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.page import Page, digest_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import Reading, read, said_by_ones_alone, says_all_of, telling
from gatecrash.core.testing.oracles.errors.sql import SqlError, errors_in
from gatecrash.core.testing.payloads.sqli import SORTS
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict

TYPE = "sqli"
CWE = (89,)
# An error shows the statement and lets data be read, with one request more; without it data is read bit by bit.
THREAT, THREAT_BOOLEAN = 90, 85
BROKEN, WHOLE = "{value}{mark}'", "{value}{mark}''"
# The operator, and how it is misspelt; the numbers compared have one length.
_IN_TEXT = ("{value}' {word} {left}<{right} {word} '{mark}'='{mark}", "AND", "AMD")
_AS_NAME = ("{word} WHEN {left}<{right} THEN {value} END", "CASE", "CASA")
_MOST_PAGES, _MOST_ALONE, _MOST_SUSPECTS, _MOST_COMPARED, _ROUNDS, _TURNS = 10, 3, 3, 6, 6, 9
_SAME, _HALF = 3, 0.5
# So far behind the words of an error, and before the next entry of a list.
_QUOTED, _NEXT = 200, re.compile(r"[<\n]")
_NAME = re.compile(r"[A-Za-z_]\w{0,63}")

_Deciding = Generator[TestRequest, Answer, Verdict | None]


class _Read(NamedTuple):
    """What a page complains of after a text was kept. named: an error quotes the letters of that text."""

    reply: Reply
    errors: frozenset[SqlError]
    named: bool


_Told = tuple[Reply, Reading, Exchange]


class _Suspects(NamedTuple):
    """Pages that may read what is kept. whole: what all values did at once, else the point's own alone.

    complaining: those that show a parser's error. changed: those that say something else than when they were recorded.
    broken: those of them that break.
    """

    whole: bool
    complaining: tuple[Way, ...] = ()
    changed: tuple[Way, ...] = ()
    broken: tuple[Way, ...] = ()


def _dialogue(inquiry: Inquiry) -> Dialogue:
    suspects: _Suspects = yield from inquiry.situation.memory.once("broken", lambda: _sweep(inquiry))
    if not suspects.whole or inquiry.situation.point not in kept_values(inquiry.situation):
        suspects = yield from _alone(inquiry)
    verdict = yield from _decide(inquiry, suspects)
    # What is not taken alone may stand beside a name that must be new.
    if verdict is None and suspects.whole and any(suspects[1:]) and renew_others(inquiry):
        verdict = yield from _decide(inquiry, suspects)
    return verdict or (yield from inquiry.nothing_found(TYPE))


def _decide(inquiry: Inquiry, suspects: _Suspects) -> _Deciding:
    verdict: Verdict | None = None
    deciding = [(_by_errors, way) for way in suspects.complaining] + [(_by_answers, way) for way in suspects.changed]
    deciding += [(_by_grammar, way) for way in suspects.broken]
    for decide, way in deciding:
        if verdict is None and claim(inquiry.situation, TYPE, way):
            verdict = yield from decide(inquiry, way)
            if verdict is None:
                give_back(inquiry.situation, TYPE, way)
    return verdict


def _sweep(inquiry: Inquiry) -> Generator[TestRequest, Answer, _Suspects]:
    """Open quotes in all values at once, and where pages then say something else, comparisons in all of them."""
    situation = inquiry.situation
    values = kept_values(situation)
    exchange = yield from _write(inquiry, {point: _fill(inquiry, BROKEN, value) for point, value in values.items()})
    if exchange is None:
        return _Suspects(len(values) == 1)
    found = yield from _suspected(inquiry, exchange, values, _MOST_PAGES)
    changed = (yield from _told_apart(inquiry, found.changed, values)) if found.changed else ()
    return found._replace(changed=changed)


def _write(inquiry: Inquiry, values: Values) -> Generator[TestRequest, Answer, Exchange | None]:
    """The answer to the request with these values; None where they are not taken."""
    request = write_all(inquiry.situation, values)
    exchange = (yield from ask(request)) if request is not None else None
    taken = exchange is not None and was_taken(inquiry.situation, exchange)
    return exchange if taken and exchange and not errors_in(text_of(response_of(exchange))) else None


def _alone(inquiry: Inquiry) -> Generator[TestRequest, Answer, _Suspects]:
    reply = yield from inquiry.send(_fill(inquiry, BROKEN, inquiry.value))
    if reply is None or errors_in(reply.text):
        return _Suspects(False)
    values = {inquiry.situation.point: inquiry.value}
    return (yield from _suspected(inquiry, reply.exchange, values, _MOST_ALONE))


def _suspected(
    inquiry: Inquiry, exchange: Exchange, values: Values, most: int
) -> Generator[TestRequest, Answer, _Suspects]:
    """Which pages complain after this answer, and which of the others say something else than they did."""
    situation = inquiry.situation
    complaining: list[Way] = []
    changed: list[tuple[int, Way]] = []
    for way in ways_from(situation, response_of(exchange), values.values())[:most]:
        page = yield from read_way(situation, way, exchange)
        if page is None:
            continue
        if errors_in(text_of(response_of(page))):
            complaining.append(way)
        elif (how := _changed(page_of(situation, way, page.request.target), response_of(page))) < _SAME:
            changed.append((how, way))
    # Where the answer leads is looked at however much others' tests change meanwhile.
    changed.sort(key=lambda each: (each[1] != LANDING, each[0]))
    broken = tuple(way for how, way in changed[:_MOST_SUSPECTS] if how == 0)
    return _Suspects(
        True, tuple(complaining[:_MOST_SUSPECTS]), tuple(way for _, way in changed[:_MOST_COMPARED]), broken
    )


def _changed(page: Page | None, now: Response) -> int:
    """How likely what is kept changed the page: it broke (0), it says something else, nobody knows what it said, it says the same."""
    if now.status >= FIRST_SERVER_ERROR:
        return 0
    if page is None:
        return 2
    return _SAME if digest_of(now) == page.digest else 1


def _told_apart(
    inquiry: Inquiry, ways: tuple[Way, ...], values: Values
) -> Generator[TestRequest, Answer, tuple[Way, ...]]:
    """Those of the pages that seem to tell true comparisons, in all values at once, from false ones."""
    readings: dict[Way, dict[bool, list[Reading]]] = {way: {True: [], False: []} for way in ways}
    for true in (True, False, False, True):
        payloads = {point: _compared(inquiry, point, value, true=true) for point, value in values.items()}
        exchange = yield from _write(inquiry, payloads)
        if exchange is None:
            return ways
        echoes = {payloads[point]: value for point, value in values.items()}
        for way in ways:
            page = yield from read_way(inquiry.situation, way, exchange)
            if page is not None:
                readings[way][true].append(read(response_of(page), echoes))
    return tuple(way for way in ways if telling(readings[way][True], readings[way][False]))


def _fill(inquiry: Inquiry, pattern: str, value: str) -> str:
    return pattern.format(value=value, mark=inquiry.mark())


def _context(point: tuple[str, ...], value: str) -> tuple[str, str, str]:
    return _AS_NAME if _NAME.fullmatch(value) and SORTS.search(point[-1]) else _IN_TEXT


def _compared(inquiry: Inquiry, point: tuple[str, ...], value: str, *, true: bool, spelt: bool = True) -> str:
    """A text with a comparison that is true or false; not spelt: with an operator that is none."""
    pattern, word, misspelt = _context(point, value)
    less, more = inquiry.number(1000, 5000), inquiry.number(5000, 9999)
    left, right = (less, more) if true else (more, less)
    return pattern.format(value=value, word=word if spelt else misspelt, left=left, right=right, mark=inquiry.mark())


def _by_errors(inquiry: Inquiry, way: Way) -> _Deciding:
    """Open quotes must break the page and closed ones clear it, in random order: other tests write there as well. A list
    that keeps what was sent before must quote each open one in an error, and no closed one.
    """
    last: dict[bool, _Read] = {}
    clears, quotes = True, True
    for breaks in in_random_order(inquiry.random, _ROUNDS):
        found = yield from _complaint(inquiry, BROKEN if breaks else WHOLE, way)
        if found is None:
            return None
        clears, quotes = clears and bool(found.errors) == breaks, quotes and found.named == breaks
        if not (clears or quotes):
            return None
        last[breaks] = found
    broken, whole = last[True], last[False]
    engine, it = min(error.engine for error in broken.errors), "" if clears else " that quotes it"
    proof = Proof(
        test=broken.reply.exchange,
        control=whole.reply.exchange,
        verified_by=(
            f"After {broken.reply.payload!r} was sent to be kept, {told_of(way)} shows an error of {engine}'s parser{it}; "
            f"after {whole.reply.payload!r}, which closes what it opens, it shows none{it}; {_ROUNDS} times each with fresh "
            f"letters, in random order."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT, proof, f"kept, and joined into a statement elsewhere: {engine}")


def _complaint(inquiry: Inquiry, pattern: str, way: Way) -> Generator[TestRequest, Answer, _Read | None]:
    """What a page complains of after a text was sent to be kept; None where it cannot be read, or the answer complains itself."""
    purpose = "confirm" if pattern == BROKEN else "control"
    reply = yield from inquiry.send(_fill(inquiry, pattern, inquiry.value), purpose=purpose)
    if reply is None or errors_in(reply.text):
        return None
    page = yield from read_way(inquiry.situation, way, reply.exchange)
    if page is None:
        return None
    text = text_of(response_of(page))
    errors = errors_in(text)
    return _Read(reply, errors, _quotes(text, errors, reply.payload.rstrip("'").removeprefix(inquiry.value)))


def _quotes(text: str, errors: Iterable[SqlError], mark: str) -> bool:
    """Whether one of the errors goes on to say these letters, as parsers quote where they stopped."""
    shown = (found for error in errors for found in re.finditer(error.words, text, re.IGNORECASE))
    return any(mark in found[0] + _NEXT.split(text[found.end() :][:_QUOTED], 1)[0] for found in shown)


def _by_answers(inquiry: Inquiry, way: Way) -> _Deciding:
    """The page must say after each true comparison what it says after no false one and after none that is misspelt."""
    trues: list[_Told] = []
    falses: list[_Told] = []
    for true in (True, False, *in_random_order(inquiry.random, _TURNS - 1)):
        told = yield from _told(inquiry, way, true=true)
        if told is None:
            return None
        (trues if true else falses).append(told)
        if trues and falses and not _own(trues, falses):
            return None
    own = _own(trues, falses)
    for _ in range(2):
        misspelt = yield from _told(inquiry, way, true=True, spelt=False)
        if misspelt is None or says_all_of(misspelt[1], own):
            return None
    return _vulnerable(inquiry, way, trues[-1], falses[-1])


def _own(trues: Iterable[_Told], falses: Iterable[_Told]) -> frozenset[tuple[str, str]]:
    """What the page says after all true comparisons, and after no false one."""
    return said_by_ones_alone([reading for _, reading, _ in trues], [reading for _, reading, _ in falses])


def _told(
    inquiry: Inquiry, way: Way, *, true: bool, spelt: bool = True
) -> Generator[TestRequest, Answer, _Told | None]:
    payload = _compared(inquiry, inquiry.situation.point, inquiry.value, true=true, spelt=spelt)
    reply = yield from inquiry.send(payload, purpose="confirm" if true and spelt else "control")
    if reply is None or not was_taken(inquiry.situation, reply.exchange):
        return None
    page = yield from read_way(inquiry.situation, way, reply.exchange)
    return (reply, read(response_of(page), {payload: inquiry.value}), page) if page is not None else None


def _by_grammar(inquiry: Inquiry, way: Way) -> _Deciding:
    """The page must break over each misspelt comparison and over none that is spelt, be it true or false."""
    last: dict[bool, _Told] = {}
    for spelt in (False, True, *in_random_order(inquiry.random, _TURNS - 1)):
        told = yield from _told(inquiry, way, true=inquiry.random.random() < _HALF, spelt=spelt)
        if told is None or (told[1].status >= FIRST_SERVER_ERROR) == spelt:
            return None
        last[spelt] = told
    proof = Proof(
        test=last[False][0].exchange,
        control=last[True][0].exchange,
        verified_by=(
            f"After {last[False][0].payload!r} was sent to be kept, {told_of(way)} breaks; after {last[True][0].payload!r}, "
            f"which differs from it only in being valid SQL, it does not; {_TURNS} times each with random numbers, in random order."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT_BOOLEAN, proof, "kept, and parsed as part of a statement elsewhere")


def _vulnerable(inquiry: Inquiry, way: Way, true: _Told, false: _Told) -> Verdict:
    proof = Proof(
        test=true[0].exchange,
        control=false[0].exchange,
        verified_by=(
            f"After {true[0].payload!r} was sent to be kept, {told_of(way)} answers as a true comparison makes it; after "
            f"{false[0].payload!r}, which is false, it answers otherwise; {_TURNS} times each with random numbers, in random "
            f"order. With a misspelt operator it does not answer as with the true one."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT_BOOLEAN, proof, "kept, and computed by a statement elsewhere")


def applies(situation: Situation) -> bool:
    """Texts in requests that may change something, where pages are known that may show it."""
    if is_safe(situation.baseline.request) or situation.policy.one_family or not _is_text(situation):
        return False
    return bool(_ways(situation)) and may_be_kept(situation, situation.point, situation.value)


def _is_text(situation: Situation) -> bool:
    return situation.point[0] in ("post", "header") and holds_a_value(situation)


def _ways(situation: Situation) -> list[Way]:
    response = situation.baseline.response
    return ways_from(situation, response)[:_MOST_PAGES] if response is not None else []


def forecast(situation: Situation) -> int:
    """Requests for a sound point: of the first one for all values and one for each page; none for the others."""
    return 1 + len(_ways(situation)) if situation.point == first_kept(situation) else 0


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
PROBE = Probe(
    type=TYPE, entry=ENTRY, seldom_finds=True, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue)
)
