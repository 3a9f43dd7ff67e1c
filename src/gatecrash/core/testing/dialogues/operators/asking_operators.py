"""Asking with an operator of a document store in the place of a value, and whether operators find what the value does not.

    reply = yield from ask_operator(inquiry, AMONG.holds, "confirm")
    proof = yield from finds_by_operators(inquiry)

Where the recorded question found nothing, no operator can find the same. Of fresh letters `$in` finds nothing either, and `$ne`
everything: what answers any object with all that it has does so for `$in`, too, and for what is no operator.
"""

import json
import re
from collections.abc import Generator
from functools import partial
from itertools import cycle

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.opening import NAME
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.authorization.callers.refused_logins import refused_login
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.operators.operator_objects import with_object
from gatecrash.core.testing.dialogues.repeating import MANY, shown_by_it_alone
from gatecrash.core.testing.effects.letting_in import asks_to_be_let_in
from gatecrash.core.testing.effects.takes_all import may_find_more
from gatecrash.core.testing.oracles.difference import Fact, said_by_ones_alone
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.oracles.outcomes.told_errors import tells_errors
from gatecrash.core.testing.payloads.nosqli import AMONG, OTHER, Operator
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof

_LETTER_OR_DIGIT = re.compile(r"[A-Za-z0-9]")
_ENOUGH_LETTERS = 8
# What must find nothing where `$ne` finds something: an operator that fresh letters do not agree with, and what is none. A search for
# words, which an object is written out for, finds `ne` in other words; one with a dollar sign that no store has would be thrown
# out of many an application, which answers nobody then.
_FINDING_NOTHING = (AMONG.holds_not, OTHER.decoy, AMONG.decoy)


def _send(inquiry: Inquiry, name: str, operand: str, purpose: str, *, listed: bool = False) -> Asking:
    request = with_object(inquiry, name, operand, listed=listed)
    if request is None:
        return None
    if inquiry.beside is not None:
        request = inquiry.beside(request)
    told = f"{{{json.dumps(name)}: {json.dumps([operand] if listed else operand)}}}"
    return (yield from inquiry.submit(request, told, {operand: inquiry.value, **inquiry.repeated(name)}, purpose))


def ask_operator(inquiry: Inquiry, operator: Operator, purpose: str) -> Asking:
    """The answer to an operator, of the value or of fresh letters."""
    operand = operator.operand.format(value=inquiry.value, mark=_other(inquiry), pattern=re.escape(inquiry.value))
    return (yield from _send(inquiry, operator.name, operand, purpose, listed=operator.listed))


def _other(inquiry: Inquiry) -> str:
    """A value that nothing has, with other letters in the places of the value's, so that its form is the same."""
    letters = _LETTER_OR_DIGIT.findall(inquiry.value)
    if len(letters) < _ENOUGH_LETTERS:
        return inquiry.mark(8)
    return _LETTER_OR_DIGIT.sub(lambda _: inquiry.mark(1), inquiry.value)


def ask_unknown(inquiry: Inquiry, name: str, purpose: str, letters: int = 6, *, listed: bool = False) -> Asking:
    """The answer to an operator of a name drawn at random, of the value. listed: the value stands in a list of its own."""
    return (yield from _send(inquiry, name.format(mark=inquiry.mark(letters)), inquiry.value, purpose, listed=listed))


def finds_by_operators(inquiry: Inquiry) -> Generator[TestRequest, Answer, Proof | None]:
    """Whether `$ne` of fresh letters finds something each time, and what finds nothing in any store never does. Of a login that
    was refused also with `$ne` in the place of its other half, as neither may be anybody's.
    """
    if not inquiry.steady or not _only_reads(inquiry):
        return None
    proof = yield from _finds(inquiry)
    other = _other_half(inquiry.situation)
    if proof is not None or other is None:
        return proof
    inquiry.beside = partial(_with_any_other, other=other, value=inquiry.mark(8))
    try:
        return (yield from _finds(inquiry))
    finally:
        inquiry.beside = None


def _other_half(situation: Situation) -> Point | None:
    """Where the name stands of the password in question, or the password of the name, in a login that was refused."""
    login = refused_login(situation.baseline.exchange)
    if login is None or situation.point not in login:
        return None
    return login.password if situation.point == login.name else login.name


def _with_any_other(request: Request, other: Point, value: str) -> Request:
    """The request with any other value in the place of a field's."""
    operator = OTHER.holds.name
    if other[-2] == "json_obj":
        return rewrite(request, other, json.dumps({operator: value}).encode(), raw=True)
    any_other = rewrite(request, other, value.encode())
    return rewrite(any_other, Point((*other, *NAME)), f"{other[-1]}[{operator}]".encode())


def _finds(inquiry: Inquiry) -> Generator[TestRequest, Answer, Proof | None]:
    found = yield from ask_operator(inquiry, OTHER.holds, "test")
    if found is None or not _is_found(inquiry, found):
        return None
    facts, last = _found(inquiry, found), dict[bool, Reply]()
    others = cycle(_FINDING_NOTHING)

    def asked(operator: Operator) -> Asking:
        reply = yield from ask_operator(inquiry, operator, "confirm" if operator is OTHER.holds else "control")
        if reply is not None:
            last[operator is OTHER.holds] = reply
        return reply

    def shows(reply: Reply) -> bool:
        if reply is last.get(True):
            return facts <= reply.reading.facts and _is_found(inquiry, reply)
        return bool(facts & reply.reading.facts)

    if not (
        yield from shown_by_it_alone(inquiry, lambda: asked(OTHER.holds), lambda: asked(next(others)), shows, MANY)
    ):
        return None
    return Proof(
        test=last[True].exchange,
        control=last[False].exchange,
        verified_by=(
            f"The value finds nothing; {last[True].payload} in its place does, each time, with letters drawn at random. "
            f"What finds nothing in a document store does not, in random order: of fresh letters `$in`, and what is no "
            f"operator ({last[False].payload})."
        ),
    )


def _only_reads(inquiry: Inquiry) -> bool:
    """Whether it harms nobody that more is found than was asked for."""
    baseline = inquiry.situation.baseline
    return (
        may_find_more(baseline) or asks_to_be_let_in(baseline.request) or refused_login(baseline.exchange) is not None
    )


def _is_found(inquiry: Inquiry, reply: Reply) -> bool:
    """Whether an answer is no refusal and no error, and says something that the baseline does not."""
    if reply.reading.status >= FIRST_ERROR or tells_errors(reply.text) or refusal(response_of(reply.exchange)):
        return False
    return bool(_found(inquiry, reply))


def _found(inquiry: Inquiry, reply: Reply) -> frozenset[Fact]:
    """What an answer says that the baseline does not, without what repeats the operator: a call's number
    (`"id": {"$ne": …}`) comes back as it was sent.
    """
    told = said_by_ones_alone([reply.reading], inquiry.basis)
    return frozenset(fact for fact in told if OTHER.holds.name not in str(fact))
