"""A batch of counts into rows. Part of `services`; everything here runs in the caller's transaction."""

from collections.abc import Iterable, Sequence
from operator import itemgetter

from gatecrash.control import wall
from gatecrash.control.bulk_sql import insert
from gatecrash.control.inventory import bulk, endpoints, mapping, settling
from gatecrash.control.inventory.mapping import TYPE_BITS
from gatecrash.core.inventory.agents import FAMILIES
from gatecrash.wire.counts import MOST_NOTES, MOST_WITHOUT, EndpointCount, NoteCount, WithoutCount

MAX_FAMILY = 32

# A count with the hour that it counts for and its endpoint's number.
Placed = tuple[int, int, EndpointCount]


def add(counts: Sequence[EndpointCount], moment: int, *, undetected: tuple[str, str] | None) -> None:
    """Add counts whose hours are in the window. undetected: node and version where it does not detect (contract 9.2)."""
    hour = moment // 3600
    names = [mapping.name(count) for count in counts]
    numbers = endpoints.take(dict.fromkeys(names))
    placed = [(min(count.hour, hour), numbers[name], count) for name, count in zip(names, counts, strict=True)]
    placed.sort(key=itemgetter(0, 1))  # in the order of keys, so that neighbours in the tables are written together
    sums = mapping.endpoint_sums((((at, number), count) for at, number, count in placed), detection=not undetected)
    bulk.add_counts(sums, _spans(placed, moment))
    if undetected:
        _note_undetected(set(numbers.values()), *undetected)
    else:
        _add_parameters(placed, moment)
        _add_without(placed, moment)
        _add_notes(placed, moment)
    settling.settle(set(numbers.values()), moment)


def _spans(placed: Sequence[Placed], moment: int) -> dict[int, tuple[int, int]]:
    """First and last sight of each endpoint in a batch, by number."""
    seen: dict[int, tuple[int, int]] = {}
    for _, number, count in placed:
        first, last = _span(count, moment)
        known = seen.get(number)
        seen[number] = (first, last) if known is None else (min(known[0], first), max(known[1], last))
    return seen


def _span(count: EndpointCount | WithoutCount | NoteCount, moment: int) -> tuple[int, int]:
    """First and last sight; a time of the future, by the clock of a node that is ahead, is now."""
    return min(count.first_seen, moment), min(count.last_seen, moment)


def _note_undetected(numbers: Iterable[int], node_id: str, version: str) -> None:
    client_id = wall.required()
    insert(
        f"UPDATE {bulk.ENDPOINTS} SET undetected_node = %s, undetected_version = %s WHERE client_id = %s AND number = %s",  # noqa: S608 - our names
        [(node_id, version, client_id, number) for number in sorted(numbers)],
    )


def _add_parameters(placed: Sequence[Placed], moment: int) -> None:
    name = mapping.credential_name
    names = {name(item) for _, _, count in placed for item in count.parameters}
    if not names:
        return
    credentials = endpoints.take_credentials(names)
    sums: dict[bulk.Key, list[int]] = {}
    unproven: dict[bulk.Key, bool] = {}
    types: dict[int, int] = {}
    for hour, number, count in placed:
        for item in count.parameters:
            found = name(item)
            key = (hour, number, credentials[found])
            known = sums.get(key)
            sums[key] = [item.seen, item.valid] if known is None else [known[0] + item.seen, known[1] + item.valid]
            if item.unproven:
                unproven[key[1:]] = True
            if item.valid:
                types[number] = types.get(number, 0) | TYPE_BITS.get(found[0], 0)
    bulk.add_parameters(sums, unproven)
    settling.widen_types(types, moment)


def _add_without(placed: Sequence[Placed], moment: int) -> None:
    """Who came without: by family of clients and class of answer."""
    rows: dict[tuple[int, int, str, int], list[int]] = {}
    for hour, number, count in placed:
        for item in count.without[:MOST_WITHOUT]:
            family = item.family if item.family in FAMILIES else "other"
            status = item.status if 0 <= item.status <= mapping.STATUS_CLASSES else 0
            _merge(rows, (hour, number, family[:MAX_FAMILY], status), item.requests, *_span(item, moment))
    client_id = wall.required()
    values = [(client_id, *key, *numbers) for key, numbers in rows.items()]
    keys = ("hour", "endpoint", "family", "status")
    bulk.upsert("hourly_without", keys, ("requests",), values, text="family", spans=True)


def _add_notes(placed: Sequence[Placed], moment: int) -> None:
    """Weaknesses that traffic showed by itself."""
    seen = [
        (number, mapping.credential_name(item), item)
        for _, number, count in placed
        for item in count.notes[:MOST_NOTES]
    ]
    if not seen:
        return
    credentials = endpoints.take_credentials(dict.fromkeys(found for _, found, _ in seen))
    rows: dict[tuple[int, int], list[int]] = {}
    for number, found, item in seen:
        _merge(rows, (number, credentials[found]), item.requests, *_span(item, moment))
    client_id = wall.required()
    values = [(client_id, *key, *numbers) for key, numbers in rows.items()]
    bulk.upsert("endpoint_note", ("endpoint", "credential"), ("requests",), values, spans=True)


def _merge(rows: dict, key: tuple, requests: int, first_seen: int, last_seen: int) -> None:
    known = rows.get(key)
    if known is None:
        rows[key] = [requests, first_seen, last_seen]
    else:
        rows[key] = [known[0] + requests, min(known[1], first_seen), max(known[2], last_seen)]
