"""Who signs in again beside those whose sessions a record ends: users of the same hosts, by logins of their own."""

import json

from tests.core.testing.profiles.recording import signing_in

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.recorded_sign_ins import SignIns

JSON = (b"Content-Type", b"application/json")


def asked(
    path: str, token: str = "", said: dict[str, str] | None = None, answer: dict[str, str] | None = None
) -> Exchange:
    headers: Headers = ((b"Host", b"shed.example"),)
    headers += ((b"Authorization", b"Bearer " + token.encode()),) if token else ()
    headers += (JSON,) if said else ()
    body = json.dumps(said).encode() if said else b""
    request = Request("POST" if said else "GET", path.encode(), headers, body, "http", "shed.example", 80)
    return Exchange(request, Response(200, (JSON,), json.dumps(answer or {"ok": "yes"}).encode()))


def comes_in(name: str, token: str, login: str) -> list[Exchange]:
    entering = asked(login, said={"user": name, "password": f"pw of {name}"}, answer={"token": token})
    return [entering, asked("/api/me", token, answer={"name": name})]


def tokens_of(profile: AuthProfile) -> set[tuple[str, str]]:
    return {(each.identity, placed.value.removeprefix("Bearer ")) for each in profile.holders for placed in each.values}


ANN, BOB = "5b40bf267b96835ec52b997b7815e4f5", "0b6a340d188355597f2a1eae7d7032aa"
OUT = asked("/api/logout", ANN, said={"all": "no"})


def test_who_came_by_another_login_signs_in_by_that_one_behind_those_whose_sessions_ended() -> None:
    profile = signing_in(*comes_in("bob", BOB, "/api/admin/login"), *comes_in("ann", ANN, "/api/login"), OUT)
    ann, bob = profile.identities
    assert (ann.known, bob.known) == (("ann",), ("bob",))
    assert [each.login[-1].url for each in (ann, bob)] == [
        "http://shed.example/api/login",
        "http://shed.example/api/admin/login",
    ]
    assert tokens_of(profile) == {(ann.name, ANN), (bob.name, BOB)}


def test_who_has_a_token_of_another_login_beside_keeps_it_and_who_only_registered_keeps_his_session() -> None:
    beside = comes_in("ann", BOB, "/api/admin/login")
    made = asked("/api/register", said={"user": "eve", "password": "pw", "name": "Eve"}, answer={"token": BOB[::-1]})
    profile = signing_in(*beside, made, asked("/api/me", BOB[::-1]), *comes_in("ann", ANN, "/api/login"), OUT)
    (ann,) = profile.identities
    assert [each.url for each in ann.login] == ["http://shed.example/api/login"]
    assert tokens_of(profile) == {(ann.name, ANN)}


def test_where_somebody_else_comes_by_that_other_login_all_who_did_come_by_it_anew() -> None:
    """Else a token that one of them is given for it would stand where the others have none."""
    anns = "d41d8cd98f00b204e9800998ecf8427e"
    beside = [*comes_in("ann", anns, "/api/admin/login"), *comes_in("bob", BOB, "/api/admin/login")]
    profile = signing_in(*beside, *comes_in("ann", ANN, "/api/login"), OUT)
    assert [each.known for each in profile.identities] == [("ann",), ("bob",)]
    ann, bob = profile.identities
    assert tokens_of(profile) == {(ann.name, ANN), (ann.name, anns), (bob.name, BOB)}


def by_form(path: str, body: bytes, cookie: bytes, set_cookie: bytes) -> Exchange:
    headers: Headers = ((b"Host", b"shed.example"), (b"Content-Type", b"application/x-www-form-urlencoded"))
    headers += ((b"Cookie", cookie),) if cookie else ()
    request = Request("POST", path.encode(), headers, body, "http", "shed.example", 80)
    return Exchange(request, Response(302, ((b"Location", b"/"), (b"Set-Cookie", set_cookie))))


def test_whose_cookie_is_taken_back_is_out_whatever_the_address_is_called() -> None:
    enters = by_form("/enter", b"user=ann&password=sesame", b"", b"shedsid=" + ANN.encode() + b"; HttpOnly")
    cookie = b"shedsid=" + ANN.encode() + b"; guard=7d3f0c1b2a495e68"
    sent = by_form("/vote", b"a=1", cookie, b"guard=; Max-Age=0")
    leaves = by_form("/adieu", b"a=1", cookie, b"shedsid=; Max-Age=0")
    sign_ins = SignIns()
    for exchange in (enters, sent):
        sign_ins.see(exchange)
    assert sign_ins.profile() is None, "another cookie than the one that the login gave"
    sign_ins.see(leaves)
    profile = sign_ins.profile()
    assert profile is not None
    assert profile.identities[0].known == ("ann",)
