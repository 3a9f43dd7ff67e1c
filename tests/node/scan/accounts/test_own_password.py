"""What sets a password by an account's name sets the scan's own to what it is."""

import json
from typing import Any

import msgspec
import pytest
from tests.node.loop import run
from tests.node.scan.accounts.test_enrolment import Club, drafts, enrolled
from tests.node.scan.drafts.test_obtaining import obtained

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.entrance import Account
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.accounts.own_password import (
    keeping_ones_own,
    keeping_the_password,
    of_its_sender,
    setting_the_same,
)

OURS = Account(user="gcours", mail="gcours@example.com", password="Gc-1")
ACCOUNT_SENT = Point(("post", "json_doc", "json_obj", "account_id"))
JSON = (b"Content-Type", b"application/json")


def draft(path: str, body: Any, *holes: Hole, method: str = "PUT") -> Draft:
    return Draft(request=Request(method, path.encode(), (JSON,), json.dumps(body).encode()), drafted=True, holes=holes)


def hole(name: str, place: int) -> Hole:
    return Hole(name, Point(("path", str(place))))


@pytest.mark.parametrize(
    ("name", "path"),
    [("username", b"/users/gcours/password"), ("userEmail", b"/users/gcours@example.com/password")],
)
def test_an_account_that_the_path_names_is_our_own_and_its_password_stays(name: str, path: bytes) -> None:
    kept = keeping_the_password(draft("/users/example/password", {"password": "example"}, hole(name, 1)), OURS)
    assert (kept.request.path, json.loads(kept.request.body)) == (path, {"password": "Gc-1"})
    assert [each.given for each in kept.holes] == [True], "no answer puts another in its place"


def test_an_account_that_the_body_names_is_our_own() -> None:
    body = {"username": "example", "newPassword": "a", "confirm_password": "a", "hint": "b"}
    kept = keeping_the_password(draft("/change-password", body, method="POST"), OURS)
    assert json.loads(kept.request.body) == {
        "username": "gcours", "newPassword": "Gc-1", "confirm_password": "Gc-1", "hint": "b"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/password/reset", {"email": "user@example.com", "new_password": "a"}),
        ("/forgot-password", {"username": "example", "password": "a", "confirmPassword": "a"}),
        ("/members/secret", {"username": "example", "newPass": "a"}),
    ],
)
def test_a_new_password_that_is_set_without_a_code_is_our_own(path: str, body: dict[str, str]) -> None:
    kept = json.loads(keeping_the_password(draft(path, body, method="POST"), OURS).request.body)
    assert {name: value for name, value in kept.items() if "ass" in name} == {
        name: OURS.password for name in body if "ass" in name
    }
    assert {OURS.user, OURS.mail} & set(kept.values())


@pytest.mark.parametrize(
    "asked",
    [
        draft("/users/1/password", {"password": "a"}, hole("user_id", 1)),
        draft("/me/password", {"password": "a"}),
        draft("/users/example/password", {"hint": "a"}, hole("username", 1)),
        draft("/users/example/email", {"email": "a"}, hole("username", 1)),
        draft("/users/example/password/reset", {"password": "a", "otp": "1"}, hole("username", 1)),
        draft("/password/reset", {"email": "a@b.example", "code": "1", "new_password": "a"}, method="POST"),
        draft("/recovery", {"email": "a@b.example", "new_pass": "a"}, method="POST"),
        draft("/admin/users/example/password", {"password": "a"}, hole("username", 2)),
        draft("/login/password", {"username": "a", "password": "a"}, method="POST"),
        draft("/users/example/password", {"password": "a"}, hole("username", 1), method="DELETE"),
    ],
    ids=[
        "by number",
        "nobody named",
        "no password",
        "an address",
        "with a code",
        "with a code beside an address",
        "tested among others",
        "by an administrator",
        "a login",
        "deletes",
    ],
)
def test_anything_else_stays_as_the_description_has_it(asked: Draft) -> None:
    assert keeping_the_password(asked, OURS) is asked


