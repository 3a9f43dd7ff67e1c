"""One vulnerability tried again: a run over the one baseline that it was found at, for its type and point only."""

import re

from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller
from gatecrash.control.api.errors import FieldErrors, problem
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.policies.mapping import whole
from gatecrash.control.testruns import baseline_rows, services
from gatecrash.control.testruns.bodies import NewRun
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.testruns.planning import policy_of
from gatecrash.core.testing.policy import LOCATIONS, Policy

POLICY_ID = "retest"


def retest(row: Vulnerability, caller: Caller) -> TestRun:
    """Begin the run. Raises FieldErrors where the record or the baseline is gone."""
    before = TestRun.objects.get(id=row.run_id)
    place = baseline_rows.sequences(before.record_id, [row.baseline_id]).get(row.baseline_id)
    if place is None:
        raise FieldErrors({"vulnerability_id": problem("not_found", row.id, message="Its baseline request is gone.")})
    wish = {
        "name": f"Retest of {row.code}",
        "test_record_id": before.record_id,
        "skip_duplicated_baselines": False,
        "rps": before.rps,
        "rps_per_baseline": before.rps_per_baseline,
        "target_url": before.target_url,
        "auth_profile_id": before.auth_profile_id,
        "tags": ["retest", row.code],
    }
    order = fields.validate(NewRun, wish)
    return services.create_run(order, caller, only=[place], policy=whole(_policy(row, policy_of(before))))


def _policy(row: Vulnerability, before: Policy) -> Policy:
    """The run's policy before, narrowed to this type and point."""
    steps = tuple(re.escape(step) for step in row.point)
    return Policy(
        id=POLICY_ID,
        name=f"Retest of {row.code}",
        types=(row.type,),
        locations=LOCATIONS if row.point else before.locations,
        include=(steps,) if row.point else (),
    )
