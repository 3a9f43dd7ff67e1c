"""A test run on one endpoint, by one click: what was recorded of it before is tested again.

Where no record holds a request of the endpoint, the run stays in recording and its page tells how to send one.
"""

from collections.abc import Iterator
from typing import Any

from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller
from gatecrash.control.testruns import baseline_rows, queries, recording, services
from gatecrash.control.testruns.bodies import NewRun
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.control.ui.reads.open_findings import name_of
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.fingerprint import endpoint_name, endpoint_of

RECORDS = 20
LOOKED_AT = 2000
MOST = 100
_PAGE = 200


def start(endpoint: dict[str, Any], caller: Caller) -> tuple[TestRun, int]:
    """The new run, and how many requests of earlier records it begins with. Raises FieldErrors."""
    known = list(_recorded(endpoint))
    name = f"{endpoint['method']} {endpoint['host']}{endpoint['path']}"[: fields.MAX_NAME]
    run = services.create_run(NewRun(name=name, tags=[endpoint["id"]]), caller)
    if known:
        recording.add(TestRecord.objects.get(id=run.record_id), run, known)
        run = services.act(run.id, "stop")
    return run, len(known)


def _recorded(endpoint: dict[str, Any]) -> Iterator[Baseline]:
    """Requests of the endpoint in the newest records, each once, a bounded number of them."""
    wanted, looked = name_of(endpoint), 0
    seen: set[str] = set()
    for record in queries.records(None).filter(recording=False, draining=False)[:RECORDS]:
        last = 0
        while looked < LOOKED_AT and len(seen) < MOST:
            rows = baseline_rows.after(record.id, last, record.last_sequence, _PAGE)
            looked += len(rows)
            for _, duplicate, baseline in rows:
                key = endpoint_of(baseline.request)
                if (key.host, endpoint_name(key)) == wanted and duplicate not in seen and len(seen) < MOST:
                    seen.add(duplicate)
                    yield baseline
            if len(rows) < _PAGE:
                break
            last = rows[-1][0]
