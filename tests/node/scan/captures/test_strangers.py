"""Senders of a capture are asked what only others of them asked."""

import pytest

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.node.scan.captures.strangers import MOST_PAGES, MOST_SENDERS, MOST_VIEWS, Strangers

ANN, BERT = b"Bearer 8d5f2a90cc1e47ab", b"Bearer 77f1b0e2d94c4b6a"
JSON = ((b"Content-Type", b"application/json"),)


def page(
    path: bytes, token: bytes, body: bytes = b"[]", *, status: int = 200, cookie: bytes = b"", method: str = "GET"
) -> Exchange:
    headers = ((b"Host", b"shop.example"), (b"Authorization", token), *(((b"Cookie", cookie),) if cookie else ()))
    return Exchange(Request(method, path, headers, host="shop.example"), Response(status, JSON, body))


def asked(*exchanges: Exchange) -> list[tuple[bytes, bytes | None]]:
    strangers = Strangers(compile_recogniser())
    for each in exchanges:
        strangers.see(each)
    return [(request.path, request.first(b"Authorization")) for request in strangers.questions()]


ME = page(b"/me", ANN, b'{"id": 7, "email": "ann@shop.example"}', cookie=b"cart=9f2c77ab10")


def test_each_is_asked_who_he_is_and_for_the_lists_of_the_others() -> None:
    told = asked(ME, page(b"/orders", BERT))
    assert sorted(told, key=str) == [(b"/me", BERT), (b"/orders", ANN)]


def test_lists_of_what_was_changed_are_no_changes() -> None:
    assert (b"/cancellations", ANN) in asked(ME, page(b"/cancellations", BERT))
    assert (b"/sales/changes", ANN) in asked(ME, page(b"/sales/changes", BERT))


@pytest.mark.parametrize("path", [b"/cancel-orders", b"/cancel/orders", b"/closeOrders", b"/deactivate_all_accounts"])
def test_what_changes_several_things_is_no_list(path: bytes) -> None:
    assert [told for told, _ in asked(ME, page(path, BERT))] == [b"/me"]


def test_cookies_of_whoever_asked_first_do_not_go_along() -> None:
    strangers = Strangers(compile_recogniser())
    for each in (ME, page(b"/orders", BERT), page(b"/me", BERT, status=401)):
        strangers.see(each)
    assert all(request.first(b"Cookie") is None for request in strangers.questions() if request.path == b"/me")


def test_one_sender_is_a_stranger_to_nobody_and_objects_are_nobodys_pages() -> None:
    assert asked(ME, page(b"/orders", ANN)) == []
    assert asked(page(b"/orders/7", ANN), page(b"/orders/8", BERT)) == []


def test_changes_queries_sign_outs_and_errors_are_not_asked() -> None:
    others = (
        page(b"/logout", ANN),
        page(b"/a?b=c", ANN),
        page(b"/deactivate-account", ANN),
        page(b"/c", ANN, status=404),
        page(b"/d", ANN, method="POST"),
    )
    assert asked(*others, page(b"/e", BERT, b"<p>", method="PUT")) == []


def test_many_tokens_do_not_cost_many_questions() -> None:
    tokens = [page(b"/orders", b"Bearer 77f1b0e2d94c4b%02d" % number) for number in range(MOST_SENDERS + 5)]
    assert len(asked(ME, *tokens)) == MOST_SENDERS


def view(path: bytes, token: bytes) -> Exchange:
    answer = Response(200, ((b"Content-Type", b"text/html"),), b"<h1>All</h1>")
    return Exchange(page(path, token).request, answer)


def test_pages_for_people_are_asked_where_one_alone_asked_for_them() -> None:
    both = (view(b"/plots", ANN), view(b"/plots", BERT))
    assert asked(*both, view(b"/steward/members", BERT)) == [(b"/steward/members", ANN)]


def test_a_site_of_many_pages_does_not_cost_many_questions() -> None:
    many = [view(b"/section/page%c" % letter, ANN) for letter in range(97, 97 + 3 * MOST_VIEWS)]
    assert len(asked(*many, view(b"/steward/members", BERT))) == MOST_VIEWS + 1


def test_of_two_who_asked_for_many_lists_each_is_asked_as_many_of_the_other() -> None:
    """Who is refused the other's alone would stand below him, though neither may see what is the other's."""
    lists = [
        page(b"/%s/list%c" % (whose, letter), token)
        for whose, token in ((b"hill", ANN), (b"dale", BERT))
        for letter in range(97, 97 + 2 * MOST_PAGES)
    ]
    told = asked(*lists)
    assert len(told) == MOST_PAGES
    assert [token for _, token in told].count(ANN) == MOST_PAGES // 2


def test_lists_that_all_asked_for_take_nobodys_place() -> None:
    both = [page(b"/list%c" % letter, token) for token in (ANN, BERT) for letter in range(97, 97 + MOST_PAGES)]
    assert asked(*both, page(b"/manager/users", BERT)) == [(b"/manager/users", ANN)]
