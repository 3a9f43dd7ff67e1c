"""The probe auth_logout, driven against logouts that end sessions, and others that only say so."""

import msgspec
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import credentials_of, drive, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_logout import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "auth_logout"]
ENDING = ("ended", "over", "cleared")
# Delete the browser's cookie; `old-token` and `worn-token` do so with a token that is good for the first time or two.
TAKING_BACK = {"cleared": 9, "signed": 9, "old-token": 1, "worn-token": 2}


class Doors:
    """Sessions that live until a logout ends them; which one does, the beginning of the path says."""

    def __init__(self) -> None:
        self.alive = True
        self.logouts = self.asked = 0

    def __call__(self, request: Request) -> Response:
        kind = request.path.decode().split("/")[1]
        signed_in = any(request.first(name) for name in (b"Cookie", b"Authorization", b"X-Auth-Token"))
        if request.path.endswith(b"logout"):
            self.logouts += 1
            self.alive = self.alive and kind not in ENDING and (kind != "racing" or self.logouts < 3)
            refused = kind == "refusing" and self.logouts > 1
            taken = ((b"Set-Cookie", b"session-token=; Max-Age=0"),) if self.logouts <= TAKING_BACK.get(kind, 0) else ()
            return Response(403) if refused else Response(302, ((b"Location", b"/login"), *taken))
        self.asked += 1
        if kind == "wavering" and self.asked > 4:
            signed_in = not signed_in
        if kind != "open" and not (signed_in and self.alive):
            return Response(401)
        return Response(200, ((b"Content-Type", b"application/json"),), b'{"name": "ann", "email": "ann@club.test"}')


def about_oneself(request: Request) -> Request:
    return msgspec.structs.replace(request, method="GET", target=request.path.rpartition(b"/")[0] + b"/me", body=b"")


def checks_of(request: Request, doors: Doors, *, pages: bool = True):
    known = Pages()
    if pages:
        known.add(record(doors, about_oneself(request)).exchange)
    baseline = record(doors, request)
    doors.alive = not request.path.startswith(b"/over")
    return plan(baseline, DEFAULT, credentials_of(request), (PROBE,), pages=known.beside(request))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    doors = Doors()
    (check,) = checks_of(case.request, doors)
    run = drive(check, doors)
    reason = [run.verdict.reason.value] if run.verdict.reason else []
    assert case.expected == (" ".join([run.verdict.outcome.value, *reason]),)
    assert len(run.sent) <= check.forecast + 3


@pytest.mark.parametrize("ends", [False, True])
def test_a_form_is_sent_with_the_token_that_its_session_is_handed_now(ends: bool):
    alive = True

    def site(request: Request) -> Response:
        nonlocal alive
        if request.method == "POST":
            if not request.body.endswith(b"=token-of-now") and alive:
                return Response(419)
            alive = alive and not ends
            taken = (b"Set-Cookie", b"session-token=; Max-Age=0")
            return Response(302, ((b"Location", b"/"), taken))
        if not (alive and request.first(b"Cookie")):
            return Response(302, ((b"Location", b"/login"),))
        form = b'<form action="/logout"><input type="hidden" name="_token" value="token-of-now"></form>'
        return Response(200, ((b"Content-Type", b"text/html"),), b"<p>Ann Marsh</p><p>ann@club.test</p>" + form)

    headers = ((b"Cookie", b"session-token=4f6d1c0e9b2a7d35"), (b"Content-Type", b"application/x-www-form-urlencoded"))
    request = Request("POST", b"/logout", headers, b"_token=token-of-now")
    known = Pages()
    for path in (b"/login", b"/me"):
        known.add(record(site, msgspec.structs.replace(about_oneself(request), target=path)).exchange)
    baseline = record(site, request)
    alive, recorded = True, msgspec.structs.replace(request, body=b"_token=token-of-then")
    baseline = msgspec.structs.replace(baseline, exchange=msgspec.structs.replace(baseline.exchange, request=recorded))
    (check,) = plan(baseline, DEFAULT, credentials_of(request), (PROBE,), pages=known.beside(request))
    assert drive(check, site).verdict.outcome is (Outcome.SAFE if ends else Outcome.VULNERABLE)


def test_every_question_carries_the_recorded_credentials_as_they_are():
    doors = Doors()
    (check,) = checks_of(CASES[0].request, doors)
    run = drive(check, doors)
    assert all(asked.raw for asked in run.sent)
    assert run.verdict.cwe == (613,)
    assert "GET /cookie-only/me" in run.verdict.detail


def test_a_session_that_the_recorded_logout_has_ended_is_not_signed_out_again():
    doors = Doors()
    (request,) = [case.request for case in CASES if case.request.path.startswith(b"/over/")]
    (check,) = checks_of(request, doors)
    drive(check, doors)
    assert doors.logouts == 1


@pytest.mark.parametrize(
    "request_",
    [
        Request("GET", b"/cookie-only/logout"),
        Request("POST", b"/cookie-only/logout", ((b"Authorization", b"Basic YW5uOnNlc2FtZQ=="),)),
        Request("POST", b"/stateless/api/logout", ((b"X-Api-Key", b"3f9a0c77de114b02"),)),
        Request("GET", b"/cookie-only/logout?csrf_token=77ab", ((b"Cookie", b"session-token=3f9a0c77de114b02"),)),
        Request("POST", b"/cookie-only/orders", ((b"Cookie", b"session-token=3f9a0c77de114b02"),)),
    ],
    ids=["nobody", "a password", "a key", "a one-time token", "no logout"],
)
def test_nothing_else_is_tried(request_: Request):
    assert checks_of(request_, Doors()) == []


def test_a_page_that_asks_whether_one_means_it_is_no_logout():
    def asking(_request: Request) -> Response:
        return Response(200, ((b"Content-Type", b"text/html"),), b"<p>Sign out?</p><form method=post></form>")

    request = CASES[0].request
    known = Pages()
    known.add(record(Doors(), about_oneself(request)).exchange)
    pages = known.beside(request)
    assert plan(record(asking, request), DEFAULT, credentials_of(request), (PROBE,), pages=pages) == []
    assert plan(record(Doors(), request), DEFAULT, credentials_of(request), (PROBE,), pages=pages) != []
    assert checks_of(request, Doors(), pages=False) == []


def test_a_logout_is_asked_for_by_no_other_probe_of_its_type():
    checks = plan(record(Doors(), CASES[0].request), DEFAULT, credentials_of(CASES[0].request))
    assert [check.probe.name for check in checks if check.probe.type == "auth"] == []
