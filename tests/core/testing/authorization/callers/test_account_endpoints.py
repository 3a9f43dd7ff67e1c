"""What is taken for a login, a registration or a reset, and what surely is not."""

import re
from random import Random

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.callers.account_endpoints import (
    LOGIN,
    REGISTRATION,
    RESET,
    account_request,
    asks_for_code,
    filled_in,
    hands_out_a_key,
    invented,
    lets_in,
    wrong_password,
)

FORM, JSON = b"application/x-www-form-urlencoded", b"application/json"
FINE = Response(200, (), b'{"ok": true}')
TOKEN = Response(200, (), b'{"access_token": "5f0c1d77"}')

GRAPHQL = b'{"query": "mutation M($n: String!, $p: String!) { login(user: $n, password: $p) { id } }", "variables": {"n": "ann", "p": "x"}}'
BRIEF = b'{"query": "mutation M($user: String!, $password: String!) { login(u: $user, p: $password) { id } }", "variables": {"user": "ann", "password": "x"}}'
BEARER = Response(
    200, (), b'{"data": {"enter": {"bearer": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dGhpcy1pcy1hLXNpZ25hdHVyZQ"}}}'
)
OPENED = Response(
    200,
    ((b"Content-Type", b"text/xml"),),
    b"<e:Envelope><e:Body><d:openResponse><return>b80699cadfb8c392a2a90b96d2eec8a7</return></d:openResponse></e:Body></e:Envelope>",
)
RPC = b'{"jsonrpc": "2.0", "method": "auth.login", "params": {"user": "ann", "password": "x"}, "id": 1}'
RESULT = Response(200, (), b'{"jsonrpc": "2.0", "result": {"token": "5f0c1d77"}, "id": 1}')


def asked(path: str, body: bytes, kind: bytes = FORM, response: Response = FINE) -> Exchange:
    return Exchange(Request("POST", path.encode(), ((b"Content-Type", kind),), body), response)


@pytest.mark.parametrize(
    ("exchange", "kind", "name"),
    [
        (asked("/login", b"username=ann&password=x"), LOGIN, "username"),
        (asked("/users/sign_in", b"user%5Bemail%5D=a%40b.c&user%5Bpassword%5D=x"), LOGIN, "email"),
        (asked("/wp", b"log=ann&pwd=x", response=Response(302, ((b"Set-Cookie", b"a=b"),))), LOGIN, "log"),
        (
            asked("/area", b"adminname=ann&password=x", response=Response(302, ((b"Set-Cookie", b"a=b"),))),
            LOGIN,
            "adminname",
        ),
        (asked("/bank/login", b"customer_no=7001&password=x"), LOGIN, "customer_no"),
        (asked("/sign-in", b"callsign=ann&password=x"), LOGIN, "callsign"),
        (asked("/enter", b'{"email": "a@b.c", "passwd": "x"}', JSON, TOKEN), LOGIN, "email"),
        (asked("/auth/password", b'{"email": "a@b.c", "password": "x"}', JSON, TOKEN), LOGIN, "email"),
        (asked("/api/register", b'{"email": "a@b.c", "password": "x"}', JSON), REGISTRATION, "email"),
        (asked("/api/login", b'{"name": "ann", "password": "x"}', JSON), LOGIN, "name"),
        (asked("/api/users", b'{"username": "ann", "password": "x"}', JSON, TOKEN), REGISTRATION, "username"),
        (asked("/auth/users/", b'{"email": "a@b.c", "password": "x"}', JSON), REGISTRATION, "email"),
        (asked("/users/token", b'{"username": "ann", "password": "x"}', JSON, TOKEN), LOGIN, "username"),
        (asked("/api/join", b'{"name": "ann", "password": "x"}', JSON), REGISTRATION, "name"),
        (asked("/api/join", b'{"name": "Ann", "email": "a@b.c", "password": "x"}', JSON), REGISTRATION, "email"),
        (asked("/forgot", b"email=a%40b.c&csrf_token=1"), RESET, "email"),
        (
            asked("/api", b'{"query": "mutation { signIn(email: \\"a@b.c\\", password: \\"x\\") { id } }"}', JSON),
            LOGIN,
            "email",
        ),
        (asked("/api", GRAPHQL, JSON), LOGIN, "n"),
        (asked("/api", BRIEF, JSON), LOGIN, "user"),
        (asked("/rpc", RPC, JSON), LOGIN, "user"),
        (asked("/rpc", RPC.replace(b"auth.login", b"entry.open"), JSON, RESULT), LOGIN, "user"),
    ],
)
def test_requests_for_accounts_are_known_by_their_fields_and_path(exchange, kind, name):
    account = account_request(exchange)
    assert account is not None
    assert (account.kind, account.name[-1]) == (kind, name)


