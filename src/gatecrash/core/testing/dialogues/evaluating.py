"""Whether a value is evaluated as code: by what it computes, by calls that change nothing, by calls that wait.

    code = yield from evaluates(inquiry)

A sound point costs a product here, and open quotes where it is no number; with the thorough policy, where nothing that was
sent changes the answer, one request more for each language that may be there.
"""

from collections.abc import Generator, Iterator
from typing import NamedTuple

from gatecrash.core.testing.authorization.fields.balances import bounds_above
from gatecrash.core.testing.dialogues.commands import fresh_numbers
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.dialogues.known_calls import takes_calls
from gatecrash.core.testing.dialogues.named_functions import calls_by_name, forecast_of_names, may_name_a_function
from gatecrash.core.testing.dialogues.waiting_code import waits_as_code, waits_in_front_matter, waits_within_texts
from gatecrash.core.testing.effects.takes_all import may_change
from gatecrash.core.testing.oracles.computed import comes_near
from gatecrash.core.testing.oracles.difference import counts_otherwise
from gatecrash.core.testing.oracles.errors.code import tells_of_code
from gatecrash.core.testing.oracles.platforms import on_php
from gatecrash.core.testing.payloads.calls import Call, calls_behind, scripts_behind
from gatecrash.core.testing.payloads.rce_code import (
    BREAKS,
    ENCLOSED,
    FOR_ARITHMETIC,
    FOR_ERRORS,
    FOR_EXPRESSIONS,
    FOR_FAILING_FUNCTIONS,
    FOR_FUNCTIONS,
    FOR_OPERANDS,
    FOR_PHP,
    FOR_TEXTS,
    FRACTION,
    NUMERIC,
    ODD,
    PLAIN,
    WAITING,
    Place,
    computed,
    fill,
    is_code,
    is_named_for_code,
    waits_in_definitions,
)
from gatecrash.core.testing.payloads.rce_functions import in_front_matter, language_of_function
from gatecrash.core.testing.places.plain_values import is_literal
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof

_LEAST_ECHO = 3  # a shorter value may stand in a page by chance
_BROWSER = ("header", "USER-AGENT")
_ENOUGH = 4  # of odd input
# A number alone may stand in a page by chance, and is asked for twice as often.
_TURNS = ("test", "control", "confirm")


class Code(NamedTuple):
    """Proof that code is evaluated. shown: whether its result is."""

    proof: Proof
    detail: str
    shown: bool = False


Deciding = Generator[TestRequest, Answer, Code | None]


class _Odd(NamedTuple):
    """How odd input was answered. product: a bare one. quotes: open ones, where they were asked. computed: the product is shown.

    near: a multiple of it is. breaks: quotes break the answer, and other signs do not. complains: in an interpreter's words.
    """

    product: Reply | None
    quotes: Reply | None
    computed: bool
    near: bool
    breaks: bool
    complains: bool


def evaluates(inquiry: Inquiry) -> Deciding:
    """Whether the value is evaluated: bare where a product is computed, out of quotes where they break the answer."""
    if may_name_a_function(inquiry.situation):
        named = yield from calls_by_name(inquiry)
        if named is not None:
            return Code(named.told(), "names a function that is called", shown=True)
    odd, suspected = (yield from _ask(inquiry)), _holds_code(inquiry.situation)
    for place in _places(inquiry, odd, suspected=suspected):
        code = yield from _shows(inquiry, place)
        if code is not None:
            return code
    code = yield from _by_calls(inquiry, odd)
    return code or (yield from _by_waits(inquiry, suspected=suspected))


def _ask(inquiry: Inquiry) -> Generator[TestRequest, Answer, _Odd]:
    # Small: a page may count to the product, or make as many rows. Odd: a fraction ends in all digits of the product.
    left, right = inquiry.number(101, 999) | 1, inquiry.number(101, 999) | 1
    plain = yield from inquiry.send(_product(inquiry).format(left=left, right=right))
    shown = plain is not None and str(left * right) in plain.text.replace(",", "")
    near = plain is not None and not shown and comes_near(plain.text, left * right, inquiry.good_text)
    if is_literal(inquiry.value) and not is_thorough(inquiry.situation.policy):
        return _Odd(plain, None, shown, near, breaks=False, complains=False)
    broken = yield from inquiry.send(BREAKS.format(value=inquiry.value))
    breaks = yield from _breaks_code(inquiry, broken)
    complains = broken is not None and tells_of_code(broken.text) and not tells_of_code(inquiry.good_text)
    return _Odd(plain, broken, shown, near, breaks, complains)


