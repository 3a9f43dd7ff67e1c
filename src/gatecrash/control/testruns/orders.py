"""What a node is told to do with a run."""

import hmac
import logging

import msgspec
from django.conf import settings

from gatecrash.control.accounts.models import Client
from gatecrash.control.inventory import queries as inventory
from gatecrash.control.profiles import queries as profiles
from gatecrash.control.testruns import starting, surveying
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.control.testruns.planning import policy_of
from gatecrash.control.vault import CannotOpen
from gatecrash.core.errors import InvalidProfile
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.run import ACTIVE, State
from gatecrash.wire.session import Config, RunOrder

log = logging.getLogger(__name__)

_AT_WORK = frozenset(state.value for state in ACTIVE)


def may_send(row: TestRun) -> bool:
    """Whether test requests of the run may be sent now; one switch stops all tests of a client (decisions 11)."""
    return row.state == State.RUNNING and not Client.objects.filter(id=row.client_id, tests_stopped=True).exists()


def of_run(row: TestRun) -> RunOrder:
    """The wanted state of a run. Without the profile that it signs in by nothing is sent at all."""
    profile = _profile(row)
    may = may_send(row) and (profile is not None or not (row.auth_profile_id or row.recorded))
    return RunOrder(
        run_id=row.id,
        generation=row.generation,
        record_id=row.record_id,
        recording=row.recording,
        sending=may,
        policy=policy_of(row),
        rps=row.rps,
        rps_per_baseline=row.rps_per_baseline,
        stop_on_first_fail=row.stop_on_first_fail,
        target_url=row.target_url,
        marker_key=marker_key(row.id),
        profile=profile,
        each_identical=not row.skip_duplicated_baselines,
        credential_headers=tuple(row.credential_headers),
    )


def _profile(row: TestRun) -> AuthProfile | None:
    """How the run signs in, for the node that runs it and only while it does; None, too, where it cannot be read."""
    if row.state not in _AT_WORK:
        return None
    try:
        if not row.auth_profile_id:
            return surveying.users(row)
        found = profiles.profile(row.auth_profile_id)
        return found and surveying.completed(found, row)
    except (CannotOpen, InvalidProfile):
        log.exception("test run %s: its auth profile %s cannot be read", row.id, row.auth_profile_id or "of its record")
        return None


def of_record(row: TestRecord) -> RunOrder:
    """The wanted state of a record that is made without a run: recorded, or read from an address, under the record's own identifier."""
    start, profile, may = starting.order_of(row)
    return RunOrder(
        run_id=row.id,
        generation=1,
        record_id=row.id,
        recording=row.recording and start is None,
        sending=may,
        policy=DEFAULT,
        marker_key=b"" if start is None else marker_key(row.id),
        profile=profile,
        start=start,
    )


def marker_key(run_id: str) -> bytes:
    """The key that signs a run's markers; made from the installation's secret, so that no row has to keep it."""
    return hmac.digest(settings.SECRET_KEY.encode(), b"gatecrash marker of " + run_id.encode(), "sha256")


def config(client_id: str) -> Config:
    """The configuration of detection, with the marker keys of the client's runs and readings at work."""
    plain = inventory.client_config(client_id)
    active = TestRun.objects.filter(state__in=[state.value for state in ACTIVE]).values_list("id", flat=True)
    read = TestRecord.objects.filter(recording=True, recorder="").exclude(start=None).values_list("id", flat=True)
    return msgspec.structs.replace(plain, marker_keys={each: marker_key(each) for each in (*active, *read)})
