"""When each check of a baseline was made, which tells what a ban that was noticed later may have answered."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from gatecrash.core.testing.derive import Check
from gatecrash.node.test.bans import Ban

STRUCK = "the target banned the tests each time that this was asked"


class Spans:
    """Those of one baseline."""

    def __init__(self) -> None:
        """None was made yet."""
        self._made: list[tuple[Check, float, float]] = []

    @contextmanager
    def of(self, check: Check) -> Iterator[None]:
        """While a check is made."""
        clock = asyncio.get_running_loop().time
        began = clock()
        yield
        self._made.append((check, began, clock()))

    def struck_by(self, ban: Ban, baseline_id: str) -> list[Check]:
        """The checks of the last round that a ban answered."""
        made, self._made = self._made, []
        return [check for check, began, ended in made if ban.struck(baseline_id, began, ended)]