def _product(inquiry: Inquiry) -> str:
    """How it is written: what changes something neither reads as a number what it begins with, nor takes it for more."""
    if not may_change(inquiry.situation.baseline) or not is_literal(inquiry.value):
        return PLAIN
    return FRACTION if bounds_above(inquiry.situation.point[-1]) else ENCLOSED


def _places(inquiry: Inquiry, odd: _Odd, *, suspected: bool) -> Iterator[Place]:
    """Where in which code the value may stand, by how odd input was answered."""
    function = language_of_function(inquiry.value) or ""
    yield from FOR_FUNCTIONS.get(function, ()) if suspected else ()
    yield from FOR_FAILING_FUNCTIONS.get(function, ()) if suspected and odd.complains else ()
    yield from FOR_EXPRESSIONS if odd.computed or suspected else ()
    yield from FOR_ARITHMETIC if odd.computed else ()
    yield from FOR_OPERANDS if odd.near else ()
    yield from FOR_PHP if _is_text_of_php(inquiry) else ()
    yield from FOR_TEXTS if odd.quotes is not None and (suspected or odd.breaks) else ()
    yield from FOR_ERRORS if odd.complains else ()


def _is_text_of_php(inquiry: Inquiry) -> bool:
    """Whether PHP answers, and shows the value, which is a text."""
    shown = inquiry.value in inquiry.good_text and not is_literal(inquiry.value)
    return shown and on_php(inquiry.situation.baseline.request, inquiry.good)


def _holds_code(situation: Situation) -> bool:
    """Whether the parameter by its name, or the value by its look, holds code."""
    value, name = situation.value.decode("utf-8", "replace"), situation.point[-1]
    return is_code(value) or (situation.point[0] != "path" and is_named_for_code(name))


def _breaks_code(inquiry: Inquiry, broken: Reply | None) -> Generator[TestRequest, Answer, bool]:
    """Whether open quotes break the answer or take the echo out of it, and signs that are no quotes do not."""
    value = inquiry.value.lower()
    shown = inquiry.good_text.lower().count(value) if len(value) >= _LEAST_ECHO else 0
    if broken is None:
        return False
    # One of several, where all is asked for: a page may also show what it was sent.
    least = shown if is_thorough(inquiry.situation.policy) else min(shown, 1)
    vanished = broken.text.lower().count(value) < least and not broken.broke
    if not (vanished or broken.broke or tells_of_code(broken.text)):
        return False
    odd = yield from inquiry.send(ODD.format(value=inquiry.value), purpose="control")
    return odd is not None and not odd.broke and not (vanished and odd.text.lower().count(value) < least)


def _shows(inquiry: Inquiry, place: Place) -> Deciding:
    """A product in the language's own words must be computed twice, and not where it is text."""
    replies: list[Reply] = []
    for purpose in _TURNS * (2 if place.where == NUMERIC else 1):
        numbers, tame = fresh_numbers(inquiry), purpose == "control"
        reply = yield from inquiry.send(fill(place, inquiry.value, numbers, tame=tame), purpose=purpose)
        # What stands behind it may be written in capitals, or begin with one.
        shown = reply is not None and computed(place, numbers) in reply.text.lower()
        if reply is None or shown == tame:
            return None
        replies.append(reply)
    proof = Proof(
        test=replies[2].exchange,
        control=replies[1].exchange,
        verified_by=(
            f"{replies[2].payload!r} is answered with {computed(place, numbers)!r}, which it computes and which is "
            f"nowhere in the request, twice with random numbers; {replies[1].payload!r}, where it is text, was not computed."
        ),
    )
    return Code(proof, f"evaluated as code: {place.name}", shown=True)


