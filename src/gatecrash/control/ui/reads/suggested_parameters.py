"""Headers that test runs found to let in, and that the inventory does not count as authentication yet.

A run asks its target without each header of the application's own; where it is refused without one, what that header holds
is a credential. Traffic alone cannot tell, so the client is asked.
"""

from typing import Any

from gatecrash.control.inventory import queries, views
from gatecrash.control.testruns.models import TestRun

RUNS = 100
MOST = 10


def suggested() -> list[dict[str, Any]]:
    """The points with the newest run that found each and its hosts; none that is counted by default or was added."""
    counted = [entry["point"][0] for entry in views.auth_parameters(queries.custom_parameters())["parameters"]]
    known = {steps[-1] for steps in counted if steps[:-1] == ["header"]}
    runs = TestRun.objects.exclude(credential_headers=[]).order_by("-created_at", "-id")
    found: dict[str, dict[str, Any]] = {}
    for run_id, names, domains in runs.values_list("id", "credential_headers", "domains")[:RUNS]:
        for name in names:
            if name not in known and name not in found:
                found[name] = {"point": [["header", name]], "test_run_id": run_id, "domains": domains}
    return list(found.values())[:MOST]
