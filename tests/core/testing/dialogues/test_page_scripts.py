"""Scripts of a page, and those that it loads, are read once each, and believed when they are served twice."""

from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import WITHOUT_NAMES

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.probes.xss_dom import PROBE
from gatecrash.core.testing.verdict import Outcome

FLOW = b"document.write(decodeURIComponent(location.hash.slice(1)))"


def site(request: Request) -> Response:
    if request.path == b"/app/main.js":
        return Response(200, ((b"Content-Type", b"application/javascript"),), FLOW)
    loading = b"<script src='/app/main.js'></script><script src='//cdn.example/x.js'></script>"
    return Response(200, ((b"Content-Type", b"text/html"),), loading)


def test_a_script_that_several_pages_load_is_told_once_and_others_hosts_are_left_alone():
    told: set = set()
    first, second = (
        plan(record(site, Request("GET", path, host="h.example")), WITHOUT_NAMES, (), (PROBE,), told=told)[0]
        for path in (b"/one", b"/two")
    )
    run = drive(first, site)
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert {each.request.path for each in run.sent} == {b"/app/main.js"}
    assert drive(second, site).sent == []


def test_a_script_that_is_served_otherwise_the_second_time_is_none():
    answers = iter([FLOW, b"document.write('x')"])

    def changing(request: Request) -> Response:
        if request.path != b"/app/main.js":
            return site(request)
        return Response(200, ((b"Content-Type", b"application/javascript"),), next(answers))

    check = plan(record(changing, Request("GET", b"/one")), WITHOUT_NAMES, (), (PROBE,))[0]
    assert drive(check, changing).verdict.outcome is Outcome.SAFE


def test_a_script_in_a_page_is_told_once_of_it_whatever_it_is_asked_with():
    def page(request: Request) -> Response:
        return Response(200, ((b"Content-Type", b"text/html"),), b"<script>" + FLOW + b"</script>")

    told: set = set()
    outcomes = []
    for target in (b"/one?a=1", b"/one?a=2", b"/two"):
        check = plan(record(page, Request("GET", target, host="h.example")), WITHOUT_NAMES, (), (PROBE,), told=told)[0]
        outcomes.append(drive(check, page).verdict.outcome)
    assert outcomes == [Outcome.VULNERABLE, Outcome.SAFE, Outcome.VULNERABLE]
