"""What fills a hole that names an account, where the application says who is signed in."""

import base64
import json
from typing import Any

import msgspec
import pytest
from tests.node.loop import run
from tests.node.scan.accounts.test_enrolment import Club, draft, drafts, enrolled
from tests.node.scan.drafts.shops import in_json
from tests.node.scan.drafts.test_obtaining import draft as drafted
from tests.node.scan.drafts.test_obtaining import obtained

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.accounts.oneself import Oneself, numbers_among, numbers_told
from gatecrash.node.scan.drafts.known_values import KnownValues

ME = {"id": 20, "username": "gcann", "email": "gcann@example.com", "verified": True}


def told(document: Any = ME, path: bytes = b"/users/me", status: int = 200) -> Oneself:
    oneself = Oneself()
    oneself.learn(Request("GET", path), Response(status, body=json.dumps(document).encode()))
    return oneself


def value(oneself: Oneself, name: str, place: str = "post", resource: str = "", method: str = "POST") -> Any:
    hole = Hole(name, Point((place, "1" if place == "path" else name)), False)
    return oneself.value_of(hole, Draft(request=Request(method, b"/x/1"), drafted=True, holes=(hole,)), resource)


@pytest.mark.parametrize(
    ("name", "place", "resource", "meant"),
    [
        ("author_id", "post", "", 20),
        ("userId", "post", "", 20),
        ("username", "post", "", "gcann"),
        ("author", "post", "", None),
        ("product_id", "post", "", None),
        ("id", "post", "", None),
        ("user_id", "path", "user", 20),
        ("id", "path", "user", 20),
        ("username", "path", "user", "gcann"),
        ("id", "path", "order", None),
        ("patient_id", "path", "patient", None),
        ("customer_id", "post", "", None),
        ("user_id", "get", "", None),
    ],
)
def test_what_names_an_account_is_whoever_is_signed_in(name, place, resource, meant):
    assert value(told(), name, place, resource) == meant


@pytest.mark.parametrize(
    ("name", "place", "resource", "meant"),
    [
        ("myId", "post", "", 20),
        ("myId", "path", "user", 20),
        ("my_user_id", "post", "", 20),
        ("myOrderId", "post", "", None),
    ],
)
def test_what_somebody_calls_his_own_is_ones_number(name: str, place: str, resource: str, meant: int | None) -> None:
    assert value(told(), name, place, resource) == meant


@pytest.mark.parametrize(
    ("name", "place", "meant"),
    [
        ("owner_id", "get", "20"),
        ("user", "get", "20"),
        ("member", "get", "20"),
        ("memberId", "get", "20"),
        ("author_name", "get", "gcann"),
        ("customer", "get", None),
        ("sort", "get", None),
        ("owner_id", "path", None),
    ],
)
def test_filters_that_name_an_account_hold_ones_own_number(name: str, place: str, meant: str | None) -> None:
    oneself = Oneself(accounts=[("v1", "members"), ()])
    hole = Hole(name, Point((place, name)), loose=True)
    assert oneself.filters([hole]) == {}
    oneself.learn(Request("GET", b"/users/me"), Response(200, body=json.dumps(ME).encode()))
    assert oneself.filters([hole]) == ({} if meant is None else {hole: meant})


@pytest.mark.parametrize(
    ("name", "meant"),
    [("memberId", 20), ("member_uuid", 20), ("member", None), ("membership_id", None), ("clubId", None)],
)
def test_a_field_or_an_argument_that_names_one_of_what_accounts_are_made_among_holds_ones_own(
    name: str, meant: int | None
) -> None:
    oneself = Oneself(accounts=[("v1", "members"), ()])
    oneself.learn(Request("GET", b"/users/me"), Response(200, body=json.dumps(ME).encode()))
    assert value(oneself, name) == meant


def test_what_is_told_under_the_very_name_goes_before_ones_number():
    oneself = told({**ME, "account": "AT40185"})
    assert value(oneself, "account", "path", "account") == "AT40185"
    assert value(oneself, "account") == "AT40185"
    assert value(oneself, "user_id") == 20