@pytest.mark.parametrize(
    ("target", "made_at", "kept"),
    [
        ("/v1/customers/1/secret", [("v1", "customers")], True),
        ("/v1/customers/1/secret", [], False),
        ("/v1/customers/1/words", [("v1", "customers")], False),
    ],
)
def test_a_password_is_one_by_the_end_of_the_path_and_an_account_by_where_it_was_made(
    target: str, made_at: list[tuple[str, ...]], *, kept: bool
) -> None:
    asked = draft(target, {"secret": "a"}, hole("myId", 2))
    changed = keeping_the_password(asked, OURS, "7", made_at)
    meant = (target.replace("/1/", "/7/").encode(), json.dumps({"secret": OURS.password}).encode())
    assert (changed.request.target, changed.request.body) == (
        meant if kept else (asked.request.target, asked.request.body)
    )


ANN = {"login": "ann@example.com", "password": "Gc-1"}
BOTH = [ANN.items(), {"login": "ben@example.com", "password": "Gc-2"}.items()]


@pytest.mark.parametrize(
    ("path", "body", "variables", "values"),
    [
        ("/me/password", {"current": "a", "new": "b", "repeat": "b"}, ANN, ["Gc-1", "Gc-1", "Gc-1"]),
        ("/account/passphrase", {"passphrase": "b"}, {"pass": "Gc-1"}, ["Gc-1"]),
        ("/account/passphrase", {"passphrase": "b"}, {"user": "ann"}, ["b"]),
        ("/users/7/password", {"password": "b"}, ANN, ["b"]),
        ("/me/secret", {"secret": "b"}, ANN, ["Gc-1"]),
        ("/me/secret", {"question": "b"}, ANN, ["b"]),
        ("/me", {"email": "b@example.com", "city": "b"}, ANN, ["ann@example.com", "b"]),
        ("/me", {"email": "b@example.com"}, {"user": "ann"}, ["b@example.com"]),
        ("/users", {"email": "b@example.com"}, ANN, ["b@example.com"]),
    ],
)
def test_what_he_signs_in_with_stays(path: str, body: Any, variables: dict[str, str], values: list[str]) -> None:
    kept = setting_the_same(draft(path, body), variables.items())
    assert [*json.loads(kept.request.body).values()] == values


def test_an_account_that_is_named_is_the_senders_own() -> None:
    asked = draft("/users/example/password", {"password": "b"}, hole("username", 1))
    kept = setting_the_same(asked, {"user": "ann", "password": "Gc-1"}.items())
    assert (kept.request.target, kept.request.body) == (b"/users/ann/password", b'{"password": "Gc-1"}')
    by_mail = setting_the_same(asked, ANN.items())
    assert by_mail.request.target == asked.request.target, "his name is not known"


@pytest.mark.parametrize(
    ("body", "shown", "password"),
    [
        ({"email": "ann@example.com", "password": "b"}, None, "Gc-1"),
        ({"data": {"mail": "ann@example.com"}, "password": "b"}, None, "Gc-1"),
        ({"city": "b", "password": "b"}, {"user": {"email": "ann@example.com"}}, "Gc-1"),
        ({"email": "ben@example.com", "password": "b"}, None, "Gc-2"),
        ({"email": "eve@example.com", "password": "b"}, {"email": "eve@example.com"}, "b"),
        ({"city": "b", "password": "b"}, None, "b"),
    ],
    ids=["an address is sent", "further down", "it is shown", "the other's", "a stranger's", "nobody's"],
)
def test_an_account_that_somebody_signs_in_with_keeps_its_password(body: Any, shown: Any, password: str) -> None:
    answer = None if shown is None else Response(200, (JSON,), json.dumps(shown).encode())
    kept = keeping_ones_own(draft("/users/7", body, hole("id", 1)), BOTH, answer)
    assert json.loads(kept.request.body) == body | {"password": password}


def test_whose_password_nobody_knows_is_sent_as_described() -> None:
    asked = draft("/users/7", {"email": "ann@example.com", "password": "b"}, hole("id", 1))
    assert keeping_ones_own(asked, [{"mail": "ann@example.com"}.items()]) is asked


@run
async def test_a_password_that_a_refusal_asks_for_is_his_own_where_the_account_is() -> None:
    account = b'{"id": 7, "email": "ann@example.com"}'

    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while request := await server.read_request(reader):
            lacks = request.startswith(b"PUT") and b"password" not in request
            status, told = (b"400 Bad Request", b'{"error": "password is required"}') if lacks else (b"200 OK", account)
            head = b"HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            writer.write(head % (status, len(told), told))

    ann = ProfileIdentity(name="ann", variables=tuple(ANN.items()), values=(Placed(("header", "AUTHORIZATION"), "a"),))
    async with RawServer(talk) as server:
        shows = Draft(request=Request("GET", b"/users/7"), drafted=True, holes=(hole("id", 1),))
        sent = [shows, draft("/users/7", {"email": "b@example.com"}, hole("id", 1))]
        sent = [msgspec.structs.replace(each, operation=True, request=at(server.port, each.request)) for each in sent]
        await obtained(server.port, *sent, profile=AuthProfile(id="p", name="p", identities=(ann,)))
        received = b"".join(server.received)
    assert b'"password":"Gc-1"' in received
    assert received.count(b'"password"') == 1
    assert b"b@example.com" not in received


