"""Patterns that take exponentially long: a short text that nearly fits keeps the application busy for seconds.

What it finds
    Values that are held against a regular expression which can divide a run of letters (or of digits) in very many ways,
    as `^([a-z]+)+$` and many a pattern for addresses do, in whatever engine goes back over them.

Why it matters
    The time doubles with each character. Forty of them in one request keep a process busy for hours, and a few such
    requests stop the service.

How it decides
    A run of one letter with a sign behind it that fits no pattern is sent in the place of the value, twelve long, then
    three longer each time, until an answer takes noticeably longer than to the same signs in turns (`a!a!a!`), or the run
    is 27 long. A short value with signs of its own stands behind all of them, because some engines look for what a pattern
    cannot do without (the `@` of an address) before they begin. So what is asked for stays below some seconds. What was
    slow once is asked for once more. Then runs one shorter, as long and one longer, and the signs in turns, are asked for in
    random order, as other work is that delays prove (`sqli`), and the longer run must take longer by far each time; all of
    that twice. Where that does not hold, as on a machine that is busy otherwise too, runs three shorter and three longer are
    compared, twice: the order of the times must agree with that of the lengths as fewer than one order of the questions in
    20,000 does, and the quickest answer must take three times as long for each, which is eight times as much work. So few
    characters keep nothing busy that does not grow so. What is slow each time, and much quicker for a run two shorter, stays
    undecided.

Known misses
    Patterns that other characters drive (`( +)+`, `(ab)+`), or only behind a beginning that fits (`a@` before the run);
    what grows by a power of the length only. Engines that keep to linear time have none of it.

Standards and references
    CWE-1333 (inefficient regular expression complexity), CWE-400; OWASP Top 10:2021 A04 Insecure Design; OWASP API
    Security Top 10:2023 API4 Unrestricted Resource Consumption.
"""

from collections.abc import Generator, Sequence
from itertools import chain, pairwise
from math import prod
from typing import NamedTuple

from gatecrash.core.testing.asking import concluding, sample_baseline
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.dialogues.time_based import Waited, confirm_waits, rounds_of_work
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.takes_all import may_take_all
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.timing import SCREEN, Measure, may_wait, p_value
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, inconclusive, safe

TYPE = "anomaly"
THREAT = 50
_LENGTHS = range(12, 28, 3)
_FITS_NOTHING = "!"
# Where a run can be divided at each place, the time doubles; where a sign of two must follow, it takes 1.6 times as long.
_GROWS = 1.45
_TIMES = 2
_BY_CHANCE = 1 / 20000
# Of a point, because on a busy machine one may fail by chance.
_MOST_TRIES = 2
# Characters between the lengths that are compared where other work hides what one more makes.
_FAR_APART = 3
# Seconds from which a run is not asked for that is so much longer.
_LONG = 0.5
# So many characters shorter, a run takes a fraction of the time.
_LITTLE_SHORTER, _FRACTION = 2, 0.5
_LONGEST_END = 60


class _Runs(NamedTuple):
    """Texts that nearly fit. letter: what is repeated; end: what stands behind the sign that fits nothing."""

    letter: str
    end: str

    def of(self, length: int) -> str:
        """A run of so many letters."""
        return self.letter * length + _FITS_NOTHING + self.end

    def in_turns(self, length: int) -> str:
        """As long, and of the same characters, none of which stands beside itself."""
        return ((self.letter + _FITS_NOTHING) * length)[: length + 1] + self.end


def _runs(value: bytes) -> _Runs:
    text = value.decode("utf-8", "replace")
    has_signs = len(text) <= _LONGEST_END and text.isascii() and not text.isalnum()
    return _Runs("a" if any(chr(each).isalpha() for each in value) else "1", text * has_signs)


def _dialogue(situation: Situation) -> Dialogue:
    samples = yield from sample_baseline(situation)
    if not samples:
        return inconclusive(TYPE, situation.point, Inconclusive.NO_CONTROL, "no whole answer was recorded")
    inquiry = Inquiry(situation, samples)
    runs = _runs(situation.value)
    usual = yield from inquiry.send(runs.in_turns(_LENGTHS[-1]), purpose="control")
    if usual is None or usual.exchange.elapsed is None:
        return (yield from inquiry.nothing_found(TYPE))
    left = _MOST_TRIES
    for length in _LENGTHS:
        while (slow := (yield from _slow(inquiry, runs.of(length), usual.exchange.elapsed))) is not None:
            if not left:
                return (yield from _unproven(inquiry, runs, length, slow))
            waited = yield from _proven(inquiry, runs, length, slow, usual.exchange.elapsed)
            if waited is None:
                waited = yield from _proven_far_apart(inquiry, runs, length, slow, usual)
            if waited is not None:
                return inquiry.vulnerable(ENTRY, THREAT, waited.told(), f"a run of {length} characters")
            left -= 1
    return (yield from inquiry.nothing_found(TYPE))


