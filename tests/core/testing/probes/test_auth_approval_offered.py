"""The probe auth_approval_offered, driven as a manager and a member at a small site where members ask for something by a form."""

from urllib.parse import parse_qs

import pytest
from msgspec.structs import replace
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, credentials_of, record
from tests.core.testing.probes.as_tenants import OPAQUE, drive_as, told

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_approval_offered import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

MANAGER, MEMBER = OPAQUE["ida"].encode(), OPAQUE["ann"].encode()
CASES = [case for case in cases_of("probes") if case.file == "auth_approval_offered"]
KNOWN = (Identity("ida", 9), Identity("ann", 1))
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
PAGE = (b"Content-Type", b"text/html; charset=utf-8")
# How many readings of the page what was asked for waits on the site where it waits for a moment.
_MOMENT = 4


class Site:
    """Claims that members file and managers approve; the first word of an address says what becomes of it."""

    def __init__(self) -> None:
        self.state: dict[str, str] = {}
        self.read: dict[str, int] = {}
        self.approved_by: list[bytes] = []

    def __call__(self, request: Request) -> Response:
        _, kind, _, *more = request.path.decode().split("/")
        who = request.first(b"Authorization") or b""
        if who not in (MANAGER, MEMBER) and not (kind == "anybody" and more):
            return Response(302, ((b"Location", b"/login"),))
        if request.method == "GET":
            return self._page(kind, who)
        if not more:
            self.state[str(len(self.state) + 1)] = "asked for"
        elif who != MANAGER and kind == "refused":
            return Response(403)
        else:
            number = more[0] if len(more) > 1 else parse_qs(request.body.decode())["claim_id"][0]
            self._approve(kind, number, who)
        return Response(303, ((b"Location", f"/{kind}/claims".encode()),))

    def _approve(self, kind: str, number: str, who: bytes) -> None:
        if who == MANAGER or kind in ("open", "open-cleared", "open-by-field", "offered", "anybody", "scripted"):
            self.state[number] = "approved"
            self.approved_by.append(who)

    def _page(self, kind: str, who: bytes) -> Response:
        rows = []
        for number, state in self.state.items():
            self.read[number] = self.read.get(number, 0) + 1
            if kind == "open-cleared" and state == "approved":
                continue
            waits = state != "approved" and not (kind == "gone" and self.read[number] > _MOMENT)
            rows.append(
                f"<li>Claim {number} is {state}{self._form(kind, number) if waits and self._may(kind, who) else ''}</li>"
            )
        asking = f"<form method=post action='/{kind}/claims'><input name=title></form>"
        return Response(200, (PAGE,), f"<ul>{''.join(rows)}</ul>{asking}".encode())

    def _may(self, kind: str, who: bytes) -> bool:
        return who == MANAGER or kind == "offered"

    def _form(self, kind: str, number: str) -> str:
        if kind == "scripted":
            return f"<button data-claim={number}>Approve</button>"
        if kind == "open-by-field":
            field = f"<input type=hidden name=claim_id value={number}>"
            return f"<form method=post action='/{kind}/claims/approve'>{field}<button>Approve</button></form>"
        return f"<form method=post action='claims/{number}/approve'><button>Approve</button></form>"


def asked(path: str, body: bytes = b"", token: bytes = MANAGER) -> Request:
    return Request(
        "POST", path.encode(), headers=((b"Authorization", token), (b"Host", b"a"), FORM), body=body, host="a"
    )


def run_at(path: str, body: bytes = b"", *, known=KNOWN, filed: bool = True) -> tuple[Site, list[Run]]:
    """The probe at an approval, after a member has asked for something twice."""
    site, pages = Site(), Pages()
    kind = path.split("/")[1]
    for title in (b"title=train", b"title=hotel"):
        filing = record(site, asked(f"/{kind}/claims", title, MEMBER))
        if filed:
            pages.meet(filing.exchange, visited=False)
    request = asked(path, body)
    baseline = record(site, request)
    makers = pages.makers_of(request)
    checks = plan(baseline, DEFAULT, credentials_of(request), (PROBE,), identities=known, makers=makers)
    return site, [drive_as(check, site) for check in checks]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    _, runs = run_at(case.request.path.decode(), case.request.body)
    assert case.expected == tuple(map(told, runs))


def test_a_finding_is_broken_authorization_and_tells_who_approved_what():
    _, (run,) = run_at("/open/claims/1/approve")
    verdict = run.verdict
    assert (verdict.type, verdict.cwe, verdict.threat) == ("auth", (285, 840), 82)
    assert verdict.proof.test.request.first(b"Authorization") == MEMBER
    assert "'ann' asked for something by the recorded form" in verdict.proof.verified_by


def test_what_was_there_before_is_left_to_the_manager():
    site, _ = run_at("/open/claims/1/approve")
    assert site.state["2"] == "asked for"


def test_nothing_is_asked_where_no_recorded_form_asks_for_it_or_nobody_is_below():
    assert run_at("/open/claims/1/approve", filed=False)[1] == []
    assert run_at("/open/claims/1/approve", known=(KNOWN[0], replace(KNOWN[1], rank=9)))[1] == []


def test_a_refusal_costs_what_is_forecast():
    _, (run,) = run_at("/refused/claims/1/approve")
    assert run.verdict.outcome is Outcome.SAFE
    assert len(run.sent) == run.check.forecast
