"""The probe idor_author, driven as two tenants against an API where what is written says who wrote it."""

from functools import partial

import pytest
from tests.core.testing.probes import as_tenants
from tests.core.testing.probes.as_tenants import AsTenants, drive_as
from tests.range.place import respond
from tests.range.tenants_authors import REVIEW, ann_writes
from tests.range.tenants_store import SIGNED

from gatecrash.core.message import Response
from gatecrash.core.testing.probes.idor_author import PROBE
from gatecrash.core.testing.verdict import Outcome

check_of = partial(as_tenants.check_of, probe=PROBE)


class TestProbe(AsTenants):
    name = "idor_author"
    probe = PROBE


def test_a_finding_is_what_the_other_sent_twice_and_its_owner_reads():
    run = drive_as(check_of(ann_writes("/reviews", **REVIEW)("/tenants-authors/the-author-as-sent")), respond)
    assert (run.verdict.type, run.verdict.cwe, run.verdict.threat) == ("idor", (639, 290), 65)
    assert run.verdict.proof.test.request.first(b"Authorization").decode() == SIGNED["ben"]
    assert run.verdict.proof.control.request.method == "GET"
    posts = [asked for asked in run.sent if asked.request.method == "POST"]
    assert [asked.identity for asked in posts] == ["ben", "", "ben"]
    assert len({asked.request.body for asked in posts}) == 3
    assert all(
        b'"author_id": 7' in asked.request.body and b"It shines all night " in asked.request.body for asked in posts
    )


def test_what_anybody_makes_without_credentials_is_told_elsewhere():
    made: list[bytes] = []

    def application(request):
        if request.method == "POST":
            made.append(request.body)
            return Response(201, ((b"Content-Type", b"application/json"),), b'{"id": 1}')
        return Response(200, ((b"Content-Type", b"application/json"),), b"[" + b",".join(made) + b"]")

    run = drive_as(check_of(ann_writes("/reviews", **REVIEW)(""), application), application)
    assert run.verdict.outcome is Outcome.SAFE
    assert "without credentials" in run.verdict.detail


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/tasks", {"user_id": 7, "title": '"Sweep the hall"'}),
        ("/reviews", {"author_id": 8, "text": '"It shines"'}),
        ("/reviews", {"author_id": 7, "stars": 5}),
        ("/reviews/delete", {"author_id": 7, "text": '"It shines"'}),
        ("/members", {"recipient_id": 7, "text": '"It shines"'}),
    ],
)
def test_nothing_is_asked_where_the_field_is_anothers_or_names_no_author(path, fields):
    assert check_of(ann_writes(path, **fields)(""), lambda _: Response(200, body=b"{}")) is None


def test_alone_nothing_is_asked():
    request = ann_writes("/reviews", **REVIEW)("/tenants-authors/the-author-as-sent")
    assert check_of(request, alone=True) is None