def _slow(inquiry: Inquiry, payload: str, usual: float) -> Generator[TestRequest, Answer, Reply | None]:
    """The quicker one of two answers that both took longer than usual; None where one did not."""
    first = yield from inquiry.send(payload)
    if first is None or not may_wait(first.exchange.elapsed or 0.0, usual, 0.0):
        return None
    again = yield from inquiry.send(payload, purpose="confirm")
    if again is None or not may_wait(again.exchange.elapsed or 0.0, usual, 0.0):
        return None
    return min(first, again, key=lambda reply: reply.exchange.elapsed or 0.0)


def _unproven(inquiry: Inquiry, runs: _Runs, length: int, slow: Reply) -> Dialogue:
    """Undecided where a run that is little shorter takes a fraction of the time."""
    shorter = yield from inquiry.send(runs.of(length - _LITTLE_SHORTER), purpose="control")
    point = inquiry.situation.point
    if shorter is not None and (shorter.exchange.elapsed or 0.0) < _FRACTION * (slow.exchange.elapsed or 0.0):
        told = "long runs of a letter took long, but not each time longer than shorter ones"
        return inconclusive(TYPE, point, Inconclusive.UNSTABLE, told)
    return safe(TYPE, point, "what takes long does not follow the length of the value")


def _proven(
    inquiry: Inquiry, runs: _Runs, length: int, slow: Reply, usual: float
) -> Generator[TestRequest, Answer, Waited | None]:
    """Whether the time follows each character. slow: the answer to a run of this length."""

    def waiting(units: int, decoy: bool) -> str:
        return runs.in_turns(length) if decoy or not units else runs.of(length + units - SCREEN)

    for _ in range(_TIMES):
        waited = yield from confirm_waits(inquiry, waiting, slow, usual, 0.0)
        if waited is None or not _follows(waited, usual):
            return None
    return waited


def _follows(waited: Waited, usual: float) -> bool:
    """Whether each character more took longer by far, and so long that no busy machine makes it seem so, as nothing does that
    only is slow at such values.
    """
    times = _by_length(waited.measures)
    grows = all(min(longer) >= _GROWS * max(shorter) for shorter, longer in pairwise(times))
    return grows and may_wait(min(times[1]), usual, 0.0)


def _proven_far_apart(
    inquiry: Inquiry, runs: _Runs, length: int, slow: Reply, usual: Reply
) -> Generator[TestRequest, Answer, Waited | None]:
    """Whether the quickest answers grow with runs of lengths far apart: what a machine does beside only adds."""
    middle = length if (slow.exchange.elapsed or 0.0) <= _LONG else length + 1 - _FAR_APART

    def waiting(units: int, decoy: bool) -> str:
        return runs.in_turns(length) if decoy or not units else runs.of(middle + _FAR_APART * (units - SCREEN))

    rounds = yield from rounds_of_work(inquiry, waiting, _TIMES)
    p = prod(map(p_value, rounds))
    if not rounds or p > _BY_CHANCE:
        return None
    measures = tuple(chain(*rounds))
    first, then, last = (min(each) for each in _by_length(measures))
    enough = _GROWS**_FAR_APART
    by_far = then >= enough * first and last >= enough * then and may_wait(last, usual.exchange.elapsed or 0.0, 0.0)
    return Waited(slow, usual, measures, p) if by_far else None


def _by_length(measures: Sequence[Measure]) -> list[list[float]]:
    """The seconds to the answers to the shorter, the middle and the longer runs."""
    return [[each.elapsed for each in measures if each.asked == SCREEN + more] for more in (-1, 0, 1)]


def _applies(situation: Situation) -> bool:
    return holds_a_value(situation) and not may_take_all(situation.baseline) and bool(situation.value)


def forecast(situation: Situation) -> int:
    """Requests for a sound point: the baseline twice, the signs in turns, and each length once."""
    return len(_LENGTHS) + 1 + (2 if is_safe(situation.baseline.request) else 0)


ENTRY = Entry(
    type=TYPE,
    title="A pattern takes exponentially long",
    cwe=(1333, 400),
    owasp=("A04:2021",),
    owasp_api=("API4:2023",),
    why=(
        "A value is held against a regular expression that can match it in very many ways. Each character more doubles the time, so "
        "that a short text keeps a process busy for hours, and a few requests stop the service."
    ),
    remediation=(
        "Bound the length of the value before it is matched, and write the pattern so that no repeated part can match the same text in "
        "two ways (no `(a+)+`), with possessive or atomic parts where there are some; or use an engine of linear time (RE2)."
    ),
)
PROBE = Probe(
    type=TYPE, name="backtracking", entry=ENTRY, applies=_applies, forecast=forecast, run=concluding(TYPE, _dialogue)
)
