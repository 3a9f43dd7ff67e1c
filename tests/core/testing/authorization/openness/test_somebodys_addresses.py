"""What an address says of whose it is."""

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.openness.somebodys_addresses import (
    asks_for_one_member,
    is_called_kept,
    is_called_somebodys,
    is_kept_beside_a_member,
    is_kept_by_people,
    is_of_members,
    is_page_of_a_member,
    is_somebodys,
)

JSON, CSV, HTML = ((b"Content-Type", kind) for kind in (b"application/json", b"text/csv", b"text/html"))


@pytest.mark.parametrize(
    ("path", "somebodys", "kept"),
    [
        ("/admin/visits", True, False),
        ("/api/orders/31", True, False),
        ("/order-by/name", False, False),
        ("/app/notes/4", False, True),
        ("/hr/jobs/4/candidates", False, True),
        ("/filesystem", False, False),
        ("/reorder", False, False),
    ],
)
def test_what_an_address_is_called(path: str, somebodys: bool, kept: bool) -> None:
    assert is_called_somebodys(path) is somebodys
    assert is_kept_by_people(path) is kept
    assert is_called_kept(path) is (somebodys or kept)


@pytest.mark.parametrize(
    ("path", "one", "members"),
    [
        ("/users/ann", True, True),
        ("/users", False, True),
        ("/users/me", False, False),
        ("/admin/users/ann", True, False),
        ("/users/ann/orders", False, False),
    ],
)
def test_the_page_of_a_member_is_no_page_of_those_who_keep_the_site(path: str, one: bool, members: bool) -> None:
    assert is_page_of_a_member(path) is one
    assert is_of_members(path) is members


def test_what_stands_before_a_member_may_be_somebodys_by_itself() -> None:
    assert is_kept_beside_a_member("/admin/users/ann")
    assert not is_kept_beside_a_member("/forum/users/ann")


def test_a_query_for_one_member_names_him() -> None:
    def asked(document: str) -> Request:
        return Request("POST", b"/graphql", (JSON,), b'{"query": "%s"}' % document.encode(), host="a")

    assert asks_for_one_member(asked(r"{user(name: \"ann\") {bio}}"), "/user")
    assert not asks_for_one_member(asked("{user {bio}}"), "/user"), "which may be the caller"
    assert not asks_for_one_member(Request("GET", b"/user?name=ann", host="a"), "/user")


@pytest.mark.parametrize(
    ("path", "kind", "body", "often", "expected"),
    [
        ("/orders/31", JSON, b'{"sum": 4}', False, True),
        ("/reports", JSON, b'{"sum": 4}', False, False),
        ("/reports", JSON, b'{"sum": 4}', True, True),
        ("/admin/reports", JSON, b'{"sum": 4}', False, True),
        ("/export/claims.csv", CSV, b"id,sum\n7,4\n", False, True),
        ("/export/teas.csv", CSV, b"id,name\n7,Assam\n", False, False),
        ("/board/cards", JSON, b'{"title": "paint"}', True, False),
        ("/board/cards", JSON, b'{"holder": "Ann"}', True, True),
        ("/hours", HTML, b"<p>9 to 17</p>", True, False),
    ],
)
def test_words_that_sites_show_to_visitors_too_need_another(
    path: str, kind: tuple[bytes, bytes], body: bytes, often: bool, expected: bool
) -> None:
    assert is_somebodys(path, Response(200, (kind,), body), often=often) is expected
