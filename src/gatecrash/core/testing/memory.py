"""What the dialogues about one baseline found out for each other, so that it is asked for once and not at each point.

The checks of a baseline that changes something are made one after the other; what the first of them learned by reading a
dozen pages saves the others the reading. It holds for the baseline alone and is gone with its checks.
"""

from collections.abc import Callable, Generator
from typing import Any, TypeVar

from gatecrash.core.point import Point
from gatecrash.core.testing.verdict import Outcome, Verdict

Found = TypeVar("Found")
Asked = TypeVar("Asked")
Answered = TypeVar("Answered")


class Memory:
    """places: the points of the baseline at which its policy lets probes insert, with their values.

    told: what was found in the run already that any other request would show as well. besides: what dialogues proved besides
    their own verdicts, not yet told.
    proven: types, and the points at which one was found.
    """

    def __init__(self, places: tuple[tuple[Point, bytes], ...] = (), told: set[tuple[str, ...]] | None = None) -> None:
        """Begin with what planning knows; told is the run's own, which grows."""
        self.places = places
        self.told = told if told is not None else set()
        self.besides: list[Verdict] = []
        self.proven: set[tuple[str, Point]] = set()
        self._found: dict[str, Any] = {}

    def once(
        self, name: str, learn: Callable[[], Generator[Asked, Answered, Found]]
    ) -> Generator[Asked, Answered, Found]:
        """What was learned under this name; learned now where nobody did. What a dialogue broke off is learned anew."""
        if name not in self._found:
            self._found[name] = yield from learn()
        found: Found = self._found[name]
        return found

    def concluded(self, verdict: Verdict) -> Verdict:
        """A dialogue's verdict, which later ones at the same point know of."""
        if verdict.outcome is Outcome.VULNERABLE:
            self.proven.add((verdict.type, Point(verdict.point)))
        return verdict

    def take_besides(self) -> list[Verdict]:
        """What was proven besides, once."""
        taken, self.besides = self.besides, []
        return taken