@pytest.mark.parametrize(
    ("name", "meant"),
    [("name", "gcann"), ("id", 20), ("member_id", 20), ("memberName", "gcann"), ("shelf", None)],
)
def test_what_is_named_where_accounts_are_made_is_ones_own_whatever_it_is_called(name, meant):
    hole = Hole(name, Point(("path", "1")), False)
    draft = Draft(request=Request("GET", b"/members/1/address"), drafted=True, holes=(hole,))
    known = KnownValues(accounts=[("members",)])
    known.learn(Request("GET", b"/members"), Response(200, body=b'[{"id": 1, "name": "eve"}]'))
    known.learn(Request("GET", b"/me"), Response(200, body=json.dumps(ME).encode()))
    assert known.filled(draft).request.path == (b"/members/%s/address" % str(meant or 1).encode())


@pytest.mark.parametrize(("path", "meant"), [(b"/members/1", b"/members/20"), (b"/boats/1", b"/boats/31")])
def test_an_account_that_the_document_shows_gives_way_to_ones_own_and_anything_else_to_what_was_made(path, meant):
    hole = Hole("id", Point(("path", "1")), given=True)
    draft = Draft(request=Request("GET", path), drafted=True, holes=(hole,))
    known = KnownValues(accounts=[("members",)])
    for made in (b"/members", b"/boats"):
        known.learn(Request("POST", made), Response(201, body=b'{"id": 31}'))
    known.learn(Request("GET", b"/me"), Response(200, body=json.dumps(ME).encode()))
    assert known.filled(draft).request.path == path
    assert known.filled(draft, own=True).request.path == meant


@pytest.mark.parametrize(
    ("oneself", "meant"),
    [
        (told({"status": "ok", "data": {"user": ME}}), 20),
        (told(path=b"/users/7"), None),
        (told(status=401), None),
        (told([ME]), None),
        (told({"theme": "dark"}), None),
    ],
)
def test_only_what_answers_who_is_asking_tells(oneself, meant):
    assert value(oneself, "user_id") == meant


def test_the_first_answer_stays_and_one_that_is_no_json_tells_nothing():
    oneself = told()
    oneself.learn(Request("GET", b"/users/me"), Response(200, body=b'{"id": 21}'))
    assert value(oneself, "user_id") == 20
    silent = Oneself()
    silent.learn(Request("GET", b"/me"), Response(200, body=b"<p>Ann</p>"))
    assert value(silent, "user_id") is None


def test_ones_own_account_is_never_what_is_deleted():
    assert value(told(), "id", "path", "user", "GET") == 20
    assert value(told(), "id", "path", "user", "DELETE") is None


@pytest.mark.parametrize(
    ("name", "place", "method", "target", "meant"),
    [
        ("org_id", "path", "GET", b"/orgs/1/docks/2", 4),
        ("org_id", "path", "DELETE", b"/orgs/1/docks/2", 4),
        ("org_id", "path", "GET", b"/orgs/1", 4),
        ("org_id", "path", "DELETE", b"/orgs/1", None),
        ("team_id", "path", "GET", b"/teams/1/docks/2", None),
        ("X-Org-Id", "header", "GET", b"/docks", 4),
        ("X-User-ID", "header", "GET", b"/wallet", 20),
        ("X-User-ID", "header", "DELETE", b"/wallet", None),
        ("X-Request-Id", "header", "GET", b"/wallet", None),
    ],
)
def test_what_names_a_tenant_is_ones_own(name: str, place: str, method: str, target: bytes, meant: int | None) -> None:
    hole = Hole(name, Point((place, "1" if place == "path" else name)), False)
    draft = Draft(request=Request(method, target), drafted=True, holes=(hole,))
    assert told({**ME, "org_id": 4}).value_of(hole, draft, "") == meant


def test_it_goes_before_what_a_list_teaches():
    known = KnownValues()
    known.learn(Request("GET", b"/users"), Response(200, body=b'[{"id": 1}]'))
    known.learn(Request("GET", b"/users/me"), Response(200, body=json.dumps(ME).encode()))
    hole = Hole("user_id", Point(("path", "1")), False)
    draft = Draft(request=Request("GET", b"/users/5"), drafted=True, holes=(hole,))
    assert known.filled(draft).request.target == b"/users/20"