def _by_calls(inquiry: Inquiry, odd: _Odd) -> Deciding:
    """What is part of an expression and not shown: calls behind it are carried out, in what a value of its look may be."""
    called = yield from takes_calls(inquiry, (yield from _calls(inquiry, odd)))
    if called is None:
        return None
    return Code(called.told(), f"evaluated as code: {called.call.language}, part of an expression")


def _calls(inquiry: Inquiry, odd: _Odd) -> Generator[TestRequest, Answer, tuple[Call, ...]]:
    """The calls to try, by how odd input was answered."""
    broken, value = odd.quotes, inquiry.value
    if broken is None and is_literal(value) and odd.product is not None and not odd.product.broke:
        broken = next((reply for reply in inquiry.replies if reply.broke), None)  # which arithmetic did not
    if odd.near or odd.complains or (broken is not None and broken.broke) or _computes_in_silence(inquiry, odd):
        # The key of an element, or a bare name, breaks over any odd sign; of the keys, only where all is asked for.
        return calls_behind(value, keys=odd.breaks or is_thorough(inquiry.situation.policy))
    strange = broken or odd.product
    if strange is None or not _is_told_apart(inquiry, strange):
        return ()
    quotes = strange is broken and (yield from _minds_quotes_alone(inquiry, strange))
    return (calls_behind if quotes else scripts_behind)(value)


def _computes_in_silence(inquiry: Inquiry, odd: _Odd) -> bool:
    """Whether a product is as good as the number, and what is no arithmetic is not; where it is shown, all must be asked for."""
    product = odd.product
    if not is_literal(inquiry.value) or product is None or not inquiry.as_usual(product):
        return False
    if product.payload in product.text and not is_thorough(inquiry.situation.policy):
        return False
    return not all(inquiry.as_usual(reply) for reply in inquiry.replies)


def _is_told_apart(inquiry: Inquiry, odd: Reply) -> bool:
    """Whether odd input is answered otherwise under the same status, and not by showing it."""
    return odd.reading.status == inquiry.good.status and odd.payload not in odd.text and not inquiry.as_usual(odd)


def _minds_quotes_alone(inquiry: Inquiry, quoted: Reply) -> Generator[TestRequest, Answer, bool]:
    """Whether signs as odd as quotes change nothing: then code may hold the value as a text, and tell its errors as a success.

    quoted: the answer to the quotes. Where those change more, a number may change that counts the signs.
    """
    odd = yield from inquiry.send(ODD.format(value=inquiry.value), purpose="control")
    if odd is None:
        return False
    counted = counts_otherwise(inquiry.basis[0], odd.reading)
    return inquiry.as_usual(odd) or (counted and not counts_otherwise(inquiry.basis[0], quoted.reading))


def _by_waits(inquiry: Inquiry, *, suspected: bool) -> Deciding:
    """Calls that wait, for parameters that hold code whose result is not shown, and for what nothing is told of."""
    code = yield from waits_in_front_matter(inquiry)
    code = code or ((yield from waits_as_code(inquiry)) if suspected else None)
    if code is None and _may_hide(inquiry):
        code = yield from waits_within_texts(inquiry)
    return Code(code.waited.told(), f"evaluated as code: {code.language}") if code else None


def _may_hide(inquiry: Inquiry) -> bool:
    """Whether nothing that was sent changed the answer, at a place that an application may read for itself: no browser's header."""
    situation = inquiry.situation
    if not is_thorough(situation.policy) or situation.point[:2] == _BROWSER:
        return False
    return len(inquiry.replies) >= _ENOUGH and all(inquiry.as_usual(reply) for reply in inquiry.replies)


def forecast_of_code(situation: Situation) -> int:
    """Requests for a sound point."""
    text = not is_literal(situation.value.decode("utf-8", "replace"))
    more = len(FOR_EXPRESSIONS) + len(FOR_TEXTS) + len(WAITING) if _holds_code(situation) else 0
    value = situation.value.decode("utf-8", "replace")
    more += len(list(waits_in_definitions(value))) + bool(language_of_function(value)) if more else 0
    more += in_front_matter(value, "", "") is not None
    return forecast_of_names(situation) + 1 + text + more
