"""`gatecrash scan --plan`: what would be sent, endpoint by endpoint."""

from collections.abc import Iterable, Iterator
from typing import Any

from gatecrash.cli.output import say, table
from gatecrash.cli.place import place
from gatecrash.core.testing.fingerprint import endpoint_of
from gatecrash.core.testing.ordering import DESTRUCTIVE, destroys, rank
from gatecrash.node.scan.planned import Planned
from gatecrash.node.test.asking_first import is_unanswered

STAGES = ("first", "then", "last")
"""Stages of testing: safe methods, those that change something, those that can destroy what the tests stand on."""

COLUMNS = ("method", "host", "path", "baselines", "requests", "checks", "note")


def plan_document(planned: Iterable[Planned], passed_over: dict[str, int], hosts: dict[str, int]) -> dict[str, Any]:
    """The plan as one JSON document, in the order of testing. passed_over, hosts: what is left out, and why.

    asked_first: imported requests that nobody has sent yet, each sent once to learn its answer.
    """
    endpoints: dict[str, dict[str, Any]] = {}
    skipped: dict[str, int] = {}
    requests = asked_first = 0
    for one in sorted(planned, key=lambda one: rank(one.baseline.request)):
        if one.skip:
            skipped[one.skip] = skipped.get(one.skip, 0) + 1
            continue
        key = endpoint_of(one.baseline.request)
        entry = endpoints.setdefault(
            str(key),
            {
                "method": key.method,
                "host": key.host,
                "path": key.path,
                "baselines": 0,
                "requests": 0,
                "order": STAGES[min(rank(one.baseline.request), DESTRUCTIVE)],
                "last": destroys(one.baseline.request),
                "checks": [],
            },
        )
        entry["baselines"] += 1
        asked_first += is_unanswered(one.baseline.exchange)
        entry["requests"] += one.forecast
        requests += one.forecast
        _add_checks(entry["checks"], one)
    return {
        "endpoints": list(endpoints.values()),
        "requests": requests,
        "asked_first": asked_first,
        "skipped": skipped,
        "left_out": {**passed_over, "host_not_allowed": hosts},
    }


def show_plan(document: dict[str, Any]) -> None:
    """The plan as a table."""
    table(COLUMNS, _rows(document["endpoints"]), empty="Nothing would be sent.")
    if document["asked_first"]:
        say(
            f"{document['asked_first']} requests of the description were never sent: each is sent once before its tests, to "
            "learn its answer; those that change something, too. What can destroy is sent last."
        )
    say(f"{document['requests']} test requests where nothing is wrong; suspicions cost more. Nothing was sent.")


def _add_checks(listed: list[dict[str, Any]], one: Planned) -> None:
    for check in one.checks:
        point = [list(check.point)] if check.point else []
        same = next((known for known in listed if known["type"] == check.probe.type and known["point"] == point), None)
        if same is None:
            listed.append({"type": check.probe.type, "point": point, "requests": check.forecast})
        else:
            same["requests"] += check.forecast


def _rows(endpoints: Iterable[dict[str, Any]]) -> Iterator[tuple[object, ...]]:
    for one in endpoints:
        by_type: dict[str, list[str]] = {}
        for check in one["checks"]:
            by_type.setdefault(check["type"], []).append(place(check["point"]) if check["point"] else "")
        checks = "; ".join(f"{kind} {', '.join(filter(None, places))}".strip() for kind, places in by_type.items())
        note = f"last: {one['last']}" if one["last"] else one["order"]
        yield (*(one[name] for name in COLUMNS[:5]), checks or "-", note)
