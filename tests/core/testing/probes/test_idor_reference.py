"""The probe idor_reference, driven as two tenants against a shop that puts repairs to bikes."""

from functools import partial

import msgspec
import pytest
from tests.cases.case import Case
from tests.core.testing.probes import as_tenants
from tests.core.testing.probes.as_tenants import cases, drive_as, signed_in, told
from tests.range.place import PLACES, respond
from tests.range.tenants_references import BESIDE, BOOKED, REPAIR
from tests.range.tenants_store import OPAQUE, written

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probes.idor_reference import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

FLAW = "/tenants-references/put-to-anybodys"
check_of = partial(as_tenants.check_of, probe=PROBE)


def place_of(case: Case) -> str:
    return case.request.path.decode().rpartition("/")[0]


def read_before(place: str) -> Pages:
    pages = Pages()
    for each in BOOKED if "booked" in place or "bookings" in place else BESIDE:
        pages.add(Exchange(each(place), respond(each(place))))
    return pages


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("case", cases("idor_reference"), ids=str)
def test_case(case: Case, seed: int):
    place = place_of(case)
    request = msgspec.structs.replace(signed_in(case.request), host="", port=80)
    run = drive_as(check_of(request, beside=read_before(place)), respond, seed)
    assert case.expected == (told(run),)


def test_every_place_is_a_case():
    places = {each.path for each in PLACES if each.path.startswith("/tenants-references/")}
    assert places == {place_of(case) for case in cases("idor_reference")}


def test_a_finding_is_what_the_other_sent_twice_and_its_owner_reads():
    request = written("POST", "/repairs", REPAIR)(FLAW)
    run = drive_as(check_of(request, beside=read_before(FLAW)), respond)
    assert (run.verdict.type, run.verdict.cwe, run.verdict.threat) == ("idor", (639,), 65)
    assert run.verdict.proof.test.request.first(b"Authorization").decode() == OPAQUE["ben"]
    assert run.verdict.proof.control.request.path.endswith(b"/bikes/5211/repairs")
    posts = [asked for asked in run.sent if asked.request.method == "POST"]
    assert [asked.identity for asked in posts] == ["ben", "", "ben", "ben"]
    assert [b"5211" in asked.request.body for asked in posts] == [True, True, False, True]
    assert b"5212" in posts[2].request.body
    assert len({asked.request.body for asked in posts}) == 4


def test_a_sound_one_costs_what_was_forecast():
    place = "/tenants-references/put-to-ones-own"
    run = drive_as(check_of(written("POST", "/repairs", REPAIR)(place), beside=read_before(place)), respond)
    assert run.verdict.outcome is Outcome.SAFE
    assert len(run.sent) <= run.check.forecast


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/repairs", b'{"bike_id": 5211, "hours": 3}'),
        ("/repairs", b'{"bike_id": 5212, "note": "The chain is torn"}'),
        ("/repairs", b'{"bike_id": 5211, "note": "The chain is torn", "pin": "1177"}'),
        ("/repair-requests", REPAIR),
    ],
)
def test_what_has_no_text_or_no_page_or_is_for_others_is_left_alone(path: str, body: bytes):
    request = written("POST", path, body)(FLAW)
    assert check_of(request, lambda _: Response(201, (), b"{}"), beside=read_before(FLAW)) is None


def test_nothing_is_asked_where_no_page_was_read_before():
    request: Request = written("POST", "/repairs", REPAIR)(FLAW)
    assert check_of(request) is None
