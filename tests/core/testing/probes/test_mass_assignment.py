"""The probe mass_assignment, driven against the range's objects over a real port."""

import json
from urllib.parse import parse_qsl

import msgspec
import pytest
from tests.cases.case import Case
from tests.core.testing.driving import credentials_of, drive, record
from tests.core.testing.probes.as_tenants import cases, runs_as, signed_in, told
from tests.range.jwt_tokens import STRONG, issued
from tests.range.place import PLACES, respond
from tests.range.tenants_inputs import SIGN_UP
from tests.range.tenants_properties import ANN, BODY, NEW, kept
from tests.range.tenants_store import written

from gatecrash.core.message import Request, Response, with_header
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.mass_assignment import PROBE
from gatecrash.core.testing.verdict import Inconclusive, Outcome

CASES = cases("mass_assignment")
JSON = (b"Content-Type", b"application/json")


def check_of(request: Request, application=respond, pages: tuple[Page, ...] = ()):
    baseline = record(application, request)
    checks = plan(baseline, THOROUGH, credentials_of(request), (PROBE,), pages=pages)
    return checks[0] if checks else None


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    (run,) = runs_as(signed_in(case.request), PROBE)
    assert case.expected == (told(run),)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "Not found"], ids=str)
def test_no_twin_is_claimed_with_other_random_values(case: Case, seed: int):
    run = drive(check_of(signed_in(case.request)), respond, seed + 10)
    assert run.verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize(
    "place",
    [
        "every-column", "put-whole", "by-a-form", "strict-about-unknown-ones", "raises-its-own-role",
        "breaks-over-a-role-that-it-keeps",
    ],
)  # fmt: skip
def test_what_was_changed_is_put_back(place):
    (case,) = [case for case in CASES if case.request.path.startswith(f"/tenants-properties/{place}/".encode())]
    before = {name: str(value) for name, value in (kept(place.replace("-", "_"), 7, ANN) or {}).items()}
    run = drive(check_of(signed_in(case.request)), respond)
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert {name: str(value) for name, value in kept(place.replace("-", "_"), 7).items()} == before
    assert "by hand" not in run.verdict.proof.verified_by


def test_a_finding_names_what_was_taken():
    verdict = drive(check_of(written("PATCH", "/me", BODY)("/tenants-properties/every-column")), respond).verdict
    assert (verdict.type, verdict.cwe, verdict.threat) == ("mass_assignment", (915,), 75)
    assert "role = 'admin' (before: 'customer')" in verdict.detail
    assert json.loads(verdict.proof.test.request.body)["role"] == "admin"


def test_it_belongs_to_the_thorough_policy_alone():
    request = written("PATCH", "/me", BODY)("/tenants-properties/every-column")
    assert plan(record(respond, request), DEFAULT, credentials_of(request), (PROBE,)) == []


def test_where_nothing_privileged_is_shown_it_costs_a_look():
    run = drive(check_of(written("PATCH", "/me", BODY)("/tenants-properties/never-shown")), respond)
    assert [question.request.method for question in run.sent] == ["GET"]
    assert run.check.forecast == 1


def test_an_address_that_says_that_it_deletes_is_not_read():
    asked = []

    def application(request: Request) -> Response:
        asked.append((request.method, request.path))
        return Response(200, (JSON,), b'{"label": "tea", "role": "user"}')

    drive(check_of(Request("PUT", b"/labels/remove", (JSON,), b'{"label": "tea"}'), application), application)
    assert len(asked) > 1
    assert ("GET", b"/labels/remove") not in asked


class Members:
    """New members are acknowledged in two words; a page shows all of them, their rights included."""

    def __init__(self, *, binds: bool) -> None:
        self.members: list[dict] = [
            {"username": "ida", "email": "ida@example.com", "admin": True},
            {"username": "max", "email": "max@example.com", "admin": False},
        ]
        self.binds = binds

    def __call__(self, request: Request) -> Response:
        if request.method == "GET":
            shown = {"users": self.members} if request.path == b"/members/all" else {"name": "members"}
            return Response(200, (JSON,), json.dumps(shown).encode())
        sent = json.loads(request.body)
        if any(each["username"] == sent["username"] for each in self.members):
            return Response(400, (JSON,), b'{"error": "exists already"}')
        rights = bool(sent.get("admin")) if self.binds else False
        self.members.append({"username": sent["username"], "email": sent["email"], "admin": rights})
        return Response(200, (JSON,), b'{"ok": true}')


