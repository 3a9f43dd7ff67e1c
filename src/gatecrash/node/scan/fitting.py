"""Which of the values that answers taught may stand in a hole. Where nothing but a number may, one that stands within an
identifier is meant: servers that show `Q2FyZDo1MTA=` count their cards all the same.
"""

from collections.abc import Iterable, Iterator

from gatecrash.core.testing.authorization.objects.global_ids import GlobalId
from gatecrash.formats.draft import Hole


def fitting(hole: Hole, known: Iterable[str | int]) -> Iterator[str | int]:
    """Those that may stand there, as they are written there."""
    for one in known:
        if not hole.counted or isinstance(one, int) or one.isdigit():
            yield one
        else:
            told = GlobalId.read(one)
            if told is not None and told.inner.isdigit():
                yield told.inner
