"""`gatecrash scan --plan`: what would be sent, endpoint by endpoint."""

import math
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from gatecrash.cli.output import say, span, table
from gatecrash.cli.place import place
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.fingerprint import endpoint_of
from gatecrash.core.testing.ordering import DESTRUCTIVE, rank_of
from gatecrash.node.scan.planned import Planned
from gatecrash.node.test.beforehand.draft_answer import is_unanswered

STAGES = ("first", "then", "last")
"""Stages of testing: safe methods, those that change something, those that can destroy what the tests stand on."""

COLUMNS = ("method", "host", "path", "baselines", "requests", "note", "checks")


class Pace(msgspec.Struct, frozen=True):
    """The limits that were asked for: test requests a second, of the whole and of a baseline, and baselines at once."""

    rps: int | None = None
    rps_per_baseline: int | None = None
    workers: int = 10

    def seconds(self, costs: Iterable[int]) -> int | None:
        """How long requests take at least that fully use the limits; None without any. costs: of each baseline."""
        all_of_them = list(costs)
        total, least = sum(all_of_them), [0.0]
        if self.rps:
            least.append(total / self.rps)
        if self.rps_per_baseline:
            at_once = self.rps_per_baseline * self.workers
            least += [max(all_of_them, default=0) / self.rps_per_baseline, total / at_once]
        return math.ceil(max(least)) if len(least) > 1 else None


NO_LIMIT = Pace()


def plan_document(
    planned: Iterable[Planned], passed_over: dict[str, int], hosts: dict[str, int], pace: Pace = NO_LIMIT
) -> dict[str, Any]:
    """The plan as one JSON document, in the order of testing. passed_over, hosts: what is left out, and why.

    asked_first: imported requests that nobody has sent yet, each sent once to learn its answer. seconds: that all of it
    takes at least at the pace; null where that sets no limit, as the target alone says then how fast it goes.
    """
    planned = list(planned)
    costs = [one.forecast + is_unanswered(one.baseline.exchange) for one in planned if not one.skip]
    endpoints: dict[str, dict[str, Any]] = {}
    skipped: dict[str, int] = {}
    requests = asked_first = 0
    for one in sorted(planned, key=lambda one: rank_of(one.baseline)):
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
                "operation": key.operation,
                "baselines": 0,
                "requests": 0,
                "order": STAGES[min(rank_of(one.baseline), DESTRUCTIVE)],
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
        "seconds": pace.seconds(costs),
        "skipped": skipped,
        "left_out": {**passed_over, "host_not_allowed": hosts},
    }


def show_plan(document: dict[str, Any]) -> None:
    """The plan as a table."""
    table(COLUMNS, _rows(document["endpoints"]), empty="Nothing would be sent.")
    if document["asked_first"]:
        say(
            f"Requests of the description that were never sent: {document['asked_first']}. Each is sent once before its tests, to "
            "learn its answer; those that change something, too. What can destroy is sent last."
        )
    seconds = document["seconds"]
    lasting = "" if seconds is None else f", {span(seconds)} at least at the rate that was asked for"
    say(
        f"{document['requests']} test requests where nothing is wrong{lasting}; suspicions cost more. Nothing was sent."
    )


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
        note = f"last: {one['last']}" if one["last"] else one["order"]
        named = one | {"path": f"{one['path']} {one.get('operation', '')}".rstrip()}
        yield (*(named[name] for name in COLUMNS[:5]), note, _checks_in_words(by_type) or "-")


def _checks_in_words(by_type: dict[str, list[str]]) -> str:
    """What is looked for where, types with the same places told together: `auth; sqli, rce, xss at query:q, path/2`."""
    types: dict[tuple[str, ...], list[str]] = {}
    for kind, places in by_type.items():
        types.setdefault(tuple(filter(None, places)), []).append(kind)
    lines = ((", ".join(kinds), ", ".join(places)) for places, kinds in types.items())
    return "; ".join(f"{kinds} at {places}" if places else kinds for kinds, places in lines)