@pytest.mark.parametrize(("binds", "outcome"), [(True, Outcome.VULNERABLE), (False, Outcome.SAFE)])
def test_properties_of_new_objects_are_learned_from_pages_and_read_there(binds, outcome):
    members = Members(binds=binds)
    body = b'{"username": "newcomer", "email": "new@example.com", "password": "sesame"}'
    pages = tuple(Page(Request("GET", path), rendered=False) for path in (b"/members", b"/members/all"))
    run = drive(check_of(Request("POST", b"/members", (JSON,), body), members, pages), members)
    assert run.verdict.outcome is outcome
    assert sum(each["admin"] for each in members.members) == (2 if binds else 1)


@pytest.mark.parametrize(
    "request_",
    [
        Request("GET", b"/me"),
        Request("DELETE", b"/me", (JSON,), BODY),
        Request("POST", b"/login", (JSON,), NEW),
        Request("PUT", b"/me/password", (JSON,), NEW),
        Request("POST", b"/upload", ((b"Content-Type", b"text/plain"),), b"name"),
        Request("POST", b"/list", (JSON,), b"[1]"),
    ],
)
def test_what_keeps_no_object_or_signs_in_is_left_alone(request_):
    assert check_of(request_, lambda _: Response(200, (JSON,), b'{"role": "customer"}')) is None


def test_a_limiter_makes_it_inconclusive_at_once():
    check = check_of(written("PATCH", "/me", BODY)("/tenants-properties/every-column"))
    run = drive(check, lambda _: Response(429))
    assert (run.verdict.reason, len(run.sent)) == (Inconclusive.RATE_LIMITED, 1)


def test_a_value_that_cannot_be_put_back_is_said_so():
    """Takes a role once and keeps it, whatever is sent later."""
    state = dict(ANN)

    def application(request: Request) -> Response:
        if request.method == "PATCH":
            sent = json.loads(request.body)
            state.update({name: value for name, value in sent.items() if name in ("name", "city")})
            if sent.get("role") == "admin":
                state["role"] = "admin"
        return Response(200, (JSON,), json.dumps(state).encode())

    request = written("PATCH", "/me", BODY)("/x")
    request = msgspec.structs.replace(request, target=b"/people/me")
    verdict = drive(check_of(request, application), application).verdict
    assert verdict.outcome is Outcome.VULNERABLE
    assert "by hand" in verdict.proof.verified_by


@pytest.mark.parametrize("place", [each for each in PLACES if each.path.startswith("/tenants-nested/")], ids=str)
def test_objects_within_others_wrapped_ones_and_patches_are_looked_into(place):
    (request,) = place.requests
    run = drive(check_of(request), respond)
    assert run.verdict.outcome is (Outcome.VULNERABLE if place.flaw else Outcome.SAFE), run.verdict.detail
    # What was set is put back, and what stands beside it was never lost; a store of anything keeps what was made up.
    if place.flaw:
        now = json.loads(respond(msgspec.structs.replace(request, method="GET", body=b"")).body)
        assert (now["role"], now["account"]["tier"], now["account"]["credit_limit"]) == ("customer", "basic", 500)
        assert now["profile"]["is_admin"] is False


class Desk:
    """Keeps one's own account by POST, and bookings, in XML or JSON. binds: whatever is sent; else what belongs there."""

    def __init__(self, *, binds: bool, xml: bool = False) -> None:
        self.binds, self.xml = binds, xml
        self.account = {"id": 7, "name": "Ann Marsh", "role": "observer"}
        self.booked: dict[int, dict] = {}

    def __call__(self, request: Request) -> Response:
        kind = request.first(b"Content-Type") or b""
        sent = json.loads(request.body or b"{}") if b"json" in kind else dict(parse_qsl(request.body.decode()))
        if request.path == b"/account":
            told = self.account
            taken = ("name", "role") if self.binds else ("name",)
        else:
            number = int(request.path.rpartition(b"/")[2] or 0) if request.method == "GET" else 31 + len(self.booked)
            told = self.booked.setdefault(number, {"id": number, "driver": "", "price": 120})
            taken = ("driver", "price") if self.binds else ("driver",)
        told.update({name: value for name, value in sent.items() if name in taken})
        return self._told(told)

    def _told(self, told: dict) -> Response:
        if not self.xml:
            return Response(200, (JSON,), json.dumps(told).encode())
        inner = "".join(f"<{name}>{value}</{name}>" for name, value in told.items())
        return Response(200, ((b"Content-Type", b"application/xml"),), f"<account>{inner}</account>".encode())


@pytest.mark.parametrize("xml", [False, True])
@pytest.mark.parametrize("binds", [False, True])
def test_an_account_that_is_changed_by_post_has_its_old_name_afterwards(binds: bool, xml: bool):
    desk = Desk(binds=binds, xml=xml)
    request = Request(
        "POST", b"/account", ((b"Content-Type", b"application/x-www-form-urlencoded"),), b"name=Ann+Marsh"
    )
    verdict = drive(check_of(request, desk), desk).verdict
    assert verdict.outcome is (Outcome.VULNERABLE if binds else Outcome.SAFE)
    assert desk.account == {"id": 7, "name": "Ann Marsh", "role": "observer"}