@pytest.mark.parametrize(
    ("variables", "referer", "body"),
    [
        ({"user": "ann", "password": "Gc-1"}, "/login", b"username=ann&password=Gc-1&csrf=t"),
        ({"login": "ann@example.com", "pw": "x", "password": "Gc-1"}, "/login", b"username=example&password=b&csrf=t"),
        ({"mail": "ann@example.com", "password": "Gc-1"}, "/login", b"username=ann%40example.com&password=Gc-1&csrf=t"),
        ({"user": "ann", "password": "Gc-1"}, "", b"username=example&password=b&csrf=t"),
    ],
    ids=["its user", "two passwords are told", "by address", "a description's login"],
)
def test_a_pages_login_signs_in_whom_the_profile_names(variables: dict[str, str], referer: str, body: bytes) -> None:
    headers = ((b"Host", b"x"), (b"Content-Type", b"application/x-www-form-urlencoded"))
    headers += ((b"Referer", f"http://x{referer}".encode()),) if referer else ()
    form = Request("POST", b"/login", headers, b"username=example&password=b&csrf=t", host="x")
    assert setting_the_same(Draft(form, drafted=True), variables.items()).request.body == body


@run
async def test_whom_a_profile_names_is_not_locked_out() -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while await server.read_request(reader):
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

    ann = ProfileIdentity(name="ann", variables=tuple(ANN.items()), values=(Placed(("header", "AUTHORIZATION"), "a"),))
    async with RawServer(talk) as server:
        sent = [draft("/me/password", {"old": "a", "new": "b"}), draft("/me", {}, method="DELETE")]
        sent = [msgspec.structs.replace(each, operation=True, request=at(server.port, each.request)) for each in sent]
        await obtained(server.port, *sent, profile=AuthProfile(id="p", name="p", identities=(ann,)))
        received = b"".join(server.received)
    assert b'{"old": "Gc-1", "new": "Gc-1"}' in received
    assert b"DELETE" not in received


def at(port: int, request: Request) -> Request:
    changed: Request = msgspec.structs.replace(request, scheme="http", host="127.0.0.1", port=port)
    return changed


def test_the_account_that_a_scan_made_keeps_its_password_where_it_changes_its_own() -> None:
    listed = drafts()
    enrolment = enrolled(Club(), listed)
    body = {"current_password": "a", "new_password": "b", "hint": "c"}
    (own,) = {account.password for account in enrolment.accounts[:1]}
    filled = enrolment.filled_in(draft("/user/password", body))
    assert json.loads(filled.request.body) == {"current_password": own, "new_password": own, "hint": "c"}


def test_the_account_that_a_scan_made_keeps_its_password_where_it_is_written_over() -> None:
    enrolment = enrolled(Club(), drafts())
    assert enrolment.profile is not None
    identity, account = enrolment.profile.identities[0], enrolment.accounts[0]
    asked = draft("/users/7", {"email": account.mail, "password": "b"}, hole("id", 1))
    kept = keeping_ones_own(asked, [identity.variables])
    assert json.loads(kept.request.body) == {"email": account.mail, "password": account.password}


@pytest.mark.parametrize(
    ("path", "name", "kept"),
    [
        ("/users/1/password", "user_id", ("/users/7/password", "Gc-1")),
        ("/accounts/1/password", "id", ("/accounts/7/password", "Gc-1")),
        ("/devices/1/password", "id", ("/devices/1/password", "a")),
    ],
)
def test_an_account_is_our_own_by_the_number_that_its_registration_told(
    path: str, name: str, kept: tuple[str, str]
) -> None:
    changed = keeping_the_password(draft(path, {"password": "a"}, hole(name, 1)), OURS, "7")
    assert (changed.request.path.decode(), json.loads(changed.request.body)["password"]) == kept


