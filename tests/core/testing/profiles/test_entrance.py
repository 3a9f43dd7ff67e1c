"""The door of an application is known by its words, and gone through with accounts of our own."""

import json
from typing import Any

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.entrance import (
    Account,
    as_step,
    enrolling,
    entrance_of,
    fields,
    has_word,
    kind_of_name,
    only_random_text,
    opaque_texts,
    signing_in,
    token_in,
)
from gatecrash.core.testing.profiles.profile import Take
from gatecrash.core.testing.profiles.step_request import request_of
from gatecrash.core.testing.profiles.taking import take_all
from gatecrash.core.words.names import plain

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dGhpcy1pcy1hLXNpZ25hdHVyZQ"
ADA = Account(user="ada", mail="ada@example.com", password="a ${p}&w")
JSON = ((b"Host", b"x"), (b"Content-Type", b"application/json"))
FORM = ((b"Host", b"x"), (b"Content-Type", b"application/x-www-form-urlencoded"))


def post(path: str, body: Any) -> Request:
    return Request("POST", path.encode(), JSON, json.dumps(body).encode(), "http", "127.0.0.1", 80)


def answer(body: Any, *headers: tuple[bytes, bytes]) -> Response:
    return Response(200, headers, json.dumps(body).encode())


SIGN_UP = {
    "username": "example",
    "email": "user@example.com",
    "password": "x",
    "passwordConfirmation": "x",
    "city": "c",
}
LOGIN = {"username": "example", "password": "x"}


@pytest.mark.parametrize(
    ("login", "registration"),
    [
        ("/auth/login", "/auth/register"),
        ("/api/v1/sessions", "/api/v1/users"),
        ("/auth/token", "/accounts"),
        ("/signin", "/sign-up"),
        ("/api-token-auth", "/registration/"),
    ],
)
def test_login_and_registration_are_known_by_path_and_fields(login: str, registration: str) -> None:
    others = [
        post("/admin/login", LOGIN), post("/password/reset", SIGN_UP), post("/auth/refresh-token", {"token": "x"}),
        post("/orders", {"item": 1}), post("/items/login", {"item": 1}),
    ]  # fmt: skip
    found = entrance_of([*others, post(login, LOGIN), post(registration, SIGN_UP)])
    assert found.login is not None
    assert found.registration is not None
    assert (found.login.path, found.registration.path) == (login.encode(), registration.encode())


JOIN = {"handle": "x", "email": "user@example.com", "secret": "x"}
ENTER = {"handle": "x", "secret": "x"}


@pytest.mark.parametrize(
    ("login", "registration", "body"),
    [
        ("/enter", "/join", JOIN),
        ("/login", "/knitters", JOIN),
        ("/enter", "/register", JOIN),
        ("/login", "/join", ENTER),
    ],
)
def test_where_the_words_of_one_or_both_are_unknown_their_fields_tell(
    login: str, registration: str, body: dict[str, str]
) -> None:
    requests = [
        post("/forgot/confirm", JOIN), post("/staff", JOIN), post("/letters", {"handle": "x", "email": "x", "text": "y"}),
        post("/again", {**JOIN, "code": "x"}), post(login, ENTER), post(registration, body),
    ]  # fmt: skip
    found = entrance_of(requests, guarded={requests[1]})
    assert (found.login, found.registration) == (requests[4], requests[5])


@pytest.mark.parametrize("more", [{"email": "x"}, {}])
def test_what_a_login_asks_for_beside_the_password_is_who_signs_in_and_the_registration_means_the_same(
    more: dict[str, str],
) -> None:
    login = post("/login", {"callsign": "x", "password": "x"})
    registration = post("/enlist", {"callsign": "x", **more, "password": "x", "rank": "x"})
    found = entrance_of([login, registration])
    assert (found.login, found.registration, found.called) == (login, registration, {"callsign"})
    assert json.loads(signing_in(login, ADA, by_mail=False).body)["callsign"] == "ada"
    assert json.loads(enrolling(registration, ADA, found.called).body) == {
        "callsign": "ada", **dict.fromkeys(more, ADA.mail), "password": ADA.password, "rank": "x",
    }  # fmt: skip


@pytest.mark.parametrize("body", [{"code": "x"}, {"remember": True}, {"callsign": "x", "station": "x"}, {"csrf": "x"}])
def test_what_else_a_login_is_sent_is_nobodys_name(body: dict[str, Any]) -> None:
    assert entrance_of([post("/login", {**body, "password": "x"})]).login is None


def test_of_two_with_the_same_fields_nobody_knows_which_is_which() -> None:
    found = entrance_of([post("/enter", ENTER), post("/join", ENTER)])
    assert (found.login, found.registration) == (None, None)


