"""The next page of a list: by links, by cursors, by numbers; and none where it ends."""

import json

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.addresses.further_pages import next_page

JSON = (b"Content-Type", b"application/json")


def led_from(target: bytes, document: object, *headers: tuple[bytes, bytes]) -> bytes | None:
    asked = Request("GET", target, ((b"Authorization", b"Bearer a"),), host="shop.test")
    further = next_page(asked, Response(200, (JSON, *headers), json.dumps(document).encode()))
    return further.target if further is not None else None


@pytest.mark.parametrize(
    ("target", "document", "wanted"),
    [
        (b"/notes", {"items": [{"id": 1}], "nextCursor": "MjA="}, b"/notes?cursor=MjA%3D"),
        (b"/notes?limit=2", {"items": [], "next_cursor": "b"}, b"/notes?limit=2&cursor=b"),
        (b"/notes?after=a", {"items": [], "meta": {"next_cursor": "b"}}, b"/notes?after=b"),
        (b"/notes", {"items": [], "nextPageToken": "b"}, b"/notes?pageToken=b"),
        (b"/notes", {"items": [], "next": "/notes?page=2"}, b"/notes?page=2"),
        (b"/notes", {"items": [], "next": "http://shop.test/notes?page=2"}, b"/notes?page=2"),
        (b"/notes", {"items": [], "_links": {"next": {"href": "?page=2"}}}, b"/notes?page=2"),
        (b"/Notes", {"value": [], "@odata.nextLink": "/Notes?$skip=20"}, b"/Notes?$skip=20"),
        (b"/notes", {"content": [], "page": {"number": 0, "totalPages": 2}}, b"/notes?page=1"),
        (b"/notes?page=1", {"data": [], "current_page": 1, "last_page": 2}, b"/notes?page=2"),
    ],
)
def test_where_a_list_goes_on_is_told_by_its_answer(target: bytes, document: object, wanted: bytes):
    assert led_from(target, document) == wanted


def test_a_link_beside_the_answer_leads_on():
    assert led_from(b"/notes", [{"id": 1}], (b"Link", b'</notes?page=9>; rel="prev", </notes?page=2>; rel="next"')) == (
        b"/notes?page=2"
    )


@pytest.mark.parametrize(
    ("target", "document"),
    [
        (b"/notes", {"items": [{"id": 1}], "nextCursor": None}),
        (b"/notes", {"items": [], "next": ""}),
        (b"/notes?page=2", {"data": [], "current_page": 2, "last_page": 2}),
        # What leads to another address is another thing: the article behind this one.
        (b"/articles/4", {"text": "a", "next": "/articles/5"}),
        (b"/notes", {"items": [{"id": 1, "page": 7}]}),
    ],
)
def test_where_a_list_ends_nothing_is_asked(target: bytes, document: object):
    assert led_from(target, document) is None


def test_what_changes_something_or_is_refused_has_no_next_page():
    body = b'{"nextCursor": "b"}'
    assert next_page(Request("POST", b"/notes", (), b"{}", host="shop.test"), Response(200, (JSON,), body)) is None
    assert next_page(Request("GET", b"/notes", (), host="shop.test"), Response(403, (JSON,), body)) is None
