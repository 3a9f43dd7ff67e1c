"""The probe idor_write, driven as two tenants against the range's objects over a real port."""

import json
from functools import partial

import pytest
from tests.core.testing.probes import as_tenants
from tests.core.testing.probes.as_tenants import AsTenants, cases, drive_as, signed_in
from tests.range.place import respond
from tests.range.tenants_store import OPAQUE, written
from tests.range.tenants_writes import BODY, NOTE, note

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.probes.idor_write import PROBE
from gatecrash.core.testing.verdict import Inconclusive

check_of = partial(as_tenants.check_of, probe=PROBE)


class TestProbe(AsTenants):
    name = "idor_write"
    probe = PROBE


def test_a_finding_shows_the_others_write_and_the_owner_has_his_text_back():
    run = drive_as(check_of(written("PUT", "/orders/31", BODY)("/tenants-writes/anybody-writes")), respond)
    verdict = run.verdict
    assert (verdict.type, verdict.cwe, verdict.threat) == ("idor", (639,), 88)
    assert verdict.proof.test.request.first(b"Authorization").decode() == OPAQUE["ben"]
    assert json.loads(verdict.proof.test.request.body).keys() == json.loads(BODY).keys()
    assert note("anybody_writes", "31", "ann") == NOTE
    assert "by hand" not in verdict.proof.verified_by


def test_a_mark_stands_in_one_text_and_nothing_else_of_the_body_changes():
    run = drive_as(check_of(written("PUT", "/orders/31", BODY)("/tenants-writes/owners-write")), respond)
    (sent,) = [question.request for question in run.sent if question.request.method == "PUT"]
    changed = json.loads(sent.body)
    assert changed.pop("note") != NOTE
    assert changed == {"urgent": True}


@pytest.mark.parametrize("place", ["everybody-has-one-of-that-number", "a-wiki", "never-read-back"])
def test_nothing_is_written_where_nothing_says_whose_it_is_or_it_cannot_be_read(place):
    (case,) = [case for case in cases("idor_write") if f"/{place}/" in case.request.target.decode()]
    run = drive_as(check_of(signed_in(case.request)), respond)
    assert {question.request.method for question in run.sent} == {"GET"}


@pytest.mark.parametrize(
    "request_",
    [
        written("DELETE", "/orders/31", BODY)("/x"),
        written("PUT", "/orders", BODY)(""),
        written("PUT", "/users/7/password", BODY)("/x"),
        written("PUT", "/orders/31", b'{"price": 5}')("/x"),
    ],
)
def test_what_deletes_names_no_object_or_sends_no_text_is_left_alone(request_):
    assert check_of(request_, lambda _: Response(200, (), b"{}")) is None


def test_a_limiter_makes_it_inconclusive_at_once():
    check = check_of(written("PUT", "/orders/31", BODY)("/tenants-writes/anybody-writes"))
    run = drive_as(check, lambda _: Response(429))
    assert (run.verdict.reason, len(run.sent)) == (Inconclusive.RATE_LIMITED, 1)


def test_what_is_done_or_not_is_written_as_the_contrary_and_put_back():
    state = {"id": 31, "done": False, "owner": "ann"}

    def cards(request: Request) -> Response:
        if not request.first(b"Authorization"):
            return Response(401)
        if request.method == "PUT":
            state["done"] = json.loads(request.body)["done"]
        elif request.first(b"Authorization").decode() != OPAQUE["ann"]:
            return Response(404)
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(state).encode())

    run = drive_as(check_of(written("PUT", "/cards/31", b'{"done": false}')("/x"), cards), cards)
    assert (run.verdict.threat, run.verdict.detail) == (88, "'ben' writes 'done'")
    assert [json.loads(each.request.body)["done"] for each in run.sent if each.request.method == "PUT"] == [
        True,
        False,
        False,
    ]
    assert "by hand" not in run.verdict.proof.verified_by
