"""Which requests differ in nothing but their numbers, as twenty articles of one shop do, and that the first of each
kind go first.

What is wrong with one of them is mostly wrong with all. Whoever has no time for all of them should have seen each kind once.
"""

import re
from collections import Counter
from collections.abc import Iterable

from gatecrash.core.message import Request
from gatecrash.core.testing.baseline import Baseline

_NUMBERED = re.compile(rb"(?<![\w-])(?=[A-Za-z_-]*\d)[\w-]+")
_MOST_BYTES = 2000


def kind_of(request: Request) -> tuple[str, str, bytes, bytes]:
    """Equal for requests that differ in nothing but words with numbers in them; whoever sends them."""
    body = _NUMBERED.sub(b"0", request.body[:_MOST_BYTES]) if request.body else b""
    return request.method, request.origin, _NUMBERED.sub(b"0", request.target), body


def each_kind_first(baselines: Iterable[Baseline]) -> list[Baseline]:
    """The first of each kind, then the second of each, and so on; within that they stay in their order."""
    before: Counter[tuple[str, str, bytes, bytes]] = Counter()
    rounds: list[tuple[int, Baseline]] = []
    for baseline in baselines:
        kind = kind_of(baseline.request)
        rounds.append((before[kind], baseline))
        before[kind] += 1
    rounds.sort(key=lambda each: each[0])
    return [baseline for _, baseline in rounds]
