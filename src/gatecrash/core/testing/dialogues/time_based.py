"""Asking for waits: a payload that makes the application wait is asked for different waits, and `oracles/timing` judges.

A sound point costs one request here; a page that is slow now and then, two to four; what holds until the end, eleven to 31.
"""

import math
from collections.abc import Callable, Generator

import msgspec

from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.oracles.timing import (
    DECOY,
    SCREEN,
    WAITS,
    Measure,
    are_proven,
    differ,
    goes_on,
    is_faint_work,
    may_wait,
    never_early,
    order,
    p_value,
)
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof

# Units to wait, and whether as a decoy, to the payload's text.
Waiting = Callable[[int, bool], str]

# On a machine that does two units of work in less than can be told from noise, each is so many times as much.
_MORE = 4
# Another point's first question may be at work beside the first that is asked for nothing; behind it no other measures.
_MOST_QUICK = 2


class Waited(msgspec.Struct, frozen=True):
    """Proof that a point waits. slow, fast: a pair for people to look at. p: of the randomisation test."""

    slow: Reply
    fast: Reply
    measures: tuple[Measure, ...]
    p: float

    def told(self) -> Proof:
        """The proof in words."""
        pairs = ", ".join(f"{each.asked} → {each.elapsed:.2f} s" for each in self.measures)
        return Proof(
            test=self.slow.exchange,
            control=self.fast.exchange,
            verified_by=(
                f"The input {self.slow.payload!r} makes the application wait, {self.fast.payload!r} does not. Waits were "
                f"asked for in random order (units → seconds to the answer): {pairs}. Had the waits asked for no effect, "
                f"an order that agrees so well comes up with probability {self.p:.1g} (exact randomisation test). "
                f"A lookalike that cannot wait was among those asked for 0."
            ),
        )


def usual_time(inquiry: Inquiry) -> float:
    """The shortest time, in seconds, in which this point was seen to answer; 0 where nothing was measured."""
    return inquiry.quickest or 0.0


def waits(inquiry: Inquiry, waiting: Waiting, seconds: float = 1.0) -> Generator[TestRequest, Answer, Waited | None]:
    """Screen with one long wait, and go on only where it may have been one. seconds: one unit; 0 for work."""
    usual = usual_time(inquiry)
    slow = yield from inquiry.send(waiting(SCREEN, False))
    elapsed = slow.exchange.elapsed if slow is not None else None
    if not seconds and elapsed is not None and is_faint_work(elapsed, usual):

        def more(units: int, decoy: bool) -> str:
            return waiting(_MORE * units, decoy)

        slow = yield from inquiry.send(more(SCREEN, False))
        return (yield from confirm_waits(inquiry, more, slow, usual, seconds))
    return (yield from confirm_waits(inquiry, waiting, slow, usual, seconds))


def confirm_waits(
    inquiry: Inquiry, waiting: Waiting, slow: Reply | None, usual: float, seconds: float = 1.0
) -> Generator[TestRequest, Answer, Waited | None]:
    """Proof that the point waits, or None. slow: the answer to SCREEN units. usual: what is known of shorter answers."""
    if slow is None or slow.exchange.elapsed is None or not may_wait(slow.exchange.elapsed, usual, seconds):
        return None
    inquiry.measured = "wait" if seconds else "work"
    try:
        return (yield from _confirmed(inquiry, waiting, slow, seconds))
    finally:
        inquiry.measured = ""


def rounds_of_work(
    inquiry: Inquiry, waiting: Waiting, times: int
) -> Generator[TestRequest, Answer, tuple[tuple[Measure, ...], ...]]:
    """So many rounds of questions, for a judgement of one's own; empty where an answer is missing."""
    inquiry.measured = "work"
    rounds: list[tuple[Measure, ...]] = []
    try:
        for _ in range(times):
            rounds.append((yield from _round(inquiry, waiting, 0.0)))
            if not rounds[-1]:
                return ()
        return tuple(rounds)
    finally:
        inquiry.measured = ""


def _confirmed(
    inquiry: Inquiry, waiting: Waiting, slow: Reply, seconds: float
) -> Generator[TestRequest, Answer, Waited | None]:
    fast = yield from _quick(inquiry, waiting, slow, seconds)
    if fast is None:
        return None
    rounds: list[float] = []
    while True:
        measures = yield from _round(inquiry, waiting, seconds)
        if not measures:
            return None
        rounds.append(p_value(measures, seconds))
        if are_proven(rounds, seconds):
            return Waited(slow, fast, measures, math.prod(rounds))
        if not goes_on(rounds, seconds):
            return None


def _quick(
    inquiry: Inquiry, waiting: Waiting, slow: Reply, seconds: float
) -> Generator[TestRequest, Answer, Reply | None]:
    """The answer to what does not wait, where it came as much earlier as a wait takes."""
    for _ in range(1 if seconds else _MOST_QUICK):
        fast = yield from inquiry.send(waiting(0, False), purpose="control")
        if fast is None or fast.exchange.elapsed is None:
            return None
        if differ(slow.exchange.elapsed or 0.0, fast.exchange.elapsed, seconds):
            return fast
    return None


def _round(inquiry: Inquiry, waiting: Waiting, seconds: float) -> Generator[TestRequest, Answer, tuple[Measure, ...]]:
    """One round of questions; empty where an answer is missing or came earlier than it was asked to."""
    measures: list[Measure] = []
    for asked in order(inquiry.random):
        decoy = asked == DECOY
        payload = waiting(max(WAITS) if decoy else asked, decoy)
        reply = yield from inquiry.send(payload, purpose="control" if decoy else "confirm")
        if reply is None or reply.exchange.elapsed is None:
            return ()
        measures.append(Measure(0 if decoy else asked, reply.exchange.elapsed))
        if not never_early(measures, seconds):
            return ()
    return tuple(measures)
