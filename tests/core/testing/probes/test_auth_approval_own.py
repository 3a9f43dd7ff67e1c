"""The probe auth_approval_own, driven as a manager and a member at an API where members ask for things."""

import json

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, credentials_of, record
from tests.core.testing.probes.as_tenants import changes_of, drive_as, told
from tests.range.tenants_store import OPAQUE

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.makers import Makers
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_approval_own import PROBE

MANAGER, MEMBER = OPAQUE["ida"].encode(), OPAQUE["ann"].encode()
CASES = [case for case in cases_of("probes") if case.file == "auth_approval_own"]
KNOWN = (Identity("ida", 9), Identity("ann", 1))
JSON = (b"Content-Type", b"application/json")
# Readings after which a job of the service approves what was asked for.
SOON = 4


class Desk:
    """What was asked for, by its number: by whom, and its state. The first word of the path says who may approve."""

    def __init__(self) -> None:
        self.made: dict[int, list[str]] = {70110: ["ann", "submitted"]}
        self.read = 0

    def __call__(self, request: Request) -> Response:
        _, kind, _, *more = request.path.decode().split("/")
        who = {MANAGER: "ida", MEMBER: "ann"}.get(request.first(b"Authorization") or b"", "")
        if not who and not (kind == "anybody" and more):
            return answer(401, {"error": "sign in"})
        if request.method == "POST" and not more:
            number = max(self.made) + 1
            self.made[number] = [who, "approved" if kind == "at-once" else "submitted"]
            return answer(201, self._shown(kind, number))
        if request.method == "GET":
            return self._read(kind, more, who)
        number, sent = int(more[0]), json.loads(request.body or b"{}")
        if number not in self.made or (kind == "refused" and who != "ida"):
            return answer(403, {"error": "managers only"})
        if "title" not in sent and (kind != "four-eyes" or who == "ida"):
            self.made[number][1] = "approved"
        return answer(200, {**self._shown(kind, number), "state": "approved"})

    def _read(self, kind: str, more: list[str], who: str) -> Response:
        self.read += 1
        if kind == "job" and self.read % SOON == 0:
            self.made[max(self.made)][1] = "approved"
        own = [number for number, (whose, _) in self.made.items() if who in (whose, "ida")]
        if not more:
            return answer(200, [self._shown(kind, number) for number in own])
        found = int(more[0]) in own and kind != "listed"
        return answer(200, self._shown(kind, int(more[0]))) if found else answer(404, {"error": "not found"})

    def _shown(self, kind: str, number: int) -> dict[str, object]:
        whose, state = self.made[number]
        return {"id": number, "of": whose, "purpose": "a saw", **({} if kind == "silent" else {"state": state})}


def answer(status: int, document: object) -> Response:
    return Response(status, (JSON,), json.dumps(document).encode())


def runs_of(asked: Request, *, known: tuple[Identity, ...] = KNOWN, is_made: bool = True) -> tuple[Desk, list[Run]]:
    desk, makers = Desk(), Makers()
    place = b"/".join(asked.path.split(b"/")[:3])
    making = Request("POST", place, (JSON, (b"Authorization", MEMBER)), b'{"purpose": "a saw"}', host="a")
    if is_made:
        makers.see(record(desk, making).exchange)
    headers = (JSON, (b"Authorization", MANAGER))
    request = Request(asked.method, asked.path, headers, asked.body, host="a")
    changes = changes_of(desk, request, makers)
    checks = plan(
        record(desk, request), DEFAULT, credentials_of(request), (PROBE,),
        identities=known, makers=makers.confirmed(request), renewal=changes,
    )  # fmt: skip
    return desk, [drive_as(check, desk) for check in checks]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    desk, runs = runs_of(case.request)
    assert case.expected == (tuple(map(told, runs)) or ("not asked",))
    assert desk.made[70110][1] == "submitted", "nothing that was there before is approved"


def test_a_finding_tells_what_was_read_and_shows_the_lower_ones_request() -> None:
    _, (run,) = runs_of(CASES[0].request)
    assert (run.verdict.cwe, run.verdict.threat) == ((285, 840), 84)
    assert run.verdict.proof.test.request.first(b"Authorization") == MEMBER
    assert "'state' is 'approved' there now. Twice." in run.verdict.proof.verified_by


def test_nothing_is_asked_where_nobody_is_lower_or_nothing_tells_how_it_is_asked_for() -> None:
    assert not runs_of(CASES[0].request, known=(KNOWN[0], Identity("ann", 9)))[1]
    assert not runs_of(CASES[0].request, is_made=False)[1]
