"""What tells later whether a recorded session is alive."""

import json

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.profiles.recorded_sign_ins import SignIns

HOST, TOKEN = "yard.example", "tk-71354a2dfb0ab172a69d7032"
GIVEN = ((b"Content-Type", b"application/json"),)


def asked(target: str, token: str = "", body: object = None, answer: object = None, kind: bytes = b"") -> Exchange:
    headers: Headers = ((b"Host", HOST.encode()), *(GIVEN if body else ()))
    headers += ((b"Authorization", b"Bearer " + token.encode()),) if token else ()
    sent = json.dumps(body).encode() if body else b""
    request = Request("POST" if body else "GET", target.encode(), headers, sent, "http", HOST, 80)
    told = Response(200, ((b"Content-Type", kind),), b"/* */") if kind else None
    return Exchange(request, told or Response(200, GIVEN, json.dumps(answer or {"ok": True}).encode()))


ENTERING = asked("/login", body={"user": "ann", "password": "sesame"}, answer={"token": TOKEN})


def checks(*exchanges: Exchange) -> list[bytes]:
    sign_ins = SignIns()
    for exchange in exchanges:
        sign_ins.see(exchange)
    return [each.request.path + (b" " + each.request.body[:60]) for _, read in sign_ins.open() for each in read]


def test_what_its_user_was_told_about_himself_is_asked_first_and_what_everybody_reads_last() -> None:
    decoration = [asked(f"/static/{n}", TOKEN, kind=b"text/css") for n in range(4)]
    record = (
        asked("/news"),
        ENTERING,
        *decoration,
        asked("/news", TOKEN),
        asked("/orders", TOKEN),
        asked("/me", TOKEN),
    )
    assert checks(*record) == [b"/me ", b"/orders ", b"/static/0 ", b"/static/1 "]


def test_questions_by_post_are_asked_again_and_what_they_change_is_not() -> None:
    def called(name: str) -> Exchange:
        return asked("/rpc", TOKEN, {"jsonrpc": "2.0", "id": 1, "method": name, "params": {"id": 7}})

    queried = asked("/graphql", TOKEN, {"query": "query { me { id } }"})
    changed = asked("/graphql", TOKEN, {"query": 'mutation { addNote(text: "a") { id } }'})
    found = checks(ENTERING, called("order.get"), called("order.get"), called("order.cancel"), changed, queried)
    assert len(found) == 2
    assert [b"order.get" in each or b"{ me {" in each for each in found] == [True, True]