def test_an_answer_in_xml_tells_who_is_signed_in() -> None:
    oneself = Oneself()
    shown = Response(200, ((b"Content-Type", b"application/xml"),), b"<me><id>20</id><name>gcann</name></me>")
    oneself.learn(Request("GET", b"/me"), shown)
    assert value(oneself, "user_id") == "20"
    assert numbers_told(shown) == {"id": "20"}


@pytest.mark.parametrize(
    ("document", "numbers"),
    [
        ({"success": True, "data": {"id": 7, "login": "ann"}}, {"id": "7"}),
        ({"uuid": "0c4f", "name": "ann"}, {"uuid": "0c4f"}),
        ({"message": "welcome"}, {}),
        ([{"id": 7}], {}),
    ],
)
def test_a_registration_tells_the_number_of_its_account(document: Any, numbers: dict[str, str]) -> None:
    answered = Response(201, body=json.dumps(document).encode())
    assert numbers_told(answered) == numbers
    assert numbers_among([("user", "ann"), *numbers.items()]) == numbers


def test_the_number_of_a_registration_fills_what_names_an_account_until_he_is_told_more() -> None:
    oneself = Oneself({"id": "7"})
    assert value(oneself, "id", "path", "account", "GET") == "7"
    assert value(oneself, "user_id") == "7"
    assert value(oneself, "id", "path", "order", "GET") is None
    assert value(oneself, "id", "path", "account", "DELETE") is None
    oneself.learn(Request("GET", b"/users/me"), Response(200, body=b'{"id": 20}'))
    assert value(oneself, "user_id") == 20


def test_an_answer_that_is_no_document_tells_no_number() -> None:
    assert numbers_told(Response(201, body=b"made")) == {}


@pytest.mark.parametrize(("method", "meant"), [("PUT", 20), ("PATCH", 20), ("DELETE", None)])
def test_an_account_that_is_changed_is_his_own_and_none_that_is_deleted(method: str, meant: int | None) -> None:
    body = b'{"full_name": "a", "mail": "b"}'
    hole = Hole("id", Point(("path", "2")))
    request = Request(method, b"/v1/accounts/1", ((b"Content-Type", b"application/json"),), body)
    assert told().value_of(hole, Draft(request=request, drafted=True, holes=(hole,)), "account") == meant


class Numbered(Club):
    """Tells of its members' numbers when they join, in the shape that is given. wrapped: within an envelope."""

    def __init__(self, *, named: bool, wrapped: bool = False) -> None:
        super().__init__()
        self._named, self._wrapped = named, wrapped

    def _answer(self, path: str, request: Request) -> tuple[int, Any]:
        status, body = super()._answer(path, request)
        if path != "/register" or status != 201:
            return status, body
        body = {"id": 40 + body["id"], **({"username": json.loads(request.body)["username"]} if self._named else {})}
        return status, {"success": True, "data": body} if self._wrapped else body


@pytest.mark.parametrize(
    ("named", "wrapped", "known"), [(True, False, True), (True, True, True), (False, False, False)]
)
def test_a_number_beside_the_name_is_the_accounts(named: bool, wrapped: bool, known: bool) -> None:
    profile = enrolled(Numbered(named=named, wrapped=wrapped), drafts()).profile
    assert profile is not None
    told = [number in each.known for number, each in zip(("41", "42"), profile.identities, strict=True)]
    assert told == [known, known]
    assert [dict(each.variables)["id"] for each in profile.identities] == ["41", "42"]


def test_what_sets_a_password_by_number_keeps_that_of_the_first_account() -> None:
    enrolment = enrolled(Numbered(named=True), drafts())
    change = draft("PUT", "/users/1/password", {"password": "a"}, holes=(Hole("id", Point(("path", "1"))),))
    changed = enrolment.filled_in(change).request
    assert (changed.path, json.loads(changed.body)) == (
        b"/users/41/password",
        {"password": enrolment.accounts[0].password},
    )


def token(claims: dict[str, Any]) -> bytes:
    parts = ({"alg": "HS256", "typ": "JWT"}, claims)
    return b".".join(b64(json.dumps(part).encode()) for part in parts) + b"." + b64(b"s" * 32)


def b64(part: bytes) -> bytes:
    return base64.urlsafe_b64encode(part).rstrip(b"=")


