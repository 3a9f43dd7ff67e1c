"""The probe auth_claimed_lower, driven against a depot whose logins hand out a role in a cookie, which some pages believe."""

import json
from base64 import b64decode, b64encode
from http.cookies import SimpleCookie
from random import Random

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, answer_of, record

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.ranks.claimed_rights import with_written
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import TestRequest
from gatecrash.core.testing.probes.auth_claimed_lower import PROBE
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "auth_claimed_lower"]
PAYROLL = {"salaries": [{"name": "Ann Marsh", "monthly": 3120}, {"name": "Ben Frost", "monthly": 2980}]}
ROLES = {"s1-olga": "manager", "s2-ben": "driver"}
CARRIED = tuple(Point.of("header", "COOKIE", "cookie", name) for name in ("sid", "ctx"))


def context(role: str) -> str:
    return b64encode(json.dumps({"role": role, "depot": "north"}).encode()).decode()


def depot(request: Request) -> Response:
    """What stands first in the path says what a page looks at: the cookie, the session, or neither."""
    cookies = {name: each.value for name, each in SimpleCookie((request.first(b"Cookie") or b"").decode()).items()}
    place, own = request.path.decode().split("/")[1], ROLES.get(cookies.get("sid", ""), "")
    if not own:
        return Response(401)
    ctx = cookies.get("ctx", "")
    said = ctx.rpartition("|")[2] if place == "words" else str(json.loads(b64decode(ctx))["role"])
    allowed = {
        "words": said == "manager",
        "cookie": said == "manager",
        "session": own == "manager",
        "both": own == said == "manager",
        "strange": said != "driver",
        "everybody": True,
    }
    if not allowed[place]:
        return Response(403)
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(PAYROLL).encode())


def dressed(asked: TestRequest) -> Request:
    """As a node dresses it: the other's own cookies in the place of the recorded ones, then what the probe has written."""
    if asked.identity is None:
        return asked.request
    values = (
        {CARRIED[0]: b"s2-ben", CARRIED[1]: context("driver").encode()}
        if asked.identity
        else dict.fromkeys(CARRIED, b"")
    )
    return with_written(with_written(asked.request, tuple(values.items())), asked.written)


def check_at(path: str, cookie: str, *, lower: int = 0) -> Check | None:
    request = Request("GET", path.encode(), ((b"Cookie", cookie.encode()),), host="depot.test")
    known = (Identity("olga", 10), Identity("ben", lower))
    checks = plan(record(depot, request), DEFAULT, CARRIED, (PROBE,), identities=known)
    return checks[0] if checks else None


def driven(check: Check) -> Run:
    dialogue, sent = check.probe.run(check.situation(Random(1))), list[TestRequest]()
    try:
        asked = next(dialogue)
        while True:
            sent.append(asked)
            asked = dialogue.send(answer_of(depot, dressed(asked)))
    except StopIteration as end:
        return Run(check, end.value, sent)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    cookie = (case.request.first(b"Cookie") or b"").decode()
    check = check_at(case.request.path.decode(), cookie)
    verdict = driven(check).verdict if check is not None else None
    told = f"{verdict.outcome.value} {'/'.join(verdict.point)}".strip() if verdict is not None else "not asked"
    assert case.expected == (told,)


def test_a_finding_is_the_lower_ones_own_session_with_one_word_changed():
    run = driven(check_at("/cookie/payroll", f"sid=s1-olga; ctx={context('manager')}"))
    assert (run.verdict.outcome, run.verdict.cwe) == (Outcome.VULNERABLE, (565,))
    written = [asked for asked in run.sent if asked.written]
    assert {asked.identity for asked in written} == {"ben"}
    assert [value for asked in written for _, value in asked.written if value == b"manager"] == [b"manager"] * 2
    assert len(written) == 4
    told = run.verdict.proof.verified_by
    assert "With role = 'manager' written into the cookie 'ctx' (base64 of JSON) of that identity" in told


@pytest.mark.parametrize(
    ("cookie", "lower"),
    [("sid=s1-olga; theme=dark", 0), (f"sid=s1-olga; ctx={context('manager')}", 10)],
    ids=["no role", "nobody below"],
)
def test_nothing_is_asked_without_a_role_or_somebody_below(cookie: str, lower: int):
    assert (
        check_at("/everybody/payroll", cookie + ("" if "ctx" in cookie else f"; ctx={context('')}"), lower=lower)
        is None
    )
