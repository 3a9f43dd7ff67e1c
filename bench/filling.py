"""An inventory of a size, for the benchmarks of counts and of the inventory; imported when Django is set up."""

import time
from typing import Any

from django.db import connection, transaction

from bench.counts import POINTS, TYPES
from gatecrash.control import wall
from gatecrash.control.accounts import services as accounts
from gatecrash.control.inventory import bulk, endpoints, mapping, services
from gatecrash.control.inventory.schema import SEEN
from gatecrash.wire.counts import Counts, EndpointCount, ParameterCount, WithoutCount

METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH")
HOSTS = 40
PIECE = 5000
DAY = 24
_NOW = int(time.time())

Sums = tuple[dict[bulk.Key, list[int]], dict[bulk.Key, list[int]]]


def client() -> str:
    """A client."""
    return accounts.create_client("bench").id


def fill(client_id: str, *, endpoints: int, days: int) -> None:
    """Endpoints with five parameters each, in one hour of each day."""
    sequence = 1_000_000
    for day in range(days):
        for start in range(0, endpoints, PIECE):
            counts = tuple(
                count(number, _NOW // 3600 - day * DAY, 5) for number in range(start, min(start + PIECE, endpoints))
            )
            services.apply_counts(client_id, "node", Counts("node", "s", "fill", sequence, counts), at=_NOW)
            sequence += 1


def analyse() -> None:
    """Let PostgreSQL know its tables, as its own daemon does within a minute; nobody does that for SQLite."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def count(number: int, hour: int, parameters: int) -> EndpointCount:
    """What is counted of one endpoint in one hour; every fifth endpoint is Missing, every third Partial."""
    requests = 10 + number % 90
    share = 0 if number % 5 == 0 else requests // 2 if number % 3 == 0 else requests
    seen = tuple(
        ParameterCount(type_, point, share, share if place == number // 5 % 5 else 0)
        for place, (type_, point) in enumerate(zip(TYPES[:parameters], POINTS[:parameters], strict=True))
    )
    at = min(hour * 3600 + number % 3600, _NOW)
    without = (WithoutCount("curl", 2, requests - share, at, at),) if share < requests and parameters else ()
    return EndpointCount(
        hour,
        "graphql" if number % 50 == 0 else "rest",
        METHODS[number % len(METHODS)],
        f"api{number % HOSTS}.example.com",
        f"/v{number % 3}/things{number // 7}/{{thing_id}}/parts/{number}",
        requests,
        share,
        requests // 10,
        at,
        at,
        seen,
        ((2, requests - requests // 10), (4, requests // 10)),
        authenticated_refused=0,
        without=without,
    )


def batch(turn: int, endpoints: int, parameters: int) -> Counts:
    """One batch of the present hour."""
    counts = tuple(count(number, _NOW // 3600, parameters) for number in range(endpoints))
    return Counts("node", "s", f"bench{endpoints}", turn, counts)


def apply(client_id: str, given: Counts) -> None:
    """Ours."""
    services.apply_counts(client_id, "node", given, at=_NOW)


def sums(client_id: str, given: Counts) -> Sums:
    """What the batch comes to, added up beforehand, under the keys of its rows."""
    with wall.client(client_id):
        numbers = endpoints.take([mapping.name(count) for count in given.endpoints])
        kinds = endpoints.take_credentials(
            dict.fromkeys(mapping.credential_name(item) for count in given.endpoints for item in count.parameters)
        )
    placed = [(count.hour, numbers[mapping.name(count)], count) for count in given.endpoints]
    counts = mapping.endpoint_sums((((hour, number), count) for hour, number, count in placed), detection=True)
    parameters = {
        (hour, number, kinds[mapping.credential_name(item)]): [item.seen, item.valid]
        for hour, number, count in placed
        for item in count.parameters
    }
    return counts, parameters


def upsert(client_id: str, given: Sums) -> None:
    """The reference: hours and sums by plain upserts."""
    counts, parameters = given
    with wall.client(client_id), transaction.atomic():
        bulk.add_counts(counts, {number: (_NOW, _NOW) for _, number in counts})
        bulk.upsert("hourly_parameter", bulk.KEYS["hourly_parameter"], SEEN, _rows(client_id, parameters))
        bulk.upsert("rollup_parameter", bulk.KEYS["rollup_parameter"], SEEN, _rows(client_id, parameters, 1))


def _rows(client_id: str, sums: dict[bulk.Key, list[int]], skip: int = 0) -> list[tuple[Any, ...]]:
    return [(client_id, *key[skip:], *values) for key, values in sums.items()]
