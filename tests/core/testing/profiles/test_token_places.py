"""How users whose sessions are over sign in again where a login's token goes elsewhere than into Authorization, or the login is a GET."""

import base64
import json

import pytest

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.profiles.belonging import own_first
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.recorded_sign_ins import SignIns
from gatecrash.core.testing.profiles.step_request import request_of

ANNS, BENS = "r:71354a2dfb0ab172a69d7032", "r:0b6a340d188355597f2a1eae"
KEY = (b"X-Api-Key", b"k-1234567890abcdef")
HOST = "shed.example"
GIVEN = ((b"Content-Type", b"application/json"),)


def jwt(name: str) -> str:
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": name, "exp": 1_900_000_000})
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts]
    return ".".join([*encoded, "c2lnbmF0dXJlIG9mIDMyIGJ5dGVzIGZvciBIUzI1Ng"])


def asked(target: str, *headers: tuple[bytes, bytes], body: bytes = b"", answer: Response | None = None) -> Exchange:
    sent: Headers = ((b"Host", HOST.encode()), KEY, *headers)
    request = Request("POST" if body else "GET", target.encode(), sent, body, "http", HOST, 80)
    return Exchange(request, answer or Response(200, body=b"{}"))


def entering(name: str, token: str, *, get: bool, cookie: bool = False) -> Exchange:
    given = GIVEN + (((b"Set-Cookie", b"st=" + token.encode()),) if cookie else ())
    answer = Response(200, given, json.dumps({"username": name, "sessionToken": token}).encode())
    if get:
        return asked(f"/login?username={name}&password=k${{1}}", answer=answer)
    body = json.dumps({"username": name, "password": "k${1}"}).encode()
    return asked("/login", (b"Content-Type", b"application/json"), body=body, answer=answer)


def dead(*exchanges: Exchange) -> AuthProfile:
    sign_ins = SignIns()
    for exchange in exchanges:
        sign_ins.see(exchange)
    assert sign_ins.profile() is None, "nobody signed out"
    sign_ins.over(exchanges[-1])
    profile = sign_ins.profile()
    assert profile is not None
    return profile


@pytest.mark.parametrize("tokens", [(ANNS, BENS), (jwt("ann"), jwt("ben"))], ids=["opaque", "JWT"])
@pytest.mark.parametrize("get", [True, False], ids=["GET", "POST"])
@pytest.mark.parametrize(
    ("carrying", "point", "value"),
    [
        ((b"Authorization", b"Bearer %b"), ("header", "AUTHORIZATION"), "Bearer ${token}"),
        ((b"X-Session", b"%b"), ("header", "X-SESSION"), "${token}"),
        ((b"Cookie", b"lang=en; st=%b"), ("header", "COOKIE", "cookie", "st"), "${token}"),
    ],
)
def test_the_new_sessions_token_goes_where_the_recorded_one_went(
    carrying: tuple[bytes, bytes], point: tuple[str, ...], value: str, get: bool, tokens: tuple[str, str]
) -> None:
    name, template = carrying
    brings = [(name, template % token.encode()) for token in tokens]
    profile = dead(
        entering("ann", tokens[0], get=get),
        asked("/me", brings[0]),
        entering("ben", tokens[1], get=get),
        asked("/me", brings[1]),
    )
    assert [each.known for each in profile.identities] == [("ann",), ("ben",)]
    assert [[(each.point, each.value) for each in one.values] for one in profile.identities] == [[(point, value)]] * 2
    first = own_first(profile, asked("/orders", brings[1]).request)[0]
    assert first.known == ("ben",)
    sent = request_of(profile.identities[0].login[0], {}, f"http://{HOST}", lambda _host: ())
    assert sent.method == ("GET" if get else "POST")
    assert b"k${1}" in sent.target + sent.body
    assert sent.first(KEY[0]) == KEY[1], "the login needs the program's key"


