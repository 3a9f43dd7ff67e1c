"""The probe idor_password, driven as two tenants against the range over a real port."""

import json
from functools import partial
from urllib.parse import parse_qsl

import pytest
from tests.core.testing.probes import as_tenants
from tests.core.testing.probes.as_tenants import AsTenants, cases, drive_as, signed_in
from tests.range.place import respond
from tests.range.tenants_passwords import BODY, mutation
from tests.range.tenants_store import OPAQUE, SIGNED, written

from gatecrash.core.message import Response
from gatecrash.core.testing.probes.idor_password import PROBE

check_of = partial(as_tenants.check_of, probe=PROBE)


def fields_of(request):
    is_form = b"form" in request.first(b"Content-Type")
    if is_form:
        return dict(parse_qsl(request.body.decode()))
    sent = json.loads(request.body)
    return {"password": sent["variables"]["word"]} if "variables" in sent else sent


class TestProbe(AsTenants):
    name = "idor_password"
    probe = PROBE


def test_a_finding_shows_the_others_request_with_the_password_as_it_was():
    asked = written("PUT", "/users/7/password", BODY, tokens=SIGNED)("/tenants-passwords/anybody-sets")
    verdict = drive_as(check_of(asked), respond).verdict
    assert (verdict.type, verdict.cwe, verdict.threat) == ("idor", (639, 620), 92)
    assert verdict.proof.test.request.body == BODY
    assert verdict.proof.test.request.first(b"Authorization").decode() == SIGNED["ben"]


def test_no_other_password_is_ever_sent():
    for case in cases("idor_password"):
        run = drive_as(check_of(signed_in(case.request)), respond)
        bodies = [fields_of(question.request) for question in run.sent if question.request.body]
        assert {body.get("password", body.get("new_password")) for body in bodies} == {"lamp-oil-and-rope"}


def test_the_other_is_asked_for_nothing_where_the_address_decides_nothing():
    asked = written("PUT", "/users/7/password", BODY, tokens=SIGNED)("/tenants-passwords/own-whatever-is-named")
    run = drive_as(check_of(asked), respond)
    assert [question.identity for question in run.sent] == [None]


@pytest.mark.parametrize(
    "request_",
    [
        written("PUT", "/users/7/password", BODY, tokens=OPAQUE)("/x"),
        written("PUT", "/users/8/password", BODY, tokens=SIGNED)("/x"),
        written("POST", "/users/7/login", BODY, tokens=SIGNED)("/x"),
        written("PUT", "/users/7", b'{"name": "Ann"}', tokens=SIGNED)("/x"),
        written("POST", "/graphql", mutation("signIn"), tokens=SIGNED)("/x"),
        written("POST", "/graphql", mutation("changePassword").replace(b"mutation", b"query"), tokens=SIGNED)("/x"),
        written("DELETE", "/users/7", BODY, tokens=SIGNED)("/x"),
    ],
    ids=[
        "nothing says who it is",
        "another's",
        "a login",
        "no password",
        "a mutation that signs in",
        "a query",
        "deletes",
    ],
)
def test_what_else_is_left_alone(request_):
    assert check_of(request_, lambda _: Response(204)) is None
