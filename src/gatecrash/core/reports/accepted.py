"""Findings that a pipeline lives with, named in a file beside its code: the suppressions of a scan without a service.

A scan gives out codes of its own each time, so an entry names a finding by what stays: type, endpoint and point.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from gatecrash.core.reports.report import place


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """point: as reports write it, `get/q`; None for any. until: the UNIX second behind which it holds no more; None for none."""

    type: str
    endpoint: str
    point: str | None = None
    reason: str
    until: int | None = None

    def holds(self, now: float) -> bool:
        """Whether its time is not over."""
        return self.until is None or now <= self.until

    def names(self, one: Mapping[str, Any]) -> bool:
        """Whether a finding, as the API shows it, is the one that is meant."""
        if (one["type"], one["endpoint"]) != (self.type, self.endpoint):
            return False
        return self.point is None or self.point == place(one["point"])

    def __str__(self) -> str:
        return f"{self.type} at {self.point or 'any point'} of {self.endpoint}"


def accepting(
    found: Iterable[Mapping[str, Any]], accepted: Sequence[Accepted], now: float
) -> tuple[list[dict[str, Any]], list[Accepted]]:
    """The findings, each told whether it is suppressed and why; and the entries that name none of them.

    An entry whose time is over suppresses nothing, and names its findings all the same.
    """
    told, met = [], set()
    for one in found:
        meant = [entry for entry in accepted if entry.names(one)]
        met.update(meant)
        why = next((entry.reason for entry in meant if entry.holds(now)), None)
        told.append({**one, "suppressed": why is not None, "suppression_reason": why})
    return told, [entry for entry in accepted if entry not in met]
