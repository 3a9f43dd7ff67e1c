"""The probe mass_assignment_page, driven against sites whose forms keep whatever is sent, and others that keep their own fields."""

import re
from itertools import count
from urllib.parse import parse_qsl

import msgspec
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import credentials_of, drive, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.mass_assignment_page import PROBE
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "mass_assignment_page"]
HTML = ((b"Content-Type", b"text/html"),)
MEMBER = {"mail": "ann@guild.test", "town": "Oakham", "role": "member", "isStaff": ""}


FORMS = {
    "prefixed": lambda name: name.removeprefix("f_") if name.startswith("f_") else "",
    "titled": lambda name: name[0].lower() + name[1:] if name[0].isupper() else "",
}


def within(name: str) -> str:
    return name.removeprefix("member[").rstrip("]")


def fields(request: Request) -> list[tuple[str, str]]:
    """What a form sends; in parts as what stands between them."""
    if b"multipart" not in request.first(b"Content-Type"):
        return parse_qsl(request.body.decode(), True)
    return re.findall(r'; name="([^"]+)"\r\n\r\n([^\r]*)\r\n', request.body.decode())


class Site:
    """One member's page and the form that changes it; what it keeps, the beginning of the path says."""

    def __init__(self) -> None:
        self.member, self.turns = dict(MEMBER), count()

    def __call__(self, request: Request) -> Response:
        kind = request.path.decode().split("/")[1]
        if not request.first(b"Cookie"):
            return Response(302, ((b"Location", b"/login"),))
        if kind == "broken" and self.member["role"] == "admin" and request.method == "GET":
            return Response(429)
        if request.method == "GET":
            return self._page(kind, self.member)
        sent = {FORMS.get(kind, within)(name): value for name, value in fields(request)}
        if kind == "repeating":
            return self._page(kind, {**self.member, **sent})
        mine = ("mail", "town") if kind in ("listing", "moving", "team", "picky") else MEMBER
        self.member |= {name: value for name, value in sent.items() if name in mine}
        return Response(302, ((b"Location", b"/%s/profile" % kind.encode()),))

    def _page(self, kind: str, member: dict[str, str]) -> Response:
        role = "admin" if kind == "moving" and next(self.turns) % 2 else member["role"]
        fields = "".join(f'<input name="{name}" value="{member[name]}">' for name in ("mail", "town"))
        told = {
            "flagged": f"<td>Staff: {'yes' if member['isStaff'] else 'no'}</td>",
            "team": "<p>Role: member</p><h2>Bert</h2><p>Role: admin</p><h2>Cora</h2><p>Role: member</p>",
            "hushed": "" if role == "admin" else f"<p>Role: {role}</p>",
            "unlabelled": f"<p>You are a {role} of the guild.</p>",
        }.get(kind, f"<p>Your role: {role}</p>")
        return Response(200, HTML, f"<html><form>{'' if kind == 'apart' else fields}</form>{told}</html>".encode())


def checks_of(request: Request, site: Site, policy=THOROUGH):
    return plan(record(site, request), policy, credentials_of(request), (PROBE,))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case, seed: int):
    site = Site()
    (check,) = checks_of(case.request, site)
    run = drive(check, site, seed)
    assert f"{run.verdict.outcome} {run.verdict.detail}".startswith(case.expected[0])
    assert {**site.member, "isStaff": site.member["isStaff"] or ""} == MEMBER


@pytest.mark.parametrize(("kind", "outcome"), [("keeping", Outcome.VULNERABLE), ("listing", Outcome.SAFE)])
def test_the_form_is_sent_once_more_where_the_page_shows_by_now_what_others_have_written(kind: str, outcome: Outcome):
    site = Site()
    request = msgspec.structs.replace(CASES[0].request, target=f"/{kind}/profile".encode())
    (check,) = checks_of(request, site)
    site.member |= {"mail": "bea@guild.test", "town": "Lincoln"}
    assert drive(check, site).verdict.outcome is outcome
    assert site.member["role"] == "member"


def test_where_no_page_shows_a_right_it_costs_what_was_forecast():
    site = Site()
    (check,) = checks_of(CASES[-1].request, site)
    assert len(drive(check, site).sent) <= check.forecast