def test_where_all_is_said_to_want_credentials_the_door_is_found_all_the_same() -> None:
    requests = [post("/enter", ENTER), post("/join", JOIN)]
    assert entrance_of(requests, guarded=set(requests)).registration == requests[1]


def test_what_signs_nobody_in_is_no_door() -> None:
    found = entrance_of([post("/orders", {"item": 1}), Request("GET", b"/login"), post("/login", {"password": "x"})])
    assert (found.login, found.registration) == (None, None)


def test_a_registration_is_filled_with_the_account_and_keeps_what_it_does_not_know() -> None:
    body = json.loads(enrolling(post("/register", {"user": SIGN_UP}), ADA).body)
    assert body == {
        "user": {
            "username": "ada",
            "email": "ada@example.com",
            "password": ADA.password,
            "passwordConfirmation": ADA.password,
            "city": "c",
        }
    }


def test_a_login_by_mail_writes_the_address_where_the_name_stands() -> None:
    form = Request("POST", b"/token", FORM, b"grant_type=password&username=a&password=b")
    assert signing_in(form, ADA, by_mail=True).body.startswith(b"grant_type=password&username=ada%40example.com&")
    assert signing_in(form, ADA, by_mail=False).body.startswith(b"grant_type=password&username=ada&")


@pytest.mark.parametrize("name", ["username", "login", "userName", "nickname"])
def test_a_users_name_is_called_so(name: str) -> None:
    assert "user" in fields(post("/login", {name: "x", "password": "y"})).values()


@pytest.mark.parametrize("name", ["name", "id", "userId", "account", "identifier"])
def test_beside_a_password_a_plain_name_is_the_users(name: str) -> None:
    login, registration = post("/login", {name: "x", "password": "x"}), post("/register", {name: "x", "password": "x"})
    assert entrance_of([login, registration]).login == login
    assert json.loads(signing_in(login, ADA, by_mail=False).body)[name] == "ada"
    assert json.loads(enrolling(registration, ADA).body)[name] == "ada"


def test_the_same_value_under_an_unknown_name_is_the_password_typed_once_more() -> None:
    body = b"login=example&given=example&pass=Example-Password-1&again=Example-Password-1&motto=Example-Password-2"
    sent = enrolling(Request("POST", b"/join", FORM, body), ADA).body.decode()
    assert [pair.partition("=")[0] for pair in sent.split("&") if pair.endswith("=a+%24%7Bp%7D%26w")] == [
        "pass",
        "again",
    ]
    same = post("/join", {"username": "string", "password": "string", "city": "string"})
    assert sorted(fields(same).values()) == ["", "password", "user"]
    token = post("/token", {**LOGIN, "client_id": "x", "client_secret": "x"})
    assert entrance_of([token, post("/join", SIGN_UP)]).login == token


@pytest.mark.parametrize("button", ["Login", "Entrar"])
def test_a_button_that_signs_in_is_no_users_name(button: str) -> None:
    body = f"username=example&password=x&{button}={button}".encode()
    kinds = fields(Request("POST", b"/login", FORM, body))
    assert sorted(kinds.values()) == ["", "password", "user"]
    assert "user" in fields(post("/login", {"login": "login", "password": "x"})).values()


def test_a_pin_is_the_password_where_there_is_none_else() -> None:
    (point,) = (
        point for point, kind in fields(post("/login", {"login": "x", "pin": "1"})).items() if kind == "password"
    )
    assert point[-1] == "pin"
    assert list(fields(post("/login", {"password": "x", "pin": "1"})).values()) == ["password", ""]


def test_a_name_beside_a_users_name_is_none() -> None:
    found = enrolling(post("/register", {"username": "x", "name": "Ada L.", "password": "x"}), ADA)
    assert json.loads(found.body)["name"] == "Ada L."


def test_a_step_sends_the_very_bytes_whatever_they_look_like() -> None:
    request = signing_in(post("/login", LOGIN), ADA, by_mail=False)
    sent = request_of(as_step(request, None), {}, request.origin, lambda _host: ())
    assert (sent.method, sent.url, json.loads(sent.body)) == ("POST", request.url, json.loads(request.body))
    assert sent.first(b"Content-Type") == b"application/json"


@pytest.mark.parametrize(
    ("body", "expression", "token"),
    [
        ({"access_token": "abcdefgh", "token_type": "bearer"}, '$["access_token"]', "abcdefgh"),
        ({"data": {"user": {"id": 1}, "token": "abcdefgh"}}, '$["data"]["token"]', "abcdefgh"),
        ({"refreshToken": "zzzzzzzzz", "accessToken": "abcdefgh"}, '$["accessToken"]', "abcdefgh"),
        ({"refresh": "zzzzzzzzz", "access": "abcdefgh"}, '$["access"]', "abcdefgh"),
        ({"key": "abcdefgh"}, '$["key"]', "abcdefgh"),
        ({"token": "Bearer abcdefgh"}, '$["token"]', "abcdefgh"),
        ({"data": {"jwToken": "abcdefgh"}}, '$["data"]["jwToken"]', "abcdefgh"),
        ({"loginToken": "zzzzzzzz", "token": "abcdefgh"}, '$["token"]', "abcdefgh"),
        ({"credentials": {"value": JWT}}, '$["credentials"]["value"]', JWT),
    ],
)
def test_a_token_is_found_by_its_name(body: Any, expression: str, token: str) -> None:
    assert token_in(answer(body)) == (Take("token", "json", expression), token)


