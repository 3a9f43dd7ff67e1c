"""Whether something else was written to an object since a request of the record wrote it."""

import json

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.objects.written_since import written_since
from gatecrash.core.testing.known.objects import Named

FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
POSTED = Request("POST", b"/account", FORM, b"user_id=7&phone=0551-777&about=I+like+dogs")
NAMED = Named(Point.of("post", "form_urlencoded", "user_id"), "7", None)
FILLED = (
    b'<form method=post><input type=hidden name=user_id value="7"><input name=phone value="0551-888">'
    b"<textarea name=about>I like cats</textarea><button>Save</button></form>"
)


def read(body: bytes, target: bytes = b"/account", kind: bytes = b"text/html", status: int = 200) -> list[Exchange]:
    return [Exchange(Request("GET", target), Response(status, ((b"Content-Type", kind),), body))]


def test_a_form_of_its_own_that_is_filled_in_with_other_values_tells_so():
    assert written_since(POSTED, NAMED, read(FILLED))
    by_address = Request("POST", b"/users/7", FORM, b"phone=0551-777")
    assert written_since(by_address, Named(Point.of("path", "1"), "7", None), read(FILLED, b"/users/7"))


@pytest.mark.parametrize(
    "page",
    [
        read(FILLED.replace(b'value="7"', b'value="8"')),
        read(FILLED.replace(b"0551-888", b"")),
        read(FILLED.replace(b"I like cats", b" ")),
        read(FILLED.replace(b"name=about", b"name=text")),
        read(FILLED, b"/members"),
        read(FILLED, status=403),
        read(b"<dl><dt>User id</dt><dd>7</dd><dt>Phone</dt><dd>0551-888</dd><dt>About</dt><dd>I like cats</dd></dl>"),
        read(b'{"user_id": 7, "phone": "0551-888", "about": "I like cats"}', kind=b"application/json"),
        [],
    ],
    ids=[
        "another's",
        "an empty field",
        "an empty text",
        "another form",
        "elsewhere",
        "refused",
        "no form",
        "JSON",
        "nothing",
    ],
)
def test_a_post_may_add_something_where_no_form_of_its_own_is_filled_in(page):
    assert not written_since(POSTED, NAMED, page)


def test_what_replaces_is_told_by_any_field_of_its_name():
    put = Request("PUT", b"/users/7", ((b"Content-Type", b"application/json"),), b'{"phone": "0551-777"}')
    named = Named(Point.of("path", "1"), "7", None)
    kind = b"application/json"
    assert written_since(put, named, read(b'{"phone": "0551-888"}', b"/users/7", kind))
    assert not written_since(put, named, read(b'{"fax": "0551-888"}', b"/users/7", kind))
    assert not written_since(put, named, read(b'{"phone": "0551-888"}', b"/users/7", kind, 404))


@pytest.mark.parametrize(
    ("answered", "shown", "told"),
    [
        ({"id": 7, "note": "by eight"}, [{"id": 7, "note": "at noon"}], True),
        ({"id": 7, "note": "by eight"}, [{"id": 7, "note": "by eight"}], False),
        ({"id": 7, "note": "by eight"}, [{"id": 8, "note": "at noon"}], False),
        ({"id": 99, "shift": 7, "note": "by eight"}, [{"id": 7, "note": "at noon"}], False),
        ({"id": 7, "notes": 3}, [{"id": 7, "note": "at noon"}], False),
        (None, [{"id": 7, "note": "at noon"}], False),
    ],
    ids=["changed", "as sent", "another's", "added", "not shown", "no answer"],
)
def test_a_post_whose_answer_shows_the_object_with_what_it_sends_changes_it(
    answered: object, shown: object, told: bool
):
    kind = ((b"Content-Type", b"application/json"),)
    asked = Request("POST", b"/shifts/note", kind, b'{"id": 7, "note": "by eight"}')
    named = Named(Point.of("post", "json_doc", "json_obj", "id"), "7", None)
    recorded = None if answered is None else Response(200, kind, json.dumps(answered).encode())
    page = read(json.dumps(shown).encode(), b"/shifts", kind=b"application/json")
    assert written_since(asked, named, page, recorded) is told


NOTED = Request("POST", b"/bills/7/note", FORM, b"_token=a1b2c3d4&note=paid+by+bank")
BILL = Named(Point.of("path", "1"), "7", None)


def led_to(target: bytes, status: int = 302) -> Response:
    return Response(status, ((b"Location", target),), b"")


@pytest.mark.parametrize("last", [b"note", b"edit", b"update-label", b"comments"])
def test_a_form_below_an_object_leads_back_to_its_page_which_does_not_show_what_was_sent(last):
    asked = Request("POST", b"/bills/7/" + last, FORM, NOTED.body)
    assert written_since(asked, BILL, read(b"<h1>Water</h1>", b"/bills/7"), led_to(b"/bills/7"))


@pytest.mark.parametrize(
    ("page", "answered"),
    [
        (read(b"<h1>Water</h1>", b"/bills/7"), led_to(b"/bills")),
        (read(b"<h1>Water</h1>", b"/bills/7"), led_to(b"/bills/7", status=200)),
        (read(b"<h1>Water</h1>", b"/bills/7"), None),
        (read(b"<h1>Bills</h1>", b"/bills"), led_to(b"/bills")),
        (read(b"<h1>Water</h1>", b"/bills/7", status=404), led_to(b"/bills/7")),
        (read(b'{"label": "Water"}', b"/bills/7", b"application/json"), led_to(b"/bills/7")),
    ],
    ids=["to the list", "no redirect", "no answer", "a list", "not there", "JSON"],
)
def test_a_form_that_leads_elsewhere_may_have_added_something_there(page, answered):
    assert not written_since(NOTED, BILL, page, answered)


@pytest.mark.parametrize(
    ("last", "body"),
    [
        (b"pay", b"note=water"),
        (b"transfers", b"note=water"),
        (b"email", b"note=water"),
        (b"cancel", b"note=water"),
        (b"delete", b"note=water"),
        (b"items", b"note=water&amount=12"),
    ],
)
def test_a_form_that_moves_money_or_does_something_is_not_sent_once_more(last: bytes, body: bytes) -> None:
    asked = Request("POST", b"/bills/7/" + last, FORM, body)
    assert not written_since(asked, BILL, read(b"<h1>Water</h1>", b"/bills/7"), led_to(b"/bills/7"))
