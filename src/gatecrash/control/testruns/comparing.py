"""Two runs beside each other, as the API shows them."""

from typing import Any

import msgspec

from gatecrash.control.findings import queries as findings
from gatecrash.control.findings import triage
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.testruns import baseline_rows, check_rows
from gatecrash.control.testruns.mapping import to_run
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.testruns.planning import policy_of
from gatecrash.core.message import Request
from gatecrash.core.testing.comparison import compare
from gatecrash.core.testing.extensions.comparing import looked_for, reaches
from gatecrash.core.testing.fingerprint import endpoint_name, endpoint_of
from gatecrash.core.testing.run_events import Status, effective_status

_PAGE = 1000


def compared(later: TestRun, earlier: TestRun) -> dict[str, Any]:
    """Vulnerabilities that are new, persisting, fixed, or not tested again in the later run."""
    policy = policy_of(later)
    types = looked_for(policy_of(earlier), policy)
    found = compare(
        _found(earlier),
        _found(later),
        tested=_tested(later),
        types=types,
        reached=lambda one: reaches(policy, one["type"], one["point"]),
    )
    return {
        "test_run_id": later.id,
        "other_test_run_id": earlier.id,
        **{
            name: [one["shown"] for one in getattr(found, name)]
            for name in ("new", "persisting", "fixed", "not_tested")
        },
    }


def _found(row: TestRun) -> list[dict[str, Any]]:
    suppressed = triage.suppressed_codes()
    rows = Vulnerability.objects.filter(run_id=row.id).select_related("fingerprint").order_by("found_at", "id")
    return [
        {
            "code": one.code,
            "type": one.type,
            "point": one.point,
            "host": _host(one.url),
            "endpoint": one.endpoint,
            "shown": findings.shown(one, suppressed),
        }
        for one in rows
    ]


def _tested(row: TestRun) -> set[tuple[str, str]]:
    """Host and endpoint of every baseline whose checks came to an end."""
    run = to_run(row)
    tested: set[tuple[str, str]] = set()
    for start in range(0, run.baseline_count, _PAGE):
        checks = check_rows.page(row.id, _PAGE, start)
        statuses = {
            one.baseline_id: effective_status(one.status, found=one.found, run_ended=run.ended) for one in checks
        }
        done = [name for name, status in statuses.items() if status in (Status.PASSED, Status.FAILED)]
        for head in baseline_rows.heads(row.record_id, done).values():
            key = endpoint_of(_request(head.method, head.url))
            name = endpoint_name(msgspec.structs.replace(key, operation=head.operation))
            tested.add((_host(head.url), name))
    return tested


def _request(method: str, url: str) -> Request:
    """As much of a request as an endpoint is made of."""
    return Request(method=method, target=_parts(url)[1].encode("utf-8", "surrogateescape"))


def _host(url: str) -> str:
    return _parts(url)[0]


def _parts(url: str) -> tuple[str, str]:
    """Origin and target of an absolute URL, neither of them changed."""
    scheme, separator, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    return f"{scheme}{separator}{authority}", f"{slash}{path}" or "/"