def test_a_token_may_come_in_a_header_with_its_word() -> None:
    response = answer({}, (b"Authorization", b"Bearer abcdefgh"))
    take = Take("token", "header", "AUTHORIZATION")
    assert token_in(response) == (take, "abcdefgh")
    assert has_word(response, take, "abcdefgh")


@pytest.mark.parametrize(
    ("name", "value", "token"),
    [
        (b"x-access-token", b"abcdefgh", "abcdefgh"),
        (b"X-Auth-Token", b"abcdefgh", "abcdefgh"),
        (b"X-Member", JWT.encode(), JWT),
        (b"X-CSRF-Token", b"abcdefgh", None),
        (b"X-Refresh-Token", JWT.encode(), None),
        (b"X-Request-Id", b"0123456789abcdef", None),
        (b"Set-Cookie", b"token=" + JWT.encode(), None),
    ],
)
def test_a_token_may_come_in_a_header_that_is_called_so(name: bytes, value: bytes, token: str | None) -> None:
    response = answer({}, (name, value))
    take = Take("token", "header", name.decode().upper())
    assert token_in(response) == (None if token is None else (take, token))
    assert not has_word(response, take, token or value.decode())


def test_whether_a_token_brings_its_word_is_told() -> None:
    take = Take("token", "json", '$["token"]')
    assert has_word(answer({"token": "Bearer abcdefgh"}), take, "abcdefgh")
    assert not has_word(answer({"token": "abcdefgh"}), take, "abcdefgh")


@pytest.mark.parametrize(
    "body",
    [
        {"message": "welcome aboard"}, [], "token", {"token": "short"}, {"token": 12345678}, {"csrfToken": "abcdefgh"},
        {"refresh_token": "abcdefgh"}, {"tokenType": "abcdefgh"}, {"pushToken": "abcdefgh"},
    ],
)  # fmt: skip
def test_an_answer_without_a_token_has_none(body: Any) -> None:
    assert token_in(answer(body)) is None


def test_an_account_is_never_printed() -> None:
    assert "ada" not in repr(ADA)


def asked(operation: str, variables: Any) -> Request:
    return post("/graphql", {"query": operation, "variables": variables})


def test_the_login_of_graphql_is_known_by_its_mutations() -> None:
    join = "mutation Join($data: UserInput!) { %s(data: $data) { id } }"
    enter = "mutation Enter($username: String!, $password: String!) { %s(username: $username, password: $password) { token } }"
    others = [asked(enter % "adminLogin", LOGIN), asked(enter % "resetPassword", LOGIN), asked("{ me { id } }", {})]
    for registration, login in (("createUser", "login"), ("signUp", "tokenAuth"), ("customerCreate", "signIn")):
        found = entrance_of([*others, asked(join % registration, {"data": SIGN_UP}), asked(enter % login, LOGIN)])
        assert found.login == asked(enter % login, LOGIN)
        assert found.registration == asked(join % registration, {"data": SIGN_UP})
    made = json.loads(enrolling(asked(join % "signUp", {"data": SIGN_UP}), ADA).body)
    assert made["query"] == join % "signUp"
    assert made["variables"]["data"]["email"] == "ada@example.com"


@pytest.mark.parametrize(
    ("body", "token"),
    [
        ({"data": {"login": {"session": {"accessToken": "0123456789abcdef"}}}}, "0123456789abcdef"),
        ({"data": {"login": "0123456789abcdef"}}, "0123456789abcdef"),
        ({"data": {"login": "wrong name or password"}}, None),
        ({"data": {"login": "0123456789abcdef", "other": "0123456789abcdef"}}, None),
        ({"login": "0123456789abcdef"}, None),
    ],
)
def test_a_token_of_graphql_stands_below_its_field_or_is_the_field(body: Any, token: str | None) -> None:
    found = token_in(answer(body))
    assert (None if found is None else found[1]) == token


@pytest.mark.parametrize("document", ["[" * 1000 + "]" * 1000, '{"grants": ' + "[" * 1000 + "]" * 1000 + "}"])
def test_an_answer_of_lists_in_lists_is_not_followed_for_as_long_as_it_goes(document: str) -> None:
    given = Response(200, ((b"Content-Type", b"application/json"),), document.encode())
    assert list(opaque_texts(Exchange(post("/login", LOGIN), given))) == []


