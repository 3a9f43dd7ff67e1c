"""Which pages are read after a request that may have left something there."""

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response, reading
from gatecrash.core.point import Point
from gatecrash.core.testing.surroundings.pages import MOST_KEPT, Pages

HTML = ((b"Content-Type", b"text/html"),)
POST = Request("POST", b"/posts/7/comments", ((b"Cookie", b"sid=1"), (b"Content-Type", b"text/plain")), b"x", host="a")


def gathered(*targets: bytes, host: str = "a", status: int = 200) -> Pages:
    pages = Pages()
    for target in targets:
        pages.add(Exchange(Request("GET", target, host=host), Response(status, HTML, b"<p>")))
    return pages


def test_the_nearest_page_comes_first_and_each_once():
    pages = gathered(b"/about", b"/posts", b"/posts/7", b"/posts/7", b"/posts/7/comments")
    told = [page.request.target for page in pages.beside(POST)]
    assert told == [b"/posts/7/comments", b"/posts/7", b"/posts", b"/about"]
    assert all(page.rendered for page in pages.beside(POST))


@pytest.mark.parametrize(
    "pages",
    [
        gathered(b"/posts", host="b"),
        gathered(b"/posts", status=404),
        gathered(b"/logout"),
    ],
    ids=["of another host", "missing", "ends the session"],
)
def test_other_pages_are_not_read(pages):
    assert pages.beside(POST) == ()


def test_a_link_that_deletes_is_read_again_only_where_its_page_asks_first():
    pages = Pages()
    link = Request("GET", b"/items/7/delete", host="a")
    assert not pages.add(Exchange(link, Response(200, body=b"Gone.")))
    assert pages.add(Exchange(link, Response(200, body=b"<form method=post>Sure?</form>")))


def test_a_request_that_changes_nothing_leaves_nothing():
    assert gathered(b"/posts").beside(Request("GET", b"/posts", host="a")) == ()


def test_addresses_around_a_request_are_those_of_its_own_host():
    pages = gathered(b"/posts/7", b"/posts/8", b"/about")
    assert pages.around(Request("POST", b"/posts/7/pin", host="a")) == (b"/posts/7",)
    assert pages.around(Request("GET", b"/posts/7", host="a")) == ()
    assert pages.around(Request("POST", b"/posts/7/pin", host="b")) == ()


def test_pages_of_the_same_folder_are_those_of_its_own_host():
    request = Request("GET", b"/office/users", host="a")
    assert gathered(b"/office/halls", b"/office/users").alongside(request) == (b"/office/halls",)
    assert gathered(b"/office/halls", host="b").alongside(request) == ()


def test_no_more_than_a_bounded_number_is_kept():
    pages = gathered(*(b"/page/%d" % number for number in range(MOST_KEPT + 5)))
    assert len(pages.beside(POST)) == MOST_KEPT


def test_of_all_hosts_together_no_more_are_kept_and_the_oldest_go():
    pages = gathered(*(b"/page/%d" % number for number in range(10)), host="b")
    for number in range(MOST_KEPT - 4):
        pages.add(Exchange(Request("GET", b"/page/%d" % number, host="a"), Response(200, HTML, b"<p>")))
    of_b = pages.beside(msgspec.structs.replace(POST, host="b"))
    assert sorted(page.request.target for page in of_b) == [b"/page/%d" % number for number in range(6, 10)]
    assert len(pages.beside(POST)) == MOST_KEPT - 4


def test_a_page_is_read_in_the_same_name():
    page = reading(POST, b"/posts/7")
    assert (page.method, page.target, page.body, page.headers) == ("GET", b"/posts/7", b"", ((b"Cookie", b"sid=1"),))


def test_visitors_are_remembered_by_what_they_asked_and_only_where_they_were_answered_well():
    pages = Pages()
    for path, status in ((b"/products?page=1", 200), (b"/orders", 401), (b"/old", 404)):
        pages.visit(Exchange(Request("GET", path, (), b"", "http", "h", 80), Response(status)))
    asked = Request("GET", b"/products?page=2", (), b"", "http", "h", 80)
    assert pages.is_visited(asked)
    assert not pages.is_visited(msgspec.structs.replace(asked, method="POST"))
    assert not pages.is_visited(msgspec.structs.replace(asked, target=b"/orders"))
    assert not pages.is_visited(msgspec.structs.replace(asked, target=b"/old"))


JSON = ((b"Content-Type", b"application/json"),)


def shown(pages: Pages, target: bytes) -> list[bytes]:
    return [page.request.target for page in pages.beside(Request("GET", target, host="a"))]


def test_a_request_that_reads_an_object_has_the_pages_beside_it_that_show_its_identifier():
    pages = gathered(b"/about")
    for target, body in ((b"/mine", b'[{"uid": "b3-41"}]'), (b"/things/b3-41/parts", b'["b3-41"]'), (b"/x", b"[41]")):
        pages.add(Exchange(Request("GET", target, host="a"), Response(200, JSON, body)))
    assert shown(pages, b"/things/b3-41") == [b"/mine"]
    assert shown(pages, b"/things?id=41") == [b"/x"]
    assert shown(pages, b"/things/plain") == []