@pytest.mark.parametrize(
    "exchange",
    [
        asked("/search", b"q=ann"),
        asked("/transfers", b"customer_no=7001&amount=5&password=x"),
        asked("/users", b'{"username": "ann", "password": "x"}', JSON),
        asked("/login", b"password=x"),
        asked("/login", b"password=x&remember=1"),
        asked("/login", b"password=x&callsign=ann&station=b7"),
        asked("/rooms", b'{"name": "attic", "password": "x"}', JSON, TOKEN),
        asked("/password/change", b"username=ann&password=x"),
        asked("/account", b"username=ann&old_password=x&new_password=y"),
        asked("/auth/password", b'{"email": "a@b.c", "password": "x"}', JSON),
        asked("/auth/account", b'{"email": "a@b.c", "new_password": "x"}', JSON),
        asked("/reset", b"email=a%40b.c&token=5f0c"),
        asked("/reset/login", b"email=a%40b.c&password=5f0c"),
        Exchange(Request("GET", b"/login?username=ann&password=x"), FINE),
    ],
)
def test_what_is_no_request_for_an_account_is_left_alone(exchange):
    assert account_request(exchange) is None


@pytest.mark.parametrize("header", [(b"Cookie", b"sid=5f0c1d77"), (b"Authorization", b"Bearer 5f0c1d77")])
def test_an_account_that_somebody_makes_for_others_is_no_registration_and_no_login(header):
    made = asked("/users", b'{"username": "ann", "password": "x"}', JSON, TOKEN)
    request = msgspec.structs.replace(made.request, headers=(*made.request.headers, header))
    assert account_request(Exchange(request, TOKEN)) is None


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (RESULT, True),
        (Response(200, (), b'{"data": {"signIn": {"token": "5f0c1d77"}}}'), True),
        (Response(200, (), b'{"success": true, "data": {"token": "5f0c1d77"}}'), True),
        (Response(200, (), b'{"data": {"offers": [{"token": "5f0c1d77"}]}}'), False),
        (None, False),
        (FINE, False),
        (TOKEN, True),
        (Response(200, (), b"<p>"), False),
        (Response(401, (), b""), False),
    ],
)
def test_a_session_is_a_cookie_or_a_token(response, expected):
    assert lets_in(response) is expected


@pytest.mark.parametrize(
    ("like", "shape"), [("ann", r"[a-z]{8}"), ("ann@x.org", r"[a-z]{8}@example\.com"), ("0123456789", r"\d{10}")]
)
def test_an_invented_name_is_of_the_known_ones_kind(like, shape):
    assert re.fullmatch(shape, invented(like, Random(1)))
    assert invented(like, Random(1)) != invented(like, Random(2))


def test_a_wrong_password_passes_the_usual_rules():
    word = wrong_password(Random(1))
    assert any(each.isupper() for each in word)
    assert any(each.isdigit() for each in word)
    assert len(word) >= 12


def test_filling_in_writes_name_and_password_and_nothing_else():
    exchange = asked("/login", b"username=ann&password=x&next=/home")
    account = account_request(exchange)
    assert filled_in(exchange.request, account, "ben", "y").body == b"username=ben&password=y&next=/home"
    assert filled_in(exchange.request, account, "ben", None).body == b"username=ben&password=x&next=/home"


