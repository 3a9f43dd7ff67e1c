"""NoSQL injection: a value becomes an operator or a script of a query to a document store.

What it finds
    Parameters that are handed to a query as they were parsed, so that an object in the place of a text is an operator:
    in JSON, and in queries and forms whose parser makes objects of brackets (`name[$eq]=…`: Express, PHP, Rails). Values
    joined into the JavaScript of a `$where`.

Why it matters
    An operator that is always true logs in without a password and lists what is not the caller's; comparisons read
    secrets character by character.

How it decides
    `$in` with a list of the value must be answered as the baseline, with fresh letters otherwise, in ten rounds in
    random order; what only looks like an operator must not be answered as the first. All stores know `$in`: one that
    is unknown is thrown out of many an application, which then answers nothing, or is gone. Such a request is asked
    last, and proves nothing by its silence. The same with `$regex`, and with
    `$ne` where nothing is changed: in safe requests and in logins; and with `$eq`, where `$in`
    breaks the answer or finds nothing; in bodies, the `in` of mappers to relational stores after that. Where the value
    itself finds nothing, `$ne` of fresh letters must find something, fifteen times, and what finds nothing in any
    store must not, where the request only reads. In JSON a list or a pattern of the value and fresh letters must find
    it too, at last: an object that was kept as a text by the tests of another operation is found again. A login that
    was refused when it was recorded must let `$ne` in, twice, and refuse what only looks like it.
    Errors: an operator of fresh letters is complained of as one, twice, and the same object without its dollar sign is
    not; or it breaks the answer or takes something out of it, nine times, and `$eq` does not. Scripts: a comparison in
    JavaScript's own words, true and false, as above; a function that only the database has tells whose JavaScript it
    is. Waits are never asked for: a script is evaluated once a document.

Known misses
    Queries whose result shows nowhere. Operators in headers and path segments, which hold texts only, and in brackets
    of requests that delete, that change several things at once, or count what they changed. Stores other than MongoDB and
    those that speak its language; operators of mappers (Prisma) in queries. Operators where the recorded request itself has some: they are
    what the API offers. Numbers in queries and forms: their operand would be a text. Values that find nothing in
    requests that may change something, where an unknown operator breaks nothing.

Standards and references
    CWE-943; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection.
"""

import json
import re
from collections.abc import Generator
from functools import lru_cache

from gatecrash.core.testing.asking import concluding, enough_samples, response_of, sample_beside
from gatecrash.core.testing.authorization.callers.refused_logins import refused_login
from gatecrash.core.testing.dialogues.boolean_based import DECOY as ASKED_DECOY
from gatecrash.core.testing.dialogues.boolean_based import FALSE, TRUE, tells_apart
from gatecrash.core.testing.dialogues.document_scripts import evaluates_scripts
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.operators.asking_operators import ask_operator, ask_unknown, finds_by_operators
from gatecrash.core.testing.dialogues.operators.odd_answers import EMPTY, complaint, is_odd, says_less, says_otherwise
from gatecrash.core.testing.dialogues.operators.operator_objects import LITERAL, in_json, takes_objects, with_object
from gatecrash.core.testing.dialogues.repeating import MANY, shown_by_it_alone
from gatecrash.core.testing.effects.letting_in import asks_to_be_let_in
from gatecrash.core.testing.effects.takes_all import may_find_more, may_take_all
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.payloads.nosqli import (
    AMONG,
    EQUAL,
    MAPPED,
    MATCHING,
    NAMELESS,
    OTHER,
    UNKNOWN,
    Operator,
    Trio,
)
from gatecrash.core.testing.places.plain_values import is_number
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Proof, Verdict, inconclusive

