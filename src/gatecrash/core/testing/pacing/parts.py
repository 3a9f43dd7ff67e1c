"""The parts in which a run of the service asks a baseline's checks: one or more passes at once, as the turns have it
(core/testing/pacing/passes.py).

A node keeps what it put off as long as it lives. Where it is stopped, or another one is given the baseline, what is left
is found anew.
"""

from collections.abc import Iterable
from typing import NamedTuple

from gatecrash.core.testing.derive import Check, as_others, within_budget
from gatecrash.core.testing.pacing.collecting import collect
from gatecrash.core.testing.pacing.passes import Pass, pass_of

BROKEN_OFF = "broken off while it was tested: what it changes may hold what a test wrote last"
"""What is told of a baseline that changes something, until all of it is made anew, which sends it last as it was recorded."""


class Todo(NamedTuple):
    """What is to be made of a baseline, of which so many passes were made. up_to: the last pass that is made now.

    belated: tests as other users come first, of the passes that were made before these users were known.
    """

    made: int = 0
    up_to: Pass = Pass.HEADERS
    belated: bool = False

    @property
    def part(self) -> int:
        """The number under which claims and results name it (wire/work.py): passes made before; 0 where that is not all
        that is to be made.
        """
        return 0 if self.belated else self.made

    def puts_off(self, check: Check) -> bool:
        """Whether a check waits for a later part. What extensions collect is asked of one baseline, which the run remembers."""
        if check.probe.collected(check.baseline.request) is not None:
            return False
        return pass_of(check) >= self.made if self.belated else pass_of(check) > self.up_to


EVERYTHING = Todo()
OTHERS = Todo(len(Pass), belated=True)


def to_make(
    checks: list[Check], todo: Todo, collected: set[tuple[str, ...]], budget: int | None, spent: int
) -> tuple[list[Check], list[Check]]:
    """Of all of a baseline's checks those to be made, and those that the budget leaves out.

    collected: as `collect` has it. spent: test requests that the baseline has cost, where this is not all of its checks.
    """
    if not (todo.made or todo.belated):
        return within_budget(collect(checks, collected), budget)
    return within_budget(_of(checks, todo), None if budget is None else max(0, budget - spent))


def _of(checks: list[Check], todo: Todo) -> Iterable[Check]:
    others = {id(check) for check in as_others(checks)} if todo.belated else set()
    return [check for check in checks if id(check) in others or _is_left(check, todo.made)]


def _is_left(check: Check, made: int) -> bool:
    return pass_of(check) >= made and check.probe.collected(check.baseline.request) is None