def test_a_token_of_an_xml_answer_is_found_as_in_json() -> None:
    body = b'<e:Envelope xmlns:e="urn:e"><e:Body><LoginResponse><token>3f9a0c77de</token></LoginResponse></e:Body></e:Envelope>'
    answered = Response(200, ((b"Content-Type", b"text/xml"),), body)
    found = token_in(answered)
    assert found == (Take("token", "json", '$["LoginResponse"]["token"]'), "3f9a0c77de")
    assert take_all((found[0],), answered) == {"token": "3f9a0c77de"}


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"jsonrpc": "2.0", "id": 1, "result": "3f9a0c77de114b02"}, '$["result"]'),
        ({"data": {"signIn": "3f9a0c77de114b02"}}, '$["data"]["signIn"]'),
        ({"LoginResponse": {"LoginResult": "3f9a0c77de114b02"}}, '$["LoginResponse"]["LoginResult"]'),
    ],
)
def test_a_call_may_give_the_token_itself(body: Any, path: str) -> None:
    assert token_in(answer(body)) == (Take("token", "json", path), "3f9a0c77de114b02")


@pytest.mark.parametrize(
    "body",
    [
        {"jsonrpc": "2.0", "id": 1, "result": "signed in"},
        {"LoginResponse": {"userId": "3f9a0c77de114b02", "name": "Ada"}},
        {"user": "3f9a0c77de114b02"},
    ],
)
def test_a_text_among_others_or_a_word_is_none(body: Any) -> None:
    assert token_in(answer(body)) is None


RANDOM, OTHER = "9f1c77d3e2b04a5f8c6d1e0b7a294c35", "0b7c1d5e9f3a48d2b6e0c4a19d7f3e58"


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"session": {"value": RANDOM, "scheme": "Token"}, "member": 4}, '$["session"]["value"]'),
        ({"ok": True, "session": RANDOM, "member": OTHER}, '$["session"]'),
        ({"ok": True, "ticket": RANDOM, "id": OTHER}, '$["ticket"]'),
        ({"ok": True, "pass_along": RANDOM, "id": OTHER}, '$["pass_along"]'),
        ({"ok": True, "one": RANDOM, "two": OTHER}, None),
        ({"ok": True, "user": {"id": RANDOM}}, None),
        ({"ok": True, "author": RANDOM, "picture": OTHER}, None),
        ({"ok": True, "refresh": RANDOM}, None),
        ({"ok": True, "session": "opened"}, None),
    ],
)
def test_the_only_random_text_of_a_logins_answer_is_its_token_whatever_it_is_called(
    body: Any, path: str | None
) -> None:
    found = only_random_text(Exchange(post("/login", LOGIN), answer(body)))
    assert found == (None if path is None else (Take("token", "json", path), RANDOM))


def test_what_was_sent_is_no_token() -> None:
    sent = post("/login", {**LOGIN, "device": RANDOM})
    assert only_random_text(Exchange(sent, answer({"ok": True, "session": RANDOM}))) is None


@pytest.mark.parametrize(("name", "kind"), [("new_pass", "password"), ("oldPass", "password"), ("bypass", "")])
def test_a_short_word_for_a_password_may_stand_behind_what_is_said_of_it(name: str, kind: str) -> None:
    assert kind_of_name(plain(name)) == kind


def test_a_session_may_be_opened_by_a_function() -> None:
    opened = post("/open-session", {"user": "ada", "password": "x"})
    assert entrance_of([opened]).login == opened


def test_arguments_of_a_query_let_in_where_no_body_is_posted() -> None:
    def asking(path: bytes, method: str = "POST", body: bytes = b"") -> Request:
        return Request(method, path + b"?username=a&password=b", JSON, body, "http", "127.0.0.1", 80)

    login, registration = asking(b"/login"), asking(b"/register")
    found = entrance_of([registration, login])
    assert (found.login, found.registration) == (login, registration)
    assert signing_in(login, ADA, by_mail=False).target == b"/login?username=ada&password=a%20%24%7Bp%7D%26w"
    assert fields(asking(b"/login", body=b"{}")) == fields(asking(b"/login", "GET")) == {}


def test_who_sets_an_application_up_is_no_account_of_ours() -> None:
    """Its first user is its owner, and can be made once."""
    body = b'{"username": "x", "password": "y"}'
    first = Request("POST", b"/api/setup/create-first-user", JSON, body)
    assert entrance_of([first]).registration is None
    assert entrance_of([Request("POST", b"/api/setup/create-user", JSON, body)]).registration is not None


def test_signing_on_is_signing_in() -> None:
    login, search = post("/crew/signon", LOGIN), post("/crew/sign-only", LOGIN)
    assert entrance_of([search, login]).login == login
