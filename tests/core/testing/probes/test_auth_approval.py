"""The probe auth_approval, driven as a manager and a member at a small site where members apply for leave and put up pitches."""

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as, told
from tests.range.tenants_store import OPAQUE

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_approval import PROBE
from gatecrash.core.testing.surroundings.pages import Pages

MANAGER, MEMBER = OPAQUE["ida"].encode(), OPAQUE["ann"].encode()
CASES = [case for case in cases_of("probes") if case.file == "auth_approval"]
KNOWN = (Identity("ida", 9), Identity("ann", 1))
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
# Readings after which a job of the service approves what was applied for.
SOON = 4


class Site:
    """What was applied for, by its number: who did, and what was decided."""

    def __init__(self) -> None:
        self.made: dict[str, list[str]] = {}
        self.read: dict[str, int] = {}
        self.message = ""

    def __call__(self, request: Request) -> Response:
        _, kind, what, *more = request.path.decode().split("/")
        who = {MANAGER: "ida", MEMBER: "ann"}.get(request.first(b"Authorization") or b"", "")
        if not who and not (kind == "anybody" and more[1:] == ["approve"]):
            return led_to("/login")
        if request.method == "POST":
            return self._applied(f"/{kind}/{what}", who) if not more else self._approved(kind, what, more[0], who)
        if more == ["pending"]:
            is_let_in = who == "ida" or kind == "for-all"
            return shown(f"Pending: {len(self.made)}") if is_let_in else Response(403, (), b"managers only")
        if not more:
            own = [number for number, each in self.made.items() if each[0] == who]
            return shown("".join(f"<a href='/{kind}/{what}/{number}'>{number}</a>" for number in own))
        return self._page(kind, what, more[0], who)

    def _applied(self, place: str, who: str) -> Response:
        number = str(len(self.made) + 1)
        self.made[number] = [who, "waiting"]
        return led_to(f"{place}/{number}")

    def _approved(self, kind: str, what: str, number: str, who: str) -> Response:
        if kind == "guarded" and who != "ida":
            return Response(403, (), b"managers only")
        if kind not in ("message", "job") or who == "ida":
            self.made[number][1] = "fine" if kind == "other-words" else "approved"
        elif kind == "message":
            self.message = "Leave is approved by managers"
        return led_to(f"/{kind}/{what}/pending")

    def _page(self, kind: str, what: str, number: str, who: str) -> Response:
        whose, state = self.made.get(number, ("", ""))
        if who not in (whose, "ida"):
            return Response(404, (), b"not found")
        self.read[number] = self.read.get(number, 0) + 1
        if kind == "job" and self.read[number] >= SOON:
            self.made[number][1] = "approved"
        message, self.message = self.message, ""
        button = f"<form method=post action='/{kind}/{what}/{number}/approve'><button>Go</button></form>"
        offered = button if kind == "offered" or who == "ida" else ""
        return shown(f"<i>{message}</i><p>Applicant: {whose}</p><p>State: {state}</p>{offered}")


def shown(text: str) -> Response:
    return Response(200, ((b"Content-Type", b"text/html"),), f"<h1>Desk</h1>{text}".encode())


def led_to(target: str) -> Response:
    return Response(302, ((b"Location", target.encode()),))


def runs_at(path: str, seed: int = 1, *, is_made: bool = True) -> list[Run]:
    site, pages = Site(), Pages()
    headers = (b"Host", b"a"), FORM
    making = Request(
        "POST", path.rpartition("/1/")[0].encode(), ((b"Authorization", MEMBER), *headers), b"days=4", host="a"
    )
    exchange = record(site, making).exchange
    if is_made:
        pages.meet(exchange, visited=False)
    request = Request("POST", path.encode(), ((b"Authorization", MANAGER), *headers), b"ok=1", host="a")
    makers = pages.makers_of(request)
    checks = plan(record(site, request), DEFAULT, credentials_of(request), (PROBE,), identities=KNOWN, makers=makers)
    return [drive_as(check, site, seed) for check in checks]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_case(case: Case, seed: int):
    assert case.expected == tuple(map(told, runs_at(case.request.path.decode(), seed)))


def test_a_finding_is_broken_authorization_and_tells_what_was_read():
    (run,) = runs_at("/open/leave/1/approve")
    assert (run.verdict.type, run.verdict.cwe) == ("auth", (285,))
    assert "'State: approved'" in run.verdict.proof.verified_by
    assert run.verdict.proof.test.request.path == b"/open/leave/2/approve"


def test_what_was_there_before_is_not_touched():
    (run,) = runs_at("/open/leave/1/approve")
    assert all(b"/1/" not in each.request.path for each in run.sent)


@pytest.mark.parametrize("path", ["/open/refunds/1/approve", "/open/leave/1/close"])
def test_what_moves_money_or_approves_nothing_is_left_alone(path: str):
    assert runs_at(path) == []


def test_without_a_request_that_makes_such_things_nothing_is_asked():
    assert runs_at("/open/leave/1/approve", is_made=False) == []
