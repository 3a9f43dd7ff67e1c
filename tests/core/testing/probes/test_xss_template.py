"""The probe for templates in the browser, driven against the range's places over a real port."""

from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import WITHOUT_NAMES, AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.policy import QUICK
from gatecrash.core.testing.probes.xss_template import PROBE
from gatecrash.core.testing.verdict import Outcome

HTML = (b"Content-Type", b"text/html")
SEARCH = Request("GET", b"/search?q=tea")
APPLICATION = "<script src=/angular.min.js></script><div ng-app>{}</div>"


def served(text: str, *headers: tuple[bytes, bytes], status: int = 200) -> Response:
    return Response(status, (HTML, *headers), APPLICATION.format(text).encode())


class TestProbe(AtRange):
    name = "xss_template"
    probe = PROBE

    @property
    def check(self) -> Check:
        page = served("tea")
        return plan(record(lambda _: page, self.found), WITHOUT_NAMES, (), (PROBE,))[0]


def test_pages_without_a_template_are_asked_nothing():
    pages = [
        Response(200, (HTML,), b"<p>tea</p>"),
        served("tea", status=404),
        Response(200, ((b"Content-Type", b"application/json"),), APPLICATION.encode()),
    ]
    assert [plan(record(lambda _, page=page: page, SEARCH), WITHOUT_NAMES, (), (PROBE,)) for page in pages] == [[]] * 3
    assert plan(record(lambda _: served("tea"), SEARCH), QUICK, (), (PROBE,)) == []


def test_a_page_that_does_not_show_its_value_costs_one_request():
    (check,) = plan(record(lambda _: served("tea"), SEARCH), WITHOUT_NAMES, (), (PROBE,))
    assert len(drive(check, lambda _: served("tea")).sent) == check.forecast == 1


def test_a_policy_that_forbids_inline_scripts_is_enough():
    def answer(request: Request) -> Response:
        return served((request.query or b"").decode(), (b"Content-Security-Policy", b"script-src 'self'"))

    (check,) = plan(record(answer, SEARCH), WITHOUT_NAMES, (), (PROBE,))
    assert drive(check, answer).verdict.outcome is Outcome.SAFE
