"""Timing: whether answers wait as long as they are asked to, judged so that slow, drifting and jittery pages raise no alarm.

The test is an exact randomisation test (Fisher): nine questions ask for waits of 0, 0, 0, 0, 1, 1, 2, 2 and 3 units in an
order drawn at random. Where the wait asked for has no effect, each of the 3,780 orders was as likely to give the elapsed
times that were seen, whatever their distribution, drift or burstiness; the p-value is the share of orders whose sum of
(units asked x rank of elapsed time) is at least the observed one.

A sleep promises never to end early, which noise keeps rarely. So one round proves where the ranks agree perfectly
(p = 1/3780). From a p up to 1/50 a second round is asked, and the two prove where their product is at most 1/20000. The
chance of a false alarm is at most 1/3780 + (1 + ln 400)/20000, about 6 in 10,000 for each time a first pair raised the
suspicion, before that promise is counted.

Work promises nothing, one place may be asked for the work of many engines, and on a busy machine one unit of it takes as
long as two. So what tells first is whether any was asked for, and how much only after that (`_WORTH`). Two rounds must come
to 1/200000, or a third follows where they came to 1/2000, and the three must come to 1/2000000: a false alarm in at most
(1 + ln 4000)/200000 + (1 + L + L * L / 2)/2000000 with L = ln 2000000, about 1 in 10,000 suspicions.

One of the questions for 0 is a decoy: it asks for 3 units with a word that only looks like the function that waits.
"""

import math
import operator
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

# Units asked for; small, because each unit is a second of somebody's server.
WAITS = (0, 0, 0, 0, 1, 1, 2, 2, 3)
DECOY = -1
SCREEN = 2
# What the product of the rounds must come to, after each of them; a sleep is asked for in two, work in three.
_SLEEP_PROVEN, _WORK_PROVEN = (1 / 3700, 1 / 20000), (0.0, 1 / 200000, 1 / 2000000)
# What it must have come to for another round.
_GOES_ON = (1 / 50, 1 / 2000)
# What units of work count for: any order in which no work came first is better than each in which it did not.
_WORTH = (0, 10, 11, 12)
# Clocks and event loops round; no sleep ends earlier than this, in seconds.
_TOLERANCE = 0.05
_MOST_OF_IT = 0.8
# Work has no known length; less than this between none and two units of it is no suspicion.
_LEAST_WORK, _WORK_RATIO = 0.15, 1.5
# Less than that, and more than an answer that only is not the quickest.
_FAINT_WORK = 0.04


class Measure(NamedTuple):
    """What was asked and measured. asked: units of waiting, 0 for the decoy. elapsed: seconds to the answer's end."""

    asked: int
    elapsed: float


def order(random: Random) -> list[int]:
    """One round's questions in random order: units, DECOY for one of those that ask for nothing."""
    questions = [DECOY, *WAITS[1:]]
    random.shuffle(questions)
    return questions


def may_wait(elapsed: float, usual: float, seconds: float) -> bool:
    """Whether an answer that was asked for SCREEN units took so long that it may have waited.

    usual: the shortest known time of a good answer. seconds: one unit; 0 for work, whose length is unknown.
    """
    return elapsed - usual >= (_MOST_OF_IT * SCREEN * seconds if seconds else _LEAST_WORK)


def is_faint_work(elapsed: float, usual: float) -> bool:
    """Whether an answer that was asked for SCREEN units of work may have done them on a machine that is quick at it, so
    that more has to be asked for. usual: as above.
    """
    return _FAINT_WORK <= elapsed - usual < _LEAST_WORK


def differ(slow: float, fast: float, seconds: float) -> bool:
    """Whether a pair, asked for SCREEN units and for none, differs as if it had waited."""
    if seconds:
        return slow >= SCREEN * seconds - _TOLERANCE and slow - fast >= _MOST_OF_IT * SCREEN * seconds
    return slow - fast >= _LEAST_WORK and slow >= _WORK_RATIO * fast


def never_early(measures: Sequence[Measure], seconds: float) -> bool:
    """Whether every answer came no earlier than it was asked to. seconds: one unit; 0 for work, which promises nothing."""
    return all(measure.elapsed >= measure.asked * seconds - _TOLERANCE for measure in measures)


def are_proven(rounds: Sequence[float], seconds: float) -> bool:
    """Whether these rounds prove. rounds: the p-value of each. seconds: one unit; 0 for work."""
    needed = _SLEEP_PROVEN if seconds else _WORK_PROVEN
    return math.prod(rounds) <= needed[len(rounds) - 1]


def goes_on(rounds: Sequence[float], seconds: float) -> bool:
    """Whether one round more may prove what these did not. rounds, seconds: as above."""
    most = len(_SLEEP_PROVEN if seconds else _WORK_PROVEN)
    return len(rounds) < most and math.prod(rounds) <= _GOES_ON[len(rounds) - 1]


def p_value(measures: Sequence[Measure], seconds: float = 1.0) -> float:
    """The share of all orders of these questions that agree with the elapsed times at least as well as this one.

    seconds: one unit; 0 for work.
    """
    ranks = _ranks([measure.elapsed for measure in measures])
    worth = [measure.asked if seconds else _WORTH[measure.asked] for measure in measures]
    observed = sum(map(operator.mul, worth, ranks))
    sums = _sums(tuple(sorted(worth)), tuple(sorted(ranks)))
    return sum(count for total, count in sums.items() if total >= observed) / sums.total()


@lru_cache(maxsize=64)
def _sums(asked: tuple[int, ...], ranks: tuple[int, ...]) -> Counter[int]:
    """In how many different orders each sum comes up; without equal times this is the same for all rounds."""
    ways: Counter[tuple[tuple[int, ...], int]] = Counter({(asked, 0): 1})
    for rank in ranks:
        following: Counter[tuple[tuple[int, ...], int]] = Counter()
        for (left, total), count in ways.items():
            for each in set(left):
                at = left.index(each)
                following[left[:at] + left[at + 1 :], total + each * rank] += count
        ways = following
    return Counter({total: count for (_, total), count in ways.items()})


def _ranks(values: Sequence[float]) -> list[int]:
    """Twice the rank of each value; equals share the middle of their ranks."""
    return [
        sum(other < value for other in values) * 2 + sum(other == value for other in values) + 1 for value in values
    ]
