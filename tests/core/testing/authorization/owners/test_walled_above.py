"""A wall above what everybody who is signed in is shown, driven as two tenants."""

import pytest
from tests.core.testing.probes import as_tenants
from tests.core.testing.probes.as_tenants import drive_as
from tests.range.place import PLACES, respond

from gatecrash.core.testing.probe import Probe
from gatecrash.core.testing.probes import idor, idor_nested
from gatecrash.core.testing.verdict import Outcome

WORDS = [each for each in PLACES if each.path.startswith("/tenants-words/")]
BELOW = "/tenants-words/bill-by-its-number-alone"


def outcome(place, probe: Probe) -> Outcome:
    check = as_tenants.check_of(place.requests[0], probe=probe)
    return drive_as(check, respond).verdict.outcome


@pytest.mark.parametrize("place", [each for each in WORDS if each.path != BELOW], ids=str)
def test_a_page_is_kept_where_the_pages_above_it_are(place):
    assert outcome(place, idor.PROBE) is (Outcome.VULNERABLE if place.flaw and not place.missed else Outcome.SAFE)


@pytest.mark.parametrize("place", [each for each in WORDS if "bill" in each.path], ids=str)
def test_a_bill_stands_in_no_catalogue(place):
    assert (outcome(place, idor_nested.PROBE) is Outcome.VULNERABLE) == (place.path == BELOW)


def test_the_page_above_is_named():
    place = next(each for each in WORDS if each.path.endswith("/bill-of-every-house"))
    told = drive_as(as_tenants.check_of(place.requests[0], probe=idor.PROBE), respond).verdict.proof.verified_by
    assert (
        "/ann@example.com/bills, above it, is refused to the other, who is shown his own below 'ben@example.com'"
        in told
    )
