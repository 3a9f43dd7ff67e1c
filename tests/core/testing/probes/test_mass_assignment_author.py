"""The probe mass_assignment_author, driven as two tenants against an API where a list says who wrote what."""

from functools import partial

import pytest
from tests.core.testing.probes import as_tenants
from tests.core.testing.probes.as_tenants import AsTenants, drive_as
from tests.range.place import respond
from tests.range.tenants_authors import UNSIGNED, ann_writes
from tests.range.tenants_store import SIGNED

from gatecrash.core.message import Response
from gatecrash.core.testing.probes.mass_assignment_author import PROBE
from gatecrash.core.testing.verdict import Outcome

JSON = (b"Content-Type", b"application/json")
check_of = partial(as_tenants.check_of, probe=PROBE)


class TestProbe(AsTenants):
    name = "mass_assignment_author"
    probe = PROBE


def test_a_finding_is_what_the_other_sent_with_a_field_more_and_its_owner_reads():
    run = drive_as(check_of(UNSIGNED("/tenants-authors/signed-by-whom-a-field-more-says")), respond)
    assert (run.verdict.type, run.verdict.cwe, run.verdict.threat) == ("mass_assignment", (915, 290, 639), 65)
    assert run.verdict.proof.test.request.first(b"Authorization").decode() == SIGNED["ben"]
    posts = [asked for asked in run.sent if asked.request.method == "POST"]
    assert [asked.identity for asked in posts] == ["ben", "ben", "", "ben"]
    assert [b'"writer_id":7' in asked.request.body for asked in posts] == [True, False, True, True]


def test_where_no_list_says_who_wrote_what_nothing_is_made():
    def application(request):
        made = b'{"id": 1}' if request.method == "POST" else b'[{"id": 1, "text": "Sow it in October"}]'
        return Response(201 if request.method == "POST" else 200, (JSON,), made)

    run = drive_as(check_of(UNSIGNED(""), application), application)
    assert run.verdict.outcome is Outcome.SAFE
    assert {asked.request.method for asked in run.sent} == {"GET"}


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/reviews", {"author_id": 7, "text": '"It shines"'}),
        ("/reviews", {"stars": 5}),
        ("/wallet/send", {"text": '"for the boat"', "amount": 5}),
        ("/entries/delete", {"text": '"It shines"'}),
    ],
    ids=["names its author", "without a text", "moves money", "deletes"],
)
def test_nothing_is_asked_of_what_names_its_author_or_may_do_harm(path, fields):
    assert check_of(ann_writes(path, **fields)(""), lambda _: Response(201, (JSON,), b'{"id": 1}')) is None


def test_alone_nothing_is_asked():
    assert check_of(UNSIGNED("/tenants-authors/signed-by-whom-a-field-more-says"), alone=True) is None
