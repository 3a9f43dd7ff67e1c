"""What the dialogues about one baseline found out for each other, so that it is asked for once and not at each point.

The checks of a baseline that changes something are made one after the other; what the first of them learned by reading a
dozen pages saves the others the reading. It holds for the baseline alone and is gone with its checks.
"""

from collections.abc import Callable, Generator, Iterable
from typing import Any, TypeVar

from gatecrash.core.point import Point
from gatecrash.core.testing.verdict import Outcome, Verdict

MOST_HUNG = 3
"""Types of tests of one point that may wait for an answer in vain."""

Found = TypeVar("Found")
Asked = TypeVar("Asked")
Answered = TypeVar("Answered")


class Memory:
    """places: the points of the baseline at which its policy lets probes insert, with their values.

    told: what was found in the run already that any other request would show as well. besides: what dialogues proved besides
    their own verdicts, not yet told.
    proven: types, and the points at which one was found. guarded: whether the baseline is refused as many others of its host are.
    asked_beside: points that were asked in full at another page of its section.
    """

    def __init__(
        self,
        places: tuple[tuple[Point, bytes], ...] = (),
        told: set[tuple[str, ...]] | None = None,
        *,
        guarded: bool = False,
        asked_beside: frozenset[Point] = frozenset(),
    ) -> None:
        """Begin with what planning knows; told is the run's own, which grows."""
        self.places = places
        self.told = told if told is not None else set()
        self.guarded = guarded
        self.asked_beside = asked_beside
        self.besides: list[Verdict] = []
        self.proven: set[tuple[str, Point]] = set()
        self._found: dict[str, Any] = {}
        self._hung: dict[Point, set[str]] = {}
        self._unmoved: dict[Point, set[str] | None] = {}

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

    def hung(self, type_: str, point: Point) -> None:
        """A test of this type had no answer there in time."""
        self._hung.setdefault(point, set()).add(type_)

    def hangs_at(self, point: Point) -> bool:
        """Whether tests of several types had none: whatever else is asked there costs as long a wait."""
        return bool(self._hung) and len(self._hung.get(point, ())) >= MOST_HUNG

    def changed(self, point: Point) -> None:
        """Something that was sent there was answered otherwise than the value."""
        self._unmoved[point] = None

    def changed_nothing(self, point: Point, signs: Iterable[str]) -> None:
        """All that was sent there was answered as the value is, byte for byte. signs: what it was made of."""
        known = self._unmoved.setdefault(point, set())
        if known is not None:
            known.update(signs)

    def change_nothing(self, point: Point, signs: str) -> bool:
        """Whether all of these signs were sent there, and nothing that was sent has changed the answer."""
        known = self._unmoved.get(point)
        return known is not None and known.issuperset(signs)

    def take_besides(self) -> list[Verdict]:
        """What was proven besides, once."""
        taken, self.besides = self.besides, []
        return taken
