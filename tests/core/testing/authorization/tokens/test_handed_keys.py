"""Keys that answers hand out, and the requests that bring them."""

import orjson
import pytest

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.authorization.tokens.handed_keys import HandedKeys
from gatecrash.core.testing.known.objects import Made

JSON = ((b"Content-Type", b"application/json"),)
KEY = "9f0c4d2277ab10ce8d3e51c6a4f7b920"
MAKER = Made(Request("POST", b"/keys", JSON, b'{"label": "night"}', host="a"), ("id",), "7041")


def _told(request: Request, document: object, status: int = 200) -> Exchange:
    return Exchange(request, Response(status, JSON, orjson.dumps(document)))


def _keys(given: str = KEY, label: str = "night") -> HandedKeys:
    keys = HandedKeys()
    made = Request("POST", b"/keys", JSON, orjson.dumps({"label": label}), host="a")
    assert not keys.see(_told(made, {"id": "7041", "secret": given}, 201))
    return keys


def _use(target: bytes = b"/feed", headers: Headers = (), method: str = "GET", host: str = "a") -> Exchange:
    return _told(Request(method, target, headers, b"", host=host), {"rows": []})


@pytest.mark.parametrize(
    ("exchange", "found"),
    [
        (_use(headers=((b"X-Key", KEY.encode()),)), (b"X-Key", b"")),
        (_use(headers=((b"Authorization", b"Token " + KEY.encode()),)), (b"Authorization", b"Token ")),
        (_use(b"/feed?key=" + KEY.encode()), (b"", b"")),
        (_use(b"/shared/" + KEY.encode()), (b"", b"")),
        (_use(b"/shared/" + KEY.encode(), ((b"Authorization", b"Bearer a"),)), None),
        (_use(headers=((b"Cookie", b"k=" + KEY.encode()),)), None),
        (_use(b"/feed?key=something-else"), None),
        (_use(b"/feed", ((b"X-Key", KEY.encode()),), "POST"), None),
    ],
    ids=[
        "in a header",
        "behind a word",
        "in the query",
        "in a link",
        "in an address of one's own",
        "in a cookie",
        "another",
        "what changes something",
    ],
)
def test_where_a_key_is_brought_along(exchange: Exchange, found: tuple[bytes, bytes] | None):
    keys = _keys()
    assert keys.see(exchange) is (found is not None)
    assert not keys.see(exchange), "it is known by then"
    uses = keys.used_with([MAKER])
    assert [(use.header, use.before) for use in uses] == ([] if found is None else [found])
    assert all((use.path, use.was, use.request.headers) == (("secret",), KEY, ()) for use in uses)
    assert keys.used_with([Made(Request("POST", b"/cards", host="a"), ("id",))]) == ()


@pytest.mark.parametrize(
    ("given", "label"), [("open", "night"), (KEY, KEY)], ids=["a word is no key", "what was sent was not handed out"]
)
def test_what_is_no_key_of_an_answer_is_not_kept(given: str, label: str):
    keys = _keys(given, label)
    assert not keys.see(_use(headers=((b"X-Key", given.encode()),)))


def test_a_login_hands_out_no_key():
    keys = HandedKeys()
    keys.see(_told(Request("POST", b"/login", JSON, b'{"user": "ann", "password": "k1"}', host="a"), {"token": KEY}))
    assert not keys.see(_use(headers=((b"X-Key", KEY.encode()),)))


def test_an_identifier_in_an_address_is_no_key():
    keys = HandedKeys()
    made = Request("POST", b"/keys", JSON, b"{}", host="a")
    keys.see(_told(made, {"id": KEY, "url": f"/shared/{KEY}"}, 201))
    assert not keys.see(_use(b"/shared/" + KEY.encode()))
