"""Counts as rows of a batch, and back; and many batches that wait gathered into few.

While the control plane is away a batch comes every second. Those that were never on their way may be added up: an hour
of them is then one row for each endpoint and hour, however long it lasts.
"""

from collections.abc import Iterable

import msgspec

from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.inventory.endpoint import EndpointKey
from gatecrash.core.inventory.notes import NoteKind
from gatecrash.core.inventory.tally import EndpointHour, NoteTally, ParameterTally, Tally, WithoutTally
from gatecrash.core.inventory.waiting import grown
from gatecrash.core.point import Point
from gatecrash.wire.counts import Counts, EndpointCount, NoteCount, ParameterCount, WithoutCount

MAX_ENDPOINTS = 5000


def batches_of(hours: Iterable[EndpointHour]) -> list[Counts]:
    """Batches, of at most so many endpoints each; node, session, spool and number are given when they are sent."""
    rows = [_row(hour) for hour in hours]
    return [Counts("", "", "", 0, tuple(rows[at : at + MAX_ENDPOINTS])) for at in range(0, len(rows), MAX_ENDPOINTS)]


def gathered(batches: Iterable[Counts]) -> list[Counts]:
    """The same counts in as few rows as can be."""
    sums: dict[tuple[int, EndpointKey], Tally] = {}
    for batch in batches:
        for row in batch.endpoints:
            hour = _hour(row)
            known = sums.get((hour.hour, hour.key))
            if known is None:
                sums[hour.hour, hour.key] = grown(hour)
            else:
                known.merge(grown(hour))
    return batches_of(tally.report(hour, key) for (hour, key), tally in sums.items())


def _row(hour: EndpointHour) -> EndpointCount:
    return EndpointCount(
        hour=hour.hour,
        protocol=str(hour.key.protocol),
        method=hour.key.method,
        host=hour.key.host,
        path=hour.key.path,
        requests=hour.requests,
        authenticated=hour.authenticated,
        refused=hour.refused,
        first_seen=hour.first_seen,
        last_seen=hour.last_seen,
        parameters=tuple(
            ParameterCount(str(each.type), tuple(each.point), each.seen, each.valid, each.unproven)
            for each in hour.parameters
        ),
        statuses=hour.statuses,
        operation=hour.key.operation,
        authenticated_refused=hour.authenticated_refused,
        without=tuple(WithoutCount(*msgspec.structs.astuple(row)) for row in hour.without),
        notes=tuple(
            NoteCount(str(note.kind), tuple(note.point), note.requests, note.first_seen, note.last_seen)
            for note in hour.notes
        ),
    )


def _hour(row: EndpointCount) -> EndpointHour:
    return EndpointHour(
        row.hour,
        EndpointKey(row.protocol, row.method, row.host, row.path, row.operation),
        row.requests,
        row.authenticated,
        row.refused,
        row.first_seen,
        row.last_seen,
        tuple(
            ParameterTally(AuthType(each.type), Point(each.point), each.seen, each.valid, each.unproven)
            for each in row.parameters
        ),
        row.statuses,
        row.authenticated_refused,
        tuple(WithoutTally(*msgspec.structs.astuple(each)) for each in row.without),
        tuple(
            NoteTally(NoteKind(note.kind), Point(note.point), note.requests, note.first_seen, note.last_seen)
            for note in row.notes
        ),
    )