@pytest.mark.parametrize("binds", [False, True])
def test_what_is_booked_has_the_price_that_was_sent(binds: bool):
    desk = Desk(binds=binds)
    request = Request("POST", b"/bookings", (JSON,), b'{"driver": "Jens"}')
    verdict = drive(check_of(request, desk), desk).verdict
    assert verdict.outcome is (Outcome.VULNERABLE if binds else Outcome.SAFE)


def test_properties_are_learned_from_another_page_that_shows_the_object():
    """The settings have no address to be read at; what is said of their owner elsewhere holds them."""
    state = {"login": "ann", "settings": {"theme": "light"}, "account": {"tier": "basic", "credit_limit": 500}}

    def application(request: Request) -> Response:
        if request.target == b"/me":
            return Response(200, (JSON,), json.dumps(state).encode())
        if request.method == "GET":
            return Response(404)
        sent = json.loads(request.body)
        state.update(
            {name: {**state[name], **value} for name, value in sent.items() if name in ("settings", "account")}
        )
        return Response(200, (JSON,), b'{"ok": true}')

    request = written("PUT", "/settings", b'{"settings": {"theme": "light"}}')("")
    page = Page(Request("GET", b"/me"), rendered=False)
    run = drive(check_of(request, application, (page,)), application)
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert "account.credit_limit" in run.verdict.detail
    assert (state["account"]["tier"], state["account"]["credit_limit"]) == ("basic", 500)
    assert "keeps whatever is sent" in run.verdict.proof.verified_by


@pytest.mark.parametrize(("stored", "expected"), [(True, Outcome.VULNERABLE), (False, Outcome.SAFE)])
def test_what_keeps_anything_and_cannot_be_read_is_asked_by_the_recorded_change(stored, expected):
    """The account has no address to be read at, and its change is answered with it: as it is kept, or with whatever was sent."""
    account = {"id": 1, "name": "ann", "role": "member", "city": "Kiel"}

    def application(request: Request) -> Response:
        if request.method != "PUT":
            return Response(404)
        sent = json.loads(request.body)
        account.update(sent if stored else {"city": sent["city"]})
        return Response(200, (JSON,), json.dumps({**account, **sent}).encode())

    run = drive(check_of(written("PUT", "/profile", b'{"city": "Kiel"}')(""), application), application)
    assert run.verdict.outcome is expected
    assert account["role"] == "member"


def test_ones_own_account_is_not_what_was_made_with_a_property_of_its_name():
    """The account has another address than who is invited; what changes its role meanwhile are the tests of the account itself."""
    account = {"email": "ann@example.com", "role": "member"}

    def application(request: Request) -> Response:
        if request.method == "POST":
            account["role"] = json.loads(request.body).get("role", "member")
            return Response(201, (JSON,), b'{"sent": true}')
        return Response(200, (JSON,), json.dumps(account).encode())

    request = Request("POST", b"/invites", (JSON,), b'{"email": "friend@example.com"}')
    run = drive(check_of(request, application, (Page(Request("GET", b"/me"), False),)), application)
    assert run.verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize("takes_role", [True, False])
def test_a_post_that_changes_what_is_there_is_put_back_by_its_old_values(takes_role):
    account = {"phone": "555", "role": "member", "profile": {"nick": "Ann", "tier": "free"}}

    def application(request: Request) -> Response:
        if request.method == "POST":
            told = dict(parse_qsl(request.body.decode()))
            if takes_role:
                account["role"] = told.get("user[role]", account["role"])
            return Response(200, (JSON,), b'{"ok": true}')
        return Response(200, (JSON,), json.dumps({"user": account}).encode())

    form = (b"Content-Type", b"application/x-www-form-urlencoded")
    request = Request("POST", b"/account/edit", (form,), b"user%5Bphone%5D=555&user%5Bprofile%5D%5Bnick%5D=Ann")
    run = drive(check_of(request, application, (Page(Request("GET", b"/account"), False),)), application)
    assert (run.verdict.outcome is Outcome.VULNERABLE) is takes_role
    assert account["role"] == "member"


def test_what_a_store_of_anything_was_set_to_is_put_back_though_it_is_no_finding():
    state = {"name": "Lamps", "text": "They shine.", "plan": "paint them"}

    def application(request: Request) -> Response:
        if request.method != "GET":
            state.update(json.loads(request.body))
        return Response(200, (JSON,), json.dumps(state).encode())

    request = written("PUT", "/notes/1", b'{"name": "Lamps", "text": "They shine."}')("")
    run = drive(check_of(request, application), application)
    assert run.verdict.outcome is Outcome.SAFE
    assert any(b'"plan":"enterprise"' in asked.request.body for asked in run.sent)
    assert state["plan"] == "paint them"


