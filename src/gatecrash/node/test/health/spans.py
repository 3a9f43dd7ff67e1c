"""When each check of a baseline was made, which tells what a ban that was noticed later may have answered."""

import asyncio

from gatecrash.core.testing.derive import Check
from gatecrash.node.test.health.bans import Ban

STRUCK = "the target banned the tests each time that this was asked"


class Spans:
    """Those of one baseline."""

    def __init__(self) -> None:
        """None was made yet."""
        self._made: list[tuple[Check, float, float]] = []

    def now(self) -> float:
        """When a check begins."""
        return asyncio.get_running_loop().time()

    def made(self, check: Check, began: float) -> None:
        """A check has its verdict."""
        self._made.append((check, began, self.now()))

    def struck_by(self, ban: Ban, baseline_id: str) -> list[Check]:
        """The checks of the last round that a ban answered."""
        made, self._made = self._made, []
        return [check for check, began, ended in made if ban.struck(baseline_id, began, ended)]