def test_two_users_answers_at_one_address_are_both_kept():
    pages = Pages()
    for body in (b"[41]", b"[42]", b"[42]"):
        pages.add(Exchange(Request("GET", b"/mine", host="a"), Response(200, JSON, body)))
    assert shown(pages, b"/things/41") == shown(pages, b"/things/42") == [b"/mine"]


def test_what_another_process_met_counts_with_its_visitors():
    pages = Pages()
    exchange = Exchange(Request("GET", b"/hours", (), b"", "http", "h", 80), Response(200, HTML, b"<p>"))
    assert [pages.meet(exchange, visited=visited) for visited in (False, False, True, True)] == [
        True,
        False,
        True,
        False,
    ]
    assert pages.is_visited(exchange.request)


@pytest.mark.parametrize(
    ("text", "known"), [(b'{"id": "Q2FyZDo1MTA="}', True), (b"<a href=?card=Q2FyZDo1MTA=&x=1>", True)]
)
def test_identifiers_in_base64_are_known_with_their_padding(text, known):
    pages = Pages()
    pages.add(Exchange(Request("GET", b"/boards", host="a"), Response(200, HTML, text)))
    asked = Request("GET", b"/cards/Q2FyZDo1MTA=", host="a")
    assert bool(pages.beside(asked)) is known


def dressed(target: bytes, *, visited: bool = False, name: bytes = b"Authorization", host: str = "a") -> Exchange:
    headers = () if visited else ((name, b"Bearer k7"),)
    return Exchange(Request("GET", target, headers, host=host), Response(200, HTML, b"<p>"))


def test_a_token_at_what_is_published_is_sent_everywhere():
    pages = Pages()
    orders = dressed(b"/orders/5").request
    assert pages.meet(dressed(b"/orders/5"), visited=False)
    assert not pages.is_dressed_everywhere(orders)
    assert pages.meet(dressed(b"/products"), visited=False)
    assert pages.is_dressed_everywhere(orders)
    assert not pages.is_dressed_everywhere(dressed(b"/orders/5", name=b"X-Api-Key").request)
    assert not pages.is_dressed_everywhere(dressed(b"/orders/5", host="b").request)
    assert not pages.is_dressed_everywhere(dressed(b"/orders/5", visited=True).request)


def test_a_token_at_what_caches_keep_for_others_is_sent_everywhere():
    pages = Pages()
    load = dressed(b"/load")
    pages.meet(load, visited=False)
    assert not pages.is_dressed_everywhere(load.request)
    kept = Response(200, ((b"Cache-Control", b"public, max-age=20"),), b"{}")
    pages.meet(Exchange(load.request, kept), visited=False)
    assert pages.is_dressed_everywhere(load.request)


def test_a_cookie_that_stays_at_home_is_told_once():
    pages = Pages()
    login = Exchange(Request("POST", b"/login", host="a"), Response(302, ((b"Set-Cookie", b"sid=k7; SameSite=Lax"),)))
    assert pages.meet(login, visited=False)
    assert not pages.meet(login, visited=False)
    assert pages.kept_home(Request("POST", b"/orders", host="a"), [Point(("header", "COOKIE", "cookie", "sid"))])


def test_a_visitor_at_what_is_published_says_nothing_of_tokens():
    pages = Pages()
    pages.meet(dressed(b"/products", visited=True), visited=True)
    assert not pages.is_dressed_everywhere(dressed(b"/orders/5").request)


def test_of_pages_with_a_small_number_those_called_like_what_is_asked_for_come_first():
    pages = Pages()
    shown = Response(200, ((b"Content-Type", b"application/json"),), b'{"rows": [{"id": 7}]}')
    for target in (b"/ports", b"/boats", b"/berths", b"/my-invoices"):
        pages.add(Exchange(Request("GET", target, host="a"), shown))
    first, *_ = pages.beside(Request("GET", b"/invoice?id=7", host="a"))
    assert first.request.target == b"/my-invoices"


def test_what_sets_a_forgotten_password_is_known_before_it_is_sent():
    def posted(path: bytes, body: bytes) -> Request:
        return Request("POST", path, ((b"Content-Type", b"application/json"),), body, host="a")

    pages, asks = Pages(), posted(b"/forgot", b'{"email": "ann@example.org"}')
    assert pages.makers_of(asks) == ()
    pages.foresee([Exchange(posted(b"/reset", b'{"code": "1", "password": "b"}')), Exchange(asks)])
    assert [made.path for made in pages.makers_of(asks)] == [("code",)]


def test_a_key_was_used_where_the_likeliest_maker_handed_it_out():
    pages, json = Pages(), (b"Content-Type", b"application/json")
    for place, key in ((b"/board", b"9f0c4d2277ab10ce8d3e51c6"), (b"/gate", b"51c0a9d2e7f84b363d0e9b1c")):
        made = Request("POST", place + b"/keys", (json,), b'{"label": "night"}', host="a")
        told = b'{"id": "k1", "value": "' + key + b'"}'
        pages.meet(Exchange(made, Response(201, (json,), told)), visited=False)
        use = Request("GET", place + b"/times", ((b"X-Key", key),), host="a")
        pages.meet(Exchange(use, Response(200, (json,), b'{"times": ["08:15"]}')), visited=False)
    deleting = Request("DELETE", b"/gate/keys/k1", (), host="a")
    assert [use.request.path for use in pages.uses_of(deleting)] == [b"/gate/times"]
    assert pages.uses_of(reading(deleting, b"/gate/keys/k1")) == ()
