"""The probe auth_revoked, driven against a desk that hands keys out and takes them back."""

from hashlib import sha256

import orjson
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import credentials_of, drive, record

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.policy import DEFAULT, Policy
from gatecrash.core.testing.probes.auth_revoked import PROBE
from gatecrash.core.testing.surroundings.pages import Pages

CASES = [case for case in cases_of("probes") if case.file == "auth_revoked"]
JSON = ((b"Content-Type", b"application/json"),)


def answer(document: object, status: int = 200) -> Response:
    return Response(status, JSON, orjson.dumps(document))


class Desk:
    """live: the keys by their numbers. deleted: the numbers, in order."""

    def __init__(self) -> None:
        self.live: dict[str, str] = {}
        self.made = 0
        self.deleted: list[str] = []

    def __call__(self, request: Request) -> Response:
        kind, rest = request.path.decode().split("/", 2)[1:]
        if rest == "feed":
            key = (request.first(b"X-Key") or request.query.rpartition(b"=")[2] if request.query else b"") or b""
            key = request.first(b"X-Key") or key
            if kind != "anything" and key.decode() not in self.live.values():
                return answer({"error": "unknown key"}, 401)
            return answer({"rows": ["Monday", "Tuesday"], "owner": "ann"})
        if not request.first(b"Authorization"):
            return answer({"error": "sign in"}, 401)
        if request.method == "POST":
            if kind == "single" and self.made:
                return answer({"error": "you have one"}, 409)
            self.made += 1
            number = str(self.made)
            self.live[number] = sha256(f"{kind}{number}".encode()).hexdigest()[:40]
            return answer({"id": number, "secret": self.live[number]}, 201)
        number = rest.rpartition("/")[2]
        self.deleted.append(number)
        if kind in ("sound", "single", "anything"):
            self.live.pop(number, None)
        return answer({"revoked": True})


def checks_of(request: Request, desk: Desk, *, used: bool = True, policy: Policy = DEFAULT) -> list[Check]:
    """Those of what deletes a key, in a run that shows how it was made, and where it was used."""
    pages, kind = Pages(), request.path.decode().split("/")[1]

    def sent(method: str, path: str, headers: Headers = (), body: bytes = b"") -> Response:
        asked = Request(method, path.encode(), headers, body, request.scheme, request.host, request.port)
        response = desk(asked)
        pages.meet(Exchange(asked, response), visited=False)
        return response

    made = sent("POST", f"/{kind}/keys", (*request.headers, *JSON), b'{"label": "night"}')
    key = orjson.loads(made.body)["secret"]
    if used and kind == "query":
        sent("GET", f"/{kind}/feed?key={key}")
    elif used:
        sent("GET", f"/{kind}/feed", ((b"X-Key", key.encode()),))
    baseline = record(desk, request)
    makers, uses = pages.makers_of(request), pages.uses_of(request)
    return plan(baseline, policy, credentials_of(request), (PROBE,), makers=makers, uses=uses)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    desk = Desk()
    (check,) = checks_of(case.request, desk)
    run = drive(check, desk)
    assert f"{run.verdict.outcome} {run.verdict.detail}" == case.expected[0]
    assert desk.deleted.count("1") == 1, "no key that was there before is deleted"
    assert len(run.sent) <= 2 * PROBE.forecast(check.planned)


def test_nothing_is_asked_where_no_use_of_such_a_key_was_recorded():
    assert checks_of(CASES[0].request, Desk(), used=False) == []