@pytest.mark.parametrize(
    ("claims", "asked"), [({"sub": "7", "role": "user"}, True), ({"sub": "7", "role": "manager"}, False)]
)
def test_who_rules_others_may_have_an_input_of_his_own_to_do_so(claims, asked):
    request = SIGN_UP("/tenants-inputs/a-new-account-with-a-role")
    token = b"Bearer " + issued(claims, STRONG).encode()
    request = msgspec.structs.replace(request, headers=with_header(request.headers, b"Authorization", token))

    def application(_request: Request) -> Response:
        return Response(200, (JSON,), b'{"data": {"signUp": {"id": 1, "name": "New Person", "role": "CUSTOMER"}}}')

    assert (check_of(request, application) is not None) is asked


@pytest.mark.parametrize("place", [each for each in PLACES if each.path.startswith("/tenants-forms/")], ids=str)
def test_properties_are_sent_under_names_as_the_request_writes_them(place):
    (request,) = place.requests
    run = drive(check_of(request), respond)
    assert run.verdict.outcome is (Outcome.VULNERABLE if place.flaw else Outcome.SAFE), run.verdict.detail
    if b"multipart" in (request.first(b"Content-Type") or b""):
        assert all(b"GIF89a" in each.request.body for each in run.sent if each.request.method != "GET")


@pytest.mark.parametrize(
    ("others", "outcome"), [((), Outcome.SAFE), ((6,), Outcome.VULNERABLE)], ids=["alone", "among others"]
)
def test_whose_things_a_list_shows_tells_whether_others_have_a_say(others: tuple[int, ...], outcome: Outcome):
    """Every pet of the caller's can be marked as verified by himself; it counts where those of others are listed too."""
    pets = [{"id": 1, "user": owner, "name": "rex", "verified": False} for owner in (5, *others)]

    def application(request: Request) -> Response:
        if request.method == "PUT":
            pets[0] |= {name: value for name, value in json.loads(request.body).items() if name in ("name", "verified")}
        shown = pets if request.path == b"/pets" else pets[0]
        return Response(200, (JSON,), json.dumps(shown).encode())

    request = Request("PUT", b"/pets/1", (JSON,), b'{"name": "rex"}')
    check = check_of(request, application, (Page(Request("GET", b"/pets"), rendered=False),))
    assert drive(check, application).verdict.outcome is outcome
    assert pets[0]["verified"] is False


@pytest.mark.parametrize(("believes", "outcome"), [(True, Outcome.VULNERABLE), (False, Outcome.SAFE)])
def test_a_registration_that_is_only_described_is_looked_at_without_the_role_that_its_schema_lists(
    *, believes: bool, outcome: Outcome
):
    document = "mutation Up($input: UpInput!) { register(input: $input) { id username role } }"
    given = {"username": "ann", "password": "sesame", "bio": "I read", "role": "string"}
    body = json.dumps({"query": document, "variables": {"input": given}}).encode()
    headers = (JSON, (b"Authorization", b"Bearer 2f8a6c1e9b7d4053"))

    def application(request: Request) -> Response:
        if request.method == "GET":
            return Response(404)
        sent = json.loads(request.body).get("variables", {}).get("input")
        if sent is None:
            return Response(200, (JSON,), b'{"data": {"__type": null}}')
        role = sent.get("role", "customer") if believes else "customer"
        told = {"id": "7", "username": sent["username"], "role": role}
        return Response(200, (JSON,), json.dumps({"data": {"register": told}}).encode())

    request = Request("POST", b"/graphql", headers, body)
    baseline = record(application, request)
    drafted = msgspec.structs.replace(baseline.exchange, drafted=True)
    baseline = msgspec.structs.replace(baseline, exchange=drafted)
    (check,) = plan(baseline, THOROUGH, credentials_of(request), (PROBE,))
    run = drive(check, application)
    assert run.verdict.outcome is outcome
    assert all(asked.request.first(b"Authorization") is None for asked in run.sent)


@pytest.mark.parametrize(("binds", "outcome"), [(True, Outcome.VULNERABLE), (False, Outcome.SAFE)])
def test_a_value_that_its_refusal_lists_is_tried(*, binds: bool, outcome: Outcome):
    def application(request: Request) -> Response:
        if request.method == "GET":
            return Response(404)
        sent = json.loads(request.body)
        if sent.get("role", "user") not in ("user", "curator"):
            return Response(400, (JSON,), b'{"error": "role: one of user, curator"}')
        role = sent.get("role", "user") if binds else "user"
        return Response(201, (JSON,), json.dumps({"id": 7, "email": sent["email"], "role": role}).encode())

    check = check_of(Request("POST", b"/members", (JSON,), b'{"email": "a@b.example"}'), application)
    assert drive(check, application).verdict.outcome is outcome
