"""What is refused as many others of its host are: nothing is tried with values that are not looked at before that.

    dialogue = behind_guard(probe.type, probe.run(situation), situation)
    is_asked_where_looked_at(type, situation)        whether that spares a sound point nearly all of it

Of an application that lets nobody in, every answer to every payload is the same refusal. A value that is looked at before the
caller is (by a router, a check of the body, a log that a database keeps) shows in the answer to signs that break languages and
formats, or to another value of its kind. Where both are refused like the value itself, the rest is spared: what shows in no answer
is looked for at the first endpoints alone that are refused so. What is fetched from elsewhere shows at our listener.

The same holds of what every page is sent (cookies, what browsers say of themselves) where other pages of the section were asked
about it in full. A page that shows what it was sent looks at it; a refusal may repeat whatever it refuses.
"""

from collections.abc import Generator
from functools import partial
from typing import Final

from gatecrash.core.testing.asking import Stopped, known_answers, response_of, sample_baseline
from gatecrash.core.testing.dialogues.another_value import another_like
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.oracles.difference import read, same_but_for_numbers, says_all_of, stable
from gatecrash.core.testing.probe import Answer, Dialogue, Situation, TestRequest
from gatecrash.core.testing.verdict import safe

# Quotes, brackets and what begins an expression; no sign that servers refuse in any path.
ODD: Final = "'\"`)<{{${"
# The ways round the refusal itself.
_ABOUT_CALLERS: Final = frozenset({"auth", "idor"})
_FETCHING: Final = frozenset({"ssrf", "xxe"})
REFUSED: Final = "whatever is sent there is refused in the same words, as elsewhere"
UNREAD: Final = "whatever is sent there is answered alike, and another page of its section was asked about it in full"


def behind_guard(type_: str, dialogue: Dialogue, situation: Situation) -> Dialogue:
    """The dialogue; at a point of a guarded baseline, and at one asked elsewhere, only where what is sent there changes the answer."""
    listened = situation.oob is not None and type_ in _FETCHING
    if listened or not is_asked_where_looked_at(type_, situation):
        return dialogue
    return _where_looked_at(type_, dialogue, situation)


def is_asked_where_looked_at(type_: str, situation: Situation) -> bool:
    """Whether the type is asked there only where an answer shows that the value is looked at, listeners left out of it."""
    memory, point = situation.memory, situation.point
    return bool(point) and type_ not in _ABOUT_CALLERS and (memory.guarded or point in memory.asked_beside)


def _where_looked_at(type_: str, dialogue: Dialogue, situation: Situation) -> Dialogue:
    try:
        name = f"looked at before its caller is: {'/'.join(situation.point)}"
        if not (yield from situation.memory.once(name, partial(_is_looked_at, situation))):
            return safe(type_, situation.point, REFUSED if situation.memory.guarded else UNREAD)
        return (yield from dialogue)
    finally:
        dialogue.close()


def _is_looked_at(situation: Situation) -> Generator[TestRequest, Answer, bool]:
    """Whether odd signs or another value change the answer; whatever keeps that from being seen leaves it open."""
    letters = fresh_letters(situation.random, 6)
    another = another_like(situation.value, situation.random).decode("latin-1")
    try:
        inquiry = Inquiry(situation, (yield from known_answers(situation)))
        for payload in (f"{inquiry.value}{letters}{ODD}", another):
            reply = yield from inquiry.send(payload)
            if reply is None:
                return True
            # An answer is read with what it repeats put back.
            if letters in reply.text.lower() and not situation.memory.guarded:
                return True
            if not inquiry.as_usual(reply) and (yield from _is_answered_so(inquiry, reply)):
                return True
    except Stopped:
        return True
    return False


def _is_answered_so(inquiry: Inquiry, reply: Reply) -> Generator[TestRequest, Answer, bool]:
    """Whether it is what was sent that is answered otherwise, and not a page that says something else each time, or by now."""
    again = yield from inquiry.send(reply.payload)
    if again is None or again.reading.status != inquiry.basis[0].status:
        return True
    told, basis = stable([reply.reading, again.reading]), inquiry.basis
    if is_safe(inquiry.situation.baseline.request):
        # Before and after it: what grows meanwhile is no answer to what was sent.
        basis = [*basis, *(read(response_of(each)) for each in (yield from sample_baseline(inquiry.situation, 1)))]
    elif same_but_for_numbers(reply.reading, again.reading):
        return True
    # What comes and goes by itself is in one answer and not in the next.
    lacks = not says_all_of(again.reading, stable(basis)) if len(basis) > 1 else False
    return lacks or not any(says_all_of(each, told) for each in basis)
