"""A bounded memory of verdicts by keyed hash, so that a repeated credential is judged once and never kept.

The hash is Python's own of a byte string: SipHash under a key that each process draws at random. It gives nothing of
the value back, costs a twentieth of a cryptographic digest, and two values meet by chance once in 2**64.
"""

from typing import Generic, TypeVar

Remembered = TypeVar("Remembered")

_HALF = 8192


class Memory(Generic[Remembered]):
    """Two generations of entries: when the young one is full it becomes the old one, and the old one is forgotten."""

    __slots__ = ("_half", "_old", "_young")

    def __init__(self, half: int = _HALF) -> None:
        """Hold between `half` and twice as many entries once filled."""
        self._half = half
        self._young: dict[int, Remembered] = {}
        self._old: dict[int, Remembered] = {}

    def recall(self, key: int) -> Remembered | None:
        """What was remembered under the key; None where nothing was."""
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is not None:
                self.remember(key, found)
        return found

    def remember(self, key: int, verdict: Remembered) -> None:
        """Remember a verdict, forgetting the oldest half when there are too many."""
        if len(self._young) >= self._half:
            self._old, self._young = self._young, {}
        self._young[key] = verdict

    def __len__(self) -> int:
        """How many entries are held."""
        return len(self._young) + len(self._old)
