"""The probe idor_author, driven as two tenants against an API where what is written says who wrote it."""

import json
from functools import partial

import pytest
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes import as_tenants
from tests.core.testing.probes.as_tenants import AsTenants, drive_as, identities
from tests.range.place import respond
from tests.range.tenants_authors import REVIEW, ann_writes
from tests.range.tenants_store import SIGNED

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor_author import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

JSON = (b"Content-Type", b"application/json")
check_of = partial(as_tenants.check_of, probe=PROBE)


class TestProbe(AsTenants):
    name = "idor_author"
    probe = PROBE


def test_a_finding_is_what_the_other_sent_twice_and_its_owner_reads():
    run = drive_as(check_of(ann_writes("/reviews", **REVIEW)("/tenants-authors/the-author-as-sent")), respond)
    assert (run.verdict.type, run.verdict.cwe, run.verdict.threat) == ("idor", (639, 290), 65)
    assert run.verdict.proof.test.request.first(b"Authorization").decode() == SIGNED["ben"]
    assert run.verdict.proof.control.request.method == "GET"
    posts = [asked for asked in run.sent if asked.request.method == "POST"]
    assert [asked.identity for asked in posts] == ["ben", "", "ben"]
    assert len({asked.request.body for asked in posts}) == 3
    assert all(
        b'"author_id": 7' in asked.request.body and b"It shines all night " in asked.request.body for asked in posts
    )


def test_what_anybody_makes_without_credentials_is_told_elsewhere():
    made: list[bytes] = []

    def application(request):
        if request.method == "POST":
            made.append(request.body)
            return Response(201, ((b"Content-Type", b"application/json"),), b'{"id": 1}')
        return Response(200, ((b"Content-Type", b"application/json"),), b"[" + b",".join(made) + b"]")

    run = drive_as(check_of(ann_writes("/reviews", **REVIEW)(""), application), application)
    assert run.verdict.outcome is Outcome.SAFE
    assert "without credentials" in run.verdict.detail


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/tasks", {"user_id": 7, "title": '"Sweep the hall"'}),
        ("/reviews", {"author_id": 8, "text": '"It shines"'}),
        ("/reviews", {"author_id": 7, "stars": 5}),
        ("/reviews/delete", {"author_id": 7, "text": '"It shines"'}),
        ("/members", {"recipient_id": 7, "text": '"It shines"'}),
    ],
)
def test_nothing_is_asked_where_the_field_is_anothers_or_names_no_author(path, fields):
    assert check_of(ann_writes(path, **fields)(""), lambda _: Response(200, body=b"{}")) is None


def test_alone_nothing_is_asked():
    request = ann_writes("/reviews", **REVIEW)("/tenants-authors/the-author-as-sent")
    assert check_of(request, alone=True) is None


class Purses:
    """Wallets of two. believing: whose wallet is named there is not looked at; own: what is taken is the sender's,
    whatever he names;
    early: anybody may take; moving: the wallets gain something each time that they are looked at.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.held = {"P-70311": 100, "P-80422": 100}
        self.whose = {"ann": "P-70311", "ben": "P-80422"}

    def __call__(self, request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in SIGNED.items() if each == token), "")
        if not caller and self.kind != "early":
            return Response(401)
        if request.method == "GET":
            self.held = {name: held + (self.kind == "moving") for name, held in self.held.items()}
            own = [{"id": name, "balance": self.held[name]} for name in self.held if name == self.whose.get(caller)]
            return Response(200, (JSON,), json.dumps(own).encode())
        asked = json.loads(request.body)
        if self.kind == "guarded" and asked["from"] != self.whose[caller]:
            return Response(403)
        self.held[self.whose[caller] if self.kind == "own" else asked["from"]] -= asked["amount"]
        return Response(201, (JSON,), b'{"done": true}')


@pytest.mark.parametrize("text", [{}, {"note": "for the boat"}])
@pytest.mark.parametrize("kind", ["believing", "own", "guarded", "early", "moving"])
def test_what_the_other_takes_from_a_wallet_is_told_by_its_balance(kind: str, text: dict[str, str]) -> None:
    purses, token = Purses(kind), (b"Authorization", SIGNED["ann"].encode())
    pages = Pages()
    pages.add(record(purses, Request("GET", b"/my/wallets", (token,), host="a")).exchange)
    body = json.dumps({"from": "P-70311", "to": "P-80422", "amount": 5, **text}).encode()
    request = Request("POST", b"/transfers", (JSON, token), body, host="a")
    (check,) = plan(
        record(purses, request), DEFAULT, credentials_of(request), (PROBE,),
        identities=identities(request), pages=pages.beside(request),
    )  # fmt: skip
    verdict = drive_as(check, purses).verdict
    assert verdict.outcome is (Outcome.VULNERABLE if kind == "believing" else Outcome.SAFE)
    if kind == "believing":
        assert "from 95 to 90 and from 90 to 85" in verdict.proof.verified_by
