"""The parts in which a run of the service asks a baseline's checks: first all but headers and cookies, these when the
rest of its rank is made.

A node forgets what it put off, and is given the baseline once more: what is left is found anew, so that a node which is
stopped, or another one, goes on as well.
"""

from collections.abc import Iterable
from enum import StrEnum

from gatecrash.core.testing.derive import Check, as_others, within_budget
from gatecrash.core.testing.extensions.collecting import collect
from gatecrash.core.testing.ordering import DESTRUCTIVE, rank
from gatecrash.core.testing.pacing.waiting import can_wait

BROKEN_OFF = "broken off while it was tested: what it changes may hold what a test wrote last"
"""What is told of a baseline that changes something, until all of it is made anew, which sends it last as it was recorded."""


class Todo(StrEnum):
    """What is still to be made of a baseline: everything, tests as other users, what was put off, or both of these."""

    ALL = "all"
    OTHERS = "others"
    LATE = "late"
    OTHERS_AND_LATE = "others_and_late"

    @classmethod
    def of(cls, *, belated: bool, resumed: bool) -> "Todo":
        """As messages tell it (wire/work.py)."""
        if belated:
            return cls.OTHERS_AND_LATE if resumed else cls.OTHERS
        return cls.LATE if resumed else cls.ALL

    @property
    def belated(self) -> bool:
        """Whether all but tests as other users was made, as far as it was not put off."""
        return self in (Todo.OTHERS, Todo.OTHERS_AND_LATE)

    @property
    def resumed(self) -> bool:
        """Whether there is something that was put off."""
        return self in (Todo.LATE, Todo.OTHERS_AND_LATE)

    @property
    def can_be_put_off(self) -> bool:
        """Whether some of it may be put off; tests as other users are few, and what was put off has waited long enough."""
        return self in (Todo.ALL, Todo.OTHERS_AND_LATE)


def is_late(check: Check) -> bool:
    """Whether a check may be put off. What can destroy something is tested as a whole, alone, and once; what extensions
    collect is asked of one baseline, which the run remembers.
    """
    if rank(check.baseline.request) >= DESTRUCTIVE:
        return False
    return can_wait(check) and check.probe.collected(check.baseline.request) is None


def to_make(
    checks: list[Check], todo: Todo, collected: set[tuple[str, ...]], budget: int | None, spent: int
) -> tuple[list[Check], list[Check]]:
    """Of all of a baseline's checks those to be made, and those that the budget leaves out.

    collected: as `collect` has it. spent: test requests that the baseline has cost, where this is not all of its checks.
    """
    if todo is Todo.ALL:
        return within_budget(collect(checks, collected), budget)
    return within_budget(_of(checks, todo), None if budget is None else max(0, budget - spent))


def _of(checks: list[Check], todo: Todo) -> Iterable[Check]:
    others = {id(check) for check in as_others(checks)} if todo.belated else set()
    return [check for check in checks if id(check) in others or (todo.resumed and is_late(check))]
