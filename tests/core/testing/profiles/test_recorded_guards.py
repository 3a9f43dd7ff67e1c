"""Tokens that guard a recorded login, and where they are read before it is sent again."""

import json

import pytest

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.profiles.recorded_guards import guards_of, handed_out
from gatecrash.core.testing.profiles.recorded_sign_ins import SignIns, origin_host
from gatecrash.core.testing.profiles.taking import take_all

HOST, GUARD, FRESH = "yard.example", "gd=71354a2dfb0ab1==", "gd=0b6a340d188355=="
SESSION = (b"Set-Cookie", b"sid=sd-1234567890ab")
JSON = (b"Content-Type", b"application/json")
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")


def asked(target: str, *headers: tuple[bytes, bytes], body: str = "", answer: Response | None = None) -> Exchange:
    sent: Headers = ((b"Host", HOST.encode()), *headers)
    request = Request("POST" if body else "GET", target.encode(), sent, body.encode(), "http", HOST, 80)
    return Exchange(request, answer or Response(200, body=b'{"ok": true}'))


def in_a_cookie(token: str) -> Response:
    return Response(204, ((b"Set-Cookie", b"XSRF-TOKEN=" + token.replace("=", "%3D").encode()),))


def in_the_head(token: str) -> Response:
    return Response(200, body=f'<head><meta name="csrf-token" content="{token}"></head>'.encode())


def in_json(token: str) -> Response:
    return Response(200, (JSON,), json.dumps({"csrfToken": token}).encode())


IN_A_HEADER = asked("/login", JSON, (b"X-XSRF-Token", GUARD.encode()), body='{"email": "ann", "password": "sesame"}')
IN_A_FORM = asked("/login", FORM, body=f"csrfToken={GUARD.replace('=', '%3D')}&email=ann&password=sesame")


@pytest.mark.parametrize("login", [IN_A_HEADER, IN_A_FORM], ids=["header", "form"])
@pytest.mark.parametrize("handed", [in_a_cookie, in_the_head, in_json])
def test_a_login_is_sent_with_the_token_that_is_handed_out_now(login, handed) -> None:
    entering = Exchange(login.request, Response(200, (SESSION,)))
    sign_ins = SignIns([(origin_host(login.request), b"/login")])
    for exchange in (asked("/guard", answer=handed(GUARD)), asked("/style.css"), entering):
        sign_ins.see(exchange)
    profile = sign_ins.profile()
    assert profile is not None
    fetching, step = profile.identities[0].login
    assert (fetching.method, fetching.url) == ("GET", f"http://{HOST}/guard")
    assert take_all(fetching.take, handed(FRESH)) == {"guard0": FRESH}
    assert ("X-Xsrf-Token", "${guard0}") in step.headers or ("csrfToken", "${guard0}") in (step.form or ())


def test_what_is_called_otherwise_or_was_handed_out_nowhere_guards_nothing() -> None:
    plain = asked("/login", JSON, (b"X-App", GUARD.encode()), body='{"email": "ann", "password": "sesame123"}')
    assert list(guards_of(plain.request)) == []
    assert handed_out(GUARD, asked("/guard", answer=in_a_cookie(FRESH)), "guard") is None


def test_where_the_page_is_in_the_record_once_every_user_gets_his_token_from_it() -> None:
    sign_ins = SignIns([(f"{HOST}:80", b"/login")])
    sign_ins.see(asked("/guard", answer=in_a_cookie(GUARD)))
    for name, guard in (("ann", GUARD), ("ben", FRESH)):
        cookie = (b"Set-Cookie", f"sid=sd-1234567890{name}".encode())
        entering = asked(
            "/login", JSON, (b"X-XSRF-Token", guard.encode()), body=f'{{"email": "{name}", "password": "k"}}'
        )
        sign_ins.see(Exchange(entering.request, Response(200, (cookie,))))
    profile = sign_ins.profile()
    assert profile is not None
    assert [[step.method for step in each.login] for each in profile.identities] == [["GET", "POST"]] * 2
    assert ("X-Xsrf-Token", "${guard0}") in profile.identities[1].login[1].headers


def test_the_page_of_a_form_is_asked_once_for_its_guard_and_for_all_else_that_it_fills_in() -> None:
    """Some begin another session with each page, for which the guard of an earlier one is good for nothing."""
    fields = b'<input name="csrf" value="gd-71354a2dfb0ab1"><input name="next" value="/orders/all">'
    page = Response(200, body=b"<form method=post>" + fields + b"<input type=password name=password></form>")
    entering = asked("/login", FORM, body="csrf=gd-71354a2dfb0ab1&next=%2Forders%2Fall&email=ann&password=sesame")
    sign_ins = SignIns([(origin_host(entering.request), b"/login")])
    for exchange in (asked("/login?next=1", answer=page), Exchange(entering.request, Response(200, (SESSION,)))):
        sign_ins.see(exchange)
    profile = sign_ins.profile()
    assert profile is not None
    fetching, step = profile.identities[0].login
    assert fetching.url == f"http://{HOST}/login?next=1"
    assert {"csrf": "gd-71354a2dfb0ab1", "next": "/orders/all"}.items() <= {
        key: take_all(fetching.take, page)[value[2:-1]] for key, value in step.form or () if value.startswith("${")
    }.items()
