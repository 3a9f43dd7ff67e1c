"""Baselines that a run has at hand and has not begun, so that no worker waits for the way to the control plane and back.

By the control plane's books they wait, so whoever drops them gives nothing back. How many are wanted follows the speed:
as many as began within the last second, and one at least.
"""

from collections import deque
from collections.abc import Iterable, Mapping

import msgspec

from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.overwriting import Apart
from gatecrash.core.testing.pacing.parts import EVERYTHING, OTHERS, Todo
from gatecrash.core.testing.pacing.passes import Pass
from gatecrash.wire.work import Work

MOST = 50
"""The control plane gives no more than 64 at once, and a node keeps them in memory."""

SECONDS = 1.0

TELL_SECONDS = 0.25
"""What began without asking is told of so soon: the counters of a run are at most a second old."""


class AtHand(msgspec.Struct, frozen=True):
    """One of them. is_public: its endpoint is public on purpose. todo: what is to be made of it now. spent: as
    wire/work.py has it.
    """

    baseline: Baseline
    is_public: bool = False
    todo: Todo = EVERYTHING
    spent: int = 0


class Store:
    """All of them, in the order of testing. places: baselines that the run tests at once. Times are the loop's."""

    def __init__(self, places: int) -> None:
        """Nothing is at hand yet."""
        self._places = places
        self._waiting: dict[str, AtHand] = {}
        self._apart = Apart()
        self._begun: deque[float] = deque(maxlen=MOST)
        self._untold_since: float | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def names(self) -> tuple[str, ...]:
        """The baselines' identifiers."""
        return tuple(self._waiting)

    @property
    def parts(self) -> dict[str, int]:
        """Which part of each is to be made."""
        return {name: one.todo.part for name, one in self._waiting.items()}

    def put(self, given: Iterable[AtHand]) -> None:
        """More; what is there already stays."""
        for one in given:
            self._waiting.setdefault(one.baseline.id, one)

    def take(self, now: float) -> AtHand | None:
        """The next, which begins now; None where nothing is at hand."""
        baseline = self._apart.first(each.baseline for each in self._waiting.values())
        if baseline is None:
            return None
        if self._untold_since is None:
            self._untold_since = now
        taken = self._waiting[baseline.id]
        self.began(baseline, now)
        return taken

    def began(self, baseline: Baseline, now: float) -> None:
        """A baseline's tests began: it was taken, or given to be tested at once."""
        self._waiting.pop(baseline.id, None)
        self._begun.append(now)
        self._apart.began(baseline)

    def ended(self, name: str) -> None:
        """A baseline's tests are over."""
        self._apart.ended(name)

    def wanted(self, now: float) -> int:
        """How many more to ask for."""
        if not self._places:
            return 0
        lately = sum(1 for at in self._begun if at > now - SECONDS)
        return max(0, min(MOST, max(1, lately)) - len(self._waiting))

    def is_low(self, now: float) -> bool:
        """Whether half of what is wanted is used up."""
        return self.wanted(now) > len(self._waiting)

    def untold(self, now: float) -> float | None:
        """Seconds until the control plane must be told what began; None where it knows."""
        return None if self._untold_since is None else self._untold_since + TELL_SECONDS - now

    def told(self, at: float) -> None:
        """The control plane knows what had begun by then."""
        if self._untold_since is not None and self._untold_since <= at:
            self._untold_since = None


def of_work(work: Work, baselines: Iterable[Baseline]) -> list[AtHand]:
    """Baselines with what was told of them."""
    public, belated = frozenset(work.public), dict(work.belated)
    parts = {name: (made, up_to, spent) for name, made, up_to, spent in work.parts or ()}

    def at_hand(one: Baseline) -> AtHand:
        if one.id not in parts:
            todo = OTHERS if one.id in belated else EVERYTHING
            return AtHand(one, one.id in public, todo, belated.get(one.id, 0))
        made, up_to, spent = parts[one.id]
        return AtHand(one, one.id in public, Todo(made, Pass(up_to), one.id in belated), spent)

    return [at_hand(one) for one in baselines]


def later_parts(parts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Of all baselines those that are had for another part than the first, as a claim names them."""
    return tuple((name, part) for name, part in parts.items() if part)
