"""Fewer garbage collections while runs are tested.

What a test leaves behind falls by its count of references; going over the baselines and their evidence again and again
finds next to nothing, and cost a twentieth of the engine's time.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

RARELY = (20_000, 20, 50)
"""Python's own is (700, 10, 10): that many more objects made than freed bring a collection of the youngest."""

_before: list[tuple[int, int, int]] = []


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Collect garbage rarely, for as long as anybody is within such a block; the last one to leave restores the thresholds."""
    _before.append(gc.get_threshold())
    gc.set_threshold(*RARELY)
    try:
        yield
    finally:
        # Whoever leaves first takes the last entry: all but the first hold RARELY.
        gc.set_threshold(*_before.pop())
