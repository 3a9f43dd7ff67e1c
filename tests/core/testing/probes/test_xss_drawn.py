"""The probe xss_drawn: what a request keeps, and the script of another page writes as markup."""

import json

import pytest
from tests.cases.case import Case
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import cases
from tests.core.testing.probes.told import told
from tests.range.place import respond

from gatecrash.core.message import Request, Response, reading
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, QUICK
from gatecrash.core.testing.probes.xss_drawn import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Inconclusive, Outcome

JSON, HTML = (b"Content-Type", b"application/json"), (b"Content-Type", b"text/html")
LIST = b"<script src=/board.js></script><script>ask('query all { notes { title } }')</script>"
SCRIPT = b"const ask = q => fetch('/graphql', {body: q}).then(r => r.json()).then(a => { box.innerHTML = `<b>${a.title}</b>`; })"
CREATE = Request(
    "POST",
    b"/graphql",
    (JSON,),
    b'{"query": "mutation($t: String) { addNote(title: $t) { id } }", "variables": {"t": "tea"}}',
)


def checks(application, request, *reads, policy=DEFAULT):
    """The probe's checks of a request, with these pages known."""
    pages = Pages()
    for each in reads:
        pages.add(record(application, each).exchange)
    return plan(record(application, request), policy, (), (PROBE,), pages=pages.beside(request))


def case_checks(request: Request):
    reads = (reading(request, request.path + name) for name in (b"/list", b"/notes"))
    return checks(respond, request, *reads)


@pytest.mark.parametrize("case", cases("xss_drawn"), ids=str)
def test_case(case: Case):
    assert case.expected == tuple(told(drive(check, respond)).strip() for check in case_checks(case.request))


class Board:
    """GraphQL, a page, and the script that it loads, which asks for all notes."""

    def __init__(self, script: bytes = SCRIPT) -> None:
        self.script, self.title = script, "tea"

    def __call__(self, request: Request) -> Response:
        if request.path == b"/list":
            return Response(200, (HTML,), LIST)
        if request.path == b"/board.js":
            return Response(200, ((b"Content-Type", b"text/javascript"),), self.script)
        asked = json.loads(request.body)
        if "addNote" in asked["query"]:
            self.title = asked["variables"]["t"]
            return Response(200, (JSON,), b'{"data": {"addNote": {"id": 1}}}')
        return Response(200, (JSON,), json.dumps({"data": {"notes": [{"title": self.title}]}}).encode())


@pytest.mark.parametrize("seed", range(3))
def test_a_query_that_the_script_has_as_a_whole_is_asked(seed):
    application = Board()
    check = checks(application, CREATE, Request("GET", b"/list"))[-1]
    verdict = drive(check, application, seed).verdict
    assert (verdict.outcome, verdict.point[-1]) == (Outcome.VULNERABLE, "t")
    assert "'/list'" in verdict.proof.verified_by
    assert verdict.proof.test.request.path == b"/graphql"


@pytest.mark.parametrize(
    ("asked", "outcome"),
    [
        ("ask(`query Notes($like: String) { notes(like: $like) { title } }`)", Outcome.VULNERABLE),
        ('ask(`query { notes(like: "${word}") { title } }`)', Outcome.VULNERABLE),
        ("ask(`query Note($id: ID!) { note(id: $id) { title } }`)", Outcome.SAFE),
    ],
)
def test_a_query_whose_filters_may_be_left_empty_is_asked(asked, outcome):
    application = Board(SCRIPT + b";" + asked.encode())
    page = b"<script src=/board.js></script>"
    check = checks(application, CREATE, Request("GET", b"/list"))[-1]
    seen = drive(
        check, lambda request: Response(200, (HTML,), page) if request.path == b"/list" else application(request)
    )
    assert seen.verdict.outcome is outcome


def test_a_page_that_draws_nothing_is_read_once():
    application = Board(b"box.textContent = a.title")
    first, again = (checks(application, CREATE, Request("GET", b"/list"))[-1] for _ in range(2))
    assert [each.request.path for each in drive(first, application).sent] == [b"/list", b"/board.js"]
    again.memory.told.update(first.memory.told)
    assert drive(again, application).sent == []


def test_where_two_addresses_may_have_the_member_nobody_knows_which_is_drawn():
    page = b"<script>fetch('/api/teas'); fetch('/api/pots'); box.innerHTML = `<b>${x.name}</b>`</script>"
    kept = ["tea"]

    def application(request: Request) -> Response:
        if request.path == b"/list":
            return Response(200, (HTML,), page)
        if request.method == "POST":
            kept[0] = json.loads(request.body)["name"]
        return Response(
            200, (JSON,), json.dumps([{"name": kept[0] if request.path == b"/api/teas" else "pot"}]).encode()
        )

    def verdict(*reads: bytes):
        request = Request("POST", b"/api/teas", (JSON,), b'{"name": "tea"}')
        (check,) = checks(application, request, *(Request("GET", each) for each in (b"/list", *reads)))
        return drive(check, application).verdict.outcome

    assert verdict(b"/api/teas") is Outcome.VULNERABLE
    assert verdict(b"/api/teas", b"/api/pots") is Outcome.SAFE


def test_without_a_page_or_for_a_quick_look_nothing_is_asked():
    application = Board()
    assert checks(application, CREATE) == []
    assert checks(application, CREATE, Request("GET", b"/list"), policy=QUICK) == []


def test_a_limiter_makes_it_inconclusive():
    check = checks(Board(), CREATE, Request("GET", b"/list"))[-1]
    assert drive(check, lambda _: Response(429)).verdict.reason is Inconclusive.RATE_LIMITED