@pytest.mark.parametrize(
    ("path", "changed"),
    [
        (b"/keeping/login", {}),
        (b"/keeping/password", {}),
        (b"/keeping/profile", {"method": "GET"}),
        (
            b"/keeping/profile",
            {"headers": ((b"Cookie", b"session-token=3f9a0c77de114b02"), (b"Content-Type", b"application/json"))},
        ),
        (b"/keeping/profile", {"headers": ((b"Content-Type", b"application/x-www-form-urlencoded"),)}),
    ],
)
def test_what_is_no_form_of_somebody_signed_in_is_left_alone(path: bytes, changed: dict):
    request = msgspec.structs.replace(CASES[0].request, target=path, **changed)
    assert checks_of(request, Site()) == []


def test_only_the_thorough_policy_sets_rights():
    assert checks_of(CASES[0].request, Site(), DEFAULT) == []


def test_a_form_that_sets_the_right_itself_is_left_alone():
    site = Site()
    request = msgspec.structs.replace(CASES[0].request, body=b"mail=ann@guild.test&role=member")
    (check,) = checks_of(request, site)
    assert drive(check, site).verdict.outcome is Outcome.SAFE


def in_parts(*names: tuple[str, str]) -> bytes:
    texts = [f'--x1\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in names]
    return ("".join(texts) + "--x1--\r\n").encode()


PARTED = in_parts(("member[mail]", "ann@guild.test"), ("member[town]", "Oakham"))


@pytest.mark.parametrize(
    ("kind", "body", "set_as"),
    [
        ("keeping", PARTED, b'name="member[role]"'),
        ("picky", PARTED, b""),
        ("prefixed", b"csrf=1&f_mail=ann%40guild.test&f_town=Oakham", b"f_role=admin"),
        ("titled", b"Mail=ann%40guild.test&Town=Oakham", b"Role=admin"),
    ],
)
def test_the_right_is_set_under_a_name_as_the_form_writes_its_own(kind: str, body: bytes, set_as: bytes):
    site = Site()
    media = b"multipart/form-data; boundary=x1" if body is PARTED else b"application/x-www-form-urlencoded"
    headers = ((b"Cookie", b"session-token=3f9a0c77de114b02"), (b"Content-Type", media))
    (check,) = checks_of(Request("POST", f"/{kind}/profile".encode(), headers, body), site)
    verdict = drive(check, site).verdict
    assert verdict.outcome is (Outcome.VULNERABLE if set_as else Outcome.SAFE), verdict.detail
    if set_as:
        assert set_as in verdict.proof.test.request.body
    assert site.member == {**MEMBER, "isStaff": site.member["isStaff"]}


class Answering:
    """Its page is the form alone; what it keeps the answer to the form shows. mine: what the form may set. echoes: shows what was sent."""

    def __init__(self, mine: tuple[str, ...], *, echoes: bool = False) -> None:
        self.member, self.mine, self.echoes = dict(MEMBER), mine, echoes

    def __call__(self, request: Request) -> Response:
        if request.path != b"/profile" or not request.first(b"Cookie"):
            return Response(404, HTML, b"none")
        sent = dict(fields(request)) if request.method == "POST" else {}
        self.member |= {name: value for name, value in sent.items() if name in self.mine}
        shown = {**self.member, **(sent if self.echoes else {})}
        told = "".join(f"<p>{name}: {value}</p>" for name, value in shown.items()) if sent else ""
        return Response(200, HTML, f"<form method=post><input name=town></form>{told}".encode())


@pytest.mark.parametrize(
    ("site", "outcome"),
    [
        (Answering(tuple(MEMBER)), Outcome.VULNERABLE),
        (Answering(("town",)), Outcome.SAFE),
        (Answering(("town",), echoes=True), Outcome.SAFE),
    ],
    ids=["keeps all", "keeps its own", "shows what it was sent"],
)
def test_what_the_answer_to_a_form_shows_is_read_by_sending_it_as_it_was_recorded(site: Answering, outcome: Outcome):
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Cookie", b"sessionid=3f9a0c77de114b02aa55"))
    request = Request("POST", b"/profile", headers, b"town=Oakham")
    (check,) = checks_of(request, site)
    assert drive(check, site).verdict.outcome is outcome
    assert site.member == MEMBER


@pytest.mark.parametrize(("path", "asked"), [(b"/profile", 1), (b"/join", 0), (b"/enrolment", 0)])
def test_registrations_are_left_alone_whose_accounts_nobody_can_put_back(path: bytes, asked: int):
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Cookie", b"sessionid=3f9a0c77de114b02aa55"))
    answer = Response(200, HTML, b"<p>Nick: ann</p><p>Role: member</p>")
    request = Request("POST", path, headers, b"nick=ann&pw=sesame-12")
    assert len(plan(record(lambda _: answer, request), THOROUGH, credentials_of(request), (PROBE,))) == asked