TYPE = "nosqli"
CWE = (943,)
# 85: data is read bit by bit, logins are passed. 80: proven to be parsed as a query, nothing was read yet.
THREAT, THREAT_ERROR = 85, 80
_REFUSED = frozenset({400, 401, 403, 404, 422})
_ERROR = 400
# Operators that the recorded client itself sent: in JSON, in brackets behind a name, escaped or not, and as a name of their
# own (`?$limit=2&$sort[name]=1`), which is a language of queries that the API speaks.
_OWN_OPERATORS = re.compile(
    rb"""(?:["']|%2[27])(?:\$|%24)[a-z]{2,}(?:["']|%2[27])(?:\s|%20|\+)*+(?::|%3a)|(?:\[|%5b)(?:\$|%24)[a-z]{2,}(?:\]|%5d)|[?&](?:\$|%24)[a-z]{2,}(?==|\[|%5b)""",
    re.IGNORECASE,
)

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _dialogue(situation: Situation) -> Dialogue:
    samples = yield from sample_beside(situation)
    if not samples:
        return inconclusive(
            TYPE, situation.point, Inconclusive.NO_CONTROL, "no whole answer to the baseline was recorded"
        )
    known = yield from enough_samples(situation, samples)
    inquiry = Inquiry(situation, known)
    verdict = None
    if _takes_objects(situation):
        verdict = yield from _with_objects(inquiry)
    tried = situation.policy.one_family and _takes_objects(situation)
    if verdict is None and not tried and inquiry.value.lower() not in ("true", "false", "null"):
        objects = len(inquiry.replies)
        scripted = yield from evaluates_scripts(inquiry)
        verdict = inquiry.vulnerable(ENTRY, THREAT, scripted.proof, scripted.place) if scripted else None
        verdict = verdict or (yield from _by_mappers(inquiry, objects))
    return verdict or (yield from inquiry.nothing_found(TYPE))


def _with_objects(inquiry: Inquiry) -> _Deciding:
    """Objects in the place of the value: what finds the same first, and what breaks where the value is looked at."""
    others = _trios(inquiry.situation)
    verdict = yield from _by_operators(inquiry, AMONG)
    unknown: Reply | None = None
    known = EQUAL if verdict is None and inquiry.replies and inquiry.replies[-1].broke else AMONG
    first = next(reversed(inquiry.replies), None)
    if verdict is None and first is not None and not inquiry.like_baseline(first.reading):
        # An imitation of a store that knows no lists, whose errors may be told as nothing found, or no objects are taken.
        verdict = yield from _by_operators(inquiry, EQUAL)
        if not is_odd(inquiry, first) or _is_emptied(inquiry, first):
            # Asked for in the place of a pattern, so that texts cost what they did.
            others = tuple(trio for trio in others if trio is not MATCHING)
        elif inquiry.replies[-1].broke and not _complains(inquiry):
            others = ()
    if verdict is None:
        verdict = yield from _finding_more(inquiry)
    # Who refuses an object that finds the same does not look at its operator; a page that moves tells nothing of that.
    if verdict is None and (not inquiry.steady or _taken(inquiry) or _complains(inquiry)):
        unknown = yield from ask_unknown(inquiry, UNKNOWN, "test")
        verdict = yield from _by_errors(inquiry, unknown)
    ignored = unknown is not None and inquiry.like_baseline(unknown.reading)
    for trio in others:
        verdict = verdict or (yield from _by_operators(inquiry, trio, FALSE if ignored else TRUE))
    if verdict is None and unknown is not None and (_is_error(inquiry, unknown) or says_less(inquiry, unknown)):
        verdict = yield from _by_breaking(inquiry, known, told=_is_error(inquiry, unknown))
    return verdict


def _finding_more(inquiry: Inquiry) -> _Deciding:
    """Operators that every store knows find what the value does not, or pass a login. Asked before an operator that none has, which
    many an application does not survive.
    """
    if _taken(inquiry):
        proof = yield from finds_by_operators(inquiry)
        if proof is not None:
            return inquiry.vulnerable(ENTRY, THREAT, proof, "operators find what the value does not")
    if asks_to_be_let_in(inquiry.situation.baseline.request) and inquiry.good.status in _REFUSED:
        return (yield from _by_passing(inquiry))
    return None


def _is_emptied(inquiry: Inquiry, reply: Reply) -> bool:
    return reply.text not in EMPTY and (says_less(inquiry, reply) or says_otherwise(inquiry, reply))


def _by_mappers(inquiry: Inquiry, objects: int) -> _Deciding:
    """Operators without a dollar sign, where objects break the answer or find nothing and texts break none.

    objects: how many of the answers so far were to objects. In a query such words are what many an API offers (`?size[in]=4`).
    """
    to_objects, to_texts = inquiry.replies[:objects], inquiry.replies[objects:]
    apart = all(is_odd(inquiry, reply) for reply in to_objects) and not any(reply.broke for reply in to_texts)
    if inquiry.situation.point[0] != "post" or not (to_objects and to_texts and apart):
        return None
    return (yield from _by_operators(inquiry, MAPPED))


