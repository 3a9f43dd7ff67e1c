"""The probe auth_named_session, driven against logins that hand out what is made of a name, and what is not."""

import msgspec
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import drive, record
from tests.range.place import PLACES, posted, respond
from tests.range.sessions_made import LOGIN, md5

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_named_session import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "auth_named_session"]
ACCOUNT = Response(
    200, ((b"Content-Type", b"application/json"),), b'{"name": "Ann Marsh", "phone": "+44 20 7946 0101"}'
)


def checks_of(request: Request, application=respond):
    wanted = request.path.decode()
    place = next(each for each in PLACES for one in each.requests if one.path.decode() == wanted)
    known = Pages()
    for page in place.beside:
        here = msgspec.structs.replace(page, host=request.host, port=request.port, scheme=request.scheme)
        known.add(record(application, here).exchange)
    return plan(record(application, request), DEFAULT, (), (PROBE,), pages=known.beside(request))


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_case(case: Case, seed: int):
    outcomes = [drive(check, respond, seed).verdict.outcome.value for check in checks_of(case.request)]
    assert case.expected == tuple(outcomes or ["none"])


def test_no_password_is_sent_and_no_session_of_somebody_known_is_made():
    (check,) = checks_of(CASES[0].request)
    run = drive(check, respond)
    assert {asked.request.method for asked in run.sent} == {"GET"}
    assert "three times" in run.verdict.proof.verified_by


def test_a_login_whose_session_is_chance_is_asked_nothing():
    (place,) = (each for each in PLACES if each.path.endswith("/keyed-hash-of-the-name"))
    assert checks_of(place.requests[0]) == []


def test_a_token_is_one_too_and_goes_where_tokens_went():
    token = md5("annmarsh").encode()

    def api(request: Request) -> Response:
        if request.method == "POST":
            return Response(200, ((b"Content-Type", b"application/json"),), b'{"token": "' + token + b'"}')
        return ACCOUNT if request.first(b"Authorization") == b"Bearer " + token else Response(401)

    login = posted("/login", LOGIN, b"application/json")
    known = Pages()
    known.add(record(api, Request("GET", b"/me", ((b"Authorization", b"Bearer " + token),))).exchange)
    (check,) = plan(record(api, login), DEFAULT, (), (PROBE,), pages=known.beside(login))
    verdict = drive(check, api).verdict
    assert (verdict.outcome, verdict.detail) == (Outcome.VULNERABLE, "the token is the name's MD5")


def test_the_page_nearest_to_the_login_is_asked_though_others_of_the_host_ask_about_oneself():
    """Those of other applications at the host take no session of this one."""
    token = md5("annmarsh").encode()
    bearing = ((b"Authorization", b"Bearer " + token),)

    def host(request: Request) -> Response:
        if request.method == "POST":
            return Response(200, ((b"Content-Type", b"application/json"),), b'{"token": "' + token + b'"}')
        ours = request.path.startswith(b"/shop/") and request.first(b"Authorization") == bearing[0][1]
        return ACCOUNT if ours else Response(401)

    login = posted("/shop/login", LOGIN, b"application/json")
    known = Pages()
    for number in range(9):
        known.add(record(lambda _: ACCOUNT, Request("GET", b"/app-%d/me" % number)).exchange)
    known.add(record(host, Request("GET", b"/shop/orders", bearing)).exchange)
    (check,) = plan(record(host, login), DEFAULT, (), (PROBE,), pages=known.beside(login))
    assert drive(check, host).verdict.outcome is Outcome.VULNERABLE