@pytest.mark.parametrize("token", [ANNS[2:], jwt("ann")], ids=["opaque", "JWT"])
def test_the_token_goes_into_the_query_where_it_stood_there(token: str) -> None:
    profile = dead(entering("ann", token, get=True), asked(f"/me?lang=en&auth={token}"))
    assert [(each.point, each.value) for each in profile.identities[0].values] == [(("get", "auth"), "${token}")]


def test_a_cookie_that_the_login_set_itself_comes_back_by_itself() -> None:
    cookie = (b"Cookie", b"st=" + ANNS.encode())
    assert dead(entering("ann", ANNS, get=False, cookie=True), asked("/me", cookie)).identities[0].values == ()


def test_a_key_that_all_send_is_nobodys_session() -> None:
    sign_ins = SignIns()
    for exchange in (entering("ann", ANNS, get=False), asked("/me", (b"X-Session", ANNS.encode()))):
        sign_ins.see(exchange)
    sign_ins.over(asked("/public"))
    assert sign_ins.profile() is None


def test_what_is_good_for_one_session_or_moment_is_no_part_of_the_next_login() -> None:
    stale = ((b"X-Session-Token", b"old"), (b"X-CSRF-Token", b"old"), (b"Authorization", b"Bearer old"))
    client = (b"X-Client", b"app")
    answer = Response(200, GIVEN, json.dumps({"token": ANNS}).encode())
    body = json.dumps({"username": "ann", "password": "k"}).encode()
    login = asked("/login", *stale, client, body=body, answer=answer)
    profile = dead(login, asked("/me", (b"Authorization", b"Bearer " + ANNS.encode())))
    assert profile.identities[0].login[0].headers == (("X-Api-Key", KEY[1].decode()), ("X-Client", "app"))


def test_a_clients_own_name_and_secret_go_along_with_the_login() -> None:
    basic = (b"Authorization", b"Basic YXBwOnNlY3JldA==")
    answer = Response(200, GIVEN, json.dumps({"access_token": ANNS}).encode())
    login = asked("/token", basic, body=b'{"username": "ann", "password": "k"}', answer=answer)
    profile = dead(login, asked("/me", (b"Authorization", b"Bearer " + ANNS.encode())))
    assert ("Authorization", basic[1].decode()) in profile.identities[0].login[0].headers


def test_a_get_login_that_is_sent_once_more_was_not_let_in_before() -> None:
    refused = asked("/login?username=ann&password=wrong", answer=Response(200, body=b"<p>Try again</p>"))
    right = entering("ann", ANNS, get=True)
    profile = dead(refused, right, asked("/me", (b"X-Session", ANNS.encode())))
    assert "wrong" not in profile.identities[0].login[0].url


def called(function: str, *, header: str = "", argument: str = "", told: str = "<done/>") -> Exchange:
    body = '<e:Envelope xmlns:e="urn:e"><e:Header>{}</e:Header><e:Body>{}</e:Body></e:Envelope>'
    sent = body.format(header, f"<{function}>{argument}</{function}>").encode()
    xml = (b"Content-Type", b"text/xml")
    return asked("/service", xml, body=sent, answer=Response(200, (xml,), body.format("", told).encode()))


def test_the_token_goes_wherever_calls_say_in_their_messages_who_calls() -> None:
    token = "9f2c4be07d1a46c8"
    login = called(
        "Login",
        argument="<username>ann</username><password>k</password>",
        told=f"<LoginResponse><token>{token}</token></LoginResponse>",
    )
    read = called("ListOrders", header=f"<Auth><token>{token}</token></Auth>")
    balance = called("GetBalance", argument=f"<sessionId>{token}</sessionId>")
    checked = called("VerifyToken", argument=f"<token>{token}</token>")
    profile = dead(login, balance, checked, read)
    placed = [(each.point[-3], each.point[-1], each.value) for each in profile.identities[0].values]
    assert sorted(placed) == [("Auth", "token", "${token}"), ("GetBalance", "sessionId", "${token}")]
