"""A test run on one endpoint, by one click or call: what was recorded of it before is tested again.

It is a copy over the newest record that holds requests of the endpoint, and tests these alone: the others of the record
tell who was recorded and whose things are whose, without which nothing could be proven of access. It signs in as the
newest run over that record did, and sends to the same place. Where no record holds such a request, the run stays in
recording and its page tells how to send one.
"""

from typing import Any

from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller
from gatecrash.control.profiles import queries as profiles
from gatecrash.control.testruns import baseline_rows, queries, services
from gatecrash.control.testruns.bodies import NewRun
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.control.ui.reads.open_findings import name_of
from gatecrash.core.testing.fingerprint import endpoint_name, endpoint_of

RECORDS = 20
LOOKED_AT = 2000
MOST = 100
_PAGE = 200


def start(endpoint: dict[str, Any], caller: Caller) -> tuple[TestRun, int]:
    """The new run, and how many recorded requests it tests. Raises FieldErrors."""
    name = f"{endpoint['method']} {endpoint['host']}{endpoint['path']}"[: fields.MAX_NAME]
    wish = {"name": name, "tags": [endpoint["id"]]}
    wanted, left = name_of(endpoint), LOOKED_AT
    for record in queries.records(None).filter(recording=False, draining=False)[:RECORDS]:
        places = _recorded(record, wanted, left)
        if places:
            order = fields.validate(NewRun, {**wish, **_as_before(record), "test_record_id": record.id})
            return services.create_run(order, caller, only=places), len(places)
        left -= record.baseline_count
    return services.create_run(fields.validate(NewRun, wish), caller), 0


def _as_before(record: TestRecord) -> dict[str, Any]:
    """How the newest run over the record signed in, if that profile is still there, and where it sent its requests."""
    before = queries.runs(None, None).filter(record_id=record.id).first()
    if before is None:
        return {}
    profile = profiles.find(before.auth_profile_id) if before.auth_profile_id else None
    return {"auth_profile_id": profile and profile.id, "target_url": before.target_url}


def _recorded(record: TestRecord, wanted: tuple[str, str], most: int) -> list[int]:
    """Where the record holds requests of the endpoint, each once: a bounded number, of those that come first in it."""
    found: dict[str, int] = {}
    last, until = 0, min(record.last_sequence, most)
    while len(found) < MOST and (rows := baseline_rows.after(record.id, last, until, _PAGE)):
        for sequence, duplicate, baseline in rows:
            key = endpoint_of(baseline.request)
            if (key.host, endpoint_name(key)) == wanted:
                found.setdefault(duplicate, sequence)
        last = rows[-1][0]
    return list(found.values())[:MOST]
