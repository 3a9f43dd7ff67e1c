"""`gatecrash scan --plan`: what would be sent, endpoint by endpoint."""

from collections.abc import Iterable, Iterator
from typing import Any

from gatecrash.cli.output import say, table
from gatecrash.cli.place import place
from gatecrash.core.testing.fingerprint import endpoint_of
from gatecrash.core.testing.ordering import destroys
from gatecrash.node.scan.planned import Planned

COLUMNS = ("method", "host", "path", "baselines", "requests", "checks", "note")


def plan_document(planned: Iterable[Planned], passed_over: dict[str, int], hosts: dict[str, int]) -> dict[str, Any]:
    """The plan as one JSON document. passed_over, hosts: what is left out of the capture, and why."""
    endpoints: dict[str, dict[str, Any]] = {}
    skipped: dict[str, int] = {}
    requests = 0
    for one in planned:
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
                "last": destroys(one.baseline.request),
                "checks": [],
            },
        )
        entry["baselines"] += 1
        entry["requests"] += one.forecast
        requests += one.forecast
        _add_checks(entry["checks"], one)
    return {
        "endpoints": list(endpoints.values()),
        "requests": requests,
        "skipped": skipped,
        "left_out": {**passed_over, "host_not_allowed": hosts},
    }


def show_plan(document: dict[str, Any]) -> None:
    """The plan as a table."""
    table(COLUMNS, _rows(document["endpoints"]), empty="Nothing would be sent.")
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
        note = f"last: {one['last']}" if one["last"] else ""
        yield (*(one[name] for name in COLUMNS[:5]), checks or "-", note)