@pytest.mark.parametrize(
    ("claims", "meant"),
    [
        ({"sub": "ann", "user_id": 31}, 31),
        ({"sub": "31", "role": "user"}, "31"),
        ({"sub": "0b6f7c1e-90f4-4c11-8c5a-1f0c2d3e4f50"}, "0b6f7c1e-90f4-4c11-8c5a-1f0c2d3e4f50"),
        ({"sub": "ann@example.com", "id": ""}, None),
        ({"sub": "ann", "admin": True}, None),
    ],
)
def test_a_token_says_by_which_number_its_holder_goes(claims, meant):
    oneself = Oneself()
    oneself.claimed([b"sid-71", b"Bearer " + token(claims)])
    assert value(oneself, "user_id", "path", "user", "PUT") == meant
    assert value(oneself, "id", "path", "account", "PUT") == meant
    assert value(oneself, "id", "path", "order", "PUT") is None


def test_what_the_application_tells_goes_before_what_a_token_claims():
    oneself = told()
    oneself.claimed([b"Bearer " + token({"id": 7})])
    assert value(oneself, "user_id") == 20


@run
async def test_a_described_change_of_an_account_is_asked_for_that_of_the_tokens_holder() -> None:
    asked: list[bytes] = []

    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            asked.append(raw.split(b"\r\n")[0])
            writer.write(in_json(200, "[]" if raw.startswith(b"GET") else '{"ok": true}'))

    bearer = Placed(("header", "AUTHORIZATION"), f"Bearer {token({'sub': 'ann', 'user_id': 31}).decode()}")
    profile = AuthProfile(id="p", name="p", identities=(ProfileIdentity(name="ann", values=(bearer,)),))
    async with RawServer(talk) as server:
        change = msgspec.structs.replace(
            drafted(server.port, "PUT", "/accounts/9/password"),
            holes=(Hole("account_id", Point(("path", "1")), given=True),),
            operation=True,
        )
        await obtained(server.port, drafted(server.port, "GET", "/items"), change, profile=profile)
    assert asked == [b"GET /items HTTP/1.1", b"PUT /accounts/31/password HTTP/1.1"]


@pytest.mark.parametrize(
    ("like", "called"), [("", "gcann"), ("Ann", "gcann"), ("a@b.example", "gcann@example.com"), ("7", "20")]
)
def test_he_signs_as_others_do(like: str, called: str) -> None:
    assert told().signing(like) == called


def test_nobody_is_called_otherwise_than_he_is() -> None:
    assert told({"id": 20}).signing("Ann") == ""
    assert told({"id": 20, "email": "gcann@example.com"}).signing() == "gcann@example.com"


def test_what_raises_an_account_is_asked_for_one_that_nobody_is_tested_as() -> None:
    oneself, join = told(), Request("POST", b"/auth/register")
    known = KnownValues(accounts=[("auth", "register")], oneself=oneself)

    def filled(path: str) -> bytes:
        hole = Hole("user_id", Point(("path", "2")), False)
        asked = Draft(request=Request("POST", path.encode()), drafted=True, holes=(hole,))
        return known.filled(asked).request.path

    assert filled("/admin/users/1/promote") == b"/admin/users/20/promote"
    known.learn(join, Response(201, body=json.dumps({"id": 31, "username": "gcbea"}).encode()))
    assert filled("/admin/users/1/promote") == b"/admin/users/31/promote"
    assert filled("/admin/users/1/notes") == b"/admin/users/20/notes"


@pytest.mark.parametrize(
    ("method", "body", "given", "kept"),
    [
        ("POST", b'{"new_password": "Gc-1"}', True, 20),
        ("POST", b'{"new_password": "Gc-1"}', False, None),
        ("DELETE", b'{"password": "Gc-1"}', True, None),
    ],
    ids=["his own", "a made-up number", "a deletion"],
)
def test_what_sets_his_own_password_stays_about_him(method: str, body: bytes, given: bool, kept: int | None) -> None:
    request = Request(method, b"/users/20/password", ((b"Content-Type", b"application/json"),), body)
    hole = Hole("user_id", Point(("path", "1")), given)
    assert told().value_of(hole, Draft(request=request, drafted=True, holes=(hole,)), "user") == kept
