"""What becomes of a check that a fault of our own ended: the log has its place, its baseline names it, the others go on.

A probe meets answers that nobody foresaw. Were all checks of its baseline lost with it, one fault would hide every flaw there.
"""

import logging
from collections.abc import Awaitable

from gatecrash.core.errors import UserError
from gatecrash.core.testing.derive import Check
from gatecrash.core.testing.verdict import Verdict
from gatecrash.node.journal import place_of
from gatecrash.node.test.sessions.checks import SessionLost
from gatecrash.node.test.wording import TargetGone
from gatecrash.wire.work import Result

log = logging.getLogger(__name__)


class Breakage:
    """The checks of one baseline that broke."""

    def __init__(self, baseline_id: str) -> None:
        self._baseline_id = baseline_id
        self._told: list[str] = []
        self._kept: list[str] = []
        self._places: set[str] = set()

    async def outlived(self, check: Check, dialogue: Awaitable[Verdict]) -> tuple[Verdict, ...]:
        """The verdict of a check's dialogue; none where it broke. Raises SessionLost and TargetGone, which end them all."""
        try:
            return (await dialogue,)
        except (SessionLost, TargetGone):
            raise
        except Exception as error:  # noqa: BLE001 - a probe meets what nobody foresaw
            self.note(error, check)
            return ()

    def note(self, error: Exception, check: Check | None = None) -> None:
        """Log an error once a place, with its type and never with its text, which could quote a credential.

        check: whose dialogue it ended; None where it ended the whole trial.
        """
        broken = place_of(error)
        where = str(broken)
        if where not in self._places:
            self._places.add(where)
            log.error("a check broke", extra={"baseline": self._baseline_id, **broken})
        name = type(error).__name__
        self._told.append(
            name if check is None else f"{check.probe.type} at {'/'.join(check.point) or 'the request'}: {name}"
        )

    def forget(self) -> None:
        """All checks are made again, but those of before `keep`."""
        self._told.clear()

    def keep(self) -> None:
        """What broke by now stays, whatever is made again."""
        self._kept += self._told
        self._told.clear()

    @property
    def words(self) -> str:
        """Which checks broke, and of what: `xss at get/q: ValueError`; empty where none did."""
        return "; ".join(dict.fromkeys((*self._kept, *self._told)))

    def ending(self, *, found: bool) -> tuple[str, str | None, str]:
        """Status, reason and detail of the baseline: never passed, for what broke decided nothing."""
        if found:
            return "failed", None, f"internal_exception: {self.words}"
        return "error", "internal_exception", self.words


def untried(baseline_id: str, error: Exception) -> Result:
    """The result of a baseline of which no check was begun: what was recorded cannot be sent, or a fault of ours came first."""
    if isinstance(error, UserError):
        return Result(baseline_id=baseline_id, final=True, status="error", reason="recording_error", detail=str(error))
    breakage = Breakage(baseline_id)
    breakage.note(error)
    status, reason, detail = breakage.ending(found=False)
    return Result(baseline_id=baseline_id, final=True, status=status, reason=reason, detail=detail)