def _taken(inquiry: Inquiry) -> bool:
    """Whether any answer so far was the baseline's."""
    return any(inquiry.like_baseline(reply.reading) for reply in inquiry.replies)


def _complains(inquiry: Inquiry) -> bool:
    """Whether an answer so far complained of an operator."""
    return any(complaint(inquiry, reply) for reply in inquiry.replies)


def _trios(situation: Situation) -> tuple[Trio, ...]:
    """The operators worth asking for after the first: texts alone are matched, numbers widened where the request only reads."""
    login = asks_to_be_let_in(situation.baseline.request) or refused_login(situation.baseline.exchange) is not None
    if not LITERAL.fullmatch(situation.value):
        return (MATCHING, OTHER) if login else (MATCHING,)
    return (OTHER,) if login or may_find_more(situation.baseline) else ()


def _is_error(inquiry: Inquiry, reply: Reply) -> bool:
    return reply.reading.status >= _ERROR and reply.reading.status != inquiry.good.status


def _takes_objects(situation: Situation) -> bool:
    """Whether an object can stand at the point, and is none that the API offers: who is meant to write `{"$lte": 9}` gains
    nothing by `{"$eq": …}`. In brackets, which not everybody reads, only where who finds no value takes nothing for all.
    """
    request = situation.baseline.request
    if not in_json(situation) and may_take_all(situation.baseline):
        return False
    return takes_objects(situation) and not _has_operators(request.target, request.body)


@lru_cache(8)  # asked at each point of a request
def _has_operators(target: bytes, body: bytes) -> bool:
    return any(map(_OWN_OPERATORS.search, (target, body)))


def _by_operators(inquiry: Inquiry, trio: Trio, first: str = TRUE) -> _Deciding:
    chosen: dict[str, Operator] = {TRUE: trio.holds, FALSE: trio.holds_not, ASKED_DECOY: trio.decoy}

    def question(kind: str, purpose: str) -> Asking:
        return (yield from ask_operator(inquiry, chosen[kind], purpose))

    apart = yield from tells_apart(inquiry, question, first)
    if apart is None or apart.decoy.reading.facts == apart.true.reading.facts:
        return None
    if not (yield from _beside_fresh(inquiry, trio, apart.true)):
        return None
    return inquiry.vulnerable(ENTRY, THREAT, apart.told("operators"), "operators are taken in the place of a value")


def _beside_fresh(inquiry: Inquiry, trio: Trio, holds: Reply) -> Generator[TestRequest, Answer, bool]:
    """Whether the value beside fresh letters, in a list or a pattern, is answered as what holds; only JSON has a place for both.

    What holds is written the same each time. Who keeps an object as a text has it from the tests of another operation by
    then (a user who was registered by that name), and finds it; this one was never sent before.
    """
    if not in_json(inquiry.situation) or trio is OTHER:
        return True
    mark = inquiry.mark(8)
    listed = trio is not MATCHING
    name = (trio if trio in (MATCHING, MAPPED) else AMONG).holds.name
    operand = inquiry.value if listed else f"^(?:{re.escape(inquiry.value)}|{mark})$"
    request = with_object(inquiry, name, operand, listed=listed, beside=mark if listed else "")
    if request is None:
        return False
    told = f"{{{json.dumps(name)}: {json.dumps([operand, mark] if listed else operand)}}}"
    reply = yield from inquiry.submit(request, told, {mark: "", **inquiry.repeated(name)}, "confirm")
    return reply is not None and (inquiry.like_baseline(reply.reading) or reply.reading.facts == holds.reading.facts)


