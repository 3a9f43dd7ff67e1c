"""The probe auth_fixation, driven against the range's logins over a real port."""

from base64 import b64encode

import pytest
from tests.cases.case import Case
from tests.core.testing.driving import Run, drive, record
from tests.core.testing.probes.at_range import cases, run_case
from tests.range.place import answer, posted

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_fixation import PROBE
from gatecrash.core.testing.verdict import Inconclusive

BODY = b'{"user": "ann", "password": "lamp-oil-and-rope"}'
SENT = ((b"Cookie", b"theme=dark; sid=0b5d7e21c94f4a60b1d2"),)
LOGIN = posted("/login", BODY, b"application/json", SENT)


def told(runs: list[Run]) -> str:
    if not runs:
        return "not asked"
    verdict = runs[0].verdict
    more = verdict.reason.value.replace("_", " ") if verdict.reason else "/".join(verdict.point)
    return f"{verdict.outcome.value}: {more}" if more else verdict.outcome.value


@pytest.mark.parametrize("case", cases("auth_fixation"), ids=str)
def test_case(case: Case) -> None:
    assert case.expected == (told(run_case(case.request, PROBE)),)


@pytest.mark.parametrize(
    ("request_", "answered"),
    [
        (LOGIN, Response(200, ((b"Set-Cookie", b"sid=77aa01f2c94f4a60b1d2"),), b'{"ok": true}')),
        (LOGIN, answer({"access_token": "77aa01f2c94f4a60b1d277aa01f2c94f4a60b1d2"})),
        (LOGIN, Response(401)),
        (LOGIN, Response(302, ((b"Location", b"/login?failed=1"),))),
        (posted("/login", BODY, b"application/json"), answer({"ok": True})),
        (posted("/login", BODY, b"application/json", ((b"Cookie", b"csrftoken=0b5d7e21c94f4a60b1d2"),)), answer({})),
        (posted("/orders", b'{"item": "lamp"}', b"application/json", SENT), answer({"ok": True})),
    ],
    ids=["renewed", "a token", "refused", "led back", "no cookie", "a form's token", "no login"],
)
def test_nothing_is_sent_where_the_record_shows_no_kept_session(request_: Request, answered: Response) -> None:
    assert plan(record(lambda _: answered, request_), DEFAULT, (), (PROBE,)) == []


def test_a_cookie_that_can_be_read_is_no_other_session() -> None:
    view = b"view=" + b64encode(b"columns=3;order=code 1984")
    answered = Response(302, ((b"Location", b"/home"), (b"Set-Cookie", view)))
    assert len(plan(record(lambda _: answered, LOGIN), DEFAULT, (), (PROBE,))) == 1


def test_a_login_that_is_refused_now_decides_nothing() -> None:
    def site(request: Request) -> Response:
        if request.method == "POST":
            return Response(401)
        if request.path == b"/me":
            return Response(401)
        return Response(200, ((b"Set-Cookie", b"sid=5a71c0de000000000001"),), b"{}")

    (check,) = plan(record(lambda _: answer({"ok": True}), LOGIN), DEFAULT, (), (PROBE,))
    run = drive(check, site)
    assert run.verdict.reason is Inconclusive.NO_CONTROL
    assert sum(each.request.method == "POST" for each in run.sent) == 1


class Signing:
    """Signs its cookies as Express does, which have percent codes then, and keeps a session over its login. renews: it does not."""

    def __init__(self, *, renews: bool = False) -> None:
        self.renews, self.given, self.signed_in = renews, [b"s%3A0b5d7e21c94f4a60.b1d2"], set[bytes]()

    def __call__(self, request: Request) -> Response:
        cookie = (request.first(b"Cookie") or b"").partition(b"sid=")[2]
        if request.method == "POST":
            return self._let_in(cookie)
        if request.path == b"/me":
            return answer({"user": "ann"}) if cookie in self.signed_in else Response(401)
        return answer({}) if cookie in self.given else self._handing_out(answer({}))

    def _let_in(self, cookie: bytes) -> Response:
        if self.renews or cookie not in self.given:
            led = self._handing_out(answer({"ok": True}))
            self.signed_in.add(self.given[-1])
            return led
        self.signed_in.add(cookie)
        return answer({"ok": True})

    def _handing_out(self, told: Response) -> Response:
        self.given.append(b"s%%3A5a71c0de%012d.b1d2" % len(self.given))
        return Response(told.status, (*told.headers, (b"Set-Cookie", b"sid=" + self.given[-1])), told.body)


@pytest.mark.parametrize(("renews", "expected"), [(False, "vulnerable"), (True, "safe")])
def test_a_cookie_with_percent_codes_is_planted_as_it_was_handed_out(renews: bool, expected: str) -> None:
    login = posted("/login", BODY, b"application/json", ((b"Cookie", b"sid=s%3A0b5d7e21c94f4a60.b1d2"),))
    (check,) = plan(record(lambda _: answer({"ok": True}), login), DEFAULT, (), (PROBE,))
    assert drive(check, Signing(renews=renews)).verdict.outcome.value == expected
