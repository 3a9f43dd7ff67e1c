"""What a site's own links show to visitors is for everybody."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.node.scan.crawl_visitors import open_to_all

HTML = ((b"Content-Type", b"text/html"),)
PAGE = b"<h1>Wares</h1><p>Lamp</p><p>Desk</p>"


def asked(
    target: bytes, body: bytes = PAGE, *, referer: bytes = b"", cookie: bytes = b"", status: int = 200
) -> Exchange:
    headers = ((b"Referer", referer),) if referer else ()
    headers += ((b"Cookie", cookie),) if cookie else ()
    return Exchange(Request("GET", target, headers, host="shop.example"), Response(status, HTML, body))


def public(visitor: Exchange, body: bytes = PAGE) -> bool:
    (page,) = open_to_all([asked(visitor.request.target, body, cookie=b"sid=7")], [visitor])
    return page.public


def test_a_page_that_a_link_leads_visitors_to_is_for_them():
    assert public(asked(b"/order?sort=price", referer=b"http://shop.example/"))
    assert public(asked(b"/"))
    assert public(asked(b"/count", b"<b>41</b>", referer=b"http://shop.example/"), b"<b>42</b>")


@pytest.mark.parametrize(
    "visitor",
    [
        asked(b"/wares", referer=b"http://shop.example/robots.txt"),
        asked(b"/wares", referer=b"http://shop.example/maps/wares.xml?page=2"),
        asked(b"/admin/wares", referer=b"http://shop.example/"),
        asked(b"/wares", b"<h1>Sign in</h1>", referer=b"http://shop.example/"),
        asked(b"/wares", referer=b"http://shop.example/", status=302),
    ],
)
def test_what_is_only_found_or_is_for_some_or_says_something_else_is_not(visitor: Exchange):
    assert not public(visitor)


def test_nothing_is_said_of_pages_that_no_visitor_was_shown_nor_of_what_changes_something():
    changing = Exchange(Request("POST", b"/wares", host="shop.example"), Response(200, HTML, PAGE))
    found = list(open_to_all([asked(b"/mine"), changing], [asked(b"/wares")]))
    assert [each.public for each in found] == [False, False]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (b"application/json", b'[{"id": 1, "name": "Lamp"}]'),
        (b"text/html", b"<p>Password: swan-under-tree-7</p><p>IBAN: DE89370400440532013000</p>"),
    ],
)
def test_data_and_what_people_keep_to_themselves_is_not(kind: bytes, body: bytes):
    headers = ((b"Referer", b"http://shop.example/"),)
    shown = Exchange(
        Request("GET", b"/wares", headers, host="shop.example"), Response(200, ((b"Content-Type", kind),), body)
    )
    assert [each.public for each in open_to_all([shown], [shown])] == [False]
