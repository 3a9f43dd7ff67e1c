"""Proof by a shell's command that computes, prints and waits: what it prints is shown, or answers follow the waits asked for.

A sound point costs one request here.
"""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.dialogues.time_based import confirm_waits, usual_time
from gatecrash.core.testing.oracles.timing import SCREEN
from gatecrash.core.testing.payloads.rce import LOOKALIKES, Numbers, Way, expected, fill, shows
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof


class Ran(NamedTuple):
    """The proof that a command was run. shown: whether its output was; else the time tells."""

    proof: Proof
    shown: bool


_Deciding = Generator[TestRequest, Answer, Ran | None]


def runs_command(inquiry: Inquiry, way: Way) -> _Deciding:
    """Whether a shell runs what the value becomes in this way."""
    numbers, usual = fresh_numbers(inquiry), usual_time(inquiry)
    reply = yield from inquiry.send(fill(way, inquiry.value, numbers, SCREEN))
    if reply is None:
        return None
    if shows(way, numbers, reply.text):
        return (yield from _confirm_shown(inquiry, way))
    return (yield from _confirm_blind(inquiry, way, reply, usual))


def fresh_numbers(inquiry: Inquiry) -> Numbers:
    """Below 2 to the 31, which is as far as `set /a` goes."""
    draw = inquiry.number
    return Numbers(inquiry.mark(), draw(10_001, 39_999), draw(10_001, 39_999), inquiry.mark())


def _confirm_shown(inquiry: Inquiry, way: Way) -> _Deciding:
    """The task as plain text must not be computed; fresh numbers must."""
    numbers = fresh_numbers(inquiry)
    control = yield from inquiry.send(fill(way, inquiry.value, numbers, 0, tame=True), purpose="control")
    if control is None or str(numbers.left * numbers.right) in control.text:
        return None
    numbers = fresh_numbers(inquiry)
    again = yield from inquiry.send(fill(way, inquiry.value, numbers, 0), purpose="confirm")
    if again is None or not shows(way, numbers, again.text):
        return None
    proof = Proof(
        test=again.exchange,
        control=control.exchange,
        verified_by=(
            f"The input {again.payload!r} is answered with {expected(way, numbers)!r}: the product was computed and is "
            f"nowhere in the request. It held twice with random numbers; {control.payload!r}, the same task as plain text, "
            f"was not computed."
        ),
    )
    return Ran(proof, shown=True)


def _confirm_blind(inquiry: Inquiry, way: Way, slow: Reply, usual: float) -> _Deciding:
    """Whether answers follow the waits asked for; what is computed is fresh each time."""

    def waiting(seconds: int, decoy: bool) -> str:
        lookalike = inquiry.random.choice(LOOKALIKES) if decoy else ""
        return fill(way, inquiry.value, fresh_numbers(inquiry), seconds, lookalike=lookalike)

    waited = yield from confirm_waits(inquiry, waiting, slow, usual)
    return Ran(waited.told(), shown=False) if waited else None
