"""The probe auth_refresh, driven against sessions that a logout ends as a whole, and others of which it leaves something."""

import json
from itertools import count
from urllib.parse import parse_qsl

import msgspec
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, credentials_of, drive, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_refresh import PROBE
from gatecrash.core.testing.surroundings.pages import Pages

CASES = [case for case in cases_of("probes") if case.file == "auth_refresh"]
JSON = (b"Content-Type", b"application/json")
FIRST, ACCESS = "refresh-of-then-0123456789", "access-of-then-0123456789"


class Sessions:
    """Sessions with two tokens each; what a logout ends the beginning of the path says."""

    def __init__(self) -> None:
        self.numbers = count(1001)
        self.refresh = {FIRST: "s1"}
        self.access = {ACCESS: "s1"}
        self.over = set[str]()
        self.logouts = 0

    def __call__(self, request: Request) -> Response:
        _, kind, last = request.path.decode().split("/")
        if not request.first(b"Host"):
            return Response(400)
        token = (request.first(b"Authorization") or b"").decode().removeprefix("Bearer ")
        cookies = dict(parse_qsl((request.first(b"Cookie") or b"").decode(), separator="; "))
        if last == "refresh":
            sent = cookies.get("app_refresh") if request.first(b"Cookie") else json.loads(request.body)["refresh_token"]
            return self._renewed(kind, sent)
        token = cookies.get("app_access", token)
        session = self.access.get(token)
        if session is None or (kind == "opens-nothing" and session in self.over):
            return Response(401)
        if last == "me":
            return Response(200, (JSON,), b'{"name": "ann", "email": "ann@club.test"}')
        self.logouts += 1
        if kind == "once" and self.logouts > 1:
            return Response(409)
        del self.access[token]
        self.over.add(session)
        named = json.loads(request.body)["refresh_token"] if request.body else cookies.get("app_refresh", "")
        ended = {"session": session, "over": session, "named": self.refresh.get(named)}
        gone = ended.get(kind.removeprefix("cookies-"))
        self.refresh = {each: its for each, its in self.refresh.items() if its != gone}
        return Response(204)

    def _renewed(self, kind: str, sent: str) -> Response:
        session = self.refresh.get(sent) or ("s1" if kind == "any" else None)
        if session is None:
            return Response(401)
        handed = {"access_token": f"access-{next(self.numbers)}-0123456789"}
        self.access[handed["access_token"]] = session
        if kind == "rotating":
            del self.refresh[sent]
            handed["refresh_token"] = f"refresh-{next(self.numbers)}-0123456789"
            self.refresh[handed["refresh_token"]] = session
        if kind.startswith("cookie"):
            del self.refresh[sent]
            fresh = f"refresh-{next(self.numbers)}-0123456789"
            self.refresh[fresh] = session
            cookies = {"app_refresh": fresh}
            if kind.startswith("cookies"):
                cookies["app_access"] = handed.pop("access_token")
            issued = ((b"Set-Cookie", f"{name}={value}; HttpOnly".encode()) for name, value in cookies.items())
            return Response(200, (JSON, *issued), json.dumps(handed).encode())
        return Response(200, (JSON,), json.dumps(handed).encode())


def with_host(request: Request) -> Request:
    headers = ((b"Host", request.host.encode()), *request.headers)
    with_it: Request = msgspec.structs.replace(request, headers=headers)
    return with_it


def driven(request: Request, sessions: Sessions) -> Run:
    """The record: a page, an exchange of the first refresh token and the logout; the same session is alive but where it is over."""
    request = with_host(request)
    above, host, pages = request.path.rpartition(b"/")[0], request.host, Pages()
    pages.meet(record(sessions, Request("GET", above + b"/me", request.headers, host=host)).exchange, visited=False)
    in_cookie = above.startswith(b"/cookie")
    body = json.dumps({"refresh_token": FIRST}).encode() if not in_cookie else b""
    token = (b"Cookie", f"app_refresh={FIRST}".encode()) if in_cookie else JSON
    renewal = Request("POST", above + b"/refresh", (*request.headers[:1], token), body, host=host)
    pages.meet(record(sessions, renewal).exchange, visited=False)
    alive = [*sessions.refresh]
    baseline = record(sessions, request)
    if not request.path.startswith(b"/over"):
        if not in_cookie:
            sessions.refresh.setdefault(FIRST, "s1")
        sessions.refresh.update(dict.fromkeys(alive, "s1"))
        sessions.over.clear()
    makers, known = pages.makers_of(request), pages.beside(request)
    (check,) = plan(baseline, DEFAULT, credentials_of(request), (PROBE,), pages=known, makers=makers)
    run = drive(check, sessions)
    assert len(run.sent) <= check.forecast + 8
    return run


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    run = driven(case.request, Sessions())
    reason = [run.verdict.reason.value] if run.verdict.reason else []
    assert case.expected == (" ".join([run.verdict.outcome.value, *reason]),)


def test_a_recorded_token_that_is_over_is_asked_for_once_and_nobody_is_signed_out() -> None:
    (request,) = [case.request for case in CASES if case.request.path.startswith(b"/over/")]
    assert [asked.request.path for asked in driven(request, Sessions()).sent] == [b"/over/refresh"]


def test_the_logout_names_the_tokens_of_the_session_that_was_renewed() -> None:
    (request,) = [case.request for case in CASES if case.request.path.startswith(b"/unread/")]
    run = driven(request, Sessions())
    sent = [asked.request for asked in run.sent if asked.request.path.endswith(b"/logout")]
    assert all(ACCESS.encode() not in (each.first(b"Authorization") or b"") for each in sent)
    assert all(asked.raw for asked in run.sent)
    assert (run.verdict.cwe, run.verdict.detail) == ((613,), "/unread/refresh still takes its refresh token")


def test_a_logout_without_a_recorded_exchange_is_left_alone() -> None:
    (request, *_) = [case.request for case in CASES]
    assert plan(record(Sessions(), with_host(request)), DEFAULT, credentials_of(request), (PROBE,)) == []