def _by_breaking(inquiry: Inquiry, trio: Trio, *, told: bool) -> _Deciding:
    """Operators that exist are taken, and those that do not break the answer; in random order, with fresh names.

    trio: of the operator that all stores know, where the store does not know `$eq`. told: by an error, beside which any answer of
    the baseline's kind will do; beside one that only says less, the page must not move.
    """
    answers: dict[bool, Reply] = {}

    def keeping(kind: bool, asking: Asking) -> Asking:
        reply = yield from asking
        if reply is not None:
            answers[kind] = reply
        return reply

    def known() -> Asking:
        return (yield from keeping(True, ask_operator(inquiry, trio.holds, "confirm")))

    def unknown() -> Asking:
        asking = ask_unknown(inquiry, UNKNOWN, "control", 1, listed=trio.holds.listed)  # as long as `$eq`
        return (yield from keeping(False, asking))

    def taken(reply: Reply) -> bool:
        if told and reply is not answers.get(False):
            return inquiry.like_baseline(reply.reading)
        return inquiry.as_usual(reply)

    if not (yield from shown_by_it_alone(inquiry, known, unknown, taken, MANY)):
        return None
    if not (yield from _beside_fresh(inquiry, trio, answers[True])):
        return None
    proof = Proof(
        test=answers[False].exchange,
        control=answers[True].exchange,
        verified_by=(
            f"{answers[True].payload} in the place of the value is answered as the baseline; {answers[False].payload}, an "
            f"operator that does not exist, breaks the answer; each nine times at least in random order, with names drawn "
            f"at random."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT_ERROR, proof, "operators reach the database")


def _by_passing(inquiry: Inquiry) -> _Deciding:
    """A refused login is let in by an operator that anything agrees with, twice, and not by what only looks like it."""
    for purpose in ("test", "confirm"):
        passed = yield from ask_operator(inquiry, OTHER.holds, purpose)
        if passed is None or passed.reading.status in _REFUSED or passed.broke or inquiry.like_baseline(passed.reading):
            return None
        if refusal(response_of(passed.exchange)):
            return None
        # What only looks like an operator, and one that agrees with nobody.
        lookalike = OTHER.decoy if purpose == "test" else AMONG.holds_not
        decoy = yield from ask_operator(inquiry, lookalike, "control")
        if decoy is None or (decoy.reading.status not in _REFUSED and not decoy.broke):
            return None
    assert passed is not None
    assert decoy is not None
    proof = Proof(
        test=passed.exchange,
        control=decoy.exchange,
        verified_by=(
            f"The login was refused when it was recorded. With {passed.payload} in the place of the value it is let in, "
            f"twice with fresh letters; with {decoy.payload}, which agrees with nobody, and with what is no operator, it is refused "
            f"as before."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT, proof, "an operator passes the login")


def _by_errors(inquiry: Inquiry, first: Reply | None) -> _Deciding:
    """An operator that does not exist is complained of, twice; a field whose name holds the same signs is not."""
    if first is None or not complaint(inquiry, first):
        return None
    control = yield from ask_unknown(inquiry, NAMELESS, "control")
    again = yield from ask_unknown(inquiry, UNKNOWN, "confirm")
    if control is None or again is None or complaint(inquiry, control) or not complaint(inquiry, again):
        return None

    def dollar() -> Asking:
        return (yield from ask_unknown(inquiry, UNKNOWN, "confirm"))

    def plain() -> Asking:
        return (yield from ask_unknown(inquiry, NAMELESS, "control"))

    if not (yield from shown_by_it_alone(inquiry, dollar, plain, lambda reply: complaint(inquiry, reply))):
        return None
    proof = Proof(
        test=again.exchange,
        control=control.exchange,
        verified_by=(
            f"{again.payload} in the place of the value is complained of as an operator that the database does not know, "
            f"each time, with names drawn at random; {control.payload}, which is none, is not."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT_ERROR, proof, "unknown operators reach the database")


def forecast(situation: Situation) -> int:
    """Requests for a sound point: the sample, an operator, `$eq`, and one for each script."""
    text = situation.value.decode("utf-8", "replace")
    # A number is asked for in quotes too where bare signs find nothing and break nothing; a sound point seldom does that.
    scripts = 0 if text.lower() in ("true", "false", "null") else 1 if is_number(text) else 2
    objects = 2 + len(_trios(situation)) if _takes_objects(situation) else 0
    scripts = 0 if objects and situation.policy.one_family else scripts
    return objects + scripts + (situation.baseline.request.method.upper() in ("GET", "HEAD"))


ENTRY = Entry(
    type=TYPE,
    title="NoSQL injection",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever puts an operator into a query logs in without a password, lists what belongs to others, and reads "
        "secrets by comparing them bit by bit."
    ),
    remediation=(
        "Check every value's type before it reaches a query: a text must be a text. Take a library that refuses or strips "
        "names that begin with a dollar sign, build queries with $eq around values, and never use $where with input."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, applies=holds_a_value, forecast=forecast, run=concluding(TYPE, _dialogue))
