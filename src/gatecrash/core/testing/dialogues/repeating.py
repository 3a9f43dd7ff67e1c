"""Repeats a proof by content in random order, because pages also show a proof's content by chance.

A page of random posts, advertisements or the latest errors may show a file's content, an error's words or a number in two
answers running. What is shown by chance in a share p of the answers passes here p^5 (1-p)^3 of the times, at most 1 in 119.
Nor do two versions of an application behind one balancer pass, that answer by turns: there are two rounds more of the one.

Whoever decodes base64 passes over quotes and brackets and counts the letters: of four lengths one breaks, whatever it says. A
value that is base64 is therefore sent with one to four letters behind it as well, which must all be answered alike.
"""

from collections.abc import Callable, Generator
from typing import NamedTuple

from gatecrash.core.points.formats.base64 import BASE64
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.probe import Answer, TestRequest

ROUNDS, MORE = 3, 2
MANY = 3
"""Times for what one of two versions may do to any odd input: chance passes once in 16 million times, of thousands of values that
are asked in a dozen ways.
"""
# Four letters of base64 are three bytes (RFC 4648, section 4).
_LENGTHS = (1, 2, 3, 4)


class Apart(NamedTuple):
    """The last answers of what is told apart: a proof's test and its control."""

    shown: Reply
    control: Reply


def shown_by_it_alone(
    inquiry: Inquiry,
    payload: Callable[[], Asking],
    control: Callable[[], Asking],
    shown: Callable[[Reply], object],
    times: int = 1,
) -> Generator[TestRequest, Answer, Apart | None]:
    """The last answers, where the payload's show something and the control's never do, in rounds of both in random order.

    payload, control: ask with fresh marks each time. shown: whether an answer shows it. times: so often as many rounds, for
    what one of two versions may do to any odd input.
    """
    questions = ([True] * (ROUNDS + MORE) + [False] * ROUNDS) * times
    inquiry.random.shuffle(questions)
    last: dict[bool, Reply] = {}
    for expected in questions:
        reply = yield from (payload if expected else control)()
        if reply is None or bool(shown(reply)) is not expected:
            return None
        last[expected] = reply
    if BASE64.looks(inquiry.situation.value) and (yield from _counts_letters(inquiry, shown)):
        return None
    return Apart(last[True], last[False])


def _counts_letters(inquiry: Inquiry, shown: Callable[[Reply], object]) -> Generator[TestRequest, Answer, bool]:
    """Whether it depends on the number of letters behind the value what is shown."""
    told: set[bool] = set()
    for length in _LENGTHS:
        reply = yield from inquiry.send(inquiry.value + inquiry.mark(length), purpose="control")
        told |= set() if reply is None else {bool(shown(reply))}
    return len(told) > 1