KEY = Response(201, (), b'{"apiKey": "sk_5f0c1d7700aa"}')


@pytest.mark.parametrize(
    ("exchange", "given"),
    [
        (asked("/api/keys", b'{"name": "ann", "password": "x"}', JSON, KEY), True),
        (asked("/enter", b'{"name": "ann", "password": "x"}', JSON, TOKEN), True),
        (
            asked(
                "/enter",
                b'{"phone_no": "55501", "pin": "7719"}',
                JSON,
                Response(200, (), b'{"data": {"authkey": "YW5uOnNlc2FtZQ=="}}'),
            ),
            True,
        ),
        (asked("/enter", b'{"handle": "ann", "secret": "x"}', JSON, TOKEN), True),
        (asked("/enter", b'{"sign": "ann", "password": "x"}', JSON, OPENED), True),
        (asked("/notes", b'{"sign": "ann"}', JSON, OPENED), False),
        (asked("/enter", b'{"sign": "ann", "password": "x"}', JSON, BEARER), True),
        (asked("/notes", b'{"text": "ann", "secret": "x"}', JSON, TOKEN), False),
        (asked("/notes", b'{"handle": "ann", "secret": "x"}', JSON), False),
        (asked("/api/keys", b'{"name": "ann"}', JSON, KEY), False),
        (asked("/api/keys", b'{"name": "ann", "password": "x"}', JSON), False),
        (asked("/rooms", b'{"name": "ann", "password": "x"}', JSON, Response(201, (), b'{"key": "ann"}')), False),
        (asked("/users/reset", b'{"name": "ann", "password": "x"}', JSON, KEY), False),
        (asked("/users/7", b'{"name": "ann", "new_password": "x"}', JSON, KEY), False),
        (
            asked("/api/keys", b'{"name": "ann", "password": "x"}', JSON, msgspec.structs.replace(KEY, status=401)),
            False,
        ),
    ],
)
def test_who_brings_a_password_may_be_given_a_key_for_it_anywhere(exchange, given):
    assert hands_out_a_key(exchange) is given


@pytest.mark.parametrize(
    ("path", "body", "asks"),
    [
        ("/auth/otp", b"username=ann", True),
        ("/api/send-code", b"phone=%2B4915112345", True),
        ("/otp/send", b"email=a%40b.c", True),
        ("/users/sms-code/resend", b"email=a%40b.c&csrf_token=5f0c1d77", True),
        ("/auth/otp", b"username=ann&otp=4711", False),
        ("/auth/otp", b"username=ann&password=x", False),
        ("/auth/otp", b"colour=red", False),
        ("/coupons/code", b"email=a%40b.c", False),
        ("/qr-code", b"email=a%40b.c", False),
    ],
)
def test_a_code_is_asked_for_by_a_name_alone(path, body, asks):
    assert asks_for_code(asked(path, body)) is asks


def test_who_posts_an_account_to_all_of_them_registers_where_that_may_be_meant():
    exchange = asked("/users", b'{"username": "ann", "password": "x"}', JSON)
    account = account_request(exchange, makes_accounts=True)
    assert account is not None
    assert account.kind == REGISTRATION


@pytest.mark.parametrize("path", ["/password/code", "/v1/passwords/email", "/password/request/"])
def test_who_asks_for_a_code_below_what_is_called_a_password_has_forgotten_it(path):
    account = account_request(asked(path, b'{"email": "a@b.c"}', JSON))
    assert account is not None
    assert account.kind == RESET


@pytest.mark.parametrize(("let_in", "kind"), [(True, LOGIN), (False, None)])
def test_what_is_known_to_let_somebody_in_is_a_login_without_its_answer(let_in: bool, kind: str | None):
    request = Request("POST", b"/enter", ((b"Content-Type", b"application/json"),), b'{"nick": "ann", "pass": "k"}')
    found = account_request(Exchange(request), let_in=let_in)
    assert (found.kind if found is not None else None) == kind
