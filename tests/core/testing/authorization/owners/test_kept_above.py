"""What is kept from the other, though not what stands below it: projects of two tenants, and roles in one that both have."""

import pytest
from tests.core.testing.probes.as_tenants import check_of, drive_as
from tests.range.place import PLACES, Place, respond

from gatecrash.core.message import Exchange
from gatecrash.core.testing.probes import idor, idor_write
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome


@pytest.mark.parametrize("place", [each for each in PLACES if each.path.startswith("/tenants-projects/")], ids=str)
def test_what_stands_below_a_project_is_its_members(place: Place) -> None:
    (request,) = place.requests
    pages = Pages()
    for each in place.beside:
        pages.add(Exchange(each, respond(each)))
    probe = idor.PROBE if request.method == "GET" else idor_write.PROBE
    check = check_of(request, probe=probe, beside=pages)
    assert check is not None
    verdict = drive_as(check, respond).verdict
    assert verdict.outcome is (Outcome.VULNERABLE if place.flaw else Outcome.SAFE), verdict.detail
