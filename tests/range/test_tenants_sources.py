"""What is taken from another's account is claimed, and nothing else."""

import pytest

from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor_author import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as, identities
from tests.range.place import PLACES, Place, respond

HERE = [each for each in PLACES if each.path.startswith("/tenants-sources/")]
# Where the balance tells it; everywhere else a text that is read back does.
TAKEN = {
    "/tenants-sources/tipped-from-anybodys": ("wallet_from", "takes 3 from 'P-70311'"),
    "/tenants-sources/given-by-whoever-is-named": ("from_id", "takes 3 from '7'"),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("place", HERE, ids=str)
def test_only_what_is_taken_from_anothers_account_is_claimed(place: Place, seed: int) -> None:
    (request,), pages = place.requests, Pages()
    for each in place.beside:
        pages.add(record(respond, each).exchange)
    (check,) = plan(
        record(respond, request),
        DEFAULT,
        credentials_of(request),
        (PROBE,),
        identities=identities(request),
        pages=pages.beside(request),
    )
    run = drive_as(check, respond, seed)
    assert (run.verdict.outcome is Outcome.VULNERABLE) is place.flaw
    if place.flaw:
        point, taken = TAKEN.get(place.path, ("from_account", "takes from '70311'"))
        assert run.verdict.point[-1] == point
        assert taken in run.verdict.detail


def test_without_a_list_of_accounts_nothing_is_asked() -> None:
    (request,) = HERE[0].requests
    known = identities(request)
    assert plan(record(respond, request), DEFAULT, credentials_of(request), (PROBE,), identities=known) == []
