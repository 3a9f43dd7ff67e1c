"""Repeats a proof by content in random order, because pages also show a proof's content by chance.

A page of random posts, advertisements or the latest errors may show a file's content, an error's words or a number in two
answers running. What is shown by chance in a share p of the answers passes here p^5 (1-p)^3 of the times, at most 1 in 119.
Nor do two versions of an application behind one balancer pass, that answer by turns: there are two rounds more of the one.
"""

from collections.abc import Callable, Generator
from typing import NamedTuple

from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.probe import Answer, TestRequest

ROUNDS, MORE = 3, 2
MANY = 3
"""Times for what one of two versions may do to any odd input: chance passes once in 16 million times, of thousands of values that
are asked in a dozen ways.
"""


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
    return Apart(last[True], last[False])
