"""Answers that may be nobody's: of another form than the recorded one, whatever they tell."""

import pytest
from tests.node.test.answering import get

from gatecrash.core.message import Headers, Response
from gatecrash.core.testing.health.nobody import face_of, has_changed, is_alike

JSON: Headers = ((b"Content-Type", b"application/json"),)
HTML: Headers = ((b"Content-Type", b"text/html"),)


def json(body: bytes, status: int = 200) -> Response:
    return Response(status, JSON, body)


def page(body: bytes, status: int = 200) -> Response:
    return Response(status, HTML, body)


def to(location: bytes) -> Response:
    return Response(302, ((b"Location", location),), b"")


def made(body: bytes) -> Response:
    return Response(201, (*JSON, (b"Location", b"/orders/7")), body)


GOOD = json(b'{"ok": true, "orders": [7, 8]}')


@pytest.mark.parametrize(
    ("recorded", "now", "changed"),
    [
        (GOOD, json(b'{"error": "Not found"}', 404), True),
        (GOOD, Response(500, body=b"oops"), True),
        (GOOD, page(b"<title>Shed</title><div id=root></div>"), True),
        (GOOD, json(b'{"ok": false}'), True),
        (GOOD, json(b'{"ok": false, "orders": []}'), True),
        (GOOD, json(b"[]"), True),
        (json(b"[7]"), json(b"[]"), True),
        (to(b"/orders/7"), to(b"/"), True),
        (page(b"<title>Orders</title>"), page(b"<title>Welcome</title>"), True),
        (page(b"<h1>Orders</h1>"), page(b"<h1 class=x>Welcome</h1>"), True),
        (json(b"{}"), json(b'{"error": "sign in"}'), True),
        (json(b'{"state": "ok"}'), json(b'{"state": "off", "next": "/login"}'), True),
        (json(b'{"latest": "1.0.0"}'), json(b'{"latest": "1.0.0", "error": "sign in"}', 404), True),
        (json(b'{"shop": "teas", "user": {"id": 7}}'), json(b'{"shop": "teas", "user": null}'), True),
        (json(b'{"shop": "teas", "user": "anna"}'), json(b'{"shop": "teas"}'), True),
        # What was made is told together with its address.
        (made(b'{"id": 7}'), made(b'{"error": "sign in"}'), True),
        # The same form, whatever it tells now.
        (GOOD, json(b'{"ok": true, "orders": [9]}'), False),
        (json(b"[7]"), json(b"[7, 8]"), False),
        # What a browser does not keep of a redirect.
        (to(b"/orders/7"), Response(302, (*HTML, (b"Location", b"/orders/7")), b"<p>Moved</p>"), False),
        # All that it told, and more.
        (json(b'{"latest": "1.0.0"}'), json(b'{"latest": "1.0.0", "beta": "1.1.0"}'), False),
        (page(b"<title>Orders</title>7"), page(b"<title>Orders</title>8"), False),
        # Nobody knows, or for the moment alone.
        (None, json(b"{}", 404), False),
        (GOOD, json(b"{}", 503), False),
        (GOOD, json(b"{}", 429), False),
        # What was an error or a refusal when it was recorded.
        (json(b"{}", 404), json(b"[]"), False),
        (json(b'{"error": "not signed in"}'), json(b"[]"), False),
    ],
)
def test_an_answer_has_changed(recorded: Response | None, now: Response, *, changed: bool) -> None:
    assert has_changed(recorded, now) is changed


def test_a_list_that_was_emptied_and_another_page_are_alike() -> None:
    assert is_alike(json(b"[7]"), json(b"[]"))
    assert is_alike(page(b"<title>Orders</title>"), page(b"<title>Welcome</title>"))
    assert not is_alike(GOOD, json(b'{"ok": false}'))
    assert not is_alike(GOOD, Response(404))
    assert not is_alike(None, GOOD)


def test_a_face_is_known_again_at_other_addresses() -> None:
    one = face_of(get("/orders/7"), Response(404, body=b"Cannot GET /orders/7 (trace 5f1c9f2ab0e94d)"))
    other = face_of(get("/search?q=a", method="POST"), Response(404, body=b"Cannot POST /search?q=a (trace 0b44f2)"))
    assert one == other
    assert one != face_of(get("/orders/7"), Response(404, body=b"There is no such order"))
    assert one != face_of(get("/orders/7"), Response(400, body=b"Cannot GET /orders/7 (trace 5f1c9f2ab0e94d)"))
