"""Proof by names: a call that gives back what stood there changes nothing, and one of a name nobody defined breaks it.

For values that are part of an expression whose result is not shown as such: the name of a property, of a column to sort by,
a filter of a template, a condition. What a text holds in the place of the name is the same to all that does not evaluate it:
searches, shells and databases answer both calls alike.

A sound point costs one request here for each call that is tried. The name that nobody defined makes no text longer than the
known call: a field of twenty characters would refuse the one and take the other.
"""

from collections.abc import Generator, Iterable
from typing import NamedTuple

from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.repeating import MANY, shown_by_it_alone
from gatecrash.core.testing.payloads.calls import Call
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof

_LETTERS = 7


class Called(NamedTuple):
    """The last answers of either kind."""

    call: Call
    itself: Reply
    unknown: Reply

    def told(self) -> Proof:
        """The proof in words."""
        return Proof(
            test=self.itself.exchange,
            control=self.unknown.exchange,
            verified_by=(
                f"{self.itself.payload!r}, a call in {self.call.language} that gives the value itself, is answered as the "
                f"baseline; {self.unknown.payload!r}, of a name drawn at random, is not. Repeated with fresh names, in random order."
            ),
        )


def takes_calls(inquiry: Inquiry, calls: Iterable[Call]) -> Generator[TestRequest, Answer, Called | None]:
    """The first of the calls that is carried out; None where none is."""
    for call in calls:
        called = yield from _takes(inquiry, call)
        if called is not None:
            return called
    return None


def _takes(inquiry: Inquiry, call: Call) -> Generator[TestRequest, Answer, Called | None]:
    def ask(pattern: str, purpose: str, name: str) -> Asking:
        # Fresh, so that no file of this very name is there: a test of an upload may have left one.
        number = inquiry.situation.random.randrange(1_000, 10_000)
        return (yield from inquiry.send(_written(pattern, inquiry.value, name, number), purpose=purpose))

    def itself() -> Asking:
        return (yield from ask(call.itself, "confirm", inquiry.mark(_LETTERS)))

    def unknown() -> Asking:
        return (yield from ask(call.unknown, "control", inquiry.mark(letters)))

    letters = _LETTERS - max(0, _length(call.unknown) - _length(call.itself))
    first = yield from ask(call.itself, "test", inquiry.mark(_LETTERS))
    if first is None or not inquiry.as_usual(first):
        return None
    apart = yield from shown_by_it_alone(inquiry, itself, unknown, inquiry.as_usual, MANY)
    if apart is None:
        return None
    if call.own:
        own = yield from ask(call.unknown, "confirm", call.own)
        if own is None or not inquiry.as_usual(own):
            return None  # a query's script, which is `nosqli`
    return Called(call, apart.shown, apart.control)


def _written(pattern: str, value: str, name: str, number: int) -> str:
    return pattern.format(value=value, mark=name, number=number)


def _length(pattern: str) -> int:
    return len(_written(pattern, "", "m" * _LETTERS, 1_000))
