"""What the dashboard shows, in a handful of reads."""

import time
from collections import defaultdict
from typing import Any

from django.db.models import Count, Max, Q

from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.inventory import queries, status_days
from gatecrash.control.inventory.filters import Filters
from gatecrash.control.inventory.mapping import STATUSES
from gatecrash.control.inventory.models import Endpoint
from gatecrash.control.nodes.mapping import shown_node
from gatecrash.control.nodes.queries import by_presence
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.ui import drawing
from gatecrash.control.ui.reads.first_steps import first_steps, proxy_of
from gatecrash.control.ui.reads.runs import lines
from gatecrash.core.testing.catalogue import entry_of

ROWS = 8


def overview(days: int) -> dict[str, Any]:
    """The context of the dashboard. days: how far the chart goes back."""
    now = time.time()
    over_time = status_days.days(days, int(now))
    rows = TestRun.objects.order_by("-created_at", "-id").defer("desc", "tags", "domains")[:5]
    statuses = endpoint_statuses(int(now))
    endpoints = sum(statuses.values())
    nodes = [shown_node(node, now) for node in by_presence(now)[:5]]
    return {
        "steps": first_steps(nodes, endpoints),
        "proxy": proxy_of(nodes),
        "statuses": statuses,
        "days": over_time[::-1],
        "chart": drawing.days(over_time),
        "endpoints": endpoints,
        "unprotected": queries.list_endpoints(Filters(status="missing"), limit=ROWS, sort="-requests").objects,
        "runs": lines(rows),
        "classes": finding_classes(),
        "nodes": nodes,
    }


def endpoint_statuses(at: int) -> dict[str, int]:
    """How many endpoints each filter of the list leaves; `public`: those without authentication on purpose. at: now."""
    on_purpose = Count("number", filter=Q(status=STATUSES.index("missing"), public_until__gt=at))
    found: dict[str, int] = defaultdict(int)
    rows = Endpoint.objects.values_list("status").annotate(all=Count("number"), public=on_purpose)
    for status, number, public in rows:
        found[STATUSES[max(0, status)] or "no_traffic"] += number - public  # -1: before the first count
        found["public"] += public
    return {name: found[name] for name in ("missing", "partial", "consistent", "no_traffic", "public")}


def finding_classes() -> list[dict[str, Any]]:
    """The classes of weakness that were found, with how many different ones and the highest threat."""
    rows = Vulnerability.objects.values("type").annotate(codes=Count("code", distinct=True), threat=Max("threat"))
    return [{"title": entry_of(row["type"]).title, **row} for row in rows.order_by("-threat", "type")]
