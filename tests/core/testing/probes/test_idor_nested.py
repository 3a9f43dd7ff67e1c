"""The probe idor_nested, driven as two tenants against the range's API over a real port."""

from functools import partial

import pytest
from tests.core.testing.probes import as_tenants
from tests.core.testing.probes.as_tenants import AsTenants, drive_as
from tests.range.place import PLACES, respond
from tests.range.tenants_store import OPAQUE, SIGNED, asked

from gatecrash.core.message import Exchange
from gatecrash.core.testing.probes.idor_nested import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

PLACE = "/tenants-below/account-is-looked-at-alone"
NAMED = asked("/accounts/7/orders/31", tokens=SIGNED)(PLACE)
check_of = partial(as_tenants.check_of, probe=PROBE)


class TestProbe(AsTenants):
    name = "idor_nested"
    probe = PROBE


def test_a_finding_shows_the_others_own_address_and_the_owners_object():
    verdict = drive_as(check_of(NAMED), respond).verdict
    assert verdict.proof.test.request.path.endswith(b"/accounts/8/orders/31")
    assert verdict.proof.test.request.first(b"Authorization").decode() == SIGNED["ben"]
    assert verdict.proof.control.response.body == verdict.proof.test.response.body


def test_where_the_other_is_let_in_as_recorded_nothing_more_is_asked():
    check = check_of(NAMED)
    assert len(drive_as(check, lambda _: check.baseline.response).sent) == 1


@pytest.mark.parametrize(
    ("path", "tokens"), [("/accounts/9/orders/31", SIGNED), ("/orders/31", SIGNED), ("/accounts/7/orders/31", OPAQUE)]
)
def test_what_stands_below_nothing_of_ones_own_is_left_alone(path, tokens):
    good = respond(NAMED)
    assert check_of(asked(path, tokens=tokens)(PLACE), lambda _: good) is None


def pages_of(place) -> Pages:
    pages = Pages()
    for request in place.beside:
        pages.add(Exchange(request, respond(request)))
    return pages


@pytest.mark.parametrize("place", [each for each in PLACES if each.path.startswith("/tenants-teams/")], ids=str)
def test_what_stands_above_may_be_known_by_a_list_alone(place):
    (request,) = place.requests
    run = drive_as(check_of(request, beside=pages_of(place)), respond)
    assert run.verdict.outcome is (Outcome.VULNERABLE if place.flaw else Outcome.SAFE), run.verdict.detail
    assert check_of(request) is None