def numbered(path: str, body: Any, *holes: Hole, method: str = "PUT") -> Draft:
    asked: Draft = msgspec.structs.replace(draft(path, body, *holes, method=method), operation=True)
    return asked


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        (numbered("/accounts/2/password", {"password": "a"}, hole("id", 1)), {"password": "Gc-1"}),
        (
            numbered("/users/2/password", {"old_password": "a", "new_password": "b"}, hole("userId", 1)),
            {"old_password": "Gc-1", "new_password": "Gc-1"},
        ),
        (
            numbered("/password", {"account_id": "2", "password": "a"}, Hole("account_id", ACCOUNT_SENT)),
            {"account_id": "7", "password": "Gc-1"},
        ),
    ],
    ids=["by its path", "with the old one", "by a field"],
)
def test_the_password_of_a_numbered_account_is_the_senders_own(asked: Draft, sent: dict[str, str]) -> None:
    own = of_its_sender(asked, ANN.items(), "7")
    assert json.loads(own.request.body) == sent
    assert b"2" not in own.request.path
    assert own.holes[0].given
    assert not own.kept
    assert of_its_sender(asked, ANN.items(), "").kept, "nothing tells his number"
    assert of_its_sender(asked, (), "7").kept, "nothing tells his password"


@pytest.mark.parametrize("path", ["/set-secret", "/change-secret", "/skippers/secret"])
def test_an_account_under_the_word_of_the_application_keeps_its_password(path: str) -> None:
    at = Point(("post", "json_doc", "json_obj", "skipperId"))
    asked = numbered(path, {"skipperId": "2", "secret": "a"}, Hole("skipperId", at), method="POST")
    own = of_its_sender(asked, ANN.items(), "7", [("skippers",)])
    assert json.loads(own.request.body) == {"skipperId": "7", "secret": "Gc-1"}
    assert of_its_sender(asked, ANN.items(), "7", [("boats",)]) is asked


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        (numbered("/admin/users/2/password", {"password": "a"}, hole("id", 2)), True),
        (numbered("/admin/users/2/reset-password", {"password": "a"}, hole("id", 2), method="POST"), True),
        (draft("/accounts/2/password", {"password": "a"}, hole("id", 1)), False),
        (numbered("/devices/2/password", {"password": "a"}, hole("id", 1)), False),
        (numbered("/accounts/2/password/reset", {"code": "1", "password": "a"}, hole("id", 1)), False),
        (numbered("/accounts/2/nickname", {"nickname": "a"}, hole("id", 1)), False),
    ],
    ids=["managers", "managers' reset", "written by somebody", "no account", "by a code", "no password"],
)
def test_what_managers_set_is_kept_back_and_what_sets_no_accounts_password_stays(asked: Draft, kept: bool) -> None:
    told = of_its_sender(asked, ANN.items(), "7")
    assert told.kept is kept
    assert told.request == asked.request


@run
@pytest.mark.parametrize("tells", [True, False], ids=["told who he is", "told nothing"])
async def test_nobodys_password_is_set_by_the_number_that_a_description_shows(tells: bool) -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while await server.read_request(reader):
            body = b'{"id": 7, "name": "ann"}' if tells else b"{}"
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body
            )

    ann = ProfileIdentity(name="ann", variables=tuple(ANN.items()), values=(Placed(("header", "AUTHORIZATION"), "a"),))
    async with RawServer(talk) as server:
        me = Draft(request=Request("GET", b"/me"), drafted=True)
        sent = [numbered("/accounts/2/password", {"password": "b"}, Hole("id", Point(("path", "1")), given=True)), me]
        sent = [msgspec.structs.replace(each, operation=True, request=at(server.port, each.request)) for each in sent]
        ledger = await obtained(server.port, *sent, profile=AuthProfile(id="p", name="p", identities=(ann,)))
        received = b"".join(server.received)
    assert b"/accounts/2" not in received
    assert (b"PUT /accounts/7/password" in received) is tells
    assert any("nothing says is the sender's own" in (one.detail or "") for one in ledger.tested.values()) is not tells


def test_what_the_login_calls_a_name_names_our_account() -> None:
    asked = draft("/crew/example/phrase", {"phrase": "example"}, hole("badge", 1))
    assert keeping_the_password(asked, OURS) is asked
    kept = keeping_the_password(asked, OURS, called={"badge"})
    assert (kept.request.path, json.loads(kept.request.body)) == (b"/crew/gcours/phrase", {"phrase": "Gc-1"})
