"""What a finite capture says of its endpoints: the hours folded into one window that ends at its newest request."""

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from gatecrash.core.auth.coverage import Status, percent, status
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.inventory.endpoint import EndpointKey
from gatecrash.core.inventory.merging import Known, merge_siblings
from gatecrash.core.inventory.tally import EndpointHour, NoteTally, WithoutTally
from gatecrash.core.point import Point

# The current hour and the 167 before it: 7 days.
WINDOW_HOURS = 168
# Where a capture gives a request no time, it is counted in the first hour of all.
_NO_TIME = 0
_Row = TypeVar("_Row", WithoutTally, NoteTally)


class ObservedParameter(msgspec.Struct, frozen=True):
    """One parameter of one endpoint over the window. seen, valid: requests.

    unproven: it last came as a session that nobody proved, so it is listed and not counted.
    """

    type: AuthType
    point: Point
    coverage: float | None
    seen: int
    valid: int
    unproven: bool = False


class Observed(msgspec.Struct, frozen=True):
    """One endpoint over the window. refused: answered 401 or 403; None where no answer was seen at all.

    without: who came without a valid credential, the most requests first. notes: weaknesses that its traffic showed.
    """

    key: EndpointKey
    requests: int
    authenticated: int
    refused: int | None
    status: Status | None
    coverage: float | None
    parameters: tuple[ObservedParameter, ...]
    without: tuple[WithoutTally, ...] = ()
    notes: tuple[NoteTally, ...] = ()

    @property
    def types(self) -> tuple[AuthType, ...]:
        """The authentication types of which a valid value was seen, by name."""
        return tuple(sorted({parameter.type for parameter in self.parameters if parameter.valid}))


def summarise(hours: Iterable[EndpointHour]) -> tuple[Observed, ...]:
    """The endpoints by host, path and method; hours before the window count for nothing, requests without a time do."""
    hours = tuple(hours)
    begin = _before(hours)
    by_key: dict[EndpointKey, list[EndpointHour]] = {}
    for hour in hours:
        if not _NO_TIME < hour.hour <= begin:
            by_key.setdefault(hour.key, []).append(hour)
    ordered = sorted(by_key, key=lambda key: (key.host, key.path, key.method, key.protocol, key.operation))
    return tuple(_one(key, by_key[key]) for key in ordered)


def requests_before(hours: Iterable[EndpointHour]) -> int:
    """How many requests count for nothing, because they are older than the window."""
    hours = tuple(hours)
    begin = _before(hours)
    return sum(hour.requests for hour in hours if _NO_TIME < hour.hour <= begin)


def _before(hours: tuple[EndpointHour, ...]) -> int:
    """The last hour before the window."""
    return max((hour.hour for hour in hours), default=_NO_TIME) - WINDOW_HOURS


def settled(hours: Iterable[EndpointHour]) -> tuple[Observed, ...]:
    """The same with siblings merged that differ in nothing, as the service merges them."""
    hours = tuple(hours)
    observed = summarise(hours)
    # Each merge leaves fewer endpoints, so this ends.
    while merges := merge_siblings(Known(one.key, one.requests, one.types, one.status) for one in observed):
        renamed = {old: new for merge in merges for old, new in merge.keys}
        hours = tuple(msgspec.structs.replace(hour, key=renamed.get(hour.key, hour.key)) for hour in hours)
        observed = summarise(hours)
    return observed


def _one(key: EndpointKey, hours: list[EndpointHour]) -> Observed:
    """One endpoint out of its hours."""
    requests = sum(hour.requests for hour in hours)
    authenticated = sum(hour.authenticated for hour in hours)
    refused = [hour.refused for hour in hours if hour.refused is not None]
    return Observed(
        key=key,
        requests=requests,
        authenticated=authenticated,
        refused=sum(refused) if refused else None,
        status=status(requests, authenticated),
        coverage=percent(requests, authenticated),
        parameters=_parameters(hours, requests),
        without=_summed([row for hour in hours for row in hour.without]),
        notes=_summed([row for hour in hours for row in hour.notes]),
    )


def _summed(rows: list[_Row]) -> tuple[_Row, ...]:
    """The rows of all hours, one for each of a kind, the most requests first."""
    sums: dict[tuple[object, ...], _Row] = {}
    for row in rows:
        key = msgspec.structs.astuple(row)[:2]
        known = sums.get(key)
        sums[key] = row if known is None else _both(known, row)
    return tuple(sorted(sums.values(), key=lambda row: (-row.requests, msgspec.structs.astuple(row)[:2])))


def _both(one: _Row, other: _Row) -> _Row:
    return msgspec.structs.replace(
        one,
        requests=one.requests + other.requests,
        first_seen=min(one.first_seen, other.first_seen),
        last_seen=max(one.last_seen, other.last_seen),
    )


def _parameters(hours: list[EndpointHour], requests: int) -> tuple[ObservedParameter, ...]:
    """Each parameter's own share, the widest coverage first."""
    tallies: dict[tuple[AuthType, Point], list[int]] = {}
    for hour in sorted(hours, key=lambda one: one.last_seen):
        for tally in hour.parameters:
            numbers = tallies.setdefault((tally.type, tally.point), [0, 0, 0])
            numbers[0] += tally.seen
            numbers[1] += tally.valid
            if tally.valid or tally.unproven:
                numbers[2] = tally.unproven
    listed = (
        ObservedParameter(kind, point, percent(requests, valid), seen, valid, bool(unproven))
        for (kind, point), (seen, valid, unproven) in tallies.items()
    )
    return tuple(sorted(listed, key=lambda one: (-one.valid, -one.seen, one.type, one.point)))
